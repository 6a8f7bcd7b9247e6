// Files that the reader keeps. Nothing is sent anywhere: the browser saves what the page has made.

import { h } from "../basics/dom.js";

/**
 * @param {string} name
 * @param {Blob} content
 */
export function save(name, content) {
  const address = URL.createObjectURL(content);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * The name of a file, of letters and digits that every system allows.
 *
 * @param {string} name - of a document, for example
 * @param {string} ending
 */
export const fileNamed = (name, ending) =>
  `${name.replace(/[^\p{L}\p{N}._-]+/gu, "_").replace(/^[._]+/, "").slice(0, 80) || "referee"}.${ending}`;
