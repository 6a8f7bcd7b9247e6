// The mentions that are not correct, in the order of the text: of the key, and spurious ones of the response.

import { outcomeOf } from "../text/outcome.js";

/**
 * @import { Side } from "../types.d.ts"
 * @import { Doc } from "./document.js"
 * @import { ScoredResponse } from "./response.js"
 * @typedef {{ side: Side, mention: number, start: number }} Mistake
 */

/** @type {WeakMap<ScoredResponse, Mistake[]>} */
const memo = new WeakMap();

/**
 * @param {Doc} doc
 * @param {ScoredResponse | null} response
 */
export function mistakesOf(doc, response) {
  if (!response) return [];
  const mistakes = memo.get(response) ?? found(doc, response);
  memo.set(response, mistakes);
  return mistakes;
}

/**
 * @param {Doc} doc
 * @param {ScoredResponse} response
 */
function found(doc, response) {
  const of = (/** @type {Side} */ side, /** @type {(mention: number) => boolean} */ isWrong) => {
    const { start } = doc.annotation(side, response);
    return [...start.keys()].filter(isWrong).map((mention) => ({ side, mention, start: start[mention] }));
  };
  return [
    ...of("K", (mention) => outcomeOf(response, "K", mention) !== "correct"),
    ...of("R", (mention) => response.keyMention[mention] < 0),
  ].sort((a, b) => a.start - b.start);
}
