// The data of the page, which are unpacked when they are wanted.

import { Doc } from "./document.js";

/**
 * @import { CorpusErrors, DocumentData } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 */

const KEPT = 40; // as many as there are rows of a concordance on a screen

/** @param {string} id */
export async function unpacked(id) {
  const binary = atob(document.getElementById(id)?.textContent ?? "");
  const bytes = new Uint8Array(binary.length);
  for (let n = 0; n < binary.length; n++) bytes[n] = binary.charCodeAt(n); // `Uint8Array.from` takes ten times as long
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

/**
 * A record as `unpacked` takes it.
 *
 * @param {unknown} record
 */
export async function packed(record) {
  const stream = new Blob([JSON.stringify(record)]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

/**
 * Where the page has data of the pairs of which an annotator is the first; those of the very first are those of a key.
 *
 * @param {number} first
 * @param {string} name
 */
export const dataId = (first, name) => (first ? `first-${first}-${name}` : name);

/**
 * The annotators that can be the first of two in this page.
 *
 * @param {string[]} everyone
 */
export const firstsOf = (everyone) =>
  [0, ...everyone.slice(1).map((_, n) => n + 1).filter((n) => document.getElementById(dataId(n, "overview")))];

/**
 * The annotator that an address puts first. Who put what where is said of all, beside the very first.
 *
 * @param {string} hash
 */
export function firstNamed(hash) {
  const found = new URLSearchParams(hash.slice(1));
  const first = found.get("view") === "annotators" ? 0 : Number(found.get("first") ?? 1) - 1;
  return document.getElementById(dataId(first, "overview")) ? first : 0;
}

/**
 * @param {number} first - the annotator that takes the place of the key
 * @returns {Promise<Corpus>}
 */
export async function openCorpus(first) {
  const overview = await unpacked(dataId(first, "overview"));
  return {
    ...overview,
    first,
    everyone: overview.annotators,
    annotators: overview.annotators.slice(first),
    documentNumber: new Map(overview.documents.map((/** @type {string} */ name, /** @type {number} */ n) => [name, n])),
    metric: new Map(overview.metrics.map((/** @type {{ id: string }} */ metric) => [metric.id, metric])),
  };
}

/**
 * The errors of all documents; null on a page with one document.
 *
 * @param {Corpus} corpus
 * @param {number} response
 * @returns {Promise<CorpusErrors | null>}
 */
export async function openErrors({ first }, response) {
  const id = dataId(first, `errors-${response}`);
  return document.getElementById(id) ? unpacked(id) : null;
}

/**
 * @param {Corpus} corpus
 * @param {number} number
 */
export const openDocument = async ({ annotators, first, responses }, number) =>
  new Doc(await dataOf(first, number), number, responses, annotators.length ? first : null);

/**
 * The data of a document, which are with those of its neighbours under the number of the first of these.
 *
 * @param {number} first
 * @param {number} number
 * @returns {Promise<DocumentData>}
 */
export async function dataOf(first, number) {
  let start = number;
  while (start && !document.getElementById(dataId(first, `documents-${start}`))) start--;
  const id = dataId(first, `documents-${start}`);
  if (together.id !== id) together = { id, documents: unpacked(id) };
  return (await together.documents)[number - start];
}

/** @type {{ id: string, documents: Promise<DocumentData[]> }} */
let together = { id: "", documents: Promise.resolve([]) }; // the last ones that were unpacked

/** The documents of the page, of which the last ones are kept open. */
export class Documents {
  /** @param {Corpus} corpus */
  constructor(corpus) {
    this.corpus = corpus;
    /** @type {Map<number, Doc>} */
    this.opened = new Map();
  }

  /** @param {number} number */
  async open(number) {
    const doc = this.opened.get(number) ?? await openDocument(this.corpus, number);
    this.opened.delete(number);
    this.opened.set(number, doc);
    const [oldest] = this.opened.keys();
    if (this.opened.size > KEPT) this.opened.delete(oldest);
    return doc;
  }
}
