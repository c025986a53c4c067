// Help for the person: hints in steps, check, reveal, autocheck. A person who writes on while the server still works is
// never overwritten, every help can be cancelled, and undo takes it back.

import * as api from "./api.js";
import { $, announce, button, tell } from "./dom.js";
import { remember } from "./history.js";
import { goTo } from "./moving.js";
import { changed } from "./saving.js";
import { settings } from "./settings.js";
import { EMPTY, UNKNOWN, activeSlot, filled, hasSwitches, isGiven, isOpen, slotsAt, state, touch } from "./state.js";
import { pause } from "./timer.js";
import { chosenProviders } from "./watch.js";
import { win } from "./winning.js";

const SLOW_MS = 700; // until a way to cancel is shown
const NEXT = { kind: "sure", sure: "letter", letter: "word" };
const LABEL = { sure: "How sure are its letters?", letter: "Give one letter", word: "Give the word" };

let stop = null; // cancels the help that runs

/** Cancel the help that runs. */
export const cancelHelp = () => stop?.abort();

/** Act on one of the person's buttons: hint, check, reveal, clear. `more` is added to the request. */
export async function act(name, more = {}) {
  cancelHelp();
  state.view = "mine";
  touch();
  if (state.paused) pause(false);
  if (name === "clear-slot") return clear(clearable(activeSlot()));
  if (name === "clear-all") return clear([...state.puzzle.cells.keys()]);
  const { puzzle } = state;
  const asked = [...state.mine];
  const mine = new AbortController();
  stop = mine;
  const working = puzzle.official || !puzzle.form.clues ? "One moment…" : "One moment: the agent works it out for itself first…";
  const slow = setTimeout(() => tell(working, button("Cancel", () => mine.abort())), SLOW_MS);
  $("actions").setAttribute("aria-busy", "true");
  try {
    const [what, step] = name.split("-");
    const body = { cells: asked, providers: chosenProviders(), slot: activeSlot()?.name || "", step, ...more };
    if (step === "all") body.slot = "";
    const found = await api.help(puzzle, what, body, mine.signal);
    if (state.puzzle !== puzzle) return undefined;
    const late = HEARD[what](found, asked, step);
    const buttons = found.withheld ? [button("Give it anyway", () => act(name, { slot: found.slot, guess: true }))] : [];
    if (what === "hint" && NEXT[step] && activeSlot()) buttons.push(button(LABEL[NEXT[step]], () => act(`hint-${NEXT[step]}`)));
    tell(late ? `${found.sentence} You have written there meanwhile, so your letters stay.` : found.sentence, ...buttons);
    if (found.withheld || step === "kind" || step === "sure") $("said").querySelector("button")?.focus({ preventScroll: true });
  } catch (error) {
    if (state.puzzle === puzzle) tell(error.name === "AbortError" ? "Cancelled." : error.message);
  } finally {
    clearTimeout(slow);
    if (stop === mine) {
      stop = null;
      $("actions").removeAttribute("aria-busy");
    }
    touch("board", "lists", "words");
  }
  return undefined;
}

/** The cells of a slot that no full slot crosses, of whose letters the person is surer; all if that leaves none. */
function clearable(slot) {
  const isFull = ({ cells }) => cells.every((cell) => state.mine[cell] !== EMPTY);
  const free = slot.cells.filter((cell) => !slotsAt(cell).some((other) => other !== slot && isFull(other)));
  return free.some((cell) => state.mine[cell] !== EMPTY) ? free : slot.cells;
}

function clear(cells) {
  remember();
  for (const cell of cells) {
    state.mine[cell] = state.puzzle.cells[cell];
    [state.pencil, state.helped, state.marks].forEach((noted) => noted.delete(cell));
  }
  if (state.won && !state.together) Object.assign(state, { won: false, seconds: cells.length < state.mine.length ? state.seconds : 0, begun: false });
  changed();
  touch();
  tell("Cleared. Undo brings it back.");
}

