// Merges and splits, wrong pairs, and who put what where, as tables.

import { opposite } from "../model/annotation.js";
import { annotationsOf } from "../model/placements.js";

/**
 * @import { WrongPair } from "../payload.d.ts"
 * @import { Context } from "../types.d.ts"
 * @import { Regrouped } from "../model/merges.js"
 * @import { Placement } from "../model/placements.js"
 * @import { Cells } from "./csv.js"
 */

/**
 * @param {WrongPair[]} pairs
 * @returns {Cells[]}
 */
export const pairCells = (pairs) => [["kind", "left", "right", "probability"], ...pairs];

/**
 * @param {Context} context
 * @param {Regrouped[]} entries
 * @returns {Cells[]}
 */
export const mergeCells = ({ doc, response }, entries) => [
  ["kind", "entity", "entity_id", "size", "parts", "pairs", "consists_of"],
  ...entries.map(({ kind, side, entity, parts, pairs }) => {
    const [here, other] = [doc.annotation(side, response), doc.annotation(opposite(side), response)];
    const names = parts.map((part) => `${other.name(part.other)}: ${part.shared}`);
    return [kind, here.name(entity), here.entityIds?.[entity], here.size[entity], parts.length, pairs, names.join(" | ")];
  }),
];

/**
 * @param {Context} context
 * @param {Placement[]} entries
 * @returns {Cells[]}
 */
export function placementCells({ corpus, doc }, entries) {
  const annotations = annotationsOf(doc);
  const headings = ["mention", "start", "end", "dispute", ...corpus.annotators];
  return [headings, ...entries.map(({ text, start, end, dispute, mentions }) => [
    doc.records ? doc.ids[start] : text, start, end, dispute, ...mentions.map((mention, annotator) => {
      const annotation = annotations[annotator];
      return mention < 0 || !annotation ? "" : annotation.name(annotation.entity[mention]);
    }),
  ])];
}
