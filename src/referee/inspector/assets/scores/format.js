// Scores and costs as reports print them.

/**
 * @import { Metric } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 */

/**
 * A fraction of 1 in percent.
 *
 * @param {Corpus} corpus
 * @param {number | null | undefined} value
 */
export function percent(corpus, value) {
  if (value === null || value === undefined) return "–";
  const points = value * 100;
  const shown = corpus.truncate ? Math.trunc(points * 100) / 100 : points;
  return shown.toFixed(points >= 99.995 ? 1 : 2).replace(/^100\.0+$/, "100");
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
