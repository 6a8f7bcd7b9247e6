// The corrections of a document, in the order in which they were made; who made them; saving and opening them.

import { button } from "../basics/controls.js";
import { h, put } from "../basics/dom.js";
import { count } from "../basics/numbers.js";
import { LongList } from "../lists/long_list.js";
import { spansOf } from "./state.js";

/**
 * @import { Select } from "../types.d.ts"
 * @import { Editor } from "./editor.js"
 * @import { Change } from "./state.js"
 */

const KINDS = { move: "moved", add: "added", remove: "removed", span: "edges", merge: "merged", comment: "comment" };

export class CorrectionList {
  /**
   * @param {Editor} editor
   * @param {{ select: Select }} actions
   */
  constructor(editor, { select }) {
    this.editor = editor;
    this.select = select;
    /** @type {Change[]} */
    this.entries = [];
    this.by = h("input", {
      class: "plain", "aria-label": "Your name", placeholder: "your name",
      on: { input: () => this.named() },
    });
    this.file = h("input", { type: "file", accept: ".json", hidden: true, on: { change: () => this.opened() } });
    this.head = h("div", { class: "list-head" });
    this.list = new LongList({
      label: "Corrections", height: 46, draw: (n) => this.row(this.entries[n]), choose: (n) => this.pick(this.entries[n]),
    });
    this.element = h("div", { class: "pane corrections" }, this.head, this.list.element);
  }

  show() {
    const { corrections } = this.editor;
    this.entries = this.editor.changes;
    this.by.value = corrections.by;
    const others = corrections.number - this.entries.length;
    put(this.head,
      h("p", null, count(this.entries.length, "change"), " of this document",
        others > 0 ? `, ${count(others, "change")} of others. ` : ". ",
        corrections.isStored ? "They are kept in this browser." : "This browser keeps nothing: save them."),
      h("div", { class: "chips" }, this.by, button("chip", () => this.editor.save(), null, "save"),
        button("chip", () => this.file.click(), null, "open a file …"), this.file));
    this.list.show(this.entries.length);
  }

  /** @param {Change} change */
  row(change) {
    return h("div", { class: "error", "data-op": change.op },
      h("span", { class: "kind" }, KINDS[change.op]),
      h("span", { class: "what" }, h("bdi", null, this.editor.described(change))));
  }

  /** @param {Change} change */
  pick(change) {
    const { editor } = this;
    const { doc } = editor.context;
    if (change.op === "merge") {
      const entity = doc.key.entityIds?.indexOf(change.into) ?? -1;
      if (entity >= 0) this.select("K", entity, -1);
      return;
    }
    const spans = spansOf(change.op === "span" ? change.spans : change.mention.spans, editor.names);
    const n = editor.state.mentions.findIndex((mention) => String(mention.spans) === String(spans));
    if (n >= 0) this.select("K", doc.key.entity[n], n);
  }

  named() {
    this.editor.corrections.by = this.by.value;
    this.editor.corrections.keep();
  }

  opened() {
    const [file] = this.file.files ?? [];
    if (file) this.editor.openFile(file);
    this.file.value = "";
  }
}
