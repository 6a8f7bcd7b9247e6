// Tokens as a printer sets them: no space before a comma, none after an opening bracket.

import { range } from "../basics/numbers.js";

const NO_SPACE_BEFORE = /^(?:[.,;:!?%)\]}’”»…]+|['’](?:s|re|ve|ll|d|m)|n['’]t|''|-R[RSC]B-)$/i;
const NO_SPACE_AFTER = /^(?:[([{“‘«¿¡$£€#]+|``|-L[RSC]B-)$/;
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}。、，！？：；「」『』（）]/u;

/**
 * @param {string} before
 * @param {string} after
 */
function space(before, after) {
  if (NO_SPACE_BEFORE.test(after) || NO_SPACE_AFTER.test(before)) return "";
  return NO_SPACES.test(before.at(-1) ?? "") && NO_SPACES.test(after[0] ?? "") ? "" : " ";
}

/**
 * What stands before each of the tokens: a space or nothing. Straight quotation marks open and close in turn.
 *
 * @param {string[]} tokens
 * @param {number} start
 * @param {number} end
 */
export function gapsBefore(tokens, start, end) {
  const gaps = [];
  let open = false;
  let opened = false; // by the token before
  for (let token = start; token < end; token++) {
    const mark = tokens[token] === '"';
    gaps.push(token === start || opened || (mark && open) ? "" : space(tokens[token - 1], tokens[token]));
    if (mark) open = !open;
    opened = mark && open;
  }
  return gaps;
}

/**
 * @param {string[]} tokens
 * @param {number} start
 * @param {number} end
 */
export const joined = (tokens, start, end) => end - start === 1 ? tokens[start]
  : gapsBefore(tokens, start, end).map((gap, n) => gap + tokens[start + n]).join("");

/**
 * A query as it is compared with text.
 *
 * @param {string} query
 */
export const normalized = (query) => query.toLowerCase().trim().replace(/\s+/g, " ");

/**
 * The text of a document is made of blocks, which are sentences; long ones are cut.
 *
 * @param {number[]} sentences - the tokens at which they start
 * @param {number} tokens - how many
 * @param {boolean} wordless
 */
export function blocksOf(sentences, tokens, wordless) {
  const starts = sentences.length ? sentences : [0];
  const longest = wordless ? 60 : 150;
  const numbered = !wordless && starts.length > 1;
  return starts.flatMap((start, number) => {
    const end = starts[number + 1] ?? tokens;
    return range(Math.ceil(Math.max(0, end - start) / longest)).map((n) => ({
      start: start + n * longest,
      end: Math.min(start + (n + 1) * longest, end),
      sentence: n === 0 && numbered ? number + 1 : 0, // counted from 1; 0 for what has no number
    }));
  });
}
