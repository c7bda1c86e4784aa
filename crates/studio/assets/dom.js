// Elements in one line, and small things that every panel needs.

/** Makes an element: attributes, `on…` listeners and properties in `props`, then its children. Texts are never read as HTML. */
export function h(name, props = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (["value", "disabled", "hidden", "checked", "selected"].includes(key)) element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const get = (id) => document.getElementById(id);

/** Replaces what is in an element; keeps how far it was scrolled. */
export function fill(element, ...children) {
  const inner = element.querySelector(".scroll");
  const top = inner ? inner.scrollTop : 0;
  element.replaceChildren(...children.flat().filter(Boolean));
  const now = element.querySelector(".scroll");
  if (now) now.scrollTop = top;
}

export const count = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
