// What the page calls the two sides, and what is wrong: errors of a response against the key, or differences of two annotators,
// of whom neither is right.

import { letterOf } from "./changes.js";

/**
 * @import { Child, Corpus } from "../types.d.ts"
 * @import { Outcome } from "../text/outcome.js"
 * @typedef {object} Words
 * @property {string} K
 * @property {string} R
 * @property {{ K: string, R: string }} sides - without an article, for tables
 * @property {string} unit - what entities have
 * @property {string} Unit - the same as a heading
 * @property {string} error
 * @property {string} Errors - as a heading; in sentences in lower case
 * @property {string} span - what a mention has that was found with other tokens
 * @property {string} corrected - what becomes of errors
 * @property {{ K: string, R: string }} absent - of a mention of one side that the other one does not have
 * @property {{ [O in Outcome]: string }} outcomes
 * @property {{ [kind: string]: [name: string, meaning: string] }} kinds - of errors
 */

const SPLIT = "mentions separated from the rest of their entity";
const MISPLACED = "mentions put with another entity, away from the rest of their own";

/** @type {Words} */
const OF_RESPONSES = {
  K: "the key", R: "the response", sides: { K: "key", R: "response" },
  unit: "mention", Unit: "Mention", error: "error", Errors: "Errors", span: "a span error", corrected: "corrected",
  absent: { K: "missed", R: "spurious" },
  outcomes: { correct: "correct", wrong: "in the wrong entity, or with a span error", unmatched: "missed or spurious" },
  kinds: {
    span: ["span error", "a mention that was found with another span"],
    missed: ["missed mention", "a mention that the response missed"],
    missed_entity: ["missed entity", "an entity that shares no mention with the response"],
    spurious: ["spurious mention", "a mention that the key does not have, in an entity that shares others with it"],
    spurious_entity: ["spurious entity", "an entity that shares no mention with the key"],
    split: ["split", SPLIT],
    merged: ["merged", "an entity that the response puts together with another one"],
    misplaced: ["misplaced", MISPLACED],
  },
};

/**
 * @param {string} K
 * @param {string} R
 * @returns {Words}
 */
const ofAnnotators = (K, R) => ({
  K, R, sides: { K, R }, unit: "mention", Unit: "Mention",
  error: "difference", Errors: "Differences", span: "another span", corrected: "resolved",
  absent: { K: `not in ${R}`, R: `not in ${K}` },
  outcomes: {
    correct: "agreed", wrong: "in another entity, or with another span", unmatched: "of one annotator only",
  },
  kinds: {
    span: ["other span", `a mention that ${R} has with another span`],
    missed: [`mention of ${K} only`, `a mention that ${R} does not have, in an entity that shares others with ${R}`],
    missed_entity: [`entity of ${K} only`, `an entity that shares no mention with ${R}`],
    spurious: [`mention of ${R} only`, `a mention that ${K} does not have, in an entity that shares others with ${K}`],
    spurious_entity: [`entity of ${R} only`, `an entity that shares no mention with ${K}`],
    split: [`split in ${R}`, SPLIT],
    merged: [`merged in ${R}`, `an entity that ${R} puts together with another one`],
    misplaced: [`elsewhere in ${R}`, MISPLACED],
  },
});

/**
 * @param {Corpus} corpus
 * @param {number} response - that is shown
 */
export function wordsOf({ annotators, first, records }, response) {
  const words = annotators.length ? ofAnnotators(letterOf(first), letterOf(first + response + 1)) : OF_RESPONSES;
  return records ? ofRecords(words) : words;
}

/**
 * The same of records, which have no spans.
 *
 * @param {Words} words
 * @returns {Words}
 */
function ofRecords(words) {
  /** @type {Words} */
  const said = JSON.parse(JSON.stringify(words).replaceAll("mention", "record").replaceAll("Mention", "Record"));
  return { ...said, outcomes: { ...said.outcomes, wrong: said.outcomes.wrong.replace(/, or with .*/, "") } };
}

/**
 * What an error is about; names as the page has them, empty where there is none.
 *
 * @typedef {object} ErrorNames
 * @property {Child} mentions - the first, and how many more
 * @property {Child} other - a span error: the mention of the response
 * @property {Child} key - perhaps with words that tell which one it is
 * @property {string} keyName - without them
 * @property {Child} response
 * @property {Child} bestKey - of the response entity
 * @property {Child} bestResponse - of the key entity
 * @property {{ K: boolean, R: boolean }} most - whether more than half of the entity of that side is in its best match
 */

/** @param {ErrorNames} error */
const elsewhere = ({ keyName, bestResponse, most }) =>
  [most.K ? `, while most of ${keyName} is in ` : `; ${keyName}’s best match is `, bestResponse];

/** @param {ErrorNames} error */
const ofAnother = ({ bestKey, most }) => [most.R ? ", which is mostly " : ", whose best match is ", bestKey];

/** @type {{ [kind: string]: (error: ErrorNames, words: Words) => Child }} */
const SENTENCES = {
  span: ({ mentions, key, response, other }) => [mentions, " of ", key, " has another span in ", response, ": ", other],
  missed: ({ mentions, key }, { absent }) => [mentions, " of ", key, ` is ${absent.K}`],
  missed_entity: ({ mentions, key }, { absent }) => [mentions, ": ", key, ` is ${absent.K}`],
  spurious: ({ mentions, response }, { absent }) => [mentions, " in ", response, ` is ${absent.R}`],
  spurious_entity: ({ mentions, response }, { absent }) => [mentions, ": ", response, ` is ${absent.R}`],
  split: (error) => [error.mentions, " of ", error.key, ": in ", error.response, elsewhere(error)],
  merged: (error) => [error.mentions, ": ", error.key, " is merged into ", error.response, ofAnother(error)],
  misplaced: (error) => [error.mentions, " of ", error.key, ": in ", error.response, ofAnother(error), elsewhere(error)],
};

/**
 * @param {string} kind
 * @param {ErrorNames} names
 * @param {Words} words
 */
export const errorSentence = (kind, names, words) => SENTENCES[kind](names, words);
