// The words of the text that are selected with the mouse.

import { visible } from "../basics/visible.js";

/**
 * @import { TextPane } from "../text/pane.js"
 */

/**
 * @param {TextPane} text
 * @returns {{ start: number, end: number } | null}
 */
export function wordsSelected(text) {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !selection.rangeCount) return null;
  const range = selection.getRangeAt(0);
  if (!text.element.contains(range.startContainer) || !text.element.contains(range.endContainer)) return null;
  const start = tokenAt(text, range.startContainer, range.startOffset, false);
  const end = tokenAt(text, range.endContainer, range.endOffset, true);
  return start < 0 || end < start ? null : { start, end: end + 1 };
}

/**
 * The token at a character of the page: at its end the one before. -1 if there is none.
 *
 * @param {TextPane} text
 * @param {Node} node
 * @param {number} offset
 * @param {boolean} isEnd
 */
function tokenAt(text, node, offset, isEnd) {
  const element = node instanceof Element
    ? node.children[Math.min(offset, node.children.length - 1)] ?? node : node.parentElement;
  const piece = element && text.pieceOf.get(element);
  if (!piece) return -1;
  if (piece.start === piece.end) return isEnd ? piece.start - 1 : piece.start; // a gap
  const { tokens } = text.scene.doc;
  if (node instanceof Element) return isEnd ? piece.end - 1 : piece.start;
  let place = 0;
  for (let token = piece.start; token < piece.end; token++) {
    const written = visible(tokens[token]);
    if (!piece.text.startsWith(written, place)) place++; // a space
    place += written.length;
    if (isEnd ? offset <= place : offset < place) return isEnd && offset <= place - written.length ? token - 1 : token;
  }
  return isEnd ? piece.end - 1 : piece.end;
}
