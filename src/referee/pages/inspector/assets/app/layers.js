// Switches for what the text shows besides mentions: heads, empty nodes, bridging and split antecedents.

import { button } from "../basics/controls.js";
import { hasRelations } from "../model/relations.js";

/** @import { Context } from "../types.d.ts" */

/**
 * The switches that this document has a use for.
 *
 * @param {Context} context
 * @param {() => void} changed
 */
export function layerSwitches(context, changed) {
  const { doc, response, filter } = context;
  const sides = [doc.key, response?.annotation];
  /** @typedef {"heads" | "noEmptyNodes" | "relations"} Name */
  const chip = (/** @type {string} */ text, /** @type {Name} */ name, /** @type {boolean} */ pressed) =>
    button("chip", () => {
      filter[name] = !filter[name];
      changed();
    }, { "aria-pressed": String(pressed), "data-layer": name }, text);
  return [
    sides.some((side) => side?.heads) && chip("heads", "heads", filter.heads),
    doc.emptyNodes.size > 0 && chip("empty nodes", "noEmptyNodes", !filter.noEmptyNodes),
    hasRelations(context) && chip("bridging and split antecedents", "relations", filter.relations),
  ];
}
