// The page as a whole: the header, and below it the overview or a document.

import { h, put } from "../basics/dom.js";
import { count } from "../basics/numbers.js";
import { visible } from "../basics/visible.js";
import { Editor } from "../edit/editor.js";
import { editByKey } from "../edit/keys.js";
import { ExportDialog } from "../export/dialog.js";
import { beside } from "../model/changes.js";
import { firstNamed } from "../model/corpus.js";
import { NO_FILTER, newFilter } from "../model/filter.js";
import { titleOf } from "../model/naming.js";
import { normalized } from "../model/tokens.js";
import { wordsOf } from "../model/words.js";
import { Overview } from "../overview/overview.js";
import { isOfEveryone } from "./address.js";
import { DocumentView } from "./document_view.js";
import { Header } from "./header.js";
import { helpDialog } from "./help.js";
import { act, shortcutsOf } from "./keyboard.js";
import { Navigator } from "./navigator.js";
import { SearchBox } from "./search_box.js";
import { applyTheme } from "./theme.js";

/**
 * @import { Scores } from "../payload.d.ts"
 * @import { Corpus, Side, View } from "../types.d.ts"
 * @import { Doc } from "../model/document.js"
 */

export class App {
  /**
   * @param {Corpus} corpus
   * @param {HTMLElement} root
   */
  constructor(corpus, root) {
    this.corpus = corpus;
    this.filter = newFilter(corpus);
    this.search = new SearchBox({ find: (query) => this.find(query), step: (by) => this.step(by) });
    const navigator = new Navigator(corpus, this.filter, this.search,
      (doc, unknown, arrived) => this.render(doc, unknown, arrived));
    this.navigator = navigator;
    this.overview = new Overview(corpus, this.filter, navigator.documents, {
      go: (place, change) => this.enter(navigator.go(place, change)),
      open: (document) => this.enter(navigator.openDocument(document)), changeMetric: (metric) => this.changeMetric(metric),
      restate: () => navigator.restate(), openPair: (first, other) => navigator.openPair(first, other),
      openEveryone: () => navigator.openOverview(),
    });
    this.view = new DocumentView(navigator, () => this.showAll());
    this.editor = new Editor(this);
    this.view.edit(this.editor);
    const shortcuts = shortcutsOf(this);
    this.help = helpDialog(corpus, shortcuts);
    this.exports = new ExportDialog(this);
    this.header = new Header(corpus, navigator, this.search,
      { showHelp: () => this.showHelp(), showExports: () => this.exports.open(), edit: () => this.editor.toggle() });
    applyTheme();
    put(root, this.header.element, h("main", { class: "page" }, this.overview.element, this.view.element), this.help,
      this.exports.element);
    this.closing = new AbortController();
    const { signal } = this.closing;
    addEventListener("hashchange", () => firstNamed(location.hash) === corpus.first && navigator.arrive(), { signal });
    addEventListener("keydown", (event) => editByKey(this.editor, event), { signal, capture: true });
    addEventListener("keydown", (event) => act(event, shortcuts), { signal });
    addEventListener("beforeprint", () => navigator.doc && this.view.text.chunks.printAll(), { signal });
    addEventListener("afterprint", () => this.view.text.chunks.printed(), { signal });
    navigator.arrive();
  }

  /** Hears nothing more. */
  close() {
    this.closing.abort();
  }

  /**
   * @param {Doc | null} doc - null for the overview
   * @param {string | null} unknown - a document that was asked for and is not here
   * @param {boolean} arrived - whether we came by an address
   */
  render(doc, unknown, arrived) {
    this.filter.text = normalized(this.search.query);
    this.overview.element.hidden = Boolean(doc);
    this.view.element.hidden = !doc;
    this.header.show(this.navigator.place);
    if (doc) this.showDocument(doc, arrived);
    else this.showOverview(unknown);
  }

