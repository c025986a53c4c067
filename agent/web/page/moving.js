// Moving about in the grid: the active cell, its slot, and the direction of writing.

import { focusActive } from "./board.js";
import { EMPTY, activeSlot, hasSwitches, isOpen, shown, slotsAt, state, touch } from "./state.js";
import { settings } from "./settings.js";

/** Make a cell the active one, in a direction that it has. */
export function goTo(cell, { direction = state.direction, focus = true } = {}) {
  state.active = cell;
  const through = slotsAt(cell);
  if (through.length) state.direction = (through.find((slot) => slot.direction === direction) || through[0]).direction;
  // first the focus: a page that has been changed would be laid out for it, and once more for the frame
  if (focus) focusActive();
  touch("board", "clue", "lists", "candidates");
}

/** Make the first cell active that is still empty, else the first of all. */
export function beginAtEmpty() {
  const { puzzle, mine } = state;
  const isFree = (cell) => mine[cell] === EMPTY;
  const slot = puzzle.slots.find(({ cells }) => cells.some(isFree)) || puzzle.slots[0];
  state.direction = slot?.direction || "across";
  state.active = slot?.cells.find(isFree) ?? slot?.cells[0] ?? Math.max(0, puzzle.cells.findIndex((_, cell) => isFree(cell)));
}

/** Make a slot the active one, at its first empty cell. */
export function goToSlot(slot, options = {}) {
  const letters = shown();
  const cell = slot.cells.find((index) => letters[index] === EMPTY) ?? slot.cells[0];
  if (cell !== undefined) goTo(cell, { ...options, direction: slot.direction });
}

/** Go on to the next slot (or the one before); false if there is none and it may not begin again. */
export function nextSlot(by, { wrap = true } = {}) {
  const { slots } = state.puzzle;
  const at = slots.indexOf(activeSlot());
  const to = at + by;
  if (at < 0 || (!wrap && (to < 0 || to >= slots.length))) return false;
  goToSlot(slots[(to + slots.length) % slots.length]);
  return true;
}

/** Change between across and down. */
export function turn() {
  const other = slotsAt(state.active).find((slot) => slot.direction !== state.direction);
  if (other) goTo(state.active, { direction: other.direction });
}

/** Follow an arrow key. Unless the person prefers otherwise, the first one across the direction only turns. */
export function move(rows, columns) {
  const { width, height } = state.puzzle;
  const direction = rows ? "down" : "across";
  const slot = slotsAt(state.active).find((through) => through.direction === direction);
  if (slot && direction !== state.direction && settings.turnFirst) {
    goTo(state.active, { direction });
    return;
  }
  let row = Math.floor(state.active / width);
  let column = state.active % width;
  do {
    row += rows;
    column += columns;
    if (row < 0 || column < 0 || row >= height || column >= width) return;
  } while (!isOpen(row * width + column));
  goTo(row * width + column, { direction });
}

/** Go to the first or last cell of the slot, or of the row. */
export function ends(last) {
  const { width } = state.puzzle;
  const row = Math.floor(state.active / width) * width;
  const line = activeSlot()?.cells || Array.from({ length: width }, (_, k) => row + k).filter(isOpen);
  goTo(last ? line[line.length - 1] : line[0]);
}

/** Go on after a letter: to the next cell to fill; after the last one of the slot to the next slot with an empty cell. */
export function advance(wasEmpty) {
  const slot = activeSlot();
  if (!slot) return;
  const after = slot.cells.slice(slot.cells.indexOf(state.active) + 1);
  const isEmpty = (cell) => state.mine[cell] === EMPTY;
  // into an empty cell: on to the next empty one; over a letter: on to the next cell
  const skips = settings.skipFilled && wasEmpty;
  const next = skips ? (after.find(isEmpty) ?? slot.cells.find(isEmpty)) : after[0];
  if (next !== undefined) {
    goTo(next);
    return;
  }
  const { slots } = state.puzzle;
  const here = slots.indexOf(slot);
  const later = [...slots.slice(here + 1), ...slots.slice(0, here)].find((other) => other.cells.some(isEmpty));
  if (later) goToSlot(later);
}

/** The cell before the active one: in its slot, or at the end of the slot before; -1 if there is none. */
export function cellBefore() {
  if (hasSwitches()) return -1;
  const slot = activeSlot();
  if (!slot) return -1;
  const at = slot.cells.indexOf(state.active);
  if (at > 0) return slot.cells[at - 1];
  const { slots } = state.puzzle;
  const before = slots[slots.indexOf(slot) - 1];
  return before ? before.cells[before.cells.length - 1] : -1;
}

/** The direction of the slot that `cellBefore` is in. */
export function directionBefore() {
  const slot = activeSlot();
  const { slots } = state.puzzle;
  return slot.cells.indexOf(state.active) > 0 ? slot.direction : slots[slots.indexOf(slot) - 1].direction;
}
