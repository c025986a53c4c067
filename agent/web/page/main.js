// Start here: puts the parts together. state.js holds the state, board.js draws the grid; writing.js, moving.js, helping.js
// and winning.js are the person's solving, watch.js and result.js the agent's; saving.js keeps what was written, home.js
// and opening.js bring puzzles in, exporting.js takes them out.

import * as api from "./api.js";
import { build, focusActive } from "./board.js";
import { buildLists } from "./clues.js";
import { $, say, tell } from "./dom.js";
import { buildMenu } from "./exporting.js";
import { act, afterWriting, canAutocheck, cancelHelp } from "./helping.js";
import { forgetEdits } from "./history.js";
import { drawExamples, drawRecent, drawToday } from "./home.js";
import * as keyboard from "./keyboard.js";
import { buildStepper, buildWords } from "./kinds.js";
import { beginAtEmpty, goToSlot, nextSlot } from "./moving.js";
import { fileOf, limitTo, start as startOpening } from "./opening.js";
import { startPeople } from "./people.js";
import { printing } from "./printing.js";
import "./result.js";
import * as saving from "./saving.js";
import * as settings from "./settings.js";
import { hasClues, hasSwitches, paint, paints, state, touch } from "./state.js";
import { start as startTheme } from "./theme.js";
import * as timer from "./timer.js";
import * as together from "./together.js";
import { cancel, findGrid, forget, offer, watch } from "./watch.js";
import { dayOf, drawCard, drawStatistics } from "./winning.js";
import * as writing from "./writing.js";

const TITLE = document.title;
const VIEWS = ["open", "puzzle", "statistics"];

let view = "";
let examples = null; // as the server lists them

