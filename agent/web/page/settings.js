// The person's habits, kept in the browser; each is a switch in the settings.

import { $, h } from "./dom.js";
import { touch } from "./state.js";
import * as store from "./store.js";

const CHOICES = {
  skipFilled: [true, "Skip filled cells while typing into empty ones"],
  turnFirst: [true, "The first arrow key across a word only turns"],
  autocheck: [false, "Check each letter as it is written"],
  showTimer: [true, "Show the time"],
  ownKeys: [matchMedia("(pointer: coarse)").matches, "Show letter keys below the grid instead of the device’s keyboard"],
};

export const settings = Object.fromEntries(Object.entries(CHOICES).map(([name, [usual]]) => [name, usual]));
Object.assign(settings, store.get("settings", {}));

/** Change a setting. */
export function choose(name, value) {
  settings[name] = value;
  store.set("settings", settings);
  const box = $(`set-${name}`);
  if (box) box.checked = value;
  touch();
}

/** Fill the dialogue with a switch for each. */
export function start() {
  const rows = Object.entries(CHOICES).map(([name, [, label]]) => {
    const box = h("input", { type: "checkbox", id: `set-${name}`, checked: settings[name] });
    box.addEventListener("change", () => choose(name, box.checked));
    return h("label", { class: "switch", for: `set-${name}` }, box, label);
  });
  $("settings-rows").append(...rows);
  $("to-settings").addEventListener("click", () => $("settings").showModal());
}
