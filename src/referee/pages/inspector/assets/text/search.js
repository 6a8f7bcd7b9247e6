// Where a query stands in the text.

import { normalized } from "../model/tokens.js";

/**
 * @import { Span } from "../types.d.ts"
 * @import { Doc } from "../model/document.js"
 */

const MOST_HITS = 5000;

/**
 * The tokens of each hit.
 *
 * @param {Doc} doc
 * @param {string} query
 */
export function hitsOf(doc, query) {
  /** @type {Span[]} */
  const hits = [];
  const wanted = normalized(query);
  if (!wanted) return hits;
  const { text, starts } = doc.searchable;
  let token = 0;
  for (let at = text.indexOf(wanted); at >= 0 && hits.length < MOST_HITS; at = text.indexOf(wanted, at + 1)) {
    while (token + 1 < starts.length && starts[token + 1] <= at) token++;
    let last = token;
    while (last + 1 < starts.length && starts[last + 1] < at + wanted.length) last++;
    if (hits.at(-1)?.start !== token) hits.push({ start: token, end: last + 1 });
  }
  return hits;
}
