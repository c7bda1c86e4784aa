// Pages that are dropped on the window, or chosen as files. They become files of the project.

import { h, get } from "./dom.js";
import { store, choose, act } from "./store.js";

const LARGEST = 40 << 20; // bytes of all files together

function data(file) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(file);
  });
}

export async function addFiles(list) {
  const files = [...list];
  if (!files.length) return;
  if (files.reduce((sum, file) => sum + file.size, 0) > LARGEST) {
    choose({ problem: { message: "These files are larger than 40 MB together.", remedy: "Copy them into the project and add their folder." } });
    return;
  }
  try {
    await act({ files: await Promise.all(files.map(async (file) => ({ name: file.name, data: await data(file) }))) }, "/api/files");
  } catch (error) {
    choose({ problem: { message: `A file cannot be read: ${error.message}` } });
  }
}

/** A button that opens files. */
export function opener() {
  const input = h("input", { type: "file", multiple: true, accept: ".html,.htm,.xhtml,.warc,.gz", "aria-label": "Pages from files", class: "away-file" });
  input.addEventListener("change", () => { addFiles(input.files); input.value = ""; });
  return h("label", { class: "button files", title: "Open saved pages; or drop them on this window" }, "Files …", input);
}

let depth = 0;
const isFiles = (event) => event.dataTransfer?.types.includes("Files");
const show = (isOver) => { get("drop").hidden = !isOver; };
addEventListener("dragenter", (event) => { if (isFiles(event)) { depth += 1; show(true); } });
addEventListener("dragleave", (event) => { if (isFiles(event)) { depth -= 1; if (depth <= 0) show(false); } });
addEventListener("dragover", (event) => { if (isFiles(event)) { event.preventDefault(); event.dataTransfer.dropEffect = "copy"; } });
addEventListener("drop", (event) => {
  if (!isFiles(event)) return;
  event.preventDefault();
  depth = 0;
  show(false);
  if (store.state) addFiles(event.dataTransfer.files);
});
