// A run over the site: where it starts and where it goes, seen on the page before it begins; its records as they arrive.

import { h, count } from "./dom.js";
import { store, choose, act, refresh } from "./store.js";
import { showPlace } from "./page.js";
import { short } from "./pages.js";

/** The most rows that are drawn. */
const DRAWN = 200;
const WORDS = { running: "under way", ended: "ended", limit: "ended at the limit of pages", stopped: "stopped", failed: "failed" };
let source = null;
let going = null; // the run as its events tell it
let rows = [];
let way = null; // where the navigation leads from the open page
let asked = "";
let drawnForm = null, drawnRun = null;
const typed = { start: null, next: null, path: null, follow: null, pages: "100", file: null, replace: false };

/** Listens to the run that is under way; once to one that is over, to have its rows. */
function listen() {
  const { run } = store.state;
  if (!run || going?.id === run.id) return;
  stop();
  rows = [];
  going = run;
  const own = new EventSource("/api/run");
  source = own;
  own.addEventListener("message", (event) => {
    const told = JSON.parse(event.data);
    if (source !== own || told.run.id !== run.id) return;
    if (told.from === 0) rows = [];
    rows.push(...told.rows);
    going = told.run;
    if (going.state !== "running") refresh();
    choose({});
  });
  // The server closes the stream at the end of the run. If it breaks before that, the browser asks again by itself and gets
  // all rows anew.
  own.addEventListener("error", () => { if (source === own && going.state !== "running") stop(); });
}

function stop() {
  source?.close();
  source = null;
}

async function askWay() {
  const key = `${store.state.rev}|${store.page}`;
  if (key === asked) return;
  asked = key;
  const answer = await fetch(`/api/way?page=${store.page}`);
  if (!answer.ok || key !== asked) return;
  way = await answer.json();
  choose({});
}

const wrapper = () => store.state.wrapper;
const field = (name, words, input) => h("label", { class: "line" }, h("span", {}, words), input);

function values() {
  const known = wrapper();
  const kind = typed.next ?? (["auto", "none"].includes(known.next) ? known.next : "path");
  return {
    start: typed.start ?? known.start ?? "",
    kind,
    path: typed.path ?? (["auto", "none"].includes(known.next) ? "" : known.next),
    follow: typed.follow ?? known.follow.join("\n"),
    pages: typed.pages,
    file: typed.file ?? `${store.state.file.replace(/(\.wrapper)?\.json$/, "").split("/").pop() || "records"}.csv`,
    replace: typed.replace,
  };
}

/** Says how the pages are reached; true if it is right. */
async function navigate() {
  const { start, kind, path, follow } = values();
  const done = await act({ do: "navigate", start, next: kind === "path" ? path : kind, follow: follow.split("\n").map((line) => line.trim()).filter(Boolean) });
  if (done) Object.assign(typed, { start: null, next: null, path: null, follow: null });
  return done;
}

async function begin() {
  const { pages, file, replace } = values();
  if (!(await navigate())) return;
  await act({ do: "run", file: file.trim(), pages: Number(pages) > 0 ? Math.floor(Number(pages)) : null, replace });
  choose({});
}

function showWay() {
  const marks = [
    ...way.next_at.map((at) => ({ at, label: "next page" })),
    ...way.follow_at.map((at) => ({ at, label: "followed" })),
  ];
  choose({ marks: store.marks ? null : { page: store.page, list: marks } });
  if (store.marks && marks.length) showPlace(store.page, marks[0].at);
}

