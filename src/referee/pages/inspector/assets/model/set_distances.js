// Distances of two sets of mentions, in [0, 1], as Krippendorff's alpha has them: `referee/agreement/alpha.py` has the sources.

/**
 * @typedef {(shared: number, a: number, b: number) => number} SetDistance - of the number of mentions in both, and in each
 */

/** @type {SetDistance} */
const nominal = (shared, a, b) => Number(shared < a || shared < b);

/** @type {SetDistance} */
const jaccard = (shared, a, b) => (a + b ? 1 - shared / (a + b - shared) : 0);

/** @type {SetDistance} */
function set(shared, a, b) {
  if (!nominal(shared, a, b)) return 0;
  if (shared === Math.min(a, b)) return 1 / 3;
  return shared ? 2 / 3 : 1;
}

/** @type {SetDistance} */
const masi = (shared, a, b) => 1 - (1 - jaccard(shared, a, b)) * (1 - set(shared, a, b));

const DISTANCES = { masi, set, jaccard, nominal };

/**
 * That of an alpha.
 *
 * @param {string} alpha - such as "alpha masi"
 * @returns {SetDistance}
 */
export const distanceOf = (alpha) => DISTANCES[/** @type {keyof typeof DISTANCES} */ (alpha.replace("alpha ", ""))] ?? masi;
