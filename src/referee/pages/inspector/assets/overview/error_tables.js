// The errors of the corpus by kind, by types and by size of their entity. Each row opens them, with the words around
// them.

import { button } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { formatted } from "../basics/numbers.js";
import { visible } from "../basics/visible.js";
import { sizeName } from "../lists/filter_bar.js";
import { costDecimals, formatCost } from "../scores/format.js";
import { metricPicker } from "../scores/metrics.js";

/**
 * @import { ErrorGroups, ResponseOverview } from "../payload.d.ts"
 * @import { Child, Corpus, Filter } from "../types.d.ts"
 * @import { Words } from "../model/words.js"
 * @typedef {{ name: string, meaning: string, filter: Partial<Filter>, kind?: string }} Group
 */

/**
 * The errors by kind. Those with the highest cost come first.
 *
 * @param {Corpus} corpus
 * @param {ResponseOverview} response
 * @param {Words} words
 * @param {string} metric - of costs
 * @param {(metric: string) => void} changeMetric
 * @param {(filter: Partial<Filter>) => void} openErrors
 */
export function kindTable(corpus, { kinds }, words, metric, changeMetric, openErrors) {
  const groups = corpus.kinds.map((kind, n) =>
({ name: words.kinds[kind][0], meaning: words.kinds[kind][1], filter: { kind: n }, kind }));
  const errors = words.Errors.toLowerCase();
  const picker = kinds.costs[metric] && metricPicker(corpus, metric, changeMetric);
  return h("section", { class: "kinds" },
    h("h2", null, `${words.Errors} by kind`),
    picker && h("p", { class: "note" }, "Cost is the gain in ", picker, ` if all ${errors} of a row were ${words.corrected}.`),
    button("link all-errors", () => openErrors({}), null, `All ${errors}, with the words around them`),
    table("Kind", corpus, kinds, metric, groups, true, openErrors));
}

/**
 * The errors by mention type, by entity type and by the size of their entity; or why there are none.
 *
 * @param {Corpus} corpus
 * @param {ResponseOverview} response
 * @param {Words} words
 * @param {string} metric - of costs
 * @param {(filter: Partial<Filter>) => void} openErrors
 */
export function groupTables(corpus, response, words, metric, openErrors) {
  const { error_sizes: sizes, together: { groups, costs }, types_told_by: toldBy } = response;
  if (!sizes.errors.some(Boolean)) return null;
  const ofSizes = corpus.sizes.map((least, n) => {
    const after = corpus.sizes[n + 1];
    const size = after ? `${least}-${after - 1}` : String(least);
    const name = sizeName(size).replace("only ", "");
    return { name: `${name} ${name === "1" ? words.unit : `${words.unit}s`}`, meaning: "", filter: { size } };
  });
  const section = (/** @type {string} */ by, /** @type {Child} */ rows, note = "") =>
    h("section", { class: "kinds" }, h("h2", null, `${words.Errors} by ${by}`), note && h("p", { class: "note" }, note), rows);
  const ofTypes = (/** @type {string} */ by, /** @type {1 | 2} */ place, /** @type {string} */ why, note = "") => {
    const rows = [...groups.keys()].filter((n) =>
      groups[n].every((value, at) => at === 3 || (value !== -1 && value !== "") === (at === place)));
    if (!rows.length) return section(by, null, why);
    const named = rows.map((n) => (place === 1
      ? { name: corpus.mention_types[groups[n][1]] || "unknown", meaning: "", filter: { mentionType: groups[n][1] } }
      : { name: visible(groups[n][2], 40), meaning: "", filter: { entityType: groups[n][2] } }));
    const of = Object.entries(costs).map(([id, column]) => [id, rows.map((n) => column[n] && column[n] / 1e6)]);
    const group = { errors: rows.map((n) => groups[n][3]), costs: Object.fromEntries(of) };
    return section(by, table(by, corpus, group, metric, named, true, openErrors), note);
  };
  const bySize = section("size of the entity", table("Size", corpus, sizes, metric, ofSizes, false, openErrors));
  if (corpus.items) return bySize;
  return h("div", { class: "two" },
    h("div", null, ofTypes("mention type", 1, "None: no mention types are annotated, and the words do not tell them.",
      toldBy && `M${toldBy.slice(1)}.`), bySize),
    ofTypes("entity type", 2, "None: the key has no entity types."));
}

/**
 * @param {string} heading
 * @param {Corpus} corpus
 * @param {ErrorGroups} groups
 * @param {string} metric - of costs
 * @param {Group[]} named
 * @param {boolean} sorted - whether those with the highest cost come first
 * @param {(filter: Partial<Filter>) => void} openErrors
 */
function table(heading, corpus, { errors, costs: byMetric }, metric, named, sorted, openErrors) {
  const costs = byMetric[metric];
  const size = (/** @type {number} */ n) => (costs ? Math.abs(costs[n] ?? 0) : errors[n]);
  const largest = Math.max(...errors.map((_, n) => size(n))) || 1;
  const order = [...errors.keys()].filter((n) => errors[n]);
  if (sorted) order.sort((a, b) => size(b) - size(a) || errors[b] - errors[a]);
  const decimals = costDecimals(costs ?? []);
  const gain = (/** @type {number | null} */ cost) => formatCost(corpus, corpus.metric.get(metric), cost, decimals);
  const row = (/** @type {number} */ n) => {
    const { name, meaning, filter, kind } = named[n];
    return h("tr", { "data-kind": kind },
      h("th", { scope: "row" },
        button("link", () => openErrors(filter), { title: "Show them" }, name),
        meaning && h("span", { class: "means" }, meaning)),
      h("td", null, formatted(errors[n])),
      h("td", { class: "bar-cell" },
        h("span", { class: "bar", style: { width: `${((100 * size(n)) / largest).toFixed(1)}%` } })),
      h("td", { class: "value" }, costs ? gain(costs[n]) : ""));
  };
  return h("table", null,
    h("thead", { class: "unseen" },
      h("tr", null, [heading, "Number", "Share", "Cost"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, order.map(row)));
}
