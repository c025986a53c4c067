// Solving together: carries what is written here into a room on the server, and what others write there into the page's
// state, which stays the one truth here. What the room has not confirmed yet is `pending`: it is shown until then, is
// kept while the connection is lost, and comes last, as the server has not ordered it yet.

import * as api from "./api.js";
import { tell } from "./dom.js";
import { forgetEdits, rebase } from "./history.js";
import { beginAtEmpty } from "./moving.js";
import { changed, resume, save, setAside } from "./saving.js";
import { paints, state, touch } from "./state.js";
import * as store from "./store.js";
import { pause } from "./timer.js";
import { drawCard, win } from "./winning.js";

const SILENCE_MS = 25_000; // without a sign of life, after which a connection counts as lost
const SOONEST_MS = 300; // until the next try to join again, twice as long each time
const LATEST_MS = 5_000;
const CALM_MS = 1_500; // a connection may be away without a word
const TOLD_MS = 5_000; // that a passing sentence is shown
const ANSWER_MS = 10_000; // until an answer is not waited for any longer
const HIDDEN_MS = 30_000; // out of sight, after which a tab leaves: a browser has six connections to a server, for all tabs
const HERE = ["localhost", "127.0.0.1", "[::1]"];

let shared = []; // cell -> [content, how], as the room had it when it was heard last
let batch = 0; // of the edits sent last
let place = ""; // of the cursor, as it was sent last
let isSending = false;
let stop = null; // ends the connection
let wake = () => {}; // tries to join again at once
let leaving = 0; // the timer of a tab out of sight
let isAsleep = false; // it has left, until it is in sight again
let moved = () => {}; // called when a room was entered or left

/** Begin: `onMoved()` is called when a room was entered or left. */
export function start(onMoved) {
  moved = onMoved;
  paints("progress", note);
  paints("board", () => { if (state.together) setTimeout(send); }); // after the frame: no letter waits for it
  addEventListener("online", () => wake());
  document.addEventListener("visibilitychange", look);
  // before it is kept
  for (const end of ["pagehide", "visibilitychange"]) addEventListener(end, note, { capture: true });
}

/** Leave soon if the tab is out of sight, so that it holds no connection and no time runs; come back once it is seen. */
function look() {
  clearTimeout(leaving);
  isAsleep = false;
  if (document.hidden) leaving = setTimeout(sleep, HIDDEN_MS);
  else wake();
}

function sleep() {
  isAsleep = true;
  stop?.abort();
}

const wayOf = (cell) => (state.mine[cell] === state.puzzle.cells[cell] ? "" : state.helped.has(cell) ? "help" : state.pencil.has(cell) ? "pencil" : "");
const present = () => state.mine.map((content, cell) => [content, wayOf(cell)]);
const isSame = (one, other) => one[0] === other[0] && one[1] === other[1];

/** Open a room for the puzzle on the page. Throws the server's refusal. */
export async function open() {
  const { puzzle } = state;
  const was = present();
  const edits = was.map((written, cell) => [cell, ...written]).filter(([cell, content]) => content !== puzzle.cells[cell]);
  const found = await api.openRoom(puzzle, { edits, seconds: state.seconds });
  if (state.puzzle === puzzle) enter(found.room, found, was);
}

/** Go into a room with the puzzle on the page; `before` is what the person had written into it alone, or null. */
export function join(room, found, before) {
  const isBack = before?.room === room;
  const { unsent, key } = isBack ? before : {};
  enter(room, found, present(), { unsent, key, alone: isBack ? null : before, begunAt: state.active });
}

/** How a room is reached, by what the server has told: {link, isLocal}; no link yet if the server was not reached. */
function linkTo(id, { address, token }) {
  if (address === undefined) return { link: "", isLocal: false };
  const isHere = HERE.includes(location.hostname);
  const base = isHere && address ? address : `${location.origin}/`;
  return { link: `${base}${token ? `?token=${token}` : ""}#together=${id}`, isLocal: isHere && !address };
}

