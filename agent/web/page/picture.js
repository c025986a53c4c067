// Small pictures of grids, for side by side and lists.

import { h } from "./dom.js";
import { BLOCK, EMPTY } from "./state.js";

/** A small picture of cells, for side by side: `marked` cells are striped and framed. */
export function picture({ width, height, cells: values, marked = [], label }) {
  const odd = new Set(marked);
  const words = values.map((value) => ({ [EMPTY]: "blank", [BLOCK]: "block" })[value] || value);
  const rows = Array.from({ length: height }, (_, row) => words.slice(row * width, (row + 1) * width).join(" "));
  const box = h("div", { class: "picture", role: "img", "aria-label": `${label}: ${rows.join("; ")}` });
  box.style.setProperty("--w", width);
  box.style.setProperty("--h", height);
  values.forEach((value, index) => {
    const kind = value === BLOCK ? " block" : odd.has(index) ? " differs" : "";
    const cell = h("div", { class: `cell${kind}` }, value === BLOCK || value === EMPTY ? "" : value);
    cell.style.setProperty("--n", value.length);
    box.append(cell);
  });
  return box;
}
