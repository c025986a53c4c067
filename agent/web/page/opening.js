// How a puzzle gets onto the page: pasted, dropped, chosen from the disk, or one of the shipped examples.

import * as api from "./api.js";
import { $, h, say } from "./dom.js";

const FEW = 8; // examples of a kind that are shown at once

/** Wire the form and the drop zone; `opened(puzzle, id)` or `refused(text)` is called. */
export function start(opened, refused, isVerdicts, showVerdicts) {
  const take = async (reading, where) => {
    say($("text-trouble"), "");
    say($("trouble"), "");
    try {
      opened(await reading, where);
    } catch (error) {
      refused(error.message);
    }
  };
  const takeFile = (file) => take(api.openBytes(file, file.name), "");
  $("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = $("text").value;
    if (text.trim()) take(api.openBytes(text, "pasted text"), "");
    else say($("text-trouble"), "Paste a puzzle first.");
  });
  $("file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file) await takeFile(file);
    event.target.value = "";
  });
  const hasFile = (event) => [...event.dataTransfer.types].includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    $("drop").hidden = false;
  });
  document.addEventListener("dragleave", (event) => { $("drop").hidden ||= !event.relatedTarget; });
  document.addEventListener("drop", (event) => {
    $("drop").hidden = true;
    if (!hasFile(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) (isVerdicts() ? showVerdicts : takeFile)(file);
  });
  return (id) => take(api.openExample(id), id);
}

/** List the shipped examples. */
export function listExamples(examples) {
  const kinds = new Map();
  examples.forEach((one) => kinds.set(one.kind, [...(kinds.get(one.kind) || []), one]));
  // generated puzzles have no title
  const link = (one, at) => h("li", {}, h("a", { class: "example-link", href: `#example=${encodeURIComponent(one.id)}` }, h("span", {}, one.title === one.id ? `No. ${at + 1}` : one.title), h("span", { class: "soft" }, (one.size || "").replace("x", "×"))));
  const parts = [...kinds].map(([kind, all]) => {
    const links = all.map(link);
    const rest = links.slice(FEW);
    return h(
      "section",
      { class: `kind ${kind}` },
      h("h3", {}, all[0].heading),
      h("ul", {}, links.slice(0, FEW)),
      rest.length ? h("details", {}, h("summary", {}, `${rest.length} more`), h("ul", {}, rest)) : [],
    );
  });
  $("examples").replaceChildren(...parts);
}
