// The page of before, beside the page of now, while there is a repair. It is frozen like the other one, and only looked at.

import { h, get } from "./dom.js";
import { store, choose, color, letter } from "./store.js";

const frame = get("old"), overlay = get("old-overlay");
let wanted = "";
let loaded = "";
let boxes = [];
let elements = new Map();
let scrolled = "";
let shown = null;

export function drawCompare() {
  const { repair, pages } = store.state;
  const isOn = Boolean(repair && repair.old_pages && repair.outcome !== "healthy");
  get("before").hidden = !isOn;
  get("now-label").hidden = !repair || repair.outcome === "healthy";
  get("now-words").textContent = isOn ? "Now" : "Now. No page of before is kept: pages are kept when a wrapper is saved";
  if (!isOn) {
    wanted = loaded = "";
    return;
  }
  const key = `${store.page}|${pages[store.page]?.name}|${store.plain}`;
  if (key !== wanted) {
    wanted = key;
    loaded = "";
    boxes = [];
    overlay.replaceChildren();
    frame.src = `/old?page=${store.page}&plain=${store.plain ? 1 : 0}`;
    return;
  }
  if (shown !== store.field && loaded === wanted) reveal();
  draw();
}

frame.addEventListener("load", async () => {
  if (!wanted || !frame.contentDocument?.querySelector) return;
  const own = wanted;
  elements = new Map();
  for (const element of frame.contentDocument.querySelectorAll("[data-n]")) elements.set(Number(element.getAttribute("data-n")), element);
  const answer = await fetch(`/api/old?page=${store.page}`);
  if (!answer.ok || own !== wanted) return;
  const old = await answer.json();
  get("old-name").textContent = old.name.split("/").slice(-1)[0];
  boxes = old.boxes;
  loaded = own;
  scrolled = "";
  measure();
  reveal();
});

function textOf(element, number) {
  const texts = [...element.childNodes].filter((child) => child.nodeType === 3 && child.data.trim());
  return texts[number] ?? null;
}

function measure() {
  const { scrollX, scrollY } = frame.contentWindow;
  for (const box of boxes) {
    const element = elements.get(box.at.n);
    if (!element) continue;
    const range = frame.contentDocument.createRange();
    range.selectNodeContents((box.at.t ?? null) === null ? element : textOf(element, box.at.t) ?? element);
    let rect = range.getBoundingClientRect();
    if (!rect.width || !rect.height) rect = element.getBoundingClientRect();
    box.rect = rect.width && rect.height ? { x: rect.x + scrollX, y: rect.y + scrollY, w: rect.width, h: rect.height } : null;
  }
}

/** Scrolls to the first value of the chosen field, or to the first value. */
function reveal() {
  shown = store.field;
  const first = boxes.find((box) => box.rect && (!store.field || box.field === store.field));
  if (!first) return;
  const { scrollY } = frame.contentWindow;
  if (first.rect.y < scrollY + 10 || first.rect.y > scrollY + overlay.clientHeight - 40) frame.contentWindow.scrollTo(0, first.rect.y - overlay.clientHeight / 3);
}

function draw() {
  if (!loaded || loaded !== wanted) return;
  const { scrollX, scrollY } = frame.contentWindow;
  const out = [];
  for (const box of boxes) {
    if (!box.rect || out.length >= 800) continue;
    const x = box.rect.x - scrollX - 2, y = box.rect.y - scrollY - 2;
    if (y > overlay.clientHeight || y + box.rect.h < -4 || x > overlay.clientWidth) continue;
    const element = h("div", { class: `box ${color(box.field)}${y < 10 ? " low" : ""}${box.field === store.field ? " on" : ""}`, "data-field": box.field }, h("i", {}, letter(box.field)));
    if (store.field && box.field !== store.field) element.style.opacity = ".45";
    Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${box.rect.w + 4}px`, height: `${box.rect.h + 4}px` });
    out.push(element);
  }
  overlay.replaceChildren(...out);
}

overlay.addEventListener("wheel", (event) => {
  event.preventDefault();
  frame.contentWindow?.scrollBy(event.deltaX, event.deltaY * (event.deltaMode === 1 ? 30 : 1));
}, { passive: false });

overlay.addEventListener("click", (event) => {
  if (!loaded) return;
  const { scrollX, scrollY } = frame.contentWindow;
  const x = event.offsetX + scrollX, y = event.offsetY + scrollY;
  const hit = boxes.filter((box) => box.rect && x >= box.rect.x - 2 && y >= box.rect.y - 2 && x <= box.rect.x + box.rect.w + 2 && y <= box.rect.y + box.rect.h + 2);
  hit.sort((a, b) => a.rect.w * a.rect.h - b.rect.w * b.rect.h);
  if (hit.length) choose({ field: hit[0].field, row: null });
});

function look() {
  if (loaded && loaded === wanted && frame.contentWindow) {
    const now = `${frame.contentWindow.scrollX}|${frame.contentWindow.scrollY}|${overlay.clientWidth}|${overlay.clientHeight}`;
    if (now !== scrolled) {
      if (scrolled.split("|").slice(2).join() !== now.split("|").slice(2).join()) measure();
      scrolled = now;
      overlay.style.right = `${Math.max(0, frame.clientWidth - frame.contentDocument.documentElement.clientWidth)}px`;
      draw();
    }
  }
  requestAnimationFrame(look);
}
look();
