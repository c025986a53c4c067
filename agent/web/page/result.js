// The agent's outcome: how sure it is, its rounds to go back to, the official solution next to it, and for each answer
// the reasons.

import { $, announce, button, card, duration, h, many, percent, say } from "./dom.js";
import { UNSURE } from "./board.js";
import { picture } from "./picture.js";
import { EMPTY, activeSlot, hasClues, isOutcome, isSolved, otherCells, paints, slotsAt, state, touch } from "./state.js";
import { labelOf } from "./watch.js";

let drawn = null; // the result now on the page

paints("agent", () => {
  const { agent } = state;
  if (drawn !== agent.result) {
    drawn = agent.result;
    $("result").replaceChildren(...(agent.result && !agent.quietly ? resultCard(agent.result) : []));
    if ($("result").firstChild) announce($("result").querySelector("h2").textContent);
  }
  if ($("other")) $("other").textContent = OTHER[Number(agent.other)];
});

const OTHER = ["Show the other filling", "Back to the first filling"];

/** The outcome in one line: its probability, or how it compares with the official solution. */
function headline(result) {
  const differing = result.differences.length;
  return differing ? `${many(differing, "cell differs", "cells differ")} from the official solution` : `${isSolved(result) ? "✓ " : ""}${result.summary}`;
}

// On a phone the outcome's card is far below the grid: its headline is repeated right there.
paints("views", () => {
  const { result, quietly } = state.agent;
  say($("summary"), result && !quietly && isOutcome() ? headline(result) : "");
  $("summary").classList.toggle("good", Boolean(result && isSolved(result)));
});

function resultCard(result) {
  const sentences = result.remarks || (result.summary.includes(result.reason) ? [] : [result.reason]);
  // tick and colour follow the summary: the probability of the whole grid; of the other kinds, that every rule is met
  const isGood = isSolved(result);
  const differing = result.differences.length;
  const outcome = card(
    headline(result),
    `outcome ${isGood ? "good" : ""}`,
    differing ? h("p", {}, `The agent was ${percent(result.probability)} sure of the whole grid before they were compared.`) : [],
    (result.warnings || []).map((text) => h("p", { class: "warning" }, `⚠ ${text}`)),
    h("details", { class: "how" }, h("summary", {}, "How"), h("ul", { class: "remarks" }, [...sentences, ...costs(result)].filter(Boolean).map((text) => h("li", {}, text)))),
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

/** What it took: sentences for those who want to know. */
function costs({ stats, remarks }) {
  const { expansions, provider_calls: calls } = stats;
  const asked = Object.entries(calls || {}).filter(([, n]) => n).map(([name, n]) => `${labelOf(name)} was sent ${many(n, "request")}.`);
  return [!remarks && `${many(expansions, "expansion")}.`, ...asked, tokensInWords(stats)];
}

function tokensInWords({ tokens, cost }) {
  if (!tokens) return "";
  return `${many(tokens, "token")}${cost ? `, $${cost.toFixed(4)}` : cost === 0 ? ", at no charge" : ", at a price that is not known"}.`;
}

// ---- what language models were asked, in their own words ----

const NOT_ASKED = "Not asked: the cache has no answer, and this server is offline.";
const NO_REPLY = "No reply came while it was waited for. If one still comes, it is kept for the next time.";
let listed = ""; // the exchanges now on the page

paints("agent", () => {
  const { asked, result, running, started } = state.agent;
  const key = `${started}/${asked.length}/${running}`;
  if (listed === key) return;
  listed = key;
  $("asked").hidden = !asked.length;
  const said = (title, text, open = false) => h("details", { open }, h("summary", {}, title), h("pre", { tabindex: 0, dir: "auto" }, text));
  const one = ({ provider, instructions, text, reply, failure, is_cached: isCached, is_late: isLate }, k) => [
    h("h3", {}, `${labelOf(provider)}, request ${k + 1} of ${asked.length}${isCached ? ", answered from the cache" : isLate ? ", too late" : ""}`),
    said("Instructions", instructions),
    said("Question", text, true),
    failure ? h("p", { class: "warning" }, failure) : reply ? said("Reply", reply, true) : h("p", {}, isLate ? NO_REPLY : NOT_ASKED),
    isLate && reply ? h("p", {}, "It came after the waiting had ended: nothing of it was used.") : "",
  ];
  const price = result ? tokensInWords(result.stats) : "";
  $("asked-list").replaceChildren(...asked.flatMap(one), price ? h("p", { class: "soft note" }, price) : "");
});

// ---- rounds: from the first fitting to the outcome ----

paints("agent", () => {
  const { agent } = state;
  const place = $("rounds");
  const rounds = agent.frames.length;
  place.hidden = agent.running || !rounds || !agent.result || state.view !== "agent";
  if (place.hidden) return;
  if (!place.firstChild) {
    const range = h("input", { type: "range", id: "rounds-range", min: 0, "aria-label": "Round of the agent" });
    range.addEventListener("input", () => {
      const { frames } = state.agent;
      const at = Number(range.value);
      Object.assign(state.agent, { frame: at < frames.length ? at : -1, other: false });
      touch();
    });
    place.append(range, h("p", { id: "rounds-text", class: "soft note", "aria-live": "polite" }));
  }
  const range = $("rounds-range");
  range.max = rounds;
  range.value = agent.frame < 0 ? rounds : agent.frame;
  const frame = agent.frames[agent.frame];
  const slots = state.puzzle.slots.length;
  const text = frame ? `${frame.told}: ${slots - frame.unsure} of ${slots} words sure` : "The outcome";
  range.setAttribute("aria-valuetext", text);
  $("rounds-text").textContent = text;
});

// ---- candidates of the active slot ----

function bars(list, { chosen = "", from = () => "" } = {}) {
  const rows = list.map((one) => {
    const { answer, probability } = one;
    const fill = h("span", { class: "fill" });
    fill.style.setProperty("--p", probability);
    return h(
      "tr",
      { class: answer === chosen ? "chosen" : null },
      h("th", { scope: "row" }, answer, answer === chosen ? h("span", { class: "away" }, " (chosen)") : []),
      h("td", { class: "bar", "aria-hidden": "true" }, h("span", { class: "track" }, fill)),
      h("td", { class: "percent" }, percent(probability)),
      h("td", { class: "source" }, from(one)),
    );
  });
  const head = ["Word", "", "Sure", list.some(from) ? "From" : ""];
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
    const ways = [answer, ...answer.alternatives].filter((one) => !one.answer.includes(EMPTY));
    const from = (one) => proposersOf(one.answer, slot, agent).map(labelOf).join(",\n") || labelOf(one.source);
    parts.push(bars(ways, { chosen: answer.answer, from }), h("ul", { class: "why" }, reasons(slot, answer, agent).map((text) => h("li", {}, text))));
  } else if (agent.ranked?.[slot.name]?.length) {
    parts.push(bars(pairs(agent.ranked[slot.name])));
  }
  const lists = [...agent.proposed].filter(([, slots]) => slots[slot.name]?.length);
  const proposals = lists.map(([provider, slots]) => [h("h3", {}, labelOf(provider)), bars(pairs(slots[slot.name]))]);
  if (proposals.length && agent.result) parts.push(h("details", {}, h("summary", {}, "As proposed, before crossings"), ...proposals.flat()));
  else parts.push(...proposals.flat());
  if (!parts.length) parts.push(h("p", { class: "soft" }, agent.running ? "Nothing has come for this word yet." : "Nothing was proposed for this word: its crossings spell it."));
  place.replaceChildren(card(answer?.answer ? `Why ${answer.answer}?` : `Candidates for ${slot.name}`, "", ...parts));
});

