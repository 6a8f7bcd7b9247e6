// Metrics by their names, and those that are shown first.

import { picker } from "../basics/controls.js";
import { visible } from "../basics/visible.js";

/** @import { Corpus } from "../types.d.ts" */

const NAMES = new Map(Object.entries({
  mentions: "Mentions", muc: "MUC", b_cubed: "B³", ceaf_m: "CEAFm", ceaf_e: "CEAFe", blanc: "BLANC", lea: "LEA", conll: "CoNLL",
  core_mr: "Core MR", exclusive_core_mr: "Exclusive core MR", overlap: "Overlap", d_error: "D-error", links: "Links",
  rand: "Rand", ari: "ARI", vi: "VI", v_measure: "V-measure", ceaf_phi1: "CEAF φ1", ceaf_phi2: "CEAF φ2",
}));

const FIRST = ["conll", "mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea"];

export const WITHOUT_COSTS = "the costs of single errors are not computed for a text this large";

/** @param {string} id */
export const metricName = (id) =>
  NAMES.get(id) ?? (/^[a-z_]+$/.test(id) ? (id[0].toUpperCase() + id.slice(1)).replaceAll("_", " ") : visible(id, 40));

/**
 * The metrics that are shown first, of those that were computed; others if there are none of them.
 *
 * @param {Corpus} corpus
 * @param {number} others - how many
 */
export function firstMetrics(corpus, others) {
  const first = FIRST.filter((id) => corpus.metric.has(id));
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
    corpus.metrics_with_costs.map((metric) => [metric, metricName(metric)]), now, pick);
