// The right side of a document: tabs, filters, the view that is chosen, and the selected entity.

import { h, put } from "../basics/dom.js";
import { Card } from "../card/card.js";
import { CorrectionList } from "../edit/correction_list.js";
import { Columns } from "../columns/columns.js";
import { ChangeList } from "../lists/change_list.js";
import { ErrorList } from "../lists/error_list.js";
import { filterBar } from "../lists/filter_bar.js";
import { MergeList } from "../lists/merge_list.js";
import { PlacementList } from "../lists/placement_list.js";
import { changesOf } from "../model/changes.js";
import { scoresPane } from "../scores/pane.js";
import { isOffered } from "./address.js";
import { drawTabs } from "./tabs.js";

/**
 * @import { Context, Filter, Highlight, Place, Preview, Select, Side, View } from "../types.d.ts"
 * @import { Editor } from "../edit/editor.js"
 * @import { Tab } from "./tabs.js"
 */

/** @type {View[]} */
const OF_RECORDS = ["merges", "entities", "annotators", "errors", "changes", "scores", "text"]; // the order of tabs
const FILTERED = ["entities", "errors", "text"]; // views; beside the text there are the columns

/**
 * @param {Tab[]} tabs
 * @param {View[]} views
 */
const inOrder = (tabs, views) => tabs.slice().sort((a, b) => views.indexOf(a.view) - views.indexOf(b.view));

export class Panel {
  /**
   * @param {object} actions
   * @param {Select} actions.select
   * @param {Preview} actions.preview
   * @param {() => void} actions.showAll
   * @param {(place: Partial<Place>) => void} actions.go
   * @param {(view: View) => void} actions.openView
   * @param {() => void} actions.restate - called when the filter changed
   */
  constructor({ select, preview, showAll, go, openView, restate }) {
    const refilter = (/** @type {Partial<Filter>} */ change) => this.refilter(change);
    this.openView = openView;
    this.restate = restate;
    this.columns = new Columns({ select, showAll, preview });
    this.errors = new ErrorList({ select, showAll, refilter });
    this.changes = new ChangeList({ select });
    this.merges = new MergeList({ select });
    this.placements = new PlacementList({ go });
    this.card = new Card({ select, refilter });
    this.tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Views" });
    this.filters = h("div", { class: "filters" });
    this.body = h("div", { class: "body", id: "view", role: "tabpanel" });
    this.element = h("section", { class: "right", "aria-label": "Entities, lists and scores" },
      this.tabs, this.filters, this.body, this.card.element);
    /** @type {Editor | null} */
    this.editor = null;
    /** @type {CorrectionList | null} */
    this.corrections = null;
    /** @type {View | null} The view that is drawn. */
    this.view = null;
    /** @type {Context} */
    this.context = /** @type {any} */ (null); // until it is shown
  }

  /**
   * @param {Editor} editor
   * @param {Select} select
   */
  edit(editor, select) {
    this.editor = editor;
    this.corrections = new CorrectionList(editor, { select });
  }

  /**
   * @param {Context} context
   * @param {Highlight | null} highlight
   * @param {boolean} changed - whether another document or response is shown
   */
  show(context, highlight, changed) {
    const { view } = context.place;
    this.context = context;
    this.showTabs();
    if (changed || this.view !== view) this.draw();
    this.view = view;
    this.card.show(context); // takes room from the columns
    const { doc, response } = this.columns.context ?? {};
    if (doc === context.doc && response === context.response) this.columns.highlight(highlight);
  }

  showTabs() {
    const { corpus, doc, response, place, words } = this.context;
    /** @type {Tab[]} */
    const tabs = [
      { view: "text", name: corpus.records ? "Records" : "Text" },
      { view: "entities", name: "Entities" },
      { view: "annotators", name: "Annotators" },
      { view: "errors", name: words.Errors, number: response?.errors.kind.length ?? 0 },
      { view: "merges", name: "Merges and splits" },
      { view: "changes", name: "Changes", number: corpus.responses.length > 1 ? changesOf(doc, place.response).marks.size : 0 },
      { view: "scores", name: "Scores" },
      { view: "corrections", name: "Corrections", number: this.editor?.changes.length ?? 0 },
    ];
    const isUsed = this.editor?.isOn || (this.editor?.corrections.number ?? 0) > 0 || place.view === "corrections";
    const offered = (corpus.records ? inOrder(tabs, OF_RECORDS) : tabs).filter(({ view }) =>
      isOffered(corpus, view) && (view !== "corrections" || isUsed));
    drawTabs(this.tabs, offered, place.view, this.openView);
    this.body.setAttribute("aria-labelledby", `tab-${place.view}`);
  }

  draw() {
    const { context, body } = this;
    const { view } = context.place;
    this.filters.hidden = !FILTERED.includes(view);
    put(this.filters, filterBar(context, (change) => this.refilter(change)));
    if (view === "scores") {
      put(body, scoresPane(context));
      return;
    }
    const pane = {
      errors: this.errors, changes: this.changes, merges: this.merges, annotators: this.placements,
      entities: this.columns, text: this.columns, corrections: /** @type {CorrectionList} */ (this.corrections),
    }[view];
    put(body, pane.element);
    pane.show(context);
  }

  /** Draws the view anew, after a change of the filter. */
  redraw() {
    if (this.context.place.view === "merges") this.merges.show(this.context); // which the search filters
    if (!FILTERED.includes(this.context.place.view)) return;
    this.draw();
    if (this.context.place.view !== "errors") this.columns.highlight(this.columns.highlighted, false);
  }

  /** @param {Partial<Filter>} change */
  refilter(change) {
    Object.assign(this.context.filter, change);
    this.restate();
    const inCard = this.card.element.contains(document.activeElement);
    this.redraw();
    this.card.show(this.context);
    const [name] = Object.keys(change);
    const control = this.element.querySelector(`${inCard ? ".card" : ":is(.filters, .body)"} [data-filter="${name}"]`);
    if (control instanceof HTMLElement) control.focus();
  }

  /** Focuses what the keys act on in this view: its list, its columns, its scores. */
  focusView() {
    if (this.body.contains(this.columns.element)) {
      this.columns.focus(this.columns.highlighted?.side ?? "K");
      return;
    }
    const list = this.body.querySelector("[role=listbox], .scores-pane");
    if (list instanceof HTMLElement) list.focus();
  }

  /** @param {Side} side */
  focusColumn(side) {
    this.columns.focus(side);
  }
}
