// What is highlighted when an entity is selected: the entity, and its projections on the other side
// (Popescu-Belis and Robba 1998). A mention is lit if the selected entity has it, or a projection shares it with that entity.

/**
 * @import { Highlight, Side } from "../types.d.ts"
 * @import { Doc } from "./document.js"
 * @import { ScoredResponse } from "./response.js"
 */

/**
 * @param {ScoredResponse | null} response
 * @param {Side} side
 * @param {number} entity
 * @param {number} mention - the selected one, -1 for none
 * @returns {Highlight}
 */
export function projections(response, side, entity, mention) {
  const { exact, spanError } = response?.cells(side, entity) ?? { exact: [], spanError: [] };
  const shared = new Map();
  for (const cell of [...exact, ...spanError]) shared.set(cell.other, (shared.get(cell.other) ?? 0) + cell.shared);
  const others = new Set(shared.keys());
  const same = new Set([entity]);
  return { K: side === "K" ? same : others, R: side === "R" ? same : others, side, entity, mention, shared };
}

/**
 * @param {{ doc: Doc, response: ScoredResponse | null }} scene
 * @param {Highlight} highlight
 * @param {Side} side
 * @param {number} mention
 */
export function isLit({ doc, response }, { side: selected, entity }, side, mention) {
  const same = side === selected ? mention : (response?.otherMention(side, mention) ?? -1);
  return same >= 0 && doc.annotation(selected, response).entity[same] === entity;
}
