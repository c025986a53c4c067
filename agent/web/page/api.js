// The server's answers as values, its refusals as errors with a sentence for the person.

export class Refusal extends Error {}

async function request(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("The server does not answer. Is it still running?");
  }
  if (answer.ok) return answer;
  let said = "";
  try {
    said = (await answer.json()).error;
  } catch {
    // no sentence from the server: the one below stands in
  }
  throw new Refusal(said || `The server answered ${answer.status}.`);
}

const json = (body, signal) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
  signal,
});

const of = (puzzle, what) => `/api/puzzles/${encodeURIComponent(puzzle.id)}/${what}`;

const read = async (path, options) => (await request(path, options)).json();
const post = (body) => ({ method: "POST", headers: { "Content-Type": "application/octet-stream" }, body });

export const settings = () => read("/api/settings");
export const examples = () => read("/api/examples");
export const openExample = (id) => read(`/api/puzzles?example=${encodeURIComponent(id)}`, post());
export const openBytes = (body, name) => read(`/api/puzzles?name=${encodeURIComponent(name)}`, post(body));
export const verdicts = (text) => read("/api/verdicts", post(text));
/** Ask for "hint", "check" or "reveal". */
export const help = (puzzle, what, body) => read(of(puzzle, what), json(body));

/** The file in a format, as {blob, name}. */
export async function exported(puzzle, format, body) {
  const answer = await request(of(puzzle, `export?format=${format}`), json(body));
  const named = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") || "");
  return { blob: await answer.blob(), name: named ? named[1] : `puzzle.${format}` };
}

/** Have it solved; `heard(name, data)` is called for each event. Ends when the stream ends. */
export async function solve(puzzle, body, signal, heard) {
  const answer = await request(of(puzzle, "solve"), json(body, signal));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const frames = text.split("\n\n");
    text = frames.pop();
    for (const frame of frames) {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(frame) || []; // else a comment: still at work
      if (name) heard(name, JSON.parse(data));
    }
  }
}
