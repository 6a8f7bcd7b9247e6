// An entity in its column.

import { colourOf } from "../basics/colours.js";
import { h } from "../basics/dom.js";

/**
 * @import { Context, Highlight, Side } from "../types.d.ts"
 * @import { Row } from "./layout.js"
 */

/**
 * @param {Context} context
 * @param {Side} side
 * @param {Row} row
 * @param {Highlight | null} highlight
 * @param {{ place: number, rows: number }} position
 * @param {() => void} select
 */
export function entityRow({ doc, response }, side, { entity, top }, highlight, { place, rows }, select) {
  const annotation = doc.annotation(side, response);
  const selected = highlight?.side === side && highlight.entity === entity;
  const bright = !highlight || highlight[side].has(entity);
  const projection = bright && !selected ? highlight : null;
  const best = projection && response?.bestMatch(projection.side, projection.entity) === entity;
  const name = annotation.name(entity);
  const shared = projection?.shared.get(entity);
  const size = annotation.size[entity];
  const same = isIdentical(response, side, entity);
  const texts = annotation.differentTexts(entity);
  const colour = (/** @type {number} */ alpha) => colourOf(doc, response, side, entity, alpha);
  const row = h("div", {
    class: "entity", role: "option", id: `${side}${entity}`, "data-name": name, "aria-selected": String(selected),
    "aria-posinset": place + 1, "aria-setsize": rows, on: { click: select },
    style: { top: `${top}px`, "--colour": colour(1), "--faint": colour(0.16) },
  },
  h("span", { class: "name" }, name),
  h("span", { class: "mentions" }, texts.map((text, n) => [n > 0 && h("span", { class: "dot" }, " · "), h("bdi", null, text)])),
  best && h("span", { class: "best" }, "best match"),
  h("span", { class: "size", title: same && "identical in key and response" },
    shared ? `${shared} of ${size}` : size,
    same && h("span", { class: "same", "aria-label": ", identical in key and response" }, "✓")));
  row.classList.toggle("selected", selected);
  row.classList.toggle("highlighted", Boolean(projection));
  row.classList.toggle("dim", !bright);
  return row;
}

/**
 * Whether the other side has an entity of just these mentions.
 *
 * @param {Context["response"]} response
 * @param {Side} side
 * @param {number} entity
 */
function isIdentical(response, side, entity) {
  if (!response) return false;
  if (side === "K") return response.isIdentical(entity);
  const key = response.bestKey[entity];
  return key >= 0 && response.isIdentical(key) && response.bestResponse[key] === entity;
}
