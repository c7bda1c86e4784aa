// The fields: colour and letter, name, sample, in how many records, and what can be done with them.

import { h, get, fill, count } from "./dom.js";
import { store, choose, act, rename, color, letter } from "./store.js";

/** The types that values can have in the records. */
const TYPES = ["text", "integer", "number", "boolean", "date", "timestamp", "link"];
let drawn = null;
let ways = { key: "", list: [] }; // the ways to the chosen field

/** Asks for the ways to the chosen field. */
async function askWays() {
  const key = store.field ? `${store.state.rev}|${store.field}` : "";
  if (ways.key === key) return;
  ways = { key, list: [] };
  if (!key || store.state.wrapper?.kind !== "paths") return;
  const answer = await fetch(`/api/ways?field=${encodeURIComponent(store.field)}`);
  if (!answer.ok || ways.key !== key) return;
  ways = { key, list: (await answer.json()).ways };
  drawn = null;
  drawFields();
}

function drawWays(field) {
  if (ways.list.length === 0) return null;
  const items = ways.list.map((way, number) => h("li", {},
    h("code", { class: "cut", title: way.path + (way.around.join("") ? ` between “${way.around[0]}” and “${way.around[1]}”` : "") }, way.path),
    h("span", { class: "soft" }, `${way.filled}/${way.of}`),
    number === 0 ? h("span", { class: "fine" }, "used") : h("button", { type: "button", class: "small", "aria-label": `Use ${way.path}`, onclick: () => act({ do: "prefer", field, way: number }) }, "use")));
  return h("ol", { class: "ways", "aria-label": "Ways to find it" }, items);
}

export function swatch(field) {
  return h("span", { class: `swatch ${color(field)}`, "aria-hidden": "true" }, letter(field));
}

function mark(field) {
  if (field.doubt || field.filled === 0) return ["bad", "✗", field.doubt ?? "found nowhere"];
  if (field.filled < field.of) return ["look", "!", `${count(field.of - field.filled, "record")} without a value`];
  return ["fine", "✓", "every record has a value"];
}

function named(field) {
  if (store.renaming !== field.name) {
    return h("button", { type: "button", class: "name cut", title: "Rename: double-click, or r", ondblclick: () => choose({ field: field.name, renaming: field.name }) }, field.name);
  }
  const last = field.name.slice(field.name.lastIndexOf(".") + 1);
  const input = h("input", { type: "text", value: last, "aria-label": `New name of ${field.name}`, spellcheck: "false", autocomplete: "off" });
  let over = false;
  const end = async (isTaken) => {
    if (over) return;
    over = true;
    const to = input.value.trim();
    choose({ renaming: null });
    if (isTaken && to && to !== last) await rename(field.name, to);
  };
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") end(true);
    if (event.key === "Escape") end(false);
  });
  input.addEventListener("blur", () => end(true));
  queueMicrotask(() => { input.focus(); input.select(); });
  return input;
}

function item(field, shown) {
  const isOn = store.field === field.name;
  const [kind, sign, why] = mark(field);
  const at = shown.findIndex((other) => other.name === field.name);
  const missing = field.of - field.filled;
  const filter = () => choose({ without: store.without === field.name ? null : field.name, field: field.name });
  return h("li", { role: "option", "aria-selected": String(isOn), "data-field": field.name, onclick: (event) => { if (!event.target.closest("button:not(.name), input, select, label")) choose({ field: field.name, row: null }); } },
    h("input", { type: "checkbox", class: "tick-field", checked: store.ticked.has(field.name) ? true : undefined, title: "Tick the fields that you want (m), then hide the others", "aria-label": `Tick ${field.name}`, onchange: () => tick(field.name) }),
    swatch(field.name),
    named(field),
    missing && field.column !== null
      ? h("button", { type: "button", class: "link", title: `Show the ${count(missing, "row")} without a value`, onclick: filter }, `${field.filled}/${field.of}`)
      : h("span", { class: "soft" }, field.of ? `${field.filled}/${field.of}` : "nowhere"),
    h("span", { class: `mark ${kind}`, title: why, "aria-label": why }, sign),
    h("button", { type: "button", class: "small", title: "Hide this field (x)", "aria-label": `Hide ${field.name}`, onclick: () => act({ do: "hide", field: field.name }) }, "Hide"),
    h("span", { class: "sample cut", title: field.samples.join("\n") }, field.samples[0] ?? "no value"),
    h("span", { class: "sort" }, field.value === "text" ? field.sort : field.value, field.key ? h("b", {}, " key") : null),
    field.doubt ? h("p", { class: "why" }, field.doubt) : null,
    h("div", { class: "tools" },
      h("button", { type: "button", class: "small", onclick: () => choose({ renaming: field.name }) }, "Rename"),
      h("button", { type: "button", class: "small", disabled: at <= 0, title: "One place up (Alt ↑)", onclick: () => move(field.name, -1) }, "Up"),
      h("button", { type: "button", class: "small", disabled: at === shown.length - 1, title: "One place down (Alt ↓)", onclick: () => move(field.name, 1) }, "Down"),
      field.pointed ? h("span", { class: "soft" }, `${count(field.pointed, "value")} pointed at`) : null,
      h("div", { class: "types" },
        h("label", { class: "type" }, "Type ", h("select", { "aria-label": `Type of ${field.name}`, onchange: (event) => act({ do: "type", field: field.name, to: event.target.value }).then((done) => { if (!done) { drawn = null; drawFields(); } }) },
          TYPES.map((name) => h("option", { value: name, selected: name === field.value ? true : undefined }, name)))),
        h("label", { class: "type", title: "The key tells records apart: a later run changes a record instead of adding it again" },
          h("input", { type: "checkbox", class: "key", checked: field.key ? true : undefined, onchange: (event) => act({ do: "key", field: field.name, on: event.target.checked }).then((done) => { if (!done) { drawn = null; drawFields(); } }) }), " Key")
      ),
    ),
    isOn ? drawWays(field.name) : null,
  );
}

