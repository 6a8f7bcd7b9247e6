// The records of the selected entity with their attributes. A value stands out where more than half have another one.

import { button } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { count } from "../basics/numbers.js";
import { visible } from "../basics/visible.js";
import { inParts, whereabouts } from "./members.js";

/** @import { Context, Select, Side } from "../types.d.ts" */

const MOST = 60; // records that are shown
const BEFORE = 20; // the selected one

/**
 * @param {Context} context
 * @param {Side} side
 * @param {number} entity
 * @param {number} selected - mention, -1 for none
 * @param {Select} select
 */
export function recordTable(context, side, entity, selected, select) {
  const { corpus, doc, response, words } = context;
  const { ids, records } = doc;
  if (!records) return null;
  const annotation = doc.annotation(side, response);
  const { mentions, begins } = inParts(context, side, entity);
  const first = Math.max(0, Math.min(mentions.indexOf(selected) - BEFORE, mentions.length - MOST));
  const rows = mentions.slice(first, first + MOST);
  const attributes = (/** @type {number} */ mention) => records[annotation.start[mention]];
  const usual = corpus.record_columns.map((_, n) => usualOf(rows.map((mention) => attributes(mention)?.[n] ?? "")));
  const isRare = (/** @type {string} */ value, /** @type {number} */ n) => usual[n] !== null && value !== usual[n];
  const error = (/** @type {number} */ mention) => {
    if (!response || response.otherMention(side, mention) < 0) return null; // which is said already
    const n = response.errorOf(side, mention);
    return n >= 0 && h("span", { class: "error-kind" }, words.kinds[corpus.kinds[response.errors.kind[n]]][0]);
  };
  const row = (/** @type {number} */ mention) => h("tr", { class: begins.has(mention) && "begins" },
    h("th", { scope: "row" }, button("link words", () => select(side, entity, mention),
      { "aria-current": mention === selected && "true" }, h("bdi", null, visible(ids[annotation.start[mention]], 40)))),
    response && h("td", null, whereabouts(context, response, side, mention, select), " ", error(mention)),
    corpus.record_columns.map((_, n) => {
      const value = attributes(mention)?.[n] ?? "";
      return h("td", { class: isRare(value, n) && "rare" }, h("bdi", null, visible(value, 60)));
    }));
  const rest = mentions.length - rows.length;
  return h("div", { class: "members records-card", tabindex: "0", role: "region", "aria-label": "Records" }, h("table", null,
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "Record"), response && h("th", { scope: "col" }, "Where"),
      corpus.record_columns.map((name) => h("th", { scope: "col" }, h("bdi", null, visible(name, 40)))))),
    h("tbody", null, rows.map(row))),
  rows.some((mention) => usual.some((_, n) => isRare(attributes(mention)?.[n] ?? "", n)))
    && h("p", { class: "more" }, "Bold: more than half of the records have another value."),
  rest > 0 && h("p", { class: "more" }, `… ${count(rest, "record")} more; press n or p to go through all`));
}

/**
 * The value that more than half have; null if there is none.
 *
 * @param {string[]} values
 */
function usualOf(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.keys()].find((value) => 2 * counts.get(value) > values.length) ?? null;
}