  /** @param {string | null} unknown */
  showOverview(unknown) {
    const { corpus, search } = this;
    const { response, view } = this.navigator.place;
    const everyone = isOfEveryone(corpus, this.navigator.place);
    const other = this.otherResponse((n) => corpus.responses[n].scores);
    document.title = `${everyone ? count(corpus.everyone.length, "annotator") : visible(corpus.key, 60)} · Referee`;
    search.prompt("Search documents");
    this.view.leave();
    const errors = view === "errors" && corpus.documents.length > 1 && !corpus.alone;
    this.overview.show({ number: response, other, query: search.query, unknown, errors, everyone });
    this.header.edits(this.editor.isOn, this.navigator.corrections.number);
    if (search.query !== search.searched) search.find();
  }

  /**
   * @param {Doc} doc
   * @param {boolean} arrived
   */
  showDocument(doc, arrived) {
    const { corpus, filter, search } = this;
    const { place } = this.navigator;
    document.title = `${visible(titleOf(corpus, place.document), 60)} · Referee`;
    search.prompt(corpus.records ? "Search records" : doc.wordless ? "Search mentions" : "Search text");
    const words = wordsOf(corpus, place.response);
    const context = { corpus, doc, response: doc.responses[place.response] ?? null, place, filter, words };
    const changed = this.view.show(context, this.otherResponse((n) => doc.responses[n]?.scores), arrived);
    this.editor.show();
    this.header.edits(this.editor.isOn, this.navigator.corrections.number);
    if ((changed && search.query) || search.query !== search.searched) search.find();
  }

  /**
   * The response whose scores stand beside those of the one that is shown, where there are several.
   *
   * @param {(response: number) => Scores | undefined} scoresOf
   */
  otherResponse(scoresOf) {
    const n = beside(this.navigator.place.response);
    return this.corpus.responses.length > 1 ? { letter: this.header.letterOf(n), scores: scoresOf(n) } : null;
  }

  /** @param {string} query */
  find(query) {
    const found = this.navigator.doc ? this.view.find(query) : this.overview.find(query);
    this.navigator.restate();
    return found;
  }

  /** @param {1 | -1} by */
  step(by) {
    return this.navigator.doc ? this.view.step(by) : this.overview.openFirst();
  }

  showAll() {
    Object.assign(this.filter, NO_FILTER);
    this.search.query = "";
    this.view.panel.focusView();
  }

  /** @param {string} metric - in which costs are shown */
  changeMetric(metric) {
    const { element } = this.overview;
    const { scrollTop } = element;
    this.filter.metric = metric;
    this.navigator.restate();
    this.render(null, null, false);
    element.scrollTop = scrollTop;
    const control = element.querySelector("[data-filter=metric]");
    if (control instanceof HTMLElement) control.focus();
  }

  showHelp() {
    this.help.showModal();
  }

  /**
   * Focuses the document that was opened from the overview, of which nothing can be focused any more.
   *
   * @param {Promise<void>} opened
   */
  async enter(opened) {
    await opened;
    if (this.navigator.doc) this.view.panel.focusView();
  }

  /** @param {Side} side */
  async focusColumn(side) {
    if (!this.navigator.doc) return;
    if (this.navigator.place.view !== "entities") await this.navigator.go({ view: "entities" });
    this.view.panel.focusColumn(side);
  }

  async focusText() {
    if (!this.navigator.doc) return;
    if (!this.view.text.element.offsetParent) await this.navigator.go({ view: "text" });
    this.view.text.element.focus();
  }

  /** Takes the tooltip away, or else the selection. */
  escape() {
    if (!this.navigator.doc) return;
    const { tooltip } = this.view;
    if (tooltip.key) tooltip.hide();
    else this.navigator.select("", -1, -1);
  }

  /** @param {View} view */
  async openView(view) {
    if (!this.navigator.doc) {
      if (view === "annotators") this.navigator.openOverview();
      return;
    }
    await this.navigator.go({ view });
    this.view.panel.focusView();
  }
}
