// The corpus: its scores, its documents, its errors by kind, and the sizes of its entities.

import { button } from "../basics/controls.js";
import { h, put } from "../basics/dom.js";
import { count, formatted, sum } from "../basics/numbers.js";
import { fileName, quoted, visible } from "../basics/visible.js";
import { later } from "../model/changes.js";
import { wordsOf } from "../model/words.js";
import { sizeSection } from "../scores/sizes.js";
import { scoreStrip } from "../scores/strip.js";
import { scoreTable } from "../scores/table.js";
import { aloneOverview } from "./alone.js";
import { agreementOverview } from "./annotators.js";
import { documentDots } from "./dots.js";
import { groupTables, kindTable } from "./error_tables.js";
import { Concordance } from "./concordance.js";
import { DocumentTable } from "./document_table.js";

/**
 * @import { ResponseOverview, Sizes } from "../payload.d.ts"
 * @import { Corpus, Filter, Place } from "../types.d.ts"
 * @import { Documents } from "../model/corpus.js"
 * @import { Words } from "../model/words.js"
 * @import { OtherResponse } from "../scores/strip.js"
 */

export class Overview {
  /**
   * @param {Corpus} corpus
   * @param {Filter} filter
   * @param {Documents} documents
   * @param {object} actions
   * @param {(document: number) => void} actions.open
   * @param {(metric: string) => void} actions.changeMetric
   * @param {() => void} actions.restate - called when the order of the documents changed
   * @param {(place: Partial<Place>, change?: Partial<Filter>) => void} actions.go
   * @param {(first: number, other: number) => void} actions.openPair - of annotators
   * @param {() => void} actions.openEveryone - all annotators
   */
  constructor(corpus, filter, documents, { open, changeMetric, restate, go, openPair, openEveryone }) {
    this.corpus = corpus;
    this.filter = filter;
    this.open = open;
    this.changeMetric = changeMetric;
    this.go = go;
    this.openPair = openPair;
    this.openEveryone = openEveryone;
    this.table = new DocumentTable(corpus, filter, open, restate);
    this.concordance = new Concordance(corpus, filter, documents, { go, refiltered: restate });
    this.errors = false; // whether the errors of all documents are shown
    this.measure = 0; // of agreement, in the matrix
    this.element = h("div", { class: "overview", tabindex: "-1" });
  }

  /**
   * @param {object} options
   * @param {number} options.number - of the response
   * @param {OtherResponse | null} options.other
   * @param {string} options.query
   * @param {boolean} options.errors - whether the errors of all documents are shown
   * @param {boolean} options.everyone - whether all annotators are shown
   * @param {string | null} options.unknown - a document that was asked for and is not here
   */
  show({ number, other, query, unknown, errors, everyone }) {
    const { corpus, table, filter: { metric } } = this;
    if (corpus.alone) {
      table.change({ query });
      put(this.element, this.lost(unknown), aloneOverview(corpus, corpus.alone), table.element);
      return;
    }
    table.everyone = everyone;
    if (everyone) {
      this.errors = false;
      this.element.classList.remove("has-list");
      table.change({ query });
      this.showEveryone(unknown);
      return;
    }
    const response = corpus.responses[number];
    const words = wordsOf(corpus, number);
    this.errors = errors;
    this.element.classList.toggle("has-list", errors);
    if (errors) {
      put(this.element, this.concordance.element);
      this.concordance.show(number, query);
      return;
    }
    table.change({ response: number, query });
    put(this.element,
      this.lost(unknown),
      this.lede(response, words),
      scoreStrip(corpus, response.scores, other, { response: number, document: -1 },
        () => this.element.querySelector(".all-metrics")?.scrollIntoView()),
      h("div", { class: "charts" },
        documentDots(corpus, response, metric, this.open),
        h("div", { class: "two" },
          response.kinds.errors.some(Boolean)
            && kindTable(corpus, response, words, metric, this.changeMetric, (change) => this.openErrors(change)),
          sizeSection(corpus, trimmed(response.sizes), response.scores, words)),
        groupTables(corpus, response, words, metric, (change) => this.openErrors(change)),
        this.changes(number)),
      table.element,
      h("section", { class: "all-metrics" }, h("h2", null, "All metrics"), scoreTable(corpus, corpus.responses)),
      h("p", { class: "signature" }, h("code", null, visible(response.signature, 4000))));
  }

