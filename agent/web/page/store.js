// What the browser keeps for this page: values by name. A browser may refuse to store anything; then they last as long
// as the page does.

const fallback = new Map();

/** Return a value, or `otherwise` if there is none. */
export function get(name, otherwise = null) {
  try {
    const text = localStorage.getItem(name) ?? fallback.get(name);
    return text == null ? otherwise : JSON.parse(text);
  } catch {
    return fallback.has(name) ? JSON.parse(fallback.get(name)) : otherwise;
  }
}

/** Keep a value; false if the browser refuses, because there is no room or nothing may be stored. */
export function set(name, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(name, text);
    fallback.delete(name);
    return true;
  } catch {
    fallback.set(name, text);
    return false;
  }
}

/** Drop a value. */
export function drop(name) {
  fallback.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    // nothing is stored then
  }
}
