// The grid: draws the cells on show, and nothing else. Letters are text; one field takes what is typed (writer.js). Cells
// that are not written into are switches.

import { $, button, h, percent, put, s } from "./dom.js";
import { settings } from "./settings.js";
import { BLOCK, EMPTY, UNKNOWN, activeSlot, hasSwitches, isOpen, isOutcome, paints, shown, slotsAt, state } from "./state.js";
import { followActive, makeWriter, writer } from "./writer.js";

export const UNSURE = 0.9; // letters less probable than this carry their percentage
const WEAK = 0.5; // and less probable than this are hatched
const WHOLE = 0.995; // of the board, but for what is lost to rounding
const SETTLE_MS = 700; // from the first to the last of the cells that settle one after the other

const isWide = matchMedia("(min-width: 46.01rem)"); // the clue is not stuck above the grid
const isLow = matchMedia("(max-height: 32rem) and (min-width: 36rem)"); // a phone on its side

let board = null;
let cells = []; // {box, letter, note, last} of the puzzle on the page
let stop = null; // the switch that Tab comes to
let path = null; // the layer on which the path of a word is traced
let traced = "";
let isInSight = false; // the whole board is
const sight = new IntersectionObserver((seen) => { isInSight = seen.at(-1).intersectionRatio > WHOLE; }, { threshold: WHOLE });

/** Build the grid of the puzzle now open; `bind` is handed the element that gets its keys and pointers. */
export function build(bind, findGrid) {
  const { puzzle } = state;
  const { form, sides } = puzzle;
  const place = $("board-place");
  place.replaceChildren();
  cells = [];
  traced = "";
  stop = null;
  isInSight = false;
  for (const [name, size] of [["--w", puzzle.width], ["--h", puzzle.height]]) $("view-puzzle").style.setProperty(name, size || "");
  if (!puzzle.cells.length) {
    place.append(
      h("div", { class: "gridless" },
        h("p", {}, "These clues came without a grid. Their numbers tell where the blocks are."),
        h("div", { class: "row" }, button("Just give me the grid", findGrid, { id: "find-grid", class: "primary" })),
        h("p", { class: "soft note" }, "It shows no answers. To see them too, have it solved."),
      ),
    );
    return;
  }
  board = h("div", {
    id: "board",
    class: `board ${puzzle.kind} ${form.cells}${form.traced ? " traced" : ""}`,
    role: "grid",
    "aria-label": `${form.title}, ${puzzle.height} rows of ${puzzle.width}`,
  });
  for (let row = 0; row < puzzle.height; row += 1) {
    const line = h("div", { role: "row", "data-under": hasSwitches() && endsGroup(row, puzzle.heavy[1], puzzle.height) });
    for (let column = 0; column < puzzle.width; column += 1) {
      const made = makeCell(row * puzzle.width + column);
      cells.push(made);
      line.append(made.box);
    }
    board.append(line);
  }
  path = s("svg", { class: "path", viewBox: `0 0 ${puzzle.width} ${puzzle.height}`, "aria-hidden": "true" });
  if (form.traced) board.append(path);
  const frame = h("div", { class: `frame${sides ? " sided" : ""}` }, sides ? lineClues(sides) : [], board, makeWriter());
  place.append(frame);
  sight.disconnect();
  sight.observe(board);
  bind(frame);
}

function makeCell(index) {
  const { puzzle } = state;
  const number = puzzle.numbers[index];
  const heavy = heavyEdges(index);
  if (hasSwitches()) {
    const box = h("div", { class: "cell", role: "gridcell", tabindex: -1, "data-cell": index, "data-heavy": heavy });
    return { box, last: "" };
  }
  if (puzzle.cells[index] === BLOCK) {
    const box = h("div", { class: "cell block", role: "gridcell", "aria-label": "block" });
    return { box, last: "" };
  }
  const letter = h("span", { class: "letter" });
  const note = h("span", { class: "note", "aria-hidden": "true" });
  const box = h(
    "div",
    { class: "cell", role: "gridcell", id: `cell-${index}`, "data-cell": index, "data-heavy": heavy },
    number && h("span", { class: "number", "aria-hidden": "true" }, number),
    letter,
    note,
  );
  if (puzzle.cells[index] !== EMPTY) box.classList.add("given");
  return { box, letter, note, last: "", length: 1 };
}

/** Which edges of a cell are heavier lines, as it is printed: bars, and those that end a group of columns or rows. */
function heavyEdges(index) {
  const { heavy, bars = [], width, height } = state.puzzle;
  const barred = (step) => bars.some(([one, other]) => one === index && other - one === step);
  if (!heavy) return `${width > 1 && barred(1) ? "column " : ""}${barred(width) ? "row" : ""}` || null;
  const row = Math.floor(index / width);
  return `${endsGroup(index % width, heavy[0], width) ? "column " : ""}${endsGroup(row, heavy[1], height) ? "row" : ""}` || null;
}

