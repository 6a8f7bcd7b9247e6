// What an entity contributes to metrics that are sums over entities, and what correcting its errors would gain.

import { h } from "../basics/dom.js";
import { count, sum } from "../basics/numbers.js";
import { opposite } from "../model/annotation.js";
import { costDecimals, formatCost, percent } from "../scores/format.js";
import { WITHOUT_COSTS, metricPicker } from "../scores/metrics.js";

/**
 * @import { Context, Refilter, Side } from "../types.d.ts"
 * @import { ScoredResponse } from "../model/response.js"
 * @import { Words } from "../model/words.js"
 * @typedef {{ name: string, fraction: string, value: number | null, meaning: string, isOfTexts?: boolean,
 *   isOfRecords?: boolean }} Figure
 */

/**
 * @param {Context} context
 * @param {ScoredResponse} response
 * @param {Side} side
 * @param {number} entity
 * @param {Refilter} refilter
 */
export function figures(context, response, side, entity, refilter) {
  const { corpus, doc, words } = context;
  const [here, other] = [doc.annotation(side, response), doc.annotation(opposite(side), response)];
  const { exact, spanError } = response.cells(side, entity);
  const spanErrors = sum(spanError.map(({ shared }) => shared));
  const shared = exact.map((cell) => cell.shared);
  const twinSize = exact.length === 1 ? other.size[exact[0].other] : 0;
  const named = shares(side, words, here.size[entity], shared, spanErrors, twinSize);
  const all = corpus.records ? named.filter(({ isOfTexts }) => !isOfTexts) : named.filter(({ isOfRecords }) => !isOfRecords);
  return h("div", { class: "figures" },
    cost(context, response.costs[side], entity, refilter),
    h("dl", null, all.map(({ name, fraction, value, meaning }) =>
      h("div", { title: meaning }, h("dt", null, name),
        h("dd", null, h("b", null, percent(corpus, value)), h("span", null, fraction))))));
}

/**
 * @param {Context} context
 * @param {ScoredResponse["costs"]["K"]} costs
 * @param {number} entity
 * @param {Refilter} refilter
 */
function cost({ corpus, doc, filter: { metric }, words }, costs, entity, refilter) {
  if (!metric || doc.before) return null; // costs are those before corrections
  if (!(metric in costs)) return h("p", { class: "note" }, `${WITHOUT_COSTS[0].toUpperCase()}${WITHOUT_COSTS.slice(1)}.`);
  const gain = costs[metric][entity];
  if (gain === null) return null;
  const written = formatCost(corpus, corpus.metric.get(metric), gain, costDecimals(costs[metric]));
  return h("p", { class: "cost" }, h("strong", null, written), " ",
    metricPicker(corpus, metric, (picked) => refilter({ metric: picked })),
    corpus.records && corpus.documents.length === 1 ? "" : " in this document",
    ` if all ${words.Errors.toLowerCase()} of this entity were ${words.corrected}`);
}

/**
 * @param {Side} side
 * @param {Words} words
 * @param {number} size - of the entity
 * @param {number[]} shared - mentions with each entity of the other side
 * @param {number} spanErrors - mentions that have another span there
 * @param {number} twinSize - of the one entity of the other side that it shares mentions with; 0 if there are several, or none
 * @returns {Figure[]}
 */
function shares(side, words, size, shared, spanErrors, twinSize) {
  const { unit, span, [opposite(side)]: there } = words;
  const metric = side === "K" ? "recall" : "precision";
  const found = sum(shared);
  const squares = sum(shared.map((n) => n * n));
  const links = found - shared.length;
  const together = size === 1 ? Number(twinSize === 1) : sum(shared.map(pairs));
  const allPairs = size === 1 ? 1 : pairs(size);
  const alone = `${together ? "a" : "not a"} singleton in ${there}`;
  return [
    {
      name: `${unit}s found`, value: found / size, meaning: `${unit}s of this entity that ${there} has`,
      fraction: `${found} of ${size}${spanErrors ? `, ${spanErrors} with ${span}` : ""}`,
    },
    {
      name: `MUC ${metric}`, value: size > 1 ? links / (size - 1) : null,
      fraction: size > 1 ? `${links} of ${count(size - 1, "link")}` : "no links",
      meaning: `links kept in ${there}, of those that connect the entity (Vilain et al. 1995)`, isOfTexts: true,
    },
    {
      name: `B³ ${metric}`, value: squares / (size * size), fraction: `${squares} ⁄ ${size}²`,
      meaning: `the share of the entity that ${there} puts together, mean over its ${unit}s (Bagga and Baldwin 1998)`,
    },
    {
      name: `LEA ${metric}`, value: together / allPairs,
      fraction: size > 1 ? `${together} of ${count(allPairs, "pair")}` : alone,
      meaning: `pairs of its ${unit}s that are together in ${there} (Moosavi and Strube 2016)`, isOfTexts: true,
    },
    {
      name: `links ${metric}`, value: size > 1 ? together / allPairs : null,
      fraction: size > 1 ? `${together} of ${count(allPairs, "pair")}` : "no pairs",
      meaning: `pairs of its records that are in one entity in ${there}, too`, isOfRecords: true,
    },
  ];
}

/** @param {number} n */
const pairs = (n) => (n * (n - 1)) / 2;
