// What the lists show.

/**
 * @import { Context, Corpus, Filter, Side } from "../types.d.ts"
 * @import { Annotation } from "./annotation.js"
 */

/** What a new document begins with. */
export const NO_FILTER = { kind: -1, mentionType: -1, entityType: "", size: "1", onlyChanged: false };

/**
 * The least and the largest size of a filter.
 *
 * @param {string} size
 */
export function sizeLimits(size) {
  const [least, most = Infinity] = size.split("-").map(Number);
  return { least, most };
}

/**
 * Whether an entity of some size is shown.
 *
 * @param {string} size - as a filter has it
 */
export function sizeFilter(size) {
  const { least, most } = sizeLimits(size);
  return (/** @type {number} */ size) => least <= size && size <= most;
}

/**
 * What a new page begins with.
 *
 * @param {Corpus} corpus
 * @returns {Filter}
 */
export const newFilter = (corpus) =>
  ({ text: "", ...NO_FILTER, order: "size", metric: corpus.metrics_with_costs[0] ?? "", sort: "",
    onlyErrors: false, heads: false, noEmptyNodes: false, relations: false });

export const ORDERS = { size: "largest first", text: "in text order", cost: "highest cost first" };

/**
 * Whether an entity is shown.
 *
 * @param {Context} context
 * @returns {(side: Side, entity: number) => boolean}
 */
export function entityFilter({ doc, response, filter }) {
  const passes = annotationFilter(filter);
  return (side, entity) => {
    const annotation = doc.annotation(side, response);
    const isChanged = (/** @type {number} */ mention) =>
      doc.changed.has(side === "K" ? mention : response?.otherMention(side, mention) ?? -1);
    return (!filter.onlyChanged || annotation.members[entity].some(isChanged)) && (filter.kind < 0 || !response
      || response.errorsOf[side][entity].some((error) => response.errors.kind[error] === filter.kind))
      && passes(annotation, entity, annotation.members[entity]);
  };
}

/**
 * Whether an error is shown.
 *
 * @param {Context} context
 * @returns {(error: number) => boolean}
 */
export function errorFilter({ doc, response, filter }) {
  if (!response) return () => false;
  const { errors } = response;
  const passes = annotationFilter({ ...filter, mentionType: -1 });
  return (n) => (filter.kind < 0 || errors.kind[n] === filter.kind)
    && (filter.mentionType < 0 || errors.mention_type[n] === filter.mentionType) && (errors.key[n] >= 0
    ? passes(doc.key, errors.key[n], [errors.key_mention[n]])
    : passes(response.annotation, errors.response[n], [errors.response_mention[n]]));
}

/**
 * Whether an entity has what is asked for, and one of its mentions the mention type.
 *
 * @param {Filter} filter
 * @returns {(annotation: Annotation, entity: number, mentions: number[]) => boolean}
 */
function annotationFilter({ size, mentionType, entityType, text }) {
  const fits = sizeFilter(size);
  return (annotation, entity, mentions) => fits(annotation.size[entity])
    && (mentionType < 0 || mentions.some((mention) => annotation.mentionType(mention) === mentionType))
    && (!entityType || (annotation.entityTypes?.[entity] || "none") === entityType)
    && (!text || annotation.matches(entity, text));
}
