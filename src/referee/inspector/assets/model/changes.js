// What the second response fixes of the first, and what it breaks: mentions and entities of the key.

/** @import { Doc } from "./document.js" */

/**
 * @typedef {"fixed" | "broken"} Change
 * @typedef {{ mentions: number[], entities: number[] }} Changed
 * @typedef {{ fixed: Changed, broken: Changed, marks: Map<number, Change> }} Changes - marks: of each mention that changed
 */

/** @type {WeakMap<Doc, Changes>} */
const known = new WeakMap();

/**
 * @param {Doc} doc
 * @returns {Changes}
 */
function compared(doc) {
  const [first, second] = doc.responses;
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
 * A document that only one response has has no changes.
 *
 * @param {Doc} doc
 */
export function changesOf(doc) {
  const changes = known.get(doc) ?? compared(doc);
  known.set(doc, changes);
  return changes;
}
