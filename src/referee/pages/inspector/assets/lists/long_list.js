// A list of many rows of one height. Only those in sight exist.

import { h, isNarrow, setProperties } from "../basics/dom.js";

const STEPS = new Map([
  ["ArrowDown", 1], ["ArrowUp", -1], ["PageDown", 10], ["PageUp", -10], ["Home", -Infinity], ["End", Infinity],
]);
const AROUND = 4; // rows out of sight that exist

export class LongList {
  /**
   * @param {object} options
   * @param {string} options.label
   * @param {number} options.height - of a row, in pixels
   * @param {number} [options.narrow] - its height on a narrow page, where a row has more lines
   * @param {(index: number) => HTMLElement} options.draw
   * @param {(index: number) => void} [options.choose] - called for a row that is clicked or reached by keys
   * @param {(index: number) => void} [options.open] - called for a row that is clicked, or current when Enter is pressed
   */
  constructor({ label, height, narrow = height, draw, choose = () => {}, open = () => {} }) {
    this.heights = { wide: height, narrow };
    this.height = height;
    this.draw = draw;
    this.choose = choose;
    this.open = open;
    this.length = 0;
    this.current = -1;
    this.drawn = "";
    this.id = `list-${label.replace(/\W+/g, "-")}`;
    this.inner = h("div", {
      class: "inner", role: "listbox", "aria-label": label, tabindex: "0", on: { keydown: (event) => this.key(event) },
    });
    this.element = h("div", { class: "long-list", on: { scroll: () => this.update() } }, this.inner);
    new ResizeObserver(() => this.update()).observe(this.element);
  }

  /** @param {number} length */
  show(length) {
    this.length = length;
    this.current = -1;
    this.drawn = "";
    this.update();
  }

  /** Draws the rows in sight anew. */
  redraw() {
    this.drawn = "";
    this.update();
  }

  update() {
    this.height = isNarrow() ? this.heights.narrow : this.heights.wide;
    this.inner.style.height = `${this.length * this.height}px`;
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.height) - AROUND);
    const last = Math.min(this.length, Math.ceil((scrollTop + clientHeight) / this.height) + AROUND);
    const toDraw = `${first} ${last} ${this.current} ${this.height}`;
    if (this.drawn === toDraw) return;
    this.drawn = toDraw;
    const rows = [];
    for (let index = first; index < last; index++) rows.push(this.row(index));
    this.inner.replaceChildren(...rows);
    const inSight = this.current >= first && this.current < last;
    if (inSight) this.inner.setAttribute("aria-activedescendant", `${this.id}-${this.current}`);
    else this.inner.removeAttribute("aria-activedescendant");
  }

  /** @param {number} index */
  row(index) {
    const row = this.draw(index);
    setProperties(row, {
      role: "option", id: `${this.id}-${index}`, "aria-selected": String(index === this.current),
      "aria-posinset": index + 1, "aria-setsize": this.length,
      style: { top: `${index * this.height}px`, height: `${this.height}px` },
      on: {
        click: () => {
          this.pick(index);
          this.open(index);
        },
      },
    });
    row.classList.add("line");
    return row;
  }

  /** @param {number} index */
  pick(index) {
    this.current = index;
    const top = index * this.height;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    const below = top + this.height - this.element.clientHeight;
    if (below > this.element.scrollTop) this.element.scrollTop = below;
    this.drawn = "";
    this.update();
    this.choose(index);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Enter" && this.current >= 0) this.open(this.current);
    const step = STEPS.get(event.key);
    if (step === undefined || !this.length || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.pick(Math.min(this.length - 1, Math.max(0, this.current + step)));
  }
}
