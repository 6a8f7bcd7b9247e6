// The errors of all documents, each with the words around it and the entities that it is about: the highest cost first.

import { button, picker } from "../basics/controls.js";
import { h, put } from "../basics/dom.js";
import { count, formatted, range } from "../basics/numbers.js";
import { quoted, visible } from "../basics/visible.js";
import { sentenceOf } from "../lists/error_sentence.js";
import { sizeChoices } from "../lists/filter_bar.js";
import { LongList } from "../lists/long_list.js";
import { openErrors } from "../model/corpus.js";
import { sizeFilter } from "../model/filter.js";
import { bestKnown } from "../model/naming.js";
import { joined } from "../model/tokens.js";
import { wordsOf } from "../model/words.js";
import { costDecimals, formatCost } from "../scores/format.js";
import { WITHOUT_COSTS, metricPicker } from "../scores/metrics.js";
import { togetherInWords } from "../scores/together.js";

/**
 * @import { CorpusErrors } from "../payload.d.ts"
 * @import { Corpus, Filter, Side } from "../types.d.ts"
 * @import { Documents } from "../model/corpus.js"
 * @import { Doc } from "../model/document.js"
 * @import { Place } from "../types.d.ts"
 * @typedef {[value: string | number, text: string][]} Choices
 */

const AROUND = 9; // words on each side
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

export class Concordance {
  /**
   * @param {Corpus} corpus
   * @param {Filter} filter
   * @param {Documents} documents
   * @param {object} actions
   * @param {(place: Partial<Place>) => void} actions.go
   * @param {() => void} actions.refiltered
   */
  constructor(corpus, filter, documents, { go, refiltered }) {
    this.corpus = corpus;
    this.filter = filter;
    this.documents = documents;
    this.go = go;
    this.refiltered = refiltered;
    this.response = 0;
    this.query = "";
    /** @type {CorpusErrors | null} */
    this.errors = null;
    /** @type {number[]} Of each document: the place of its first error among all. */
    this.first = [];
    /** @type {number[]} */
    this.documentOf = [];
    /** @type {number[]} */
    this.entries = [];
    this.decimals = 2;
    this.placeIn = this.placeOf.bind(this);
    /** @type {Map<number, Doc | null>} null while it is being opened. */
    this.docs = new Map();
    this.list = new LongList({
      label: `${this.words.Errors} of the corpus`, height: 66, narrow: 84,
      draw: (n) => this.row(this.entries[n]), open: (n) => this.open(this.entries[n]),
    });
    this.head = h("div", { class: "list-head" });
    this.element = h("section", { class: "concordance" }, this.head, this.list.element);
  }

  /**
   * @param {number} response
   * @param {string} query - in names of documents
   */
  async show(response, query) {
    this.query = query.toLowerCase().trim();
    if (!this.errors || this.response !== response) {
      this.response = response;
      this.errors = null;
      const errors = await openErrors(this.corpus, response);
      if (this.response !== response) return;
      this.errors = errors;
      this.docs.clear();
      this.number();
    }
    this.draw();
  }

  /** Numbers the errors document by document. */
  number() {
    const { errors } = this.corpus.responses[this.response];
    this.documentOf = errors.flatMap((n, document) => Array(n ?? 0).fill(document));
    let first = 0;
    this.first = errors.map((n) => (first += n ?? 0) - (n ?? 0));
  }

  draw() {
    const { errors, filter, corpus, query } = this;
    if (!errors) return;
    const { documents } = corpus;
    const fits = sizeFilter(filter.size);
    this.entries = range(errors.kind.length).filter((n) =>
      (filter.kind < 0 || errors.kind[n] === filter.kind)
      && (filter.mentionType < 0 || errors.mention_type[n] === filter.mentionType)
      && (!filter.entityType || (errors.entity_types[errors.entity_type[n]] || "none") === filter.entityType)
      && fits(errors.size[n])
      && (!query || documents[this.documentOf[n]].toLowerCase().includes(query)));
    const costs = errors.costs[filter.metric];
    this.decimals = costDecimals(costs?.map((cost) => cost && cost / 1e8) ?? []);
    if (costs) this.entries.sort((a, b) => Math.abs(costs[b] ?? 0) - Math.abs(costs[a] ?? 0) || a - b);
    this.drawHead(errors);
    this.list.element.scrollTop = 0;
    this.list.show(this.entries.length);
  }

  get words() {
    return wordsOf(this.corpus, this.response);
  }

