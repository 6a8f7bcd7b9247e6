// The bar between the text and the panel: dragged, or moved with the arrow keys. A double click puts it back.

import { h } from "../basics/dom.js";

const DOUBLE = 500; // milliseconds from the first press of a double click to the second one
const [LEAST, MOST, STEP] = [25, 75, 2]; // percent of the width

export class Splitter {
  constructor() {
    this.pressed = -Infinity; // when it was pressed the last time
    this.share = 0; // of the text, in percent; 0 as the page has it
    this.element = h("div", {
      class: "splitter", role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": "Width of the text",
      "aria-valuemin": LEAST, "aria-valuemax": MOST, "aria-valuenow": "50", title: "Drag; a double click resets",
      on: {
        pointerdown: (event) => this.press(event),
        pointermove: (event) => this.element.hasPointerCapture(event.pointerId) && this.follow(event),
        keydown: (event) => this.key(event), focus: () => this.say(),
      },
    });
  }

  /** @param {PointerEvent} event */
  press({ pointerId, timeStamp }) {
    if (timeStamp - this.pressed < DOUBLE) this.set(0);
    else this.element.setPointerCapture(pointerId);
    this.pressed = timeStamp;
  }

  /** @param {PointerEvent} event */
  follow({ clientX }) {
    const { left, width } = /** @type {HTMLElement} */ (this.element.parentElement).getBoundingClientRect();
    this.set((100 * (clientX - left)) / width);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const by = event.key === "ArrowRight" ? STEP : event.key === "ArrowLeft" ? -STEP : 0;
    if (!by) return;
    event.preventDefault();
    this.set(this.now + by);
  }

  /** @param {number} share - 0 for that of the page */
  set(share) {
    this.share = share && Math.min(MOST, Math.max(LEAST, share));
    const main = /** @type {HTMLElement} */ (this.element.parentElement);
    if (this.share) main.style.setProperty("--text", `${this.share.toFixed(2)}%`);
    else main.style.removeProperty("--text");
    this.say();
  }

  /** The share of the text as it is shown. */
  get now() {
    const { offsetLeft, offsetWidth, parentElement } = this.element;
    return (100 * (offsetLeft + offsetWidth / 2)) / /** @type {HTMLElement} */ (parentElement).clientWidth;
  }

  say() {
    this.element.setAttribute("aria-valuenow", String(Math.round(this.now)));
  }
}
