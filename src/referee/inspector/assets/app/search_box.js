// The search field, and what it found.

import { h } from "../basics/dom.js";
import { formatted } from "../basics/numbers.js";
import { normalized } from "../model/tokens.js";

const PAUSE = 120; // milliseconds without a key after which we search

export class SearchBox {
  /**
   * @param {object} actions
   * @param {(query: string) => number | null} actions.find - hits, null where they are not counted
   * @param {(by: 1 | -1) => [place: number, hits: number] | null} actions.step - to the next hit, or the one before
   */
  constructor({ find, step }) {
    this.findIt = find;
    this.stepBy = step;
    this.found = h("span", { class: "found", "aria-live": "polite" });
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

  /** Empties the field, without a search. */
  clear() {
    this.input.value = this.searched = this.found.textContent = "";
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
    const hits = this.findIt(this.query);
    this.found.textContent = hits === null || !normalized(this.query) ? "" : hits ? formatted(hits) : "not found";
  }

  /** @param {1 | -1} by */
  step(by) {
    if (this.searched !== this.query) this.find();
    const [place, hits] = this.stepBy(by) ?? [-1, 0];
    if (place >= 0) this.found.textContent = `${place + 1} of ${formatted(hits)}`;
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
