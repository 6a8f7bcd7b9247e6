// What is pointed to is lit in the text and the columns, together with its projections, and described beside the pointer.

import { h, put } from "../basics/dom.js";
import { described } from "../model/description.js";
import { projections } from "../model/highlight.js";

/**
 * @import { Context, Highlight, Pointed } from "../types.d.ts"
 * @import { Columns } from "../columns/columns.js"
 * @import { TextPane } from "../text/pane.js"
 */

const APART = 8; // pixels from what is explained

export class Tooltip {
  /**
   * @param {TextPane} text
   * @param {Columns} columns
   */
  constructor(text, columns) {
    this.text = text;
    this.columns = columns;
    this.element = h("div", { class: "tooltip", role: "tooltip", hidden: true });
    this.key = "";
    /** @type {Context | null} */
    this.context = null;
  }

  /** @param {Context} context */
  in(context) {
    this.context = context;
    this.hide();
  }

  hide() {
    this.show(null);
  }

  /**
   * @param {Pointed | null} pointed
   * @param {MouseEvent | FocusEvent} [event]
   */
  show(pointed, event) {
    const { context } = this;
    const key = pointed && context ? `${pointed.side} ${pointed.entity} ${pointed.mention}` : "";
    if (key !== this.key) {
      this.key = key;
      this.element.hidden = !key;
      const lit = pointed && context ? projections(context.response, pointed.side, pointed.entity, pointed.mention) : null;
      this.light(lit);
      if (pointed && context) put(this.element, described(context, pointed).map((line) => h("div", { dir: "auto" }, line)));
    }
    if (pointed && event) this.place(pointed, event);
  }

  /** @param {Highlight | null} lit */
  light(lit) {
    this.text.light(lit);
    this.columns.light(lit);
  }

  /**
   * Below the mention or the row, or above it, whatever of it is on the screen.
   *
   * @param {Pointed} pointed
   * @param {MouseEvent | FocusEvent} event
   */
  place(pointed, event) {
    const { style, offsetWidth, offsetHeight } = this.element;
    const target = /** @type {Element} */ (event.target);
    const parts = this.text.element.contains(target) ? this.text.elementsOf(pointed) : [];
    const boxes = (parts.length ? parts : [target.closest(".entity, li, tr") ?? target])
      .map((part) => part.getBoundingClientRect());
    const top = Math.min(...boxes.map((box) => box.top));
    const bottom = Math.max(...boxes.map((box) => box.bottom));
    const x = event instanceof MouseEvent ? event.clientX : boxes[0].left;
    const below = bottom + APART + offsetHeight < innerHeight;
    style.left = `${Math.max(4, Math.min(x, innerWidth - offsetWidth - 8))}px`;
    style.top = `${below ? bottom + APART : Math.max(4, top - offsetHeight - APART)}px`;
  }
}