const probabilityBy = (name, answer, slot, agent) => agent.proposed.get(name)[slot.name]?.find(([word]) => word === answer)?.[1];

/** The names of the providers that proposed an answer for a slot. */
const proposersOf = (answer, slot, agent) => [...agent.proposed.keys()].filter((name) => probabilityBy(name, answer, slot, agent) !== undefined);

/** Why a slot has its answer: what the clue says, who proposed the word, and what crosses it. */
function reasons(slot, answer, agent) {
  const own = proposersOf(answer.answer, slot, agent).map((name) => `${labelOf(name)} (${percent(probabilityBy(name, answer.answer, slot, agent))})`);
  const crossing = slot.cells.map((cell) => {
    const other = slotsAt(cell).find((one) => one.name !== slot.name);
    const [row, column] = [Math.floor(cell / state.puzzle.width), cell % state.puzzle.width];
    return { other, letter: agent.cells[cell], sure: agent.result.confidence?.[row]?.[column] ?? 0 };
  });
  const pattern = crossing.map(({ letter, sure }) => (sure >= UNSURE ? letter : "?")).join("");
  const doubtful = crossing.filter(({ sure }) => sure < UNSURE).map(({ other, letter, sure }) => `${letter} ${percent(sure)}${other ? ` with ${other.name}` : ""}`);
  return [
    answer.why && `${answer.why.replace(/^./, (letter) => letter.toUpperCase())}.`,
    answer.source === "crossings" ? "No one proposed it: its crossings spell it." : `Proposed by ${own.join(" and ") || labelOf(answer.source)}.`,
    doubtful.length ? `Sure letters: ${pattern}. In doubt: ${doubtful.join(", ")}.` : "Every letter of it is sure: word and crossings agree.",
  ].filter(Boolean);
}

const pairs = (list) => list.map(([answer, probability]) => ({ answer, probability }));
