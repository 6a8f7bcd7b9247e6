// Buttons that say how many of the highlighted entities are out of sight, and lead to them.

import { button } from "../basics/controls.js";
import { ROW } from "./layout.js";

export class Edges {
  /** @param {HTMLElement} scroller */
  constructor(scroller) {
    this.scroller = scroller;
    /** @type {{ above: number[], below: number[] }} Tops of the entities. */
    this.outside = { above: [], below: [] };
    this.above = button("edge above", () => this.jump(Math.max(...this.outside.above)), { hidden: true });
    this.below = button("edge below", () => this.jump(Math.min(...this.outside.below)), { hidden: true });
  }

  /** @param {number[]} tops - of the highlighted entities */
  update(tops) {
    const { scrollTop, clientHeight } = this.scroller;
    const above = tops.filter((top) => top + ROW / 2 < scrollTop);
    const below = tops.filter((top) => top + ROW / 2 > scrollTop + clientHeight);
    this.outside = clientHeight ? { above, below } : { above: [], below: [] };
    for (const side of /** @type {const} */ (["above", "below"])) {
      const { length } = this.outside[side];
      this[side].hidden = !length;
      this[side].textContent = `${side === "above" ? "↑" : "↓"} ${length} more`;
    }
  }

  /** @param {number} top */
  jump(top) {
    this.scroller.scrollTop = top - this.scroller.clientHeight / 2;
  }
}
