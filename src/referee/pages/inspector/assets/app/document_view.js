// A document: its scores, its text, and beside the text the panel.

import { button } from "../basics/controls.js";
import { h, put } from "../basics/dom.js";
import { count, formatted } from "../basics/numbers.js";
import { quoted, visible } from "../basics/visible.js";
import { opposite } from "../model/annotation.js";
import { changesOf } from "../model/changes.js";
import { projections } from "../model/highlight.js";
import { mistakesOf } from "../model/mistakes.js";
import { normalized } from "../model/tokens.js";
import { scoreStrip } from "../scores/strip.js";
import { answerBox } from "../text/answer.js";
import { samples } from "../text/outcome.js";
import { TextPane } from "../text/pane.js";
import { layerSwitches } from "./layers.js";
import { Panel } from "./panel.js";
import { Splitter } from "./splitter.js";
import { Tooltip } from "./tooltip.js";

/**
 * @import { Context, Highlight, Preview } from "../types.d.ts"
 * @import { Editor } from "../edit/editor.js"
 * @import { Annotation } from "../model/annotation.js"
 * @import { OtherResponse } from "../scores/strip.js"
 * @import { Navigator } from "./navigator.js"
 */

export class DocumentView {
  /**
   * @param {Navigator} navigator
   * @param {() => void} showAll - lets everything pass the filter
   */
  constructor(navigator, showAll) {
    /** @type {import("../types.d.ts").Select} */
    const select = (side, entity, mention) => {
      if (!this.editor?.isChosen(side, entity)) navigator.select(side, entity, mention);
    };
    this.navigator = navigator;
    this.select = select;
    /** @type {Editor | null} */
    this.editor = null;
    /** @type {Preview} */
    const preview = (pointed, event) => this.tooltip.show(pointed, event);
    this.text = new TextPane({ select, preview });
    this.panel = new Panel({
      select, showAll, preview, go: (place) => navigator.go(place), openView: (view) => navigator.go({ view }),
      restate: () => navigator.restate(),
    });
    this.tooltip = new Tooltip(this.text, this.panel.columns);
    this.onlyErrors = button("chip", () => this.fold(), { "aria-pressed": "false" });
    this.layers = h("div", { class: "layers" });
    this.legend = h("div", { class: "legend" });
    this.answer = h("div", { class: "answer-place" });
    this.explain = button("chip explain", () => this.explained(), { "aria-expanded": "false" }, "What the lines mean");
    this.title = h("h1", { class: "unseen" });
    this.strip = h("div", { class: "strip-place" });
    this.live = h("p", { class: "unseen", role: "status", "aria-live": "polite" });
    this.bar = h("div", { class: "bar-place" });
    this.main = h("div", { class: "main" },
      h("div", { class: "left" }, this.legend, this.answer,
        h("div", { class: "text-frame" }, this.text.element, this.text.marks.element)),
      new Splitter().element, this.panel.element);
    this.element = h("div", { class: "document", hidden: true },
      this.title, this.strip, this.bar, this.main, this.live, this.tooltip.element);
    this.folded = false; // whether sentences without errors are
    /** @type {Context | null} */
    this.context = null;
  }

  /** @param {Editor} editor */
  edit(editor) {
    this.editor = editor;
    this.panel.edit(editor, this.select);
    put(this.bar, editor.bar.element);
    this.text.drop = (token) => editor.dropOn(token);
    this.panel.columns.drop = (entity) => editor.dropInto(entity);
  }

  /** Lets the text be drawn anew, although the document is the same. */
  redrawn() {
    if (this.context) this.context = { ...this.context, doc: /** @type {any} */ (null) };
  }

  /**
   * @param {Context} context
   * @param {OtherResponse | null} other
   * @param {boolean} arrived - whether we came by an address
   * @returns {boolean} - whether another document or response is shown than before
   */
  show(context, other, arrived) {
    const { corpus, doc, response, place, words } = context;
    this.text.isEditing = this.editor?.isOn ?? false;
    const changed = this.context?.doc !== doc || this.context.place.response !== place.response;
    this.context = context;
    this.title.textContent = visible(corpus.documents[place.document], 60);
    this.main.dataset.view = place.view;
    this.main.classList.toggle("alone", Boolean(corpus.alone));
    this.main.classList.toggle("of-records", corpus.records);
    this.onlyErrors.setAttribute("aria-pressed", String(context.filter.onlyErrors));
    this.onlyErrors.hidden = doc.wordless || !response;
    const errors = words.Errors.toLowerCase();
    this.onlyErrors.textContent = `only ${errors}`;
    this.onlyErrors.title = `Fold sentences without ${errors} (f)`;
    if (changed) {
      put(this.legend, this.explain, this.layers, legend(context));
      put(this.answer, answerBox(response?.answer));
    }
    put(this.layers, this.onlyErrors, layerSwitches(context, () => this.relayer()));
    this.tooltip.in(context);
    const { side, entity, mention } = place;
    const highlight = side === "" || entity < 0 ? null : projections(response, side, entity, mention);
    const marks = place.view === "changes" ? changesOf(doc, place.response).marks : null;
    this.main.toggleAttribute("data-selected", Boolean(highlight));
    if (changed || this.folded !== context.filter.onlyErrors) {
      this.folded = context.filter.onlyErrors;
      this.text.show(context, highlight, marks);
      if (!corpus.alone) {
        const openScores = () => this.navigator.go({ view: "scores" });
        put(this.strip, scoreStrip(corpus, response?.scores, other, place, openScores));
      }
    } else this.text.highlight(highlight, marks);
    this.panel.show(context, highlight, changed);
    this.live.textContent = highlight ? announcement(context, highlight) : "";
    if (highlight) this.showMention(doc.annotation(highlight.side, response), highlight, arrived);
    return changed;
  }

