// The clue of the active slot above the grid, and the lists of all clues next to it.

import { $, announce, h, percent } from "./dom.js";
import { EMPTY, activeSlot, measures, paints, shown, slotsAt, state } from "./state.js";

let rows = new Map(); // slot name -> {button, entry, last}
const PAUSE = 150; // ms without a letter, after which the crossing clue is scrolled into sight
let pause; // the timer of that
let followed = {}; // direction -> the slot whose clue was scrolled into sight

/** Build the lists of a puzzle; `choose(slot)` is called when one is clicked. */
export function buildLists(choose) {
  const { slots } = state.puzzle;
  const lists = $("lists");
  lists.replaceChildren();
  rows = new Map();
  followed = {};
  // a fill-in's slots have no clues: its words are listed instead
  if (!slots.some((slot) => slot.clue)) return;
  for (const direction of ["across", "down"]) {
    const list = h("ol", { class: "clue-list", "aria-labelledby": `head-${direction}` });
    for (const slot of slots.filter((one) => one.direction === direction)) {
      const entry = h("span", { class: "entry" });
      const button = h(
        "button",
        { type: "button", class: "clue", onclick: () => choose(slot) },
        h("b", {}, slot.number, h("span", { class: "away" }, ` ${direction}: `)),
        h("span", { class: "text", dir: "auto" }, slot.clue || "—"),
        entry,
      );
      rows.set(slot.name, { button, entry, last: "" });
      list.append(h("li", {}, button));
    }
    const title = direction === "across" ? "Across" : "Down";
    lists.append(h("section", { class: direction }, h("h2", { id: `head-${direction}` }, title), list));
  }
}

paints("lists", () => {
  if (!state.puzzle || !rows.size) return;
  const slot = activeSlot();
  const crossing = new Set(slotsAt(state.active).map((one) => one.name));
  const letters = shown();
  const { agent } = state;
  const isAgents = state.view === "agent";
  const answers = isAgents && !agent.other ? new Map((agent.result?.slots || []).map((one) => [one.slot, one])) : new Map();
  for (const one of state.puzzle.slots) {
    const row = rows.get(one.name);
    const isFull = one.cells.length > 0 && one.cells.every((cell) => letters[cell] !== EMPTY);
    const isActive = slot?.name === one.name;
    const answer = answers.get(one.name);
    const told = answer ? percent(answer.probability) : "";
    const entry = isAgents && isFull ? `${one.cells.map((cell) => letters[cell]).join("")}${told ? ` ${told}` : ""}` : "";
    const key = `${isFull} ${isActive} ${crossing.has(one.name)} ${entry}`;
    if (key === row.last) continue;
    row.last = key;
    row.button.className = `clue${isActive ? " now" : crossing.has(one.name) ? " crossing" : ""}${isFull ? " full" : ""}`;
    if (isActive) row.button.setAttribute("aria-current", "true");
    else row.button.removeAttribute("aria-current");
    if (row.entry.textContent !== entry) row.entry.textContent = entry;
  }
});

// Scroll the lists, not the page, so that the active clue is in sight, and once typing pauses the one that crosses it:
// it changes with each letter, and to scroll its list each time would cost more than to draw the letter.
measures("lists", () => {
  clearTimeout(pause);
  const slot = state.puzzle && activeSlot();
  if (!slot) return;
  follow(slot);
  pause = setTimeout(() => slotsAt(state.active).forEach(follow), PAUSE);
});

function follow(slot) {
  const button = rows.get(slot.name)?.button;
  if (!button || followed[slot.direction] === slot) return;
  followed[slot.direction] = slot;
  const item = button.parentElement;
  const list = item.parentElement;
  const lowest = item.offsetTop + item.offsetHeight - list.clientHeight;
  const top = Math.min(Math.max(list.scrollTop, lowest), item.offsetTop);
  if (top !== list.scrollTop) list.scrollTop = top;
}

/** In place of a clue, if there is none: the words left that fit a slot as far as it is written. */
function wordsFor(slot) {
  const { words, form, slots } = state.puzzle;
  const length = `${slot.cells.length} letters`;
  if (!words || form.traced) return length;
  const cells = shown();
  const written = (one) => one.cells.map((cell) => cells[cell]).join("").toUpperCase();
  const left = words.map((word) => word.toUpperCase());
  for (const one of slots) {
    const at = one === slot ? -1 : left.indexOf(written(one));
    if (at >= 0) left.splice(at, 1);
  }
  const fits = (word) => word.length === slot.cells.length && slot.cells.every((cell, k) => cells[cell] === EMPTY || cells[cell].toUpperCase() === word[k]);
  const fitting = [...new Set(left.filter(fits))];
  return `${length}: ${fitting.length ? fitting.join(", ") : "no word that is left fits"}`;
}

let told = null; // the slot whose clue a screen reader has heard
let drawn = ""; // the clue above the grid

paints("clue", () => {
  const slot = activeSlot();
  $("clue-bar").hidden = !slot;
  if (!slot) return;
  const name = `${slot.number}\u00a0${slot.direction === "across" ? "Across" : "Down"}`;
  const text = slot.clue || wordsFor(slot);
  if (drawn !== name + text) {
    drawn = name + text;
    $("clue").replaceChildren(h("b", {}, name), ` ${text}`);
  }
  if (told === slot) return;
  told = slot;
  announce(`${slot.number} ${slot.direction}: ${slot.clue ? `${slot.clue}, ` : ""}${slot.cells.length} letters`);
});
