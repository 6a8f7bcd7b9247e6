// The records of the selected entity with their attributes. A value that is not the commonest one of its column stands out.

import { button } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { count } from "../basics/numbers.js";
import { visible } from "../basics/visible.js";
import { whereabouts } from "./members.js";

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
  const { corpus, doc, response } = context;
  const { ids, records } = doc;
  if (!records) return null;
  const annotation = doc.annotation(side, response);
  const mentions = annotation.members[entity];
  const first = Math.max(0, Math.min(mentions.indexOf(selected) - BEFORE, mentions.length - MOST));
  const shown = mentions.slice(first, first + MOST);
  const attributes = (/** @type {number} */ mention) => records[annotation.start[mention]];
  const usual = corpus.record_columns.map((_, n) => commonest(shown.map((mention) => attributes(mention)?.[n] ?? "")));
  const row = (/** @type {number} */ mention) => h("tr", null,
    h("th", { scope: "row" }, button("link words", () => select(side, entity, mention),
      { "aria-current": mention === selected && "true" }, h("bdi", null, visible(ids[annotation.start[mention]], 40)))),
    response && h("td", null, whereabouts(context, response, side, mention, select)),
    corpus.record_columns.map((_, n) => {
      const value = attributes(mention)?.[n] ?? "";
      return h("td", { class: value !== usual[n] && shown.length > 1 && "rare" }, h("bdi", null, visible(value, 60)));
    }));
  const rest = mentions.length - shown.length;
  return h("div", { class: "members records-card", tabindex: "0", role: "region", "aria-label": "Records" }, h("table", null,
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "Record"), response && h("th", { scope: "col" }, "Where"),
      corpus.record_columns.map((name) => h("th", { scope: "col" }, h("bdi", null, visible(name, 40)))))),
    h("tbody", null, shown.map(row))),
  rest > 0 && h("p", { class: "more" }, `… ${count(rest, "record")} more; press n or p to go through all`));
}

/**
 * The value that most have; of equally common ones the first.
 *
 * @param {string[]} values
 */
function commonest(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), ["", 0])[0];
}
