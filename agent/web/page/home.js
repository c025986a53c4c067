// The first look: the puzzle of the day, what was begun, and puzzles of every kind.

import { $, button, clock, h } from "./dom.js";
import { forget, recent } from "./saving.js";
import * as store from "./store.js";
import { DAY_MS } from "./winning.js";

const FEW = 6; // examples of a kind, and puzzles begun, that are shown at once

const addressOf = (id) => `#example=${encodeURIComponent(id)}`;

/** Draw the card of the puzzle of the day; `open(id, solves)` opens it. */
export function drawToday(examples, open) {
  const one = examples.today;
  const place = $("today");
  place.hidden = !one;
  if (!one) return;
  const begun = recent().find((entry) => entry.key === one.key);
  const date = new Date().toLocaleDateString("en", { weekday: "long", day: "numeric", month: "long" });
  place.replaceChildren(
    thumbnail(one.shape),
    h("div", {},
      h("p", { class: "soft" }, date),
      h("h2", {}, one.title),
      h("p", { class: "soft" }, `${one.size.replace("x", "×")} mini${begun ? `, ${progressInWords(begun)}` : ""}`),
      h("div", { class: "row" },
        h("a", { class: "button primary", href: addressOf(one.id) }, begun && !begun.won ? "Go on" : begun ? "Look at it" : "Play"),
        begun ? [] : button("Solve for me", () => open({ example: one.id }, true)),
      ),
    ),
  );
}

/** A tiny picture of a grid's blocks, from its rows. */
function thumbnail(rows) {
  const cells = rows.flatMap((row) => [...row].map((cell) => h("i", { class: cell === "#" ? "block" : null })));
  const box = h("div", { class: "thumbnail", "aria-hidden": "true" }, cells);
  box.style.setProperty("--w", rows[0].length);
  return box;
}

const progressInWords = (one) =>
  one.revealed ? "revealed" : one.won ? `solved in ${clock(one.seconds)}` : one.done ? `${Math.floor((100 * one.done) / one.all)} % filled` : "opened";

/** List what was begun. */
export function drawRecent() {
  const rows = recent().slice(0, FEW);
  $("recent").hidden = !rows.length;
  $("recent-list").replaceChildren(...rows.map((one) => h("li", {},
    h("a", { class: "example-link", href: `#puzzle=${one.key}` }, h("span", { dir: "auto" }, one.title), h("span", { class: "soft" }, [one.size, progressInWords(one)].filter(Boolean).join(" · "))),
    button("×", () => { forget(one.key); drawRecent(); }, { class: "plain icon", "aria-label": `Forget ${one.title}`, title: "Forget" }),
  )));
}

/** List the shipped examples by kind, each kind with its rules. */
export function drawExamples({ kinds, earlier }) {
  const done = new Set(store.get("results", []).map((one) => one.key));
  const link = (one) => h("li", {}, h("a", { class: "example-link", href: addressOf(one.id) }, h("span", {}, one.title), h("span", { class: "soft" }, `${done.has(one.key) ? "✓ " : ""}${(one.size || "").replace("x", "×")}`)));
  const named = earlier.map((one) => ({ ...one, title: `${new Date(one.day * DAY_MS).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" })}: ${one.title}` }));
  const days = { name: "daily", heading: "Minis of the last days", rules: [], puzzles: named };
  const parts = [days, ...kinds].map((kind) => {
    const links = kind.puzzles.map(link);
    const rest = links.slice(FEW);
    return h(
      "section",
      { class: `kind ${kind.name}` },
      h("h3", {}, kind.heading),
      kind.rules.length ? h("p", { class: "soft note" }, kind.rules.join(" ")) : [],
      h("ul", { class: "plain-list" }, links.slice(0, FEW)),
      rest.length ? h("details", {}, h("summary", {}, `${rest.length} more`), h("ul", { class: "plain-list" }, rest)) : [],
    );
  });
  $("examples").replaceChildren(...parts);
}
