// The selected entity: where its mentions are, what its errors cost, and the mentions one by one.

import { colourOf } from "../basics/colours.js";
import { button } from "../basics/controls.js";
import { h, put } from "../basics/dom.js";
import { count } from "../basics/numbers.js";
import { quoted, visible } from "../basics/visible.js";
import { figures } from "./figures.js";
import { members } from "./members.js";
import { partsBar } from "./parts.js";

/** @import { Context, Refilter, Select, Side } from "../types.d.ts" */

export class Card {
  /** @param {{ select: Select, refilter: Refilter }} actions */
  constructor({ select, refilter }) {
    this.select = select;
    this.refilter = refilter;
    this.unfolded = false; // on a narrow page the card lies on the text, so it is short until someone asks for more
    this.element = h("section", { class: "card", "aria-label": "Selected entity", hidden: true });
  }

  /** @param {Context} context */
  show(context) {
    const { side, entity, mention } = context.place;
    this.element.hidden = entity < 0;
    if (side === "" || entity < 0) return;
    const { response } = context;
    put(this.element,
      this.header(context, side, entity),
      response && partsBar(context, response, side, entity, this.select),
      response && figures(context, response, side, entity, this.refilter),
      members(context, side, entity, mention, this.select));
  }

  /**
   * @param {Context} context
   * @param {Side} side
   * @param {number} entity
   */
  header({ doc, response }, side, entity) {
    const annotation = doc.annotation(side, response);
    const first = annotation.text(annotation.members[entity][0]);
    const type = annotation.entityTypes?.[entity];
    const id = annotation.entityIds?.[entity];
    return h("header", null,
      h("h2", { style: { "--colour": colourOf(doc, response, side, entity) } },
        h("span", { class: "swatch" }), annotation.name(entity), " ", quoted(first, 50)),
      h("p", { class: "about" },
        `${side === "K" ? "key" : "response"} entity with ${count(annotation.size[entity], "mention")}`,
        type ? [", entity type ", h("bdi", null, visible(type, 40))] : null,
        id ? [", entity id ", h("bdi", null, visible(id, 40))] : null),
      button("quiet fold", () => this.fold(), { "aria-expanded": String(this.unfolded) }, this.unfolded ? "less" : "more"),
      button("quiet close", () => this.select("", -1, -1), { "aria-label": "Clear the selection" }, "×"));
  }

  fold() {
    this.unfolded = !this.unfolded;
    this.element.toggleAttribute("data-unfolded", this.unfolded);
    const fold = this.element.querySelector(".fold");
    fold?.setAttribute("aria-expanded", String(this.unfolded));
    fold?.replaceChildren(this.unfolded ? "less" : "more");
  }
}