function drawWay() {
  if (!way) return h("p", { class: "soft" }, "The open page has no address, so it cannot show the way.");
  const words = [];
  if (way.next) words.push(`next page ${short(way.next)}${way.next === way.found ? ` (${way.sure} % sure)` : ""}`);
  else words.push(way.found && wrapper().next === "none" ? `no next page, although a pager leads to ${short(way.found)}` : "no next page");
  if (wrapper().follow.length) words.push(`${count(way.follow, "link")} to follow`);
  const start = wrapper().start;
  const opened = store.state.pages.findIndex((page) => page.name === start);
  const list = start && !way.next && opened !== store.page
    ? h("button", { type: "button", class: "small", id: "open-start", title: "Open the page that the run starts at, to see the way on it", onclick: async () => {
      if (opened >= 0 || (await act({ do: "add", name: start, alone: true }))) choose({ page: opened >= 0 ? opened : store.state.pages.length - 1 });
    } }, "Open the start") : null;
  const canShow = way.next_at.length + way.follow_at.length > 0;
  return h("p", { id: "way" }, h("span", { class: "soft" }, "From the open page: "), words.join(" · "), " ",
    canShow ? h("button", { type: "button", class: "small", id: "show-way", "aria-pressed": String(Boolean(store.marks)), onclick: showWay }, store.marks ? "Hide" : "Show on the page") : null, list);
}

function drawForm(isNew) {
  const set = (name) => (event) => { typed[name] = event.target.type === "checkbox" ? event.target.checked : event.target.value; };
  const now = values();
  const key = JSON.stringify([wrapper(), store.state.file, way, Boolean(store.marks), typed.next]);
  if (key === drawnForm && !isNew) return null;
  drawnForm = key;
  const text = (name, label, more = {}) => h("input", { type: "text", id: `run-${name}`, value: now[name], spellcheck: "false", autocomplete: "off", "aria-label": label, oninput: set(name), onchange: name === "pages" || name === "file" ? undefined : navigate, ...more });
  const next = h("select", { id: "run-next", "aria-label": "The next page of the list", onchange: (event) => { typed.next = event.target.value; if (typed.next === "path") choose({}); else navigate(); } },
    [["auto", "found by itself"], ["none", "there is none"], ["path", "by an XPath"]].map(([value, words]) => h("option", { value, selected: value === now.kind ? true : undefined }, words)));
  return h("form", { class: "run-form", onsubmit: (event) => event.preventDefault(), onkeydown: (event) => { if (event.key === "Enter" && ["run-pages", "run-file"].includes(event.target.id)) begin(); } },
    field("start", "Start", text("start", "The address to start at", { placeholder: "https://…" })),
    field("next", "Next page", h("span", { class: "row" }, next, now.kind === "path" ? text("path", "An XPath to the link to the next page", { placeholder: "//a[@rel='next']" }) : null)),
    field("follow", "Follow links", h("textarea", { id: "run-follow", rows: "1", value: now.follow, spellcheck: "false", "aria-label": "Links to the pages with records, one a line: addresses with *, or XPath", placeholder: "none: records are on the list", oninput: set("follow"), onchange: navigate })),
    drawWay(),
    field("pages", "At most", h("span", { class: "row" }, text("pages", "At most this many pages", { inputmode: "numeric", size: "6" }), h("span", { class: "soft keep" }, "pages, to"), text("file", "Where the records go: a file of this project, or the address of a database", { title: "A file: .csv, .tsv, .ndjson, .json, .xml, .parquet, .arrows, .sqlite, shop.sqlite#table; or postgresql://…" }))),
    h("label", { class: "line check" }, h("span"), h("span", {}, h("input", { type: "checkbox", checked: now.replace ? true : undefined, onchange: set("replace") }), " also replace what a stopped run left")),
);
}

let drawnTools = null;

function drawTools(tools, isNew) {
  const isRunning = (going ?? store.state.run)?.state === "running";
  const key = JSON.stringify([isRunning, Boolean(store.state.repair)]);
  if (key === drawnTools && !isNew) return;
  drawnTools = key;
  tools.replaceChildren(
    h("button", { type: "button", id: "stop-run", disabled: !isRunning, onclick: () => act({ do: "stop-run" }) }, "Stop"),
    h("button", { type: "button", id: "run", class: "main", disabled: isRunning || Boolean(store.state.repair), onclick: begin }, "Run"));
}

