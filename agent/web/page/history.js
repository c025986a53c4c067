// Undo and redo: the person's grid before each thing that was done to it, help and Clear included.

import { changed } from "./saving.js";
import { paints, state, touch } from "./state.js";
import { $ } from "./dom.js";

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

function swap(from, to) {
  if (!from.length) return false;
  to.push(snapshot());
  Object.assign(state, from.pop(), { view: "mine" });
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
