// Which mention a mouse points to.

import { PITCH } from "./paint.js";

/** @import { DrawnPiece, Highlight, Line, Side } from "../types.d.ts" */

/**
 * The mention whose line is nearest to a click above or below the words. A click on the words takes the innermost mention;
 * the next click, the one around it.
 *
 * @param {DrawnPiece} piece
 * @param {MouseEvent} event
 * @param {Highlight | null} highlight
 * @returns {[Side, Line]}
 */
export function pointedAt(piece, event, highlight) {
  const { element, above, below } = piece;
  const { clientY } = event;
  const rows = [...element.getClientRects()];
  const box = rows.find(({ top, bottom }) => clientY >= top && clientY <= bottom) ?? element.getBoundingClientRect();
  const fromTop = Math.floor((clientY - box.top) / PITCH);
  const fromBottom = Math.floor((box.bottom - clientY) / PITCH);
  if (fromTop < above && piece.K.length) return ["K", nearest(piece.K, above - 1 - fromTop)];
  if (fromBottom < below && piece.R.length) return ["R", nearest(piece.R, below - 1 - fromBottom)];
  const all = [...inward("K", piece.K), ...inward("R", piece.R)];
  const now = all.findIndex(([side, line]) => highlight?.side === side && highlight.mention === line.mention);
  return all[(now + 1) % all.length];
}

/**
 * @param {Side} side
 * @param {Line[]} lines
 * @returns {[Side, Line][]}
 */
const inward = (side, lines) => lines.slice().sort((a, b) => a.level - b.level).map((line) => [side, line]);

/**
 * @param {Line[]} lines
 * @param {number} level
 */
const nearest = (lines, level) =>
  lines.slice().sort((a, b) => Math.abs(a.level - level) - Math.abs(b.level - level) || a.level - b.level)[0];