  /** @param {string | null} unknown */
  showEveryone(unknown) {
    const { corpus, corpus: { agreement } } = this;
    if (!agreement) return;
    const changeMeasure = (/** @type {number} */ measure) => {
      this.measure = measure;
      this.showEveryone(unknown);
      const control = this.element.querySelector("[data-filter=measure]");
      if (control instanceof HTMLElement) control.focus();
    };
    put(this.element,
      this.lost(unknown),
      agreementOverview(corpus, agreement, this.measure, changeMeasure, this.openPair,
        (document) => this.go({ document, view: "annotators" })),
      this.table.element,
      h("p", { class: "signature" }, h("code", null, visible(agreement.signature, 4000))));
  }

  /** @param {string | null} unknown */
  lost(unknown) {
    return unknown !== null && h("p", { class: "lost", role: "alert" }, "This page has no document ", quoted(unknown), ".");
  }

  /**
   * Shows the documents that have the query in their names, and says how many they are.
   *
   * @param {string} query
   */
  find(query) {
    const { documents } = this.corpus;
    if (this.errors) this.concordance.show(this.concordance.response, query);
    this.table.change({ query });
    if (query && !this.errors) this.table.element.scrollIntoView({ block: "start" });
    return `${formatted(this.table.found.length)} of ${count(documents.length, "document")}`;
  }

  /**
   * Opens the errors that pass a filter: of all documents, or of the only one.
   *
   * @param {Partial<Filter>} filter
   */
  openErrors(filter) {
    const place = this.corpus.documents.length > 1 ? { document: -1 } : { document: 0 };
    this.go({ ...place, view: "errors" }, filter);
  }

  /** Opens the first document that was found. */
  openFirst() {
    const [first] = this.table.found;
    if (first !== undefined) this.open(first);
    return null;
  }

  /**
   * @param {ResponseOverview} response
   * @param {Words} words
   */
  lede({ name, mentions, entities, kinds, warnings }, { unit }) {
    const { corpus } = this;
    const key = `${count(sum(mentions.key), unit)} of ${count(sum(entities.key), "entity", "entities")}`;
    const documents = count(corpus.documents.length, "document");
    const errors = sum(kinds.errors);
    const { annotators } = corpus;
    const [first, other] = annotators.length ? [annotators[0], name].map((by) => visible(by, 40)) : ["The key", "The response"];
    return h("section", { class: "lede" },
      h("p", { class: "eyebrow" }, annotators.length ? "Annotators side by side" : "Key and response side by side",
        (corpus.agreement || corpus.first > 0)
          && [" · ", button("link", this.openEveryone, null, `All ${corpus.everyone.length} annotators`)]),
      h("h1", null, annotators.length
        ? [fileName(annotators[0]), h("span", { class: "against" }, " and "), fileName(name)]
        : [fileName(name), h("span", { class: "against" }, " against "), fileName(corpus.key)]),
      warnings.map((warning) => h("p", { class: "warning" }, h("b", null, "Warning: "), visible(warning, 4000))),
      h("p", null, `${first} has ${key} in ${documents}. `, !errors
        ? `${other} has ${annotators.length ? "the same" : "no errors"}.`
        : [annotators.length ? `There are ${count(errors, "difference")} from ${other}. `
          : `Correcting the ${count(errors, "error")} of the response makes it equal to the key. `,
        "Open a document to see them."],
      annotators.length > 0 && ` In metrics that need a key ${first} takes its place.`));
  }

  /** @param {number} number - of the response */
  changes(number) {
    const { responses } = this.corpus;
    const changes = this.corpus.changes[later(number) - 1];
    if (!changes || this.corpus.annotators.length) return null;
    const row = (/** @type {string} */ what, /** @type {number[]} */ fixed, /** @type {number[]} */ broken) =>
      h("p", null, h("b", { class: "fixed" }, `+${formatted(sum(fixed))}`), " ",
        h("b", { class: "broken" }, `−${formatted(sum(broken))}`), ` ${what} fixed / broken`);
    return h("section", { class: "both" },
      h("h2", null, "From ", fileName(responses[0].name), " to ", fileName(responses[later(number)].name)),
      row(`${wordsOf(this.corpus, number).unit}s`, changes.fixed, changes.broken),
      row("entities", changes.fixed_entities, changes.broken_entities));
  }
}

/**
 * Sizes without the last ranks, at which there is no entity.
 *
 * @param {Sizes} sizes
 */
function trimmed({ key, response, shared }) {
  const ranks = Math.max(1, ...[key, response].map((sizes) => sizes.findLastIndex((n) => n > 0) + 1));
  return { key: key.slice(0, ranks), response: response.slice(0, ranks), shared: shared.slice(0, ranks) };
}
