// Who put what where: a row for each mention, a column for each annotator with the entity that the mention is in.

import { colourOf } from "../basics/colours.js";
import { button, picker } from "../basics/controls.js";
import { h, put } from "../basics/dom.js";
import { count, formatted, range } from "../basics/numbers.js";
import { quoted, visible } from "../basics/visible.js";
import { letterOf } from "../model/changes.js";
import { annotationsOf, farthest, placementsOf } from "../model/placements.js";
import { percent } from "../scores/format.js";
import { emptyNotice } from "./empty_notice.js";
import { LongList } from "./long_list.js";

/**
 * @import { Context, Place } from "../types.d.ts"
 * @import { Placement } from "../model/placements.js"
 */

const DEGREES = [0.5, 0.75];

/** @typedef {{ id: string, name: string, shows: (placement: Placement) => boolean }} Choice - of mentions that are shown */

/** @type {Choice} */
const ALL = { id: "", name: "all", shows: () => true };

/**
 * All mentions, the disputed ones, by degree, and those on which two annotators differ.
 *
 * @param {number} annotators
 * @returns {Choice[]}
 */
function choicesOf(annotators) {
  const pairs = range(annotators).flatMap((a) => range(annotators).slice(a + 1).map((b) => [a, b]));
  return [
    ALL,
    { id: "disputed", name: "disputed", shows: ({ disputed }) => disputed },
    ...DEGREES.map((least) => ({
      id: `${least}`, name: `disagreement of ${100 * least} or more`,
      shows: (/** @type {Placement} */ { dispute }) => dispute > least - 1e-12,
    })),
    ...(annotators < 3 ? [] : pairs).map(([a, b]) => ({
      id: `${a} ${b}`, name: `${letterOf(a)} and ${letterOf(b)} differ`,
      shows: (/** @type {Placement} */ placement) =>
        placement.pairs.some(({ pair, disputed }) => disputed && pair[0] === a && pair[1] === b),
    })),
  ];
}

export class PlacementList {
  /** @param {{ go: (place: Partial<Place>) => void }} actions */
  constructor({ go }) {
    this.go = go;
    this.inTextOrder = false;
    this.choice = ""; // of mentions
    /** @type {Placement[]} */
    this.entries = [];
    /** @type {Context} */
    this.context = /** @type {any} */ (null); // until it is shown
    this.list = new LongList({
      label: "Mentions and annotators", height: 46, draw: (n) => this.row(this.entries[n]),
      choose: (n) => this.pick(this.entries[n]),
    });
    this.head = h("div", { class: "list-head" });
    this.names = h("div", { class: "placement names", "aria-hidden": "true" });
    this.none = emptyNotice(() => this.choose(""));
    this.element = h("div", { class: "pane placements" }, this.head, this.names, this.none, this.list.element);
  }

  /** @param {Context} context */
  show(context) {
    const { corpus: { together, annotators }, doc, words: { unit, Unit } } = context;
    this.context = context;
    this.element.style.setProperty("--annotators", String(annotators.length));
    const all = placementsOf(doc, together?.alpha.id ?? "");
    const { length: disputed } = all.filter((placement) => placement.disputed);
    const choices = choicesOf(annotators.length);
    const chosen = all.filter((choices.find(({ id }) => id === this.choice) ?? ALL).shows);
    this.entries = this.inTextOrder ? chosen : chosen.sort((a, b) =>
      Number(b.disputed) - Number(a.disputed) || Number((b.dispute - a.dispute).toFixed(12)) || a.start - b.start);
    const chip = (/** @type {boolean} */ inTextOrder, /** @type {string} */ name) => button("chip", () => {
      this.inTextOrder = inTextOrder;
      this.show(this.context);
    }, { "aria-pressed": String(inTextOrder === this.inTextOrder), "data-order": inTextOrder ? "text" : "dispute" }, name);
    put(this.head,
      h("p", null, `${count(all.length, unit)}, ${formatted(disputed)} of them disputed: `,
        "not all annotators have them in equal entities. ",
        "Equal colours stand for the same entity of ", quoted(annotators[0], 30),
        "; a dashed bar for other mentions in it. A click opens the two who differ most: ", quoted(annotators[0], 30),
        " and another."),
      h("div", { class: "chips", role: "group", "aria-label": "Order" },
        chip(false, "most disputed first"), chip(true, "in text order"),
        h("label", null, "Show ", picker({ "data-filter": "placements" },
          choices.map(({ id, name, shows }) => [id, `${name} (${formatted(all.filter(shows).length)})`]), this.choice,
          (id) => this.choose(id)))));
    this.none.hidden = this.entries.length > 0 || !all.length;
    put(this.names, h("span", null, `${Unit}, disagreement`, !doc.wordless && ", place"),
      annotators.map((name, n) =>
        h("span", { title: visible(name, 80) }, h("b", null, letterOf(n)), " ", h("bdi", null, visible(name, 24)))));
    this.list.show(this.entries.length);
    this.list.element.scrollTop = 0;
  }

  /** @param {string} choice */
  choose(choice) {
    this.choice = choice;
    this.show(this.context);
    const control = this.head.querySelector("select");
    if (control instanceof HTMLElement) control.focus();
  }

  /** @param {Placement} placement */
  row({ text, mentions, disputed, dispute, start, end }) {
    const { corpus, corpus: { annotators }, doc } = this.context;
    const annotations = annotationsOf(doc);
    /** Whether an entity is one of the first annotator, mention for mention. */
    const isEqual = (/** @type {number} */ annotator, /** @type {number} */ entity) => {
      const response = doc.responses[annotator - 1];
      const key = response?.bestKey[entity] ?? -1;
      return key >= 0 && Boolean(response?.isIdentical(key));
    };
    const cell = (/** @type {number} */ mention, /** @type {number} */ annotator) => {
      const annotation = annotations[annotator];
      const spoken = h("span", { class: "unseen" }, `, ${visible(annotators[annotator], 40)}: `);
      if (mention < 0 || !annotation) return h("span", { class: "absent" }, spoken, annotation ? "–" : "no document");
      const entity = annotation.entity[mention];
      const colour = annotator ? colourOf(doc, doc.responses[annotator - 1], "R", entity) : colourOf(doc, null, "K", entity);
      const differs = annotator > 0 && !isEqual(annotator, entity);
      return h("span", {
        class: differs ? "cell differs" : "cell", style: { "--colour": colour },
        title: differs && `not an entity of ${visible(annotators[0], 40)} as it is`,
      }, spoken,
        `${annotation.name(entity)} ×${formatted(annotation.size[entity])}`);
    };
    return h("div", { class: "error placement", "data-disputed": disputed },
      h("span", { class: "what" }, quoted(text, 60),
        h("span", { class: "degree" }, percent(corpus, dispute), !doc.wordless && ` · ${start}-${end}`)), mentions.map(cell));
  }

  /**
   * Selects a mention, with the annotators side by side who differ most, or whose differences are shown.
   *
   * @param {Placement} placement
   */
  pick(placement) {
    const { doc, place } = this.context;
    const { mentions } = placement;
    const [first, second] = this.choice.split(" ").map(Number); // of a pair that is shown
    const other = !first && second ? second : farthest(placement, place.response + 1) ?? place.response + 1;
    const entries = [0, other, ...mentions.keys()].find((annotator) => mentions[annotator] >= 0) ?? 0;
    const mention = mentions[entries];
    const entity = annotationsOf(doc)[entries]?.entity[mention] ?? -1;
    const response = (entries || other) - 1;
    this.go({ response, side: entries ? "R" : "K", entity, mention });
  }
}
