// The text. Lines above the words are mentions of the key, lines below them mentions of the response; nested and crossing ones
// stand on levels of their own.

import { button } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { count } from "../basics/numbers.js";
import { visible } from "../basics/visible.js";
import { spoken } from "../model/description.js";
import { isLit } from "../model/highlight.js";
import { mistakesOf } from "../model/mistakes.js";
import { Chunks } from "./chunks.js";
import { TextLayout } from "./layout.js";
import { paint, strokesOf } from "./paint.js";
import { onPaper } from "./paper.js";
import { piecesOf } from "./pieces.js";
import { Marks } from "./marks.js";
import { pointedAt } from "./pointing.js";
import { relationMarks } from "./relation_marks.js";
import { hitsOf } from "./search.js";

/**
 * @import { Context, DrawnPiece, Highlight, Line, Piece, Preview, Select, Side, Span } from "../types.d.ts"
 * @import { Item } from "./layout.js"
 * @import { Scene } from "./paint.js"
 */

const DRAWN_AT_ONCE = 3; // chunks of a new document

export class TextPane {
  /** @param {{ select: Select, preview: Preview }} actions */
  constructor({ select, preview }) {
    this.select = select;
    this.preview = preview;
    this.element = h("div", {
      class: "text", role: "region", "aria-label": "Text", tabindex: "0",
      on: {
        click: (event) => this.click(event), keydown: (event) => this.key(event),
        mousemove: (event) => this.hover(event), mouseleave: () => preview(null),
        focusin: (event) => this.focused(event), focusout: () => preview(null),
        dragstart: (event) => event.dataTransfer?.setData("text/plain", "mention"),
        dragover: (event) => this.isEditing && event.preventDefault(), drop: (event) => this.dropped(event),
      },
    });
    this.chunks = new Chunks(this.element, (item, drawn) => this.drawItem(item, drawn));
    this.marks = new Marks(this.element);
    this.isEditing = false; // whether words can be selected, and the selected mention dragged
    /** @type {(token: number) => void} Called where the selected mention is dropped. */
    this.drop = () => {};
    /** @type {Set<number> | null} Blocks that were unfolded; null where none is folded. */
    this.unfolded = null;
    /** @type {Highlight | null} */
    this.lit = null;
    /** @type {WeakMap<EventTarget, DrawnPiece>} */
    this.pieceOf = new WeakMap();
    /** @type {Span[]} */
    this.hits = [];
    /** @type {Span | null} Words that are chosen. */
    this.marked = null;
    /** @type {Scene} */
    this.scene = /** @type {any} */ ({ highlight: null, marks: null }); // until a document is shown
    /** @type {TextLayout} */
    this.layout = /** @type {any} */ (null);
    /** @type {Context} */
    this.context = /** @type {any} */ (null);
  }

  /**
   * @param {Context} context
   * @param {Highlight | null} highlight
   * @param {Scene["marks"]} marks
   */
  show(context, highlight, marks) {
    const { doc, response, filter } = context;
    const same = this.scene.doc?.number === doc.number; // also as it is after a correction
    this.context = context;
    this.hits = [];
    this.scene = { doc, response, highlight, marks, isEditing: this.isEditing, hit: undefined };
    this.element.classList.toggle("wordless", doc.wordless);
    this.element.classList.toggle("records", Boolean(doc.records));
    this.unfolded = filter.onlyErrors && !doc.wordless ? new Set() : null;
    this.lay(same);
  }

  /** @param {boolean} same - whether the document was shown before */
  lay(same) {
    const { doc, response } = this.scene;
    const top = this.element.scrollTop;
    this.element.classList.toggle("no-empty-nodes", this.context.filter.noEmptyNodes);
    this.layout = new TextLayout(doc, response, this.element.clientWidth, this.unfolded);
    const { chunks } = this.layout;
    const column = h("div", { class: "column" }, chunks.map((chunk) => chunk.element));
    this.element.replaceChildren(column);
    this.element.scrollTop = same ? top : 0;
    this.marks.show(column, this.layout, mistakesOf(doc, response));
    for (const chunk of chunks.slice(0, same ? 0 : DRAWN_AT_ONCE)) this.chunks.draw(chunk);
    this.chunks.show(chunks);
  }

