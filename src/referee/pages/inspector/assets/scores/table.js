// All metrics of one response or several.

import { h } from "../basics/dom.js";
import { fileName } from "../basics/visible.js";
import { formatScore } from "./format.js";
import { metricTitle } from "./metrics.js";

/**
 * @import { Scores } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 */

const HEADINGS = ["Recall", "Precision", "F1 or value"];

/**
 * @param {Corpus} corpus
 * @param {{ name: string, scores: Scores | undefined }[]} responses
 */
export function scoreTable(corpus, responses) {
  const names = h("tr", null, h("td"),
    responses.map(({ name }) => h("th", { scope: "colgroup", colspan: 3 }, fileName(name))));
  const head = h("thead", null, responses.length > 1 && names, h("tr", null,
    h("th", { scope: "col" }, "Metric"), responses.map(() => HEADINGS.map((name) => h("th", { scope: "col" }, name)))));
  const rows = corpus.metrics.map((metric) => h("tr", null,
    h("th", { scope: "row", title: metric.description },
      metricTitle(corpus, metric.id), metric.unit && h("span", { class: "unit" }, ` ${metric.unit}`)),
    responses.map(({ scores }) => (scores?.[metric.id] ?? [null, null, null]).map((value, place) =>
      h("td", { class: place === 2 && "value" }, place < 2 && !metric.sides ? "" : formatScore(corpus, metric, value))))));
  return h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": "Scores" },
    h("table", { class: "scores" }, head, h("tbody", null, rows)));
}
