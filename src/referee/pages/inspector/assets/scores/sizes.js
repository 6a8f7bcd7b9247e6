// Sizes of entities by rank: those of the key above a line, those of the response below it, as in the text.

import { h, svg } from "../basics/dom.js";
import { count, formatted, range, sum } from "../basics/numbers.js";
import { wordsOf } from "../model/words.js";
import { percent } from "./format.js";

/**
 * @import { Scores, Sizes } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 * @import { Doc } from "../model/document.js"
 * @import { ScoredResponse } from "../model/response.js"
 * @import { Words } from "../model/words.js"
 */

const RANKS = 40; // that are shown one by one
const [WIDTH, HALF] = [640, 84];

/**
 * The chart, and what the scores of sizes say of it.
 *
 * @param {Corpus} corpus
 * @param {Sizes} sizes
 * @param {Scores} [scores]
 * @param {Words} [words] - none for one annotation
 */
export function sizeSection(corpus, sizes, scores, words) {
  if (!words) {
    const rest = sum(sizes.key.slice(RANKS));
    const { unit, Unit } = wordsOf(corpus, 0);
    return h("section", { class: "distribution" },
      h("h2", null, "Entity sizes by rank"),
      h("p", { class: "note" }, `${Unit}s of the largest entity of each document, of the second largest, and so on.`),
      chart(sizes),
      rest ? h("p", { class: "note" }, `Beyond rank ${RANKS}: ${count(rest, unit)}.`) : null);
  }
  const [keyRest, responseRest] = [sum(sizes.key.slice(RANKS)), sum(sizes.response.slice(RANKS))];
  const rest = `Beyond rank ${RANKS}: ${count(keyRest, words.unit)} in ${words.K}, ${formatted(responseRest)} in ${words.R}.`;
  return h("section", { class: "distribution" },
    h("h2", null, "Entity sizes by rank"),
    h("p", { class: "note" }, `Entities of ${words.K} above the line, those of ${words.R} below it, largest first. `,
      "The solid part of a bar is the size that both sides have at that rank."),
    chart(sizes, words),
    keyRest || responseRest ? h("p", { class: "note" }, rest) : null,
    summary(corpus, scores?.overlap?.[2] ?? null, scores?.d_error?.[2] ?? null, words));
}

/**
 * @param {Corpus} corpus
 * @param {number | null} overlap
 * @param {number | null} error
 * @param {Words} words
 */
function summary(corpus, overlap, error, { K, R }) {
  if (overlap === null && error === null) return null;
  const direction = (/** @type {number} */ value) =>
    `${R} groups ${value > 0 ? "more than" : value ? "less than" : "as much as"} ${K}; −100 is the least, 100 the most`;
  return h("p", null,
    overlap === null ? null : ["Overlap ", h("b", null, percent(corpus, overlap))],
    overlap === null || error === null ? null : "; ",
    error === null ? null : ["d-error ", h("b", null, percent(corpus, error)), `: ${direction(error)}`], ".");
}

/**
 * @param {Sizes} sizes
 * @param {Words} [words] - none for one annotation
 */
function chart(sizes, words) {
  const ranks = Math.min(RANKS, sizes.key.length);
  const step = WIDTH / Math.max(ranks, 8);
  const width = Math.max(1, Math.min(26, step * 0.72));
  const largest = Math.max(1, ...sizes.key.slice(0, ranks), ...sizes.response.slice(0, ranks));
  const bar = (/** @type {"key" | "response"} */ side, /** @type {number} */ rank) => {
    const [all, both] = [sizes[side][rank], sizes.shared[rank]].map((n) => (HALF * n) / largest);
    const place = (/** @type {number} */ height) => ({
      x: rank * step + (step - width) / 2, y: side === "key" ? HALF - height : HALF + 2, width, height, rx: 1.5,
    });
    const there = words && ` in ${side === "key" ? words.K : words.R}, ${sizes.shared[rank]} in common`;
    const title = `rank ${rank + 1}: ${sizes[side][rank]}${there ?? ""}`;
    return [
      svg("rect", { class: `excess ${side}`, ...place(all) }, svg("title", null, title)),
      svg("rect", { class: `common ${side}`, ...place(both) }),
    ];
  };
  const view = { viewBox: `0 0 ${WIDTH} ${words ? 2 * HALF + 4 : HALF + 2}`, preserveAspectRatio: "none", role: "img" };
  return h("figure", { class: "sizes" },
    svg("svg", { ...view, "aria-label": `Entity sizes by rank${words ? `, ${words.K} above and ${words.R} below` : ""}` },
      range(ranks).map((rank) => [bar("key", rank), words ? bar("response", rank) : null]),
      svg("line", { x1: 0, x2: WIDTH, y1: HALF + 1, y2: HALF + 1 })));
}

/**
 * The sizes in a document. Each side has the unmatched mentions of the other as singletons, as the metric `overlap` has it.
 *
 * @param {Doc} doc
 * @param {ScoredResponse} response
 * @returns {Sizes}
 */
export function sizesOf(doc, response) {
  const missed = response.counterpart.filter((_, mention) => !response.isMatched(mention)).length;
  const spurious = response.keyMention.filter((key) => key < 0 || !response.isMatched(key)).length;
  const extended = (/** @type {number[]} */ sizes, /** @type {number} */ singletons) =>
    [...sizes, ...Array(singletons).fill(1)].sort((a, b) => b - a);
  const [key, other] = [extended(doc.key.size, spurious), extended(response.annotation.size, missed)];
  const ranks = range(Math.max(key.length, other.length));
  return {
    key: ranks.map((rank) => key[rank] ?? 0),
    response: ranks.map((rank) => other[rank] ?? 0),
    shared: ranks.map((rank) => Math.min(key[rank] ?? 0, other[rank] ?? 0)),
  };
}
