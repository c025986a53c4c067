// The person's time: it runs from the first letter on, while the person's own grid is on show and not paused.

import { $, clock, hide } from "./dom.js";
import { paints, state, touch } from "./state.js";

let last = 0;

const runs = () => state.begun && !state.won && !state.paused && state.view === "mine" && !document.hidden && !$("view-puzzle").hidden;

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

/** Pause, or go on. A paused grid is covered. */
export function pause(paused) {
  state.paused = paused && state.begun && !state.won;
  touch("timer", "board");
}

paints("timer", () => {
  $("timer").textContent = clock(state.seconds);
  const canPause = state.begun && !state.won;
  hide($("pause"), !canPause);
  $("pause").textContent = state.paused ? "Go on" : "Pause";
  $("view-puzzle").classList.toggle("paused", state.paused);
  if (state.paused) $("resume").textContent = `Paused at ${clock(state.seconds)}. Click or type to go on.`;
  hide($("resume"), !state.paused);
});
