// What the annotation says of a mention or an entity besides coreference: bridging and split antecedents.

/**
 * @import { Context } from "../types.d.ts"
 * @import { Annotation } from "./annotation.js"
 */

/**
 * From a mention or an entity to others.
 *
 * @typedef {object} Relation
 * @property {string} name - of the relation
 * @property {number[]} mentions - that it leads to: one, or the first one of each entity
 */

/**
 * The relations of a mention: its bridging antecedents, and on the first mention of an entity
 * its split antecedents.
 *
 * @param {Annotation} annotation
 * @param {number} mention
 * @returns {Relation[]}
 */
export function relationsOf(annotation, mention) {
  const { bridging, members, entity } = annotation;
  const relations = (bridging.get(mention) ?? []).map(({ antecedent, relation }) =>
    ({ name: relation ? `bridging (${relation})` : "bridging", mentions: [antecedent] }));
  const elements = members[entity[mention]][0] === mention ? annotation.elements.get(entity[mention]) : undefined;
  return elements ? [...relations, { name: "split antecedents", mentions: elements.map((n) => members[n][0]) }] : relations;
}

/**
 * The relations in which a mention or its entity is the antecedent.
 *
 * @param {Annotation} annotation
 * @param {number} mention
 * @returns {Relation[]}
 */
export function referringTo(annotation, mention) {
  const { bridging, elements, members, entity } = annotation;
  const anaphors = [...bridging].filter(([, of]) => of.some(({ antecedent }) => antecedent === mention)).map(([n]) => n);
  const wholes = members[entity[mention]][0] === mention
    ? [...elements].filter(([, of]) => of.includes(entity[mention])).map(([whole]) => members[whole][0]) : [];
  return [
    ...(anaphors.length ? [{ name: "antecedent of", mentions: anaphors }] : []),
    ...(wholes.length ? [{ name: "part of", mentions: wholes }] : []),
  ];
}

/**
 * Whether a side of the document has any.
 *
 * @param {Context} context
 */
export function hasRelations({ doc, response }) {
  return [doc.key, response?.annotation].some((side) => side && side.bridging.size + side.elements.size > 0);
}

