// Files dropped anywhere on the page.

import { $ } from "./dom.js";

/** Call `take(file)` with a file that is dropped. */
export function start(take) {
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
    if (file) take(file);
  });
}
