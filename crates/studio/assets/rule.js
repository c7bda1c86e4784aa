// The rule: the ways to the chosen field, each with how many records it serves, changed by hand with live matches; the whole
// in OXPath.

import { h, count } from "./dom.js";
import { store, choose, act } from "./store.js";
import { swatch } from "./fields.js";

const PAUSE = 150; // milliseconds without a key before a path is tried
let rule = null;
let ways = [];
let asked = "";
let drawn = null;
let timer = 0;

async function ask() {
  const key = `${store.state.rev}|${store.field ?? ""}`;
  if (key === asked) return;
  asked = key;
  const own = store.field ? `?field=${encodeURIComponent(store.field)}` : "";
  const [one, other] = await Promise.all([fetch(`/api/rule${own}`), store.field ? fetch(`/api/ways?field=${encodeURIComponent(store.field)}`) : null]);
  if (key !== asked || !one.ok) return;
  rule = await one.json();
  ways = other?.ok ? (await other.json()).ways : [];
  choose({});
}

const of = (found, records) => (records ? `${count(found.records, "record")} on ${found.filled} of ${count(found.of, "page")}` : `a value in ${found.filled} of ${count(found.of, "record")}`);

/** Tries a path while it is written, and shows what it finds: values, or records. */
async function attempt(input, at, result, records) {
  const path = input.value, field = store.field, page = store.page;
  if (records && !path.trim()) {
    result.replaceChildren(h("span", { class: "look" }, "this path goes away"));
    input.closest("li").querySelector(".take").disabled = false;
    choose({ marks: null });
    return;
  }
  const answer = await fetch(`/api/${records ? "try-each" : "try"}?field=${encodeURIComponent(field ?? "")}&at=${at}&page=${page}&path=${encodeURIComponent(path)}`);
  if (input.value !== path || store.field !== field || !input.isConnected) return;
  if (!answer.ok) {
    result.replaceChildren(h("span", { class: "bad" }, (await answer.text()).trim()));
    return;
  }
  const tried = await answer.json();
  input.setAttribute("aria-invalid", String(Boolean(tried.problem)));
  const use = input.closest("li").querySelector(".take");
  if (use) use.disabled = Boolean(tried.problem);
  if (tried.problem) {
    const { message, from, to, hints } = tried.problem;
    const caret = " ".repeat(from) + "^".repeat(Math.max(1, to - from));
    result.replaceChildren(h("pre", { class: "caret", "aria-hidden": "true" }, `${path}\n${caret}`), h("span", { class: "bad" }, message), hints.length ? h("span", { class: "soft" }, ` – ${hints[0]}`) : "");
    choose({ marks: null });
    return;
  }
  if (use && records) use.disabled = tried.records === 0;
  result.replaceChildren(h("span", { class: tried.filled === tried.of ? "fine" : "look" }, of(tried, records)), h("span", { class: "soft" }, !records && tried.samples.length ? `: ${tried.samples.join(" · ")}` : ""));
  choose({ marks: { page, list: tried.at.map((at, number) => ({ at, label: records ? `record ${number + 1}` : field })) } });
}

/** A path that can be changed: to the chosen field, or to the records. */
function wayItem(way, at, records) {
  const result = h("div", { class: "tried", role: "status" }, way ? h("span", { class: way.filled === way.of ? "fine" : "look" }, of(way, records)) : "");
  const to = records ? "the records" : store.field;
  const input = h("input", { type: "text", class: "path", value: way?.path ?? "", placeholder: records ? "another XPath, from the page" : "another XPath, from the record", "aria-label": way ? `Path ${at + 1} to ${to}` : `Another path to ${to}`, spellcheck: "false", autocomplete: "off" });
  const command = () => (records ? { do: "set-each", field: store.field, at, path: input.value } : { do: "set-way", field: store.field, at, path: input.value });
  const take = h("button", { type: "button", class: "small take", disabled: true, onclick: () => act(command()) }, "Take it");
  input.addEventListener("input", () => {
    take.disabled = true;
    clearTimeout(timer);
    timer = setTimeout(() => attempt(input, at, result, records), PAUSE);
  });
  input.addEventListener("focus", () => { if (input.value) attempt(input, at, result, records).then(() => { if (way && input.value === way.path) take.disabled = true; }); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !take.disabled) take.click();
    if (event.key === "Escape") { input.value = way?.path ?? ""; choose({ marks: null }); input.blur(); }
  });
  const around = way?.around && way.around.join("") ? h("span", { class: "soft" }, ` between “${way.around[0]}” and “${way.around[1]}”`) : null;
  return h("li", {},
    h("div", { class: "row" }, input, take, !way ? null : at === 0 ? h("span", { class: "fine" }, "used first") : records ? null : h("button", { type: "button", class: "small", "aria-label": `Use ${way.path} first`, onclick: () => act({ do: "prefer", field: store.field, way: at }) }, "Use first")),
    around, result);
}

export function drawRule(panel, tools, isNew) {
  ask();
  const { state } = store;
  const key = JSON.stringify([rule, ways, store.field, Boolean(state.busy), Boolean(state.repair)]);
  if (key === drawn && !isNew) return;
  drawn = key;
  tools.replaceChildren(rule?.oxpath ? h("button", { type: "button", onclick: (event) => navigator.clipboard.writeText(rule.oxpath).then(() => { event.target.textContent = "Copied"; }, () => { event.target.textContent = "Select it and copy"; }) }, "Copy OXPath") : "");
  if (!rule?.kind) {
    panel.replaceChildren(h("p", { class: "hint" }, state.wrapper ? "…" : "There is no rule yet. Add pages first."));
    return;
  }
  let left;
  if (rule.kind !== "paths") {
    left = [
      h("p", {}, `This rule is made of ${rule.kind}, not of paths. It cannot be changed by hand.`),
      h("p", {}, h("button", { type: "button", id: "to-paths", class: "main", disabled: Boolean(state.busy) || rule.kind === "oxpath", onclick: () => act({ do: "to-paths" }) }, "Say it as paths")),
      h("p", { class: "soft" }, "Hidden fields are lost by that; undo brings them back."),
    ];
  } else if (!store.field) {
    left = [h("p", { class: "hint" }, "Choose a field on the right or on the page: the ways to its values appear here.")];
  } else {
    left = [
      h("p", {}, swatch(store.field), " ", h("b", {}, store.field), h("span", { class: "soft" }, " – the first way that finds something is used")),
      h("ol", { class: "paths" }, ways.map((way, at) => wayItem(way, at, false)), wayItem(null, ways.length, false)),
    ];
  }
  const each = rule.kind !== "paths" ? null : h("div", { id: "each" },
    h("p", {}, h("b", {}, "Records"), h("span", { class: "soft" }, rule.each.length ? " – the first path that finds something is used" : " – each page is one record; a path makes it a list")),
    h("ol", { class: "paths" }, rule.each.map((one, at) => wayItem(one, at, true)), wayItem(null, rule.each.length, true)));
  panel.replaceChildren(h("div", { class: "rule" },
    h("section", { "aria-label": "Ways to the chosen field" }, ...left),
    h("section", { "aria-label": "The whole rule" }, each, h("pre", { tabindex: "0", "aria-label": rule.oxpath ? "The rule in OXPath" : "The rule in words" }, rule.oxpath ?? rule.text))));
}
