// The people in a room: who they are, where they write, the link to it, and the way out. Nobody is known by colour alone:
// each has an initial, too.

import { $, h, hide, put, say } from "./dom.js";
import { paint, paints, state, touch } from "./state.js";
import * as together from "./together.js";

const isNarrow = matchMedia("(max-width: 56rem)");
let isOpening = false;

/** Wire the button and the dialogue. */
export function startPeople() {
  $("meet").addEventListener("click", show);
  $("room-copy").addEventListener("click", copy);
  $("room-share").addEventListener("click", share);
  $("room-name").addEventListener("change", () => together.rename($("room-name").value.trim()));
  $("room-leave").addEventListener("click", () => {
    $("room").close();
    together.leave();
  });
  hide($("room-share"), !navigator.share);
  isNarrow.addEventListener("change", () => touch("together"));
}

/** Show the room; open it first if there is none yet. */
async function show() {
  if (isOpening) return;
  isOpening = true;
  say($("trouble"), "");
  const isNew = !state.together;
  try {
    if (isNew) await together.open();
    if (!state.together) return;
    paint();
    $("room-name").value = state.together.name;
    $("room-copy").textContent = "Copy";
    $("room").showModal();
    if (isNew && !matchMedia("(pointer: coarse)").matches) await copy(); // a phone shares it
  } catch (error) {
    say($("trouble"), error.message);
  } finally {
    isOpening = false;
  }
}

/** Copy the link. Pages that come over plain HTTP from another machine have no clipboard but the old one. */
async function copy() {
  const field = $("room-link");
  let isCopied = false;
  try {
    await navigator.clipboard.writeText(field.value);
    isCopied = true;
  } catch {
    field.focus();
    field.select();
    isCopied = document.execCommand("copy");
  }
  $("room-copy").textContent = isCopied ? "Copied" : "Copy";
}

async function share() {
  try {
    await navigator.share({ title: state.puzzle.heading, url: $("room-link").value });
  } catch (error) {
    if (error.name !== "AbortError") await copy(); // else the person closed the sheet
  }
}

/** What stands for each person on the grid: the initial, with a number if somebody before has the same. */
function tagsOf(people) {
  const tags = new Map();
  const used = new Map();
  for (const { number, name } of people) {
    const [initial] = name.toUpperCase();
    const times = (used.get(initial) || 0) + 1;
    used.set(initial, times);
    tags.set(number, times > 1 ? `${initial}${times}` : initial);
  }
  return tags;
}

paints("together", () => {
  const { together: room } = state;
  put($("meet"), "textContent", room ? "Together…" : isNarrow.matches ? "Together" : "Solve together");
  hide($("room-bar"), !room);
  const layer = cursors();
  if (!room) {
    layer?.remove();
    if ($("room").open) $("room").close();
    return;
  }
  put($("room-link"), "value", room.link);
  for (const id of ["room-copy", "room-share"]) put($(id), "disabled", !room.link);
  hide($("room-local"), !room.isLocal);
  put($("room-status"), "textContent", room.status);
  const here = room.people.filter((one) => one.here);
  const tags = tagsOf(room.people);
  const key = here.map((one) => `${one.number} ${one.name}`).join("\n");
  if (key !== $("people").dataset.key) {
    $("people").dataset.key = key;
    $("people").replaceChildren(...here.map((one) => h("li", {}, h("span", { class: `tag by-${one.colour}`, "aria-hidden": "true" }, tags.get(one.number)), h("span", { class: "name", dir: "auto" }, one.name, one.number === room.you ? " (you)" : ""))));
  }
  drawCursors(here.filter((one) => one.number !== room.you && one.direction), tags);
});

const cursors = () => document.querySelector(".cursors");

/** Frame the cells that the others are in. */
function drawCursors(others, tags) {
  const board = $("board");
  if (!board) return;
  let layer = cursors();
  if (!layer) {
    layer = h("div", { class: "cursors", "aria-hidden": "true" });
    board.append(layer);
  }
  const { width, height } = state.puzzle;
  const inCell = new Map();
  layer.replaceChildren(...others.map(({ number, colour, cell }) => {
    const before = inCell.get(cell) || 0;
    inCell.set(cell, before + 1);
    const frame = h("div", { class: `cursor by-${colour}` }, h("span", { class: "tag" }, tags.get(number)));
    for (const [name, value] of [["left", (100 * (cell % width)) / width], ["top", (100 * Math.floor(cell / width)) / height]]) frame.style.setProperty(name, `${value}%`);
    frame.style.setProperty("--before", before);
    return frame;
  }));
}