function drawGoing(isNew) {
  const run = going ?? store.state.run;
  const key = JSON.stringify([run, rows.length]);
  if (key === drawnRun && !isNew) return null;
  drawnRun = key;
  if (!run) {
    return h("div", { class: "going" }, h("p", { class: "soft" }, "The records of a run appear here as they arrive, and go to a file of this project (.csv, .tsv, .ndjson, .json, .xml, .parquet, .arrows, .sqlite; text also with .gz or .zst) or to a database (postgresql://…)."));
  }
  const share = run.limit ? Math.min(1, run.pages / run.limit) : null;
  const bar = h("span");
  bar.style.width = `${(run.state === "running" ? share ?? 0.3 : 1) * 100}%`;
  const first = Math.max(0, rows.length - DRAWN);
  const body = rows.slice(first).map((row) => h("tr", {}, row.map((text) => (text ? h("td", { title: text }, text) : h("td", { class: "gap" })))));
  const where = run.state === "ended" || run.state === "limit" ? run.file : run.part ?? run.file;
  return h("div", { class: "going" },
    h("p", { id: "progress", role: "status" },
      h("span", { class: "meter wide", "aria-hidden": "true" }, bar),
      h("b", { class: run.state === "failed" ? "bad" : run.state === "stopped" ? "look" : "" }, WORDS[run.state] ?? run.state),
      ` · ${count(run.records, "record")} of ${count(run.pages, "page")}`,
      run.failures ? h("span", { class: "bad" }, ` · ${count(run.failures, "failure")}`) : "",
      run.seconds ? ` · ${run.seconds.toFixed(1)} s` : "",
      run.state === "running" ? "" : h("span", {}, " · ", h("code", {}, where)),
      run.can_go_on ? h("button", { type: "button", class: "small", id: "go-on", onclick: () => act({ do: "resume", folder: run.folder, pages: Number(typed.pages) > 0 ? Math.floor(Number(typed.pages)) : null }) }, "Go on") : ""),
    run.problem ? h("p", { class: "bad" }, run.problem) : null,
    run.notes.length ? h("details", {}, h("summary", {}, count(run.notes.length, "note")), h("ul", {}, run.notes.map((note) => h("li", {}, note)))) : null,
    h("div", { class: "arrived", tabindex: "0", role: "region", "aria-label": "Records of the run" },
      h("table", {}, h("thead", {}, h("tr", {}, run.columns.map((name) => h("th", { class: "cut", title: name }, name)))), h("tbody", {}, body))));
}

export function drawRun(panel, tools, isNew) {
  if (!wrapper()) {
    if (isNew || !panel.firstChild) panel.replaceChildren(h("p", { class: "hint" }, "There is no wrapper yet. Add pages first."));
    drawnForm = drawnRun = drawnTools = null;
    tools.replaceChildren();
    return;
  }
  listen();
  askWay();
  if (!panel.querySelector(".run")) {
    panel.replaceChildren(h("div", { class: "run" }, h("div", { class: "form" }), h("div", { class: "told" })));
    isNew = true;
  }
  drawTools(tools, isNew);
  const form = panel.querySelector(".form"), told = panel.querySelector(".told");
  const before = form.contains(document.activeElement) ? document.activeElement : null;
  const newForm = drawForm(isNew);
  if (newForm) {
    // Whoever is typing goes on where they were: with the same part of the text selected.
    const part = before && "selectionStart" in before ? [before.selectionStart, before.selectionEnd] : null;
    form.replaceChildren(newForm);
    const now = before?.id ? document.getElementById(before.id) : null;
    now?.focus();
    if (part && part[0] !== null) now?.setSelectionRange?.(...part);
  }
  const newRun = drawGoing(isNew);
  if (newRun) {
    told.replaceChildren(newRun);
    const list = told.querySelector(".arrived");
    if (list) list.scrollTop = list.scrollHeight;
  }
}
