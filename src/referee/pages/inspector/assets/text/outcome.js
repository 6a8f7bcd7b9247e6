// What happened to a mention, and how its line shows it.

import { tone } from "../basics/colours.js";
import { h } from "../basics/dom.js";

/**
 * @import { Side } from "../types.d.ts"
 * @import { ScoredResponse } from "../model/response.js"
 * @typedef {"correct" | "wrong" | "unmatched"} Outcome
 */

// Without `in srgb` Firefox 153 draws nearly nothing of dashes whose colours are oklch, and takes twice as long for all lines.
/** @type {{ [O in Outcome]: (colour: string) => string }} */
const PATTERNS = {
  correct: (colour) => `linear-gradient(in srgb, ${colour}, ${colour})`,
  wrong: (colour) => `repeating-linear-gradient(90deg in srgb, ${colour} 0 5px, transparent 5px 7px)`,
  unmatched: (colour) => `repeating-linear-gradient(90deg in srgb, ${colour} 0 2px, transparent 2px 5px)`,
};

/**
 * @param {ScoredResponse | null} response
 * @param {Side} side
 * @param {number} mention
 * @returns {Outcome}
 */
export function outcomeOf(response, side, mention) {
  if (!response) return "correct";
  const other = response.otherMention(side, mention);
  if (other < 0) return "unmatched";
  const key = side === "K" ? mention : other;
  return response.isCorrect(key) && !response.differing.has(key) ? "correct" : "wrong";
}

/**
 * The line as a background: solid, dashed or dotted.
 *
 * @param {Outcome} outcome
 * @param {string} colour
 */
export const pattern = (outcome, colour) => PATTERNS[outcome](colour);

/** @param {{ [O in Outcome]: string }} meanings */
export const samples = (meanings) =>
  h("ul", { class: "samples" }, /** @type {Outcome[]} */ (["correct", "wrong", "unmatched"]).map((outcome) =>
    h("li", null,
      h("span", { class: "sample", style: { "background-image": pattern(outcome, tone(0, 2)) } }), meanings[outcome])));
