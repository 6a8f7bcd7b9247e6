// Bridging and split antecedents of the selected entity.

import { button } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { quoted, visible } from "../basics/visible.js";
import { referringTo, relationsOf } from "../model/relations.js";

/** @import { Context, Select, Side } from "../types.d.ts" */

const MOST = 40; // relations

/**
 * @param {Context} context
 * @param {Side} side
 * @param {number} entity
 * @param {Select} select
 */
export function relationList({ doc, response }, side, entity, select) {
  const annotation = doc.annotation(side, response);
  if (!annotation.bridging.size && !annotation.elements.size) return null;
  const rows = annotation.members[entity].flatMap((mention) =>
    [...relationsOf(annotation, mention), ...referringTo(annotation, mention)].map((relation) => ({ mention, ...relation })));
  if (!rows.length) return null;
  const link = (/** @type {number} */ mention) => {
    const of = annotation.entity[mention];
    return [button("link", () => select(side, of, mention), null, annotation.name(of)), " ",
      quoted(annotation.text(mention), 40), " "];
  };
  return h("div", { class: "relations" },
    h("h3", null, "Bridging and split antecedents"),
    h("ul", null, rows.slice(0, MOST).map(({ mention, name, mentions }) => h("li", null,
      quoted(annotation.text(mention), 40), h("span", { class: "name" }, h("bdi", null, visible(name, 60))),
      h("span", null, mentions.slice(0, MOST).map(link))))));
}
