// The scores that stand above everything else.

import { button } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { letterOf } from "../model/changes.js";
import { formatCost, formatMeasure, formatScore, isAlpha } from "./format.js";
import { firstMetrics, metricTitle } from "./metrics.js";

/**
 * @import { CorpusAndDocuments, Measure, Metric, Score, Scores, TogetherOverview } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 * @typedef {{ response: number, document: number }} Pair - a document of a response, or of an annotator; -1 for the corpus
 * @typedef {{ letter: string, scores: Scores | undefined }} OtherResponse - the response that is not shown
 */

/**
 * @param {Corpus} corpus
 * @param {Scores | undefined} scores
 * @param {OtherResponse | null} other
 * @param {Pair} pair - what is side by side
 * @param {(() => void) | null} openAll - shows all metrics
 */
export function scoreStrip(corpus, scores, other, pair, openAll = null) {
  const ids = firstMetrics(corpus, 8);
  const link = openAll && corpus.metrics.length > ids.length
    ? h("div", { class: "score all" }, h("dt", { class: "unseen" }, "More"),
      h("dd", null, button("link", openAll, null, `all ${corpus.metrics.length} metrics`)))
    : null;
  return h("dl", { class: "strip" }, corpus.together && alphaBox(corpus, corpus.together, pair), ids.map((id, place) => {
    const metric = /** @type {Metric} */ (corpus.metric.get(id));
    const score = scores?.[id] ?? [null, null, null];
    if (corpus.together) return agreementBox(corpus, metric, score[2], pair.document);
    return scoreBox(corpus, metric, score, other, !place);
  }), link);
}

/**
 * Alpha of two annotators, and of all.
 *
 * @param {Corpus} corpus
 * @param {TogetherOverview} together
 * @param {Pair} pair
 */
function alphaBox(corpus, { alpha, pairs }, { response, document }) {
  const { first } = corpus;
  return h("div", { class: "score first" },
    h("dt", null, `Krippendorff’s ${alpha.title}, ${letterOf(first)} and ${letterOf(first + response + 1)}`),
    h("dd", null, h("span", { class: "value" }, formatMeasure(corpus, alpha, at(pairs[response], document))),
      ofEveryone(corpus, alpha, document)));
}

/**
 * A metric of two annotators, of whom none is the key, and its mean over all pairs.
 *
 * @param {Corpus} corpus
 * @param {Metric} metric
 * @param {number | null} value
 * @param {number} document
 */
const agreementBox = (corpus, metric, value, document) =>
  h("div", { class: "score", title: metric.description },
    h("dt", null, metricTitle(corpus, metric.id)),
    h("dd", null, h("span", { class: "value" }, formatScore(corpus, metric, value)), ofEveryone(corpus, metric, document)));

/**
 * The same of all annotators, where they are more than two.
 *
 * @param {Corpus} corpus
 * @param {Measure} measure
 * @param {number} document
 */
function ofEveryone(corpus, measure, document) {
  const found = corpus.together?.everyone[measure.id];
  if (!found || corpus.everyone.length < 3) return null;
  const title = isAlpha(measure.id) ? "of all annotators" : "mean over all pairs of annotators";
  const written = formatMeasure(corpus, measure, at(found, document));
  return h("span", { class: "sides", title }, `all ${corpus.everyone.length}: ${written}`);
}

/**
 * @param {CorpusAndDocuments | undefined} of
 * @param {number} document - -1 for the corpus
 */
const at = (of, document) => (document < 0 ? of?.corpus : of?.documents[document]) ?? null;

/**
 * @param {Corpus} corpus
 * @param {Metric} metric
 * @param {Score} score
 * @param {OtherResponse | null} other
 * @param {boolean} first
 */
function scoreBox(corpus, metric, [recall, precision, value], other, first) {
  const written = (/** @type {number | null} */ number) => formatScore(corpus, metric, number);
  return h("div", { class: first ? "score first" : "score", title: metric.description },
    h("dt", null, metricTitle(corpus, metric.id)),
    h("dd", null, h("span", { class: "value" }, written(value)),
      metric.sides && h("span", { class: "sides" }, corpus.records && metric.f && `${metric.f} · `,
        h("abbr", { title: "recall" }, "R"), ` ${written(recall)} `,
        h("abbr", { title: "precision" }, "P"), ` ${written(precision)}`),
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
