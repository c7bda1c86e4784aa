// The keyboard. Letters work wherever nothing is being typed.

import { h, get } from "./dom.js";
import { store, choose, act } from "./store.js";
import { closePopover } from "./popover.js";
import { move, tick } from "./fields.js";
import { save } from "./main.js";
import { TABS, toTab } from "./below.js";

const KEYS = [
  ["j  k", "next page, page before"],
  ["n  p", "next field, field before"],
  ["f", "point at a new field"],
  ["l", "point at two records: their list becomes the table"],
  ["r", "rename the chosen field"],
  ["x", "hide the chosen field"],
  ["m", "tick the chosen field, to hide all others later"],
  ["Alt ↑ ↓", "move the chosen field"],
  ["1 – 5", "table, rule, run, health, repair"],
  ["/", "find in the table"],
  ["Ctrl Z", "undo (with Shift: redo)"],
  ["Ctrl S", "save"],
  ["← →", "on the page: other texts"],
  ["↑ ↓", "on the page: wider, narrower"],
  ["Enter", "on the page: make it a field"],
  ["Shift click", "on a box: this value is wrong"],
  ["Esc", "close what is open"],
  ["?", "this list"],
];

function help() {
  const box = get("help");
  box.hidden = !box.hidden;
  if (box.hidden) return;
  const close = h("button", { type: "button", class: "small", onclick: help }, "Close");
  box.replaceChildren(h("div", { class: "head" }, h("h2", {}, "Keys"), h("span", { class: "grow" }), close),
    h("dl", {}, KEYS.flatMap(([key, words]) => [h("dt", {}, key), h("dd", {}, words)])));
  close.focus();
}

function nextField(by) {
  const shown = store.state.fields.filter((field) => field.shown).map((field) => field.name);
  if (!shown.length) return;
  const at = store.field ? shown.indexOf(store.field) : by > 0 ? -1 : shown.length;
  choose({ field: shown[(at + by + shown.length) % shown.length], row: null });
}

const LETTERS = {
  j: () => choose({ page: Math.min(store.page + 1, store.state.pages.length - 1) }),
  k: () => choose({ page: Math.max(store.page - 1, 0) }),
  n: () => nextField(1),
  p: () => nextField(-1),
  l: () => { choose({ pairing: [], pointing: false }); get("overlay").focus(); },
  f: () => { choose({ pointing: true, pairing: null }); get("overlay").focus(); },
  r: () => store.field && choose({ renaming: store.field }),
  m: () => store.field && tick(store.field),
  x: () => store.field && act({ do: "hide", field: store.field }),
  "/": () => { toTab("table"); get("find")?.focus(); },
  "?": help,
};

get("keys").addEventListener("click", help);

addEventListener("keydown", (event) => {
  if (!store.state) return;
  const letter = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (letter === "s") { event.preventDefault(); save(); }
    if (letter === "z" && !event.target.closest("input")) { event.preventDefault(); act({ do: event.shiftKey ? "redo" : "undo" }); }
    return;
  }
  if (event.key === "Escape") {
    const focus = !get("popover").hidden;
    closePopover();
    get("help").hidden = true;
    choose({ pointing: false, pairing: null, without: null, marks: null });
    if (focus) get("overlay").focus();
    return;
  }
  if (event.target.closest("input, select, textarea")) return;
  if (event.altKey && store.field && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    move(store.field, event.key === "ArrowUp" ? -1 : 1);
    return;
  }
  const tab = TABS[Number(event.key) - 1];
  const action = tab && !event.shiftKey ? () => { toTab(tab[0]); get(`tab-${store.tab}`)?.focus(); } : LETTERS[event.key];
  if (action && !event.altKey) {
    event.preventDefault();
    action();
  }
});
