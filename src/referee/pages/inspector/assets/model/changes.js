// What another response fixes of the first, and what it breaks: mentions and entities of the key.

/** @import { Doc } from "./document.js" */

/**
 * @typedef {"fixed" | "broken"} Change
 * @typedef {{ mentions: number[], entities: number[] }} Changed
 * @typedef {{ fixed: Changed, broken: Changed, marks: Map<number, Change> }} Changes - marks: of each mention that changed
 */

/** @type {WeakMap<Doc, Map<number, Changes>>} */
const memo = new WeakMap();

/** The response that is compared with the first one, where this one is shown. @param {number} response */
export const later = (response) => response || 1;

/** The response whose scores stand beside those of this one. @param {number} response */
export const beside = (response) => (response ? 0 : 1);

/**
 * What a response, or an annotator, is called in short: A, B, …
 *
 * @type {(response: number) => string}
 */
export const letterOf = (response) =>
  (response < 26 ? "" : letterOf(Math.floor(response / 26) - 1)) + String.fromCharCode(65 + (response % 26));

/**
 * @param {Doc} doc
 * @param {number} response
 * @returns {Changes}
 */
function compared(doc, response) {
  const [first, second] = [doc.responses[0], doc.responses[response]];
  /** @type {Changes} */
  const changes = { fixed: { mentions: [], entities: [] }, broken: { mentions: [], entities: [] }, marks: new Map() };
  if (!first || !second) return changes;
  for (const mention of doc.key.start.keys()) {
    const change = changeOf(first.isCorrect(mention), second.isCorrect(mention));
    if (!change) continue;
    changes[change].mentions.push(mention);
    changes.marks.set(mention, change);
  }
  for (const entity of doc.key.inOrder) {
    const change = changeOf(first.isIdentical(entity), second.isIdentical(entity));
    if (change) changes[change].entities.push(entity);
  }
  return changes;
}

/**
 * @param {boolean} before
 * @param {boolean} after
 */
const changeOf = (before, after) => (before === after ? null : after ? "fixed" : "broken");

/**
 * A document that only one of the two has has no changes.
 *
 * @param {Doc} doc
 * @param {number} response - that is shown
 * @returns {Changes}
 */
export function changesOf(doc, response) {
  const of = memo.get(doc) ?? new Map();
  const changes = of.get(later(response)) ?? compared(doc, later(response));
  memo.set(doc, of.set(later(response), changes));
  return changes;
}
