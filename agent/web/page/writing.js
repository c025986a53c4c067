// Writing into the grid: keys, pointers, the keyboards of phones, pencil, and several letters in a cell.

import { focusActive, focused } from "./board.js";
import { $, announce } from "./dom.js";
import { redo, remember, undo } from "./history.js";
import { advance, cellBefore, directionBefore, ends, goTo, move, nextSlot, turn } from "./moving.js";
import { changed } from "./saving.js";
import { EMPTY, UNKNOWN, activeSlot, hasSwitches, isGiven, paint, state, touch } from "./state.js";
import { pause } from "./timer.js";
import { hold, typedInto, writer } from "./writer.js";

const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const TYPED = /^[\p{L}\p{N}]$/u;
const MOST_LETTERS = 30; // of a rebus cell

let brush = null; // what a drag over switches writes
let entered = ""; // what the field for several letters began with
let pointer = ""; // what kind of pointer is down
let written = () => {}; // called with a cell after the person has written into it
export let pencil = false;

/** Begin: `onWritten(cell)` is called after each change by the person. */
export function start(onWritten) {
  written = onWritten;
  document.addEventListener("pointerup", () => { brush = null; });
  document.addEventListener("keydown", onPageKey);
  $("resume").addEventListener("click", () => { pause(false); focusActive(); });
  $("pencil").addEventListener("click", () => { togglePencil(); focusActive(); });
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
}

/** Write in pencil from now on, or no longer. */
export function togglePencil() {
  pencil = !pencil;
  $("pencil").setAttribute("aria-pressed", pencil);
  announce(pencil ? "Pencil on." : "Pencil off.");
}

/** Listen to the keys and pointers of a new board, in its frame. */
export function bind(frame) {
  frame.addEventListener("keydown", onKey);
  frame.addEventListener("pointerdown", onPointer);
  frame.addEventListener("click", onTap);
  if (hasSwitches()) {
    frame.addEventListener("focusin", (event) => {
      const cell = cellOf(event.target);
      if (cell >= 0 && cell !== state.active) goTo(cell);
    });
    frame.addEventListener("pointermove", onDrag);
    frame.addEventListener("contextmenu", (event) => event.preventDefault());
    return;
  }
  frame.addEventListener("input", onInput);
  frame.addEventListener("focusout", () => { if (state.rebus >= 0) closeRebus(true); });
  // the focus stays in the writer while cells are chosen
  frame.addEventListener("mousedown", (event) => { if (event.target !== writer()) event.preventDefault(); });
}

/** Undo and redo from anywhere; letters go to the grid wherever the focus is, unless another control takes them. */
function onPageKey(event) {
  if ($("view-puzzle").hidden) return;
  const { key, target } = event;
  const takesText = target.closest?.("textarea, input:not([type=checkbox], [type=range], .writer), dialog");
  if (takesText) return;
  if ((event.ctrlKey || event.metaKey) && !event.altKey && "zy".includes(key.toLowerCase())) {
    event.preventDefault();
    const isRedo = event.shiftKey || key.toLowerCase() === "y";
    if (state.rebus < 0 && !state.paused && (isRedo ? redo() : undo())) focusActive();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || !TYPED.test(key) || target.closest?.(".frame")) return;
  state.view = "mine";
  touch();
  paint(); // a field that is still read-only would lose the letter
  focusActive();
}

function cellOf(target) {
  const holder = target?.closest?.("[data-cell]");
  return holder ? Number(holder.dataset.cell) : -1;
}

/** The sign after one of a switch's, in a circle: not known, its colours, blank; `skips` leaves blank out. */
function turned(value, skips = false) {
  const circle = [UNKNOWN, ...state.puzzle.colours.map(({ sign }) => sign), ...(skips ? [] : [EMPTY])];
  return circle[(circle.indexOf(value) + 1) % circle.length] || circle[1];
}

const isColour = (key) => state.puzzle.colours?.some(({ sign }) => sign === key);

function onPointer(event) {
  const cell = cellOf(event.target);
  pointer = event.pointerType;
  if (cell < 0 || pointer === "touch") return; // a finger may scroll; its tap comes as a click
  if (!hasSwitches()) {
    choose(cell);
    return;
  }
  goTo(cell);
  if (state.view !== "mine") return;
  remember();
  brush = event.button === 2 ? EMPTY : turned(state.mine[cell]);
  write(cell, brush);
}

/** A click by a finger, or by a screen reader, which has no pointer; one by a mouse was acted on when it was pressed. */
function onTap(event) {
  const cell = cellOf(event.target);
  const isTap = !pointer || pointer === "touch";
  pointer = "";
  if (cell < 0 || !isTap) return;
  if (!hasSwitches()) {
    choose(cell);
    return;
  }
  goTo(cell);
  edit(cell, turned(state.mine[cell]));
}

/** Make a cell that is written into the active one; once more on the same cell turns. */
function choose(cell) {
  if (state.rebus >= 0) closeRebus(true);
  if (cell === state.active && document.activeElement === focused()) turn();
  else goTo(cell);
}

