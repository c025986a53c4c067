// Watching the agent: the providers asked, and its events. Events are only noted; the next frame draws them, result.js
// the outcome.

import * as api from "./api.js";
import { UNSURE } from "./board.js";
import { $, announce, button, duration, h, many, say, tell } from "./dom.js";
import { buildMenu } from "./exporting.js";
import { BLOCK, EMPTY, hasClues, isOutcome, isSolved, nothingYet, paints, state, touch } from "./state.js";

const SEARCHING = "Searching…";

let offered = [];
let stop = null; // cancels the search that runs
let onGrid = () => {}; // called when a puzzle without a grid gets one

/** List the providers that the server offers; those it asks by default are ticked. */
export function offer(settings, gridCame) {
  offered = settings.providers;
  onGrid = gridCame;
  const set = $("providers");
  for (const one of offered) {
    const box = h("input", {
      type: "checkbox",
      name: "provider",
      value: one.name,
      id: `provider-${one.name}`,
      checked: settings.default.includes(one.name),
      disabled: !one.available,
      "aria-describedby": `note-${one.name}`,
    });
    set.append(
      h(
        "div",
        { class: "provider" },
        box,
        h("label", { for: `provider-${one.name}` }, one.label),
        h("span", { class: "note soft", id: `note-${one.name}` }, one.note),
        h("span", { class: "came", id: `came-${one.name}` }),
      ),
    );
  }
  set.addEventListener("change", () => touch("agent"));
  touch("agent");
}

/** Names of the providers that are ticked. */
export const chosenProviders = () => [...document.querySelectorAll("input[name=provider]:checked")].map((box) => box.value);

/** The name of a provider as people read it. */
export const labelOf = (name) => offered.find((one) => one.name === name)?.label || name;

/** Forget the agent's work on the last puzzle. */
export function forget() {
  cancel();
  state.agent = nothingYet();
  state.view = "mine";
  touch();
}

/** Stop the search that runs, if one does. */
export function cancel() {
  stop?.abort();
}

/** Have only the grid found for clues that came without one: no letter is shown. */
export const findGrid = () => watch({ quietly: true });

/** Have the agent solve the puzzle, and follow it; `quietly` only takes the grid, and shows nothing else. */
export async function watch({ quietly = false } = {}) {
  const { puzzle } = state;
  const providers = chosenProviders();
  if (hasClues() && !providers.length) {
    $("how").open = true;
    return say($("ask-trouble"), "Choose at least one of those who can be asked.");
  }
  say($("ask-trouble"), "");
  cancel();
  const agent = nothingYet();
  Object.assign(agent, { running: true, quietly, settling: true, status: "Starting…", started: performance.now() });
  state.agent = agent;
  if (!quietly) state.view = "agent";
  stop = new AbortController();
  const ticking = setInterval(() => touch("clock"), 1000);
  touch();
  if (!quietly) $("board-place").scrollIntoView({ block: "nearest" });
  if (quietly) tell("Looking for the grid…", button("Cancel", cancel));
  else {
    tell("");
    announce("The agent is solving.");
  }
  try {
    const asked = { seconds: Number($("seconds").value) || 30, explain: true };
    await api.solve(puzzle, hasClues() ? { ...asked, providers } : asked, stop.signal, (name, data) => {
      if (state.agent !== agent || (name === "searching" && agent.status === SEARCHING)) return; // many come: nothing new
      HEARD[name]?.(agent, data);
      touch("agent");
    });
    if (agent.running) agent.status = "The connection ended before the agent did.";
  } catch (error) {
    if (error.name === "AbortError") {
      agent.status = "Cancelled.";
      log(agent, "Cancelled by you.");
    } else {
      agent.status = "Interrupted.";
      if (!agent.log.length && !agent.cells) agent.started = 0; // it never began
      say($("ask-trouble"), error instanceof api.Refusal ? error.message : "The connection was lost.");
    }
  } finally {
    agent.running = false;
    if (!agent.seconds) agent.seconds = (performance.now() - agent.started) / 1000;
    clearInterval(ticking);
    if (state.agent === agent) {
      if (!agent.cells && !agent.result) state.view = "mine";
      if (agent.quietly) endQuietly(agent);
      else if (!agent.result) announce(agent.status); // else its card is announced
      touch();
    }
  }
  return undefined;
}

