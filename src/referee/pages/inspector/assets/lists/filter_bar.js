// The filters of a list.

import { button, picker } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { formatted } from "../basics/numbers.js";
import { visible } from "../basics/visible.js";
import { ORDERS, sizeLimits } from "../model/filter.js";

/**
 * @import { Context, Filter, Refilter } from "../types.d.ts"
 * @typedef {[value: string | number, text: string][]} Choices
 */

/** @type {Choices} */
const SIZES = ["1", "2", "3", "5", "10", "1-1", "2-2", "3-4", "5-9"].map((size) => [size, sizeName(size)]);

/**
 * The sizes that can be chosen, and the one that is.
 *
 * @param {string} now
 * @returns {Choices}
 */
export const sizeChoices = (now) =>
  SIZES.some(([size]) => size === now) ? SIZES : [...SIZES, [now, sizeName(now)]];

/**
 * @param {string} size - as a filter has it
 */
export function sizeName(size) {
  const { least, most } = sizeLimits(size);
  if (most === Infinity) return least === 1 ? "all" : `${least} or more`;
  return least === most ? `only ${least}` : `${least} to ${most}`;
}

/**
 * @param {Context} context
 * @param {Refilter} refilter
 */
export function filterBar(context, refilter) {
  const { filter, place, words } = context;
  /** @typedef {"order" | "kind" | "mentionType" | "entityType" | "size"} Name */
  const choice = (/** @type {string} */ label, /** @type {Name} */ name, /** @type {Choices} */ choices) => {
    const asIs = name === "order" || name === "size" || name === "entityType";
    const change = (/** @type {string} */ value) => refilter({ [name]: asIs ? value : Number(value) });
    return h("label", null, h("span", null, label), picker({ "data-filter": name }, choices, filter[name], change));
  };
  const [kinds, types, entityTypes] = [kindChoices(context), typeChoices(context), entityTypeChoices(context)];
  return [
    place.view !== "errors" && choice("Order", "order", orderChoices(context)),
    (kinds.length > 0 || filter.kind >= 0) && choice(words.Errors, "kind", [[-1, "all"], ...kinds]),
    (types.length > 1 || filter.mentionType >= 0) && choice("Mention type", "mentionType", [[-1, "all"], ...types]),
    (entityTypes.length > 1 || filter.entityType) && choice("Entity type", "entityType", [["", "all"], ...entityTypes]),
    choice("Size", "size", sizeChoices(filter.size)),
    place.view !== "errors" && (context.doc.changed.size > 0 || filter.onlyChanged)
      && button("chip", () => refilter({ onlyChanged: !filter.onlyChanged }),
        { "aria-pressed": String(filter.onlyChanged), "data-filter": "onlyChanged" }, "only changed"),
  ];
}

/**
 * @param {Context} context
 * @returns {Choices}
 */
const orderChoices = ({ response, filter }) =>
  Object.entries(ORDERS).filter(([order]) => order !== "cost" || response?.costs.K[filter.metric]);

/**
 * The kinds of errors that the document has, and the one that is chosen.
 *
 * @param {Context} context
 * @returns {Choices}
 */
function kindChoices({ corpus, response, filter, words }) {
  const errors = response?.errors.kind ?? [];
  const counts = corpus.kinds.map((_, kind) => errors.filter((k) => k === kind).length);
  const used = [...counts.keys()].filter((kind) => counts[kind] || kind === filter.kind);
  return used.map((kind) => [kind, `${words.kinds[corpus.kinds[kind]][0]} (${formatted(counts[kind])})`]);
}

/**
 * The entity types that the document has, and the one that is chosen.
 *
 * @param {Context} context
 * @returns {Choices}
 */
function entityTypeChoices({ doc, response, filter }) {
  const used = new Set([...(doc.key.entityTypes ?? []), ...(response?.annotation.entityTypes ?? []), filter.entityType]);
  used.delete("");
  return [...used].sort().map((type) => [type, visible(type, 40)]);
}

/**
 * The mention types that the document has, and the one that is chosen.
 *
 * @param {Context} context
 * @returns {Choices}
 */
function typeChoices({ corpus, doc, response, filter, place }) {
  const used = new Set(place.view === "errors" ? response?.errors.mention_type
    : [...(doc.key.mentionTypes ?? []), ...(response?.annotation.mentionTypes ?? [])]);
  if (filter.mentionType >= 0) used.add(filter.mentionType);
  const types = [...corpus.mention_types.entries()].filter(([type]) => used.has(type));
  return types.map(([type, name]) => [type, name || "unknown"]);
}