function onDrag(event) {
  if (brush === null) return;
  const cell = cellOf(document.elementFromPoint(event.clientX, event.clientY));
  if (cell >= 0 && state.mine[cell] !== brush) {
    state.active = cell;
    write(cell, brush);
  }
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { key } = event;
  if (state.rebus >= 0) {
    if (key === "Enter" || key === "Insert" || key === "Tab") closeRebus(true);
    else if (key === "Escape") closeRebus(false);
    else return;
    event.preventDefault();
    if (key === "Tab") nextSlot(event.shiftKey ? -1 : 1);
    return;
  }
  if (key === "Tab") {
    if (!nextSlot(event.shiftKey ? -1 : 1, { wrap: false })) return; // past the last slot, Tab leaves the grid
  } else if (key in MOVES) move(...MOVES[key]);
  else if (!press(key)) return;
  event.preventDefault();
}

/** Do what a key does, whether it is one of a keyboard or on the screen; false if it does nothing. */
export function press(key) {
  if (key === "Home" || key === "End") ends(key === "End");
  else if (key === " " || key === "Enter") hasSwitches() ? edit(state.active, turned(state.mine[state.active], true)) : turn();
  else if (key === "Backspace") back();
  else if (key === "Delete") edit(state.active, hasSwitches() ? UNKNOWN : EMPTY);
  else if (key === "Escape" || key === "Insert") openRebus();
  else if (key === "." && !hasSwitches()) togglePencil();
  else if (hasSwitches() && isColour(key)) edit(state.active, flipped(key));
  else if (hasSwitches() && key.toLowerCase() === "x") edit(state.active, flipped(EMPTY));
  else if (!hasSwitches() && TYPED.test(key)) type(key);
  else return false;
  return true;
}

const flipped = (value) => (state.mine[state.active] === value ? UNKNOWN : value);

/** Keyboards of phones do not report the key: the content of the field is what was typed, a swiped word for instance. */
function onInput(event) {
  if (state.rebus >= 0) return;
  const { text, isDeleted } = typedInto();
  const typed = [...text].filter((letter) => TYPED.test(letter));
  if (event.isComposing && !typed.length && !isDeleted) return; // an accent waits for its letter
  if (isDeleted) back();
  else typed.forEach(type);
  hold(); // at once: the next letter may come before the next frame
}

function type(letter) {
  const { signs } = state.puzzle;
  if (signs && !signs.includes(letter.toUpperCase())) return;
  const wasEmpty = state.mine[state.active] === EMPTY;
  edit(state.active, letter.toUpperCase());
  advance(wasEmpty);
}

/** Empty the cell; if it is empty already, the one before it, which may be the last of the slot before. */
function back() {
  if (hasSwitches()) {
    edit(state.active, UNKNOWN);
    return;
  }
  if (state.mine[state.active] === EMPTY || isGiven(state.active)) {
    const before = cellBefore();
    if (before >= 0) goTo(before, { direction: directionBefore() });
  }
  edit(state.active, EMPTY);
}

/** Change one cell as one step of undo. */
function edit(cell, value) {
  if (state.view !== "mine") {
    state.view = "mine";
    touch();
  }
  if (isGiven(cell) || (state.mine[cell] === value && state.pencil.has(cell) === pencil)) return;
  remember();
  write(cell, value);
}

function write(cell, value) {
  if (state.view !== "mine" || isGiven(cell)) return;
  if (state.paused) pause(false);
  state.mine[cell] = value;
  state.marks.delete(cell);
  state.helped.delete(cell);
  if (pencil && value !== EMPTY && !hasSwitches()) state.pencil.add(cell);
  else state.pencil.delete(cell);
  if (!state.won && !state.begun) {
    state.begun = true;
    touch("timer");
  }
  changed();
  written(cell);
}

function openRebus() {
  if (state.view !== "mine" || isGiven(state.active) || !state.puzzle.form.rebus) return;
  state.rebus = state.active;
  hold();
  paintNow();
  entered = writer().value;
  writer().focus();
  writer().select();
  announce("Entry field for several letters. Enter keeps them, Escape discards them.");
}

/** Close the field for several letters, if it is open. */
export function closeRebus(keep) {
  const cell = state.rebus;
  if (cell < 0) return;
  state.rebus = -1;
  const { value } = writer();
  const typed = [...value].filter((letter) => TYPED.test(letter)).join("").slice(0, MOST_LETTERS).toUpperCase();
  if (keep && value !== entered) edit(cell, typed || EMPTY); // somebody else may have written there meanwhile
  paintNow();
}

function paintNow() {
  touch("board", "lists");
  paint();
}

/** The words that tell which keys do what. */
export function keysInWords() {
  if (hasSwitches()) {
    const { colours } = state.puzzle;
    const letters = colours.length > 1 ? ` ${colours.map(({ sign, name }) => `${sign} ${name}`).join(", ")}.` : "";
    return `Click or drag fills, once more marks as blank, as the right button does. Arrows move, Space fills, X marks as blank, Backspace empties.${letters}`;
  }
  if (!activeSlot()) return `Arrows move, ${state.puzzle.form.cells} fill, Backspace empties.`;
  return "Arrows move, Space turns, Tab goes to the next word, full stop is the pencil, Esc opens a cell for several letters.";
}