  /**
   * Folds the sentences in which nothing is wrong, or shows all.
   *
   * @param {boolean} fold
   */
  fold(fold) {
    const { doc } = this.scene;
    this.unfolded = fold && !doc.wordless ? new Set() : null;
    this.lay(true);
  }

  /** @param {Item} item */
  unfold({ first, last }) {
    for (let block = first; block < last; block++) this.unfolded?.add(block);
    this.lay(true);
  }

  /**
   * @param {number} number
   * @param {DrawnPiece[]} drawn - to which its pieces are added
   */
  drawItem(number, drawn) {
    const item = this.layout.items[number];
    if (!item.folded) return this.paragraph(item.first, drawn);
    return h("p", { class: "folded" }, button("chip", () => this.unfold(item), null,
      `${count(item.last - item.first, "sentence")} without ${this.context.words.Errors.toLowerCase()}`));
  }

  /**
   * @param {number} number
   * @param {DrawnPiece[]} drawn - to which its pieces are added
   */
  paragraph(number, drawn) {
    const block = this.layout.blocks[number];
    const { above, below, pieces } = piecesOf(this.scene.doc, block, this.layout.lines[number], this.hits, this.looks(number));
    return h("p", { dir: "auto", style: { "--above": above, "--below": below }, "data-sentence": block.sentence || null },
      this.speaker(block.sentence - 1), pieces.map((piece) => this.stretch(piece, drawn)));
  }

  /**
   * Where a mention is drawn.
   *
   * @param {{ side: Side, mention: number }} pointed
   */
  elementsOf({ side, mention }) {
    const pieces = this.chunks.pieces.filter((piece) => piece[side].some((line) => line.mention === mention));
    return pieces.map(({ element }) => element);
  }

  /**
   * Who begins to speak.
   *
   * @param {number} sentence - -1 for none
   */
  speaker(sentence) {
    const { [sentence]: name, [sentence - 1]: before } = this.scene.doc.speakers;
    return name && name !== before && h("bdi", { class: "speaker" }, visible(name, 40), ": ");
  }

  /**
   * The tokens of a block that are shown in a way of their own: empty nodes, and heads if these are wanted.
   *
   * @param {number} number
   */
  looks(number) {
    const { doc, response } = this.scene;
    const { start, end } = this.layout.blocks[number];
    /** @type {Map<number, string>} */
    const looks = new Map();
    const add = (/** @type {number} */ token, /** @type {string} */ look) =>
      token >= start && token < end && !looks.get(token)?.includes(look)
        && looks.set(token, `${looks.get(token) ?? ""} ${look}`.trim());
    for (const token of doc.emptyNodes) add(token, "empty-node");
    if (!this.context.filter.heads) return looks;
    for (const side of /** @type {const} */ (["K", "R"])) {
      for (const { mention } of this.layout.lines[number][side]) {
        add(doc.annotation(side, response).heads?.[mention] ?? -1, "head");
      }
    }
    return looks;
  }

  /**
   * @param {Piece} piece
   * @param {DrawnPiece[]} drawn
   * @returns {import("../types.d.ts").Child}
   */
  stretch(piece, drawn) {
    const { text, K, R, hit, look } = piece;
    if (!K.length && !R.length && !hit && !look && !this.isEditing) return text;
    const element = this.chunks.printing
      ? onPaper(piece, this.scene) : h("span", { class: "piece", ...this.spoken(piece) }, text);
    if (look) element.classList.add(...look.split(" "));
    if (hit) element.classList.add("hit");
    if (K.some(({ mention }) => this.scene.doc.changed.has(mention))) element.classList.add("edited");
    const drawnPiece = { ...piece, element };
    this.pieceOf.set(element, drawnPiece);
    if (!this.chunks.printing) paint(drawnPiece, this.scene);
    drawn.push(drawnPiece);
    return this.context.filter.relations ? [element, relationMarks(this.context, piece, this.select)] : element;
  }

  /**
   * How a piece is named to those who do not see its lines: by the mentions that begin with it.
   *
   * @param {Piece} piece
   */
  spoken(piece) {
    const starting = starts(piece);
    if (!starting.length) return {};
    const label = starting.map(([side, { mention }]) => spoken(this.context, side, mention)).join("; ");
    return { role: "button", tabindex: "-1", "aria-label": label };
  }

