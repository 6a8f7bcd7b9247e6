// Behind a mention: where bridging and split antecedents lead.

import { button } from "../basics/controls.js";
import { relationsOf } from "../model/relations.js";

/** @import { Context, Piece, Select, Side } from "../types.d.ts" */

/**
 * The marks of the mentions that end with a piece.
 *
 * @param {Context} context
 * @param {Piece} piece
 * @param {Select} select
 */
export function relationMarks({ doc, response }, piece, select) {
  if (piece.start === piece.end) return null;
  const mark = (/** @type {Side} */ side, /** @type {number} */ mention) => {
    const annotation = doc.annotation(side, response);
    return relationsOf(annotation, mention).map(({ name, mentions }) => {
      const [first] = mentions;
      const names = mentions.map((other) => annotation.name(annotation.entity[other]));
      const sign = name === "split antecedents" ? "=" : "→";
      const words = mentions.map((other) => annotation.shownText(other, 40)).join(", ");
      const open = () => select(side, annotation.entity[first], first);
      const mark = `${sign} ${names.join(" + ")}`;
      const label = `${annotation.shownText(mention, 40)}: ${name}: ${words}, ${mark}`;
      return button("relation", open, { title: `${name}: ${words}`, "aria-label": label }, mark);
    });
  };
  const ending = (/** @type {Side} */ side) => piece[side].filter(({ end, mention }) =>
    end === piece.end && end === doc.annotation(side, response).end[mention]);
  return [...ending("K").map(({ mention }) => mark("K", mention)), ...ending("R").map(({ mention }) => mark("R", mention))];
}
