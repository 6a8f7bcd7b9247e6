// The search field, and what it found.

import { h } from "../basics/dom.js";
import { normalized } from "../model/tokens.js";

const PAUSE = 120; // milliseconds without a key after which we search

export class SearchBox {
  /**
   * @param {object} actions
   * @param {(query: string) => string} actions.find - and says what was found
   * @param {(by: 1 | -1) => string | null} actions.step - to the next hit, or the one before; says which it is
   */
  constructor({ find, step }) {
    this.findIt = find;
    this.stepBy = step;
    this.found = h("span", { class: "found", role: "status" });
    this.input = h("input", {
      type: "search", "aria-label": "Search", autocomplete: "off", spellcheck: "false",
      on: { input: () => this.findSoon(), keydown: (event) => this.key(event) },
    });
    this.element = h("div", { class: "search" }, this.input, this.found);
    this.waiting = 0;
    this.searched = ""; // the query of the last search
  }

  get query() {
    return this.input.value;
  }

  /** @param {string} query */
  set query(query) {
    this.input.value = query;
    this.find();
  }

  /**
   * Fills the field, without a search.
   *
   * @param {string} [query]
   */
  clear(query = "") {
    clearTimeout(this.waiting);
    this.input.value = query;
    this.found.textContent = "";
  }

  /** @param {string} what - is searched */
  prompt(what) {
    this.input.placeholder = what;
  }

  findSoon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.find(), PAUSE);
  }

  find() {
    clearTimeout(this.waiting);
    this.searched = this.query;
    const found = this.findIt(this.query);
    this.found.textContent = normalized(this.query) ? found : "";
  }

  /** @param {1 | -1} by */
  step(by) {
    if (this.searched !== this.query) this.find();
    const found = this.stepBy(by);
    if (found) this.found.textContent = found;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.step(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      this.query = "";
      this.input.blur();
    }
  }
}
