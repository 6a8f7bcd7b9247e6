// Which mentions are in which block of the text, and which blocks make a chunk. Chunks are drawn and forgotten as a whole.

import { h } from "../basics/dom.js";
import { firstWhere } from "../basics/numbers.js";
import { outcomeOf } from "./outcome.js";

/**
 * @import { DrawnPiece, Line } from "../types.d.ts"
 * @import { Annotation } from "../model/annotation.js"
 * @import { Doc } from "../model/document.js"
 * @import { ScoredResponse } from "../model/response.js"
 */

/**
 * @typedef {{ K: Omit<Line, "level">[], R: Omit<Line, "level">[] }} Lines
 * @typedef {{ first: number, last: number, folded: boolean }} Item - a block, or several that are folded; `last` is after it
 * @typedef {object} Chunk
 * @property {number} first - item
 * @property {number} last - the item after it
 * @property {HTMLElement} element
 * @property {DrawnPiece[] | null} drawn - null while it is not drawn
 */

const TOKENS = 250; // of a chunk, at least
const NARROWEST = 30; // characters
const COLUMN = 388; // pixels of a column of records, with the gap: 24em, and 28px

export class TextLayout {
  /**
   * @param {Doc} doc
   * @param {ScoredResponse | null} response
   * @param {number} width - of the pane, in pixels
   * @param {Set<number> | null} unfolded - blocks that are shown though nothing is wrong in them or beside them; null: all are
   */
  constructor(doc, response, width, unfolded) {
    this.blocks = doc.blocks;
    /** Where each token has a line of its own: in how many columns; else 0. */
    this.columnsOfLines = doc.records ? Math.max(1, Math.floor((width - 30) / COLUMN)) : 0;
    this.response = response;
    /** @type {Lines[]} Of each block. */
    this.lines = doc.blocks.map(() => ({ K: [], R: [] }));
    this.addLines(doc.key);
    if (response) this.addLines(response.annotation);
    this.items = this.itemsOf(unfolded);
    /** @type {Chunk[]} */
    this.chunks = [];
    /** @type {Chunk[]} Of each block. */
    this.chunkOfBlock = [];
    this.makeChunks(Math.max(NARROWEST, (width - 90) / 8.2));
  }

  /** @param {Annotation} annotation */
  addLines(annotation) {
    for (const mention of annotation.start.keys()) {
      for (const [start, end] of annotation.spans(mention)) {
        for (let b = this.blockOf(start); b < this.blocks.length && this.blocks[b].start < end; b++) {
          this.lines[b][annotation.side].push({ mention, start, end });
        }
      }
    }
  }

  /**
   * @param {Set<number> | null} unfolded
   * @returns {Item[]}
   */
  itemsOf(unfolded) {
    const wrong = this.blocks.map((_, block) => this.isWrong(block));
    /** @type {Item[]} */
    const items = [];
    for (const block of this.blocks.keys()) {
      const isOpen = !unfolded || unfolded.has(block) || wrong[block - 1] || wrong[block] || wrong[block + 1];
      const last = items.at(-1);
      if (!isOpen && last?.folded) last.last = block + 1;
      else items.push({ first: block, last: block + 1, folded: !isOpen });
    }
    return items;
  }

  /**
   * Whether a mention of a block is not correct.
   *
   * @param {number} block
   */
  isWrong(block) {
    const { K, R } = this.lines[block];
    const wrong = (/** @type {"K" | "R"} */ side) => (/** @type {{ mention: number }} */ { mention }) =>
      outcomeOf(this.response, side, mention) !== "correct";
    return K.some(wrong("K")) || R.some(wrong("R"));
  }

  /**
   * Chunks that are not drawn have the height that they are likely to need.
   *
   * @param {number} columns - characters of a row
   */
  makeChunks(columns) {
    let tokens = Infinity;
    let height = 0;
    for (const [number, { first, last, folded }] of this.items.entries()) {
      const words = folded ? 1 : this.blocks[first].end - this.blocks[first].start;
      if (tokens > TOKENS) {
        this.chunks.push({ first: number, last: number, element: h("div", { class: "chunk" }), drawn: null });
        tokens = 0;
        height = 0;
      }
      const chunk = this.chunks[this.chunks.length - 1];
      chunk.last = number + 1;
      tokens += words;
      height += 8 + (this.columnsOfLines
        ? 36 * Math.ceil(words / this.columnsOfLines) : 40 * Math.ceil((words * 5.6) / columns));
      chunk.element.style.height = `${height}px`;
      for (let block = first; block < last; block++) this.chunkOfBlock.push(chunk);
    }
  }

  /**
   * The block of a token; how many blocks there are if it is past the text.
   *
   * @param {number} token
   */
  blockOf(token) {
    return firstWhere(this.blocks.length, (block) => this.blocks[block].end > token);
  }

  /**
   * The folded blocks that a token is in, if it is.
   *
   * @param {number} token
   */
  foldOf(token) {
    const block = this.blockOf(token);
    return this.items.find(({ first, last, folded }) => folded && first <= block && block < last);
  }

  /**
   * @param {number} token
   * @returns {Chunk | undefined}
   */
  chunkOf(token) {
    return this.chunkOfBlock[Math.min(this.blockOf(token), this.chunkOfBlock.length - 1)];
  }
}
