// The page, frozen, and the overlay with boxes. The frame runs nothing and is never listened to: all input goes to the
// overlay, which asks the frame's document what is where.

import { h, get } from "./dom.js";
import { store, choose, act, color, flash, letter } from "./store.js";
import { closePopover, openPopover } from "./popover.js";
import { adding, short } from "./pages.js";

const frame = get("frame"), overlay = get("overlay"), blank = get("blank"), popover = get("popover");
/** The most boxes that are drawn at once; more would be noise. */
const MOST_DRAWN = 800;

let loaded = ""; // what the frame shows, at least its beginning
let wanted = "";
let whole = ""; // what the frame shows to its end
let visit = 0; // counts what the frame was asked to show
let elements = new Map(); // number → element of the frame
let boxes = []; // {field, row, at, rect} in coordinates of the whole page
let boxesOf = ""; // which page and revision they belong to
let isCut = false;
let isNew = false; // was the page loaded just now?
let isMeasured = false; // does every box have its place?
let walker = null; // goes over the page as it arrives
let aim = null; // what is under the pointer: {element, text}
let aimed = []; // narrower elements that Up has left
let goal = null; // a place to show as soon as it is there
let scrolled = "";
let lookedFor = null; // the field that was last gone to

const inner = () => frame.contentDocument;
const view = () => frame.contentWindow;

export function drawPage() {
  const { state } = store;
  const page = state.pages[store.page];
  document.body.toggleAttribute("data-empty", !page);
  drawBlank(page);
  drawPageBar(page);
  if (!page) return;
  const key = `${store.page}|${page.name}|${store.plain}|${state.loading.on && page.has_address}`;
  if (key !== wanted) {
    wanted = key;
    store.notice = null;
    loaded = whole = "";
    boxes = [];
    boxesOf = "";
    aim = null;
    isNew = true;
    walker = null;
    elements = new Map();
    closePopover();
    overlay.replaceChildren();
    visit += 1;
    frame.src = `/page?page=${store.page}&plain=${store.plain ? 1 : 0}&visit=${visit}&name=${encodeURIComponent(page.name).slice(0, 200)}`;
    arrive(visit, 20);
    fetchBoxes();
  } else if (loaded === wanted) {
    fetchBoxes();
    if (state.repair && store.field !== lookedFor) toField();
  }
  lookedFor = store.field;
}

/** Goes to the first value of the chosen field: during a repair, both pages show it. */
function toField() {
  const first = boxes.find((box) => box.rect && box.field === store.field);
  if (first) scrollTo(first.at);
}

function drawBlank(page) {
  const { state } = store;
  if (page) {
    blank.hidden = true;
    return;
  }
  const key = state.busy ? "busy" : "empty";
  blank.hidden = false;
  if (blank.dataset.key === key) return;
  blank.dataset.key = key;
  if (key === "busy") {
    blank.replaceChildren(h("span", { class: "spin" }), h("h1", {}, "Reading pages and looking for fields"), h("p", {}, "Fields and table come by themselves."));
  } else {
    const form = adding("https://… or a folder", "An address, or a file or folder of this project");
    form.querySelector("button").className = "main";
    blank.replaceChildren(
      h("h1", {}, "What should become a table?"),
      h("p", {}, "Paste the address of a list, name saved pages of this project, or drop .html and .warc files here. The fields are found at once; then correct them by pointing."),
      form,
    );
  }
}

let drawnBar = null;

