// The scores that stand above everything else.

import { button } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { formatCost, formatScore } from "./format.js";
import { firstMetrics, metricTitle } from "./metrics.js";

/**
 * @import { Metric, Score, Scores } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 * @typedef {{ letter: string, scores: Scores | undefined }} OtherResponse - the response that is not shown
 */

/**
 * @param {Corpus} corpus
 * @param {Scores | undefined} scores
 * @param {OtherResponse | null} other
 * @param {(() => void) | null} openAll - shows all metrics
 */
export function scoreStrip(corpus, scores, other, openAll = null) {
  const ids = firstMetrics(corpus, 8);
  const link = openAll && corpus.metrics.length > ids.length
    ? h("div", { class: "score all" }, h("dt", { class: "unseen" }, "More"),
      h("dd", null, button("link", openAll, null, `all ${corpus.metrics.length} metrics`)))
    : null;
  return h("dl", { class: "strip" }, ids.map((id, place) => {
    const metric = /** @type {Metric} */ (corpus.metric.get(id));
    return scoreBox(corpus, metric, scores?.[id] ?? [null, null, null], other, !place);
  }), link);
}

/**
 * @param {Corpus} corpus
 * @param {Metric} metric
 * @param {Score} score
 * @param {OtherResponse | null} other
 * @param {boolean} first
 */
function scoreBox(corpus, metric, [recall, precision, value], other, first) {
  const shown = (/** @type {number | null} */ number) => formatScore(corpus, metric, number);
  return h("div", { class: first ? "score first" : "score", title: metric.description },
    h("dt", null, metricTitle(corpus, metric.id)),
    h("dd", null, h("span", { class: "value" }, shown(value)),
      metric.sides && h("span", { class: "sides" },
        h("abbr", { title: "recall" }, "R"), ` ${shown(recall)} `,
        h("abbr", { title: "precision" }, "P"), ` ${shown(precision)}`),
      other && difference(corpus, other, metric, value)));
}

/**
 * @param {Corpus} corpus
 * @param {OtherResponse} other
 * @param {Metric} metric
 * @param {number | null} here
 */
function difference(corpus, { letter, scores }, metric, here) {
  const there = scores?.[metric.id]?.[2] ?? null;
  if (there === null || here === null) return null;
  const text = formatCost(corpus, metric, there - here);
  const better = text.startsWith(metric.distance ? "−" : "+");
  const style = /^[+−]/.test(text) ? (better ? "difference fixed" : "difference broken") : "difference";
  return h("span", { class: style }, `${letter} ${text}`);
}
