// Keeps the page's own files, so that puzzles that were opened can be played while the server is not running. The server
// is asked first, always: what is kept is only used when it does not answer. Nothing of /api but the lists is kept.

const KEPT = "page";
const PARTS = "/static/";
const LISTS = ["/api/settings", "/api/examples"];

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
// the page names what it was loaded from before this worker ran
addEventListener("message", (event) => event.waitUntil(keep(event.data)));

async function keep(paths) {
  const kept = await caches.open(KEPT);
  await Promise.allSettled(paths.map((path) => fromServer(new Request(path))));
  const versions = new Set(paths.map(versionOf));
  const earlier = (await kept.keys()).filter(({ url }) => !versions.has(versionOf(new URL(url).pathname)));
  await Promise.all(earlier.map((part) => kept.delete(part)));
}

/** The version in the address of a part of the page; none of anything else. */
const versionOf = (path) => (path.startsWith(PARTS) ? path.slice(PARTS.length).split("/")[0] : "");

const isKept = (path) => path === "/" || path.startsWith(PARTS) || LISTS.includes(path);

addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || !isKept(pathname)) return;
  event.respondWith(fromServer(request));
});

/** Answer from the server, and keep that without the query: the list of another day takes the place of the last one. */
async function fromServer(request) {
  const kept = await caches.open(KEPT);
  const place = new URL(request.url).pathname;
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected) await kept.put(place, answer.clone());
    return answer;
  } catch (error) {
    const found = await kept.match(place);
    if (found) return found;
    throw error;
  }
}