function drawPageBar(page) {
  const { loading } = store.state;
  const key = JSON.stringify([page, store.page, store.plain, store.pointing, store.pairing, store.notice, store.state.pages.length, isCut, loading]);
  if (key === drawnBar) return;
  drawnBar = key;
  const go = (by) => choose({ page: Math.min(Math.max(0, store.page + by), store.state.pages.length - 1) });
  get("page-bar").replaceChildren(
    h("button", { type: "button", class: "small", title: "Page before (k)", "aria-label": "Page before", disabled: store.page === 0, onclick: () => go(-1) }, "‹"),
    h("button", { type: "button", class: "small", title: "Next page (j)", "aria-label": "Next page", disabled: store.page + 1 >= store.state.pages.length, onclick: () => go(1) }, "›"),
    h("span", { class: "cut", title: page?.name ?? "" }, page ? page.title || short(page.name) : ""),
    h("span", { class: "grow" }),
    store.pairing ? h("b", { class: "look say", role: "status" }, store.pairing.length ? "Now click in another record. Esc ends." : "Click in one record of the list. Esc ends.")
      : store.pointing ? h("b", { class: "look say" }, "Click a value. Esc ends.") : store.notice ? h("span", { class: "look say", role: "status", title: store.notice }, store.notice) : page?.is_cut ? h("span", { class: "look say", title: "The page is read to its end, and the table has all its records" }, "very long: the end is not shown") : isCut ? h("span", { class: "look say", title: "Only the first 5,000 values of a page have boxes; the table has all" }, "not all values have boxes here") : loading.on && loading.failed ? h("span", { class: "soft say" }, `${loading.failed} of ${loading.loaded + loading.failed} pictures and styles could not be loaded`) : "",
    h("label", { class: "tick", title: page && !page.has_address ? "This page came from a file, so its pictures and styles cannot be found" : "Fetch the pictures and style sheets of the page from its site, by the rules for fetching. Without the tick, nothing is fetched." },
      h("input", { type: "checkbox", id: "load", checked: loading.on && page?.has_address ? true : undefined, disabled: !page?.has_address, onchange: (event) => act({ do: "load", on: event.target.checked }) }), " Images and styles"),
    h("button", { type: "button", class: "small", "aria-pressed": String(store.plain), title: "Show the page without its styles: useful if something covers it", onclick: () => choose({ plain: !store.plain }) }, store.plain ? "With styles" : "Plain"),
  );
}

/** Is the frame at the page that it was last asked to show? */
const isThere = () => inner()?.body && view().location.search.includes(`&visit=${visit}&`);

/** The page is there to its end; its pictures may still come. */
function arrived() {
  if (!wanted || !isThere() || whole === wanted) return;
  // What was moved while the page arrived is found, too.
  elements = new Map();
  for (const element of inner().querySelectorAll("[data-n]")) elements.set(Number(element.getAttribute("data-n")), element);
  loaded = whole = wanted;
  scrolled = "";
  fetchBoxes();
}

frame.addEventListener("load", () => {
  // Styles and pictures have moved things.
  if (whole && whole === wanted && isThere()) measure();
  else arrived();
});

/** Shows the boxes of what is there of a page while its rest arrives. Each look costs as much as what is there, so they get rarer. */
function arrive(own, pause) {
  setTimeout(() => {
    if (own !== visit || whole === wanted) return;
    if (isThere() && inner().readyState !== "loading") {
      arrived();
      return;
    }
    if (isThere() && boxes.length) {
      walker ??= inner().createTreeWalker(inner().documentElement, NodeFilter.SHOW_ELEMENT);
      while (walker.nextNode()) {
        const number = walker.currentNode.getAttribute("data-n");
        if (number !== null) elements.set(Number(number), walker.currentNode);
      }
      loaded = wanted;
      settleBoxes();
      pause = Math.min(pause * 2, 2000);
    }
    arrive(own, pause);
  }, pause);
}

async function fetchBoxes() {
  const key = `${wanted}|${store.state.rev}`;
  if (boxesOf === key) {
    if (whole === wanted && boxes.length && !isMeasured) settleBoxes();
    else draw();
    return;
  }
  boxesOf = key;
  const answer = await fetch(`/api/boxes?page=${store.page}`);
  if (!answer.ok || boxesOf !== key) return;
  const found = await answer.json();
  isCut = found.is_cut;
  boxes = found.boxes;
  isMeasured = false;
  drawPageBar(store.state.pages[store.page]);
  if (loaded === wanted) settleBoxes();
}

