// The documents with their scores, in a table that any heading sorts.

import { button, picker } from "../basics/controls.js";
import { h, put } from "../basics/dom.js";
import { count, formatted } from "../basics/numbers.js";
import { divisible, visible } from "../basics/visible.js";
import { later } from "../model/changes.js";
import { wordsOf } from "../model/words.js";
import { formatMeasure, formatScore } from "../scores/format.js";
import { firstMetrics, metricTitle } from "../scores/metrics.js";
import { firstMeasures } from "./annotators.js";

/**
 * @import { PerDocument } from "../payload.d.ts"
 * @import { Corpus, Filter } from "../types.d.ts"
 * @typedef {{ id: string, name: string, values: PerDocument, show: (value: number | null) => string }} Column
 */

const FIRST_ROWS = 300;
const NAME = "#name"; // the first column; ids of metrics have no #

export class DocumentTable {
  /**
   * @param {Corpus} corpus
   * @param {Filter} filter - which has the column by which they are sorted
   * @param {(document: number) => void} open
   * @param {() => void} restate - called when they are sorted in another way
   */
  constructor(corpus, filter, open, restate) {
    this.corpus = corpus;
    this.filter = filter;
    this.open = open;
    this.restate = restate;
    this.response = 0;
    this.query = "";
    this.everyone = false; // whether it is about all annotators
    this.all = false; // whether all rows are shown
    /** @type {number[]} The documents that were found, sorted. */
    this.found = [];
    this.element = h("section", { class: "documents" });
  }

