// What errors cost together: the score if all that pass a filter were corrected.

import { formatCost, formatScore } from "./format.js";
import { NO_FILTER } from "../model/filter.js";

/** @import { Corpus, Filter } from "../types.d.ts" */

/**
 * In words; null for all errors, and where it is not known, as of those of some size or with some words.
 *
 * @param {Corpus} corpus
 * @param {number} number - of the response
 * @param {Filter} filter
 * @param {string} corrected
 */
export function togetherInWords(corpus, number, { kind, mentionType, entityType, size, text, metric: id }, corrected) {
  const { together: { groups, costs }, scores } = corpus.responses[number];
  const isAll = kind < 0 && mentionType < 0 && !entityType;
  if (isAll || size !== NO_FILTER.size || text) return null;
  const place = groups.findIndex(([k, m, e]) => k === kind && m === mentionType && e === entityType);
  const cost = costs[id]?.[place] ?? null;
  const before = scores[id]?.[2] ?? null;
  const metric = corpus.metric.get(id);
  if (cost === null || before === null || !metric) return null;
  const [from, to] = [before, before + cost / 1e6].map((value) => formatScore(corpus, metric, value));
  return ` If all of these were ${corrected}: ${from} → ${to} (${formatCost(corpus, metric, cost / 1e6)}).`;
}
