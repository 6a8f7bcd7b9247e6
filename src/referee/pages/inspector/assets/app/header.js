// The header: which document and response are shown, search, theme and help.

import { button, picker } from "../basics/controls.js";
import { h, put } from "../basics/dom.js";
import { formatted } from "../basics/numbers.js";
import { fileName, visible } from "../basics/visible.js";
import { letterOf } from "../model/changes.js";
import { firstsOf } from "../model/corpus.js";
import { titleOf } from "../model/naming.js";
import { isOfEveryone } from "./address.js";
import { switchTheme } from "./theme.js";

/**
 * @import { Corpus, Place } from "../types.d.ts"
 * @import { Navigator } from "./navigator.js"
 * @import { SearchBox } from "./search_box.js"
 */

const BUTTONS = 4; // more responses are a drop-down list

const BOARD = "../index.html"; // of a page of a leaderboard

export class Header {
  /**
   * @param {Corpus} corpus
   * @param {Navigator} navigator
   * @param {SearchBox} search
   * @param {{ showHelp: () => void, showExports: () => void, edit: () => void }} dialogs
   */
  constructor(corpus, navigator, search, { showHelp, showExports, edit }) {
    this.corpus = corpus;
    this.navigator = navigator;
    /** @type {number | null} The document that is named. */
    this.document = null;
    this.where = h("div", { class: "where" });
    /** @type {HTMLElement | null} The choice of what is side by side. */
    this.sides = null;
    const label = corpus.annotators.length ? "Annotator" : "Response";
    const many = corpus.responses.length > BUTTONS;
    this.responses = many ? [] : corpus.responses.map(({ name }, n) =>
      button("response", () => navigator.showResponse(n), { "data-response": n },
        h("b", null, this.letterOf(n)), corpus.annotators.length ? h("bdi", null, visible(name, 80)) : fileName(name)));
    const names = corpus.responses.map(({ name }, n) =>
      /** @type {[number, string]} */ ([n, `${this.letterOf(n)} ${visible(name, 60)}`]));
    const board = document.getElementById("app")?.dataset.board;
    const firsts = firstsOf(corpus.everyone);
    this.list = many ? picker({ "aria-label": label }, names, 0, (n) => navigator.showResponse(Number(n))) : null;
    this.editButton = button("chip edit", edit,
      { "aria-pressed": "false", title: corpus.no_edit ?? "Correct the key (e)", disabled: Boolean(corpus.no_edit) }, "Edit");
    this.element = h("header", { class: "top" },
      button("brand", () => navigator.openOverview(), { title: "All documents" }, "Referee"),
      board !== undefined && h("a", { class: "board", href: BOARD, title: visible(board, 80), "aria-label": "Leaderboard" },
        "‹", h("span", null, " Leaderboard")),
      this.where,
      (firsts.length > 1 || corpus.responses.length > 1) && (this.sides = h("div", { class: "side-by-side" },
        firsts.length > 1 && picker({ class: "first", "aria-label": "First annotator" },
          firsts.map((n) => [n, `${letterOf(n)} ${visible(corpus.everyone[n], 60)}`]), corpus.first,
          (n) => navigator.putFirst(Number(n))),
        this.list ?? h("div", { class: "responses", role: "group", "aria-label": label }, this.responses))),
      h("div", { class: "spring" }),
      search.element,
      (corpus.corrects || corpus.no_edit) && this.editButton,
      button("quiet", showExports, { "aria-label": "Export", title: "Export: link, CSV, figures, page (s)" }, "⤓"),
      button("quiet", switchTheme, { "aria-label": "Light or dark", title: "Light or dark (d)" }, "◐"),
      button("quiet", showHelp, { "aria-label": "Help", title: "Help (?)" }, "?"));
  }

  /** What a response is called; of annotators the first is A. @param {number} response */
  letterOf(response) {
    return letterOf(this.corpus.annotators.length ? this.corpus.first + response + 1 : response);
  }

  /**
   * @param {boolean} isOn - whether Edit is
   * @param {number} changes - that were made
   */
  edits(isOn, changes) {
    this.editButton.setAttribute("aria-pressed", String(isOn));
    put(this.editButton, "Edit", changes > 0 && h("span", { class: "n" }, ` ${formatted(changes)}`));
  }

  /** @param {Place} place */
  show(place) {
    if (this.sides) this.sides.hidden = isOfEveryone(this.corpus, place);
    if (this.list) this.list.value = String(place.response);
    for (const [n, response] of this.responses.entries()) response.setAttribute("aria-pressed", String(n === place.response));
    if (this.document === place.document) return;
    this.document = place.document;
    const focused = [...this.where.children].findIndex((element) => element === document.activeElement);
    put(this.where, place.document < 0 ? null : this.documentPicker(place.document));
    const control = this.where.children[focused];
    if (control instanceof HTMLElement) control.focus();
  }

  /** @param {number} number */
  documentPicker(number) {
    const { corpus, corpus: { documents }, navigator } = this;
    if (documents.length === 1) return h("strong", { class: "picker" }, h("bdi", null, visible(titleOf(corpus, 0), 60)));
    const isDone = (/** @type {string} */ name) => navigator.corrections.histories.get(name)?.done;
    const names = documents.map((name, n) =>
      /** @type {[number, string]} */ ([n, `${isDone(name) ? "✓ " : ""}${visible(name, 60) || "(no name)"}`]));
    return [
      button("quiet", () => navigator.step(-1), { "aria-label": "Previous document" }, "‹"),
      picker({ class: "picker", "aria-label": "Document" }, names, number, (n) => navigator.openDocument(Number(n))),
      button("quiet", () => navigator.step(1), { "aria-label": "Next document" }, "›"),
    ];
  }
}
