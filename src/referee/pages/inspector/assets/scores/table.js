// All metrics of one response or several.

import { h } from "../basics/dom.js";
import { range } from "../basics/numbers.js";
import { fileName } from "../basics/visible.js";
import { formatScore } from "./format.js";
import { metricTitle } from "./metrics.js";

/**
 * @import { Metric, Scores } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 */

const HEADINGS = ["Recall", "Precision", "F1 or value"];
const OF_ANNOTATORS = 2; // the place of what two annotators have, of whom none is the key

/**
 * @param {Corpus} corpus
 * @param {{ name: string, scores: Scores | undefined }[]} responses
 */
export function scoreTable(corpus, responses) {
  const first = corpus.annotators.length ? OF_ANNOTATORS : 0;
  const names = h("tr", null, h("td"),
    responses.map(({ name }) => h("th", { scope: "colgroup", colspan: 3 - first }, fileName(name))));
  const head = h("thead", null, responses.length > 1 && names, h("tr", null,
    h("th", { scope: "col" }, "Metric"),
    responses.map(() => HEADINGS.slice(first).map((name) => h("th", { scope: "col" }, name)))));
  const cells = (/** @type {Metric} */ { id, sides, unit }, /** @type {Scores | undefined} */ scores) =>
    range(3).slice(first).map((place) => h("td", { class: place === 2 && "value" },
      place < 2 && !sides ? "" : formatScore(corpus, { unit }, scores?.[id]?.[place])));
  const rows = corpus.metrics.map((metric) => h("tr", null,
    h("th", { scope: "row", title: metric.description },
      metricTitle(corpus, metric.id), metric.unit && h("span", { class: "unit" }, ` ${metric.unit}`)),
    responses.map(({ scores }) => cells(metric, scores))));
  return h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": "Scores" },
    h("table", { class: "scores" }, head, h("tbody", null, rows)));
}