/** What is left of a search that was only for the grid: no letter, and no word on how it went unless it failed. */
function endQuietly(agent) {
  const hasGrid = state.puzzle.cells.length > 0;
  tell(hasGrid ? "Here is the grid. Hints and checks are ready." : agent.status || $("ask-trouble").textContent);
  if (hasGrid) state.agent = nothingYet();
}

function log(agent, text) {
  if (!agent.log.includes(text)) agent.log.push(text); // once is enough: a source is asked again in each round
}

const HEARD = {
  waiting(agent, data) {
    agent.status = data.ahead ? `Waiting: ${many(data.ahead, "puzzle")} first…` : "Waiting for a turn…";
  },
  started(agent) {
    agent.status = "Looking for candidates…";
  },
  proposed(agent, data) {
    agent.proposed.set(data.provider, { ...agent.proposed.get(data.provider), ...data.slots });
    const slots = Object.values(data.slots).filter((list) => list.length).length;
    log(agent, `${labelOf(data.provider)}: ${slots ? `candidates for ${many(slots, "slot")}` : "none of these clues"}`);
    agent.status = "Candidates arrive…";
    touch("candidates", "board");
  },
  asked(agent, data) {
    agent.asked.push(...data.exchanges.map((one) => ({ ...one, provider: data.provider })));
  },
  ranked(agent, data) {
    agent.ranked = { ...agent.ranked, ...data.slots };
    data.asked.forEach((name) => agent.weighed.add(name));
    agent.status = "Fitting the candidates together…";
    if (data.asked.length) log(agent, `Weighed together: ${data.asked.map(labelOf).join(", ")}`);
    touch("candidates", "board");
  },
  pattern(agent, data) {
    agent.status = "Trying block patterns…";
    if (state.puzzle.form.gridless && !agent.quietly) takeGrid(data);
  },
  round(agent, data) {
    agent.cells = data.cells;
    const unsure = new Set(data.unsure);
    const sure = new Set(state.puzzle.slots.filter((slot) => !unsure.has(slot.name)).flatMap((slot) => slot.cells));
    agent.soft = new Set(data.cells.keys());
    sure.forEach((cell) => agent.soft.delete(cell));
    const total = state.puzzle.slots.length;
    log(agent, `${data.round ? "Asked again" : "Fitted together"}: ${unsure.size} of ${many(total, "slot")} to look at again`);
    agent.frames.push({ told: data.round ? `Round ${data.round + 1}` : "First round", cells: data.cells, soft: agent.soft, unsure: unsure.size });
    agent.status = unsure.size ? "Looking again…" : "Weighing the whole grid…";
    touch("board", "lists", "candidates");
  },
  searching(agent) {
    agent.status = SEARCHING;
  },
  propagated(agent, data) {
    log(agent, data.solved ? "Deduction alone settled everything." : "Deduction has gone as far as it goes; the search takes over.");
    agent.status = data.solved ? "Deduced." : SEARCHING;
  },
  racing(agent, data) {
    log(agent, `If it takes long, ${data.against} takes turns with the search.`);
  },
  step(agent, data) {
    agent.steps.push(data);
    agent.step = agent.steps.length;
    touch("stepper");
  },
  warning(agent, data) {
    log(agent, `⚠ ${data.text}`);
  },
  failed(agent, data) {
    Object.assign(agent, { running: false, cells: null, ranked: null, status: "Failed." });
    say($("ask-trouble"), data.error);
  },
  solution(agent, data) {
    state.puzzle.exports = data.exports;
    buildMenu();
    if (data.board) takeGrid(data.board);
    Object.assign(agent, { running: false, result: data, cells: data.cells || agent.cells, soft: new Set(), seconds: data.elapsed });
    agent.status = isSolved(data) ? "Solved." : data.termination === "cancelled" ? "Cancelled." : "Done.";
    touch();
  },
};

