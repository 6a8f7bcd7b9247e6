// The text. Lines above the words are mentions of the key, lines below them mentions of the response; nested and crossing ones
// stand on levels of their own.

import { h } from "../basics/dom.js";
import { Chunks } from "./chunks.js";
import { TextLayout } from "./layout.js";
import { paint } from "./paint.js";
import { piecesOf } from "./pieces.js";
import { pointedAt, tooltip } from "./pointing.js";
import { hitsOf } from "./search.js";

/**
 * @import { DrawnPiece, Highlight, Piece, Select, Span } from "../types.d.ts"
 * @import { Doc } from "../model/document.js"
 * @import { ScoredResponse } from "../model/response.js"
 * @import { Scene } from "./paint.js"
 */

const DRAWN_AT_ONCE = 3; // chunks of a new document

export class TextPane {
  /** @param {{ select: Select }} actions */
  constructor({ select }) {
    this.select = select;
    this.element = h("div", {
      class: "text", role: "region", "aria-label": "Text", tabindex: "0",
      on: { click: (event) => this.click(event), mouseover: (event) => this.hover(event) },
    });
    this.chunks = new Chunks(this.element, (block, drawn) => this.paragraph(block, drawn));
    /** @type {WeakMap<EventTarget, DrawnPiece>} */
    this.pieceOf = new WeakMap();
    /** @type {Span[]} */
    this.hits = [];
    /** @type {Scene} */
    this.scene = /** @type {any} */ ({ highlight: null, marks: null }); // until a document is shown
    /** @type {TextLayout} */
    this.layout = /** @type {any} */ (null);
  }

  /**
   * @param {Doc} doc
   * @param {ScoredResponse | null} response
   */
  show(doc, response) {
    const same = this.scene.doc === doc;
    const top = this.element.scrollTop;
    this.hits = [];
    this.scene = { ...this.scene, doc, response, hit: undefined };
    this.element.classList.toggle("wordless", doc.wordless);
    this.layout = new TextLayout(doc, response, this.element.clientWidth);
    const { chunks } = this.layout;
    this.element.replaceChildren(h("div", { class: "column" }, chunks.map((chunk) => chunk.element)));
    this.element.scrollTop = same ? top : 0;
    for (const chunk of chunks.slice(0, same ? 0 : DRAWN_AT_ONCE)) this.chunks.draw(chunk);
    this.chunks.show(chunks);
  }

  /**
   * @param {number} number
   * @param {DrawnPiece[]} drawn - to which its pieces are added
   */
  paragraph(number, drawn) {
    const block = this.layout.blocks[number];
    const { above, below, pieces } = piecesOf(this.scene.doc, block, this.layout.lines[number], this.hits);
    return h("p", { dir: "auto", style: { "--above": above, "--below": below }, "data-sentence": block.sentence || null },
      pieces.map((piece) => this.stretch(piece, drawn)));
  }

  /**
   * @param {Piece} piece
   * @param {DrawnPiece[]} drawn
   */
  stretch(piece, drawn) {
    const { text, K, R, hit } = piece;
    if (!K.length && !R.length && !hit) return text;
    const element = h("span", { class: "piece" }, text);
    if (hit) element.classList.add("hit");
    if (hit && hit === this.scene.hit) element.classList.add("this-hit");
    const drawnPiece = { ...piece, element };
    this.pieceOf.set(element, drawnPiece);
    paint(drawnPiece, this.scene);
    drawn.push(drawnPiece);
    return element;
  }

  /**
   * @param {Highlight | null} highlight
   * @param {Scene["marks"]} marks
   */
  highlight(highlight, marks) {
    Object.assign(this.scene, { highlight, marks });
    for (const piece of this.chunks.pieces) paint(piece, this.scene);
  }

  /**
   * Scrolls to a token.
   *
   * @param {number} token
   * @param {boolean} flash - whether it is pointed out
   */
  goTo(token, flash) {
    const chunk = this.layout.chunkOf(token);
    if (!chunk) return;
    this.chunks.draw(chunk);
    const show = () => {
      const piece = chunk.drawn?.find(({ start, end }) => start <= token && end > token);
      (piece ?? chunk).element.scrollIntoView({ block: "center" });
      return piece?.element;
    };
    const element = show();
    requestAnimationFrame(show); // what is around it has been drawn meanwhile
    if (!flash || !element) return;
    element.classList.remove("flash");
    void element.offsetWidth; // starts the animation anew
    element.classList.add("flash");
  }

  /** Whether a mention of the selected entity is on the screen. */
  showsHighlight() {
    const { top, bottom } = this.element.getBoundingClientRect();
    return [...this.element.querySelectorAll(".piece.highlighted")].some((piece) => {
      const box = piece.getBoundingClientRect();
      return box.top >= top && box.bottom <= bottom;
    });
  }

  /** @param {MouseEvent} event */
  click(event) {
    const piece = event.target && this.pieceOf.get(event.target);
    if (!piece || !(piece.K.length || piece.R.length) || String(getSelection())) return;
    const { doc, response, highlight } = this.scene;
    const [side, { mention }] = pointedAt(piece, event, highlight);
    this.select(side, doc.annotation(side, response).entity[mention], mention);
  }

  /** @param {MouseEvent} event */
  hover({ target }) {
    const piece = target && this.pieceOf.get(target);
    if (piece && !piece.element.title) piece.element.title = tooltip(piece, this.scene.doc, this.scene.response);
  }

  /**
   * Marks what a query finds.
   *
   * @param {string} query
   */
  find(query) {
    this.hits = hitsOf(this.scene.doc, query);
    this.scene.hit = undefined;
    this.chunks.redraw();
    return this.hits.length;
  }

  /**
   * Goes to the next hit, or the one before.
   *
   * @param {1 | -1} by
   * @returns {number} - its place, -1 if there are no hits
   */
  step(by) {
    if (!this.hits.length) return -1;
    const now = this.scene.hit ? this.hits.indexOf(this.scene.hit) : Math.min(0, -by);
    const place = (now + by + this.hits.length) % this.hits.length;
    this.scene.hit = this.hits[place];
    this.chunks.redraw();
    this.goTo(this.hits[place].start, false);
    return place;
  }
}