  /** Draws the text anew, with other layers. */
  relayer() {
    if (!this.context) return;
    const focused = [...this.layers.children].findIndex((element) => element === document.activeElement);
    put(this.layers, this.onlyErrors, layerSwitches(this.context, () => this.relayer()));
    const control = this.layers.children[focused];
    if (control instanceof HTMLElement) control.focus();
    this.text.lay(true);
    this.navigator.restate();
  }

  /** Shows on a narrow page what the lines of the text mean, or leaves the room to the text. */
  explained() {
    this.explain.setAttribute("aria-expanded", String(this.explain.getAttribute("aria-expanded") === "false"));
  }

  /** Folds the sentences in which nothing is wrong, or unfolds them. */
  fold() {
    if (!this.context || this.context.doc.wordless) return;
    const { filter } = this.context;
    filter.onlyErrors = this.folded = !filter.onlyErrors;
    this.onlyErrors.setAttribute("aria-pressed", String(filter.onlyErrors));
    this.text.fold(filter.onlyErrors);
    this.navigator.restate();
  }

  /**
   * Selects the next mention in the text that is not correct, or the one before.
   *
   * @param {1 | -1} by
   */
  stepError(by) {
    if (!this.context) return;
    const { doc, response, place: { side, mention } } = this.context;
    const mistakes = mistakesOf(doc, response);
    if (!mistakes.length) return;
    const here = side === "" || mention < 0 ? -1 : doc.annotation(side, response).start[mention];
    const now = mistakes.findIndex((mistake) => mistake.side === side && mistake.mention === mention);
    const after = mistakes.findIndex(({ start }) => start > here);
    const next = now >= 0 ? now + by : by > 0 ? after : (after < 0 ? mistakes.length : after) - 1;
    const target = mistakes[(next + mistakes.length) % mistakes.length];
    this.navigator.select(target.side, doc.annotation(target.side, response).entity[target.mention], target.mention);
  }

  /** Forgets what is shown, so that it is drawn anew. */
  leave() {
    this.context = null;
    this.live.textContent = "";
  }

  /**
   * Scrolls the text to the selected mention, or to a mention of the selected entity if none is on the screen.
   *
   * @param {Annotation} annotation
   * @param {Highlight} highlight
   * @param {boolean} arrived
   */
  showMention(annotation, { entity, mention }, arrived) {
    const first = annotation.members[entity][0];
    if (mention >= 0) this.text.goTo(annotation.start[mention], true);
    else if (arrived || !this.text.showsHighlight()) this.text.goTo(annotation.start[first], false);
  }

  /**
   * @param {string} query
   * @returns {string} - hits in the text
   */
  find(query) {
    if (!this.context) return "";
    this.context.filter.text = normalized(query);
    this.panel.redraw(); // first: it asks where the rows are, which would lay out the text that is to be drawn anew
    const hits = this.text.find(query);
    const called = hits ? null : this.called();
    return called ? called.name : hits ? formatted(hits) : "not found";
  }

  /** The entity that the query calls by its name or its id in the file. */
  called() {
    if (!this.context) return null;
    const { doc, filter, response } = this.context;
    const found = doc.named(filter.text, response);
    return found && { ...found, name: doc.annotation(found.side, response).name(found.entity) };
  }

  /**
   * Goes to the next hit, or the one before; where there is none, to the entity that is called so.
   *
   * @param {1 | -1} by
   * @returns {string | null} - which hit it is
   */
  step(by) {
    const place = this.text.step(by);
    const called = place < 0 ? this.called() : null;
    if (called) this.navigator.select(called.side, called.entity, -1);
    return place < 0 ? null : `${formatted(place + 1)} of ${formatted(this.text.hits.length)}`;
  }

  /**
   * Selects the next mention of the selected entity, or the one before.
   *
   * @param {1 | -1} by
   */
  stepMention(by) {
    if (!this.context) return;
    const { doc, response, place: { side, entity, mention } } = this.context;
    if (side === "" || entity < 0) return;
    const members = doc.annotation(side, response).members[entity];
    const now = mention < 0 && by < 0 ? 0 : members.indexOf(mention);
    this.navigator.select(side, entity, members[(now + by + members.length) % members.length]);
  }
}

/** @param {Context} context */
const legend = ({ corpus: { alone, annotators, records }, place: { response }, words }) => [
  h("p", null, records
    ? `The line above an id is its entity${alone ? "" : ` of ${words.K}, the line below it that of ${words.R}`}. `
    : alone ? "Lines above the words are mentions. " : annotators.length
    ? ["Lines above the words are mentions of ", quoted(annotators[0], 40), ", lines below the words are mentions of ",
      quoted(annotators[response + 1], 40), ". "]
    : "Lines above the words are mentions of the key, lines below the words are mentions of the response. ",
  "Each entity has one colour. ", h("b", { class: "on-screen" }, `Click ${records ? "an id" : "a mention or an entity"}.`)),
  alone ? null : samples(words.outcomes),
];

/**
 * @param {Context} context
 * @param {Highlight} highlight
 */
function announcement({ doc, response, words }, { side, entity, shared }) {
  const annotation = doc.annotation(side, response);
  const about = `${annotation.name(entity)}, ${count(annotation.size[entity], words.unit)}.`;
  if (!response) return about;
  if (!shared.size) return `${about} Shares no ${words.unit}s with ${words[opposite(side)]}.`;
  const other = doc.annotation(opposite(side), response);
  const names = [...shared].slice(0, 8).map(([projection, mentions]) => `${other.name(projection)} (${mentions})`);
  return `${about} Shares ${words.unit}s with ${names.join(", ")}.`;
}
