// What there is to say of a mention or an entity: in a tooltip, and to those who cannot see its line.

import { count } from "../basics/numbers.js";
import { visible } from "../basics/visible.js";
import { costDecimals, formatCost } from "../scores/format.js";
import { metricTitle } from "../scores/metrics.js";
import { opposite } from "./annotation.js";
import { projections } from "./highlight.js";
import { referringTo, relationsOf } from "./relations.js";

/**
 * @import { Context, Pointed, Side } from "../types.d.ts"
 * @import { Annotation } from "./annotation.js"
 */

const MOST = 6; // projections that are named

/**
 * The entity of the other side that has a mention, if there is one, and what is wrong with the mention.
 *
 * @param {Context} context
 * @param {Side} side
 * @param {number} mention
 */
function fate({ corpus, doc, response, words }, side, mention) {
  if (!response) return { there: "", what: "" };
  const match = response.otherMention(side, mention);
  const other = doc.annotation(opposite(side), response);
  const error = response.errorOf(side, mention);
  return {
    there: match < 0 ? "" : other.name(other.entity[match]),
    what: error < 0 ? words.outcomes.correct : words.kinds[corpus.kinds[response.errors.kind[error]]][0],
  };
}

/**
 * The type of a mention; empty if unknown.
 *
 * @param {Context} context
 * @param {Side} side
 * @param {number} mention
 */
const typeOf = ({ corpus, doc, response }, side, mention) =>
  corpus.mention_types[doc.annotation(side, response).mentionType(mention)];

/**
 * A mention in words: "the keeper, K1, split".
 *
 * @param {Context} context
 * @param {Side} side
 * @param {number} mention
 */
export function spoken(context, side, mention) {
  const annotation = context.doc.annotation(side, context.response);
  const zero = typeOf(context, side, mention) === "zero" ? "zero" : "";
  const { what } = fate(context, side, mention);
  const words = [annotation.shownText(mention, 80), zero, annotation.name(annotation.entity[mention]), what];
  return words.filter(Boolean).join(", ");
}

/**
 * What a tooltip says, line by line.
 *
 * @param {Context} context
 * @param {Pointed} pointed
 * @returns {string[]}
 */
export function described(context, { side, entity, mention }) {
  return mention < 0 ? ofEntity(context, side, entity) : ofMention(context, side, mention);
}

/**
 * @param {Context} context
 * @param {Side} side
 * @param {number} mention
 */
function ofMention(context, side, mention) {
  const { doc, response } = context;
  const annotation = doc.annotation(side, response);
  const entity = annotation.entity[mention];
  const { there, what } = fate(context, side, mention);
  const error = response?.errorOf(side, mention) ?? -1;
  const about = [...features(context, side, mention), typeName(annotation, entity)];
  const relations = [...relationsOf(annotation, mention), ...referringTo(annotation, mention)];
  return [
    `“${annotation.shownText(mention, 80)}”`,
    [`${annotation.name(entity)}${there && ` → ${there}`}`, what].filter(Boolean).join(" · "),
    error < 0 ? "" : costOf(context, response?.errors.costs, error),
    about.filter(Boolean).join(" · "),
    ...relations.map(({ name, mentions }) => `${name}: ${mentions.slice(0, MOST).map((other) =>
      `${annotation.name(annotation.entity[other])} “${annotation.shownText(other, 40)}”`).join(", ")}`),
  ].filter(Boolean);
}

/**
 * The type and the head of a mention, as far as they are known.
 *
 * @param {Context} context
 * @param {Side} side
 * @param {number} mention
 */
export function features(context, side, mention) {
  const head = context.doc.annotation(side, context.response).head(mention);
  return [typeOf(context, side, mention), head && `head “${visible(head, 40)}”`].filter(Boolean);
}

/**
 * @param {Context} context
 * @param {Side} side
 * @param {number} entity
 */
function ofEntity(context, side, entity) {
  const { doc, response, words } = context;
  const annotation = doc.annotation(side, response);
  const shared = [...projections(response, side, entity, -1).shared];
  const name = (/** @type {number} */ other) => doc.annotation(opposite(side), response).name(other);
  const names = shared.slice(0, MOST).map(([other, mentions]) => `${name(other)} (${mentions})`);
  const id = annotation.id(entity);
  const about = [
    annotation.name(entity), id && `id ${visible(id, 40)}`, typeName(annotation, entity),
    count(annotation.size[entity], words.unit),
  ];
  return [
    about.filter(Boolean).join(" · "),
    response ? `→ ${names.join(", ") || words.absent[side]}${shared.length > MOST ? " …" : ""}` : "",
    costOf(context, response?.costs[side], entity),
  ].filter(Boolean);
}

/**
 * @param {Annotation} annotation
 * @param {number} entity
 */
const typeName = (annotation, entity) => visible(annotation.entityTypes?.[entity] ?? "", 40);

/**
 * @param {Context} context
 * @param {import("../payload.d.ts").Costs | undefined} costs
 * @param {number} n
 */
function costOf({ corpus, filter: { metric } }, costs, n) {
  const column = costs?.[metric];
  if (!column || column[n] === null) return "";
  return `${formatCost(corpus, corpus.metric.get(metric), column[n], costDecimals(column))} ${metricTitle(corpus, metric)}`;
}
