// The grid on show as a file: the server writes the formats, a canvas makes the PNG from the server's SVG.

import * as api from "./api.js";
import { $, button, h, say, tell } from "./dom.js";
import { shown, state } from "./state.js";

const PNG_WIDTH = 1200; // pixels

/** List the endings of the files that the puzzle can be written to, as the server offers them: more once it is solved. */
export function buildMenu() {
  const formats = state.puzzle.exports.flatMap((ending) => (ending === "svg" ? ["svg", "png"] : [ending]));
  $("export").querySelector(".items").replaceChildren(
    ...formats.map((format) => button(`.${format}`, () => save(format))),
  );
}

async function save(format) {
  $("export").open = false;
  say($("trouble"), "");
  try {
    const isAgents = state.view === "agent";
    const body = { cells: shown(), whose: isAgents ? "agent" : "person", confidence: isAgents && !state.agent.other };
    const found = await api.exported(state.puzzle, format === "png" ? "svg" : format, body);
    if (found.lost) tell(`A .${format} file does not keep: ${found.lost}.`);
    if (format === "png") download(await toPng(found.blob), found.name.replace(/svg$/, "png"));
    else download(found.blob, found.name);
  } catch (error) {
    say($("trouble"), error.message);
  }
}

function download(blob, name) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

async function toPng(blob) {
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  try {
    await image.decode();
    const canvas = h("canvas", { width: PNG_WIDTH, height: Math.round((PNG_WIDTH * image.naturalHeight) / image.naturalWidth) });
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("no picture was made"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