/** Whether a row or column is the last of a group, but not of all. */
const endsGroup = (at, size, all) => at % size === size - 1 && at < all - 1;

/** The clues of columns above the board, and of rows next to it. */
function lineClues({ rows, columns }) {
  const text = (run) => (run.length ? run.join(" ") : "0");
  const { colours } = state.puzzle;
  const block = (word) => {
    const colour = colours.length > 1 && colours.find(({ sign }) => word.endsWith(sign));
    const span = h("span", {}, word);
    if (colour) span.style.setProperty("--run", `#${colour.rgb}`);
    return span;
  };
  const blocks = (run) => (run.length ? run : ["0"]).map(block);
  const above = h("div", { class: "above", "aria-hidden": "true" });
  const beside = h("div", { class: "beside", "aria-hidden": "true" });
  columns.forEach((run) => above.append(h("div", {}, ...blocks(run))));
  rows.forEach((run) => beside.append(h("div", {}, ...blocks(run))));
  const room = Math.max(...rows.map((run) => text(run).length));
  beside.style.setProperty("--room", room);
  const corner = h("div", { class: "corner" });
  return [corner, above, beside];
}

/** The element that has the keyboard's focus while the active cell is worked on, or null: the writer, or the switch. */
export const focused = () => writer() || cells[state.active]?.box || null;

/** Make the active switch the one that Tab comes to. */
function stopAtActive() {
  const box = cells[state.active]?.box;
  if (writer() || stop === box || !box) return;
  if (stop) stop.tabIndex = -1;
  box.tabIndex = 0;
  stop = box;
}

/** Put the keyboard's focus on the active cell, and keep it in sight. */
export function focusActive() {
  const field = focused();
  const box = cells[state.active]?.box;
  if (!field || !box) return;
  stopAtActive();
  if (document.activeElement !== field) field.focus({ preventScroll: true });
  if (isInSight && isWide.matches && !settings.ownKeys) return; // nothing covers any of it
  box.scrollIntoView({ block: "nearest", inline: "nearest" }); // `scroll-margin` clears bar and keys
  if (isLow.matches && !hasSwitches() && board.clientHeight < innerHeight) $("clue-bar").scrollIntoView({ block: "start" }); // from there on the grid fits
}

paints("board", draw);

function draw() {
  const { puzzle, agent, marks, helped } = state;
  if (!puzzle || !cells.length) return;
  const now = shown();
  const watching = state.view === "agent";
  const slot = activeSlot();
  const inSlot = new Set(slot ? slot.cells : []);
  const result = isOutcome() ? agent.result : null;
  const soft = watching && agent.frame >= 0 ? agent.frames[agent.frame].soft : agent.running ? agent.soft : new Set();
  const sureness = result?.confidence?.flat() || null;
  const differing = new Set(result?.differences || []);
  const base = watching && agent.other ? agent.cells : null;
  const ghosts = watching && agent.running && !agent.cells ? firstGuesses(agent) : null;
  const stepped = watching && agent.stepping && agent.step > 0 ? agent.steps[agent.step - 1].cells : {};
  let settled = 0;
  stopAtActive();
  followActive();
  cells.forEach((cell, index) => {
    if (!isOpen(index)) return;
    const value = now[index];
    const classes = [];
    let note = "";
    let told = "";
    let text = value === EMPTY ? "" : value;
    if (inSlot.has(index)) classes.push("in-slot");
    if (index === state.active) classes.push("active");
    if (watching) {
      const p = sureness ? sureness[index] : 1;
      if (sureness && text && p < UNSURE) {
        classes.push(p < WEAK ? "weak" : "unsure");
        note = percent(p);
      }
      if (text && differing.has(index)) classes.push("differs");
      if (base && base[index] !== value) classes.push("other");
      if (soft.has(index)) classes.push("soft");
      if (index in stepped) classes.push("fresh");
      if (!text && ghosts?.has(index)) {
        text = ghosts.get(index);
        classes.push("ghost");
      }
    } else {
      const mark = marks.get(index);
      if (mark) {
        classes.push(mark.kind);
        told = mark.told || "";
        note = { right: "✓", wrong: "", doubted: "?" }[mark.kind];
      }
      if (helped.has(index)) classes.push("helped");
      if (state.pencil.has(index)) classes.push("pencil");
    }
    const key = [text, note, told, classes.join(" ")].join("|");
    if (key === cell.last) return;
    const grew = watching && text && !cell.last.startsWith(`${text}|`) && agent.settling;
    cell.last = key;
    if (hasSwitches()) drawSwitch(cell, index, value, classes);
    else drawLetter(cell, index, text, note, told, classes);
    if (grew && !hasSwitches() && !classes.includes("ghost")) {
      cell.box.style.setProperty("--wait", `${(settled * SETTLE_MS) / cells.length}ms`);
      cell.box.classList.add("settles");
      settled += 1;
    }
  });
  if (!agent.running) agent.settling = false;
  if (hasSwitches()) board.classList.toggle("done", state.won || !now.includes(UNKNOWN));
  board.classList.toggle("rejoices", Boolean(state.rejoicing) && !watching);
  trace();
}

