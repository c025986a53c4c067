// Undo and redo: the person's grid before each thing that was done to it, help and Clear included.

import { changed } from "./saving.js";
import { isRevealed, paints, state, touch } from "./state.js";
import { $, tell } from "./dom.js";

const MOST = 500;
let done = [];
let undone = [];

function snapshot() {
  const { mine, pencil, helped, marks, active, direction } = state;
  return { mine: [...mine], pencil: new Set(pencil), helped: new Set(helped), marks: new Map(marks), active, direction };
}

/** Note the grid as it is, before it is changed. */
export function remember() {
  done.push(snapshot());
  if (done.length > MOST) done.shift();
  undone = [];
  touch("edits");
}

/** Forget all of it: another puzzle is open. */
export function forgetEdits() {
  done = [];
  undone = [];
  touch("edits");
}

/** Change all that is noted as `act(grid)` does: what others write in a room is not undone here. */
export function rebase(act) {
  done.forEach(act);
  undone.forEach(act);
}

const isPresent = ({ mine, pencil, helped }) =>
  mine.every((content, cell) => content === state.mine[cell] && pencil.has(cell) === state.pencil.has(cell) && helped.has(cell) === state.helped.has(cell));

function swap(from, to) {
  while (from.length && isPresent(from.at(-1))) from.pop(); // others have written over it since
  if (!from.length) {
    touch("edits");
    return false;
  }
  to.push(snapshot());
  const was = isRevealed();
  Object.assign(state, from.pop(), { view: "mine" });
  if (was !== isRevealed() && !state.together) Object.assign(state, { won: !was, begun: was }); // the person may go on
  tell(""); // it was about what is undone
  changed();
  touch();
  return true;
}

export const undo = () => swap(done, undone);
export const redo = () => swap(undone, done);

paints("edits", () => {
  $("undo").disabled = !done.length;
  $("redo").disabled = !undone.length;
});
