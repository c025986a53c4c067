// The page of the judge's verdicts on functions that models wrote: one row each, faults with their counter-examples as
// grids, a chart. It starts here.

import * as api from "./api.js";
import { $, announce, card, h, many, say } from "./dom.js";
import { start as startDropping } from "./dropping.js";
import { picture } from "./picture.js";
import * as store from "./store.js";
import { start as startTheme } from "./theme.js";

startTheme();
startDropping(showFile);
$("verdict-form").addEventListener("submit", (event) => {
  event.preventDefault();
  show($("verdict-text").value);
});
$("verdict-file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) await showFile(file);
  event.target.value = "";
});
const last = store.get("verdicts");
if (last) {
  $("verdict-text").value = last;
  show(last);
}

/** Show the lines in a file. */
async function showFile(file) {
  $("verdict-text").value = await file.text();
  await show($("verdict-text").value);
}

async function show(text) {
  say($("verdict-trouble"), "");
  try {
    const found = await api.verdicts(text);
    $("verdict-list").replaceChildren(...drawing(found));
    store.set("verdicts", text);
    announce(`${many(found.verdicts.length, "verdict")} shown.`);
  } catch (error) {
    say($("verdict-trouble"), error.message);
  }
}

function drawing({ verdicts, searches, chart }) {
  const accepted = verdicts.filter((one) => one.accepted).length;
  const parts = [];
  if (verdicts.length) {
    parts.push(h("h2", {}, `${accepted} of ${many(verdicts.length, "function")} accepted`));
    parts.push(...verdicts.map(functionCard));
  }
  if (searches.length) {
    const image = h("img", { alt: `Expansions of ${many(searches.length, "search", "searches")}, on a log axis`, class: "chart" });
    image.src = URL.createObjectURL(new Blob([chart], { type: "image/svg+xml" }));
    image.addEventListener("load", () => URL.revokeObjectURL(image.src));
    parts.push(card("Expansions of the searches", "", chart ? image : [], searchTable(searches)));
  }
  return parts;
}

function searchTable(searches) {
  const head = ["Who", "Strategy", "Instance", "Ended", "Expansions", "Seconds"];
  const row = (one) => [one.who, one.strategy, one.instance, one.ended, one.expansions?.toLocaleString("en"), one.seconds?.toFixed(2)];
  return h(
    "details",
    {},
    h("summary", {}, "As a table"),
    h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Searches" },
      h("table", {}, h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, searches.map((one) => h("tr", {}, row(one).map((value) => h("td", {}, value ?? "")))))),
    ),
  );
}

function functionCard(one) {
  const facts = [one.role, one.cases ? many(one.cases, "case") : "", one.seconds ? `${one.seconds.toFixed(2)} s` : "", typeof one.expansions === "number" ? many(one.expansions, "expansion") : ""].filter(Boolean);
  return h(
    "section",
    { class: `card verdict ${one.accepted ? "good" : "poor"}` },
    h("h3", {}, h("span", { class: "sign" }, one.accepted ? "✓ accepted" : "✗ refused"), " ", h("span", { class: "name" }, one.name), " ", h("em", {}, one.verdict)),
    h("p", { class: "soft" }, facts.join(" · ")),
    one.remarks?.length ? h("p", { class: "soft" }, `Remarks: ${one.remarks.join(", ")}`) : [],
    one.faults.map((fault, at) => faultDetails(fault, at === 0)),
  );
}

function faultDetails(fault, open) {
  const head = [h("b", {}, fault.name), fault.weight && fault.weight !== fault.name ? ` (${fault.weight})` : "", fault.count ? `, ${many(fault.count, "case")}` : "", fault.text ? `: ${fault.text}` : ""];
  const example = fault.counter_example;
  return h("details", { open }, h("summary", {}, ...head), example ? counterExample(example) : [], fault.feedback ? h("p", { class: "feedback" }, fault.feedback) : []);
}

function counterExample({ state, came, offending, expected, right }) {
  const figures = [
    state ? figure("Given this state", state) : [],
    offending.map((grid) => figure("this is at fault", grid, state)),
    expected.map((grid) => figure("this would be right", grid, state)),
  ].flat();
  const texts = [came ? h("p", {}, h("b", {}, "It answered: "), came) : [], right ? h("p", {}, h("b", {}, "Right: "), right) : []].flat();
  return h("div", { class: "example" }, h("div", { class: "pair" }, figures), texts);
}

/** A grid of rows; cells that differ from `before` are marked. */
function figure(label, rows, before = null) {
  const width = Math.max(...rows.map((row) => row.length), 1);
  const cells = rows.flatMap((row) => Array.from({ length: width }, (_, k) => String(row[k] ?? "·")));
  const marked = before ? cells.flatMap((cell, at) => (cell !== String(before[Math.floor(at / width)]?.[at % width] ?? ".") ? [at] : [])) : [];
  return h("figure", {}, picture({ width, height: rows.length, cells, marked, label }), h("figcaption", {}, label));
}