  show() {
    const { rest, added } = this.metrics();
    const columns = this.columns();
    const rows = this.found = this.rows(columns);
    const upper = this.all ? rows : rows.slice(0, FIRST_ROWS);
    const showAll = () => this.change({ all: true });
    put(this.element,
      h("h2", null, this.everyone ? "Most disputed documents" : "Documents"),
      h("p", { class: "note" }, this.query.trim()
        ? `${count(rows.length, "document")} with “${visible(this.query, 40)}” in the name.`
        : [this.everyone && "The least alpha first. ", "Click a heading to sort."]),
      rest.length > 0 && h("label", { class: "note another" }, "Another metric ", picker({},
        [["", "–"], ...rest.map((id) => /** @type {[string, string]} */ ([id, metricTitle(this.corpus, id)]))],
        added, (id) => this.add(id))),
      h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": "Documents" }, h("table", null,
        h("thead", null, h("tr", null,
          this.heading(NAME, "Document"), columns.map(({ id, name }) => this.heading(id, name)))),
        h("tbody", null, upper.map((number) => this.row(number, columns))))),
      upper.length < rows.length && button("chip", showAll, null, `all ${formatted(rows.length)} documents`));
  }

  /** The column by which they are sorted. */
  get sort() {
    const down = this.filter.sort.startsWith("-");
    const id = this.filter.sort.slice(Number(down));
    const { leading } = this.metrics();
    return id ? { column: id, down } : { column: leading[0] ?? NAME, down: false };
  }

  /** The metrics that have columns, the rest, and the one of the rest that was added. */
  metrics() {
    const { agreement, alone } = this.corpus;
    if (alone) return { leading: [], rest: [], added: "" };
    if (this.everyone && agreement) return { leading: [agreement.measures[0].id], rest: [], added: "" };
    const { by_document: scores } = this.corpus.responses[this.response];
    const first = firstMetrics(this.corpus, 7);
    const main = first.filter((id) => id !== "mentions");
    const leading = main.length ? main : first;
    const rest = this.corpus.metrics.map(({ id }) => id).filter((id) => !leading.includes(id) && Object.hasOwn(scores, id));
    const added = rest.find((id) => id === this.filter.sort.replace(/^-/, "")) ?? "";
    return { leading: added ? [...leading, added] : leading, rest, added };
  }

  /** @returns {Column[]} */
  columns() {
    const { corpus } = this;
    const { alone } = corpus;
    const { Unit, Errors } = wordsOf(corpus, this.response);
    const response = corpus.responses[this.response];
    const number = (/** @type {number | null} */ value) => (value === null ? "–" : formatted(value));
    const signed = (/** @type {string} */ sign) => (/** @type {number | null} */ value) => (value ? `${sign}${value}` : "0");
    if (alone) {
      return [
        ...(alone.tokens ? [{ id: "#tokens", name: "Tokens", values: alone.tokens, show: number }] : []),
        { id: "#mentions", name: `${Unit}s`, values: alone.mentions, show: number },
        { id: "#entities", name: "Entities", values: alone.entities, show: number },
        { id: "#singletons", name: "Singletons", values: alone.singletons, show: number },
      ];
    }
    const { agreement } = corpus;
    if (this.everyone && agreement) {
      return firstMeasures(corpus, agreement).map((n) => ({
        id: agreement.measures[n].id, name: agreement.measures[n].title, values: agreement.documents[n],
        show: (/** @type {number | null} */ value) => formatMeasure(corpus, agreement.measures[n], value),
      }));
    }
    const changes = corpus.changes[later(this.response) - 1];
    return [
      ...this.metrics().leading.map((id) => ({
        id, name: metricTitle(corpus, id), values: response.by_document[id],
        show: (/** @type {number | null} */ value) => formatScore(corpus, corpus.metric.get(id), value),
      })),
      { id: "#mentions", name: `${Unit}s`, values: response.mentions.key, show: number },
      { id: "#errors", name: Errors, values: response.errors, show: number },
      ...(changes && !corpus.annotators.length ? [
        { id: "#fixed", name: "Fixed", values: changes.fixed, show: signed("+") },
        { id: "#broken", name: "Broken", values: changes.broken, show: signed("−") },
      ] : []),
    ];
  }

  /**
   * The documents whose names have the query, sorted.
   *
   * @param {Column[]} columns
   */
  rows(columns) {
    const { documents } = this.corpus;
    const { column, down } = this.sort;
    const wanted = this.query.toLowerCase().trim();
    const rows = [...documents.keys()].filter((number) => documents[number].toLowerCase().includes(wanted));
    const names = (/** @type {number} */ a, /** @type {number} */ b) =>
      documents[a] < documents[b] ? -1 : Number(documents[a] > documents[b]);
    if (column === NAME) return rows.sort((a, b) => (down ? names(b, a) : names(a, b)));
    const { values } = columns.find(({ id }) => id === column) ?? columns[0];
    return rows.sort((a, b) => missingLast(values[a], values[b], down));
  }

  /**
   * @param {string} id
   * @param {string} name
   */
  heading(id, name) {
    const { column, down } = this.sort;
    const sorted = column === id && (down ? "descending" : "ascending");
    const arrow = h("span", { class: "arrow", "aria-hidden": "true" }, sorted ? (down ? "↓" : "↑") : "");
    return h("th", { scope: "col", "aria-sort": sorted }, button("sort", () => this.sortBy(id), null, name, arrow));
  }

  /**
   * @param {number} number
   * @param {Column[]} columns
   */
  row(number, columns) {
    const whole = this.corpus.documents[number];
    const name = visible(whole, 80) || "(no name)";
    const title = whole.length > 80 && visible(whole);
    return h("tr", null,
      h("th", { scope: "row" },
        button("link", () => this.open(number), { "data-document": number, title }, h("bdi", null, divisible(name)))),
      columns.map(({ values, show, id }) => h("td", { class: id === this.sort.column && "value" }, show(values[number]))));
  }

  /** @param {Partial<Pick<DocumentTable, "response" | "query" | "all">>} change */
  change(change) {
    Object.assign(this, change);
    this.show();
  }

  /** @param {string} id */
  sortBy(id) {
    const { column, down } = this.sort;
    const largestFirst = id.startsWith("#") && id !== NAME;
    this.sortedBy(id, column === id ? !down : largestFirst);
    this.focus("th[aria-sort] button");
  }

  /**
   * @param {string} id
   * @param {boolean} down
   */
  sortedBy(id, down) {
    this.filter.sort = `${down ? "-" : ""}${id}`;
    this.restate();
    this.show();
  }

  /** @param {string} id */
  add(id) {
    this.sortedBy(id, id !== "" && Boolean(this.corpus.metric.get(id)?.distance));
    this.focus(".another select");
  }

  /** @param {string} selector */
  focus(selector) {
    const element = this.element.querySelector(selector);
    if (element instanceof HTMLElement) element.focus();
  }
}

/**
 * @param {number | null} a
 * @param {number | null} b
 * @param {boolean} down
 */
function missingLast(a, b, down) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return down ? b - a : a - b;
}
