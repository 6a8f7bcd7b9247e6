// Who put what where: a row for each mention, a column for each annotator with the entity that the mention is in.

import { colourOf } from "../basics/colours.js";
import { button } from "../basics/controls.js";
import { h, put } from "../basics/dom.js";
import { count, formatted } from "../basics/numbers.js";
import { quoted, visible } from "../basics/visible.js";
import { letterOf } from "../model/changes.js";
import { annotationsOf, placementsOf } from "../model/placements.js";
import { LongList } from "./long_list.js";

/**
 * @import { Context, Place } from "../types.d.ts"
 * @import { Placement } from "../model/placements.js"
 */

export class PlacementList {
  /** @param {{ go: (place: Partial<Place>) => void }} actions */
  constructor({ go }) {
    this.go = go;
    this.inTextOrder = false;
    /** @type {Placement[]} */
    this.shown = [];
    /** @type {Context} */
    this.context = /** @type {any} */ (null); // until it is shown
    this.list = new LongList({
      label: "Mentions and annotators", height: 34, draw: (n) => this.row(this.shown[n]),
      choose: (n) => this.pick(this.shown[n]),
    });
    this.head = h("div", { class: "list-head" });
    this.names = h("div", { class: "placement names", "aria-hidden": "true" });
    this.element = h("div", { class: "pane placements" }, this.head, this.names, this.list.element);
  }

  /** @param {Context} context */
  show(context) {
    const { corpus: { agreement, annotators }, doc, words: { unit, Unit } } = context;
    this.context = context;
    this.element.style.setProperty("--annotators", String(annotators.length));
    const all = placementsOf(doc, agreement?.measures[0].id ?? "");
    const { length: disputed } = all.filter((placement) => placement.disputed);
    this.shown = this.inTextOrder ? all : all.slice().sort((a, b) =>
      Number(b.disputed) - Number(a.disputed) || Number((b.dispute - a.dispute).toFixed(12)) || a.start - b.start);
    const chip = (/** @type {boolean} */ inTextOrder, /** @type {string} */ name) => button("chip", () => {
      this.inTextOrder = inTextOrder;
      this.show(this.context);
    }, { "aria-pressed": String(inTextOrder === this.inTextOrder), "data-order": inTextOrder ? "text" : "dispute" }, name);
    put(this.head,
      h("p", null, `${count(all.length, unit)}, ${formatted(disputed)} of them disputed: `,
        "not all annotators have them in equal entities. ",
        "Equal colours stand for the same entity of ", quoted(annotators[0], 30), "."),
      h("div", { class: "chips", role: "group", "aria-label": "Order" },
        chip(false, "most disputed first"), chip(true, "in text order")));
    put(this.names, h("span", null, Unit),
      annotators.map((name, n) =>
        h("span", { title: visible(name, 80) }, h("b", null, letterOf(n)), " ", h("bdi", null, visible(name, 24)))));
    this.list.show(this.shown.length);
    this.list.element.scrollTop = 0;
  }

  /** @param {Placement} placement */
  row({ text, mentions, disputed }) {
    const { corpus: { annotators }, doc } = this.context;
    const annotations = annotationsOf(doc);
    const cell = (/** @type {number} */ mention, /** @type {number} */ annotator) => {
      const annotation = annotations[annotator];
      const spoken = h("span", { class: "unseen" }, `, ${visible(annotators[annotator], 40)}: `);
      if (mention < 0 || !annotation) return h("span", { class: "absent" }, spoken, annotation ? "–" : "no document");
      const entity = annotation.entity[mention];
      const colour = annotator ? colourOf(doc, doc.responses[annotator - 1], "R", entity) : colourOf(doc, null, "K", entity);
      return h("span", { class: "cell", style: { "--colour": colour } }, spoken,
        `${annotation.name(entity)} ×${formatted(annotation.size[entity])}`);
    };
    return h("div", { class: "error placement", "data-disputed": disputed },
      h("span", { class: "what" }, quoted(text, 60)), mentions.map(cell));
  }

  /** @param {Placement} placement */
  pick({ mentions }) {
    const { doc, place } = this.context;
    const shown = [0, place.response + 1, ...mentions.keys()].find((annotator) => mentions[annotator] >= 0) ?? 0;
    const mention = mentions[shown];
    const entity = annotationsOf(doc)[shown]?.entity[mention] ?? -1;
    this.go(shown ? { response: shown - 1, side: "R", entity, mention } : { side: "K", entity, mention });
  }
}
