// The person's own solving: moving about, writing, and asking for help.

import * as api from "./api.js";
import { fieldOf, focusActive } from "./board.js";
import { $, announce, button, clock, say } from "./dom.js";
import { BLOCK, EMPTY, UNKNOWN, activeSlot, hasSwitches, paint, slotsAt, state, touch } from "./state.js";
import { chosenProviders } from "./watch.js";

const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const TYPED = /^[\p{L}\p{N}]$/u;

const isGiven = (cell) => !hasSwitches() && state.puzzle.cells[cell] !== EMPTY;
const isOpen = (cell) => hasSwitches() || state.puzzle.cells[cell] !== BLOCK;

let timer = 0;
let spent = 0; // seconds
let brush = null; // what a drag over switches writes

/** Begin with an empty grid. */
export function restart() {
  const { puzzle } = state;
  state.mine = [...puzzle.cells];
  state.marks.clear();
  state.helped.clear();
  state.rebus = -1;
  state.direction = "across";
  state.active = Math.max(0, puzzle.slots[0]?.cells[0] ?? puzzle.cells.findIndex((_, cell) => isOpen(cell)));
  spent = 0;
  clearInterval(timer);
  timer = 0;
  $("timer").textContent = clock(0);
  say($("said"), "");
  const letters = "Arrows move, Space turns, Tab goes to the next slot, Esc opens a cell for several letters.";
  const lone = `Arrows move, ${puzzle.form.cells} fill, Backspace empties.`;
  const picture = "Arrows move, Space fills, X marks as blank, Backspace empties.";
  $("keys-help").textContent = hasSwitches() ? picture : puzzle.slots.length ? letters : lone;
  touch();
}

/** Listen to the keys and pointers of a new board. */
export function bind(board) {
  board.addEventListener("keydown", onKey);
  board.addEventListener("input", onInput);
  board.addEventListener("focusin", (event) => {
    const cell = cellOf(event.target);
    if (cell >= 0 && cell !== state.active) goTo(cell);
  });
  board.addEventListener("focusout", (event) => {
    if (state.rebus >= 0 && cellOf(event.target) === state.rebus) closeRebus(true);
  });
  board.addEventListener("pointerdown", onPointer);
  if (hasSwitches()) {
    board.addEventListener("pointermove", onDrag);
    board.addEventListener("contextmenu", (event) => event.preventDefault());
  }
}

document.addEventListener("pointerup", () => { brush = null; });

// letters go to the grid wherever the focus is, unless another control takes them
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !TYPED.test(key) || target.closest?.("input, textarea, .board")) return;
  if (!$("view-puzzle").hidden) focusActive();
});

function cellOf(target) {
  const holder = target?.closest?.("[data-cell]");
  return holder ? Number(holder.dataset.cell) : -1;
}

function onPointer(event) {
  const cell = cellOf(event.target);
  if (cell < 0 || cell === state.rebus) return;
  if (hasSwitches()) {
    goTo(cell);
    if (state.view !== "mine") return;
    const turned = { [UNKNOWN]: BLOCK, [BLOCK]: EMPTY, [EMPTY]: UNKNOWN }[state.mine[cell]];
    brush = event.button === 2 ? EMPTY : turned;
    write(cell, brush);
    return;
  }
  if (event.pointerType === "mouse") event.preventDefault(); // no caret: the cell is chosen as a whole
  if (cell === state.active && document.activeElement === fieldOf(cell)) turn();
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
  else if (key === "Home" || key === "End") ends(key === "End");
  else if (key === " " || key === "Enter") hasSwitches() ? flip(BLOCK) : turn();
  else if (key === "Backspace") back();
  else if (key === "Delete") write(state.active, hasSwitches() ? UNKNOWN : EMPTY);
  else if (key === "Escape" || key === "Insert") openRebus();
  else if (hasSwitches() && key.toLowerCase() === "x") flip(EMPTY);
  else if (!hasSwitches() && TYPED.test(key)) type(key);
  else return;
  event.preventDefault();
}

/** Keyboards of phones do not report the key: the content of the field is what was typed. */
function onInput(event) {
  if (state.rebus >= 0) return;
  const cell = cellOf(event.target);
  const before = state.mine[cell] === EMPTY ? "" : state.mine[cell];
  const now = event.target.value;
  event.target.value = before;
  const typed = [...now].filter((letter) => TYPED.test(letter));
  if (typed.length < [...before].length) back();
  else if (typed.length) type(typed[typed.length - 1]);
}

/** Make a cell the active one, in a direction that it has. */
export function goTo(cell, { direction = state.direction, focus = true } = {}) {
  state.active = cell;
  const through = slotsAt(cell);
  if (through.length) state.direction = (through.find((slot) => slot.direction === direction) || through[0]).direction;
  touch("board", "clue", "lists", "candidates");
  if (focus) {
    paint(); // the cell becomes focusable when it is drawn
    focusActive();
  }
}

