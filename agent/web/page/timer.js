// The person's time: it runs from the first letter on, while the person's own grid is on show and not paused. In a room
// it is the server's, which runs while somebody is there.

import { $, clock, hide } from "./dom.js";
import { paints, state, touch } from "./state.js";

let last = 0;

const isOnShow = () => state.begun && !state.paused && state.view === "mine" && !document.hidden && !$("view-puzzle").hidden;
const runs = () => !state.won && (state.together ? state.together.runs : isOnShow());

function tick() {
  const now = performance.now();
  if (runs() && last) {
    state.seconds += Math.min(2, (now - last) / 1000);
    touch("timer");
  }
  last = now;
}

/** Begin to count. */
export function start() {
  setInterval(tick, 1000);
  $("pause").addEventListener("click", () => pause(!state.paused));
  document.addEventListener("visibilitychange", tick);
}

const canPause = () => state.begun && !state.won && !state.together;

/** Pause, or go on. A paused grid is covered. */
export function pause(paused) {
  state.paused = paused && canPause();
  touch("timer", "board");
}

paints("timer", () => {
  $("timer").textContent = clock(state.seconds);
  hide($("pause"), !canPause());
  $("pause").textContent = state.paused ? "Go on" : "Pause";
  $("view-puzzle").classList.toggle("paused", state.paused);
  if (state.paused) $("resume").textContent = `Paused at ${clock(state.seconds)}. Click or type to go on.`;
  hide($("resume"), !state.paused);
});
