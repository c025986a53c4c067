// The end of a puzzle: the clock stops, a moment of joy, statistics kept in this browser, a result to share.

import { $, announce, button, clock, h, many } from "./dom.js";
import { save } from "./saving.js";
import { isRevealed, state, touch } from "./state.js";
import * as store from "./store.js";

export const DAY_MS = 86_400_000;

/** The day of a moment here, as a number that grows by one each midnight. */
export const dayOf = (when = new Date()) => Math.floor((when.getTime() - when.getTimezoneOffset() * 60_000) / DAY_MS);

/** Stop the clock and rejoice, once for each puzzle. */
export function win() {
  if (state.won) return;
  state.won = true;
  const { puzzle, seconds, helped } = state;
  if (isRevealed()) {
    save();
    touch();
    return;
  }
  state.rejoicing = true;
  const results = store.get("results", []).filter((one) => one.key !== puzzle.key);
  const { people = [], you } = state.together || {};
  const others = people.filter((one) => one.number !== you).map((one) => one.name);
  const result = { key: puzzle.key, size: `${puzzle.width}×${puzzle.height}`, kind: puzzle.form.title, seconds: Math.round(seconds), helped: helped.size, day: dayOf(), others };
  store.set("results", [...results, result]);
  save();
  touch();
  announce(`Solved in ${clock(seconds)}.`);
  drawCard(true);
}

/** Draw the card of a puzzle that was solved, with the way to share the result; take it away from another. */
export function drawCard(isNew = false) {
  const place = $("won");
  const { seconds, helped } = state;
  place.hidden = !state.won || isRevealed();
  if (place.hidden) return;
  const results = store.get("results", []);
  const { streak, best } = summary(results, dayOf());
  const others = othersIn(results.find((one) => one.key === state.puzzle.key));
  const size = `${state.puzzle.width}×${state.puzzle.height}`;
  const facts = [
    others.length && `together with ${new Intl.ListFormat("en").format(others)}`,
    helped.size ? `${many(helped.size, "cell")} with help` : "without help",
    !state.puzzle.official && state.puzzle.form.clues && "as the agent has it, no official solution came with it",
    !others.length && best[size] === Math.round(seconds) && !helped.size && `your best ${size}`,
    streak > 1 && `${streak} days in a row`,
  ].filter(Boolean);
  place.replaceChildren(
    h("h2", {}, `Solved in ${clock(seconds)}`),
    h("p", {}, `${facts.join(", ")}.`.replace(/^./, (letter) => letter.toUpperCase())),
    h("div", { class: "row" }, button("Share", share, { id: "share" }), h("a", { class: "button", href: "#statistics" }, "Statistics"), h("a", { class: "button", href: "#open" }, "Another puzzle")),
  );
  if (isNew) place.scrollIntoView({ block: "nearest" });
}

/** Those who solved a puzzle together with the person, by their names; none if it was solved alone. */
const othersIn = (result) => result?.others || [];

/** The result as text without a letter of the solution. */
export function resultText({ puzzle, seconds, helped, others = [] }) {
  const { width, cells } = puzzle;
  const rows = [];
  for (let at = 0; at < cells.length; at += width) {
    rows.push(cells.slice(at, at + width).map((cell, k) => (cell === "#" ? "⬛" : helped.has(at + k) ? "🟨" : "🟩")).join(""));
  }
  const help = helped.size ? `${many(helped.size, "cell")} with help` : "no help";
  return [`${puzzle.heading}, ${width}×${puzzle.height}`, `Solved in ${clock(seconds)}${others.length ? `, ${others.length + 1} of us together` : ""}, ${help}`, ...(width <= 15 ? rows : [])].join("\n");
}

async function share(event) {
  const asked = event.currentTarget;
  const result = store.get("results", []).find((one) => one.key === state.puzzle.key);
  const text = resultText({ ...state, others: othersIn(result) });
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ text });
    else await navigator.clipboard.writeText(text);
    asked.textContent = "Copied";
  } catch (error) {
    if (error.name === "AbortError") return; // the person closed the sheet
    const field = h("textarea", { rows: text.split("\n").length, readonly: true, "aria-label": "Result to copy" });
    field.value = text;
    asked.replaceWith(field);
    field.select();
  }
}

/** Statistics of results: days in a row up to today; by size those solved, and of those alone the best and average time. */
export function summary(results, today) {
  const days = new Set(results.map((one) => one.day));
  let last = days.has(today) ? today : today - 1;
  let streak = 0;
  while (days.has(last)) {
    streak += 1;
    last -= 1;
  }
  const best = {};
  const groups = new Map();
  for (const one of results) {
    groups.set(one.size, [...(groups.get(one.size) || []), one]);
    if (!one.helped && !othersIn(one).length) best[one.size] = Math.min(best[one.size] ?? Infinity, one.seconds);
  }
  const sizes = [...groups].map(([size, all]) => {
    const alone = all.filter((one) => !othersIn(one).length);
    const average = alone.length ? alone.reduce((sum, one) => sum + one.seconds, 0) / alone.length : undefined;
    return { size, solved: all.length, best: best[size], average, together: all.length - alone.length, unhelped: all.filter((one) => !one.helped).length };
  });
  sizes.sort((a, b) => parseInt(a.size, 10) - parseInt(b.size, 10) || b.solved - a.solved);
  return { solved: results.length, streak, longest: longest(days), best, sizes };
}

function longest(days) {
  let most = 0;
  let run = 0;
  let before = null;
  for (const day of [...days].sort((a, b) => a - b)) {
    run = before === day - 1 ? run + 1 : 1;
    most = Math.max(most, run);
    before = day;
  }
  return most;
}

/** Draw the view of statistics. */
export function drawStatistics() {
  const { solved, streak, longest: record, sizes } = summary(store.get("results", []), dayOf());
  const number = (value, text) => h("div", { class: "figure" }, h("b", {}, value), h("span", { class: "soft" }, text));
  const isShared = sizes.some((one) => one.together);
  const isTold = (_, column) => isShared || column !== 2; // no column for what was never done
  const head = ["Size", "Solved", "Together", "No help", "Best", "Average"].filter(isTold);
  const time = (seconds) => (seconds === undefined ? "–" : clock(seconds));
  const row = (one) => [one.size, one.solved, one.together, one.unhelped, time(one.best), time(one.average)].filter(isTold);
  $("statistics").replaceChildren(
    h("div", { class: "figures" }, number(solved, solved === 1 ? "puzzle solved" : "puzzles solved"), number(streak, streak === 1 ? "day in a row" : "days in a row"), number(record, "longest run of days")),
    sizes.length
      ? h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "By size" }, h("table", {}, h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, sizes.map((one) => h("tr", {}, row(one).map((value) => h("td", {}, value)))))))
      : h("p", {}, "Nothing yet: solve a puzzle, and it is counted here."),
    h("p", { class: "soft" }, "Times are those of puzzles solved alone, the best without help. Kept in this browser only."),
  );
}
