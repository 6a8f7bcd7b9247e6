// The colour of an entity of the key, which is the same wherever it is shown: large entities have hues that are far apart, and
// singletons are pale. A response entity has the colour of its best-matching key entity, or is grey if it has none.

/**
 * @import { Side } from "../types.d.ts"
 * @import { Doc } from "../model/document.js"
 * @import { ScoredResponse } from "../model/response.js"
 */

const HUES = [250, 45, 150, 330, 85, 200, 295, 20, 125, 270, 65, 175, 350, 225, 105, 310];

/**
 * @param {number} rank - of the entity, the largest is 0
 * @param {number} size - of the entity
 * @param {number | string} [alpha]
 */
export function tone(rank, size, alpha = 1) {
  const hue = (HUES[rank % HUES.length] + 11 * Math.floor(rank / HUES.length)) % 360;
  const chroma = size > 1 ? 0.145 : 0.06;
  return `light-dark(oklch(0.58 ${chroma} ${hue} / ${alpha}), oklch(0.76 ${chroma * 0.85} ${hue} / ${alpha}))`;
}

/** @param {number | string} [alpha] */
export const grey = (alpha = 1) => `light-dark(oklch(0.55 0.01 80 / ${alpha}), oklch(0.68 0.01 80 / ${alpha}))`;

/**
 * @param {Doc} doc
 * @param {number} entity - of the key, -1 for none
 * @param {number | string} [alpha]
 */
export const keyColour = (doc, entity, alpha) =>
  entity < 0 ? grey(alpha) : tone(doc.rank[entity], doc.key.size[entity], alpha);

/**
 * @param {Doc} doc
 * @param {ScoredResponse | null} response
 * @param {Side} side
 * @param {number} entity
 * @param {number | string} [alpha]
 */
export const colourOf = (doc, response, side, entity, alpha) =>
  keyColour(doc, side === "K" ? entity : (response?.bestKey[entity] ?? -1), alpha);