function show(name) {
  view = name;
  for (const one of VIEWS) {
    $(`view-${one}`).hidden = one !== name;
    const link = $(`to-${one}`);
    if (one === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  $("to-puzzle").hidden = !state.puzzle;
  if (state.puzzle) $("to-puzzle").href = addressOf(state.puzzle);
  document.title = name === "puzzle" ? `${$("title").textContent} · ${TITLE}` : TITLE;
  if (name === "open") drawHome();
  if (name === "statistics") drawStatistics();
  say($("trouble"), "");
  touch("timer", "keys");
  scrollTo(0, 0);
}

function drawHome() {
  saving.saveWhatWaits();
  drawRecent();
  if (!examples) return;
  drawToday(examples, take);
  drawExamples(examples);
}

function addressOf({ source, key, isAside }) {
  if (state.together) return `#together=${state.together.id}`;
  return source.example && !isAside ? `#example=${encodeURIComponent(source.example)}` : `#puzzle=${key}`;
}

/** Have the address bar tell whether the puzzle is solved in a room. */
function locate() {
  const address = addressOf(state.puzzle);
  $("to-puzzle").href = address;
  if (view === "puzzle") history.replaceState(null, "", address);
}

/**
 * Show a puzzle that the server or the browser's storage has returned; with `solves`, the agent begins at once; with
 * `room`, {id, address, token}, it is solved there.
 */
function opened(puzzle, { solves = false, room = null } = {}) {
  leave();
  state.puzzle = puzzle;
  const { form, slots, words } = puzzle;
  puzzle.heading = puzzle.title || fileOf(puzzle.source) || (form.clues ? "Untitled crossword" : form.title);
  $("title").textContent = puzzle.heading;
  $("byline").textContent = [!form.clues && !puzzle.heading.startsWith(form.title) && form.title, puzzle.author && `by ${puzzle.author}`, puzzle.date, puzzle.copyright].filter(Boolean).join(" · ");
  $("how").hidden = !hasClues();
  document.querySelectorAll(".of-clues").forEach((button) => { button.hidden = !hasClues(); });
  // without slots there is no word to give, only cells
  document.querySelectorAll(".of-slots").forEach((button) => { button.hidden = !slots.length; });
  $("print-solution").hidden = !hasClues() && !form.title;
  const look = $("view-puzzle").classList;
  look.toggle("clued", hasClues());
  look.toggle("lined", Boolean(puzzle.sides));
  look.toggle("bare", !slots.length && !words); // nothing to list next to the board
  say($("rules"), (form.rules || []).join(" "));
  say($("ask-trouble"), "");
  const before = room && saving.writtenInto(puzzle);
  layOut(room?.id);
  if (room) together.join(room.id, room, before);
  show("puzzle");
  const address = addressOf(puzzle);
  if (location.hash !== address) history.pushState(null, "", address);
  paint();
  if (solves) watch();
  else takeUp();
}

/** Put the keyboard's focus into the grid, unless a phone's own keyboard would come up. */
function takeUp() {
  if (settings.settings.ownKeys || !matchMedia("(pointer: coarse)").matches) focusActive();
}

/** Keep the puzzle on the page, and end what is going on with it. */
function leave() {
  if (!state.puzzle) return;
  writing.closeRebus(true);
  saving.save();
  together.leave("");
  cancelHelp();
  forget();
}

function refused(text) {
  if (!view) show("open");
  say($(view === "open" ? "text-trouble" : "trouble"), text);
}

/** Build all that depends on the grid: when it is opened, or found by the agent. */
function layOut(room) {
  const { puzzle } = state;
  state.rebus = -1;
  state.marks.clear();
  state.rejoicing = false;
  forgetEdits();
  saving.resume(room);
  beginAtEmpty();
  $("view-puzzle").classList.toggle("wide", puzzle.width > 11);
  build(writing.bind, findGrid);
  buildLists((slot) => goToSlot(slot));
  buildWords();
  buildMenu();
  const hasGrid = puzzle.cells.length > 0;
  for (const id of ["export", "print", "meet", "actions", "keys-help"]) $(id).hidden = !hasGrid;
  $("pencil").hidden = hasSwitches();
  $("keys-help").textContent = hasGrid ? writing.keysInWords() : "";
  $("set-autocheck").disabled = !canAutocheck();
  tell("");
  drawCard();
  touch();
  touch("progress");
}

async function route() {
  let hash = "";
  try {
    hash = decodeURIComponent(location.hash.slice(1));
  } catch {
    // an address that cannot be decoded: the first view
  }
  const [name, value = ""] = hash.split(/=(.*)/s);
  const { puzzle } = state;
  const isHere = puzzle && (
    (name === "puzzle" && (!value || value === puzzle.key))
    || (name === "example" && value === puzzle.source.example && !puzzle.isAside)
    || (name === "together" && value === state.together?.id)
  );
  if (isHere) {
    show("puzzle");
    locate();
    takeUp();
  } else if (name === "example") await openExample(value);
  else if (name === "together") await enter(value);
  else if (name === "puzzle" && saving.kept(value)) opened(saving.kept(value));
  else if (name === "statistics") show("statistics");
  else if (name !== "main") show("open");
}

/** Open a shipped example; without the server, as it was kept. */
async function openExample(id) {
  const key = saving.recent().find((one) => one.example === id)?.key;
  try {
    opened(await api.open({ example: id }));
  } catch (error) {
    if (error.status === 0 && key) opened(saving.kept(key));
    else refused(error.message);
  }
}

/** Go into a room. If it cannot be reached, or has ended, what was written there is shown as it was kept. */
async function enter(id) {
  const key = saving.recent().find((one) => one.room === id)?.key;
  try {
    const { source, ...found } = await api.room(id);
    opened(await api.open(source), { room: { id, ...found } });
  } catch (error) {
    if (!key) refused(error.message);
    else if (error.status === 0) opened(saving.kept(key), { room: { id } });
    else {
      opened(saving.kept(key));
      tell(`${error.message}. What you have of it is here.`);
    }
  }
}

startTheme();
settings.start();
saving.start(() => say($("trouble"), "This browser keeps nothing for this page: what you write is lost when it is closed. Export saves it."));
writing.start(afterWriting);
timer.start();
together.start(locate);
startPeople();
keyboard.start(writing.press);
printing();
buildStepper();
const take = startOpening(opened, refused);

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  watch();
});
$("cancel").addEventListener("click", cancel);
$("previous").addEventListener("click", () => nextSlot(-1));
$("next").addEventListener("click", () => nextSlot(1));
$("views").addEventListener("click", (event) => {
  const chosen = event.target.dataset.view;
  if (!chosen) return;
  state.view = chosen;
  touch();
});
$("actions").addEventListener("click", (event) => {
  const button = event.target.closest("[data-act]");
  if (!button) return;
  const menu = button.closest("details");
  if (menu) menu.open = false;
  act(button.dataset.act);
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  if (view === "puzzle" && state.puzzle.cells.length) focusActive();
  else $("main").focus();
});
// a menu closes when something else is clicked, or on Escape
document.addEventListener("click", (event) => {
  document.querySelectorAll("details.menu[open]").forEach((menu) => { if (!menu.contains(event.target)) menu.open = false; });
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest?.("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
paints("timer", () => { $("timer").hidden = !settings.settings.showTimer; });
addEventListener("hashchange", route);
addEventListener("pagehide", cancel);

route();
const tellTrouble = (error) => say($("trouble"), error.message);
const listed = api.examples(dayOf()).then((found) => {
  examples = found;
  if (view === "open") drawHome();
}).catch(tellTrouble);
const offered = api.settings().then((found) => {
  offer(found, () => layOut());
  limitTo(found.limits.body);
  $("version").textContent = found.version;
  $("endings").textContent = `: ${found.endings}`;
  $("seconds").max = found.limits.seconds;
  $("seconds").value = found.seconds;
  if (found.providers.some((one) => one.name === "datamuse")) $("attribution").textContent = "· candidates named Datamuse come from datamuse.com";
}).catch(tellTrouble);
Promise.all([listed, offered]).then(keepForLater);

/** Have what the page was loaded from kept, so that it opens while the server is not running; plain HTTP from afar cannot. */
async function keepForLater() {
  if (!navigator.serviceWorker) return;
  await navigator.serviceWorker.register("/worker.js");
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map((entry) => new URL(entry.name));
  const kept = loaded.filter(({ pathname }) => /^\/(static|api\/settings|api\/examples)\b/.test(pathname));
  active.postMessage(["/", ...kept.map(({ pathname, search }) => pathname + search)]);
}
