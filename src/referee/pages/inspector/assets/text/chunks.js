// Chunks of the text that are drawn when they come near the window, and forgotten when they leave it.

/**
 * @import { DrawnPiece } from "../types.d.ts"
 * @import { Chunk } from "./layout.js"
 */

const NEAR = 900; // pixels around the window that are kept drawn
const FEW = 12; // chunks that are kept, near or not

export class Chunks {
  /**
   * @param {HTMLElement} pane - which scrolls
   * @param {(item: number, drawn: DrawnPiece[]) => HTMLElement} drawItem - and adds its pieces to those drawn
   */
  constructor(pane, drawItem) {
    this.drawItem = drawItem;
    this.printing = false;
    /** @type {Chunk[]} */
    this.chunks = [];
    /** @type {WeakMap<Element, Chunk>} */
    this.chunkOf = new WeakMap();
    this.observer = new IntersectionObserver((entries) => this.seen(entries), { root: pane, rootMargin: `${NEAR}px 0px` });
  }

  /** @param {Chunk[]} chunks - whose elements are in the pane */
  show(chunks) {
    this.observer.disconnect();
    this.chunks = chunks;
    for (const chunk of chunks) {
      this.chunkOf.set(chunk.element, chunk);
      this.observer.observe(chunk.element);
    }
  }

  get pieces() {
    return this.chunks.flatMap(({ drawn }) => drawn ?? []);
  }

  /** @param {IntersectionObserverEntry[]} entries */
  seen(entries) {
    const chunks = (/** @type {boolean} */ near) =>
      entries.filter(({ isIntersecting }) => isIntersecting === near)
        .map(({ target }) => /** @type {Chunk} */ (this.chunkOf.get(target)));
    if (!this.printing) this.forget(chunks(false));
    for (const chunk of chunks(true)) this.draw(chunk);
  }

  /** @param {Chunk} chunk */
  draw(chunk) {
    if (chunk.drawn) return;
    chunk.drawn = [];
    const paragraphs = [];
    for (let item = chunk.first; item < chunk.last; item++) paragraphs.push(this.drawItem(item, chunk.drawn));
    chunk.element.style.height = "";
    chunk.element.replaceChildren(...paragraphs);
  }

  redraw() {
    for (const chunk of this.chunks.filter(({ drawn }) => drawn)) {
      chunk.drawn = null;
      this.draw(chunk);
    }
  }

  /**
   * Takes chunks of a long text away. Their places keep their heights.
   *
   * @param {Chunk[]} chunks
   */
  forget(chunks) {
    const drawn = this.chunks.length > FEW ? chunks.filter((chunk) => chunk.drawn) : [];
    const heights = drawn.map((chunk) => chunk.element.offsetHeight);
    for (const [n, chunk] of drawn.entries()) {
      chunk.element.style.height = `${heights[n]}px`;
      chunk.element.replaceChildren();
      chunk.drawn = null;
    }
  }

  printAll() {
    this.printing = true;
    for (const chunk of this.chunks) {
      chunk.drawn = null;
      this.draw(chunk);
    }
  }

  printed() {
    this.printing = false;
    const heights = this.chunks.map(({ element }) => element.offsetHeight);
    for (const [n, chunk] of this.chunks.entries()) {
      chunk.element.style.height = `${heights[n]}px`;
      chunk.element.replaceChildren();
      chunk.drawn = null;
    }
    for (const { element } of this.chunks) { // which tells anew what is near the window
      this.observer.unobserve(element);
      this.observer.observe(element);
    }
  }
}
