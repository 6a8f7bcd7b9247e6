// Scores and costs as reports print them.

/**
 * @import { Metric } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 */

/**
 * A number with two decimals; one exactly between two goes to the even digit, as in reports. Only multiples of 1/8 may be so.
 *
 * @param {number} points
 */
function rounded(points) {
  const hundredths = points * 100;
  if ((points * 8) % 1 !== 0 || Math.abs(hundredths % 1) !== 0.5) return points.toFixed(2);
  const low = Math.floor(hundredths);
  return ((low % 2 === 0 ? low : low + 1) / 100).toFixed(2);
}

/**
 * A fraction of 1 in percent, as reports print it.
 *
 * @param {Corpus} corpus
 * @param {number | null | undefined} value
 */
export function percent(corpus, value) {
  if (value === null || value === undefined) return "–";
  return corpus.truncate ? (Math.trunc(Number((value * 10000).toFixed(8))) / 100).toFixed(2) : rounded(value * 100);
}

/**
 * A score in its unit.
 *
 * @param {Corpus} corpus
 * @param {Metric | undefined} metric
 * @param {number | null | undefined} value
 */
export function formatScore(corpus, metric, value) {
  if (value === null || value === undefined) return "–";
  return metric?.unit ? String(Number(value.toFixed(4))) : percent(corpus, value);
}

/**
 * @param {number} cost - in hundred thousandths of the score
 * @param {Metric | undefined} metric
 */
export function formatCost(cost, metric) {
  const value = metric?.unit ? cost / 1e5 : cost / 1e3;
  return Math.abs(value) < 0.005 ? "0.00" : `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}
