// The puzzle on paper: blank, with the person's letters, or with the agent's answer.

import { $ } from "./dom.js";
import { paint, state, touch } from "./state.js";

/** Wire the menu. */
export function printing() {
  $("print").addEventListener("click", (event) => {
    const what = event.target.dataset.print;
    if (!what) return;
    $("print").open = false;
    const { view } = state;
    state.view = what === "solution" ? "agent" : "mine";
    $("view-puzzle").classList.toggle("blank-print", what === "blank");
    touch();
    paint();
    print();
    state.view = view;
    touch();
  });
}