/** Finds the places of the boxes, and goes to what is to be seen. */
function settleBoxes() {
  measure();
  isMeasured = whole === wanted;
  if (goal && (isMeasured || (goal.at && elements.has(goal.at.n)))) reveal(goal);
  else if (isNew && boxes.some((box) => box.rect)) {
    toFirst();
    isNew = false;
  }
}

/** Goes down to the first value, if none can be seen: many pages begin with menus and empty pictures. */
function toFirst() {
  const { scrollY } = view();
  const seen = boxes.filter((box) => box.rect);
  const first = seen.reduce((best, box) => (best && best.rect.y <= box.rect.y ? best : box), null);
  if (first && first.rect.y - scrollY > overlay.clientHeight - 20) view().scrollTo(0, first.rect.y - overlay.clientHeight / 4);
}

/** The text of an element that has this number among those that are not blank. */
function textOf(element, number) {
  let seen = 0;
  for (const child of element.childNodes) {
    if (child.nodeType === 3 && child.data.trim() && seen++ === number) return child;
  }
  return null;
}

/** The rectangle of a place, relative to the frame's window; null if nothing is to be seen there. */
function rectOf(at) {
  const element = elements.get(at.n);
  if (!element) return null;
  const text = at.t === undefined || at.t === null ? null : textOf(element, at.t);
  // What is in an element is often narrower than the element.
  const range = inner().createRange();
  range.selectNodeContents(text ?? element);
  const content = range.getBoundingClientRect();
  if (content.width > 0 && content.height > 0) return content;
  const rect = element.getBoundingClientRect();
  return !text && rect.width > 0 && rect.height > 0 ? rect : null;
}

/** The most boxes that are measured while the page still arrives: those that are seen first. */
const MOST_EARLY = 300;

function measure() {
  const { scrollX, scrollY } = view();
  const some = whole === wanted ? boxes : boxes.slice(0, MOST_EARLY);
  for (const box of some) {
    const rect = rectOf(box.at);
    box.rect = rect && { x: rect.x + scrollX, y: rect.y + scrollY, w: rect.width, h: rect.height };
  }
  draw();
}

function place(element, x, y, w, height) {
  element.style.left = `${x}px`;
  element.style.top = `${y}px`;
  element.style.width = `${w}px`;
  element.style.height = `${height}px`;
}

function draw() {
  if (loaded !== wanted || !view()) return;
  const { scrollX, scrollY } = view();
  const width = overlay.clientWidth, height = overlay.clientHeight;
  const out = [];
  const seen = [];
  // Where boxes end, roughly: a letter above a box must not cover the value of the line before.
  const ends = new Set();
  const spot = (x, y) => `${Math.round(x / 16)}|${Math.round(y / 6)}`;
  for (const box of boxes) {
    if (!box.rect || seen.length >= MOST_DRAWN) continue;
    const x = box.rect.x - scrollX - 2, y = box.rect.y - scrollY - 2;
    if (x > width || y > height || x + box.rect.w < -4 || y + box.rect.h < -4) continue;
    seen.push([box, x, y]);
    ends.add(spot(x, y + box.rect.h + 4));
  }
  for (const [box, x, y] of seen) {
    const isTight = x > 16 && [0, 6, 12].some((by) => ends.has(spot(x, y - by)) || ends.has(spot(x, y + 4 - by)));
    const isOn = store.state.repair ? box.field === store.field : box.row !== null && box.row === store.row && (!store.field || box.field === store.field);
    const low = isTight ? " tight" : y < 10 ? " low" : "";
    const element = h("div", { class: `box ${color(box.field)}${isOn ? " on" : ""}${low}`, "data-field": box.field }, h("i", {}, letter(box.field)));
    if (store.field && box.field !== store.field) element.style.opacity = ".45";
    place(element, x, y, box.rect.w + 4, box.rect.h + 4);
    out.push(element);
  }
  for (const { at, label } of store.marks?.page === store.page ? store.marks.list.slice(0, MOST_DRAWN) : []) {
    const rect = rectOf(at);
    if (!rect || rect.y > height || rect.bottom < 0) continue;
    // Beside the place, so that its text can be read; inside of it if it is wide, such as a record.
    const element = h("div", { class: rect.right + 110 > width ? "aim mark wide" : "aim mark" }, h("b", {}, label));
    place(element, rect.x - 3, rect.y - 3, rect.width + 6, rect.height + 6);
    out.push(element);
  }
  if (aim) {
    const rect = rectOf(aim);
    if (rect) {
      const words = (aim.t !== undefined ? textOf(elements.get(aim.n), aim.t)?.data : elements.get(aim.n)?.textContent) ?? "";
      const element = h("div", { class: rect.y < 18 ? "aim low" : "aim" }, h("b", {}, words.trim().slice(0, 60) || elements.get(aim.n).localName));
      place(element, rect.x - 3, rect.y - 3, rect.width + 6, rect.height + 6);
      out.push(element);
    }
  }
  overlay.replaceChildren(...out);
}