const HEARD = {
  hint(found, asked) {
    const cells = Object.entries(found.cells || {});
    if (!cells.length) return false;
    const isTouched = state.mine.some((value, cell) => value !== asked[cell]);
    const late = give(cells, asked);
    const slot = state.puzzle.slots.find((one) => one.name === found.slot);
    if (!isTouched) goTo(Number(cells[cells.length - 1][0]), { direction: slot?.direction });
    return late;
  },
  reveal(found, asked) {
    return give(Object.entries(found.cells), asked);
  },
  check(found, asked) {
    state.marks.clear();
    const mark = (cell, kind, told) => {
      if (state.mine[cell] === asked[cell]) state.marks.set(cell, { kind, told });
    };
    for (const kind of ["right", "wrong"]) found[kind].forEach((cell) => mark(cell, kind));
    for (const [cell, told] of Object.entries(found.other)) mark(Number(cell), "doubted", told);
    if (found.verified || found.agreed) end();
    return false;
  },
};

/** Write help into the cells that are still what they were when it was asked for; whether any has changed. */
function give(entries, asked) {
  let late = false;
  remember();
  for (const [index, value] of entries) {
    const cell = Number(index);
    if (isGiven(cell) || state.mine[cell] === value) continue;
    if (state.mine[cell] !== asked[cell]) {
      late = true;
      continue;
    }
    state.helped.add(cell);
    state.mine[cell] = value;
    state.pencil.delete(cell);
    state.marks.delete(cell);
    state.begun ||= !state.won;
  }
  changed();
  lookIfDone({ tells: false }); // the help has its own sentence
  return late;
}

/** The grid is right: in a room the server sees it, and tells everybody. */
function end() {
  if (!state.together) win();
}

/** What follows a letter of the person's: autocheck, and a look at a grid that is full. */
export function afterWriting(cell) {
  if (settings.autocheck && canAutocheck()) autocheck(cell);
  lookIfDone();
}

/** Whether letters can be checked at once: only by an official solution, or by rules. */
export const canAutocheck = () => state.puzzle.official || !state.puzzle.form.clues;

async function autocheck(cell) {
  const { puzzle } = state;
  const asked = [...state.mine];
  if (!isOpen(cell) || asked[cell] === (hasSwitches() ? UNKNOWN : EMPTY)) return;
  try {
    const found = await api.help(puzzle, "check", { cells: asked });
    if (state.puzzle !== puzzle || state.mine[cell] !== asked[cell] || !found.wrong.includes(cell)) return;
    state.marks.set(cell, { kind: "wrong" });
    announce(`${asked[cell]} is wrong.`);
    touch("board");
  } catch {
    // the letter stays unchecked; Check says why it cannot be checked
  }
}

/** Whether as many switches are filled as the clues of the rows say: only then can the picture be done. */
function hasAsManyAsClued() {
  const clued = state.puzzle.sides.rows.flat().reduce((sum, run) => sum + Number.parseInt(run, 10), 0);
  return clued > 0 && state.mine.filter((cell) => cell !== EMPTY && cell !== UNKNOWN).length === clued;
}

/** When every cell is filled, ask whether it is right: then the clock stops. Else it `tells` what can be done. */
async function lookIfDone({ tells = true } = {}) {
  const { puzzle } = state;
  const { all, done } = filled();
  const isFull = hasSwitches() ? hasAsManyAsClued() : all > 0 && done === all;
  if (state.won || !isFull) return;
  const asked = [...state.mine];
  try {
    const { right } = await api.help(puzzle, "done", { cells: asked });
    if (state.puzzle !== puzzle || state.won || state.mine.some((value, cell) => value !== asked[cell])) return;
    if (right) end();
    else if (done < all || !tells) return;
    else if (right === false) tell("Every cell is filled, but not every one is right. Check shows which.");
    else tell("Every cell is filled. No official solution came with it.", button("Compare with the agent’s", () => act("check-all")));
  } catch (error) {
    if (done === all && tells) tell(`Every cell is filled. ${error.message}`);
  }
}
