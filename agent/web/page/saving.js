// Autosave: every puzzle that was opened, with its source and what the person wrote, in the browser's own storage. The
// server keeps puzzles in memory only, so this is where they live.

import { EMPTY, filled, isGiven, paints, state, touch } from "./state.js";
import * as store from "./store.js";

const MOST = 60; // puzzles that are kept
const DELAY_MS = 300; // after the last change
const SOON_S = 5; // seconds of the clock that a crash may lose

let waiting = 0;
let troubled = () => {};

/** Return the puzzles that are kept, as {key, title, kind, size, done, all, seconds, won, when}, the latest first. */
export const recent = () => store.get("recent", []);

/** Return the puzzle kept under a key as the server described it, with its source, or null. */
export const kept = (key) => store.get(`puzzle:${key}`)?.puzzle || null;

/** Forget a puzzle. */
export function forget(key) {
  store.drop(`puzzle:${key}`);
  store.set("recent", recent().filter((one) => one.key !== key));
}

/** Take up what the person wrote into this puzzle earlier; else begin with `puzzle.progress`, letters from its file. */
export function resume() {
  const { puzzle } = state;
  const found = store.get(`puzzle:${puzzle.key}`);
  const fits = found?.mine.length === puzzle.cells.length && puzzle.cells.length > 0;
  const { mine, pencil = [], helped = [], seconds = 0, won = false } = fits ? found : { mine: puzzle.progress || puzzle.cells };
  state.mine = puzzle.cells.map((cell, index) => (isGiven(index) ? cell : mine[index] || EMPTY));
  state.pencil = new Set(pencil);
  state.helped = new Set(helped);
  Object.assign(state, { seconds, won, begun: seconds > 0 && !won, paused: false });
}

/** Keep the puzzle on the page now. */
export function save() {
  clearTimeout(waiting);
  waiting = 0;
  const { puzzle, mine, pencil, helped, won } = state;
  if (!puzzle) return;
  const seconds = Math.round(state.seconds);
  const record = { puzzle, mine, pencil: [...pencil], helped: [...helped], seconds, won };
  const size = puzzle.width ? `${puzzle.width}×${puzzle.height}` : "";
  const { all, done } = filled();
  const entry = { key: puzzle.key, example: puzzle.source.example, title: puzzle.heading, kind: puzzle.kind, size, all, done, seconds, won, when: Date.now() };
  const rows = [entry, ...recent().filter((one) => one.key !== puzzle.key)];
  rows.splice(MOST).forEach((one) => store.drop(`puzzle:${one.key}`));
  let isKept = store.set(`puzzle:${puzzle.key}`, record);
  while (!isKept && rows.length > 1) { // no room: the oldest makes some
    store.drop(`puzzle:${rows.pop().key}`);
    isKept = store.set(`puzzle:${puzzle.key}`, record);
  }
  if (!store.set("recent", rows) || !isKept) troubled();
}

/** Keep it soon: many changes are kept at once. */
export function saveSoon() {
  if (!waiting) waiting = setTimeout(save, DELAY_MS);
}

/** Begin: `trouble()` is called when the browser keeps nothing. */
export function start(trouble) {
  troubled = trouble;
  paints("progress", saveSoon);
  paints("timer", () => { if (Math.round(state.seconds) % SOON_S === 0) saveSoon(); });
  addEventListener("pagehide", () => { if (state.puzzle) save(); });
  document.addEventListener("visibilitychange", () => { if (document.hidden && state.puzzle) save(); });
}

/** Note that the person's grid has changed. */
export const changed = () => touch("board", "clue", "lists", "words", "progress");