/** Ticks a field, or no longer. */
export function tick(name) {
  if (!store.ticked.delete(name)) store.ticked.add(name);
  choose({});
}

/** Moves a field among those that are shown. */
export function move(name, by) {
  const shown = store.state.fields.filter((field) => field.shown).map((field) => field.name);
  const at = shown.indexOf(name), to = at + by;
  if (at < 0 || to < 0 || to >= shown.length) return;
  const rest = shown.filter((other) => other !== name);
  act({ do: "move", field: name, before: rest[to] ?? null });
}

export function drawFields() {
  const { state } = store;
  const key = JSON.stringify([state.fields, state.wrapper, store.field, store.renaming, store.without, store.pointing, store.pairing, [...store.ticked], Boolean(state.busy)]);
  askWays();
  if (key === drawn) return;
  drawn = key;
  const shown = state.fields.filter((field) => field.shown);
  const hidden = state.fields.filter((field) => !field.shown);
  const open = get("fields").querySelector("details")?.open;
  const methods = [["", "Find again …"], ["auto", "what suits the pages"], ["regions", "the best list of a page"], ["regions 2", "the 2nd best list"], ["regions 3", "the 3rd best list"], ["regions 4", "the 4th best list"], ["landmarks", "what pages share"], ["exalg", "a template"]];
  const select = h("select", { "aria-label": "Find the fields again", disabled: !state.pages.length || Boolean(state.busy), onchange: (event) => {
    const [method, list] = event.target.value.split(" ");
    if (method) act({ do: "infer", method, list: list ? Number(list) : null });
    drawn = null;
  } },
    methods.map(([value, words]) => h("option", { value }, words)));
  const empty = h("p", { class: "hint" }, state.pages.length ? "No fields yet. Click a value on the page, or press l and click in two records of a list." : "Fields appear here as soon as there are pages.");
  const wanted = shown.filter((field) => store.ticked.has(field.name)).map((field) => field.name);
  const only = wanted.length && wanted.length < shown.length
    ? h("p", { id: "wanted", role: "status" }, `${count(wanted.length, "field")} ticked`, h("span", { class: "grow" }),
      h("button", { type: "button", class: "small", onclick: () => { store.ticked.clear(); choose({}); } }, "None"),
      h("button", { type: "button", class: "small main", id: "only", onclick: () => act({ do: "only", fields: wanted }).then((done) => { if (done) { store.ticked.clear(); choose({}); } }) }, `Hide the other ${shown.length - wanted.length}`)) : null;
  fill(get("fields"),
    h("div", { class: "head" }, h("h2", {}, "Fields"), h("span", { class: "grow" }), select,
      h("button", { type: "button", class: "small", id: "pair", title: "Point at two records of a list: it becomes the table (l)", "aria-pressed": String(Boolean(store.pairing)), disabled: !state.pages.length, onclick: () => choose({ pairing: store.pairing ? null : [], pointing: false }) }, "+ List"),
      h("button", { type: "button", class: "small", id: "point", title: "Make a field by pointing at a value (f)", "aria-pressed": String(store.pointing), disabled: !state.pages.length, onclick: () => choose({ pointing: !store.pointing, pairing: null }) }, "+ Field")),
    only,
    h("div", { class: "scroll" },
      shown.length ? h("ul", { role: "listbox", "aria-label": "Fields" }, shown.map((field) => item(field, shown))) : empty,
      hidden.length ? h("details", { open: open ? true : undefined },
        h("summary", {}, `hidden (${hidden.length})`),
        h("ul", {}, hidden.map((field) => h("li", {},
          h("span", { class: "cut", title: field.name }, field.name),
          h("span", { class: "cut soft", title: field.samples.join("\n") }, field.samples[0] ?? ""),
          h("button", { type: "button", class: "small", onclick: () => act({ do: "show", field: field.name }) }, "Show"))))) : null),
    h("p", { class: "hint" }, "Click a value on the page to add a field. Shift-click a box: this value is wrong."),
  );
  get("fields").querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
}
