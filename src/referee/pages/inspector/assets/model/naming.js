// The mention by which people know an entity best: a name, else a nominal, else any; of several, one in the most frequent
// words, but rather not in capitals, and among equals one of more words. Without mention types, a name is short and has a
// capital that does not begin a sentence.

/**
 * @import { Corpus } from "../types.d.ts"
 * @import { Annotation } from "./annotation.js"
 * @import { Doc } from "./document.js"
 */

/**
 * What a document is called; one table of records has no name, so it is called by what is side by side.
 *
 * @param {Corpus} corpus
 * @param {number} document
 */
export function titleOf({ documents, key, records, responses }, document) {
  if (!records || documents.length > 1) return documents[document];
  return [...responses.map(({ name }) => name), key].join(" · ");
}

const LONGEST = 8; // tokens of a mention that people want to read again
const TYPES = ["name", "nominal"];

/**
 * @param {Corpus} corpus
 * @param {Doc} doc
 * @param {Annotation} annotation
 * @param {number} entity
 */
export function bestKnown(corpus, doc, annotation, entity) {
  const members = annotation.members[entity];
  if (doc.wordless) return members[0];
  const starts = new Set(doc.blocks.map(({ start }) => start));
  const ranks = members.map((mention) => {
    const type = corpus.mention_types[annotation.mentionType(mention)];
    if (type) return TYPES.includes(type) ? TYPES.indexOf(type) : TYPES.length;
    const [start, end] = [annotation.start[mention], annotation.end[mention]];
    if (end - start > LONGEST) return TYPES.length;
    const words = doc.tokens.slice(start, end);
    if (words.some((word, n) => !starts.has(start + n) && /^\p{Lu}./u.test(word))) return 0;
    return end - start > 1 ? 1 : TYPES.length;
  });
  return members[bestSpelt(ranks, members.map((mention) => annotation.text(mention)))];
}

/**
 * Which of some texts is best, as `best_spelt` of `referee.corpus.naming` has it.
 *
 * @param {number[]} ranks
 * @param {string[]} texts
 */
function bestSpelt(ranks, texts) {
  const best = Math.min(...ranks);
  const places = [...ranks.keys()].filter((n) => ranks[n] === best);
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const n of places) counts.set(texts[n].toLowerCase(), (counts.get(texts[n].toLowerCase()) ?? 0) + 1);
  const order = (/** @type {number} */ n) => {
    const text = texts[n];
    const inCapitals = text.length > 1 && text === text.toUpperCase() && text !== text.toLowerCase();
    return [inCapitals ? 1 : 0, -(counts.get(text.toLowerCase()) ?? 0), -text.split(" ").length];
  };
  return places.reduce((one, other) => {
    const [a, b] = [order(one), order(other)];
    const differing = a.findIndex((value, n) => value !== b[n]);
    return differing >= 0 && b[differing] < a[differing] ? other : one;
  });
}
