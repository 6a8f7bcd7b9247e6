// A bar that shows where the mentions of an entity are, each part as long as it has mentions, and below it what the parts are.

import { colourOf, grey } from "../basics/colours.js";
import { button } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { sum } from "../basics/numbers.js";
import { opposite } from "../model/annotation.js";

/**
 * @import { Cells, Context, Select, Side } from "../types.d.ts"
 * @import { ScoredResponse } from "../model/response.js"
 */

/**
 * Mentions in one entity of the other side, or in several small ones, or in none.
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {number} mentions
 * @property {string} colour
 * @property {"exact" | "span-error" | "none"} manner
 * @property {number} other - the entity, -1 if it is not one
 */

const MOST = 12; // entities that have a part of their own

/**
 * @param {Context} context
 * @param {ScoredResponse} response
 * @param {Side} side
 * @param {number} entity
 * @param {Select} select
 */
export function partsBar(context, response, side, entity, select) {
  const { words } = context;
  const parts = partsOf(context, response, side, entity);
  const best = response.bestMatch(side, entity);
  const inBest = best < 0 ? undefined : parts.find(({ other }) => other === best); // of two, the first
  const stripe = (/** @type {Part} */ { mentions, colour, manner, name }) => h("span", {
    class: `stripe ${manner}`, title: `${name}: ${mentions}`, style: { "--colour": colour, "flex-grow": mentions },
  });
  const label = (/** @type {Part} */ part) => {
    const { name, mentions, colour, manner, other } = part;
    const title = manner === "span-error" && "the same mentions with another span";
    const open = () => select(opposite(side), other, -1);
    return h("li", { class: "part", title, style: { "--colour": colour } },
      h("span", { class: `sign ${manner}` }),
      other < 0 ? h("span", null, name) : button("link", open, null, name),
      h("span", { class: "n" }, mentions, manner === "span-error" && ` ${words.kinds.span[0]}${mentions === 1 ? "" : "s"}`,
        part === inBest && [" ", h("span", { class: "best" }, "best match")]));
  };
  return [
    h("div", { class: "parts", "aria-hidden": "true" }, parts.map(stripe)),
    h("ul", { class: "part-names", "aria-label": `Where its ${words.unit}s are` }, parts.map(label)),
  ];
}

/**
 * @param {Context} context
 * @param {ScoredResponse} response
 * @param {Side} side
 * @param {number} entity
 * @returns {Part[]}
 */
function partsOf({ doc, words }, response, side, entity) {
  const cells = response.cells(side, entity);
  const otherSide = opposite(side);
  const names = doc.annotation(otherSide, response);
  const of = (/** @type {keyof Cells} */ manner) => {
    const style = /** @type {Part["manner"]} */ (manner === "exact" ? "exact" : "span-error");
    const parts = cells[manner].slice(0, MOST).map(({ other, shared }) => ({
      name: names.name(other), mentions: shared, colour: colourOf(doc, response, otherSide, other), manner: style, other,
    }));
    const rest = cells[manner].slice(MOST);
    const mentions = sum(rest.map(({ shared }) => shared));
    const more = { name: `${rest.length} more`, mentions, colour: grey(0.6), manner: style, other: -1 };
    return rest.length ? [...parts, more] : parts;
  };
  const parts = [...of("exact"), ...of("spanError")];
  const unmatched = doc.annotation(side, response).size[entity] - sum(parts.map(({ mentions }) => mentions));
  if (!unmatched) return parts;
  return [...parts, { name: words.absent[side], mentions: unmatched, colour: "transparent", manner: "none", other: -1 }];
}
