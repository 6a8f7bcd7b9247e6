// A document: its tokens, the key, and each response.

import { range } from "../basics/numbers.js";
import { Annotation } from "./annotation.js";
import { ScoredResponse } from "./response.js";
import { blocksOf, gapsBefore } from "./tokens.js";

/**
 * @import { DocumentData } from "../payload.d.ts"
 * @import { Side, Span } from "../types.d.ts"
 */

export class Doc {
  /**
   * @param {DocumentData} data
   * @param {number} number - in the corpus
   */
  constructor(data, number) {
    this.number = number;
    this.tokens = data.tokens;
    this.wordless = data.wordless;
    this.key = new Annotation(data.key, "K", data.tokens);
    this.responses = data.responses.map((response) => response && new ScoredResponse(response, this.key));
    this.blocks = blocksOf(data.sentences, data.tokens.length, data.wordless);
    const { inOrder, size } = this.key;
    /** @type {number[]} The place of each key entity among all by size, the largest 0. */
    this.rank = [];
    for (const [place, entity] of inOrder.slice().sort((a, b) => size[b] - size[a]).entries()) this.rank[entity] = place;
    /** @type {{ text: string, starts: number[] } | null} */
    this.lowered = null;
  }

  /**
   * The entities of one side. A response that lacks the document has none.
   *
   * @param {Side} side
   * @param {ScoredResponse | null} response
   */
  annotation(side, response) {
    return side === "K" ? this.key : /** @type {ScoredResponse} */ (response).annotation;
  }

  /**
   * What stands before each token of a block.
   *
   * @param {Span} block
   */
  gaps({ start, end }) {
    return this.wordless ? range(end - start).map((n) => (n ? "\u2003" : "")) : gapsBefore(this.tokens, start, end);
  }

  /** The text as it is shown, in lower case with single spaces, and where on it each token starts. */
  get searchable() {
    this.lowered ??= this.lowerCase();
    return this.lowered;
  }

  lowerCase() {
    /** @type {number[]} */
    const starts = [];
    let text = "";
    for (const block of this.blocks) {
      if (text) text += " ";
      for (const [n, gap] of this.gaps(block).entries()) {
        if (gap) text += " ";
        starts.push(text.length);
        text += this.tokens[block.start + n].toLowerCase();
      }
    }
    return { text, starts };
  }
}