/** The smallest box under a point. */
function boxAt(x, y) {
  const { scrollX, scrollY } = view();
  let best = null;
  for (const box of boxes) {
    if (!box.rect) continue;
    const dx = x + scrollX - box.rect.x, dy = y + scrollY - box.rect.y;
    if (dx < -2 || dy < -2 || dx > box.rect.w + 2 || dy > box.rect.h + 2) continue;
    if (!best || box.rect.w * box.rect.h < best.rect.w * best.rect.h) best = box;
  }
  return best;
}

/** What is under a point: a text of an element, or the element. */
function placeAt(x, y) {
  let element = inner().elementFromPoint(x, y);
  while (element && !element.dataset?.n) element = element.parentElement;
  if (!element) return null;
  const n = Number(element.dataset.n);
  let seen = 0, texts = 0, hit = null;
  for (const child of element.childNodes) {
    if (child.nodeType === 1) texts += 1;
    if (child.nodeType !== 3 || !child.data.trim()) continue;
    const range = inner().createRange();
    range.selectNodeContents(child);
    for (const rect of range.getClientRects()) {
      if (x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom) hit = seen;
    }
    seen += 1;
  }
  // An element that is one text is meant as a whole.
  return hit !== null && (seen > 1 || texts > 0) ? { n, t: hit } : { n };
}

/** What the small window needs to know of the page. */
const shown = {
  shown: () => (loaded === wanted ? wanted : ""),
  rectOf,
  leave() {
    aim = null;
    draw();
  },
};

const same = (a, b) => a && b && a.n === b.n && a.t === b.t;

overlay.addEventListener("pointermove", (event) => {
  if (loaded !== wanted || !popover.hidden) return;
  const { offsetX: x, offsetY: y } = event;
  const box = boxAt(x, y);
  const now = box ? null : placeAt(x, y);
  overlay.title = box ? `${box.field}: click to choose, Shift-click: this is wrong` : "";
  if (same(now, aim) || (!now && !aim)) return;
  aim = now;
  aimed = [];
  draw();
});

overlay.addEventListener("pointerleave", () => {
  if (!popover.hidden) return;
  aim = null;
  draw();
});

overlay.addEventListener("wheel", (event) => {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 30 : 1;
  view().scrollBy(event.deltaX * unit, event.deltaY * unit);
}, { passive: false });

overlay.addEventListener("click", (event) => {
  if (loaded !== wanted) return;
  const { offsetX: x, offsetY: y } = event;
  const box = boxAt(x, y);
  if (box && event.shiftKey) {
    act({ do: "point", page: store.page, at: box.at, field: box.field, wrong: true }).then((done) => { if (done) flash(box.field); });
    return;
  }
  if (store.pairing) {
    pair(placeAt(x, y));
    return;
  }
  if (box && !store.pointing && !event.altKey) {
    closePopover();
    choose({ field: box.field, row: box.row, notice: null });
    return;
  }
  aim = placeAt(x, y);
  draw();
  if (aim) openPopover(aim, shown);
});

