// Where each entity stands in the two columns: a response entity beside its best-matching key entity.

import { entityFilter } from "../model/filter.js";

/**
 * @import { Context, Highlight, Side } from "../types.d.ts"
 * @typedef {{ entity: number, top: number }} Row
 */

export const ROW = 30; // pixels
const MARGIN = 6;
const BETWEEN = 8; // groups of several response entities

export class ColumnsLayout {
  /**
   * @param {Context} context
   * @param {Highlight | null} guest - an entity that is selected, and shown although it does not pass the filter
   * @param {Map<string, number>} heights - of rows that were opened, in pixels: of side and entity
   */
  constructor(context, guest, heights) {
    this.filter = entityFilter(context);
    this.guest = guest;
    this.heights = heights;
    this.passed = { K: 0, R: 0 }; // entities that pass the filter
    /** @type {{ [S in Side]: Row[] }} From top to bottom. */
    this.rows = { K: [], R: [] };
    /** @type {{ [S in Side]: Map<number, number> }} Of each entity in the columns: its top. */
    this.top = { K: new Map(), R: new Map() };
    let top = MARGIN;
    for (const [key, responses] of groups(context)) top = this.place(key, responses, top);
    this.end = top + MARGIN;
    /** Mentions that any pair of entities shares. */
    this.largest = (context.response?.keyCells ?? []).reduce((most, { exact }) => Math.max(most, exact[0]?.shared ?? 0), 1);
  }

  /**
   * @param {number} key - -1 for none
   * @param {number[]} responses
   * @param {number} top
   * @returns {number} - the top of the next group
   */
  place(key, responses, top) {
    const shown = responses.filter((entity) => this.passes("R", entity));
    const keyShown = key >= 0 && this.passes("K", key);
    if (!keyShown && !shown.length) return top;
    if (keyShown) this.add("K", key, top);
    let end = top;
    for (const entity of shown) {
      this.add("R", entity, end);
      end += this.height("R", entity);
    }
    if (key >= 0) end = Math.max(end, top + this.height("K", key));
    return end + (shown.length > 1 ? BETWEEN : 0);
  }

  /**
   * @param {Side} side
   * @param {number} entity
   */
  height(side, entity) {
    return (this.heights.size && this.heights.get(side + entity)) || ROW;
  }

  /**
   * @param {Side} side
   * @param {number} entity
   * @param {number} top
   */
  add(side, entity, top) {
    this.rows[side].push({ entity, top });
    this.top[side].set(entity, top);
  }

  /**
   * @param {Side} side
   * @param {number} entity
   */
  passes(side, entity) {
    const passes = this.filter(side, entity);
    if (passes) this.passed[side]++;
    return passes || (this.guest?.side === side && this.guest.entity === entity);
  }
}

/**
 * Key entities in the order that is asked for, each with the response entities of which it is the best match; then response
 * entities that have none.
 *
 * @param {Context} context
 * @returns {[key: number, responses: number[]][]}
 */
function groups(context) {
  const { doc, response } = context;
  const { size = [] } = response?.annotation ?? {};
  const matched = doc.key.size.map(() => /** @type {number[]} */ ([]));
  const unmatched = /** @type {number[]} */ ([]);
  for (const [entity, key] of (response?.bestKey ?? []).entries()) (key < 0 ? unmatched : matched[key]).push(entity);
  for (const [key, entities] of matched.entries()) {
    const best = response?.bestResponse[key];
    entities.sort((a, b) => Number(b === best) - Number(a === best) || size[b] - size[a]);
  }
  unmatched.sort((a, b) => size[b] - size[a]);
  return [
    ...ordered(context).map((key) => /** @type {[number, number[]]} */ ([key, matched[key]])),
    ...unmatched.map((entity) => /** @type {[number, number[]]} */ ([-1, [entity]])),
  ];
}

/**
 * Key entities in the order that is asked for. Equal ones stay in the order before: of the text, or of sizes.
 *
 * @param {Context} context
 */
function ordered({ doc, response, filter }) {
  const { inOrder, size } = doc.key;
  if (filter.order === "text") return inOrder;
  const bySize = inOrder.slice().sort((a, b) => size[b] - size[a]);
  const costs = filter.order === "cost" ? response?.costs.K[filter.metric] : undefined;
  return costs ? bySize.sort((a, b) => Math.abs(costs[b] ?? 0) - Math.abs(costs[a] ?? 0)) : bySize;
}
