// Which mentions are in which block of the text, and which blocks make a chunk. Chunks are drawn and forgotten as a whole.

import { h } from "../basics/dom.js";
import { firstWhere } from "../basics/numbers.js";

/**
 * @import { DrawnPiece, Line } from "../types.d.ts"
 * @import { Annotation } from "../model/annotation.js"
 * @import { Doc } from "../model/document.js"
 * @import { ScoredResponse } from "../model/response.js"
 */

/**
 * @typedef {{ K: Omit<Line, "level">[], R: Omit<Line, "level">[] }} Lines
 * @typedef {object} Chunk
 * @property {number} first - block
 * @property {number} last - the block after it
 * @property {HTMLElement} element
 * @property {DrawnPiece[] | null} drawn - null while it is not drawn
 */

const TOKENS = 500; // of a chunk, at least
const NARROWEST = 30; // characters
const WIDEST = 78;

export class TextLayout {
  /**
   * @param {Doc} doc
   * @param {ScoredResponse | null} response
   * @param {number} width - of the pane, in pixels
   */
  constructor(doc, response, width) {
    this.blocks = doc.blocks;
    /** @type {Lines[]} Of each block. */
    this.lines = doc.blocks.map(() => ({ K: [], R: [] }));
    this.addLines(doc.key);
    if (response) this.addLines(response.annotation);
    /** @type {Chunk[]} */
    this.chunks = [];
    /** @type {Chunk[]} Of each block. */
    this.chunkOfBlock = [];
    this.makeChunks(Math.max(NARROWEST, Math.min(WIDEST, (width - 90) / 8.2)));
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
   * Chunks that are not drawn have the height that they are likely to need.
   *
   * @param {number} columns - characters of a row
   */
  makeChunks(columns) {
    let tokens = Infinity;
    let height = 0;
    for (const [number, { start, end }] of this.blocks.entries()) {
      if (tokens > TOKENS) {
        this.chunks.push({ first: number, last: number, element: h("div", { class: "chunk" }), drawn: null });
        tokens = 0;
        height = 0;
      }
      const chunk = this.chunks[this.chunks.length - 1];
      chunk.last = number + 1;
      tokens += end - start;
      height += 8 + 40 * Math.ceil(((end - start) * 5.6) / columns);
      chunk.element.style.height = `${height}px`;
      this.chunkOfBlock.push(chunk);
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
   * @param {number} token
   * @returns {Chunk | undefined}
   */
  chunkOf(token) {
    return this.chunkOfBlock[Math.min(this.blockOf(token), this.chunkOfBlock.length - 1)];
  }
}