  /** @param {CorpusErrors} errors */
  drawHead(errors) {
    const { corpus, filter, entries, words } = this;
    const all = errors.kind.length;
    /** @typedef {"kind" | "mentionType" | "entityType" | "size"} Name */
    const choice = (/** @type {string} */ label, /** @type {Name} */ name, /** @type {Choices} */ choices) =>
      h("label", null, h("span", null, label), picker({ "data-filter": name }, choices, filter[name],
        (value) => this.refilter({ [name]: name === "size" || name === "entityType" ? value : Number(value) }, name)));
    /** @type {(used: number[], names: string[]) => Choices} */
    const named = (used, names) =>
      [[-1, "all"], ...[...names.entries()].filter(([n]) => used.includes(n))];
    const kinds = named(errors.kind, corpus.kinds.map((kind) => words.kinds[kind][0]));
    const types = named(errors.mention_type, corpus.mention_types.map((name) => name || "unknown"));
    /** @type {Choices} */
    const entityTypes = errors.entity_types.map((type) => [type || "none", visible(type, 40) || "none"]);
    const metric = metricPicker(corpus, filter.metric, (id) => this.refilter({ metric: id }, "metric"));
    put(this.head,
      h("h1", null, `${words.Errors} of the corpus`),
      h("p", null, (entries.length === all ? "" : `${formatted(entries.length)} of `) + count(all, words.error),
        errors.costs[filter.metric]
          ? [", highest cost first. Cost is the gain in ", metric,
            ` in the corpus if only that ${words.error} were ${words.corrected}.`,
            !this.query && togetherInWords(corpus, this.response, filter, words.corrected)]
          : `; ${WITHOUT_COSTS}.`),
      h("div", { class: "filters" },
        button("chip", () => this.go({ view: "entities" }), null, "‹ overview"),
        choice(words.Errors, "kind", kinds), types.length > 2 && choice("Mention type", "mentionType", types),
        entityTypes.length > 1 && choice("Entity type", "entityType", [["", "all"], ...entityTypes]),
        choice("Size", "size", sizeChoices(filter.size))));
  }

  /**
   * @param {Partial<Filter>} change
   * @param {string} control
   */
  refilter(change, control) {
    Object.assign(this.filter, change);
    this.refiltered();
    this.draw();
    const element = this.head.querySelector(`[data-filter="${control}"]`);
    if (element instanceof HTMLElement) element.focus();
  }

  /** @param {number} n */
  row(n) {
    const { corpus, filter, words } = this;
    const errors = /** @type {CorpusErrors} */ (this.errors);
    const document = this.documentOf[n];
    const costs = errors.costs[filter.metric];
    const cost = costs?.[n] ?? null;
    const doc = this.docOf(document);
    return h("div", { class: "error", "data-kind": corpus.kinds[errors.kind[n]] },
      h("span", { class: "kind" }, words.kinds[corpus.kinds[errors.kind[n]]][0]),
      h("div", { class: "in-words" }, doc
        ? [this.kwic(doc, n - this.first[document]), h("span", { class: "what" }, this.sentence(doc, n - this.first[document]))]
        : h("span", { class: "kwic" }, "…")),
      h("bdi", { class: "from" }, visible(corpus.documents[document], 60) || "(no name)"),
      h("span", { class: "cost" },
        costs ? formatCost(corpus, corpus.metric.get(filter.metric), cost && cost / 1e8, this.decimals) : ""));
  }

  /**
   * A document, if it is open; else it is opened, and the rows are drawn anew.
   *
   * @param {number} number
   */
  docOf(number) {
    const doc = this.docs.get(number);
    if (doc === undefined) {
      this.docs.set(number, null);
      this.documents.open(number).then((opened) => {
        if (this.docs.size > 200) this.docs.clear();
        this.docs.set(number, opened);
        this.list.redraw();
      });
    }
    return doc ?? null;
  }

  /**
   * Where an error is: its first mention, on the side that has it.
   *
   * @param {Doc} doc
   * @param {number} n - in the document
   */
  placeOf(doc, n) {
    const response = /** @type {import("../model/response.js").ScoredResponse} */ (doc.responses[this.response]);
    const { errors } = response;
    /** @type {Side} */
    const side = errors.key[n] >= 0 ? "K" : "R";
    const [entity, mention] =
      side === "K" ? [errors.key[n], errors.key_mention[n]] : [errors.response[n], errors.response_mention[n]];
    return { side, entity, mention, annotation: doc.annotation(side, response) };
  }

  /**
   * The first mention of an error between the words around it.
   *
   * @param {Doc} doc
   * @param {number} n - in the document
   */
  kwic(doc, n) {
    const { mention, annotation } = this.placeOf(doc, n);
    const [start, end] = [annotation.start[mention], annotation.end[mention]];
    const text = annotation.shownText(mention, 60);
    const around = (/** @type {number} */ from, /** @type {number} */ to) =>
      doc.wordless ? "" : visible(joined(doc.tokens, Math.max(0, from), Math.min(doc.tokens.length, to)), 90);
    return h("span", { class: "kwic", dir: RIGHT_TO_LEFT.test(text) ? "rtl" : "ltr" },
      h("span", { class: "before" }, h("bdi", null, around(start - AROUND, start))),
      h("b", null, h("bdi", null, text)),
      h("span", { class: "after" }, h("bdi", null, around(end, end + AROUND))));
  }

  /**
   * The error in words. Entities are called by their names and the mentions by which they are known best, unless the sentence
   * has just begun with the same words.
   *
   * @param {Doc} doc
   * @param {number} n - in the document
   */
  sentence(doc, n) {
    const { corpus, words } = this;
    const response = /** @type {import("../model/response.js").ScoredResponse} */ (doc.responses[this.response]);
    const first = this.placeOf(doc, n);
    return sentenceOf({ corpus, doc, words }, response, n, (annotation, entity) => {
      const text = annotation.text(bestKnown(corpus, doc, annotation, entity));
      const isRepeated = annotation === first.annotation && entity === first.entity && text === annotation.text(first.mention);
      return isRepeated ? annotation.name(entity) : [annotation.name(entity), " ", quoted(text, 40)];
    });
  }

  /** @param {number} n */
  async open(n) {
    const document = this.documentOf[n];
    const { side, entity, mention } = this.placeOf(await this.documents.open(document), n - this.first[document]);
    this.go({ document, side, entity, mention, view: "entities" });
  }
}
