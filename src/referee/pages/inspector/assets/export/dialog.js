// What can be taken along: a link, the list, pictures, the document as a page of its own.

import { button } from "../basics/controls.js";
import { h, put } from "../basics/dom.js";
import { csv } from "./csv.js";
import { fileNamed, save } from "./files.js";
import { agreementCells, changeCells, corpusErrorCells, documentCells, entityCells, errorCells, scoreCells } from "./lists.js";
import { mergeCells, pairCells, placementCells } from "./groupings.js";
import { pageOf } from "./page.js";
import { Picture, png } from "./picture.js";

/**
 * @import { App } from "../app/app.js"
 * @import { Cells } from "./csv.js"
 */

export class ExportDialog {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.link = h("input", { class: "plain", readonly: true, "aria-label": "Link to this view" });
    this.said = h("p", { class: "note", role: "status" });
    this.actions = h("div", { class: "exports" });
    this.element = h("dialog", { class: "help", "aria-labelledby": "export-title" },
      h("header", null, h("h2", { id: "export-title" }, "Export"),
        button("quiet close", () => this.element.close(), { "aria-label": "Close" }, "×")),
      h("h3", null, "Link to this view"),
      h("div", { class: "row" }, this.link, button("chip", () => this.copy(), null, "copy")),
      this.actions, this.said,
      h("p", { class: "note" }, "Files are made in this browser; nothing is sent anywhere. ",
        "Text in CSV files that a spreadsheet would take for a formula begins with an apostrophe."));
  }

  open() {
    const { navigator: { doc } } = this.app;
    this.link.value = location.href;
    this.said.textContent = "";
    const inSight = (/** @type {HTMLElement} */ element) => element.offsetParent !== null;
    const { text, panel: { columns } } = this.app.view;
    const picture = (/** @type {string} */ name, /** @type {HTMLElement} */ element) => doc && inSight(element) && [
      h("h3", null, `Figure of the ${name}, as far as it is in sight`),
      button("chip", () => this.picture(name, element, false), { "data-export": `${name}-svg` }, "SVG"), " ",
      button("chip", () => this.picture(name, element, true), { "data-export": `${name}-png` }, "PNG"),
    ];
    put(this.actions,
      h("h3", null, `List of ${this.listName()}`),
      button("chip", () => this.list(), { "data-export": "csv" }, "CSV"),
      picture("columns", columns.element), picture("text", text.element),
      doc && [h("h3", null, "This document as a page of its own"),
        button("chip", () => this.page(), { "data-export": "page" }, "HTML")]);
    this.element.showModal();
  }

  async copy() {
    this.link.select();
    try {
      await navigator.clipboard.writeText(this.link.value);
      this.said.textContent = "The link was copied.";
    } catch {
      this.said.textContent = "This browser copies nothing by itself: the link is selected, copy it.";
    }
  }

  /** What the list in sight is of. */
  listName() {
    const { doc, place: { view } } = this.app.navigator;
    if (!doc) return this.app.overview.errors ? "errors" : "documents";
    return view === "text" ? "entities" : view;
  }

  /** @returns {Promise<Cells[]> | Cells[]} */
  cells() {
    const { corpus, navigator: { doc, place }, overview, view: { context, panel } } = this.app;
    if (!doc || !context) {
      if (overview.errors) return corpusErrorCells(overview.concordance);
      if (overview.table.everyone && corpus.agreement) {
        return agreementCells(corpus, corpus.agreement, overview.table.found);
      }
      return documentCells(corpus, place.response, overview.table.found);
    }
    switch (place.view) {
      case "errors": return errorCells(context, panel.errors.entries);
      case "changes": return changeCells(context);
      case "merges":
        return panel.merges.kind === "pair" ? pairCells(panel.merges.pairs) : mergeCells(context, panel.merges.entries);
      case "annotators": return placementCells(context, panel.placements.entries);
      case "scores": return scoreCells(context);
      default: return entityCells(context, panel.columns.layout?.rows ?? { K: [], R: [] });
    }
  }

  /** The name of a file about what is shown. */
  get name() {
    const { corpus, navigator: { doc } } = this.app;
    return doc ? corpus.documents[doc.number] : "corpus";
  }

  async list() {
    const name = fileNamed(`${this.name}.${this.listName()}`, "csv");
    this.saved(name, new Blob(["\ufeff", csv(await this.cells())], { type: "text/csv;charset=utf-8" }));
  }

  /**
   * @param {string} name
   * @param {HTMLElement} element
   * @param {boolean} pixels
   */
  async picture(name, element, pixels) {
    this.element.close(); // which would stand before it
    const { source } = new Picture(element, (piece) => this.app.view.text.strokes(piece));
    const file = fileNamed(`${this.name}.${name}`, pixels ? "png" : "svg");
    save(file, pixels ? await png(source) : new Blob([source], { type: "image/svg+xml" }));
  }

  async page() {
    const { corpus, navigator: { doc } } = this.app;
    if (!doc) return;
    this.saved(fileNamed(this.name, "html"), new Blob([await pageOf(corpus, doc)], { type: "text/html;charset=utf-8" }));
  }

  /**
   * @param {string} name
   * @param {Blob} content
   */
  saved(name, content) {
    save(name, content);
    this.said.textContent = `${name} was saved.`;
  }
}
