// The health of the wrapper: the last check in words, each field over time, and the runs of the project.

import { h, count } from "./dom.js";
import { store, choose, act } from "./store.js";

const SIGNS = { "fine": "●", "doubtful": "◐", "broken": "○", "nothing found": "×", "nothing found (optional)": "·", "mended": "◆" };
const STATES = { running: "under way", killed: "broke off", stopped: "stopped", failed: "failed", limit: "limit reached", ended: "ended" };
let over = null; // what the server told
let asked = "";
let drawn = null;
let drawnTools = null;
let look = null; // the look that was chosen, from the end

async function ask() {
  const key = `${store.state.rev}|${store.state.run?.state ?? ""}|${store.state.run?.folder ?? ""}`;
  if (key === asked) return;
  asked = key;
  const answer = await fetch("/api/health");
  if (!answer.ok || key !== asked) return;
  over = await answer.json();
  choose({});
}

const day = (when) => when.slice(5, 10);
const minute = (when) => when.slice(0, 16).replace("T", " ");

export function drawHealth(panel, tools, isNew) {
  ask();
  const { state } = store;
  const key = JSON.stringify([over, state.health, state.is_saved, Boolean(state.busy), Boolean(state.repair), look, state.wrapper?.start]);
  if (key === drawn && !isNew) return;
  drawn = key;
  drawTools(tools, isNew);
  panel.replaceChildren(h("div", { class: "health" }, h("div", { class: "stack" }, drawNow(), drawRuns()), ...drawTime()));
}

/** The buttons stay the same elements while the rest is drawn anew: a click that is half done is not lost. */
function drawTools(tools, isNew) {
  const { state } = store;
  const key = JSON.stringify([Boolean(state.wrapper), state.is_saved, Boolean(state.busy), Boolean(over?.count)]);
  if (key === drawnTools && !isNew) return;
  drawnTools = key;
  tools.replaceChildren(
    h("button", { type: "button", id: "look", disabled: !state.wrapper || !state.is_saved || Boolean(state.busy), title: state.is_saved ? "Fetch the pages again, check the saved wrapper, and note the result in its history" : "Save the wrapper first", onclick: () => act({ do: "look" }) }, "Look at the site now"),
    over?.count ? h("a", { class: "button", href: "/history.svg", download: "history.svg" }, "Picture") : "");
}

function drawNow() {
  const { health, wrapper } = store.state;
  const words = !wrapper ? "There is no wrapper yet." : health ? (health.is_fine ? "The wrapper gives what it gave before." : "The site has changed.") : "Not checked yet.";
  return h("section", { "aria-label": "The last check" },
    h("h3", {}, "Now"),
    h("p", { class: health ? (health.is_fine ? "fine" : "bad") : "soft" }, words),
    health?.reasons.length ? h("ul", {}, health.reasons.map((reason) => h("li", {}, reason))) : null,
    h("div", { class: "row" },
      h("button", { type: "button", id: "check-here", disabled: !wrapper || !store.state.pages.length || Boolean(store.state.busy), onclick: () => act({ do: "check" }) }, "Check the open pages"),
      health && !health.is_fine && !store.state.repair ? h("button", { type: "button", class: "main", disabled: Boolean(store.state.busy), onclick: () => act({ do: "repair" }) }, "Repair") : null));
}

