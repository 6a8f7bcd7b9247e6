// Who put what where: every mention that any annotator marked, and in which entity each of them has it.

/**
 * @import { Annotation } from "./annotation.js"
 * @import { Doc } from "./document.js"
 * @typedef {object} Placement
 * @property {number} start
 * @property {number} end
 * @property {string} text
 * @property {number[]} mentions - of each annotator; -1 for none
 * @property {boolean} disputed - whether not all have the mention in the same entity: in that which is the best match of the
 *   entity of the first annotator
 * @property {number} dispute - from 0 (all have the mention in the same entity) to 1: the mean over pairs of annotators of how
 *   much their entities differ (one minus what they share of all that is in either)
 */

/** @type {WeakMap<Doc, Placement[]>} */
const known = new WeakMap();

/**
 * The annotations by all annotators; null for one who lacks the document.
 *
 * @param {Doc} doc
 * @returns {(Annotation | null)[]}
 */
export const annotationsOf = (doc) => [doc.key, ...doc.responses.map((response) => response && response.annotation)];

/**
 * In the order of the text.
 *
 * @param {Doc} doc
 */
export function placementsOf(doc) {
  const placements = known.get(doc) ?? placed(annotationsOf(doc));
  for (const placement of known.has(doc) ? [] : placements) placement.disputed = isDisputed(doc, placement);
  known.set(doc, placements);
  return placements;
}

/**
 * @param {Doc} doc
 * @param {Placement} placement
 */
function isDisputed({ key, responses }, { mentions: [first, ...others] }) {
  if (first < 0) return true;
  return others.some((mention, n) => {
    const response = responses[n];
    return response && (mention < 0 || response.bestKey[response.annotation.entity[mention]] !== key.entity[first]);
  });
}

/** @param {(Annotation | null)[]} annotations */
function placed(annotations) {
  /** @type {Map<string, Placement>} */
  const placements = new Map();
  for (const [annotator, annotation] of annotations.entries()) {
    for (const mention of annotation?.start.keys() ?? []) {
      const { start, end } = /** @type {Annotation} */ (annotation);
      const key = String(annotation?.spans(mention));
      const placement = placements.get(key) ?? {
        start: start[mention], end: end[mention], text: annotation?.text(mention) ?? "",
        mentions: annotations.map(() => -1), disputed: false, dispute: 0,
      };
      placement.mentions[annotator] = mention;
      placements.set(key, placement);
    }
  }
  const all = [...placements.values()].sort((a, b) => a.start - b.start || b.end - a.end);
  dispute(all, annotations);
  return all;
}

/**
 * @param {Placement[]} placements
 * @param {(Annotation | null)[]} annotations
 */
function dispute(placements, annotations) {
  const entityOf = (/** @type {Placement} */ { mentions }, /** @type {number} */ annotator) =>
    mentions[annotator] < 0 ? -1 : annotations[annotator]?.entity[mentions[annotator]] ?? -1;
  const present = [...annotations.keys()].filter((annotator) => annotations[annotator]);
  const pairs = present.flatMap((a, n) => present.slice(n + 1).map((b) => [a, b]));
  for (const [a, b] of pairs) {
    /** @type {Map<string, number>} */
    const shared = new Map();
    const cell = (/** @type {Placement} */ placement) => `${entityOf(placement, a)} ${entityOf(placement, b)}`;
    const both = placements.filter(({ mentions }) => mentions[a] >= 0 && mentions[b] >= 0);
    for (const placement of both) shared.set(cell(placement), (shared.get(cell(placement)) ?? 0) + 1);
    const size = (/** @type {Placement} */ placement, /** @type {number} */ annotator) =>
      annotations[annotator]?.size[entityOf(placement, annotator)] ?? 0;
    for (const placement of placements) {
      const inBoth = shared.get(cell(placement)) ?? 0;
      const inEither = size(placement, a) + size(placement, b) - inBoth;
      if (inEither) placement.dispute += (1 - inBoth / inEither) / pairs.length;
    }
  }
}