function takeGrid(board) {
  if (state.together) return; // others fill the grid that is there
  const { width, height, cells, numbers, slots } = board;
  const blocks = (some) => some.map((cell) => Number(cell === BLOCK)).join("");
  if (blocks(cells) === blocks(state.puzzle.cells)) return; // the person may have begun to fill it
  const clues = new Map(state.puzzle.slots.map((slot) => [slot.name, slot.clue]));
  Object.assign(state.puzzle, { width, height, cells, numbers });
  state.puzzle.slots = slots.map((slot) => ({ ...slot, clue: slot.clue || clues.get(slot.name) || "" }));
  onGrid();
}

// ---- drawing ----

paints("clock", () => {
  const { agent } = state;
  const seconds = agent.running ? (performance.now() - agent.started) / 1000 : agent.seconds;
  // whole seconds while it runs: a number that flickers disturbs, and each change draws a frame
  $("clock").textContent = !agent.started ? "" : agent.running ? `${Math.floor(seconds)} s` : duration(seconds);
});

paints("views", () => {
  $("views").hidden = !state.agent.started;
  if (state.agent.quietly) $("views").hidden = true;
  document.querySelectorAll("[data-view]").forEach((button) => button.setAttribute("aria-pressed", button.dataset.view === state.view));
  const isMine = state.view === "mine";
  $("view-puzzle").classList.toggle("watching", !isMine);
  const { result } = state.agent;
  const doubtful = (result?.confidence || []).flat().some((p) => p < UNSURE);
  const sentences = [doubtful && "Tinted cells are doubtful and carry their percentage; hatched ones are guesses, below 50 %.", result?.differences?.length && "Framed cells differ from the official solution."];
  say($("legend"), !isOutcome() ? "" : sentences.filter(Boolean).join(" "));
});

let drawn = ""; // the log now on the page

paints("agent", () => {
  const { agent } = state;
  const isFocused = [$("watch"), $("cancel")].includes(document.activeElement);
  $("watch").hidden = agent.running;
  $("watch").textContent = agent.result ? "Watch it again" : "Watch it solve";
  $("cancel").hidden = !agent.running;
  if (isFocused) $(agent.running ? "cancel" : "watch").focus({ preventScroll: true });
  $("progress").hidden = !agent.started;
  $("progress").classList.toggle("busy", agent.running);
  $("status").textContent = agent.status;
  const key = `${agent.started}/${agent.log.length}`;
  if (drawn !== key) {
    drawn = key;
    $("log").replaceChildren(...agent.log.map((text) => h("li", {}, text)));
  }
  const slots = state.puzzle?.slots.length || 0;
  for (const one of offered) {
    const lists = agent.proposed.get(one.name) || [...agent.proposed].find(([name]) => name.startsWith(`${one.name}:`))?.[1];
    const got = lists ? Object.values(lists).filter((list) => list.length).length : 0;
    const came = $(`came-${one.name}`);
    const isWeighed = !lists && agent.weighed.has(one.name); // without a list: every word of the lexicon
    came.textContent = lists ? (got ? `${got} of ${slots} words` : "nothing") : isWeighed ? "weighed every word" : "";
    came.classList.toggle("none", !got && !isWeighed);
  }
  const named = offered.filter((one) => $(`provider-${one.name}`).checked).map((one) => one.label);
  $("asks").textContent = !hasClues() ? "By deduction and search, on this machine." : named.length ? `Asks: ${named.join(", ")}.` : "No one is asked: choose below.";
});
