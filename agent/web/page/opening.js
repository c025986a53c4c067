// How a puzzle gets onto the page: pasted, dropped, or chosen from the disk.

import * as api from "./api.js";
import { $, say } from "./dom.js";
import { start as startDropping } from "./dropping.js";

const ADDRESS = /^https?:\/\/\S+$/;
const PASTED = "pasted text"; // its name, in messages

let limit = 1_000_000; // bytes, until the server has told its own

/** Take the server's limit, in bytes. */
export function limitTo(bytes) {
  limit = bytes;
}

/** Wire the form and the drop zone; `opened(puzzle, {solves})` or `refused(text)` is called. */
export function start(opened, refused) {
  const take = async (source, solves = false) => {
    say($("text-trouble"), "");
    say($("trouble"), "");
    try {
      opened(await api.open(source), { solves });
    } catch (error) {
      refused(error.message);
      if (error.line && source.text && $("text").value === source.text) mark(error.line);
    }
  };
  const tooLong = (bytes) => {
    if (bytes <= limit) return false;
    refused(`That is too long for a puzzle: at most ${Math.round(limit / 1000).toLocaleString("en")} kB, and this has ${Math.round(bytes / 1000).toLocaleString("en")} kB.`);
    return true;
  };
  const takeFile = async (file) => {
    if (!tooLong(file.size)) take(await sourceOf(file));
  };
  $("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = $("text").value;
    if (!text.trim()) say($("text-trouble"), "Paste a puzzle first.");
    else if (ADDRESS.test(text.trim())) say($("text-trouble"), "That is an address, and this page asks no other server. Copy the clues themselves, or save the puzzle as a file.");
    else if (!tooLong(new Blob([text]).size)) take({ name: PASTED, text }, event.submitter?.id === "solve-for-me");
  });
  $("file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file) await takeFile(file);
    event.target.value = "";
  });
  startDropping(takeFile);
  return take;
}

/** The name of the file that a puzzle came from, by which a person knows it; "" if it did not come from a file. */
export const fileOf = ({ name = "" }) => (name === PASTED ? "" : name.replace(/\.\w{1,5}$/, ""));

/** A file as a source that can be kept: text if it is UTF-8, else its bytes in base64. */
async function sourceOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return { name: file.name, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    return { name: file.name, base64: btoa(letters) };
  }
}

/** Select the faulty line of the text, counted from 1, and bring it into sight. */
function mark(line) {
  const field = $("text");
  const lines = field.value.split("\n");
  const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  field.focus();
  field.setSelectionRange(from, from + (lines[line - 1] || "").length);
  field.scrollTop = (field.scrollHeight / lines.length) * Math.max(0, line - 3);
}
