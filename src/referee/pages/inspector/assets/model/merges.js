// Entities of one side that the other side puts together, and entities that it takes apart, by the pairs that are wrong.

/**
 * @import { Cell, Side } from "../types.d.ts"
 * @import { ScoredResponse } from "./response.js"
 * @typedef {object} Regrouped
 * @property {"merge" | "split"} kind
 * @property {Side} side - R for a merge: a response entity with mentions of several key entities; K for a split
 * @property {number} entity
 * @property {Cell[]} parts - the entities of the other side, the largest first
 * @property {number} pairs - of mentions that only one side has together
 */

/** @type {WeakMap<ScoredResponse, Regrouped[]>} */
const memo = new WeakMap();

/**
 * All merges and splits of a response, those with the most pairs first.
 *
 * @param {ScoredResponse} response
 * @returns {Regrouped[]}
 */
export function regrouped(response) {
  const of = (/** @type {Regrouped["kind"]} */ kind, /** @type {Side} */ side, /** @type {{ exact: Cell[] }[]} */ cells) =>
    cells.flatMap(({ exact: parts }, entity) =>
      (parts.length > 1 ? [{ kind, side, entity, parts, pairs: pairsOf(parts) }] : []));
  const all = memo.get(response)
    ?? [...of("merge", "R", response.responseCells), ...of("split", "K", response.keyCells)].sort((a, b) => b.pairs - a.pairs);
  memo.set(response, all);
  return all;
}

/**
 * Pairs of mentions in different parts.
 *
 * @param {Cell[]} parts
 */
function pairsOf(parts) {
  let [before, pairs] = [0, 0];
  for (const { shared } of parts) {
    pairs += before * shared;
    before += shared;
  }
  return pairs;
}
