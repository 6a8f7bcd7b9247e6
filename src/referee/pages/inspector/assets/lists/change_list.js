// What another response fixes of the first, and what it breaks, as a list.

import { button } from "../basics/controls.js";
import { h, put } from "../basics/dom.js";
import { count } from "../basics/numbers.js";
import { fileName, quoted } from "../basics/visible.js";
import { changesOf, later } from "../model/changes.js";
import { LongList } from "./long_list.js";

/**
 * @import { Context, Select } from "../types.d.ts"
 * @import { ScoredResponse } from "../model/response.js"
 */

export class ChangeList {
  /** @param {{ select: Select }} actions */
  constructor({ select }) {
    this.select = select;
    /** @type {"fixed" | "broken"} */
    this.change = "fixed";
    /** @type {"mentions" | "entities"} */
    this.unit = "mentions";
    /** @type {number[]} */
    this.entries = [];
    /** @type {Context} */
    this.context = /** @type {any} */ (null); // until it is shown
    this.list = new LongList({
      label: "Changes", height: 46, narrow: 64,
      draw: (n) => this.row(this.entries[n]), choose: (n) => this.pick(this.entries[n]),
    });
    this.head = h("div", { class: "list-head" });
    this.element = h("div", { class: "pane changes" }, this.head, this.list.element);
  }

  /** @param {Context} context */
  show(context) {
    const { corpus, doc } = context;
    this.context = context;
    const [first, second] = this.both(corpus.responses);
    const inBoth = this.both(doc.responses).every(Boolean);
    put(this.head,
      h("p", null, "From ", fileName(first.name), " to ", fileName(second.name),
        inBoth ? null : ": only one of them has this document"),
      h("div", { class: "chips", role: "group", "aria-label": "Which changes" },
        this.chip("fixed", "mentions"), this.chip("broken", "mentions"),
        this.chip("fixed", "entities"), this.chip("broken", "entities")));
    this.entries = this.changes[this.change][this.unit];
    this.list.show(this.entries.length);
  }

  get changes() {
    return changesOf(this.context.doc, this.context.place.response);
  }

  /** The first response, and the one that is compared with it. @template T @param {T[]} responses */
  both(responses) {
    return [responses[0], responses[later(this.context.place.response)]];
  }

  /**
   * @param {"fixed" | "broken"} change
   * @param {"mentions" | "entities"} unit
   */
  chip(change, unit) {
    const changed = this.changes[change][unit].length;
    const many = unit === "mentions" ? count(changed, this.context.words.unit) : count(changed, "entity", "entities");
    const pressed = this.change === change && this.unit === unit;
    const act = () => {
      this.change = change;
      this.unit = unit;
      this.show(this.context);
    };
    return button("chip", act, { "aria-pressed": String(pressed), "data-change": `${change}-${unit}` }, `${change}: ${many}`);
  }

  /** @param {number} n */
  row(n) {
    const { doc } = this.context;
    const ofEntities = this.unit === "entities";
    const mention = ofEntities ? doc.key.members[n][0] : n;
    const [before, after] = this.both(doc.responses).map((response) => this.state(/** @type {ScoredResponse} */ (response), n));
    const name = doc.key.name(ofEntities ? n : doc.key.entity[n]);
    return h("div", { class: "error change", "data-change": this.change },
      h("span", { class: "kind" }, this.change),
      h("span", { class: "what" }, quoted(doc.key.text(mention), 60), ` ${ofEntities ? "" : "of "}${name}`),
      h("span", { class: "from" }, `${before} → ${after}`));
  }

  /**
   * @param {ScoredResponse} response
   * @param {number} n
   */
  state(response, n) {
    if (this.unit === "entities") {
      if (response.isIdentical(n)) return "correct";
      return response.bestResponse[n] < 0 ? "missed" : "incorrect";
    }
    if (response.isCorrect(n)) {
      const { annotation, counterpart } = response;
      return `correct, in ${annotation.name(annotation.entity[counterpart[n]])}`;
    }
    const { corpus, words } = this.context;
    const error = response.keyError[n] >= 0 ? response.keyError[n] : response.keySpanError[n];
    return words.kinds[corpus.kinds[response.errors.kind[error]]][0];
  }

  /** @param {number} n */
  pick(n) {
    if (this.unit === "entities") this.select("K", n, -1);
    else this.select("K", this.context.doc.key.entity[n], n);
  }
}