function enter(id, found, was, { unsent = [], key = "", alone = null, begunAt = -1 } = {}) {
  const together = {
    id,
    ...linkTo(id, found),
    name: store.get("name", ""),
    key, // by which the server knows this browser
    you: 0,
    people: [], // all who have been in the room, as the server describes them
    pending: new Map(), // cell -> {written, batch}: what the room has not confirmed; batch 0 is not sent yet
    newName: null, // to be sent besides
    isSingly: false, // one edit at a time: the room has refused one of several
    runs: false, // the shared time
    isOnline: false,
    isLost: false, // the person was told so
    status: "",
    begunAt, // where the cursor was put when the grid looked empty
    alone, // what was written alone, until it is known whether the room differs
    isNew: true, // nothing was heard of it yet
  };
  shared = was;
  unsent.forEach((cell) => together.pending.set(cell, { written: was[cell], batch: 0 }));
  Object.assign(state, { together });
  batch = 0;
  place = "";
  pause(false);
  moved();
  touch("together", "timer");
  look();
  follow(together);
}

/** Learn the link of a room that was entered while the server could not be reached. */
async function learnLink(together) {
  try {
    Object.assign(together, linkTo(together.id, await api.room(together.id)));
    touch("together");
  } catch {
    // the connection is lost again: it is asked for with the next one
  }
}

/** Leave the room; what is on the page stays. Nothing is said if `text` is empty. */
export function leave(text = "You have left. What is here stays in this browser.") {
  const { together } = state;
  if (!together) return;
  if (together.alone) { // nothing was heard of the room: back to what was written alone, with what has come on top
    note();
    save();
    resume();
    forgetEdits();
    drawCard();
  }
  state.together = null;
  stop?.abort();
  wake();
  changed();
  touch("together", "timer");
  if (!text) return; // another puzzle is opened
  moved();
  tell(text);
}

/** Go by another name from now on. */
export function rename(name) {
  store.set("name", name);
  Object.assign(state.together, { name, newName: name });
  send();
}

// ---- out ----

/** Note what differs from what the room has or is to get. */
function note() {
  const { together } = state;
  if (!together) return;
  present().forEach((written, cell) => {
    const known = together.pending.get(cell)?.written || shared[cell];
    if (!isSame(written, known)) together.pending.set(cell, { written, batch: 0 });
  });
}

async function send() {
  const { together, active, direction } = state;
  if (!together?.isOnline || isSending) return;
  const unwritten = [...together.pending].filter(([, one]) => !one.batch);
  const unsent = together.isSingly ? unwritten.slice(0, 1) : unwritten;
  const here = `${active} ${direction}`;
  const { newName } = together;
  if (!unsent.length && here === place && newName === null) return;
  isSending = true;
  if (unsent.length) batch += 1;
  unsent.forEach(([, one]) => { one.batch = batch; });
  together.newName = null;
  place = here;
  const edits = unsent.map(([cell, { written }]) => [cell, ...written]);
  try {
    const told = { key: together.key, batch, edits, cell: active, direction, ...(newName === null ? {} : { name: newName }) };
    await api.writeInto(together.id, told, AbortSignal.timeout(ANSWER_MS));
    if (unsent.length === unwritten.length) together.isSingly = false;
  } catch (error) {
    const isRefused = error.status === 422;
    if (unsent.length || !isRefused) together.newName ??= newName;
    if (isRefused && unsent.length < 2) refuse(together, unsent, error.message);
    else unsent.forEach(([, one]) => { one.batch = 0; });
    if (isRefused) together.isSingly = true;
    else {
      if ([403, 404].includes(error.status) && state.together === together) stop?.abort(); // joining again tells more
      await rest(SOONEST_MS);
    }
  } finally {
    isSending = false;
  }
  send();
}

/** Take back what the room cannot hold. */
function refuse(together, edits, text) {
  if (state.together !== together) return;
  edits.forEach(([cell, one]) => {
    if (together.pending.get(cell) !== one) return;
    together.pending.delete(cell);
    take(cell, shared[cell]);
  });
  changed();
  tell(text);
}

// ---- in ----

