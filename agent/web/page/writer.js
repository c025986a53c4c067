// The field that takes what is typed into the grid. It lies over the active cell, unseen, so that phones bring up their
// keyboard and scroll to it, and accents are put together; a screen reader is told the active cell. While several letters
// are entered it is seen. One for all cells: to move the focus at each letter would cost more than to draw it.

import { h, put } from "./dom.js";
import { EMPTY, hasSwitches, shown, state } from "./state.js";

let field = null; // null if the cells are switches
let held = ""; // what was put into it: the rest of its value was typed
let isComposing = false; // an accent waits for its letter

/** Make the field of a new board, or null if its cells are not written into. */
export function makeWriter() {
  field = null;
  if (hasSwitches()) return field;
  held = "";
  isComposing = false;
  field = h("input", { type: "text", class: "writer", autocomplete: "off", autocapitalize: "characters", autocorrect: "off", spellcheck: "false", "aria-controls": "board" });
  field.addEventListener("compositionstart", () => { isComposing = true; });
  field.addEventListener("compositionend", () => { isComposing = false; });
  return field;
}

/** The field, or null. */
export const writer = () => field;

/** Have it lie over the active cell, and hold that cell's letter, which a phone's keyboard can then delete. */
export function followActive() {
  if (!field) return;
  const { puzzle, active, rebus, view } = state;
  const isOpen = rebus >= 0;
  const column = active % puzzle.width;
  put(field.style, "left", `${(100 * column) / puzzle.width}%`);
  put(field.style, "top", `${(100 * Math.floor(active / puzzle.width)) / puzzle.height}%`);
  field.classList.toggle("rebus", isOpen);
  put(field.dataset, "edge", { 0: "left", [puzzle.width - 1]: "right" }[column] || "");
  put(field, "readOnly", view === "agent");
  put(field, "ariaLabel", isOpen ? "Several letters" : "Letter");
  if (isOpen) field.removeAttribute("aria-activedescendant"); // what is typed is read then
  else if (field.getAttribute("aria-activedescendant") !== `cell-${active}`) field.setAttribute("aria-activedescendant", `cell-${active}`);
  if (!isOpen && !isComposing) hold();
}

/** Put the active cell's letter into it, whatever was typed. */
export function hold() {
  const letter = shown()[state.active];
  held = letter === EMPTY ? "" : letter;
  put(field, "value", held);
}

/** What was typed into it, as {text, isDeleted}. */
export function typedInto() {
  const { value } = field;
  const text = value.startsWith(held) ? value.slice(held.length) : value;
  return { text, isDeleted: !value && Boolean(held) };
}
