// A repair: for each field its values of before and now, how sure it is, and whether to take it.

import { h } from "./dom.js";
import { store, act, choose } from "./store.js";
import { swatch } from "./fields.js";

let drawn = null;
let left = new Set(); // fields that are not taken
let of = null; // the repair that they belong to

export function drawRepair(panel, tools, isNew) {
  const { repair } = store.state;
  if (of !== repair.fields.map((field) => field.name).join("|")) {
    of = repair.fields.map((field) => field.name).join("|");
    left = new Set();
  }
  // What is drawn anew under the pointer loses its click.
  const key = JSON.stringify([repair, store.field, [...left]]);
  if (key === drawn && !isNew) return;
  drawn = key;
  const canAccept = repair.outcome !== "healthy";
  const fields = store.state.fields.filter((field) => field.shown).map((field) => field.name);
  const accept = () => act({ do: "accept", leave: [...left].filter((name) => fields.includes(name)) });
  tools.replaceChildren(
    h("button", { type: "button", id: "reject", onclick: () => act({ do: "reject" }) }, canAccept ? "Reject" : "Close"),
    canAccept ? h("button", { type: "button", id: "accept", class: "main", onclick: accept }, left.size ? `Accept without ${left.size}` : "Accept") : "");
  const values = (list, isLeft) => (isLeft ? h("span", { class: "look" }, "left out: not sure enough") : list.length ? list.map((text) => h("div", {}, text)) : h("span", { class: "soft" }, "no value"));
  const rows = repair.fields.map((field) => h("tr", { class: store.field === field.name ? "on" : undefined, "data-field": field.name, onclick: (event) => { if (!event.target.closest("input")) choose({ field: field.name, row: null }); } },
    h("td", {}, h("input", { type: "checkbox", checked: left.has(field.name) || field.left_out ? undefined : true, disabled: field.left_out, "aria-label": `Take ${field.name}`, onchange: (event) => { if (event.target.checked) left.delete(field.name); else left.add(field.name); choose({}); } })),
    h("td", {}, swatch(field.name), " ", h("button", { type: "button", class: "link", title: "Show it on both pages", onclick: () => choose({ field: field.name, row: null }) }, field.name)),
    h("td", {}, field.corrected ? h("span", { class: "fine" }, "corrected by you") : [meter(field.sure), `${field.sure} %`]),
    h("td", {}, values(field.before, false)),
    h("td", {}, values(field.now, field.left_out))));
  panel.replaceChildren(h("div", { class: "repair", tabindex: "0", role: "region", "aria-label": "Fields before and now" },
    h("p", {}, repair.words, canAccept ? h("span", { class: "soft" }, " Wrong or missing? Choose the field, then click the right value on the page of now.") : ""),
    rows.length ? h("table", {}, h("thead", {}, h("tr", {}, ["take", "field", "sure", "before", "now"].map((name) => h("th", {}, name)))), h("tbody", {}, rows)) : null,
    repair.notes.map((note) => h("p", { class: "soft" }, note))));
  panel.querySelector("tr.on")?.scrollIntoView({ block: "nearest" });
}

function meter(sure) {
  const bar = h("span");
  bar.style.width = `${sure}%`;
  return h("span", { class: sure < 50 ? "meter low" : "meter", "aria-hidden": "true" }, bar);
}
