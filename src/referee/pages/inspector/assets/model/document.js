// A document: its tokens, the key, and each response.

import { range } from "../basics/numbers.js";
import { isolated } from "../basics/visible.js";
import { Annotation } from "./annotation.js";
import { letterOf } from "./changes.js";
import { ScoredResponse, scoresOf } from "./response.js";
import { blocksOf, gapsBefore } from "./tokens.js";

/**
 * @import { DocumentData, ResponseOverview } from "../payload.d.ts"
 * @import { Side, Span } from "../types.d.ts"
 */

/**
 * @param {string} id
 * @param {string[]} attributes
 */
const withAttributes = (id, attributes) => {
  const list = attributes.filter(Boolean).map(isolated).join(", ");
  return list ? `${id} (${list})` : id;
};

export class Doc {
  /**
   * @param {DocumentData} data
   * @param {number} number - in the corpus
   * @param {ResponseOverview[]} responses
   * @param {number | null} first - the annotator in the place of the key, if all are annotators: entities are A1, …, B1, …
   */
  constructor(data, number, responses, first = null) {
    this.number = number;
    this.data = data;
    /** @type {Doc | null} What it was before corrections. */
    this.before = null;
    /** @type {Set<number>} The mentions of the key that were corrected or commented on. */
    this.changed = new Set();
    /** What the files call records; the tokens have their attributes, too. */
    this.ids = data.tokens;
    this.records = data.records;
    this.tokens = data.records ? data.tokens.map((id, n) => withAttributes(id, data.records?.[n] ?? [])) : data.tokens;
    this.wordless = data.wordless;
    this.emptyNodes = new Set(data.empty_nodes);
    this.key = new Annotation(data.key, "K", this.tokens, first !== null ? letterOf(first) : data.responses.length ? "K" : "E");
    this.responses = data.responses.map((response, n) =>
      response && new ScoredResponse(response, this.key, first !== null ? letterOf(first + n + 1) : "R",
        scoresOf(responses[n], response, number)));
    this.blocks = blocksOf(data.sentences, data.tokens.length, data.wordless);
    this.speakers = data.speakers ?? [];
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
   * The entity that is called so.
   *
   * @param {string} query - normalized
   * @param {ScoredResponse | null} response
   * @returns {{ side: Side, entity: number } | null}
   */
  named(query, response) {
    for (const side of /** @type {Side[]} */ (response ? ["K", "R"] : ["K"])) {
      const entity = this.annotation(side, response).named(query);
      if (entity >= 0) return { side, entity };
    }
    return null;
  }

  /**
   * What stands before each token of a block.
   *
   * @param {Span} block
   */
  gaps({ start, end }) {
    if (!this.wordless) return gapsBefore(this.tokens, start, end);
    const gap = this.records ? " " : "\u2003"; // each record has a line of its own
    return range(end - start).map((n) => (n ? gap : ""));
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
