// Scores and costs as reports print them. All that is rounded for people is rounded by `decimal`.

/**
 * @import { Measure, Metric } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 */

const MOST_DECIMALS = 6; // of small costs

/**
 * A number with so many decimals: the nearest, and of two that are equally near the one with an even digit, as reports have it.
 * A number of the machine is exactly between two only if it is an odd multiple of 1 / 2 ** (decimals + 1).
 *
 * @param {number} value
 * @param {number} decimals
 */
function decimal(value, decimals) {
  if (Math.abs((value * 2 ** (decimals + 1)) % 2) !== 1) return value.toFixed(decimals);
  const low = Math.floor(value * 10 ** decimals);
  return ((low % 2 === 0 ? low : low + 1) / 10 ** decimals).toFixed(decimals);
}

/**
 * A number with the sign that differences have.
 *
 * @param {string} number
 */
const withMinus = (number) => number.replace("-", "−");

/**
 * A number with at most four decimals.
 *
 * @param {number} value
 */
const short = (value) => decimal(value, 4).replace(/\.?0+$/, "");

/**
 * A fraction of 1 in percent, as reports print it.
 *
 * @param {Pick<Corpus, "truncate">} corpus
 * @param {number | null | undefined} value
 * @param {number} [decimals] - where it is rounded
 */
export function percent({ truncate }, value, decimals = 2) {
  if (value === null || value === undefined) return "–";
  return withMinus(decimal(truncate ? Math.trunc(Number(decimal(value * 10000, 8))) / 100 : value * 100, decimals));
}

/**
 * A score in its unit.
 *
 * @param {Pick<Corpus, "truncate">} corpus
 * @param {Pick<Metric, "unit"> | undefined} metric
 * @param {number | null | undefined} value
 * @param {number} [decimals] - of a percentage
 */
export function formatScore(corpus, metric, value, decimals) {
  if (value === null || value === undefined) return "–";
  return metric?.unit ? withMinus(short(value)) : percent(corpus, value, decimals);
}

/** @param {string} measure */
export const isAlpha = (measure) => measure.startsWith("alpha ");

/**
 * An agreement, as `referee agree` prints it: alpha is no percentage.
 *
 * @param {Pick<Corpus, "truncate">} corpus
 * @param {Measure} measure
 * @param {number | null} value
 */
export function formatMeasure(corpus, measure, value) {
  if (value === null || !isAlpha(measure.id)) return formatScore(corpus, measure, value);
  return withMinus(decimal(value, 3));
}

/**
 * A difference of scores, with its sign. One that is shown as 0 has none.
 *
 * @param {Pick<Corpus, "truncate">} corpus
 * @param {Pick<Metric, "unit"> | undefined} metric
 * @param {number | null | undefined} cost - a fraction of 1 unless the metric has a unit
 * @param {number} [decimals]
 */
export function formatCost(corpus, metric, cost, decimals) {
  const text = formatScore(corpus, metric, cost && Math.abs(cost), decimals);
  return /[1-9]/.test(text) ? `${Number(cost) < 0 ? "−" : "+"}${text}` : text;
}

/**
 * How many decimals, at least two, give half of the costs that are not 0 two digits or more.
 *
 * @param {Iterable<number | null>} costs - fractions of 1
 */
export function costDecimals(costs) {
  const sizes = Float64Array.from([...costs].flatMap((cost) => (cost ? Math.abs(cost) * 100 : []))).sort();
  if (!sizes.length) return 2;
  return Math.min(Math.max(2, 1 - Math.floor(Math.log10(sizes[sizes.length >> 1]))), MOST_DECIMALS);
}
