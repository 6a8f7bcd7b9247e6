// A block of the text, cut wherever a line or a hit of the search starts or ends.

import { visible } from "../basics/visible.js";
import { onLevels } from "./levels.js";

/**
 * @import { Line, Piece, Span } from "../types.d.ts"
 * @import { Doc } from "../model/document.js"
 * @import { Lines } from "./layout.js"
 */

/**
 * @param {Doc} doc
 * @param {Span} block
 * @param {Lines} lines
 * @param {Span[]} hits
 * @param {Map<number, string>} looks - of tokens that are shown in a way of their own
 * @returns {{ above: number, below: number, pieces: Piece[] }} - levels above and below the words
 */
export function piecesOf(doc, block, lines, hits, looks) {
  const { start, end } = block;
  const [K, R] = [onLevels(lines.K), onLevels(lines.R)];
  const here = hits.filter((hit) => hit.start < end && hit.end > start);
  const alone = [...looks.keys()].map((token) => ({ start: token, end: token + 1 }));
  const edges = edgesOf(block, [...K, ...R, ...here, ...alone]);
  const gaps = doc.gaps(block);
  const [above, below] = [levels(K), levels(R)];
  const pieces = edges.slice(1).flatMap((to, n) => {
    const from = edges[n];
    const covers = (/** @type {Span} */ span) => span.start <= from && span.end >= to;
    const hit = here.find(covers);
    const look = looks.get(from) ?? "";
    const words = { start: from, end: to, K: K.filter(covers), R: R.filter(covers), above, below, hit, look };
    let text = visible(doc.tokens[from]);
    for (let token = from + 1; token < to; token++) text += gaps[token - start] + visible(doc.tokens[token]);
    const gap = gaps[from - start];
    return gap ? [through(words, gap), { ...words, text }] : [{ ...words, text }];
  });
  return { above, below, pieces };
}

/** @param {Line[]} lines */
const levels = (lines) => 1 + Math.max(-1, ...lines.map((line) => line.level));

/**
 * @param {Span} block
 * @param {Span[]} spans
 */
function edgesOf({ start, end }, spans) {
  const inside = spans.flatMap((span) => [span.start, span.end]).filter((token) => token > start && token < end);
  return [...new Set([start, ...inside, end])].sort((a, b) => a - b);
}

/**
 * The gap before a piece, with the lines that go through it.
 *
 * @param {Omit<Piece, "text">} words
 * @param {string} text
 * @returns {Piece}
 */
function through(words, text) {
  const { start, K, R, hit } = words;
  const earlier = (/** @type {Span} */ span) => span.start < start;
  const before = hit && earlier(hit) ? hit : undefined;
  return { ...words, text, end: start, K: K.filter(earlier), R: R.filter(earlier), hit: before, look: "" };
}
