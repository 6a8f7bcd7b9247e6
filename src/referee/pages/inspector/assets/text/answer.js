// What a language model answered about a document, above its text: how it was read, and all that it said.

import { h } from "../basics/dom.js";
import { visible } from "../basics/visible.js";

/** @import { AnswerData } from "../payload.d.ts" */

const LONGEST = 100_000;

/**
 * @param {AnswerData | undefined} answer
 * @returns {HTMLElement | null}
 */
export function answerBox(answer) {
  if (!answer) return null;
  const { state, repaired, text } = answer;
  const lines = text.split(/\r?\n/).map((line) => h("p", { dir: "auto" }, visible(line, LONGEST)));
  return h("details", { class: "answer" },
    h("summary", null, `answer of the model: ${state}`, repaired && h("span", { class: "soft" }, ` (${repaired})`)),
    h("div", { class: "said", tabindex: "0", role: "region", "aria-label": "answer of the model" }, lines));
}
