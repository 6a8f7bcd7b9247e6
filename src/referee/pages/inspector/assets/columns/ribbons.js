// Ribbons between the columns, as wide as what two entities share; dashed for mentions with a span error.

import { keyColour } from "../basics/colours.js";
import { svg } from "../basics/dom.js";
import { ROW } from "./layout.js";

/**
 * @import { Cells, Context, Highlight } from "../types.d.ts"
 * @import { ScoredResponse } from "../model/response.js"
 * @import { ColumnsLayout } from "./layout.js"
 * @typedef {{ key: number, response: number, manner: keyof Cells, shared: number, rest: number }} Ribbon -
 *   mentions that they share in this manner, and in the other one
 */

const WIDEST = ROW - 8;
const /** @type {(keyof Cells)[]} */ MANNERS = ["exact", "spanError"];

/**
 * The ribbons that begin or end at entities in sight; the highlighted ones last, and so on top.
 *
 * @param {Context} context
 * @param {ColumnsLayout} layout
 * @param {{ K: number[], R: number[] }} inSight - entities
 * @param {Highlight | null} highlight
 * @param {number} across - pixels between the columns
 */
export function ribbons({ doc, response }, layout, inSight, highlight, across) {
  if (!response) return [];
  const paths = ribbonsOf(response, inSight).flatMap((ribbon) => {
    const { key, response: other, manner } = ribbon;
    const [top, otherTop] = [layout.top.K.get(key), layout.top.R.get(other)];
    if (top === undefined || otherTop === undefined) return [];
    const { width, shift } = shape(ribbon, layout.largest);
    const [y, z] = [top + ROW / 2 + shift, otherTop + ROW / 2 + shift];
    const bright = highlight !== null && highlight.entity === (highlight.side === "K" ? key : other);
    const kept = response.bestResponse[key] === other && response.bestKey[other] === key;
    const alpha = highlight ? (bright ? 0.85 : 0.08) : kept ? 0.4 : 0.28;
    return [{ bright, path: svg("path", {
      d: `M0 ${y}C${across / 2} ${y} ${across / 2} ${z} ${across} ${z}`, "stroke-width": width.toFixed(1),
      style: { stroke: keyColour(doc, key, alpha) }, class: bright && "bright",
      "stroke-dasharray": manner === "spanError" && "5 4",
    }) }];
  });
  return paths.sort((a, b) => Number(a.bright) - Number(b.bright)).map(({ path }) => path);
}

/**
 * @param {ScoredResponse} response
 * @param {{ K: number[], R: number[] }} inSight
 */
function ribbonsOf(response, inSight) {
  /** @type {Map<string, Ribbon>} */
  const ribbons = new Map();
  const add = (/** @type {Omit<Ribbon, "rest">} */ ribbon) => {
    const cells = response.keyCells[ribbon.key][ribbon.manner === "exact" ? "spanError" : "exact"];
    const rest = cells.find(({ other }) => other === ribbon.response)?.shared ?? 0;
    ribbons.set(`${ribbon.key} ${ribbon.response} ${ribbon.manner}`, { ...ribbon, rest });
  };
  for (const manner of MANNERS) {
    for (const key of inSight.K) {
      for (const { other, shared } of response.keyCells[key][manner]) add({ key, response: other, manner, shared });
    }
    for (const entity of inSight.R) {
      for (const { other, shared } of response.responseCells[entity][manner]) {
        add({ key: other, response: entity, manner, shared });
      }
    }
  }
  return [...ribbons.values()];
}

/**
 * How wide a ribbon is, and how far from the middle of the row. A pair that shares mentions in both manners has two ribbons,
 * one below the other.
 *
 * @param {Ribbon} ribbon
 * @param {number} largest - mentions that any pair shares
 */
function shape({ manner, shared, rest }, largest) {
  const both = Math.min(WIDEST, Math.max(1.5, 20 * Math.sqrt((shared + rest) / largest)));
  const width = (both * shared) / (shared + rest);
  return { width, shift: ((manner === "exact" ? -1 : 1) * (both - width)) / 2 };
}
