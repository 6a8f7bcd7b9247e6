// The mentions of an entity one by one, and where each is on the other side.

import { button } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { count } from "../basics/numbers.js";
import { quoted, visible } from "../basics/visible.js";
import { opposite } from "../model/annotation.js";
import { features } from "../model/description.js";
import { outcomeOf } from "../text/outcome.js";

/**
 * @import { Context, Select, Side } from "../types.d.ts"
 * @import { ScoredResponse } from "../model/response.js"
 */

const MOST = 60; // that are shown at a time
const BEFORE = 20; // the selected one

/**
 * @param {Context} context
 * @param {Side} side
 * @param {number} entity
 * @param {number} selected - mention, -1 for none
 * @param {Select} select
 */
export function members(context, side, entity, selected, select) {
  const { doc, response, words: { unit, Unit } } = context;
  const annotation = doc.annotation(side, response);
  const { mentions, begins } = inParts(context, side, entity);
  const place = Math.max(0, mentions.indexOf(selected));
  const first = mentions.length > MOST ? Math.max(0, Math.min(place - BEFORE, mentions.length - MOST)) : 0;
  const after = mentions.length - first - MOST;
  const line = (/** @type {number} */ mention) => {
    const text = h("bdi", null, visible(annotation.text(mention), 120) || "∅");
    const current = { "aria-current": mention === selected && "true" };
    return h("li", { class: `is-${outcomeOf(response, side, mention)}${begins.has(mention) ? " begins" : ""}` },
      button("link words", () => select(side, entity, mention), current, text),
      h("span", { class: "there" },
        response ? whereabouts(context, response, side, mention, select) : features(context, side, mention).join(" · ")));
  };
  return h("div", { class: "members" },
    h("h3", null, `${Unit}s`),
    first ? h("p", { class: "more" }, `… ${count(first, unit)} before these`) : null,
    h("ol", { start: first + 1 }, mentions.slice(first, first + MOST).map(line)),
    after > 0 ? h("p", { class: "more" }, `… ${count(after, unit)} after these; press n or p to go through all`) : null);
}

/**
 * The mentions of an entity. Records of one entity of the other side are together, the most first, and those that it lacks
 * last: so both entities of a merge are apart. Those with which a part begins, but for the first.
 *
 * @param {Context} context
 * @param {Side} side
 * @param {number} entity
 */
export function inParts({ corpus, doc, response }, side, entity) {
  const mentions = doc.annotation(side, response).members[entity];
  if (!corpus.records || !response) return { mentions, begins: new Set() };
  const other = doc.annotation(opposite(side), response);
  /** @type {Map<number, number[]>} */
  const parts = new Map();
  for (const mention of mentions) {
    const part = other.entity[response.otherMention(side, mention)] ?? -1;
    parts.set(part, [...(parts.get(part) ?? []), mention]);
  }
  const sorted = [...parts].sort(([a, x], [b, y]) => Number(a < 0) - Number(b < 0) || y.length - x.length);
  return { mentions: sorted.flatMap(([, of]) => of), begins: new Set(sorted.slice(1).map(([, [first]]) => first)) };
}

/**
 * @param {Context} context
 * @param {ScoredResponse} response
 * @param {Side} side
 * @param {number} mention
 * @param {Select} select
 */
export function whereabouts({ doc, words }, response, side, mention, select) {
  const there = response.otherMention(side, mention);
  if (there < 0) return words.absent[side];
  const otherSide = opposite(side);
  const other = doc.annotation(otherSide, response);
  const entity = other.entity[there];
  const hasOtherSpan = response.keySpanError[side === "K" ? mention : there] >= 0;
  return [
    button("link", () => select(otherSide, entity, there), null, other.name(entity)),
    hasOtherSpan && [" as ", quoted(other.text(there), 40)],
  ];
}
