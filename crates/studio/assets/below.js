// What is below the page: the table, the rule, runs, health, and a repair while there is one. One of them is seen at a time.

import { h, get } from "./dom.js";
import { store, choose } from "./store.js";
import { drawTable } from "./table.js";
import { drawRule } from "./rule.js";
import { drawRun } from "./run.js";
import { drawHealth } from "./health.js";
import { drawRepair } from "./repair.js";

export const TABS = [
  ["table", "Table", drawTable],
  ["rule", "Rule", drawRule],
  ["run", "Run", drawRun],
  ["health", "Health", drawHealth],
  ["repair", "Repair", drawRepair],
];

let hadRepair = false;
let drawnTabs = null;

/** Shows one of the tabs; a repair only while there is one. */
export function toTab(name) {
  if (name === "repair" && !store.state.repair) return;
  choose({ tab: name, marks: null });
}

function sign(name) {
  const { health, run } = store.state;
  if (name === "run" && run?.state === "running") return " …";
  if (name === "health" && health) return health.is_fine ? " ✓" : " ✗";
  return "";
}

function drawTabs(tab) {
  const shown = TABS.filter(([name]) => name !== "repair" || store.state.repair);
  const key = JSON.stringify([tab, shown.map(([name]) => name + sign(name))]);
  if (key === drawnTabs) return;
  drawnTabs = key;
  const isFocused = get("tabs").contains(document.activeElement);
  const step = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = shown.findIndex(([name]) => name === tab);
    toTab(shown[(at + by + shown.length) % shown.length][0]);
  };
  get("tabs").replaceChildren(...shown.map(([name, words]) => h("button", {
    type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(name === tab), "aria-controls": "panel", tabindex: name === tab ? "0" : "-1",
    title: `${words} (${TABS.findIndex(([other]) => other === name) + 1})`, onclick: () => toTab(name), onkeydown: step,
  }, words + sign(name))));
  if (isFocused) get(`tab-${tab}`).focus();
}

export function drawBelow() {
  const hasRepair = Boolean(store.state.repair);
  if (hasRepair !== hadRepair) {
    hadRepair = hasRepair;
    store.tab = hasRepair ? "repair" : store.tab === "repair" ? "table" : store.tab;
  }
  const { tab } = store;
  document.body.dataset.tab = tab;
  drawTabs(tab);
  const panel = get("panel"), tools = get("tools");
  const isNew = panel.dataset.kind !== tab;
  if (isNew) {
    panel.dataset.kind = tab;
    panel.setAttribute("aria-labelledby", `tab-${tab}`);
    panel.replaceChildren();
    tools.replaceChildren();
  }
  TABS.find(([name]) => name === tab)[2](panel, tools, isNew);
}
