// What the lists show.

/** @import { Context, Corpus, Filter, Side } from "../types.d.ts" */

/** What a new document begins with. */
export const NO_FILTER = { kind: -1, mentionType: -1, entityType: "", size: "1" };

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
 * @param {Filter} filter
 * @param {number} size - of an entity
 */
export function passesSize(filter, size) {
  const { least, most } = sizeLimits(filter.size);
  return least <= size && size <= most;
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
 * @param {Side} side
 * @param {number} entity
 */
export function passesEntity({ doc, response, filter }, side, entity) {
  const annotation = doc.annotation(side, response);
  if (!passesSize(filter, annotation.size[entity])) return false;
  if (!hasType(filter, (type) => annotation.members[entity].some((m) => annotation.mentionType(m) === type))) return false;
  if (filter.entityType && annotation.entityTypes?.[entity] !== filter.entityType) return false;
  if (filter.kind >= 0 && response) {
    if (!response.errorsOf[side][entity].some((error) => response.errors.kind[error] === filter.kind)) return false;
  }
  return !filter.text || annotation.matches(entity, filter.text);
}

/**
 * Whether an error is shown.
 *
 * @param {Context} context
 * @param {number} n
 */
export function passesError({ doc, response, filter }, n) {
  if (!response) return false;
  const { errors } = response;
  if (filter.kind >= 0 && errors.kind[n] !== filter.kind) return false;
  const side = errors.key[n] >= 0 ? "K" : "R";
  const annotation = doc.annotation(side, response);
  const [entity, mention] =
    side === "K" ? [errors.key[n], errors.key_mention[n]] : [errors.response[n], errors.response_mention[n]];
  if (!passesSize(filter, annotation.size[entity])) return false;
  if (!hasType(filter, (type) => annotation.mentionType(mention) === type)) return false;
  if (filter.entityType && annotation.entityTypes?.[entity] !== filter.entityType) return false;
  return !filter.text || annotation.matches(entity, filter.text);
}

/**
 * @param {Filter} filter
 * @param {(type: number) => boolean} has
 */
const hasType = (filter, has) => filter.mentionType < 0 || has(filter.mentionType);
