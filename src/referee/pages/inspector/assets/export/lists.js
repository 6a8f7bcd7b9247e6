// What is on the screen as tables: documents, errors, entities, changes, scores. Numbers have all their digits.

import { opposite } from "../model/annotation.js";
import { changesOf } from "../model/changes.js";

/**
 * @import { AgreementOverview } from "../payload.d.ts"
 * @import { Context, Corpus, Side } from "../types.d.ts"
 * @import { Annotation } from "../model/annotation.js"
 * @import { Doc } from "../model/document.js"
 * @import { Concordance } from "../overview/concordance.js"
 * @import { Cells } from "./csv.js"
 */

const PROPERTIES = ["mention_type", "entity_type", "size", "distance"]; // of an error, as `referee errors` has them

/**
 * @param {Corpus} corpus
 * @param {number} number - of the response
 * @param {number[]} documents - in order
 * @returns {Cells[]}
 */
export function documentCells(corpus, number, documents) {
  const { alone } = corpus;
  if (alone) {
    return [
      ["document", "tokens", "mentions", "entities", "singletons"],
      ...documents.map((n) => [
        corpus.documents[n], alone.tokens?.[n] ?? null, alone.mentions[n], alone.entities[n], alone.singletons[n],
      ]),
    ];
  }
  const { by_document: scores, mentions, errors } = corpus.responses[number];
  const metrics = Object.keys(scores);
  return [
    ["document", ...metrics, "mentions", "errors"],
    ...documents.map((n) => [
      corpus.documents[n], ...metrics.map((metric) => scores[metric][n]), mentions.key[n], errors[n],
    ]),
  ];
}

/**
 * The agreement of all annotators, of each document.
 *
 * @param {Corpus} corpus
 * @param {AgreementOverview} agreement
 * @param {number[]} documents - in order
 * @returns {Cells[]}
 */
export const agreementCells = (corpus, { measures, documents: values }, documents) => [
  ["document", ...measures.map(({ id }) => id)],
  ...documents.map((n) => [corpus.documents[n], ...values.map((of) => of[n])]),
];

/**
 * The errors of the list of all documents, in its order.
 *
 * @param {Concordance} list
 * @returns {Promise<Cells[]>}
 */
export async function corpusErrorCells(list) {
  const { corpus, errors, entries, documents, documentOf, first, filter: { metric }, placeIn, words } = list;
  /** @type {Cells[]} */
  const rows = entries.map(() => []);
  const order = [...entries.keys()].sort((a, b) => entries[a] - entries[b]); // each document is opened once
  for (const place of order) {
    const n = entries[place];
    const document = documentOf[n];
    const doc = await documents.open(document);
    const { side, entity, mention, annotation } = placeIn(doc, n - first[document]);
    const cost = errors?.costs[metric]?.[n] ?? null;
    rows[place] = [
      corpus.documents[document], words.kinds[corpus.kinds[errors?.kind[n] ?? 0]][0], words.sides[side],
      annotation.name(entity), idOrText(doc, annotation, mention), annotation.start[mention], annotation.end[mention],
      corpus.mention_types[errors?.mention_type[n] ?? 0], annotation.entityTypes?.[entity], errors?.size[n],
      annotation.distance(mention), cost === null ? null : cost / 1e8,
    ];
  }
  const headings = ["document", "kind", "side", "entity", "mention", "start", "end", ...PROPERTIES];
  return [[...headings, `cost_${metric}`], ...rows];
}

/**
 * The id of a record, without its attributes; the words of a mention.
 *
 * @param {Doc} doc
 * @param {Annotation} annotation
 * @param {number} mention
 */
const idOrText = (doc, annotation, mention) =>
  doc.records ? doc.ids[annotation.start[mention]] : annotation.text(mention);

/**
 * @param {Context} context
 * @param {number[]} entries
 * @returns {Cells[]}
 */
export function errorCells({ corpus, doc, response, filter: { metric }, words }, entries) {
  const { K, R } = words.sides;
  const of = (/** @type {string} */ what) => [`${K}_${what}`, `${R}_${what}`];
  const headings = ["kind", ...of("entity"), "mentions", ...of("mention"), "start", "end", ...PROPERTIES];
  if (!response) return [headings];
  const { errors, annotation } = response;
  return [[...headings, `cost_${metric}`], ...entries.map((n) => {
    const [k, r, km, rm] = [errors.key[n], errors.response[n], errors.key_mention[n], errors.response_mention[n]];
    const [side, mention] = km >= 0 ? [doc.key, km] : [annotation, rm];
    return [
      words.kinds[corpus.kinds[errors.kind[n]]][0], k < 0 ? "" : doc.key.name(k), r < 0 ? "" : annotation.name(r),
      errors.mentions[n],
      km < 0 ? "" : idOrText(doc, doc.key, km), rm < 0 ? "" : idOrText(doc, annotation, rm),
      side.start[mention], side.end[mention],
      corpus.mention_types[errors.mention_type[n]], side.entityTypes?.[side.entity[mention]], side.size[side.entity[mention]],
      side.distance(mention), errors.costs[metric]?.[n] ?? null,
    ];
  })];
}

/**
 * @param {Context} context
 * @param {{ [S in Side]: { entity: number }[] }} rows
 * @returns {Cells[]}
 */
export function entityCells({ corpus, doc, response, words }, rows) {
  const of = (/** @type {Side} */ side) => rows[side].map(({ entity }) => {
    const annotation = doc.annotation(side, response);
    const best = response?.bestMatch(side, entity) ?? -1;
    const other = response && doc.annotation(opposite(side), response);
    const shared = response?.cells(side, entity).exact.reduce((n, cell) => n + cell.shared, 0);
    return [
      corpus.alone ? "annotation" : words.sides[side], annotation.name(entity), annotation.entityIds?.[entity],
      annotation.entityTypes?.[entity], annotation.size[entity], shared, best < 0 ? "" : other?.name(best),
      annotation.members[entity].map((mention) => idOrText(doc, annotation, mention)).join(" | "),
    ];
  });
  const headings = ["side", "entity", "entity_id", "entity_type", "size", "found", "best_match", "mentions"];
  return [headings, ...of("K"), ...of("R")];
}

/**
 * @param {Context} context
 * @returns {Cells[]}
 */
export function changeCells({ doc, place }) {
  const changes = changesOf(doc, place.response);
  return [["change", "unit", "entity", "mention"], ...(/** @type {const} */ (["fixed", "broken"])).flatMap((change) => [
    ...changes[change].mentions.map((n) => [change, "mention", doc.key.name(doc.key.entity[n]), idOrText(doc, doc.key, n)]),
    ...changes[change].entities.map((n) => [change, "entity", doc.key.name(n), idOrText(doc, doc.key, doc.key.members[n][0])]),
  ])];
}

/**
 * @param {Context} context
 * @returns {Cells[]}
 */
export const scoreCells = ({ corpus, doc }) => [
  ["system", "metric", "recall", "precision", "value"],
  ...corpus.responses.flatMap(({ name }, n) =>
    Object.entries(doc.responses[n]?.scores ?? {}).map(([metric, score]) => [name, metric, ...score])),
];
