// One document as a page of its own: this page with the data of the document alone.

import { sum } from "../basics/numbers.js";
import { dataId, dataOf, firstsOf, openDocument, openCorpus, packed, unpacked } from "../model/corpus.js";
import { titleOf } from "../model/naming.js";
import { sizesOf } from "../scores/sizes.js";

/**
 * @import { AloneOverview, CorpusAndDocuments, Overview, ResponseOverview } from "../payload.d.ts"
 * @import { Doc } from "../model/document.js"
 * @import { Corpus } from "../types.d.ts"
 */

/**
 * The overview of a page that has this document alone. The costs of kinds are those of all documents, so they are left out.
 *
 * @param {Overview} overview
 * @param {Doc} doc
 * @returns {Overview}
 */
function overviewOf(overview, doc) {
  const { number } = doc;
  const only = (/** @type {(number | null)[]} */ column) => [column[number]];
  /** @type {(response: ResponseOverview, n: number) => ResponseOverview} */
  const response = (all, n) => {
    const scored = doc.responses[n];
    const none = { errors: [], costs: {} };
    const kinds = scored?.errors.kind ?? [];
    return {
      ...all,
      signature: all.signature.replace(/documents:\d+/, "documents:1"),
      scores: scored?.scores ?? {},
      by_document: Object.fromEntries(Object.entries(all.by_document).map(([metric, column]) => [metric, only(column)])),
      mentions: { key: only(all.mentions.key), response: only(all.mentions.response) },
      entities: { key: only(all.entities.key), response: only(all.entities.response) },
      errors: only(all.errors),
      kinds: { errors: overview.kinds.map((_, kind) => sum(kinds.map((k) => Number(k === kind)))), costs: {} },
      error_sizes: none,
      together: { groups: [], costs: {} },
      sizes: scored ? sizesOf(doc, scored) : { key: [0], response: [0], shared: [0] },
    };
  };
  const { together } = overview;
  const ofDocument = (/** @type {CorpusAndDocuments} */ { documents }) =>
    ({ corpus: documents[number], documents: only(documents) });
  return {
    ...overview,
    agreement: undefined, // that of all documents
    together: together && {
      ...together,
      pairs: together.pairs.map(ofDocument),
      everyone: Object.fromEntries(Object.entries(together.everyone).map(([measure, of]) => [measure, ofDocument(of)])),
    },
    documents: [overview.documents[number]],
    ...(overview.alone ? { alone: aloneOf(overview.alone, doc) } : {}),
    responses: overview.responses.map(response),
    changes: overview.changes.map((changes) => ({
      fixed: [changes.fixed[number]], broken: [changes.broken[number]],
      fixed_entities: [changes.fixed_entities[number]], broken_entities: [changes.broken_entities[number]],
    })),
  };
}

/**
 * @param {AloneOverview} alone - of all documents
 * @param {Doc} doc
 * @returns {AloneOverview}
 */
function aloneOf(alone, { number, key }) {
  const only = (/** @type {number[]} */ column) => [column[number]];
  const types = alone.mention_types.map((_, type) =>
    key.entity.filter((_, mention) => key.mentionType(mention) === type).length);
  /** @type {{ [type: string]: number }} */
  const entityTypes = Object.create(null);
  for (const type of key.entityTypes ?? []) entityTypes[type] = (entityTypes[type] ?? 0) + 1;
  return {
    tokens: alone.tokens && only(alone.tokens), mentions: only(alone.mentions), entities: only(alone.entities),
    singletons: only(alone.singletons), mention_types: types, entity_types: entityTypes,
    ranks: key.size.slice().sort((a, b) => b - a),
  };
}

/** @param {string} selector @param {ParentNode} [within] */
const one = (selector, within = document) => /** @type {HTMLElement} */ (within.querySelector(selector));

/**
 * @param {Corpus} corpus
 * @param {Doc} doc
 * @returns {Promise<string>} - HTML
 */
export async function pageOf(corpus, doc) {
  const { documents, everyone } = corpus;
  const data = [];
  for (const first of firstsOf(everyone)) {
    const of = await openCorpus(first);
    const number = of.documentNumber.get(documents[doc.number]) ?? -1;
    if (number < 0) continue; // two annotators who lack the document
    const overview = overviewOf(await unpacked(dataId(first, "overview")), await openDocument(of, number));
    data.push([dataId(first, "overview"), await packed(overview)]);
    data.push([dataId(first, "documents-0"), await packed([await dataOf(first, number)])]);
  }
  const end = `${"</"}script>`; // which must not stand in this script
  const head = /** @type {HTMLElement} */ (document.head.cloneNode(true));
  one("title", head).textContent = titleOf(corpus, doc.number);
  return [
    "<!doctype html>", '<html lang="en">', `<head>${head.getHTML()}</head>`, "<body>",
    '<div id="app"><p class="loading" role="status">Opening…</p></div>',
    "<noscript><p>This page needs JavaScript, which this browser does not run.</p></noscript>",
    ...data.map(([id, text]) => `<script type="text/plain" id="${id}">${text}${end}`),
    `<script type="module">${one("script[type=module]").textContent}${end}`, "</body>", "</html>", "",
  ].join("\n");
}