async function follow(together) {
  let pauseMs = SOONEST_MS;
  while (state.together === together) {
    const connection = new AbortController();
    stop = connection;
    let heard = performance.now();
    const watching = setInterval(() => { if (performance.now() - heard > SILENCE_MS) connection.abort(); }, SOONEST_MS);
    try {
      await api.join(together.id, { name: together.name, key: together.key }, connection.signal, {
        heard: (name, data) => {
          if (state.together !== together) return;
          pauseMs = SOONEST_MS;
          if (name === "room") hear(together, data);
          else leave("The server was stopped, so this room has ended. What is here stays in this browser.");
        },
        alive: () => { heard = performance.now(); },
      });
      together.key = ""; // another tab has come with it, and keeps it
    } catch (error) {
      if (state.together === together && [403, 404, 409].includes(error.status)) leave(`${error.message}. What is here stays in this browser.`);
    } finally {
      clearInterval(watching);
    }
    if (state.together !== together) return;
    lose(together);
    const woken = new Promise((done) => { wake = done; });
    await (isAsleep ? woken : Promise.race([rest(pauseMs), woken]));
    pauseMs = Math.min(2 * pauseMs, LATEST_MS);
  }
}

const rest = (ms) => new Promise((done) => { setTimeout(done, ms); });

function lose(together) {
  together.isOnline = false;
  setTimeout(() => {
    if (state.together !== together || together.isOnline || isAsleep) return;
    together.isLost = true;
    status(together, "No connection. Write on: it is sent when it is back.");
  }, CALM_MS);
}

function status(together, text, passes = false) {
  together.status = text;
  touch("together");
  if (passes) setTimeout(() => { if (together.status === text) status(together, ""); }, TOLD_MS);
}

/** Take what has changed in the room. */
function hear(together, data) {
  note(); // what was written since the last frame
  const { pending, isNew } = together;
  if (data.key) {
    Object.assign(together, { key: data.key, you: data.you });
    place = "";
    batch = Math.max(batch, data.batch); // before a reload more may have been sent
    if (!together.link) learnLink(together);
  }
  const touched = new Set();
  for (const [cell, ...written] of data.cells) {
    shared[cell] = written;
    touched.add(cell);
  }
  for (const [cell, one] of pending) {
    if (one.batch && one.batch <= data.batch) {
      pending.delete(cell);
      touched.add(cell);
    } else if (data.key) one.batch = 0; // it was on its way when the connection was lost
  }
  const taken = [...touched].filter((cell) => !pending.has(cell) && take(cell, shared[cell]));
  if (isNew && together.alone?.mine.some((content, cell) => content !== state.puzzle.cells[cell] && content !== shared[cell][0])) setAside(together.alone);
  meet(together, data.people);
  Object.assign(together, { runs: data.runs, isNew: false, alone: null });
  Object.assign(state, { begun: data.runs || state.begun, seconds: state.won ? state.seconds : data.seconds });
  together.isOnline = true;
  if (together.isLost) {
    together.isLost = false;
    status(together, "Connected again.", true);
  }
  if (isNew && !pending.size && state.active === together.begunAt) beginAtEmpty();
  if (isNew || taken.length) changed();
  if (data.won && !state.won) end(isNew);
  touch("together", "timer");
  send();
}

/** Write what the room has into a cell; false if it is there. Undo leaves it alone from then on. */
function take(cell, [content, way]) {
  if (isSame([content, way], [state.mine[cell], wayOf(cell)])) return false;
  put(state, cell, content, way);
  rebase((snapshot) => put(snapshot, cell, content, way));
  return true;
}

function put(grid, cell, content, way) {
  grid.mine[cell] = content;
  [grid.pencil, grid.helped, grid.marks].forEach((noted) => noted.delete(cell));
  if (way === "pencil") grid.pencil.add(cell);
  if (way === "help") grid.helped.add(cell);
}

/** Show who has come and gone. */
function meet(together, people) {
  if (!people) return;
  const were = new Map(together.people.filter((one) => one.here).map((one) => [one.number, one.name]));
  const are = new Map(people.filter((one) => one.here).map((one) => [one.number, one.name]));
  together.people = people;
  const others = (some, not) => [...some].filter(([number]) => !not.has(number) && number !== together.you).map(([, name]) => name);
  const [came, went] = [others(are, were), others(were, are)];
  const names = (list) => new Intl.ListFormat("en").format(list);
  const verb = (list) => (list.length > 1 ? "have" : "has");
  if (came.length) status(together, together.isNew ? `${names(came)} ${came.length > 1 ? "are" : "is"} here.` : `${names(came)} ${verb(came)} joined.`, true);
  else if (went.length) status(together, `${names(went)} ${verb(went)} left.`, true);
}

/** The grid is solved: all who were there rejoice; who comes later only sees it. */
function end(isLate) {
  if (isLate) {
    state.won = true;
    drawCard();
  } else win();
}
