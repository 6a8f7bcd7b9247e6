// The lines of a piece, and the tint behind its words, as backgrounds: they break with the text.

import { colourOf } from "../basics/colours.js";
import { isLit } from "../model/highlight.js";
import { outcomeOf, pattern } from "./outcome.js";

/**
 * @import { DrawnPiece, Highlight, Line, Piece, Side, Span } from "../types.d.ts"
 * @import { Doc } from "../model/document.js"
 * @import { ScoredResponse } from "../model/response.js"
 * @import { Outcome } from "./outcome.js"
 */

export const PITCH = 5; // pixels from level to level

/**
 * What the text shows.
 *
 * @typedef {object} Scene
 * @property {Doc} doc
 * @property {ScoredResponse | null} response
 * @property {Highlight | null} highlight
 * @property {Map<number, "fixed" | "broken"> | null} marks - of key mentions
 * @property {boolean} isEditing - whether the selected mention can be dragged
 * @property {Span | undefined} hit - of the search, at which we are
 */

/** @typedef {[image: string, position: string, size: string]} Layer */

/**
 * @param {DrawnPiece} piece
 * @param {Scene} scene
 */
export function paint(piece, scene) {
  const lines = linesOf(piece);
  const layers = lines.map(([side, line]) => lineLayer(piece, scene, side, line));
  const strength = Math.max(0, ...lines.map(([side, line]) => tintStrength(scene, side, line)));
  const tint = tintOf(piece, scene, strength);
  if (tint) layers.push(tintLayer(piece, tint));
  const { style } = piece.element;
  for (const [n, name] of /** @type {const} */ (["backgroundImage", "backgroundPosition", "backgroundSize"]).entries()) {
    style[name] = layers.map((layer) => layer[n]).join(", ");
  }
  piece.element.classList.toggle("highlighted", strength > 0);
  const { highlight } = scene;
  const isSelected = highlight?.side === "K" && piece.K.some(({ mention }) => mention === highlight.mention);
  piece.element.draggable = scene.isEditing && isSelected;
  piece.element.classList.toggle("this-hit", piece.hit !== undefined && piece.hit === scene.hit);
}

/**
 * The colour of a line: faint unless its mention is lit, or nothing is selected.
 *
 * @param {Scene} scene
 * @param {Side} side
 * @param {Line} line
 */
function lineColour(scene, side, { mention }) {
  const { doc, response, highlight } = scene;
  const bright = !highlight || isLit(scene, highlight, side, mention);
  return colourOf(doc, response, side, doc.annotation(side, response).entity[mention], bright ? 1 : "var(--faded)");
}

/**
 * @param {DrawnPiece} piece
 * @param {Scene} scene
 * @param {Side} side
 * @param {Line} line
 * @returns {Layer}
 */
function lineLayer(piece, scene, side, line) {
  const [left, right] = [piece.start === line.start && piece.end > piece.start ? 1 : 0, piece.end === line.end ? 1 : 0];
  const [edge, levels] = side === "K" ? ["top", piece.above] : ["bottom", piece.below];
  return [
    pattern(outcomeOf(scene.response, side, line.mention), lineColour(scene, side, line)),
    `left ${left}px ${edge} ${(levels - 1 - line.level) * PITCH}px`,
    `calc(100% - ${left + right}px) 3px`,
  ];
}

/**
 * A line of a piece, or the tint behind its words, as a picture has it; pixels from the edges of the piece.
 *
 * @typedef {object} Stroke
 * @property {string} colour
 * @property {Outcome | null} outcome - null for the tint
 * @property {number} fromTop - to the middle of a line, or to the tint; NaN for lines below the words
 * @property {number} fromBottom - NaN for lines above the words
 * @property {number} left
 * @property {number} right
 */

/**
 * @param {DrawnPiece} piece
 * @param {Scene} scene
 * @returns {Stroke[]}
 */
export function strokesOf(piece, scene) {
  const lines = linesOf(piece);
  const { above, below } = piece;
  const tint = tintOfPiece(piece, scene);
  const resolved = (/** @type {string} */ colour) => {
    piece.element.style.outlineColor = colour; // `light-dark` and variables are resolved by the browser only
    const { outlineColor } = getComputedStyle(piece.element);
    piece.element.style.outlineColor = "";
    return outlineColor;
  };
  const ends = (/** @type {Line} */ line) =>
    ({ left: piece.start === line.start && piece.end > piece.start ? 1 : 0, right: piece.end === line.end ? 1 : 0 });
  /** @type {Stroke[]} */
  const strokes = tint ? [{
    colour: resolved(tint), outcome: null, fromTop: above * PITCH, fromBottom: below * PITCH, left: 0, right: 0,
  }] : [];
  return [...strokes, ...lines.map(([side, line]) => {
    const levels = side === "K" ? above : below;
    const middle = (levels - 1 - line.level) * PITCH + 1.5;
    return {
      colour: resolved(lineColour(scene, side, line)),
      outcome: outcomeOf(scene.response, side, line.mention),
      fromTop: side === "K" ? middle : NaN, fromBottom: side === "R" ? middle : NaN, ...ends(line),
    };
  })];
}

/**
 * How strong the colour of the selected entity is behind the words of a mention.
 *
 * @param {Scene} scene
 * @param {Side} side
 * @param {Line} line
 */
function tintStrength(scene, side, line) {
  const { highlight } = scene;
  if (highlight?.side !== side || !isLit(scene, highlight, side, line.mention)) return 0;
  return line.mention === highlight.mention ? 0.38 : 0.17;
}

/**
 * The colour behind the words of a piece, if there is one.
 *
 * @param {Piece} piece
 * @param {Scene} scene
 */
export function tintOfPiece(piece, scene) {
  const lines = linesOf(piece);
  return tintOf(piece, scene, Math.max(0, ...lines.map(([side, line]) => tintStrength(scene, side, line))));
}

/** @param {Piece} piece */
const linesOf = ({ K, R }) =>
  /** @type {[Side, Line][]} */ ([...K.map((line) => ["K", line]), ...R.map((line) => ["R", line])]);

/**
 * The colour behind the words: that of a hit, also where it is in the selected entity; or of this entity, or of a change.
 *
 * @param {Piece} piece
 * @param {Scene} scene
 * @param {number} strength
 */
function tintOf(piece, { doc, response, highlight, marks, hit }, strength) {
  if (piece.hit) return piece.hit === hit ? "var(--mark-now)" : "var(--mark)";
  if (highlight && strength) return colourOf(doc, response, highlight.side, highlight.entity, strength);
  const change = piece.K.map(({ mention }) => marks?.get(mention)).find(Boolean);
  return change ? `var(--${change}-tint)` : null;
}

/**
 * @param {Piece} piece
 * @param {string} colour
 * @returns {Layer}
 */
const tintLayer = ({ above, below }, colour) =>
  [pattern("correct", colour), `left 0 top ${above * PITCH}px`, `100% calc(100% - ${(above + below) * PITCH}px)`];
