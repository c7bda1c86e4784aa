// The small window beside a place on the page: what a click may mean.

import { h, get } from "./dom.js";
import { store, choose, act, flash } from "./store.js";

const popover = get("popover");

export function closePopover() {
  popover.hidden = true;
  popover.replaceChildren();
}

/** Asks what somebody may mean who points at a place. `view` is the page: where a place is, and whether it is still shown. */
export async function openPopover(at, view) {
  const page = store.page, asked = view.shown();
  const query = `page=${page}&n=${at.n}${at.t !== undefined ? `&t=${at.t}` : ""}`;
  const answer = await fetch(`/api/choices?${query}`);
  if (!answer.ok) {
    choose({ problem: { message: (await answer.text()).trim() } });
    return;
  }
  const { choices, name } = await answer.json();
  // Another page may be there by now.
  if (!asked || asked !== view.shown()) return;
  if (!choices.length) {
    closePopover();
    view.leave();
    choose({ notice: "There is no text at this place" });
    return;
  }
  if (store.state.repair) {
    correct(page, choices, view);
    settle(at, view);
    return;
  }
  const done = async (command, field, isNew) => {
    closePopover();
    view.leave();
    choose({ pointing: false });
    if (await act(command)) {
      const own = store.state.fields.find((known) => known.name === field || known.name.endsWith(`.${field}`));
      choose({ field: own?.name ?? field, renaming: isNew ? own?.name ?? field : null, row: null });
      if (isNew) store.ticked.add(own?.name ?? field);
      flash(own?.name ?? field);
    }
  };
  const items = choices.map((choice) => {
    const known = choice.field && choice.shown;
    const label = known ? "choose" : choice.field ? `show ${choice.field}` : "make a field";
    const text = h("input", { type: "text", class: "whole", readonly: true, value: choice.text, title: "Select a part to take only that", "aria-label": `${choice.what}: select a part of it to take only that` });
    const selected = () => {
      const part = [text.selectionStart, text.selectionEnd];
      const isPart = part[1] > part[0] && part[1] - part[0] < choice.text.length && choice.text.slice(...part).trim();
      return choice.what === "text" && isPart ? [...part].map((at) => [...choice.text.slice(0, at)].length) : null;
    };
    const pick = () => {
      const part = selected();
      if (part) done({ do: "point", page, at: choice.at, field: name, part }, name, true);
      else if (known) {
        closePopover();
        choose({ field: choice.field });
      } else if (choice.field) done({ do: "show", field: choice.field }, choice.field, true);
      else done({ do: "point", page, at: choice.at, field: name }, name, true);
    };
    const button = h("button", { type: "button", class: "small pick", onclick: pick }, label);
    for (const kind of ["select", "keyup", "mouseup"]) text.addEventListener(kind, () => { button.textContent = selected() ? "only this part" : label; });
    return h("div", { class: "choice" }, h("span", { class: "soft" }, choice.what), text, button);
  });
  const first = choices[0];
  const more = [];
  if (store.field && store.field !== first.field) {
    more.push(h("button", { type: "button", class: "small", onclick: () => done({ do: "point", page, at: first.at, field: store.field }, store.field, false) }, `This is ${store.field}`));
  }
  more.push(h("button", { type: "button", class: "small", title: "Forget all fields, and make a new table that begins with this value", onclick: () => done({ do: "begin", page, at: first.at, field: "title" }, "title", true) }, "New table from this"));
  popover.replaceChildren(
    h("h2", {}, "Make a field", h("span", { class: "grow" }), h("button", { type: "button", class: "small", "aria-label": "Close", onclick: () => { closePopover(); view.leave(); get("overlay").focus(); } }, "×")),
    ...items, h("div", { class: "more" }, more));
  settle(at, view);
}

/** While there is a repair, a click says which of its fields a value is. */
function correct(page, choices, view) {
  const fields = store.state.repair.fields.map((field) => field.name);
  const weak = store.state.repair.fields.filter((field) => field.left_out || field.sure < 50).map((field) => field.name);
  const select = h("select", { "aria-label": "The field that this is" }, fields.map((name) => h("option", { value: name, selected: name === (store.field ?? weak[0]) ? true : undefined }, name)));
  const items = choices.map((choice) => h("div", { class: "choice" },
    h("span", { class: "soft" }, choice.what),
    h("span", { class: "cut", title: choice.text }, choice.text),
    h("button", { type: "button", class: "small pick", onclick: async () => {
      const field = select.value;
      closePopover();
      view.leave();
      if (await act({ do: "point", page, at: choice.at, field })) choose({ field, row: null });
    } }, "this is it")));
  popover.replaceChildren(
    h("h2", {}, "Correct the repair: this is", select, h("span", { class: "grow" }), h("button", { type: "button", class: "small", "aria-label": "Close", onclick: () => { closePopover(); view.leave(); get("overlay").focus(); } }, "×")),
    ...items);
}

/** Puts the small window beside the place that it is about. */
function settle(at, view) {
  popover.hidden = false;
  const stage = get("overlay").getBoundingClientRect(), rect = view.rectOf(at) ?? { left: 20, bottom: 20, top: 20 };
  const x = Math.min(Math.max(8, stage.left + rect.left), innerWidth - popover.offsetWidth - 8);
  let y = stage.top + rect.bottom + 8;
  if (y + popover.offsetHeight > innerHeight - 8) y = Math.max(8, stage.top + rect.top - popover.offsetHeight - 24);
  popover.style.left = `${x}px`;
  popover.style.top = `${y}px`;
  popover.querySelector(".pick").focus();
}
