// The kinds of errors in words.

/** @import { Child } from "../types.d.ts" */

/** @type {{ [kind: string]: [name: string, meaning: string] }} */
const KINDS = {
  span: ["span error", "a mention that was found with another span"],
  missed: ["missed mention", "a mention that the response missed"],
  missed_entity: ["missed entity", "an entity that shares no mention with the response"],
  spurious: ["spurious mention", "a mention that the key does not have, in an entity that shares others with it"],
  spurious_entity: ["spurious entity", "an entity that shares no mention with the key"],
  split: ["split", "mentions separated from the rest of their entity"],
  merged: ["merged", "an entity that the response puts together with another one"],
  misplaced: ["misplaced", "mentions put with another entity, away from the rest of their own"],
};

/** @param {string} kind */
export const kindName = (kind) => KINDS[kind][0];

/** @param {string} kind */
export const kindMeaning = (kind) => KINDS[kind][1];

/**
 * What an error is about; names as the page has them, empty where there is none.
 *
 * @typedef {object} ErrorWords
 * @property {Child} mentions - the first, and how many more
 * @property {Child} other - a span error: the mention of the response
 * @property {string} key
 * @property {string} response
 * @property {string} bestKey - of the response entity
 * @property {string} bestResponse - of the key entity
 */

/** @type {{ [kind: string]: (error: ErrorWords) => Child }} */
const SENTENCES = {
  span: ({ mentions, key, response, other }) => [mentions, ` of ${key} has another span in ${response}: `, other],
  missed: ({ mentions, key }) => [mentions, ` of ${key} is missed`],
  missed_entity: ({ mentions, key }) => [mentions, `: ${key} is missed`],
  spurious: ({ mentions, response }) => [mentions, ` in ${response} is spurious`],
  spurious_entity: ({ mentions, response }) => [mentions, `: ${response} is spurious`],
  split: ({ mentions, key, response, bestResponse }) =>
    [mentions, ` of ${key}: in ${response}, while most of ${key} is in ${bestResponse}`],
  merged: ({ mentions, key, response, bestKey }) =>
    [mentions, `: ${key} is merged into ${response}, which is mostly ${bestKey}`],
  misplaced: ({ mentions, key, response, bestKey, bestResponse }) =>
    [mentions, ` of ${key}: in ${response}, which is mostly ${bestKey}, while most of ${key} is in ${bestResponse}`],
};

/**
 * @param {string} kind
 * @param {ErrorWords} words
 */
export const errorSentence = (kind, words) => SENTENCES[kind](words);
