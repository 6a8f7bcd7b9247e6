// Marks beside the scrollbar: where in the text the errors are.

import { h, put } from "../basics/dom.js";

/**
 * @import { Mistake } from "../model/mistakes.js"
 * @import { TextLayout } from "./layout.js"
 */

const MOST = 240;
const PAUSE = 150; // milliseconds that the height of the text stays the same before the marks are drawn

export class Marks {
  /** @param {HTMLElement} pane - which scrolls */
  constructor(pane) {
    this.pane = pane;
    this.element = h("div", { class: "marks", "aria-hidden": "true", on: { click: (event) => this.jump(event) } });
    this.waiting = 0;
    /** @type {{ layout: TextLayout, mistakes: Mistake[] } | null} */
    this.scene = null;
    this.observer = new ResizeObserver(() => this.soon());
  }

  /**
   * @param {HTMLElement} column - of the text, whose height changes when parts of it are drawn
   * @param {TextLayout} layout
   * @param {Mistake[]} mistakes
   */
  show(column, layout, mistakes) {
    this.scene = { layout, mistakes };
    this.observer.disconnect();
    this.observer.observe(column);
  }

  soon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.draw(), PAUSE);
  }

  draw() {
    if (!this.scene) return;
    const { layout: { chunks, chunkOfBlock, blocks, items }, mistakes } = this.scene;
    const { scrollHeight } = this.pane;
    const places = new Map(chunks.map((chunk) => [chunk, {
      top: chunk.element.offsetTop, height: chunk.element.offsetHeight,
      start: blocks[items[chunk.first].first].start, end: blocks[items[chunk.last - 1].last - 1].end,
    }]));
    const used = new Set();
    let block = 0;
    for (const { start } of mistakes) {
      while (block < blocks.length - 1 && blocks[block].end <= start) block++;
      const place = places.get(chunkOfBlock[block]);
      if (!place) continue;
      const y = place.top + (place.height * (start - place.start)) / Math.max(1, place.end - place.start);
      used.add(Math.floor((MOST * y) / scrollHeight));
    }
    put(this.element, [...used].map((mark) => h("i", { style: { top: `${((100 * mark) / MOST).toFixed(2)}%` } })));
  }

  /** @param {MouseEvent} event */
  jump({ clientY }) {
    const { top, height } = this.element.getBoundingClientRect();
    const { scrollHeight, clientHeight } = this.pane;
    this.pane.scrollTop = ((clientY - top) / height) * scrollHeight - clientHeight / 2;
  }
}
