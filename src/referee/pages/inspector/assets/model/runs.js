// The mentions of an entity in the order of the text. Equal ones that follow one another, and are in the same entity of the
// other side, are one run.

/**
 * @import { Annotation } from "./annotation.js"
 * @import { ScoredResponse } from "./response.js"
 * @typedef {object} Run
 * @property {string} text
 * @property {number} times
 * @property {number} mention - the first one
 * @property {number} other - the entity of the other side, -1 for none
 */

const LONGEST = 60; // characters of a mention

/**
 * @param {Annotation} annotation
 * @param {number} entity
 * @param {ScoredResponse | null} response - null if it does not matter where they are on the other side
 * @param {Annotation | null} otherAnnotation
 * @param {number} most - runs
 * @param {number} first - of its mentions: where the runs begin
 */
export function runsOf(annotation, entity, response, otherAnnotation, most, first = 0) {
  /** @type {Run[]} */
  const runs = [];
  for (const mention of annotation.members[entity].slice(first)) {
    const there = response?.otherMention(annotation.side, mention) ?? -1;
    const other = there < 0 ? -1 : (otherAnnotation?.entity[there] ?? -1);
    const text = annotation.shownText(mention, LONGEST);
    const last = runs.at(-1);
    if (last?.text === text && last.other === other) last.times++;
    else if (runs.length === most) break;
    else runs.push({ text, times: 1, mention, other });
  }
  return runs;
}
