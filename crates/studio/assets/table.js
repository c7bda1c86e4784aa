// The table: all pages by all fields. Only the rows that are seen are in the document.

import { h, get, count } from "./dom.js";
import { store, choose } from "./store.js";
import { swatch } from "./fields.js";
import { showPlace } from "./page.js";
import { short } from "./pages.js";

const HEIGHT = 28, CHUNK = 200;
let key = ""; // what the chunks belong to
let chunks = new Map();
let columns = [];
let total = 0;
let followed = null;
let drawn = null; // what the rows show

const chosen = () => `${store.state.rev}|${store.without ?? ""}|${store.find}|${store.sort ? `${store.sort.down}${store.sort.field}` : ""}`;

export function drawTable(panel, tools, isNew) {
  if (isNew) {
    const find = h("input", { type: "search", id: "find", placeholder: "Find in the table (/)", "aria-label": "Find in the table", value: store.find });
    find.addEventListener("input", () => choose({ find: find.value.trim() }));
    find.addEventListener("keydown", (event) => { if (event.key === "Escape") { find.value = ""; choose({ find: "" }); find.blur(); } });
    tools.replaceChildren(h("span", { id: "told", class: "soft" }), h("span", { id: "filter" }), find,
      h("a", { id: "csv", class: "button", href: "/table.csv", download: "table.csv", title: "All rows of the open pages, as a file" }, "CSV"));
    panel.replaceChildren(h("div", { id: "rows", tabindex: "0", role: "region", "aria-label": "Rows", onscroll: draw }));
    key = "";
    drawn = null;
  }
  const { state } = store;
  get("told").textContent = state.wrapper ? `${count(state.rows, "row")} · ${count(state.empty, "empty cell")}` : "";
  get("csv").hidden = !state.rows;
  const filter = get("filter");
  if (filter.dataset.field !== (store.without ?? "")) {
    filter.dataset.field = store.without ?? "";
    filter.replaceChildren();
    if (store.without) filter.append(h("button", { type: "button", class: "small", title: "Show all rows", onclick: () => choose({ without: null }) }, `without ${store.without} ×`));
  }
  if (key !== chosen()) {
    const isOld = key.split("|").slice(1).join("|") === chosen().split("|").slice(1).join("|");
    key = chosen();
    chunks = new Map();
    if (!isOld) get("rows").scrollTop = 0;
    ask(Math.floor(get("rows").scrollTop / HEIGHT / CHUNK));
  } else draw();
}

async function ask(number) {
  if (chunks.has(number)) return;
  chunks.set(number, null);
  const own = key;
  const without = store.without ? `&without=${encodeURIComponent(store.without)}` : "";
  const find = store.find ? `&find=${encodeURIComponent(store.find)}` : "";
  const sort = store.sort ? `&sort=${encodeURIComponent(store.sort.field)}&down=${store.sort.down ? 1 : 0}` : "";
  const answer = await fetch(`/api/rows?from=${number * CHUNK}&count=${CHUNK}${without}${find}${sort}`);
  if (!answer.ok || own !== key) return;
  const found = await answer.json();
  if (own !== key) return;
  columns = found.columns;
  total = found.total;
  chunks.set(number, found.rows);
  draw();
}

const isLong = (field) => ["text", "link", "image"].includes(field?.sort);