function drawLetter(cell, index, text, note, told, classes) {
  const given = state.puzzle.cells[index] !== EMPTY ? "given " : "";
  cell.box.className = `cell ${given}${classes.join(" ")}`;
  const length = Math.max(1, text.length);
  if (cell.length !== length) cell.box.style.setProperty("--n", length);
  cell.length = length;
  put(cell.letter, "textContent", text);
  put(cell.note, "textContent", note);
  put(cell.box, "ariaLabel", `${text || "empty"}; ${describe(index, note, classes)}${told && `, ${told}`}`);
  put(cell.box, "title", told);
}

function drawSwitch(cell, index, value, classes) {
  const kind = { [EMPTY]: "blank", [UNKNOWN]: "unknown" }[value] || "filled";
  const { colours } = state.puzzle;
  const colour = colours.length > 1 && colours.find(({ sign }) => sign === value);
  if (colour) cell.box.style.setProperty("--filled", `#${colour.rgb}`);
  else cell.box.style.removeProperty("--filled");
  cell.box.className = `cell ${kind} ${classes.join(" ")}`;
  cell.box.setAttribute("aria-label", `${place(index)}, ${colour ? colour.name : kind}${marksInWords(classes)}`);
}

function marksInWords(classes) {
  const words = { right: "right", wrong: "wrong", unsure: "not sure", weak: "a guess", helped: "given as help", pencil: "in pencil", differs: "differs from the official solution", other: "differs between the two fillings" };
  return classes.map((name) => words[name]).filter(Boolean).map((text) => `, ${text}`).join("");
}

const place = (index) => `row ${Math.floor(index / state.puzzle.width) + 1}, column ${(index % state.puzzle.width) + 1}`;

function describe(index, note, classes) {
  const inSlots = slotsAt(index).map((slot) => `${slot.number} ${slot.direction}, letter ${slot.cells.indexOf(index) + 1} of ${slot.cells.length}`);
  return `${[...inSlots, place(index)].join("; ")}${note.endsWith("%") ? `, ${note} sure` : ""}${marksInWords(classes)}`;
}

/** The letters of each cell in the slots' best candidates, before they have been made to agree: "B" or "B/P". */
function firstGuesses({ ranked, proposed }) {
  const guesses = new Map();
  for (const slot of state.puzzle.slots) {
    const lists = ranked ? [ranked] : [...proposed.values()];
    const [best] = lists.map((list) => list[slot.name]?.[0] || ["", 0]).sort((a, b) => b[1] - a[1]);
    const word = best?.[0];
    if (!word || word.length !== slot.cells.length) continue;
    slot.cells.forEach((cell, k) => guesses.set(cell, new Set([...(guesses.get(cell) || []), word[k]])));
  }
  return new Map([...guesses].map(([cell, letters]) => [cell, [...letters].join("/")]));
}

/** Trace the path of the chosen word. */
function trace() {
  const { agent, puzzle } = state;
  if (!puzzle.form.traced) return;
  const word = isOutcome() ? agent.word : "";
  const points = (word && agent.result?.paths?.[word]) || [];
  const key = points.join(" ");
  if (key === traced) return;
  traced = key;
  path.replaceChildren();
  if (!points.length) return;
  const at = points.map(([row, column]) => `${column + 0.5},${row + 0.5}`);
  const end = points[points.length - 1];
  path.append(
    s("polyline", { points: at.join(" "), pathLength: 1 }),
    s("circle", { class: "from", cx: points[0][1] + 0.5, cy: points[0][0] + 0.5, r: 0.4 }),
    s("circle", { class: "to", cx: end[1] + 0.5, cy: end[0] + 0.5, r: 0.4 }),
  );
  const numbers = new Map();
  points.forEach(([row, column], k) => {
    const cell = row * puzzle.width + column;
    numbers.set(cell, [...(numbers.get(cell) || []), k + 1]);
  });
  numbers.forEach((order, cell) => {
    const label = s("text", { x: (cell % puzzle.width) + 0.1, y: Math.floor(cell / puzzle.width) + 0.24 });
    label.textContent = order.join(",");
    path.append(label);
  });
}
