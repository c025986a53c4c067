// Watching the agent: the providers asked, the events, the outcome. Events are only noted; the next frame draws them.

import * as api from "./api.js";
import { UNSURE, picture } from "./board.js";
import { $, announce, button, card, duration, h, many, percent, say } from "./dom.js";
import { buildMenu } from "./exporting.js";
import { BLOCK, EMPTY, activeSlot, hasClues, nothingYet, otherCells, paints, state, touch } from "./state.js";

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
        h("span", { class: "came", id: `came-${one.name}` }),
        h("span", { class: "note soft", id: `note-${one.name}` }, one.note),
      ),
    );
  }
}

/** Names of the providers that are ticked. */
export const chosenProviders = () => [...document.querySelectorAll("input[name=provider]:checked")].map((box) => box.value);

const labelOf = (name) => offered.find((one) => one.name === name)?.label || name;

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

/** Have the agent solve the puzzle, and follow it. */
export async function watch() {
  const { puzzle } = state;
  const providers = chosenProviders();
  if (hasClues() && !providers.length) return say($("ask-trouble"), "Choose at least one provider.");
  say($("ask-trouble"), "");
  cancel();
  const agent = nothingYet();
  Object.assign(agent, { running: true, settling: true, status: "Starting…", started: performance.now() });
  state.agent = agent;
  state.view = "agent";
  $("board-place").scrollIntoView({ block: "nearest" });
  stop = new AbortController();
  const ticking = setInterval(() => touch("clock"), 100);
  touch();
  announce("The agent is solving.");
  try {
    const asked = { seconds: Number($("seconds").value) || 30, explain: true };
    await api.solve(puzzle, hasClues() ? { ...asked, providers } : asked, stop.signal, (name, data) => {
      if (state.agent !== agent) return;
      HEARD[name]?.(agent, data);
      touch("agent");
    });
    if (agent.running) agent.status = "The connection ended before the agent did.";
  } catch (error) {
    if (error.name === "AbortError") {
      agent.status = "Cancelled.";
      log(agent, "Cancelled by you.");
    } else {
      agent.status = "";
      say($("ask-trouble"), error instanceof api.Refusal ? error.message : "The connection was lost.");
    }
  } finally {
    agent.running = false;
    if (!agent.seconds) agent.seconds = (performance.now() - agent.started) / 1000;
    clearInterval(ticking);
    if (state.agent === agent) {
      if (!agent.cells && !agent.result) state.view = "mine";
      announce(agent.status);
      touch();
    }
  }
  return undefined;
}

const log = (agent, text) => agent.log.push(text);

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
  ranked(agent, data) {
    agent.ranked = { ...agent.ranked, ...data.slots };
    agent.status = "Fitting the candidates together…";
    if (data.asked.length) log(agent, `Weighed together: ${data.asked.map(labelOf).join(", ")}`);
    touch("candidates", "board");
  },
  pattern(agent, data) {
    agent.status = "Trying block patterns…";
    if (state.puzzle.form.gridless) takeGrid(data);
  },
  round(agent, data) {
    agent.cells = data.cells;
    const unsure = new Set(data.unsure);
    const sure = new Set(state.puzzle.slots.filter((slot) => !unsure.has(slot.name)).flatMap((slot) => slot.cells));
    agent.soft = new Set(data.cells.keys());
    sure.forEach((cell) => agent.soft.delete(cell));
    const total = state.puzzle.slots.length;
    log(agent, `${data.round ? "Asked again" : "Fitted together"}: ${unsure.size} of ${many(total, "slot")} to look at again`);
    agent.status = unsure.size ? "Looking again…" : "Weighing the whole grid…";
    touch("board", "lists", "candidates");
  },
  searching(agent, data) {
    agent.status = `Searching: ${many(data.expansions, "expansion")}`;
  },
  propagated(agent, data) {
    log(agent, data.solved ? "Deduction alone settled everything." : "Deduction has gone as far as it goes; the search takes over.");
    agent.status = data.solved ? "Deduced." : "Searching…";
  },
  "handed over"(agent, data) {
    log(agent, `Handed over to ${data.to}.`);
    agent.status = `${data.to} works on it…`;
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
    agent.status = data.solved ? "Solved." : data.termination === "cancelled" ? "Cancelled." : "Done.";
    touch();
  },
};

function takeGrid(board) {
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
  $("clock").textContent = agent.started ? duration(seconds) : "";
});

paints("views", () => {
  $("views").hidden = !state.agent.started;
  document.querySelectorAll("[data-view]").forEach((button) => button.setAttribute("aria-pressed", button.dataset.view === state.view));
  const isMine = state.view === "mine";
  $("view-puzzle").classList.toggle("watching", !isMine);
  const { result, other } = state.agent;
  const doubtful = (result?.confidence || []).flat().some((p) => p < UNSURE);
  const sentences = [doubtful && "Tinted cells are doubtful and carry their percentage; hatched ones are guesses, below 50 %.", result?.differences?.length && "Framed cells differ from the official solution."];
  say($("legend"), isMine || other ? "" : sentences.filter(Boolean).join(" "));
});

let drawn = null; // the result now on the page

