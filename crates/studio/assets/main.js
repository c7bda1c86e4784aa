// Puts the panels together: the bar at the top, messages, and the order in which things are drawn.

import { h, get, count } from "./dom.js";
import { store, listen, choose, act, refresh } from "./store.js";
import { drawPages } from "./pages.js";
import { drawPage } from "./page.js";
import { drawFields } from "./fields.js";
import { drawBelow } from "./below.js";
import { drawCompare } from "./compare.js";
import "./drop.js";
import "./keys.js";

let isTyped = false; // has somebody typed another file?

function drawBar() {
  const { state } = store;
  const shown = state.fields.filter((field) => field.shown).length;
  get("summary").textContent = state.wrapper
    ? `${count(state.pages.length, "page")} · ${count(shown, "field")} · ${count(state.rows, "row")}`
    : state.pages.length ? `${count(state.pages.length, "page")} · no fields yet` : "";
  get("busy").hidden = !state.busy;
  if (state.busy) get("busy-words").textContent = state.busy.what + (state.busy.step ? `: ${state.busy.step}` : " …");
  const undo = get("undo"), redo = get("redo");
  undo.disabled = !state.undo || Boolean(state.busy);
  undo.title = state.undo ? `Undo: ${state.undo}` : "Nothing to undo";
  redo.disabled = !state.redo || Boolean(state.busy);
  redo.title = state.redo ? `Redo: ${state.redo}` : "Nothing to redo";
  const save = get("save");
  const isSaved = state.is_saved && !isTyped;
  save.disabled = !state.wrapper || isSaved;
  save.textContent = isSaved ? "Saved ✓" : "Save";
  const file = get("file");
  if (document.activeElement !== file && !isTyped) file.value = state.file;
  const check = get("check");
  check.disabled = !state.wrapper || !state.pages.length || Boolean(state.busy);
  check.textContent = state.health ? (state.health.is_fine ? "Healthy ✓" : "Changed ✗") : "Check";
  check.className = state.health ? (state.health.is_fine ? "fine" : "bad") : "";
  document.title = `${state.is_saved || !state.wrapper ? "" : "• "}${state.file || "studio"} – wrapwright studio`;
}

let said = null;

/** One line for what went wrong, what the check found, or what is worth knowing. */
function drawSays() {
  const { state, problem } = store;
  const says = get("says");
  const wrong = problem ?? state.error;
  const key = JSON.stringify([wrong, Boolean(problem), state.health?.reasons, state.health?.is_fine, Boolean(state.repair), state.notes, store.hidden === state.rev]);
  if (key === said) return;
  said = key;
  const lines = [];
  if (wrong) {
    says.className = "bad";
    lines.push(h("p", {}, h("b", {}, wrong.message), wrong.remedy ? ` – ${wrong.remedy}` : ""), h("span", { class: "grow" }));
    if (problem) lines.push(h("button", { type: "button", onclick: () => choose({ problem: null }) }, "Close"));
  } else if (state.health && !state.health.is_fine && !state.repair) {
    says.className = "warn";
    const more = h("button", { type: "button", class: "small", onclick: () => choose({ tab: "health" }) }, "Health");
    const some = state.health.reasons.slice(0, 3).join(" · ");
    lines.push(
      h("p", {}, h("b", {}, "The site has changed. "), some),
      h("span", { class: "grow" }),
      more,
      h("button", { type: "button", id: "repair", class: "main", onclick: () => act({ do: "repair" }) }, "Repair"),
    );
  } else if (state.repair && state.repair.outcome !== "healthy" && !state.notes.length) {
    says.className = "warn";
    lines.push(h("p", {}, h("b", {}, "This is the repair, not yet the wrapper. "), "Fields, boxes and table show what it gives. Accept or reject it below."));
  } else if (state.notes.length && store.hidden !== state.rev) {
    says.className = "";
    lines.push(
      h("p", { class: "cut soft", title: state.notes.join("\n") }, state.notes.join(" · ")),
      h("span", { class: "grow" }),
      h("button", { type: "button", class: "small", onclick: () => choose({ hidden: state.rev }) }, "Close"),
    );
  }
  says.hidden = lines.length === 0;
  says.replaceChildren(...lines);
}

export async function save() {
  const file = get("file").value.trim();
  if (store.state?.wrapper && (await act({ do: "save", file: file && file !== store.state.file ? file : null }))) isTyped = false;
}

get("undo").addEventListener("click", () => act({ do: "undo" }));
get("redo").addEventListener("click", () => act({ do: "redo" }));
get("save").addEventListener("click", save);
get("check").addEventListener("click", () => act({ do: "check" }));
get("cancel").addEventListener("click", () => act({ do: "cancel" }));
get("file").addEventListener("input", () => { isTyped = true; get("save").disabled = !store.state?.wrapper; });
get("file").addEventListener("keydown", (event) => { if (event.key === "Enter") save(); });

listen(() => {
  if (!store.state) {
    drawNothing();
    return;
  }
  drawBar();
  drawSays();
  drawPages();
  drawFields();
  drawBelow();
  drawCompare();
  drawPage();
});

function drawNothing() {
  said = null;
  const says = get("says");
  says.hidden = !store.problem;
  says.className = "bad";
  if (store.problem) says.replaceChildren(h("p", {}, store.problem.message));
}

async function watch() {
  await refresh();
  // Another tab may change things, too.
  setTimeout(watch, store.state?.busy ? 300 : document.hidden ? 10000 : 2500);
}

addEventListener("focus", refresh);
watch();
