// The selected entity: where its mentions are, what its errors cost, and the mentions one by one.

import { colourOf } from "../basics/colours.js";
import { button } from "../basics/controls.js";
import { h, isNarrow, put } from "../basics/dom.js";
import { count } from "../basics/numbers.js";
import { quoted, visible } from "../basics/visible.js";
import { bestKnown } from "../model/naming.js";
import { figures } from "./figures.js";
import { members } from "./members.js";
import { partsBar } from "./parts.js";
import { recordTable } from "./record_table.js";
import { relationList } from "./relations.js";

/** @import { Context, Corpus, Refilter, Select, Side } from "../types.d.ts" */

/**
 * Whose entity it is.
 *
 * @param {Corpus} corpus
 * @param {Side} side
 * @param {number} response
 */
function owner({ alone, annotators }, side, response) {
  if (alone) return "";
  if (annotators.length) return `${visible(annotators[side === "K" ? 0 : response + 1], 40)}: `;
  return side === "K" ? "key " : "response ";
}

export class Card {
  /** @param {{ select: Select, refilter: Refilter }} actions */
  constructor({ select, refilter }) {
    this.select = select;
    this.refilter = refilter;
    /** @type {boolean | null} */
    this.folded = null; // until it is folded or unfolded: on a narrow page, where it lies on the text, it is
    this.element = h("section", { class: "card", "aria-label": "Selected entity", hidden: true });
  }

  /** @param {Context} context */
  show(context) {
    const { side, entity, mention } = context.place;
    this.element.hidden = entity < 0;
    this.element.toggleAttribute("data-folded", this.isFolded());
    if (side === "" || entity < 0) return;
    const { response } = context;
    put(this.element,
      this.header(context, side, entity),
      this.reason(context, side, mention),
      response && partsBar(context, response, side, entity, this.select),
      response && figures(context, response, side, entity, this.refilter),
      recordTable(context, side, entity, mention, this.select) ?? members(context, side, entity, mention, this.select),
      relationList(context, side, entity, this.select));
  }

  /**
   * @param {Context} context
   * @param {Side} side
   * @param {number} entity
   */
  header({ corpus, doc, response, place, words }, side, entity) {
    const annotation = doc.annotation(side, response);
    const best = annotation.text(bestKnown(corpus, doc, annotation, entity));
    const type = annotation.entityTypes?.[entity];
    const id = annotation.id(entity);
    return h("header", null,
      h("h2", { style: { "--colour": colourOf(doc, response, side, entity) } },
        h("span", { class: "swatch" }), annotation.name(entity), " ", quoted(best, 50)),
      h("p", { class: "about" },
        `${owner(corpus, side, place.response)}entity with ${count(annotation.size[entity], words.unit)}`,
        annotation.nonReferring.has(entity) && ", non-referring",
        type ? [", entity type ", h("bdi", null, visible(type, 40))] : null,
        id ? [", entity id ", h("bdi", null, visible(id, 40))] : null),
      button("quiet fold", () => this.fold(), { "aria-expanded": String(!this.isFolded()) }, this.isFolded() ? "more" : "less"),
      button("quiet close", () => this.select("", -1, -1), { "aria-label": "Clear the selection" }, "×"));
  }

  isFolded() {
    return this.folded ?? isNarrow();
  }

  /**
   * Why a resolver put the selected mention where it is; of a mention of the key, that which was matched with it, but where
   * the key is alone. The figures are behind a click.
   *
   * @param {Context} context
   * @param {Side} side
   * @param {number} mention
   */
  reason({ doc, response }, side, mention) {
    if (mention < 0) return null;
    const annotation = response?.annotation ?? doc.annotation(side, response);
    const resolved = response && side === "K" ? response.otherMention(side, mention) : mention;
    const reason = resolved < 0 ? "" : annotation.reasons?.[resolved];
    if (!reason) return null;
    const [inWords, figures] = reason.split("\n");
    return [
      h("p", { class: "about reason" }, quoted(annotation.text(resolved), 50), ": ", h("bdi", null, visible(inWords, 400))),
      figures && h("details", { class: "about in-figures" },
        h("summary", null, "figures"), h("bdi", null, visible(figures, 400))),
    ];
  }

  fold() {
    this.folded = !this.isFolded();
    this.element.toggleAttribute("data-folded", this.folded);
    const fold = this.element.querySelector(".fold");
    fold?.setAttribute("aria-expanded", String(!this.folded));
    fold?.replaceChildren(this.folded ? "more" : "less");
  }
}
