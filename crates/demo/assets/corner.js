// The script corner. Each page has an empty #corner that says what belongs in it; the data is JSON beside the page.
"use strict";

const corner = document.getElementById("corner");

// An element with attributes and children; strings become text.
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

async function load(file) {
  const response = await fetch("/script/" + file);
  if (!response.ok) throw new Error(file + ": " + response.status);
  return response.json();
}

function stars(count) {
  return make("span", { class: "stars", title: count + " of 5" }, "★".repeat(count) + "☆".repeat(5 - count));
}

async function products() {
  corner.append(make("p", { class: "loading" }, "Loading…"));
  const items = (await load("products.json")).map((product) =>
    make("article", { class: "product card", "data-id": product.id },
      make("img", { src: "/shop/picture/" + product.id, alt: "", width: 240, height: 160 }),
      make("h2", {}, product.name),
      make("p", { class: "maker" }, product.maker),
      make("p", {}, make("span", { class: "price" }, product.price), " ",
        make("span", { class: product.stock ? "stock" : "stock none" }, product.stock ? product.stock + " in stock" : "sold out"))));
  corner.replaceChildren(make("div", { class: "grid" }, ...items));
}

function suggest() {
  const field = make("input", { type: "search", id: "words", "aria-label": "Product", autocomplete: "off" });
  const found = make("ul", { class: "suggestions plain", role: "listbox" });
  const chosen = make("p", { class: "chosen" });
  let asked = 0;
  field.addEventListener("input", async () => {
    const turn = ++asked;
    const names = field.value.trim().length < 2 ? [] : await load("suggest.json?q=" + encodeURIComponent(field.value));
    // An answer that comes after a later question is of no use.
    if (turn !== asked) return;
    found.replaceChildren(...names.map((name) => {
      const item = make("li", { role: "option" }, name);
      item.addEventListener("click", () => {
        field.value = name;
        found.replaceChildren();
        chosen.textContent = "You chose: " + name;
      });
      return item;
    }));
  });
  corner.append(field, found, chosen);
}

function scroll() {
  const entries = make("ol", { class: "feed plain" });
  const end = make("p", { class: "end" }, "Loading…");
  corner.append(entries, end);
  let loading = false;
  const watch = new IntersectionObserver(async (seen) => {
    if (loading || !seen.some((entry) => entry.isIntersecting)) return;
    loading = true;
    const more = await load("feed.json?after=" + entries.children.length);
    entries.append(...more.map((entry) =>
      make("li", { class: "entry card" }, make("h2", {}, entry.product),
        make("p", {}, stars(entry.stars), " ", make("span", { class: "author" }, entry.author)),
        make("p", { class: "text" }, entry.text))));
    loading = false;
    watch.unobserve(end);
    if (more.length) watch.observe(end);
    else end.textContent = "That was all.";
  }, { rootMargin: "200px" });
  watch.observe(end);
}

async function tabs() {
  const items = await load("tabs.json");
  const panel = make("div", { class: "panel card", role: "tabpanel" });
  const buttons = items.map((item) => make("button", { type: "button", role: "tab" }, item.name));
  const show = (at) => {
    buttons.forEach((button, n) => button.setAttribute("aria-selected", n === at));
    panel.replaceChildren(make("h2", {}, items[at].name), make("p", {}, items[at].text));
  };
  buttons.forEach((button, at) => button.addEventListener("click", () => show(at)));
  corner.append(make("div", { class: "tablist", role: "tablist" }, ...buttons), panel);
  show(0);
}

async function places() {
  const countries = await load("places.json");
  const country = make("select", { id: "country", "aria-label": "Country" });
  const city = make("select", { id: "city", "aria-label": "City", disabled: "" });
  const stores = make("ul", { class: "stores" });
  const fill = (select, names) => {
    select.replaceChildren(...["Choose…", ...names].map((name, n) => make("option", { value: n ? name : "" }, name)));
    select.disabled = !names.length;
  };
  fill(country, countries.map((place) => place.name));
  fill(city, []);
  const cities = () => countries.find((place) => place.name === country.value)?.cities ?? [];
  country.addEventListener("change", () => {
    fill(city, cities().map((place) => place.name));
    stores.replaceChildren();
  });
  city.addEventListener("change", () => {
    const chosen = cities().find((place) => place.name === city.value)?.stores ?? [];
    stores.replaceChildren(...chosen.map((store) => make("li", {}, store)));
  });
  corner.append(make("p", { class: "bar" }, country, " ", city), stores);
}

// A login, a list that grows and a panel. Who has logged in gets the list at once, so the form cannot be seen again.
async function desk() {
  const list = make("ul", { class: "desk plain" });
  const more = make("button", { type: "button", class: "more" }, "More");
  const panel = make("div", { class: "panel card" });
  const show = async (id) => {
    const row = await load("desk/row?id=" + id);
    panel.replaceChildren(make("p", { class: "maker" }, row.maker), make("p", { class: "price" }, row.price));
  };
  const grow = async () => {
    const rows = await load("desk/rows?after=" + list.children.length);
    for (const row of rows) {
      const button = make("button", { type: "button" }, "Details");
      button.addEventListener("click", () => show(row.id));
      list.append(make("li", {}, make("b", {}, row.name), " ", button));
    }
    if (!rows.length) more.remove();
  };
  more.addEventListener("click", grow);
  const enter = async () => {
    await grow();
    corner.replaceChildren(list, more, panel);
  };
  try {
    await enter();
  } catch {
    const form = make("form", { class: "stack card" },
      make("label", {}, "Name ", make("input", { name: "name" })),
      make("label", {}, "Password ", make("input", { name: "password", type: "password" })),
      make("button", {}, "Log in"));
    const said = make("p", { class: "error" });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const sent = await fetch("/script/desk/login", { method: "POST", body: new URLSearchParams(new FormData(form)) });
      if (sent.ok) await enter();
      else said.textContent = "Wrong name or password.";
    });
    corner.replaceChildren(form, said);
  }
}

const corners = { products, suggest, scroll, tabs, places, desk };

if (corner) {
  Promise.resolve(corners[corner.dataset.corner]()).catch((error) => {
    corner.replaceChildren(make("p", { class: "error" }, String(error)));
  });
}