/** Takes one of the two records that somebody points at; with the second one, their list becomes the table. */
async function pair(at) {
  if (!at) return;
  const known = store.pairing[0];
  if (!known || known.page !== store.page) {
    choose({ pairing: [{ page: store.page, at }], marks: { page: store.page, list: [{ at, label: "first record" }] } });
    return;
  }
  choose({ pairing: null, marks: null });
  await act({ do: "list", page: store.page, at: [known.at, at] });
}

overlay.addEventListener("keydown", (event) => {
  const moves = { ArrowUp: wider, ArrowDown: narrower, ArrowLeft: () => next(-1), ArrowRight: () => next(1) };
  if (moves[event.key]) {
    event.preventDefault();
    moves[event.key]();
    if (aim) scrollTo(aim);
    draw();
  } else if (event.key === "Enter" && aim) {
    event.preventDefault();
    if (store.pairing) pair(aim);
    else openPopover(aim, shown);
  }
});

function wider() {
  const element = aim && elements.get(aim.n);
  if (!element) return;
  const up = aim.t !== undefined ? element : element.parentElement?.closest("[data-n]");
  if (!up || up.localName === "html") return;
  aimed.push(aim);
  aim = { n: Number(up.dataset.n) };
}

function narrower() {
  if (aimed.length) aim = aimed.pop();
}

/** The next element with a text of its own. */
function next(by) {
  const all = [...elements.keys()];
  let at = aim ? all.indexOf(aim.n) : by > 0 ? -1 : all.length;
  for (let tried = 0; tried < all.length; tried++) {
    at += by;
    if (at < 0 || at >= all.length) return;
    const element = elements.get(all[at]);
    if (!["title", "style", "head"].includes(element.localName) && textOf(element, 0) && rectOf({ n: all[at] })) {
      aim = { n: all[at] };
      aimed = [];
      return;
    }
  }
}

function scrollTo(at) {
  const rect = rectOf(at);
  if (!rect) return false;
  const height = overlay.clientHeight, width = overlay.clientWidth;
  if (rect.top < 30 || rect.bottom > height - 30) view().scrollBy(0, rect.top - height / 3);
  if (rect.left < 0 || rect.right > width) view().scrollBy(rect.left - width / 4, 0);
  return true;
}

function reveal(place) {
  if (place.page !== store.page || loaded !== wanted) return;
  goal = null;
  const seen = place.at && scrollTo(place.at);
  draw();
  const box = overlay.querySelector(".box.on");
  if (box) box.classList.add("flash");
  choose({ notice: seen ? null : "This value cannot be seen on the page" });
}

/** Shows a place of a page, as soon as the page is there. */
export function showPlace(page, at) {
  goal = { page, at };
  if (page === store.page && loaded === wanted) reveal(goal);
  else choose({ page });
}

// The frame's own scroll bar, and changes of its size, are only seen by looking.
function look() {
  if (loaded && loaded === wanted && view()) {
    // Pictures and styles that arrive move things.
    const tall = store.state?.loading.on ? inner().documentElement?.scrollHeight : 0;
    const now = `${view().scrollX}|${view().scrollY}|${overlay.clientWidth}|${overlay.clientHeight}|${tall}`;
    if (now !== scrolled) {
      const sized = scrolled.split("|").slice(2).join() !== now.split("|").slice(2).join();
      scrolled = now;
      const bar = inner().documentElement.clientWidth;
      overlay.style.right = `${Math.max(0, frame.clientWidth - bar)}px`;
      if (sized) measure();
      else draw();
    }
  }
  requestAnimationFrame(look);
}
look();
