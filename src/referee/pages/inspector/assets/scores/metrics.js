// Titles of metrics, and those that are shown first.

import { picker } from "../basics/controls.js";
import { visible } from "../basics/visible.js";

/** @import { Corpus } from "../types.d.ts" */

// Papers on coreference report these; where items are resolved, the pairwise scores stand before them.
const FIRST = ["conll", "mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea"];
const FIRST_OF_RECORDS = ["links", "b_cubed", "exact", "mentions"]; // in the order of reports

export const WITHOUT_COSTS = "the costs of single errors are not computed for a text this large";

/**
 * A metric as papers write its name.
 *
 * @param {Corpus} corpus
 * @param {string} id
 */
export const metricTitle = (corpus, id) =>
  (corpus.records && id === "mentions" ? "Records" : visible(corpus.metric.get(id)?.title ?? id, 40));

/**
 * The metrics that are shown first, of those that were computed; others if there are none of them.
 *
 * @param {Corpus} corpus
 * @param {number} others - how many
 */
export function firstMetrics(corpus, others) {
  const wanted = corpus.records ? FIRST_OF_RECORDS : corpus.items ? ["links", ...FIRST] : FIRST;
  const first = wanted.filter((id) => corpus.metric.has(id));
  return first.length ? first : corpus.metrics.slice(0, others).map((metric) => metric.id);
}

/**
 * The metric in which costs are shown.
 *
 * @param {Corpus} corpus
 * @param {string} now
 * @param {(metric: string) => void} pick
 */
export const metricPicker = (corpus, now, pick) =>
  picker({ "aria-label": "Metric of costs", "data-filter": "metric" },
    corpus.metrics_with_costs.map((metric) => [metric, metricTitle(corpus, metric)]), now, pick);
