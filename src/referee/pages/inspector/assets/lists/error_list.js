// The errors of a document. Those with the highest cost come first.

import { h, put } from "../basics/dom.js";
import { count, formatted, range } from "../basics/numbers.js";
import { errorFilter } from "../model/filter.js";
import { costDecimals, formatCost } from "../scores/format.js";
import { WITHOUT_COSTS, metricPicker } from "../scores/metrics.js";
import { togetherInWords } from "../scores/together.js";
import { emptyNotice } from "./empty_notice.js";
import { sentenceOf } from "./error_sentence.js";
import { LongList } from "./long_list.js";

/**
 * @import { Context, Refilter, Select } from "../types.d.ts"
 * @import { ScoredResponse } from "../model/response.js"
 */

export class ErrorList {
  /** @param {{ select: Select, refilter: Refilter, showAll: () => void }} actions */
  constructor({ select, refilter, showAll }) {
    this.select = select;
    this.refilter = refilter;
    /** @type {number[]} */
    this.entries = [];
    this.decimals = 2; // of costs
    /** @type {Context} */
    this.context = /** @type {any} */ (null); // until it is shown
    this.list = new LongList({
      label: "Errors", height: 46, narrow: 64,
      draw: (n) => this.row(this.entries[n]), choose: (n) => this.pick(this.entries[n]),
    });
    this.head = h("div", { class: "list-head" });
    this.none = emptyNotice(showAll);
    this.element = h("div", { class: "pane errors" }, this.head, this.none, this.list.element);
  }

  /** @param {Context} context */
  show(context) {
    const { response, filter, words: { error, Errors } } = context;
    this.context = context;
    const errors = response?.errors.kind.length ?? 0;
    this.entries = range(errors).filter(errorFilter(context));
    const costs = response?.errors.costs[filter.metric];
    this.decimals = costDecimals(costs ?? []);
    if (costs) this.entries.sort((a, b) => Math.abs(costs[b] ?? 0) - Math.abs(costs[a] ?? 0) || a - b);
    put(this.head, h("p", null,
      (this.entries.length === errors ? "" : `${formatted(this.entries.length)} of `) + count(errors, error),
      this.order(Boolean(costs))));
    this.list.element.setAttribute("aria-label", Errors);
    this.none.hidden = this.entries.length > 0 || !errors;
    this.list.show(this.entries.length);
    this.list.element.scrollTop = 0;
  }

  /** @param {boolean} byCost */
  order(byCost) {
    const { corpus, filter, place, response, words } = this.context;
    if (!response || !corpus.metrics_with_costs.length) return null;
    if (!byCost) return `; ${WITHOUT_COSTS}`;
    const metric = metricPicker(corpus, filter.metric, (id) => this.refilter({ metric: id }));
    return [", highest cost first. Cost is the gain in ", metric, ` if only that ${words.error} were ${words.corrected}.`,
      corpus.documents.length === 1 && togetherInWords(corpus, place.response, filter, words.corrected)];
  }

  /** @param {number} n */
  row(n) {
    const { corpus, filter, words } = this.context;
    const response = /** @type {ScoredResponse} */ (this.context.response);
    const kind = corpus.kinds[response.errors.kind[n]];
    const costs = response.errors.costs[filter.metric];
    const cost = costs && formatCost(corpus, corpus.metric.get(filter.metric), costs[n], this.decimals);
    return h("div", { class: "error", "data-kind": kind },
      h("span", { class: "kind" }, words.kinds[kind][0]),
      h("span", { class: "what" }, sentenceOf(this.context, response, n, (annotation, entity) => annotation.name(entity))),
      h("span", { class: "cost" }, cost));
  }

  /** @param {number} n */
  pick(n) {
    const { errors } = /** @type {ScoredResponse} */ (this.context.response);
    if (errors.key[n] >= 0) this.select("K", errors.key[n], errors.key_mention[n]);
    else this.select("R", errors.response[n], errors.response_mention[n]);
  }
}
