// Autosave: every puzzle that was opened, with its source, and what the person wrote, in the browser's own storage. The
// server keeps puzzles in memory only, so this is where they live. The puzzle is written when it is opened; letters, which
// are few bytes, while nothing else is to be done.

import { EMPTY, filled, isGiven, paints, state, touch } from "./state.js";
import * as store from "./store.js";

const MOST = 60; // puzzles that are kept
const DELAY_MS = 800; // from the first change that is not kept yet
const LATEST_MS = 2000; // after that, if the page never rests
const SOON_S = 5; // seconds of the clock that a crash may lose

const whenIdle = window.requestIdleCallback?.bind(window) || ((act) => act()); // WebKit has none

let waiting = 0;
let keptAs = ""; // the puzzle as it was kept last
let forgotten = ""; // key of a puzzle that is not kept again before something is written into it
let told = 0; // seconds of the clock when it was drawn last
let troubled = () => {};

/** Return the puzzles that are kept, as {key, title, kind, size, done, all, seconds, won, revealed, when}, the latest first. */
export const recent = () => store.get("recent", []);

/** Return the puzzle kept under a key as the server described it, with its source, or null. */
export const kept = (key) => store.get(`puzzle:${key}`);

function drop(key) {
  store.drop(`puzzle:${key}`);
  store.drop(`written:${key}`);
}

/** Forget a puzzle. */
export function forget(key) {
  drop(key);
  clearTimeout(waiting);
  waiting = 0;
  forgotten = key;
  store.set("recent", recent().filter((one) => one.key !== key));
}

/** What the person wrote into a puzzle earlier, or null. */
export function writtenInto(puzzle) {
  const found = store.get(`written:${puzzle.key}`);
  return found?.mine.length === puzzle.cells.length && puzzle.cells.length > 0 ? found : null;
}

/**
 * Take up what the person wrote into this puzzle earlier; else begin with `puzzle.progress`, letters from its file. In a
 * `room`, only what was written there.
 */
export function resume(room) {
  const { puzzle } = state;
  forgotten = "";
  const found = writtenInto(puzzle);
  const fits = found && (!room || found.room === room);
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
  const { puzzle, together } = state;
  if (!puzzle || puzzle.key === forgotten) return;
  const written = together?.alone ? onTopOf(together.alone) : present();
  const as = `${puzzle.key} ${puzzle.id} ${puzzle.cells.length}`; // clues may have got their grid, the server a new handle
  const before = recent();
  const isThere = as === keptAs && before.some((one) => one.key === puzzle.key); // another tab may have forgotten it
  const keep = () => (isThere || store.set(`puzzle:${puzzle.key}`, puzzle)) && store.set(`written:${puzzle.key}`, written);
  const rows = [entryOf(puzzle, written), ...before.filter((one) => one.key !== puzzle.key)];
  rows.splice(MOST).forEach((one) => drop(one.key));
  let isKept = keep();
  while (!isKept && rows.length > 1) { // no room: the oldest makes some
    drop(rows.pop().key);
    isKept = keep();
  }
  keptAs = isKept ? as : "";
  if (!store.set("recent", rows) || !isKept) troubled();
}

/** What is on the page, as it is kept. */
function present() {
  const { mine, pencil, helped, won, together } = state;
  const inRoom = together ? { room: together.id, key: together.key, unsent: [...together.pending.keys()] } : {};
  return { mine, pencil: [...pencil], helped: [...helped], seconds: Math.round(state.seconds), won, ...inRoom };
}

/** What was `alone`, with what has come on top since a room was entered of which nothing was heard yet. */
function onTopOf(alone) {
  const now = present();
  const { pending } = state.together;
  const over = (way) => [...alone[way].filter((cell) => !pending.has(cell)), ...now[way].filter((cell) => pending.has(cell))];
  const mine = alone.mine.map((content, cell) => (pending.has(cell) ? now.mine[cell] : content));
  return { ...alone, mine, pencil: over("pencil"), helped: over("helped") };
}

/** A line of the list of puzzles that are kept. */
function entryOf(puzzle, { mine, helped, seconds, won, room }) {
  const size = puzzle.width ? `${puzzle.width}×${puzzle.height}` : "";
  const example = puzzle.isAside ? undefined : puzzle.source.example;
  const done = filled(puzzle, mine);
  const revealed = done.all > 0 && helped.length === done.all;
  return { key: puzzle.key, example, title: puzzle.heading, kind: puzzle.kind, size, ...done, seconds, won, revealed, room, when: Date.now() };
}

/** Keep what was written alone as a puzzle of its own: the one on the page goes on in a room. */
export function setAside(written) {
  const { heading, ...rest } = state.puzzle;
  const keyOf = (number) => `${rest.key}-alone-${number}`;
  let number = 1;
  while (kept(keyOf(number))) number += 1;
  const title = `${heading}, alone${number > 1 ? ` (${number})` : ""}`;
  const puzzle = { ...rest, key: keyOf(number), title, heading: title, isAside: true };
  const alone = { ...written, room: undefined };
  const isKept = store.set(`puzzle:${puzzle.key}`, puzzle) && store.set(`written:${puzzle.key}`, alone);
  if (!store.set("recent", [entryOf(puzzle, alone), ...recent()]) || !isKept) troubled();
}

/** Keep it soon: many changes are kept at once. */
export function saveSoon() {
  forgotten = "";
  if (!waiting) waiting = setTimeout(() => whenIdle(() => { if (waiting) save(); }, { timeout: LATEST_MS }), DELAY_MS);
}

/** Keep now what waits to be kept: before the list of what was begun is shown. */
export function saveWhatWaits() {
  if (waiting) save();
}

/** Begin: `trouble()` is called when the browser keeps nothing. */
export function start(trouble) {
  troubled = trouble;
  paints("progress", saveSoon);
  paints("timer", () => {
    const now = Math.round(state.seconds);
    if (now !== told && now % SOON_S === 0) saveSoon();
    told = now;
  });
  addEventListener("pagehide", () => { if (state.puzzle) save(); });
  document.addEventListener("visibilitychange", () => { if (document.hidden && state.puzzle) save(); });
}

/** Note that the person's grid has changed. */
export const changed = () => touch("board", "clue", "lists", "words", "progress");