/** Each field over time, and the look that was chosen in words. */
function drawTime() {
  const head = h("h3", {}, "Over time", over?.count ? h("span", { class: "soft" }, ` ${count(over.count, "look")}${over.count > over.looks.length ? `, the last ${over.looks.length}` : ""} · ${over.file}`) : "");
  const section = (...children) => h("section", { "aria-label": "Looks at the site" }, head, ...children);
  if (!over) return [section(h("p", { class: "soft" }, "…"))];
  if (over.problem) return [section(h("p", { class: "bad" }, over.problem))];
  if (!over.looks.length) {
    return [section(h("p", { class: "soft" }, "Nobody has looked at the site yet. Save the wrapper and look now, or let ", h("code", {}, "wrapwright watch"), " do it each day. Each look becomes a column here, and each field a row."))];
  }
  const at = Math.min(look ?? over.looks.length - 1, over.looks.length - 1);
  const one = over.looks[at];
  const names = over.looks.map((item, number) => h("th", { scope: "col", class: number === at ? "on" : undefined },
    h("button", { type: "button", class: "link", "aria-pressed": String(number === at), "aria-label": `Look of ${minute(item.when)}: ${item.verdict}`, title: `${minute(item.when)} UTC: ${item.verdict}, ${count(item.records, "record")}`, onclick: () => { look = number; choose({}); } }, number && day(over.looks[number - 1].when) === day(item.when) ? item.when.slice(11, 16) : day(item.when))));
  const cell = (cell, number) => {
    if (!cell) return h("td", { class: number === at ? "on" : undefined });
    const words = `${cell.state}: ${count(cell.count, "value")}${cell.reason ? `; ${cell.reason}` : ""}`;
    return h("td", { class: `s-${cell.state.split(/[ ,]/)[0]}${cell.state.includes("may") ? " s-may" : ""}${number === at ? " on" : ""}`, title: words, "aria-label": words }, SIGNS[cell.state] ?? "?");
  };
  const verdicts = h("tr", {}, h("th", { scope: "row", class: "soft" }, "result"), over.looks.map((item, number) => h("td", { class: `v-${item.verdict.split(" ")[0]}${number === at ? " on" : ""}`, title: item.verdict, "aria-label": item.verdict }, { fine: "✓", repaired: "◆", unreadable: "?" }[item.verdict] ?? "✗")));
  const rows = over.fields.map((field) => h("tr", {}, h("th", { scope: "row", class: "cut", title: field.name }, field.name), field.cells.map(cell)));
  const reasons = over.fields.filter((field) => field.cells[at]?.reason).map((field) => h("li", {}, h("b", {}, field.name), `: ${field.cells[at].reason}`, field.cells[at].state === "mended" ? h("span", { class: "mended" }, " – mended") : ""));
  return [
    section(
      h("div", { class: "strips", tabindex: "0", role: "region", "aria-label": "Fields over time" }, h("table", {}, h("thead", {}, h("tr", {}, h("td"), names)), h("tbody", {}, verdicts, rows))),
      h("p", { class: "soft legend" }, "● fine  ◐ doubtful  ○ broken  × nothing found  · nothing found (optional)  ◆ mended")),
    h("section", { "aria-label": "The chosen look" },
      h("h3", {}, `${minute(one.when)} UTC: ${one.verdict}`),
      h("p", {}, `${count(one.records, "record")} of ${count(one.pages, "page")}${one.failed ? `, ${one.failed} could not be read` : ""}${one.kept_as ? ` · the wrapper of before is ${one.kept_as.split("/").pop()}` : ""}`),
      one.sure.length ? h("p", {}, h("span", { class: "mended" }, "◆ mended: "), one.sure.map(([name, sure]) => `${name} ${sure} %`).join(", ")) : null,
      reasons.length ? h("ul", {}, reasons) : one.verdict === "fine" ? h("p", { class: "soft" }, "Every field gives what it gave before.") : null,
      one.note ? h("p", { class: "soft" }, one.note) : null)];
}

function drawRuns() {
  const runs = over?.runs ?? [];
  const items = runs.map((run) => h("li", {},
    h("span", {}, minute(run.begun), " ", h("b", { class: run.state === "ended" ? "fine" : "look" }, STATES[run.state] ?? run.state),
      run.can_go_on ? h("button", { type: "button", class: "small", "aria-label": `Go on with ${run.folder}`, onclick: async () => { if (await act({ do: "resume", folder: run.folder, pages: null })) choose({ tab: "run" }); } }, "Go on") : ""),
    h("span", { class: "soft cut", title: `${run.output} · ${run.folder}` }, `${count(run.records, "record")} of ${count(run.pages, "page")}${run.failures ? ` · ${count(run.failures, "failure")}` : ""} · ${run.output}`)));
  return h("section", { "aria-label": "Runs" }, h("h3", {}, "Runs"),
    runs.length ? h("ul", { class: "runs" }, items) : h("p", { class: "soft" }, "No runs yet. ", h("button", { type: "button", class: "link", onclick: () => choose({ tab: "run" }) }, "Start one.")));
}
