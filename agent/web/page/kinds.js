// The parts of puzzles without clues besides the grid: words to tick off or trace, and deductions to step through.

import { $, button, h, put } from "./dom.js";
import { paints, shown, state, touch } from "./state.js";

let shownWords = new Map(); // a word that is traced, or the place of one that is ticked off -> element

/** List the words: each traces its path, or is ticked off, by length. */
export function buildWords() {
  const { puzzle } = state;
  shownWords = new Map();
  if (!puzzle.words) return;
  const lists = $("lists");
  const { traced } = puzzle.form;
  const groups = new Map();
  puzzle.words.forEach((word, at) => {
    const group = traced ? "Words" : `${word.length} letters`;
    groups.set(group, [...(groups.get(group) || []), [word, at]]);
  });
  const byLength = (one, other) => one[1][0][0].length - other[1][0][0].length;
  const sections = [...groups].sort(byLength).map(([title, words]) =>
    h(
      "section",
      { class: "words" },
      h("h2", {}, title),
      h("ul", {}, words.map(([word, at]) => h("li", {}, traced ? tracer(word) : ticker(word, at)))),
    ),
  );
  if (traced) sections.unshift(h("p", { id: "letters-left" }));
  if (traced) sections.push(h("p", { class: "soft hint", id: "trace-hint" }, "Solved, each word traces its path from the full ring to the broken one."));
  lists.append(...sections);
}

function tracer(word) {
  const trace = () => {
    const { agent } = state;
    Object.assign(agent, { word: agent.word === word ? "" : word, other: false, step: agent.steps.length, stepping: false });
    state.view = "agent";
    touch();
    $("board-place").scrollIntoView({ block: "nearest" }); // on a phone the words are below it
  };
  const element = button(word, trace, { class: "word", "aria-pressed": "false", disabled: true });
  shownWords.set(word, element);
  return element;
}

function ticker(word, at) {
  const element = h("span", { class: "word" }, word, h("span", { class: "tick" }));
  shownWords.set(at, element);
  return element;
}

paints("words", () => {
  const { puzzle, agent } = state;
  if (!puzzle?.words) return;
  if (puzzle.form.traced) {
    for (const [word, element] of shownWords) {
      element.disabled = !agent.result?.paths?.[word];
      element.setAttribute("aria-pressed", agent.word === word && state.view === "agent");
    }
    const written = new Set(shown());
    const left = [...puzzle.letters].filter((sign) => !written.has(sign));
    put($("letters-left"), "textContent", left.length ? `Letters to place: ${left.join(" ")}` : "Every letter has its place.");
    return;
  }
  // how often each word stands in a full slot
  const cells = shown();
  const stand = new Map();
  for (const slot of puzzle.slots) {
    const text = slot.cells.map((cell) => cells[cell]).join("").toUpperCase();
    stand.set(text, (stand.get(text) || 0) + 1);
  }
  puzzle.words.forEach((word, at) => {
    const element = shownWords.get(at);
    const key = word.toUpperCase();
    const isUsed = stand.get(key) > 0;
    if (isUsed) stand.set(key, stand.get(key) - 1);
    if (element.classList.contains("used") === isUsed) return;
    element.classList.toggle("used", isUsed);
    element.lastChild.textContent = isUsed ? " ✓" : "";
  });
});

// ---- deductions, one by one ----

const go = (to) => () => {
  const { agent } = state;
  agent.step = Math.max(0, Math.min(agent.steps.length, to(agent)));
  agent.other = false;
  agent.stepping = true;
  touch("board", "stepper", "words");
};

/** Build the buttons of the stepper once. */
export function buildStepper() {
  const range = h("input", { type: "range", id: "step-range", min: 0, value: 0, "aria-label": "Step of the deduction" });
  range.addEventListener("input", go(() => Number(range.value)));
  $("stepper").append(
    h("div", { class: "row" }, button("‹ Previous", go((agent) => agent.step - 1)), range, button("Next ›", go((agent) => agent.step + 1))),
    h("p", { id: "step-text", class: "step-text", "aria-live": "polite" }),
  );
}

paints("stepper", () => {
  const { agent } = state;
  const stepper = $("stepper");
  stepper.hidden = !agent.steps.length || agent.running || state.view !== "agent";
  if (stepper.hidden) return;
  const range = $("step-range");
  range.max = agent.steps.length;
  range.value = agent.step;
  const step = agent.steps[agent.step - 1];
  const text = `${agent.step} of ${agent.steps.length}${step ? ` · ${step.rule}: ${step.text}` : " · as it was given"}`;
  range.setAttribute("aria-valuetext", text);
  $("step-text").textContent = text;
});
