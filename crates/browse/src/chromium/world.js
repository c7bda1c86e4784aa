// What we run inside a page, in a world of its own: the page's scripts see nothing of it and cannot change what it uses.
// It is put into each document once and kept under a symbol, because a page may name an element after any string.
//
// The tree is told as one string of pieces, each a letter for its kind and then its text, with U+007F between them. See
// read.rs for the letters. A page may hold that character only by a script; it is replaced then.
//
// Names that a form's fields could take over (form.attributes, form.firstChild) are read through the prototypes.
(() => {
  "use strict";
  const key = Symbol.for("wrapwright");
  if (globalThis[key]) return;
  const getter = (prototype, name) => {
    const get = Object.getOwnPropertyDescriptor(prototype, name).get;
    return (object) => get.call(object);
  };
  const firstChild = getter(Node.prototype, "firstChild");
  const nextSibling = getter(Node.prototype, "nextSibling");
  const parentNode = getter(Node.prototype, "parentNode");
  const nodeType = getter(Node.prototype, "nodeType");
  const ownerDocument = getter(Node.prototype, "ownerDocument");
  const isConnected = getter(Node.prototype, "isConnected");
  const localName = getter(Element.prototype, "localName");
  const namespaceURI = getter(Element.prototype, "namespaceURI");
  const attributeNames = Element.prototype.getAttributeNames;
  const attribute = Element.prototype.getAttribute;
  const shadowRoot = getter(Element.prototype, "shadowRoot");
  const checkVisibility = Element.prototype.checkVisibility;
  const getRects = Element.prototype.getClientRects;
  const getBox = Element.prototype.getBoundingClientRect;
  const HTML = "http://www.w3.org/1999/xhtml";
  const SVG = "http://www.w3.org/2000/svg";
  const MATH = "http://www.w3.org/1998/Math/MathML";
  const clean = (text) => (text.includes("\x7f") ? text.replaceAll("\x7f", "\ufffd") : text);
  const contentOf = (frame) => {
    try {
      return frame.contentDocument;
    } catch {
      return null;
    }
  };

  const us = { version: 0, changes: 0, changed: 0, since: performance.now(), going: "", armed: false };
  globalThis[key] = us;
  let nodes = [];
  // The elements of the last copies of the tree, by version: an older state may still be acted on.
  const trees = new Map();
  const MOST_TREES = 12;
  // A number for each element, which it keeps as long as it exists, and one for the document.
  const numbers = new WeakMap();
  let lastNumber = 0;
  const ownNumber = Math.floor(Math.random() * 2 ** 32);
  const numberOf = (element) => {
    let number = numbers.get(element);
    if (number === undefined) numbers.set(element, (number = ++lastNumber));
    return number;
  };
  // The numbers of elements as runs of neighbours: most elements are numbered in their order.
  const identities = (elements) => {
    const out = [ownNumber];
    let first = 0;
    let count = 0;
    for (const element of elements) {
      const number = numberOf(element);
      if (count && number === first + count) count += 1;
      else {
        if (count) out.push(first + "," + count);
        first = number;
        count = 1;
      }
    }
    if (count) out.push(first + "," + count);
    return out.join(";");
  };
  // What was acted on last, and what was scrolled, if that was it.
  let acted = null;
  let scrolled = null;
  let root = null;
  const observer = new MutationObserver((records) => {
    us.changes += records.length;
    us.changed = performance.now();
  });
  const everything = { subtree: true, childList: true, attributes: true, characterData: true };
  const watched = new WeakSet();
  // The last form that was submitted. A submit event stays inside its shadow tree, so each tree has a listener.
  let submitted = null;
  const watch = (tree) => {
    if (watched.has(tree)) return;
    watched.add(tree);
    observer.observe(tree, everything);
    tree.addEventListener("submit", (event) => (submitted = event), { capture: true });
  };
  watch(document);

  const methodOf = getter(HTMLFormElement.prototype, "method");
  const actionOf = getter(HTMLFormElement.prototype, "action");
  // Does the page send a form by POST? The event has the form's data only if the form itself says POST, not if its button
  // does by `formmethod`; and also if the button says GET.
  const posts = (event) => {
    const form = submitted?.target;
    const button = submitted?.submitter;
    if (!button || submitted.defaultPrevented || !(form instanceof HTMLFormElement)) return !!event.formData;
    const post = attribute.call(button, "formmethod") === null ? methodOf(form) === "post" : button.formMethod === "post";
    const action = attribute.call(button, "formaction") === null ? actionOf(form) : button.formAction;
    const there = new URL(action, ownerDocument(form).baseURI);
    const bare = (url) => url.origin + url.pathname;
    // If it leads elsewhere, it is not by this form.
    return bare(there) === bare(new URL(event.destination.url)) ? post : !!event.formData;
  };

  // Where the page would go when we act on it: we go there ourselves, in another tab, so this page stays as it is.
  globalThis.navigation?.addEventListener("navigate", (event) => {
    if (!us.armed || !event.cancelable || event.hashChange || event.destination.sameDocument || posts(event)) return;
    if (event.downloadRequest !== null || !["push", "replace"].includes(event.navigationType)) return;
    if (!/^https?:/.test(event.destination.url)) return;
    event.preventDefault();
    us.going = event.destination.url;
  });

  // Can scripts run in this document? Not where a policy puts it into a sandbox. Then timers do not run for us either.
  // A parser reads the content of noscript as elements only where scripts cannot run.
  const runs = (() => {
    const probe = document.createElementNS(HTML, "noscript");
    probe.innerHTML = "<b></b>";
    return !(firstChild(probe) instanceof Element);
  })();

  const field = (element, name, out) => {
    if (name === "input") {
      const type = element.type;
      if (type === "checkbox" || type === "radio") {
        if (element.checked !== element.defaultChecked) out.push(element.checked ? "c1" : "c0");
      } else if (type !== "file" && element.value !== element.defaultValue) out.push("=" + clean(element.value));
    } else if (name === "textarea") {
      if (element.value !== element.defaultValue) out.push("=" + clean(element.value));
    } else if (name === "select") {
      const options = [...HTMLSelectElement.prototype[Symbol.iterator].call(element)];
      const is = [];
      let written = [];
      options.forEach((option, at) => {
        if (option.selected) is.push(at);
        if (option.defaultSelected) written.push(at);
      });
      if (!element.multiple) {
        if (!written.length && element.size <= 1) {
          const first = options.findIndex((option) => !option.disabled);
          if (first >= 0) written = [first];
        }
        written = written.slice(-1);
      }
      if (is.join() !== written.join()) out.push("o" + is.join());
    }
  };

  // The values of all fields as they are, to see whether anything was typed.
  us.fields = () => {
    const out = [];
    nodes.forEach((element, at) => {
      const name = localName(element);
      if ((name === "input" || name === "textarea" || name === "select") && namespaceURI(element) === HTML) {
        const had = out.length;
        field(element, name, out);
        if (out.length > had) out[had] = "#" + at + "\x7f" + out[had];
      }
    });
    return out.join("\x7f");
  };

  const offset = (element) => {
    let x = 0;
    let y = 0;
    let view = ownerDocument(element).defaultView;
    while (view && view !== window && view.frameElement) {
      const box = getBox.call(view.frameElement);
      x += box.left + view.frameElement.clientLeft;
      y += box.top + view.frameElement.clientTop;
      view = ownerDocument(view.frameElement).defaultView;
    }
    return [x, y];
  };

  const BOXES = { "box-left": 0, "box-top": 1, "box-right": 2, "box-bottom": 3, "box-width": 4, "box-height": 5 };
  const style = (element, names, boxed, out) => {
    const values = getComputedStyle(element);
    let box;
    if (boxed) {
      const own = getBox.call(element);
      const [x, y] = offset(element);
      const round = (number) => Math.round(number * 100) / 100;
      const left = round(own.left + x + scrollX);
      const top = round(own.top + y + scrollY);
      const right = round(own.right + x + scrollX);
      const bottom = round(own.bottom + y + scrollY);
      box = [left, top, right, bottom, round(own.width), round(own.height)];
    }
    for (const name of names) out.push("^" + (name in BOXES ? box[BOXES[name]] : clean(values.getPropertyValue(name))));
  };

  // Tells the tree, and keeps its elements for what comes.
  us.read = (names, mostNodes, mostText) => {
    const out = [];
    const kept = [];
    const everything = names.includes("*");
    if (everything) {
      const named = names.filter((name) => name !== "*");
      names = [...new Set([...named, ...getComputedStyle(document.documentElement), ...Object.keys(BOXES)])];
    }
    const boxed = names.some((name) => name in BOXES);
    const home = (root && isConnected(root) && contentOf(root)) || document;
    let scripted = home !== document;
    let count = 0;
    let text = 0;
    const stack = [];
    if (firstChild(home)) stack.push(firstChild(home));
    while (stack.length) {
      const node = stack.pop();
      if (node === null) {
        out.push(">");
        continue;
      }
      const next = nextSibling(node);
      if (next) stack.push(next);
      if (++count > mostNodes) return "N";
      switch (nodeType(node)) {
        case 1: {
          const name = localName(node);
          const space = namespaceURI(node);
          kept.push(node);
          out.push((space === SVG ? "s" : space === MATH ? "m" : "<") + name);
          for (const name of attributeNames.call(node)) {
            const value = attribute.call(node, name) ?? "";
            count += 1;
            text += name.length + value.length;
            if (name.startsWith("on")) scripted = true;
            out.push("@" + name + "=" + clean(value));
          }
          if (names.length) style(node, names, boxed, out);
          stack.push(null);
          if (space === HTML) {
            const isField = name === "input" || name === "textarea" || name === "select";
            if ((isField || name === "button") && !checkVisibility.call(node, { visibilityProperty: true })) out.push("h");
            if (isField) field(node, name, out);
            else if (name === "script") scripted ||= !/json|template/.test(node.type);
            else if (name === "noscript") break;
            else if (name === "template") {
              const inside = node.content && firstChild(node.content);
              if (inside) stack.push(inside);
              break;
            } else if (name === "iframe" || name === "frame") {
              scripted = true;
              const inside = contentOf(node);
              if (inside) {
                watch(inside);
                if (firstChild(inside)) stack.push(firstChild(inside));
              }
              break;
            }
          }
          const child = firstChild(node);
          if (child) stack.push(child);
          const shadow = shadowRoot(node);
          if (shadow) {
            watch(shadow);
            const inside = firstChild(shadow);
            if (inside) stack.push(inside);
          }
          break;
        }
        case 3:
        case 4:
          text += node.data.length;
          out.push("'" + clean(node.data));
          break;
        case 8:
          text += node.data.length;
          out.push("!" + clean(node.data));
          break;
        case 10:
          if (stack.length <= 1) out.push("D" + [node.name, node.publicId, node.systemId].map(clean).join("\n"));
          break;
      }
      if (text > mostText) return "B";
    }
    nodes = kept;
    us.version += 1;
    trees.set(us.version, kept);
    if (trees.size > MOST_TREES) trees.delete(trees.keys().next().value);
    observer.takeRecords();
    us.changes = 0;
    const scripts = scripted && runs;
    const head = ["n" + us.version, "u" + clean(home.location.href), "e" + home.characterSet, scripts ? "j1" : "j0"];
    head.push("i" + identities(kept));
    if (everything) head.push("y" + names.join(","));
    if (acted) head.push("a" + (isConnected(acted) ? kept.indexOf(acted) : -1));
    return head.concat(out).join("\x7f");
  };

  const place = () => ((root && isConnected(root) && contentOf(root)) || document).location.href;

  // How the page is, once it has been quiet for `silence` milliseconds; if nothing has happened since we began to act, for
  // `begin` instead, counted from here, for acting may itself have taken long. The last answer came `answered` milliseconds
  // ago, if at all (below 0): the page gets `silence` to process it, and half of that, three frames, after it has shown
  // something. Not after `most`; if `first`, already shortly after the first change, because an answer may have come with it.
  us.quiet = (silence, begin, answered, most, first) =>
    new Promise((done) => {
      const start = performance.now();
      const answer = answered < 0 ? -Infinity : start - answered;
      const tell = () => {
        us.changes += observer.takeRecords().length;
        done(JSON.stringify([us.changes, us.going, place(), runs]));
      };
      if (!runs) return tell();
      const look = () => {
        const now = performance.now();
        const began = begin > silence ? Math.max(us.since, start) : us.since;
        // The page can process an answer before we are told of it.
        const shown = answered >= 0 && us.changed > Math.max(us.since, answer - 20);
        const rest = us.changed > us.since ? us.changed + (shown ? silence / 2 : silence) : began + begin;
        const left = Math.min(shown ? rest : Math.max(rest, answer + silence), start + most) - now;
        const begun = first && us.changed > us.since && now > us.changed + 5;
        if (left <= 0 || us.going || begun) tell();
        else setTimeout(look, Math.min(left, first ? 5 : 20));
      };
      look();
    });

  // What has happened so far.
  us.news = () => {
    const pending = observer.takeRecords().length;
    if (pending) {
      us.changes += pending;
      us.changed = performance.now();
    }
    return JSON.stringify([us.changes, us.going, place()]);
  };

  us.arm = (armed, version, rank) => {
    us.armed = armed;
    if (armed) {
      acted = find(version, rank);
      scrolled = null;
    }
    submitted = null;
    us.going = "";
    us.since = performance.now();
  };

  const up = (node) => parentNode(node) || (node instanceof ShadowRoot ? node.host : null);
  const hit = (element, x, y) => {
    let at = document.elementFromPoint(x, y);
    for (let depth = 0; at && depth < 64; depth++) {
      const shadow = shadowRoot(at);
      let inner = null;
      if (shadow) inner = shadow.elementFromPoint(x, y);
      else if (at instanceof HTMLIFrameElement || at.localName === "frame") {
        const box = getBox.call(at);
        x -= box.left + at.clientLeft;
        y -= box.top + at.clientTop;
        inner = contentOf(at)?.elementFromPoint(x, y);
      }
      if (!inner || inner === at) break;
      at = inner;
    }
    for (let node = at; node; node = up(node)) if (node === element) return true;
    return false;
  };

  // An element by its rank in the tree that was told last.
  const find = (version, rank) => {
    const tree = trees.get(version);
    if (!tree) return null;
    // The one used last is forgotten last.
    trees.delete(version);
    trees.set(version, tree);
    const element = tree[rank];
    return element && isConnected(element) ? element : null;
  };
  const labelled = (element) => (element instanceof HTMLLabelElement && element.control) || element;

  // Brings an element into view and tells where it is and what it takes.
  us.aim = (version, rank, follow) => {
    let element = find(version, rank);
    if (!element) return "null";
    if (follow) element = labelled(element);
    let rects = [...getRects.call(element)].filter((rect) => rect.width > 0 && rect.height > 0);
    const name = localName(element);
    const told = { name, type: element.type ?? "", disabled: !!(element.matches?.(":disabled")), boxed: !!rects.length };
    told.readonly = !!element.readOnly;
    told.editable = !!element.isContentEditable;
    told.checked = !!element.checked;
    // Does the browser drag it? Links and pictures are draggable, too.
    for (let node = element; node && !told.draggable; node = up(node)) told.draggable = node.draggable === true;
    if (rects.length) {
      let rect = rects[0];
      let [left, top] = offset(element);
      const outside = () =>
        rect.left + left < 0 || rect.top + top < 0 || rect.right + left > innerWidth || rect.bottom + top > innerHeight;
      if (outside() || left || top) {
        element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        rects = [...getRects.call(element)].filter((rect) => rect.width > 0 && rect.height > 0);
        rect = rects[0] ?? rect;
        [left, top] = offset(element);
      }
      // The middle of what can be seen of it.
      const middle = (from, to, most) => (Math.max(from, 0) + Math.min(to, most)) / 2;
      told.x = middle(rect.left + left, rect.right + left, innerWidth);
      told.y = middle(rect.top + top, rect.bottom + top, innerHeight);
      told.hit = hit(element, told.x, told.y);
    }
    return JSON.stringify(told);
  };

  // The middle of the first element of a selector that has a box.
  us.spot = (selector) => {
    let all;
    try {
      all = [...document.querySelectorAll(selector)];
    } catch {
      return JSON.stringify({ why: "selector" });
    }
    for (const element of all) {
      const rect = [...getRects.call(element)].find((rect) => rect.width > 0 && rect.height > 0);
      if (!rect) continue;
      const [left, top] = offset(element);
      const [x, y] = [rect.left + left + rect.width / 2, rect.top + top + rect.height / 2];
      const seen = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
      return JSON.stringify(seen ? { x, y } : { why: "outside" });
    }
    return JSON.stringify({ why: "none" });
  };

  const fire = (element, ...types) => {
    for (const type of types) element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  };
  const ownSetter = (element, name) => {
    for (let at = Object.getPrototypeOf(element); at; at = Object.getPrototypeOf(at)) {
      const found = Object.getOwnPropertyDescriptor(at, name);
      if (found?.set) return found.set;
    }
    return null;
  };

  // Once the page is on the screen as it is now, and observers of what is visible know it; soon, where nothing is drawn.
  const drawn = () =>
    new Promise((done) => {
      requestAnimationFrame(() => setTimeout(done));
      setTimeout(done, 2000);
    });

  // Scrolls an element into view, or the target to its end. Observers hear of changes from one picture to the next only. So
  // what was added to a page must have been drawn before we scroll to its new end. One that is at its end already leaves it
  // first, as a reader would do.
  const scroll = async (element, target) => {
    scrolled = [element, target];
    const to = (top) => target.scrollTo({ top, behavior: "instant" });
    await drawn();
    if (target) {
      if (target.scrollTop + target.clientHeight >= target.scrollHeight - 1) {
        to(target.scrollTop - target.clientHeight);
        await drawn();
      }
      to(target.scrollHeight);
    } else element.scrollIntoView({ block: "end", inline: "nearest", behavior: "instant" });
    return "";
  };

  // Scrolls again, if that was what was done last.
  us.nudge = () => (scrolled ? scroll(...scrolled) : "");

  // What is done by a script because no hand could, or none need.
  us.act = (version, rank, what, value) => {
    const first = find(version, rank);
    if (!first) return "gone";
    const element = labelled(first);
    switch (what) {
      case "click":
        if (first.click) first.click();
        else first.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
        return "";
      case "mouse":
        first.dispatchEvent(new MouseEvent(value, { bubbles: !/enter|leave/.test(value), cancelable: true, composed: true }));
        return "";
      case "focus":
        element.focus();
        return "";
      case "take": {
        // For typing: takes the focus with all that is written, so that what is typed replaces it.
        element.focus();
        if (element.isContentEditable) {
          const range = ownerDocument(element).createRange();
          range.selectNodeContents(element);
          const selection = ownerDocument(element).defaultView.getSelection();
          selection.removeAllRanges();
          selection.addRange(range);
          return element.textContent ? "full" : "";
        }
        element.select?.();
        return element.value ? "full" : "";
      }
      case "set": {
        const set = ownSetter(element, "value");
        if (!set) return "no";
        set.call(element, value);
        fire(element, "input", "change");
        return element.value === value ? "" : "no";
      }
      case "choose": {
        const select = element.localName === "option" ? element.closest("select") : element;
        if (!(select instanceof HTMLSelectElement)) return "no select";
        if (select.matches(":disabled")) return "disabled";
        const options = [...HTMLSelectElement.prototype[Symbol.iterator].call(select)];
        let option;
        if (element.localName === "option") option = element;
        else if (typeof value === "number") option = options[value];
        else {
          const shown = (option) => option.text.trim().replace(/\s+/g, " ");
          const wanted = value.trim().replace(/\s+/g, " ");
          option = options.find((o) => shown(o) === wanted) ?? options.find((o) => o.value === value);
        }
        if (!option) return "none:" + options.slice(0, 12).map((o) => JSON.stringify(o.text.trim())).join(", ");
        if (option.disabled || option.closest("optgroup[disabled]")) return "disabled";
        const toggles = element === option && select.multiple && option.selected;
        if (!toggles && option.selected) return "";
        option.selected = !toggles;
        fire(select, "input", "change");
        return "";
      }
      case "submit": {
        const form = element instanceof HTMLFormElement ? element : element.form ?? element.closest("form");
        if (!(form instanceof HTMLFormElement)) return "no form";
        const submits = element.form === form && ["submit", "image"].includes(element.type);
        // Off the stack, so that the answer is out before the page may go.
        setTimeout(() => {
          try {
            HTMLFormElement.prototype.requestSubmit.call(form, submits ? element : null);
          } catch {
            HTMLFormElement.prototype.requestSubmit.call(form);
          }
        });
        return "";
      }
      case "scroll": {
        const all = ["html", "body"].includes(first.localName);
        const inner = !all && first.scrollHeight > first.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(first).overflowY);
        const target = all ? ownerDocument(first).scrollingElement ?? first : first;
        return scroll(first, all || inner ? target : null);
      }
      case "enter": {
        if (!["iframe", "frame"].includes(first.localName)) return "no frame";
        if (!contentOf(first)) return "closed";
        root = first;
        return "";
      }
      case "source":
        return ["iframe", "frame"].includes(first.localName) ? "=" + (first.src ?? "") : "no frame";
      case "href": {
        const href = first.href?.baseVal ?? first.href;
        return href ? "=" + new URL(href, ownerDocument(first).baseURI).href : "no href";
      }
    }
    return "no";
  };
  us.element = (version, rank) => labelled(find(version, rank));
  // Is the element still there?
  us.is = (version, rank) => (find(version, rank) ? "yes" : "");
})();
