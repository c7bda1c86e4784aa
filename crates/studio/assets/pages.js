// The list of pages, and how more are added.

import { h, get, fill } from "./dom.js";
import { store, choose, act } from "./store.js";
import { opener } from "./drop.js";

let drawn = null;
let shown = 0; // the page that was last chosen

/** A name without what all pages share. */
export function short(name) {
  try {
    const url = new URL(name);
    return url.pathname + url.search;
  } catch {
    return name.split("/").slice(-2).join("/");
  }
}

export function adding(placeholder, label) {
  const input = h("input", { type: "text", placeholder, "aria-label": label, spellcheck: "false", autocomplete: "off" });
  const add = async (event) => {
    event.preventDefault();
    const name = input.value.trim();
    if (name && (await act({ do: "add", name }))) input.value = "";
  };
  return h("form", { onsubmit: add }, input, h("button", { type: "submit" }, "Add"), opener());
}

export function drawPages() {
  const { state } = store;
  const key = JSON.stringify([state.pages, state.failed, store.page]);
  if (key === drawn) return;
  drawn = key;
  const items = state.pages.map((page, number) =>
    h("li", { "aria-current": number === store.page ? "page" : undefined },
      h("button", { type: "button", title: page.name, onclick: () => choose({ page: number }) },
        h("span", { class: "cut" }, page.title || short(page.name)),
        h("span", { class: "soft" }, String(page.rows)),
        h("span", { class: "cut soft" }, short(page.name)),
        page.note ? h("span", { class: "note" }, `⚠ ${page.note}`) : null,
      ),
      h("button", { type: "button", class: "away", title: "Take this page away", "aria-label": `Take ${page.name} away`, onclick: () => act({ do: "drop", page: number }) }, "×"),
    ));
  const failed = state.failed.slice(0, 20).map((said) => h("p", { class: "failed" }, `${said.message}${said.remedy ? ` – ${said.remedy}` : ""}`));
  const form = get("pages").querySelector("form") ?? adding("address, file or folder", "Add pages: an address, or a file or folder of this project");
  fill(get("pages"),
    h("div", { class: "head" }, h("h2", {}, "Pages"), h("span", { class: "grow" }), h("span", { class: "soft" }, "rows")),
    h("div", { class: "scroll" }, h("ul", {}, items), failed),
    form,
  );
  if (shown !== store.page) get("pages").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  shown = store.page;
}
