// A repair: for each field its values of before and now, and how sure it is.

import { h } from "./dom.js";
import { store, act } from "./store.js";
import { swatch } from "./fields.js";

let drawn = null;

export function drawRepair(below) {
  const { repair } = store.state;
  // What is drawn anew under the pointer loses its click.
  const key = JSON.stringify(repair);
  if (key === drawn && below.querySelector(".repair")) return;
  drawn = key;
  const canAccept = repair.outcome !== "healthy";
  const values = (list, left) => (left ? h("span", { class: "look" }, "left out: not sure enough") : list.length ? list.map((text) => h("div", {}, text)) : h("span", { class: "soft" }, "no value"));
  const rows = repair.fields.map((field) => h("tr", {},
    h("td", {}, swatch(field.name), " ", field.name),
    h("td", {}, meter(field.sure), `${field.sure} %`),
    h("td", {}, values(field.before, false)),
    h("td", {}, values(field.now, field.left_out))));
  below.replaceChildren(
    h("div", { class: "head" }, h("h2", {}, "Repair"), h("span", { class: "soft cut" }, repair.words), h("span", { class: "grow" }),
      h("button", { type: "button", id: "reject", onclick: () => act({ do: "reject" }) }, canAccept ? "Reject" : "Close"),
      canAccept ? h("button", { type: "button", id: "accept", class: "main", onclick: () => act({ do: "accept" }) }, "Accept") : null),
    h("div", { class: "repair", tabindex: "0", role: "region", "aria-label": "Fields before and now" },
      rows.length ? h("table", {}, h("thead", {}, h("tr", {}, ["field", "sure", "before", "now"].map((name) => h("th", {}, name)))), h("tbody", {}, rows)) : null,
      repair.notes.map((note) => h("p", { class: "soft" }, note))));
}

function meter(sure) {
  const bar = h("span");
  bar.style.width = `${sure}%`;
  return h("span", { class: sure < 50 ? "meter low" : "meter", "aria-hidden": "true" }, bar);
}
