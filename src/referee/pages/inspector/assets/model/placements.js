// Who put what where: every mention that any annotator marked, and in which entity each of them has it.

import { distanceOf } from "./set_distances.js";

/**
 * @import { Annotation } from "./annotation.js"
 * @import { Doc } from "./document.js"
 * @import { SetDistance } from "./set_distances.js"
 * @typedef {object} Placement
 * @property {number} start
 * @property {number} end
 * @property {string} text
 * @property {number[]} mentions - of each annotator; -1 for none
 * @property {boolean} disputed - whether not all have the mention in equal entities: those of two differ, or one has not
 *   marked it, as `referee agree --by mention` has it
 * @property {number} dispute - from 0 (equal entities) to 1: the mean over pairs of annotators of the distance of their
 *   entities, which is that of alpha; one who has not marked the mention has it alone
 * @property {{ pair: [number, number], distance: number, disputed: boolean }[]} pairs - the same of each two annotators who
 *   have the document
 */

/** @type {WeakMap<Doc, Placement[]>} */
const memo = new WeakMap();

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
 * @param {string} alpha - that of the agreement
 */
export function placementsOf(doc, alpha) {
  const placements = memo.get(doc) ?? placed(annotationsOf(doc), distanceOf(alpha));
  memo.set(doc, placements);
  return placements;
}

/**
 * @param {(Annotation | null)[]} annotations
 * @param {SetDistance} distance
 */
function placed(annotations, distance) {
  /** @type {Map<string, Placement>} */
  const placements = new Map();
  for (const [annotator, annotation] of annotations.entries()) {
    for (const mention of annotation?.start.keys() ?? []) {
      const { start, end } = /** @type {Annotation} */ (annotation);
      const key = String(annotation?.spans(mention));
      const placement = placements.get(key) ?? {
        start: start[mention], end: end[mention], text: annotation?.text(mention) ?? "",
        mentions: annotations.map(() => -1), disputed: false, dispute: 0, pairs: [],
      };
      placement.mentions[annotator] = mention;
      placements.set(key, placement);
    }
  }
  const all = [...placements.values()].sort((a, b) => a.start - b.start || b.end - a.end);
  dispute(all, annotations, distance);
  return all;
}

/**
 * The other annotator who has a mention where the first has it least; null if all have it in the first one's entity.
 *
 * @param {Placement} placement
 * @param {number} preferred - of those who differ as much
 */
export function farthest({ pairs }, preferred) {
  const differing = pairs.filter(({ pair: [first], disputed }) => !first && disputed);
  const most = Math.max(...differing.map(({ distance }) => distance));
  const others = differing.filter(({ distance }) => distance > most - 1e-12).map(({ pair }) => pair[1]);
  return others.includes(preferred) ? preferred : others[0] ?? null;
}

/**
 * @param {Placement[]} placements
 * @param {(Annotation | null)[]} annotations
 * @param {SetDistance} distance
 */
function dispute(placements, annotations, distance) {
  const entityOf = (/** @type {Placement} */ { mentions }, /** @type {number} */ annotator) =>
    mentions[annotator] < 0 ? -1 : annotations[annotator]?.entity[mentions[annotator]] ?? -1;
  const present = [...annotations.keys()].filter((annotator) => annotations[annotator]);
  const pairs = present.flatMap((a, n) => present.slice(n + 1).map((b) => /** @type {[number, number]} */ ([a, b])));
  for (const [a, b] of pairs) {
    /** @type {Map<string, number>} */
    const shared = new Map();
    const cell = (/** @type {Placement} */ placement) => `${entityOf(placement, a)} ${entityOf(placement, b)}`;
    const both = placements.filter(({ mentions }) => mentions[a] >= 0 && mentions[b] >= 0);
    for (const placement of both) shared.set(cell(placement), (shared.get(cell(placement)) ?? 0) + 1);
    const others = (/** @type {Placement} */ placement, /** @type {number} */ annotator) =>
      (annotations[annotator]?.size[entityOf(placement, annotator)] ?? 1) - 1;
    for (const placement of placements) {
      const inBoth = Math.max((shared.get(cell(placement)) ?? 0) - 1, 0);
      const lacking = placement.mentions[a] < 0 || placement.mentions[b] < 0;
      const found = lacking ? Number(placement.mentions[a] !== placement.mentions[b]) // not marked is a value of its own
        : distance(inBoth, others(placement, a), others(placement, b));
      placement.pairs.push({ pair: [a, b], distance: found, disputed: found > 1e-12 });
      placement.dispute += found / pairs.length;
    }
  }
  for (const placement of placements) placement.disputed = placement.dispute > 1e-12;
}
