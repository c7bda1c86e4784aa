// What is known on this side: the server's state, and what is chosen on the screen. Panels listen and draw anew.

const listeners = [];

export const store = {
  state: null,
  page: 0,
  field: null, // the chosen field
  row: null, // the chosen row of the whole table
  without: null, // only rows without a value for this field
  find: "", // only rows with these words
  plain: false, // the page without its styles
  pointing: false, // the next click makes a field
  pairing: null, // the records that were clicked, of the two that say which list is meant
  renaming: null, // the field whose name is being typed
  problem: null, // what went wrong last
  notice: null, // a word about the last click
  tab: "table", // what is seen below the page
  sort: null, // {field, down}: the order of the rows
  marks: null, // {page, list: [{at, label}]}: places to show on the page besides the values
  ticked: new Set(), // fields that stay when all others are hidden
  fresh: null, // the field whose values have just changed
  letters: new Map(), // field → number of its colour and letter
};

/** Lets the values of a field flash for a moment. */
export function flash(field) {
  choose({ fresh: field });
  setTimeout(() => { if (store.fresh === field) choose({ fresh: null }); }, 400);
}

export const listen = (listener) => listeners.push(listener);

/** Changes what is chosen, and tells the panels. */
export function choose(change) {
  Object.assign(store, change);
  for (const listener of listeners) listener(store);
}

/** Takes the server's state. */
function take(state) {
  if (store.state && state.rev < store.state.rev) return;
  for (const field of state.fields) {
    if (!store.letters.has(field.name)) store.letters.set(field.name, store.letters.size);
  }
  const names = state.fields.map((field) => field.name);
  const change = { state };
  if (store.page >= state.pages.length) change.page = Math.max(0, state.pages.length - 1);
  const chosen = state.fields.find((field) => field.name === store.field);
  if (store.field && !chosen?.shown) change.field = null;
  if (store.without && !names.includes(store.without)) change.without = null;
  choose(change);
}

export async function refresh() {
  try {
    const answer = await fetch("/api/state");
    if (!answer.ok) throw new Error(await answer.text());
    take(await answer.json());
    if (store.problem && store.problem.lost) choose({ problem: null });
  } catch (error) {
    choose({ problem: { message: `The studio does not answer: ${error.message}`, remedy: "Is the program still running?", lost: true } });
  }
}

/** Asks for a change; true if it was made. */
export async function act(command, where = "/api/do") {
  choose({ problem: null });
  const asked = fetch(where, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(command),
  });
  // Long work says how far it is.
  const timer = setInterval(refresh, 300);
  try {
    const answer = await asked;
    if (answer.ok) {
      take(await answer.json());
      return true;
    }
    const text = await answer.text();
    let problem = { message: text };
    if (answer.status === 422) problem = JSON.parse(text);
    choose({ problem });
  } catch (error) {
    choose({ problem: { message: `The studio does not answer: ${error.message}`, lost: true } });
  } finally {
    clearInterval(timer);
    refresh();
  }
  return false;
}

/** Renames a field and keeps its colour. */
export async function rename(field, to) {
  const around = field.includes(".") ? field.slice(0, field.lastIndexOf(".") + 1) : "";
  const number = store.letters.get(field);
  if (number !== undefined) store.letters.set(around + to, number);
  const done = await act({ do: "rename", field, to });
  if (done) {
    // Who names a field wants it.
    store.ticked.delete(field);
    store.ticked.add(around + to);
    choose({ field: around + to });
  }
  return done;
}

export const color = (field) => `c${(store.letters.get(field) ?? 0) % 8}`;

export function letter(field) {
  const number = store.letters.get(field) ?? 0;
  const first = String.fromCharCode(65 + (number % 26));
  return number < 26 ? first : first + Math.floor(number / 26);
}
