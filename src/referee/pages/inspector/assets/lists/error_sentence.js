// An error in words: its mentions, from which entity they are, and in which one they are on the other side.

import { quoted } from "../basics/visible.js";
import { errorSentence } from "../model/words.js";

/**
 * @import { Child, Corpus, Side } from "../types.d.ts"
 * @import { Annotation } from "../model/annotation.js"
 * @import { Doc } from "../model/document.js"
 * @import { ScoredResponse } from "../model/response.js"
 * @import { Words } from "../model/words.js"
 */

/**
 * @param {{ corpus: Corpus, doc: Doc, words: Words }} context
 * @param {ScoredResponse} response
 * @param {number} n - of the errors of the document
 * @param {(annotation: Annotation, entity: number) => Child} named - what an entity is called
 */
export function sentenceOf({ corpus, doc: { key }, words }, response, n, named) {
  const { annotation, errors, bestKey, bestResponse } = response;
  const [k, r] = [errors.key[n], errors.response[n]];
  const name = (/** @type {Annotation} */ side, /** @type {number} */ entity) => (entity < 0 ? "" : named(side, entity));
  const other = errors.response_mention[n] < 0 ? null : quoted(annotation.text(errors.response_mention[n]), 60);
  const first = errors.key_mention[n] < 0 ? other : quoted(key.text(errors.key_mention[n]), 60);
  return errorSentence(corpus.kinds[errors.kind[n]], {
    mentions: errors.mentions[n] > 1 ? [first, ` and ${errors.mentions[n] - 1} more`] : first,
    other,
    key: name(key, k),
    keyName: k < 0 ? "" : key.name(k),
    response: name(annotation, r),
    bestKey: r < 0 ? "" : name(key, bestKey[r]),
    bestResponse: k < 0 ? "" : name(annotation, bestResponse[k]),
    most: { K: isMost(response, "K", k, key.size), R: isMost(response, "R", r, annotation.size) },
  }, words);
}

/**
 * Whether more than half of an entity is in its best match.
 *
 * @param {ScoredResponse} response
 * @param {Side} side
 * @param {number} entity - -1 for none
 * @param {number[]} size - of the entities of the side
 */
function isMost(response, side, entity, size) {
  if (entity < 0) return false;
  const best = response.bestMatch(side, entity);
  const shared = response.cells(side, entity).exact.find(({ other }) => other === best)?.shared ?? 0;
  return 2 * shared > size[entity];
}
