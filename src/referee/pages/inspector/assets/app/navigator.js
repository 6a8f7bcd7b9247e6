// Where we are, and how we get elsewhere.

import { Corrections } from "../edit/store.js";
import { Documents } from "../model/corpus.js";
import { NO_FILTER } from "../model/filter.js";
import { addressOf, firstView, isOfEveryone, readAddress, selectionOf } from "./address.js";

/**
 * @import { Corpus, Filter, Place, Side, View } from "../types.d.ts"
 * @import { Doc } from "../model/document.js"
 * @import { SearchBox } from "./search_box.js"
 */

const QUICK = 700; // milliseconds in which several steps are one step back

/** @type {Pick<Place, "side" | "entity" | "mention">} */
const NO_SELECTION = { side: "", entity: -1, mention: -1 };

export class Navigator {
  /**
   * @param {Corpus} corpus
   * @param {Filter} filter - which changes with the place
   * @param {SearchBox} search
   * @param {(doc: Doc | null, unknown: string | null, arrived: boolean) => void} render - called at each new place with its
   *   document, null for the overview; a document that was asked for and is not here; whether we came by an address
   */
  constructor(corpus, filter, search, render) {
    this.corpus = corpus;
    this.filter = filter;
    this.search = search;
    this.render = render;
    this.documents = new Documents(corpus);
    this.corrections = new Corrections(corpus);
    /** @type {Doc | null} */
    this.doc = null; // of the place, null for the overview
    /** @type {Place} */
    this.place = { document: -1, response: 0, view: "entities", ...NO_SELECTION };
    this.next = this.place; // where we are going: opening a document takes a while
    this.ticket = 0;
    this.stepped = -Infinity; // when we last went to another entity or mention
  }

  /**
   * Opens the document of the place where we are going.
   *
   * @param {Place} next
   * @returns {Promise<Doc | null | undefined>} - null for the overview, undefined if meanwhile we were sent elsewhere
   */
  async open(next) {
    const ticket = ++this.ticket;
    this.next = next;
    const doc = next.document < 0 ? null : this.corrections.edited(await this.documents.open(next.document));
    return ticket === this.ticket ? doc : undefined;
  }

  /**
   * @param {Partial<Place>} change
   * @param {Partial<Filter>} [filter] - to set there
   */
  async go(change, filter) {
    if (change.view === "annotators" && this.corpus.first) {
      this.putFirst(0, change);
      return;
    }
    const next = { ...this.next, ...change };
    const doc = await this.open(next);
    if (doc === undefined) return;
    if (doc && "document" in change) next.response = responseOf(doc, next.response);
    if (next.document !== this.place.document || (next.document < 0 && "view" in change)) Object.assign(this.filter, NO_FILTER);
    Object.assign(this.filter, filter);
    if ((next.document < 0) !== (this.place.document < 0)) this.search.clear();
    this.place = this.next = next;
    this.doc = doc;
    this.remember(this.address, Object.keys(change));
    this.render(doc, null, false);
  }

  get address() {
    return addressOf(this.corpus, this.doc, this.place, this.filter, this.search.query.trim());
  }

  /** Writes a new order, filter or search into the address of the place. */
  restate() {
    if (location.protocol !== "about:") history.replaceState(null, "", this.address);
  }

  /**
   * Puts the place into the history of the browser.
   *
   * @param {string} address
   * @param {string[]} changed
   */
  remember(address, changed) {
    // In a notebook the page is a frame without an address of its own.
    if (location.protocol === "about:" || address === (location.hash || "#")) return;
    const selected = changed.every((name) => name in NO_SELECTION);
    if (selected && performance.now() - this.stepped < QUICK) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.stepped = selected ? performance.now() : -Infinity;
  }

  /** Goes where the address says: at the start, by the back button, or by a link. */
  async arrive() {
    const address = readAddress(this.corpus, location.hash);
    const { document: number, response, view, filter, query } = address;
    const next = { document: number, response, view, ...NO_SELECTION };
    const doc = await this.open(next);
    if (doc === undefined) return;
    if (doc) {
      next.response = responseOf(doc, response);
      Object.assign(next, selectionOf(doc, address, next.response));
    }
    this.place = this.next = next;
    this.doc = doc;
    Object.assign(this.filter, filter);
    this.search.clear(query);
    this.render(doc, address.unknown, true);
  }

  /**
   * Selects an entity and a mention of the document that is shown.
   *
   * @param {Side | ""} side
   * @param {number} entity
   * @param {number} mention
   */
  select(side, entity, mention) {
    // While another document is being opened, these are names of the one that we are leaving.
    if (this.next.document === this.place.document) this.go({ side, entity, mention });
  }

  /** @param {number} document */
  openDocument(document) {
    const fromList = this.place.document < 0 && this.place.view === "errors";
    return this.go({ document, entity: -1, mention: -1, ...(fromList ? { view: firstView(this.corpus) } : {}) });
  }

  /** Opens the overview: of all annotators where there are some. */
  openOverview() {
    const { agreement, first } = this.corpus;
    this.go({ document: -1, entity: -1, mention: -1, view: agreement || first ? "annotators" : firstView(this.corpus) });
  }

  /** @param {1 | -1} by */
  step(by) {
    const number = this.next.document + by;
    if (number >= 0 && number < this.corpus.documents.length) this.openDocument(number);
  }

  /**
   * Puts another annotator first, beside whom the page is opened anew.
   *
   * @param {number} first
   * @param {Partial<Place>} [change]
   */
  putFirst(first, change) {
    const { corpus, doc, place, filter, search } = this;
    const next = { ...place, ...NO_SELECTION, response: 0, ...change };
    if (next.view === "annotators" && first) next.view = firstView(corpus);
    location.hash = addressOf({ ...corpus, first }, next.document < 0 ? null : doc, next, filter, search.query.trim());
  }

  /**
   * Opens the overview of two annotators, who are side by side.
   *
   * @param {number} first
   * @param {number} other
   */
  openPair(first, other) {
    const next = { document: -1, response: other - first - 1, view: firstView(this.corpus) };
    if (first === this.corpus.first) this.go(next);
    else this.putFirst(first, next);
  }

  /** @param {number} response */
  showResponse(response) {
    // An entity of the key stays selected.
    this.go({
      response, ...(this.place.side === "K" ? {} : NO_SELECTION),
      ...(isOfEveryone(this.corpus, this.place) ? { view: firstView(this.corpus) } : {}),
    });
  }
}

/**
 * The response that is asked for, or the first that has the document.
 *
 * @param {Doc} doc
 * @param {number} response
 */
const responseOf = (doc, response) => (doc.responses[response] ? response : Math.max(0, doc.responses.findIndex(Boolean)));
