// Start here: puts the parts together. state.js holds the state, board.js draws the grid, play.js is the person's
// solving, watch.js the agent's, opening.js and exporting.js bring puzzles in and out, verdicts.js is a view of its own.

import * as api from "./api.js";
import { build, focusActive } from "./board.js";
import { buildLists } from "./clues.js";
import { $, say } from "./dom.js";
import { buildMenu } from "./exporting.js";
import { buildStepper, buildWords } from "./kinds.js";
import { listExamples, start as startOpening } from "./opening.js";
import { act, bind, goToSlot, nextSlot, restart } from "./play.js";
import { hasClues, paint, state, touch } from "./state.js";
import { showFile, start as startVerdicts } from "./verdicts.js";
import { cancel, forget, offer, watch } from "./watch.js";

const TITLE = document.title;
const VIEWS = ["open", "puzzle", "verdicts"];

let view = "";
let example = ""; // the shipped example that is open, if one is

function show(name) {
  view = name;
  for (const one of VIEWS) {
    $(`view-${one}`).hidden = one !== name;
    const link = $(`to-${one}`);
    if (one === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  $("to-puzzle").hidden = !state.puzzle;
  document.title = name === "puzzle" ? `${$("title").textContent} · ${TITLE}` : TITLE;
  say($("trouble"), "");
  scrollTo(0, 0);
}

function opened(puzzle, id) {
  forget();
  state.puzzle = puzzle;
  example = id;
  const { form, slots, words } = puzzle;
  // only a crossword is shown by its title: other kinds have an identity, but seldom a title
  const kind = form.clues && !form.gridless ? "" : form.title;
  $("title").textContent = kind || puzzle.title || "Untitled crossword";
  $("byline").textContent = [kind && puzzle.title, puzzle.author && `by ${puzzle.author}`, puzzle.date, puzzle.copyright].filter(Boolean).join(" · ");
  $("providers").hidden = !hasClues();
  const look = $("view-puzzle").classList;
  look.toggle("wide", puzzle.width > 11);
  look.toggle("clued", hasClues());
  look.toggle("bare", !slots.length && !words); // nothing to list next to the board
  say($("rules"), (form.rules || []).join(" "));
  // without slots there is no word to give, only cells
  document.querySelectorAll("[data-act$=-slot]").forEach((button) => { button.hidden = !slots.length; });
  say($("ask-trouble"), "");
  layOut();
  show("puzzle");
  const address = id ? `#example=${encodeURIComponent(id)}` : "#puzzle";
  if (location.hash !== address) history.pushState(null, "", address);
  paint();
  if (!matchMedia("(pointer: coarse)").matches) focusActive(); // it would bring a phone's keyboard up
}

function refused(text) {
  if (!view) show("open");
  say($(view === "open" ? "text-trouble" : "trouble"), text);
}

/** Build all that depends on the grid: when it is opened, or found by the agent. */
function layOut() {
  build(bind);
  buildLists((slot) => goToSlot(slot));
  buildWords();
  buildMenu();
  $("export").hidden = $("actions").hidden = !state.puzzle.cells.length;
  restart();
}

function route() {
  const hash = decodeURIComponent(location.hash.slice(1));
  if (hash.startsWith("example=")) {
    const id = hash.slice(8);
    if (id === example && state.puzzle) show("puzzle");
    else openExample(id);
  } else if (hash === "verdicts") show("verdicts");
  else if (hash === "puzzle" && state.puzzle) show("puzzle");
  else show("open");
}

/** Light or dark: as the system says, until the person chooses. */
function theme(turned) {
  const { dataset } = document.documentElement;
  const now = dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const chosen = kept(turned && { light: "dark", dark: "light" }[now]);
  if (chosen) dataset.theme = chosen;
  $("theme").setAttribute("aria-pressed", (chosen || now) === "dark");
}

/** The person's choice, now or earlier; a browser may store nothing for pages. */
function kept(choice) {
  try {
    if (choice) localStorage.setItem("theme", choice);
    return localStorage.getItem("theme");
  } catch {
    return choice;
  }
}

theme(false);
$("theme").addEventListener("click", () => theme(true));
const openExample = startOpening(opened, refused, () => view === "verdicts", showFile);
startVerdicts();
buildStepper();

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  watch();
});
$("cancel").addEventListener("click", cancel);
$("previous").addEventListener("click", () => nextSlot(-1));
$("next").addEventListener("click", () => nextSlot(1));
$("print").addEventListener("click", () => print());
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
  act(button.dataset.act, button);
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
addEventListener("hashchange", route);
addEventListener("pagehide", cancel);

route();
const tell = (error) => say($("trouble"), error.message);
api.examples().then(listExamples).catch(tell);
api.settings().then((settings) => {
  offer(settings, layOut);
  $("version").textContent = settings.version;
  $("endings").textContent = `: ${settings.endings}`;
  $("seconds").max = settings.limits?.seconds || 600;
  $("seconds").value = settings.seconds;
  if (settings.providers.some((one) => one.name === "datamuse")) $("attribution").textContent = "· candidates named Datamuse come from datamuse.com";
}).catch(tell);