/** Make a slot the active one, at its first empty cell. */
export function goToSlot(slot, options = {}) {
  const letters = state.view === "mine" ? state.mine : state.agent.cells || state.puzzle.cells;
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

function turn() {
  const other = slotsAt(state.active).find((slot) => slot.direction !== state.direction);
  if (other) goTo(state.active, { direction: other.direction });
}

function move(rows, columns) {
  const { width, height } = state.puzzle;
  const direction = rows ? "down" : "across";
  const slot = slotsAt(state.active).find((through) => through.direction === direction);
  if (slot && direction !== state.direction) {
    goTo(state.active, { direction }); // the first arrow key across the direction only turns
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

function ends(last) {
  const { width } = state.puzzle;
  const row = Math.floor(state.active / width) * width;
  const line = activeSlot()?.cells || Array.from({ length: width }, (_, k) => row + k).filter(isOpen);
  goTo(last ? line[line.length - 1] : line[0]);
}

function type(letter) {
  const { signs } = state.puzzle;
  if (signs && !signs.includes(letter.toUpperCase())) return undefined;
  if (state.view !== "mine") showMine();
  const wasEmpty = state.mine[state.active] === EMPTY;
  write(state.active, letter.toUpperCase());
  const slot = activeSlot();
  if (!slot) return undefined;
  const at = slot.cells.indexOf(state.active);
  const after = slot.cells.slice(at + 1);
  const isEmpty = (cell) => state.mine[cell] === EMPTY;
  // into an empty cell: on to the next empty one; over a letter: on to the next cell
  const next = wasEmpty ? (after.find(isEmpty) ?? slot.cells.find(isEmpty)) : after[0];
  if (next !== undefined) return goTo(next);
  const { slots } = state.puzzle;
  const here = slots.indexOf(slot);
  const later = [...slots.slice(here + 1), ...slots.slice(0, here)].find((other) => other.cells.some(isEmpty));
  if (later) goToSlot(later);
  return undefined;
}

function back() {
  if (state.view !== "mine") showMine();
  if (hasSwitches()) return write(state.active, UNKNOWN);
  const slot = activeSlot();
  if (state.mine[state.active] === EMPTY || isGiven(state.active)) {
    const at = slot ? slot.cells.indexOf(state.active) : 0;
    if (at > 0) goTo(slot.cells[at - 1]);
  }
  return write(state.active, EMPTY);
}

function flip(value) {
  if (state.view !== "mine") showMine();
  return write(state.active, state.mine[state.active] === value ? UNKNOWN : value);
}

/** Write into a cell of the person's grid. */
function write(cell, value) {
  if (state.view !== "mine" || isGiven(cell)) return;
  if (state.mine[cell] === value) return;
  state.mine[cell] = value;
  state.marks.delete(cell);
  state.helped.delete(cell);
  if (!timer) timer = setInterval(() => { $("timer").textContent = clock((spent += 1)); }, 1000);
  touch("board", "lists", "words");
  if (!hasSwitches() && !state.mine.includes(EMPTY)) {
    say($("said"), "Every cell is filled. Check says whether it is right.");
    announce("Every cell is filled.");
  }
}

function openRebus() {
  if (state.view !== "mine" || isGiven(state.active) || !state.puzzle.form.rebus) return;
  state.rebus = state.active;
  paintNow();
  const field = fieldOf(state.rebus);
  field.select();
  announce("Entry field for several letters. Enter keeps them, Escape discards them.");
}

function closeRebus(keep) {
  const cell = state.rebus;
  state.rebus = -1;
  const typed = [...fieldOf(cell).value].filter((letter) => TYPED.test(letter)).join("").slice(0, 30).toUpperCase();
  if (keep) write(cell, typed || EMPTY);
  fieldOf(cell).value = state.mine[cell] === EMPTY ? "" : state.mine[cell];
  paintNow();
}

function paintNow() {
  touch("board", "lists");
  paint();
}

function showMine() {
  state.view = "mine";
  touch();
}

/** Act on one of the person's buttons: hint, check, reveal, clear. `more` is added to the request. */
export async function act(name, asked, more = {}) {
  showMine();
  if (name === "clear") {
    restart();
    focusActive();
    return;
  }
  if (asked.ariaBusy) return;
  const { puzzle } = state;
  asked.ariaBusy = "true";
  say($("said"), puzzle.official ? "One moment…" : "One moment: the agent works it out for itself first…");
  try {
    const body = { cells: state.mine, providers: chosenProviders(), slot: activeSlot()?.name || "", ...more };
    const { sentence, withheld, slot } = await HELP[name](puzzle, body);
    if (state.puzzle !== puzzle) return;
    say($("said"), sentence);
    announce(sentence);
    if (withheld) {
      const insist = button("Give it anyway", () => act(name, insist, { slot, guess: true }));
      $("said").append(insist);
      insist.focus();
    }
  } catch (error) {
    say($("said"), error.message);
    announce($("said").textContent);
  } finally {
    asked.ariaBusy = null;
    touch("board", "lists", "words");
  }
}

const HELP = {
  "hint-letter": hint,
  "hint-slot": (puzzle, body) => hint(puzzle, { ...body, whole: true }),
  "reveal-slot": reveal,
  "reveal-all": (puzzle, body) => reveal(puzzle, { ...body, slot: "" }),
  async check(puzzle, body) {
    const found = await api.help(puzzle, "check", body);
    state.marks.clear();
    for (const kind of ["right", "wrong"]) found[kind].forEach((cell) => state.marks.set(cell, { kind }));
    for (const [cell, told] of Object.entries(found.other)) state.marks.set(Number(cell), { kind: "doubted", told });
    if (found.verified) clearInterval(timer);
    return found;
  },
};

async function hint(puzzle, body) {
  const found = await api.help(puzzle, "hint", body);
  const cells = Object.entries(found.cells);
  if (found.withheld) return found;
  give(cells);
  const slot = puzzle.slots.find((one) => one.name === found.slot);
  goTo(Number(cells[cells.length - 1][0]), { direction: slot?.direction });
  return found;
}

async function reveal(puzzle, body) {
  const found = await api.help(puzzle, "reveal", body);
  give(Object.entries(found.cells));
  return found;
}

function give(entries) {
  for (const [index, value] of entries) {
    const cell = Number(index);
    if (isGiven(cell)) continue;
    if (state.mine[cell] !== value) state.helped.add(cell);
    state.mine[cell] = value;
    state.marks.delete(cell);
  }
}
