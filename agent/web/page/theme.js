// Light or dark: as the system says, until the person chooses.

import { $ } from "./dom.js";
import * as store from "./store.js";

function show(chosen) {
  const { dataset } = document.documentElement;
  if (chosen) dataset.theme = chosen;
  const now = chosen || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  $("theme").setAttribute("aria-pressed", now === "dark");
  return now;
}

/** Show the colours chosen earlier, and wire the button. */
export function start() {
  show(store.get("theme"));
  $("theme").addEventListener("click", () => {
    const turned = show(store.get("theme")) === "dark" ? "light" : "dark";
    store.set("theme", turned);
    show(turned);
  });
}
