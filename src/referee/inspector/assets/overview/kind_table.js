// The errors of the corpus by kind. Those with the highest cost come first.

import { button } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { formatted } from "../basics/numbers.js";
import { kindMeaning, kindName } from "../lists/kinds.js";
import { costDecimals, formatCost } from "../scores/format.js";
import { metricPicker } from "../scores/metrics.js";

/**
 * @import { ResponseOverview } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 */

const HEADINGS = ["Kind", "Errors", "Share", "Cost"];

/**
 * @param {Corpus} corpus
 * @param {ResponseOverview} response
 * @param {string} metric - of costs
 * @param {(metric: string) => void} changeMetric
 * @param {(kind: number) => void} openErrors - of a kind
 */
export function kindTable(corpus, { kinds: { errors, costs: byMetric } }, metric, changeMetric, openErrors) {
  const costs = byMetric[metric];
  const size = (/** @type {number} */ kind) => (costs ? Math.abs(costs[kind] ?? 0) : errors[kind]);
  const largest = Math.max(...errors.map((_, kind) => size(kind))) || 1;
  const order = [...errors.keys()].filter((kind) => errors[kind]).sort((a, b) => size(b) - size(a) || errors[b] - errors[a]);
  const picker = costs && metricPicker(corpus, metric, changeMetric);
  const decimals = costDecimals(costs ?? []);
  const gain = (/** @type {number | null} */ cost) => formatCost(corpus, corpus.metric.get(metric), cost, decimals);
  const row = (/** @type {number} */ kind) => h("tr", { "data-kind": corpus.kinds[kind] },
    h("th", { scope: "row" },
      button("link", () => openErrors(kind), { title: "Show them" }, kindName(corpus.kinds[kind])),
      h("span", { class: "means" }, kindMeaning(corpus.kinds[kind]))),
    h("td", null, formatted(errors[kind])),
    h("td", { class: "bar-cell" },
      h("span", { class: "bar", style: { width: `${((100 * size(kind)) / largest).toFixed(1)}%` } })),
    h("td", { class: "value" }, costs ? gain(costs[kind]) : ""));
  return h("section", { class: "kinds" },
    h("h2", null, "Errors by kind"),
    picker && h("p", { class: "note" }, "Cost is the gain in ", picker, " if all errors of a kind were corrected."),
    button("link all-errors", () => openErrors(-1), null, "All errors, with the words around them"),
    h("table", null,
      h("thead", { class: "unseen" }, h("tr", null, HEADINGS.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", null, order.map(row))));
}
