// Text of the annotation as the page shows it.

import { h } from "./dom.js";
import { count } from "./numbers.js";

const UNSEEN =
  /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/gu;
const LONGEST = 300;
const DIVIDED = /(?<=[_/])(?=..)/;
const MARKED = /\ufdd0([^\ufdd0\ufdd1]*)(?:\ufdd1|$)/g;

/**
 * Text whose direction does not change that of the text around it, and is not changed by it, once it is `visible`. Annotation
 * cannot do this by itself: what it has of these marks is always a pair, too, or is shown by code points.
 *
 * @param {string} text
 */
export const isolated = (text) => `\ufdd0${text.replace(/[\ufdd0\ufdd1]/g, codePoint)}\ufdd1`;

/** @param {string} character */
function codePoint(character) {
  const code = /** @type {number} */ (character.codePointAt(0));
  return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `⟨${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/**
 * Text in which characters that cannot be seen, or that would reorder the page around them, are shown by their code points;
 * text that is too long is shortened.
 *
 * @param {string} text
 * @param {number} [longest] - characters
 */
export function visible(text, longest = LONGEST) {
  const tooLong = text.length > longest;
  const start = tooLong ? `${Array.from(text.slice(0, longest + 1)).slice(0, longest).join("")}…` : text;
  const clean = start.replace(UNSEEN, codePoint).replace(MARKED, "\u2068$1\u2069").replace(/[\ufdd0\ufdd1]/g, codePoint);
  return tooLong && longest === LONGEST ? `${clean} (${count(text.length, "character")})` : clean;
}

/**
 * @param {string} text
 * @param {number} [longest] - characters
 */
export const quoted = (text, longest = 80) => h("bdi", { class: "quoted" }, visible(text, longest));

/**
 * A name that is divided, where it is too long for its line, behind _ and / rather than within a word. Its last character does
 * not stand alone.
 *
 * @param {string} name - as it is shown
 */
export const divisible = (name) => name.split(DIVIDED).map((part, n) => [n > 0 && h("wbr"), part]);

/**
 * The name of a file without its folders, which its tooltip has.
 *
 * @param {string} path
 */
export const fileName = (path) =>
  h("bdi", { title: visible(path) }, visible(path.split(/[\\/]/).findLast(Boolean) ?? path, 80));
