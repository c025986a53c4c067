// Letter keys at the bottom, for screens without a keyboard, while a cell has the focus: they never cover that cell, as a
// device's own may.

import { $, button, h, hide, put } from "./dom.js";
import { focusActive } from "./board.js";
import { choose, settings } from "./settings.js";
import { hasSwitches, paints, state, touch } from "./state.js";
import { writer } from "./writer.js";

const ROWS = ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"];
const DIGITS = ["123456789"];
const SIGN = { Backspace: "⌫", Insert: "…", " ": "↔", native: "⌨" };
const LABEL = { Backspace: "Delete", Insert: "Several letters", " ": "Across or down", native: "Use the device’s keyboard" };

let press = () => {};
let laidOut = "";

/** Begin: `pressed(key)` is called for each key. */
export function start(pressed) {
  press = pressed;
  for (const moved of ["focusin", "focusout"]) document.addEventListener(moved, () => touch("keys"));
  // the focus stays in the grid, so that a screen reader and a real keyboard go on there
  $("keys").addEventListener("pointerdown", (event) => event.preventDefault());
  $("keys").addEventListener("click", (event) => {
    const key = event.target.closest("button")?.dataset.key;
    if (!key) return;
    if (key === "native") choose("ownKeys", false);
    else if (state.rebus >= 0) intoRebus(key);
    else press(key);
    focusActive();
  });
}

function intoRebus(key) {
  const field = writer();
  if (key === "Backspace") field.value = field.value.slice(0, -1);
  else if (key.length === 1 && key !== " ") field.value += key;
  else field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
}

function layOut() {
  const { form, signs, slots } = state.puzzle;
  const rows = form.cells === "digits" ? [signs || DIGITS[0]] : ROWS;
  const make = (key) => button(SIGN[key] || key, null, { "data-key": key, "aria-label": LABEL[key], tabindex: -1, class: SIGN[key] ? "wide-key" : null });
  const keys = rows.map((row) => [...row]);
  const last = keys[keys.length - 1];
  if (slots.length) last.unshift(form.rebus ? "Insert" : " ");
  last.push("Backspace");
  if (form.cells !== "digits") keys[1].push("native");
  const now = keys.join();
  if (now === laidOut) return;
  laidOut = now;
  $("keys").replaceChildren(...keys.map((row) => h("div", {}, row.map(make))));
}

paints("keys", () => {
  const { puzzle } = state;
  const isUsed = Boolean(settings.ownKeys && puzzle?.cells.length && !hasSwitches());
  const isShown = isUsed && !state.won && Boolean(document.activeElement.closest(".frame")); // not over the card of a win
  hide($("keys"), !isShown);
  document.documentElement.classList.toggle("keyed", isUsed);
  if (!puzzle?.cells.length) return;
  if (isShown) layOut();
  const mode = settings.ownKeys ? "none" : puzzle.form.cells === "digits" && puzzle.width < 10 ? "numeric" : "text";
  if (writer()) put(writer(), "inputMode", mode);
});
