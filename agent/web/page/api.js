// The server's answers as values, its refusals as errors with a sentence for the person.

/** A refusal: `status` is 0 if the server did not answer at all, `line` the faulty line of a text if it is known. */
export class Refusal extends Error {
  constructor(message, { status = 0, line = 0 } = {}) {
    super(message);
    this.status = status;
    this.line = line;
  }
}

async function request(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("The server does not answer. Is it still running?");
  }
  if (answer.ok) return answer;
  let said = {};
  try {
    said = await answer.json();
  } catch {
    // no sentence from the server: the one below stands in
  }
  throw new Refusal(sentence(said.error || `the server answered ${answer.status}`), { status: answer.status, line: said.line });
}

/** A message as a sentence: its first word with a capital, unless that is the name of a file or a setting. */
const sentence = (text) => text.replace(/^[a-z]+(?= )/, (word) => word[0].toUpperCase() + word.slice(1));

const json = (body, signal) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
  signal,
});

const read = async (path, options) => (await request(path, options)).json();
const post = (body) => ({ method: "POST", headers: { "Content-Type": "application/octet-stream" }, body });

/**
 * Ask about a puzzle. The server keeps puzzles in memory only: if it has lost this one, after a restart for instance,
 * it gets the puzzle's source again, and the request is repeated once.
 */
async function ask(puzzle, what, body, signal) {
  const once = () => request(`/api/puzzles/${encodeURIComponent(puzzle.id)}/${what}`, json(body, signal));
  try {
    return await once();
  } catch (error) {
    if (error.status !== 404 || !puzzle.source) throw error;
    puzzle.id = (await open(puzzle.source)).id;
    return once();
  }
}

export const settings = () => read("/api/settings");
export const examples = (day) => read(`/api/examples?day=${day}`);
export const verdicts = (text) => read("/api/verdicts", post(text));

/** Open a puzzle from its source: {example}, or {name, text}, or {name, base64}; the answer carries it. */
export async function open(source) {
  const { example, name, text, base64 } = source;
  const query = example ? { example } : { name };
  const body = example ? undefined : (text ?? Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)));
  return { ...(await read(`/api/puzzles?${new URLSearchParams(query)}`, post(body))), source };
}

/** Ask for "hint", "check", "reveal" or "done". */
export const help = async (puzzle, what, body, signal) => (await ask(puzzle, what, body, signal)).json();

/** The file in a format, as {blob, name}. */
export async function exported(puzzle, format, body) {
  const answer = await ask(puzzle, `export?format=${format}`, body);
  const named = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") || "");
  return { blob: await answer.blob(), name: named ? named[1] : `puzzle.${format}`, lost: answer.headers.get("Gridwright-Lost") };
}

/** Have it solved; `heard(name, data)` is called for each event. Ends when the stream ends. */
export const solve = async (puzzle, body, signal, heard) => follow(await ask(puzzle, "solve", body, signal), heard);

const inRoom = (room, what) => `/api/rooms/${encodeURIComponent(room)}${what}`;

/** Open a room for a puzzle with what is written: its `room`, and `address` and `token` that a link to it needs. */
export const openRoom = async (puzzle, body) => (await ask(puzzle, "together", body)).json();

/** What the puzzle of a room is opened from, as `source`, and what a link needs. */
export const room = (id) => read(inRoom(id, ""));

/** Go into a room, and hear what happens there until the stream ends; `alive()` is called for each sign of life. */
export const join = async (id, body, signal, { heard, alive }) => follow(await request(inRoom(id, "/join"), json(body, signal)), heard, alive);

/** Send what was done in a room. */
export const writeInto = (id, body, signal) => read(inRoom(id, "/write"), json(body, signal));

async function follow(answer, heard, alive = () => {}) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    alive();
    text += value;
    const frames = text.split("\n\n");
    text = frames.pop();
    for (const frame of frames) {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(frame) || []; // else a comment: still at work
      if (name) heard(name, JSON.parse(data));
    }
  }
}
