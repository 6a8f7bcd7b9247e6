// What is in sight of an element as SVG: text as text, lines and ribbons as shapes, colours as every program knows them.

import { svg } from "../basics/dom.js";

/** @import { Stroke } from "../text/paint.js" */

const MARGIN = 20; // pixels below the last word
const WIDTH_OF_DOTS = 16; // pixels
const DASHES = { correct: null, wrong: "5 2", unmatched: "2 3" };

/** @type {OffscreenCanvasRenderingContext2D} */
const canvas = /** @type {any} */ (new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true }));

/**
 * A colour in sRGB, and how opaque it is.
 *
 * @param {string} colour
 * @returns {[hexadecimal: string, alpha: number]}
 */
function plain(colour) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  const hexadecimal = [red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("");
  return [`#${hexadecimal}`, Number((alpha / 255).toFixed(3))];
}

/**
 * @param {"fill" | "stroke"} what
 * @param {string} colour
 */
function painted(what, colour) {
  const [hexadecimal, alpha] = plain(colour);
  return { [what]: hexadecimal, [`${what}-opacity`]: alpha < 1 ? alpha : null };
}

export class Picture {
  /**
   * @param {HTMLElement} root
   * @param {(element: Element) => Stroke[]} strokesOf - the lines of a piece of the text, and the tint behind it
   */
  constructor(root, strokesOf) {
    this.frame = root.getBoundingClientRect();
    this.strokesOf = strokesOf;
    this.bottom = 0; // of the last word
    /** @type {SVGElement[]} */
    this.shapes = [];
    /** @type {SVGElement[]} */
    this.words = [];
    /** @type {DOMRect | null} What the last word was clipped by. */
    this.clip = null;
    this.cut = false; // whether something was left out there
    /** @type {{ box: DOMRect, element: SVGElement }[]} The words that it has clipped so far. */
    this.line = [];
    this.walk(root, this.frame);
    const { width } = this.frame;
    const height = Math.min(this.frame.height, Math.ceil(this.bottom) + MARGIN);
    const paper = svg("rect", { width, height, ...painted("fill", background(root)) });
    this.element = svg("svg", {
      xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`,
    }, paper, this.shapes, this.words);
  }

  get source() {
    return new XMLSerializer().serializeToString(this.element);
  }

  /**
   * @param {Element} element
   * @param {DOMRect} clip - what is to be seen of it
   */
  walk(element, clip) {
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden" || element.matches("button, [data-open]")) return;
    if (element instanceof SVGElement) {
      this.drawing(element);
      return;
    }
    const box = element.getBoundingClientRect();
    const inline = style.display === "inline";
    if (!inline && box.height && (box.bottom < clip.top || box.top > clip.bottom)) return;
    this.boxes(element, style, clip);
    const inner = style.overflowX === "visible" || inline ? clip : intersection(clip, box);
    for (const node of element.childNodes) {
      if (node instanceof Element) this.walk(node, inner);
      else if (node instanceof Text && node.data.trim()) this.text(node, style, inner);
    }
  }

  /**
   * Backgrounds, the border of an entity, lines of mentions.
   *
   * @param {Element} element
   * @param {CSSStyleDeclaration} style
   * @param {DOMRect} clip
   */
  boxes(element, style, clip) {
    const [, alpha] = plain(style.backgroundColor);
    const strokes = this.strokesOf(element);
    const border = element.classList.contains("entity") ? parseFloat(style.borderLeftWidth) : 0;
    if (!alpha && !strokes.length && !border) return;
    for (const full of element.getClientRects()) {
      const box = intersection(full, clip);
      if (box.width <= 0 || box.height <= 0) continue;
      if (alpha) this.rectangle(box.left, box.top, box.width, box.height, style.backgroundColor);
      if (border) this.rectangle(box.left, box.top, border, box.height, style.borderLeftColor);
      for (const stroke of strokes) this.stroke(full, stroke);
    }
  }

  /**
   * @param {DOMRect} box
   * @param {Stroke} stroke
   */
  stroke(box, { colour, outcome, fromTop, fromBottom, left, right }) {
    if (outcome === null) {
      this.rectangle(box.left, box.top + fromTop, box.width, box.height - fromTop - fromBottom, colour);
      return;
    }
    const y = (Number.isNaN(fromBottom) ? box.top + fromTop : box.bottom - fromBottom) - this.frame.top;
    const [from, to] = [box.left + left - this.frame.left, box.right - right - this.frame.left];
    this.shapes.push(svg("line", {
      x1: from, x2: to, y1: y, y2: y, "stroke-width": 3, "stroke-dasharray": DASHES[outcome], ...painted("stroke", colour),
    }));
  }

  /**
   * @param {number} left
   * @param {number} top
   * @param {number} width
   * @param {number} height
   * @param {string} colour
   */
  rectangle(left, top, width, height, colour) {
    this.shapes.push(svg("rect", {
      x: left - this.frame.left, y: top - this.frame.top, width, height, ...painted("fill", colour),
    }));
  }

  /** @param {SVGElement} element - the ribbons */
  drawing(element) {
    const { left, top } = element.getBoundingClientRect();
    const paths = [...element.querySelectorAll("path")].map((path) => {
      const style = getComputedStyle(path);
      return svg("path", {
        d: path.getAttribute("d"), fill: "none", "stroke-width": path.getAttribute("stroke-width"),
        "stroke-dasharray": path.getAttribute("stroke-dasharray"), ...painted("stroke", style.stroke),
      });
    });
    this.shapes.push(svg("g", { transform: `translate(${left - this.frame.left} ${top - this.frame.top})` }, paths));
  }

  /**
   * The words of a text node, each where it stands. A line that is cut off ends with a whole word and "…".
   *
   * @param {Text} node
   * @param {CSSStyleDeclaration} style
   * @param {DOMRect} clip
   */
  text(node, style, clip) {
    const range = document.createRange();
    for (const { index, 0: word } of node.data.matchAll(/\S+/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const rows = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
      const parts = rows.size === 1 ? [word] : Array.from(word);
      let start = index;
      for (const part of parts) {
        range.setStart(node, start);
        range.setEnd(node, start + part.length);
        start += part.length;
        const box = range.getBoundingClientRect();
        if (box.bottom <= clip.top || box.top >= clip.bottom) continue;
        if (clip !== this.clip) [this.clip, this.cut, this.line] = [clip, false, []];
        if (box.right > clip.right + 1 && rows.size === 1) this.leaveOut(box, clip, style);
        else if (!this.cut) this.line.push({ box, element: this.word(part, box, style) });
      }
    }
  }

  /**
   * Ends a line before a word for which there is no room, with "…" in its place or in that of the words before it.
   *
   * @param {DOMRect} box - of the word
   * @param {DOMRect} clip
   * @param {CSSStyleDeclaration} style
   */
  leaveOut(box, clip, style) {
    if (this.cut) return;
    this.cut = true;
    let { left } = box;
    for (let last = this.line.at(-1); last; last = this.line.at(-1)) {
      if (left + WIDTH_OF_DOTS <= clip.right && last.element.textContent !== "·") break;
      ({ left } = last.box);
      this.words.splice(this.words.indexOf(last.element), 1);
      this.line.pop();
    }
    this.word("…", new DOMRect(left, box.top, 0, box.height), style).removeAttribute("text-decoration");
  }

  /**
   * @param {string} word
   * @param {DOMRect} box
   * @param {CSSStyleDeclaration} style
   */
  word(word, { left, top, bottom }, style) {
    this.bottom = Math.max(this.bottom, bottom - this.frame.top);
    canvas.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const { fontBoundingBoxAscent } = canvas.measureText(word);
    const element = svg("text", {
      x: (left - this.frame.left).toFixed(2), y: (top + fontBoundingBoxAscent - this.frame.top).toFixed(2),
      "font-family": style.fontFamily, "font-size": style.fontSize, "font-weight": style.fontWeight,
      "text-decoration": style.textDecorationLine === "none" ? null : style.textDecorationLine, ...painted("fill", style.color),
    }, word);
    this.words.push(element);
    return element;
  }
}

/** @param {Element} element */
function background(element) {
  for (let around = /** @type {Element | null} */ (element); around; around = around.parentElement) {
    const { backgroundColor } = getComputedStyle(around);
    if (plain(backgroundColor)[1]) return backgroundColor;
  }
  return "white";
}

/**
 * @param {DOMRect} a
 * @param {DOMRect} b
 */
function intersection(a, b) {
  const [left, top] = [Math.max(a.left, b.left), Math.max(a.top, b.top)];
  return new DOMRect(left, top, Math.min(a.right, b.right) - left, Math.min(a.bottom, b.bottom) - top);
}

/**
 * A picture as PNG, of twice as many pixels.
 *
 * @param {string} source - SVG
 * @returns {Promise<Blob>}
 */
export async function png(source) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const pixels = new OffscreenCanvas(2 * image.width, 2 * image.height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (pixels.getContext("2d"));
  context.drawImage(image, 0, 0, pixels.width, pixels.height);
  return pixels.convertToBlob({ type: "image/png" });
}
