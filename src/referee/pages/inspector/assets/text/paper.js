// A piece of the text on paper. Its lines are borders: browsers take ten times as long to print backgrounds with a pattern.

import { colourOf } from "../basics/colours.js";
import { h } from "../basics/dom.js";
import { outcomeOf } from "./outcome.js";
import { tintOfPiece } from "./paint.js";

/**
 * @import { Line, Piece, Side } from "../types.d.ts"
 * @import { Scene } from "./paint.js"
 */

const PITCH = 3; // pixels from level to level: less than on the screen, to print fewer pages
const STYLES = { correct: "solid", wrong: "dashed", unmatched: "dotted" };

/**
 * @param {Piece} piece
 * @param {Scene} scene
 */
export function onPaper(piece, scene) {
  const { K, R } = piece;
  const tint = tintOfPiece(piece, scene);
  let element = h("span", null, piece.text);
  // One element has a line above and a line below; around it are those with further lines.
  for (let n = 0; n < Math.max(K.length, R.length); n++) {
    const style = { ...border(scene, "K", K[n]), ...border(scene, "R", R[n]) };
    element = h("span", { style }, ...(n ? [element] : [piece.text]));
  }
  if (tint) element.style.backgroundColor = tint;
  element.className = "piece printed";
  return element;
}

/**
 * @param {Scene} scene
 * @param {Side} side
 * @param {Line | undefined} line
 * @returns {{ [name: string]: string }}
 */
function border({ doc, response }, side, line) {
  if (!line) return {};
  const edge = side === "K" ? "top" : "bottom";
  const colour = colourOf(doc, response, side, doc.annotation(side, response).entity[line.mention]);
  return {
    [`border-${edge}`]: `2px ${STYLES[outcomeOf(response, side, line.mention)]} ${colour}`,
    [`padding-${edge}`]: `${PITCH * line.level + 1}px`,
  };
}
