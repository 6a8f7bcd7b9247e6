// An entity in its column: all its mentions in order. The selected entity says of each mention where it went. The row of a
// projection is filled as far as its mentions are shared; these stand out, and the first of them is in sight.

import { colourOf } from "../basics/colours.js";
import { h } from "../basics/dom.js";
import { visible } from "../basics/visible.js";
import { opposite } from "../model/annotation.js";
import { isLit } from "../model/highlight.js";
import { runsOf } from "../model/runs.js";

/**
 * @import { Child, Context, Highlight, Side } from "../types.d.ts"
 * @import { Annotation } from "../model/annotation.js"
 * @import { Run } from "../model/runs.js"
 * @import { Row } from "./layout.js"
 */

const IN_A_LINE = 24; // runs of mentions, of which a row shows as many as have room
const IN_ALL = 2000; // of a row that was opened
const LEAD = 16; // characters before the first shared mention, for which a row has room

/**
 * @param {Context} context
 * @param {Side} side
 * @param {Row} row
 * @param {Highlight | null} highlight
 * @param {{ place: number, rows: number, opened: boolean }} position
 */
export function entityRow({ corpus, doc, response, words }, side, { entity, top }, highlight, { place, rows, opened }) {
  const annotation = doc.annotation(side, response);
  const selected = highlight?.side === side && highlight.entity === entity;
  const bright = !highlight || highlight[side].has(entity);
  const projection = bright && !selected ? highlight : null;
  const best = projection && response?.bestMatch(projection.side, projection.entity) === entity;
  const name = annotation.name(entity);
  const id = annotation.id(entity);
  const shared = projection?.shared.get(entity);
  const size = annotation.size[entity];
  const same = isIdentical(response, side, entity);
  const colour = (/** @type {number} */ alpha) => colourOf(doc, response, side, entity, alpha);
  const lit = bright && highlight !== null && response !== null;
  const other = lit ? doc.annotation(opposite(side), response) : null;
  const isShared = (/** @type {number} */ mention) => !projection || isLit({ doc, response }, projection, side, mention);
  const first = opened ? 0 : leftOut(annotation, entity, isShared);
  const runs = runsOf(annotation, entity, lit ? response : null, other, opened ? IN_ALL : IN_A_LINE, first);
  const whereTo = (/** @type {Run} */ run) => {
    if (!selected || !other) return null;
    return run.other < 0 ? words.absent[side] : other.name(run.other);
  };
  const row = h("div", {
    class: "entity", role: "option", id: `${side}${entity}`, "data-name": name, "data-entity": entity,
    "aria-selected": String(selected), "aria-posinset": place + 1, "aria-setsize": rows,
    style: { top: `${top}px`, "--colour": colour(1), "--faint": colour(0.16) },
  },
  shared && h("span", { class: "part", style: { width: `${(100 * shared) / size}%` } }),
  h("span", { class: "name" }, name),
  id && h("span", { class: "id", title: "the entity's id in the file" }, "id ", h("bdi", null, visible(id, 24))),
  h("span", { class: "mentions" }, first > 0 && "… ", runs.map((run, n) => [n ? " · " : "", mentionRun(run, {
    shared: projection && run.other === projection.entity, to: whereTo(run), before: n ? whereTo(runs[n - 1]) : null,
    colour: selected && run.other >= 0 ? colourOf(doc, response, opposite(side), run.other) : null,
  })])),
  side === "K" && annotation.members[entity].some((mention) => doc.changed.has(mention))
    && h("span", { class: "pencil", title: "corrected", "aria-label": "corrected" }, "✎"),
  best && h("span", { class: "best" }, "best", h("span", { class: "match" }, " match")),
  corpus.alone && annotation.entityTypes?.[entity] && h("bdi", { class: "type" }, visible(annotation.entityTypes[entity], 24)),
  h("span", { class: "size", title: same && "identical on both sides" },
    shared ? `${shared} of ${size}` : size,
    same && h("span", { class: "same", "aria-label": ", identical on both sides" }, "✓")),
  size > 1 && h("span", {
    class: "open", "data-open": "", title: opened ? "one line" : `all ${words.unit}s`, "aria-hidden": "true",
  }, opened ? "▴" : "▾"));
  row.classList.toggle("selected", selected);
  row.classList.toggle("highlighted", Boolean(projection));
  row.classList.toggle("dim", !bright);
  row.classList.toggle("opened", opened);
  return row;
}

/**
 * How many mentions a row leaves out so that the first one that is shared is in sight.
 *
 * @param {Annotation} annotation
 * @param {number} entity
 * @param {(mention: number) => boolean} isShared
 */
function leftOut(annotation, entity, isShared) {
  const members = annotation.members[entity];
  const first = members.findIndex(isShared);
  let lead = 0;
  for (let n = 0; n < first && lead <= LEAD; n++) lead += annotation.text(members[n]).length + 3;
  return lead > LEAD ? first : 0;
}

/**
 * @param {Run} run
 * @param {object} look
 * @param {boolean | null} look.shared - with the selected entity; null where nothing is said of it
 * @param {string | null} look.to - where it went
 * @param {string | null} look.before - where the run before went
 * @param {string | null} look.colour - of the entity that it went to
 * @returns {Child}
 */
function mentionRun({ text, times }, { shared, to, before, colour }) {
  /** @type {{ [name: string]: string }} */
  const style = colour ? { "--there": colour } : {};
  return [
    h("bdi", { class: shared ? "shared" : shared === false ? "unshared" : to ? "went" : null, style }, text),
    times > 1 && h("span", { class: "times" }, `\u202f×${times}`),
    to && to !== before && h("span", { class: "to", style }, `\u202f→\u202f${to}`),
  ];
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