paints("agent", () => {
  const { agent } = state;
  const isFocused = [$("watch"), $("cancel")].includes(document.activeElement);
  $("watch").hidden = agent.running;
  $("watch").textContent = agent.result ? "Watch it again" : "Watch it solve";
  $("cancel").hidden = !agent.running;
  if (isFocused) $(agent.running ? "cancel" : "watch").focus();
  $("progress").hidden = !agent.started;
  $("progress").classList.toggle("busy", agent.running);
  $("status").textContent = agent.status;
  const lines = $("log");
  if (lines.dataset.count !== `${agent.started}/${agent.log.length}`) {
    lines.dataset.count = `${agent.started}/${agent.log.length}`;
    lines.replaceChildren(...agent.log.map((text) => h("li", {}, text)));
  }
  const slots = state.puzzle?.slots.length || 0;
  for (const one of offered) {
    const lists = agent.proposed.get(one.name) || [...agent.proposed].find(([name]) => name.startsWith(`${one.name}:`))?.[1];
    const got = lists ? Object.values(lists).filter((list) => list.length).length : 0;
    $(`came-${one.name}`).textContent = lists ? (got ? `${got} of ${slots} slots` : "nothing") : "";
  }
  if ($("other")) $("other").textContent = OTHER[Number(agent.other)];
  if (drawn !== agent.result) {
    drawn = agent.result;
    $("result").replaceChildren(...(agent.result ? resultCard(agent.result) : []));
  }
});

const OTHER = ["Show the other filling", "Back to the first filling"];

function resultCard(result) {
  const sentences = result.remarks || (result.summary.includes(result.reason) ? [] : [result.reason]);
  const { expansions, tokens, cost: dollars } = result.stats;
  const cost = [!result.remarks && many(expansions, "expansion"), tokens && many(tokens, "token"), dollars && `$${dollars.toFixed(4)}`].filter(Boolean).join(" · ");
  // tick and colour follow the summary: the probability of the whole grid; of the other kinds, that every rule is met
  const outcome = card(
    `${result.solved ? "✓ " : ""}${result.summary}`,
    `outcome ${result.solved ? "good" : ""}`,
    sentences.length > 0 && h("ul", { class: "remarks" }, sentences.map((text) => h("li", {}, text))),
    (result.warnings || []).map((text) => h("p", { class: "warning" }, `⚠ ${text}`)),
    cost && h("p", { class: "soft" }, cost),
  );
  const cards = [outcome];
  const other = otherCells();
  if (other) {
    const swap = () => {
      state.agent.other = !state.agent.other;
      state.view = "agent";
      touch();
    };
    outcome.append(h("div", { class: "equal" }, h("p", {}, h("b", {}, "There is another filling. "), "Cells in which the two differ are framed."), button(OTHER[0], swap, { id: "other" })));
  }
  if (result.official) cards.push(sideBySide(result));
  return cards;
}

function sideBySide(result) {
  const { width, height, date } = state.puzzle;
  const n = result.differences.length;
  const both = { width, height, marked: result.differences.filter((cell) => result.cells[cell] !== EMPTY) };
  const verdict = n ? `They differ in ${many(n, "cell")}, striped in both.` : "They are the same, letter for letter.";
  return card(
    "Next to the official solution",
    "beside",
    h("p", {}, verdict),
    h(
      "div",
      { class: "pair" },
      h("figure", {}, picture({ ...both, cells: result.official, label: "Official solution" }), h("figcaption", {}, "Official", date ? `, ${date}` : "")),
      h("figure", {}, picture({ ...both, cells: result.cells, label: "The agent’s solution" }), h("figcaption", {}, `The agent’s, ${duration(result.elapsed)}`)),
    ),
  );
}

// ---- candidates of the active slot ----

function bars(list, chosen = "") {
  const rows = list.map(({ answer, probability, source }) => {
    const fill = h("span", { class: "fill" });
    fill.style.setProperty("--p", probability);
    return h(
      "tr",
      { class: answer === chosen ? "chosen" : null },
      h("th", { scope: "row" }, answer, answer === chosen ? h("span", { class: "away" }, " (chosen)") : []),
      h("td", { class: "bar", "aria-hidden": "true" }, h("span", { class: "track" }, fill)),
      h("td", { class: "percent" }, percent(probability)),
      h("td", { class: "source" }, source || ""),
    );
  });
  const head = ["Word", "", "Sure", list.some((one) => one.source) ? "From" : ""];
  return h("table", { class: "bars" }, h("thead", { class: "away" }, h("tr", {}, head.map((text) => (text ? h("th", { scope: "col" }, text) : h("td"))))), h("tbody", {}, rows));
}

let lastCandidates = "";

paints("candidates", () => {
  const { agent, puzzle } = state;
  const slot = puzzle && activeSlot();
  const place = $("candidates");
  if (!slot || state.view !== "agent" || !hasClues() || !(agent.running || agent.result)) {
    place.replaceChildren();
    lastCandidates = "";
    return;
  }
  const key = [agent.started, slot.name, agent.running, agent.log.length, Boolean(agent.ranked)].join();
  if (key === lastCandidates) return;
  lastCandidates = key;
  const answer = agent.result?.slots?.find((one) => one.slot === slot.name);
  const parts = [];
  if (answer?.answer) {
    parts.push(bars([answer, ...answer.alternatives].filter((one) => !one.answer.includes(EMPTY)), answer.answer));
    if (answer.why) parts.push(h("p", { class: "why" }, answer.why));
  } else if (agent.ranked?.[slot.name]?.length) {
    parts.push(bars(pairs(agent.ranked[slot.name])));
  }
  const lists = [...agent.proposed].filter(([, slots]) => slots[slot.name]?.length);
  const proposals = lists.map(([provider, slots]) => [h("h3", {}, labelOf(provider)), bars(pairs(slots[slot.name]))]);
  if (proposals.length && agent.result) parts.push(h("details", {}, h("summary", {}, "As proposed, before crossings"), ...proposals.flat()));
  else parts.push(...proposals.flat());
  if (!parts.length) parts.push(h("p", { class: "soft" }, "No provider proposed a word for this slot: its crossings spell it."));
  place.replaceChildren(card(`Candidates for ${slot.name}`, "", ...parts));
});

const pairs = (list) => list.map(([answer, probability]) => ({ answer, probability }));