function draw() {
  const rows = get("rows");
  if (!rows || !chunks.size) return;
  const fields = columns.map((name) => store.state.fields.find((field) => field.name === name));
  follow(rows);
  const first = Math.max(0, Math.floor(rows.scrollTop / HEIGHT) - 4);
  const last = Math.min(total, first + Math.ceil(rows.clientHeight / HEIGHT) + 10);
  const there = [...chunks].filter(([, chunk]) => chunk).map(([number]) => number);
  const look = JSON.stringify([key, first, last, total, there, store.row, store.field, store.fresh, rows.clientWidth, store.state.pages.length, store.sort]);
  // What is drawn anew under the pointer loses its click.
  if (look === drawn && rows.firstChild) return;
  drawn = look;
  const widths = [150, ...fields.map((field) => (isLong(field) ? 210 : 120))];
  const sum = widths.reduce((a, b) => a + b, 0);
  const body = [];
  const space = () => h("tr", { "aria-hidden": "true" }, h("td", { class: "space", colspan: columns.length + 1 }));
  for (let number = first; number < last; number++) {
    const chunk = chunks.get(Math.floor(number / CHUNK));
    if (!chunk) ask(Math.floor(number / CHUNK));
    const row = chunk?.[number % CHUNK];
    body.push(row ? drawRow(row) : h("tr", {}, h("td", { colspan: columns.length + 1, class: "soft" }, "…")));
  }
  const table = h("table", {},
    h("colgroup", {}, widths.map(() => h("col"))),
    h("thead", {}, h("tr", {}, h("th", {}, "page"), columns.map(heading))),
    h("tbody", {}, first ? space() : null, body, last < total ? space() : null));
  table.style.width = `${Math.max(sum, rows.clientWidth - 2)}px`;
  [...table.querySelectorAll("col")].forEach((col, at) => { col.style.width = `${(widths[at] / sum) * 100}%`; });
  const spaces = table.querySelectorAll("td.space");
  if (first) spaces[0].style.height = `${first * HEIGHT}px`;
  if (last < total) spaces[spaces.length - 1].style.height = `${(total - last) * HEIGHT}px`;
  const empty = !total ? h("p", { class: "hint" }, store.without || store.find ? "No rows like this." : store.state.wrapper ? "No records on these pages." : "The table appears here.") : null;
  if (empty) rows.replaceChildren(empty);
  else rows.replaceChildren(table);
}

/** The name of a column. A click sorts by it, a second one the other way round, a third one not at all. */
function heading(name) {
  const { sort } = store;
  const isOn = sort?.field === name;
  const next = !isOn ? { field: name, down: false } : sort.down ? null : { field: name, down: true };
  const words = !next ? "in the order of the pages" : next.down ? "the largest first" : "the smallest first";
  return h("th", { class: "cut", "aria-sort": isOn ? (sort.down ? "descending" : "ascending") : "none" },
    h("button", { type: "button", class: "sort", title: `Sort by ${name}: ${words}`, onclick: () => choose({ sort: next }) }, swatch(name), name, isOn ? (sort.down ? " ↓" : " ↑") : ""));
}

/** Brings a row into view that was chosen elsewhere. */
function follow(rows) {
  if (store.row === null || store.row === followed || store.without || store.find || store.sort) return;
  followed = store.row;
  const top = store.row * HEIGHT;
  if (top < rows.scrollTop || top > rows.scrollTop + rows.clientHeight - 2 * HEIGHT) {
    // The table must be as high as it will be before it can be scrolled.
    requestAnimationFrame(() => { rows.scrollTop = Math.max(0, top - 2 * HEIGHT); });
  }
}

function drawRow(row) {
  const page = store.state.pages[row.page];
  const pick = (field, cell) => {
    followed = row.number;
    choose({ row: row.number, field });
    showPlace(row.page, cell?.at);
  };
  return h("tr", { class: row.number === store.row ? "on" : undefined, "data-row": row.number },
    h("td", { class: "where", title: page?.name, onclick: () => choose({ page: row.page }) }, page ? page.title || short(page.name) : ""),
    row.cells.map((cell, at) => {
      const field = columns[at];
      const isOn = (row.number === store.row && field === store.field ? " on" : "") + (field === store.fresh ? " fresh" : "");
      return cell
        ? h("td", { class: `cell${isOn}`, title: cell.text, onclick: () => (cell.at ? pick(field, cell) : choose({ row: row.number, field, page: row.page })) }, cell.text)
        : h("td", { class: `gap${isOn}`, title: `no ${field} in this record`, onclick: () => choose({ row: row.number, field, page: row.page }) });
    }));
}

addEventListener("resize", draw);