  /**
   * Lights the mentions of what is pointed to, and those that its projections share with it.
   *
   * @param {Highlight | null} lit
   */
  light(lit) {
    if (!lit && !this.lit) return;
    this.lit = lit;
    for (const { element, K, R } of this.chunks.pieces) {
      const has = (/** @type {Side} */ side, /** @type {Line[]} */ lines) =>
        lit !== null && lines.some(({ mention }) => isLit(this.scene, lit, side, mention));
      element.classList.toggle("lit", has("K", K) || has("R", R));
    }
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
    const fold = this.layout.foldOf(token);
    if (fold) this.unfold(fold);
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

  /**
   * The lines of an element of the text, and the tint behind it, for a picture.
   *
   * @param {Element} element
   */
  strokes(element) {
    const piece = this.pieceOf.get(element);
    return piece ? strokesOf(piece, this.scene) : [];
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

  /** @param {DragEvent} event */
  dropped(event) {
    const piece = event.target && this.pieceOf.get(event.target);
    event.preventDefault();
    if (piece) this.drop(piece.start);
  }

  /**
   * Marks words, as what a search finds is marked.
   *
   * @param {Span | null} words
   */
  mark(words) {
    if (!words && !this.marked) return;
    this.marked = words;
    this.hits = words ? [words] : [];
    this.scene.hit = words ?? undefined;
    this.chunks.redraw();
    if (words) this.goTo(words.start, false);
  }

  /** The first token in sight. */
  firstInSight() {
    const { top } = this.element.getBoundingClientRect();
    const piece = this.chunks.pieces.find(({ element }) => element.getBoundingClientRect().top >= top);
    return piece?.start ?? 0;
  }

  /** @param {MouseEvent} event */
  hover(event) {
    const piece = event.target && this.pieceOf.get(event.target);
    if (!piece || !(piece.K.length || piece.R.length)) this.preview(null);
    else this.point(pointedAt(piece, event, this.scene.highlight), event);
  }

  /**
   * @param {[Side, Line]} pointed
   * @param {MouseEvent | FocusEvent} event
   */
  point([side, { mention }], event) {
    const entity = this.scene.doc.annotation(side, this.scene.response).entity[mention];
    this.preview({ side, entity, mention }, event);
  }

  /** @param {FocusEvent} event */
  focused(event) {
    const piece = event.target && this.pieceOf.get(event.target);
    const [first] = piece ? starts(piece) : [];
    if (first) this.point(first, event);
  }

  /**
   * Left and right go from mention to mention; Enter selects the one that begins there, then the one around it.
   *
   * @param {KeyboardEvent} event
   */
  key(event) {
    const { target, key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const piece = target && this.pieceOf.get(target);
    const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (by) this.focusMention(target, by);
    else if (piece && (key === "Enter" || key === " ")) {
      const starting = starts(piece);
      const { doc, response, highlight } = this.scene;
      const now = starting.findIndex(([side, line]) => highlight?.side === side && highlight.mention === line.mention);
      const [side, { mention }] = starting[(now + 1) % starting.length];
      this.select(side, doc.annotation(side, response).entity[mention], mention);
    } else return;
    event.preventDefault();
  }

  /**
   * @param {EventTarget | null} from
   * @param {1 | -1} by
   */
  focusMention(from, by) {
    const mentions = [...this.element.querySelectorAll(".piece[role]")];
    const { top } = this.element.getBoundingClientRect();
    const now = mentions.indexOf(/** @type {Element} */ (from));
    const first = mentions.findIndex((mention) => mention.getBoundingClientRect().bottom > top); // in sight
    const next = mentions[now < 0 ? first : now + by];
    if (next instanceof HTMLElement) next.focus();
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
    const left = this.scene.hit;
    this.scene.hit = this.hits[place];
    for (const piece of this.chunks.pieces.filter(({ hit }) => hit && (hit === left || hit === this.scene.hit))) {
      paint(piece, this.scene);
    }
    this.goTo(this.hits[place].start, false);
    return place;
  }
}

/**
 * The mentions that begin with a piece, the shortest first.
 *
 * @param {Piece} piece
 * @returns {[Side, Line][]}
 */
function starts({ start, end, K, R }) {
  if (start === end) return [];
  const of = (/** @type {Side} */ side, /** @type {Line[]} */ lines) =>
    lines.filter((line) => line.start === start).map((line) => /** @type {[Side, Line]} */ ([side, line]));
  return [...of("K", K), ...of("R", R)].sort(([, a], [, b]) => a.level - b.level);
}
