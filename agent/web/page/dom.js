// Small helpers to make elements and sentences. Text is always set as text, never as markup.

/** Find one element by id. */
export const $ = (id) => document.getElementById(id);

/** Make an element: h("p", {class: "soft", onclick: f}, "text", child, ...). null, false and undefined are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Make a button. */
export const button = (text, onclick, attributes = {}) => h("button", { type: "button", onclick, ...attributes }, text);

/** Make a card with a heading. */
export const card = (title, look, ...children) => h("section", { class: `card ${look}`, "aria-label": title }, h("h2", {}, title), ...children);

/** The same for SVG. */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Hide an element, or show it; one that is hidden already is not hidden again, as that has its style worked out. */
export function hide(element, isHidden = true) {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}

/** Set a property if it has changed: each is news to the browser, which then works out the style or measures. */
export function put(element, name, value) {
  if (element[name] !== value) element[name] = value;
}

/** Set text, and hide the element if there is none. */
export function say(element, text) {
  element.textContent = text || "";
  hide(element, !text);
}

/** Tell a screen reader; the same sentence twice is told twice. */
export function announce(text) {
  const live = $("live");
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/** Show a sentence below the grid, in sight, with buttons if there are any, and tell it to a screen reader. */
export function tell(text, ...buttons) {
  say($("said"), text);
  $("said").append(...buttons);
  if (!text) return;
  $("said").scrollIntoView({ block: "nearest" }); // the letter keys of a phone would cover it
  announce(text);
}

/** 0.976 -> "97 %": rounded down as agent/draw/doubt.py does, so that nothing reads surer than it is. */
export function percent(p) {
  if (p > 0.99) return ">99 %";
  if (p < 0.01) return "<1 %";
  return `${Math.floor(100 * p + 1e-9)} %`;
}

/** 75 -> "1:15". */
export const clock = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** 0.0312 -> "31 ms", 4.21 -> "4.2 s". */
export const duration = (seconds) => (seconds < 1 ? `${Math.max(1, Math.round(1000 * seconds))} ms` : `${seconds.toFixed(1)} s`);

export const many = (n, one, more = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : more}`;
