// Numbers in words and lists.

const NUMBERS = new Intl.NumberFormat("en");

/** @param {number} n */
export const formatted = (n) => NUMBERS.format(n);

/**
 * A number with its noun.
 *
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 */
export const count = (n, one, many = `${one}s`) => `${formatted(n)} ${n === 1 ? one : many}`;

/** @param {(number | null)[]} numbers */
export const sum = (numbers) => numbers.reduce((/** @type {number} */ total, n) => total + (n ?? 0), 0);

/**
 * The numbers 0 to n - 1.
 *
 * @param {number} n
 */
export const range = (n) => Array.from({ length: n }, (_, number) => number);

/**
 * The first of the numbers 0 to length - 1 for which something holds that holds for all after it; length if there is none.
 *
 * @param {number} length
 * @param {(number: number) => boolean} holds
 */
export function firstWhere(length, holds) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
