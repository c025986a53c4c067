// The page's state, and the functions that draw its parts. Drawing waits for the next frame: however many events arrive
// in between, each part is drawn once, so that a busy search never gets in the way of typing.

export const BLOCK = "#";
export const EMPTY = ".";
export const UNKNOWN = "?"; // of a switch: neither filled nor left blank yet

export const state = {
  puzzle: null, // as the server described it; `form` says how the page handles its kind
  mine: [], // the person's cells
  pencil: new Set(), // cells written in pencil
  helped: new Set(), // cells that a hint or reveal gave
  marks: new Map(), // cell -> {kind: "right", "wrong" or "doubted", told}: the last check
  seconds: 0, // spent on it
  begun: false, // a cell has been written since it was opened
  paused: false,
  won: false,
  together: null, // the room in which it is solved, as together.js has it
  view: "mine", // or "agent"
  active: 0, // cell
  direction: "across",
  rebus: -1, // cell whose entry field is open
  agent: nothingYet(),
};

/** The agent's state before it is asked. */
export function nothingYet() {
  return {
    running: false,
    cells: null, // as far as it got, or its answer
    soft: new Set(), // cells that it is not sure of
    proposed: new Map(), // provider -> slot -> [[word, p], ...]
    weighed: new Set(), // names of those whose words were weighed together
    ranked: null, // slot -> [[word, p], ...]
    frames: [], // {told, cells, soft}: the grid after each round, to be replayed
    frame: -1, // the one that is replayed, -1 for the outcome
    log: [],
    asked: [], // {provider, instructions, text, reply, failure, is_cached, is_late}: what language models were asked
    status: "",
    steps: [],
    step: 0, // how many steps are shown
    stepping: false, // the person steps: what the last step settled is framed
    settling: false, // letters may still come in one after the other
    result: null,
    other: false, // the other filling is shown
    word: "", // the word whose path is traced
    started: 0,
    seconds: 0,
  };
}

const painters = new Map();
const measurers = new Map();
const dirty = new Set();
let frame = 0;

/** Register a function that draws a part. */
export function paints(part, painter) {
  painters.set(part, [...(painters.get(part) || []), painter]);
}

/** Register a function that measures for a part, and scrolls: before anything is drawn, or the page is laid out twice. */
export function measures(part, measurer) {
  measurers.set(part, measurer);
}

/** Have parts drawn in the next frame; all of them if none is named. */
export function touch(...parts) {
  (parts.length ? parts : painters.keys()).forEach((part) => dirty.add(part));
  if (!frame) frame = requestAnimationFrame(paint);
}

/** Draw the parts that are due. */
export function paint() {
  cancelAnimationFrame(frame);
  frame = 0;
  const due = [...dirty];
  dirty.clear();
  due.forEach((part) => measurers.get(part)?.());
  due.forEach((part) => painters.get(part)?.forEach((painter) => painter()));
}

/** Whether the puzzle has clues for which candidates are looked for. */
export const hasClues = () => Boolean(state.puzzle?.form.clues);

/** Whether cells are filled or left blank, instead of written into. */
export const hasSwitches = () => state.puzzle.form.cells === "switches";

/** Whether a cell's content was given with the puzzle. */
export const isGiven = (cell) => !hasSwitches() && state.puzzle.cells[cell] !== EMPTY;

/** Whether a cell is not a block. */
export const isOpen = (cell) => hasSwitches() || state.puzzle.cells[cell] !== BLOCK;

/** How many cells the person has to fill, and how many are filled. */
export function filled(puzzle = state.puzzle, mine = state.mine) {
  const free = hasSwitchesOf(puzzle) ? UNKNOWN : EMPTY;
  const open = puzzle.cells.map((cell, index) => (cell === free ? index : -1)).filter((index) => index >= 0);
  return { all: open.length, done: open.filter((index) => mine[index] !== free).length };
}

/** Whether every cell was given as help: such a grid is not solved by the person. */
export const isRevealed = () => state.helped.size > 0 && state.helped.size === filled().all;

const hasSwitchesOf = (puzzle) => puzzle.form.cells === "switches";

const crossings = new WeakMap(); // a puzzle's list of slots -> cell -> the slots through it

/** Slots that go through a cell, in both directions. */
export function slotsAt(cell) {
  const { slots } = state.puzzle;
  if (!crossings.has(slots)) {
    const found = new Map();
    for (const slot of slots) slot.cells.forEach((one) => found.set(one, [...(found.get(one) || []), slot]));
    crossings.set(slots, found);
  }
  return crossings.get(slots).get(cell) || [];
}

/** The slot being worked on: through the active cell, in the chosen direction if there is one. */
export function activeSlot() {
  if (!state.puzzle) return null;
  const through = slotsAt(state.active);
  return through.find((slot) => slot.direction === state.direction) || through[0] || null;
}

/** The cells on show. */
export function shown() {
  const { agent, puzzle } = state;
  if (state.view === "mine") return state.mine;
  if (agent.other) return otherCells();
  if (agent.frame >= 0) return agent.frames[agent.frame].cells;
  if (agent.steps.length && agent.step < agent.steps.length) {
    const cells = [...puzzle.cells];
    for (const step of agent.steps.slice(0, agent.step)) {
      for (const [cell, value] of Object.entries(step.cells)) cells[cell] = value;
    }
    return cells;
  }
  return agent.cells || puzzle.cells;
}

/** Whether the agent's outcome is on show, not a round or step on the way to it. */
export function isOutcome() {
  const { agent } = state;
  return state.view === "agent" && !agent.other && agent.frame < 0 && agent.step >= agent.steps.length;
}

/** Whether an outcome is called solved: the official solution, if there is one, has the last word. */
export const isSolved = ({ solved, differences }) => solved && !differences.length;

/** The other filling that is as good, or null. */
export const otherCells = () => state.agent.result?.other || null;
