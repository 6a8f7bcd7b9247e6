// What is pointed to is lit in the text and the columns, together with its projections, and described beside the pointer.

import { h, put } from "../basics/dom.js";
import { described } from "../model/description.js";
import { projections } from "../model/highlight.js";

/**
 * @import { Context, Highlight, Pointed } from "../types.d.ts"
 * @import { Columns } from "../columns/columns.js"
 * @import { TextPane } from "../text/pane.js"
 */

const [RIGHT, BELOW] = [14, 18]; // pixels from the pointer

export class Tooltip {
  /**
   * @param {TextPane} text
   * @param {Columns} columns
   */
  constructor(text, columns) {
    this.text = text;
    this.columns = columns;
    this.element = h("div", { class: "tooltip", role: "tooltip", hidden: true });
    this.shown = "";
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
    if (key !== this.shown) {
      this.shown = key;
      this.element.hidden = !key;
      const lit = pointed && context ? projections(context.response, pointed.side, pointed.entity, pointed.mention) : null;
      this.light(lit);
      if (pointed && context) put(this.element, described(context, pointed).map((line) => h("div", { dir: "auto" }, line)));
    }
    if (key && event) this.place(event);
  }

  /** @param {Highlight | null} lit */
  light(lit) {
    this.text.light(lit);
    this.columns.light(lit);
  }

  /** @param {MouseEvent | FocusEvent} event */
  place(event) {
    const { style, offsetWidth, offsetHeight } = this.element;
    const box = /** @type {Element} */ (event.target).getBoundingClientRect();
    const [x, y] = event instanceof MouseEvent ? [event.clientX, event.clientY] : [box.left, box.bottom - BELOW / 2];
    const below = y + BELOW + offsetHeight < innerHeight;
    style.left = `${Math.max(4, Math.min(x + RIGHT, innerWidth - offsetWidth - 8))}px`;
    style.top = `${below ? y + BELOW : Math.max(4, y - offsetHeight - BELOW / 2)}px`;
  }
}
