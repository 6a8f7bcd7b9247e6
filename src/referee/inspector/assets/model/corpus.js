// The data of the page, which are unpacked when they are wanted.

import { Doc } from "./document.js";

/**
 * @import { CorpusErrors } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 */

const KEPT = 40; // as many as there are rows of a concordance on a screen

/** @param {string} id */
export async function unpacked(id) {
  const packed = document.getElementById(id)?.textContent ?? "";
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
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

/** @returns {Promise<Corpus>} */
export async function openCorpus() {
  const overview = await unpacked("overview");
  return {
    ...overview,
    documentNumber: new Map(overview.documents.map((/** @type {string} */ name, /** @type {number} */ n) => [name, n])),
    metric: new Map(overview.metrics.map((/** @type {{ id: string }} */ metric) => [metric.id, metric])),
  };
}

/**
 * The errors of all documents; null on a page with one document.
 *
 * @param {number} response
 * @returns {Promise<CorpusErrors | null>}
 */
export const openErrors = async (response) =>
  document.getElementById(`errors-${response}`) ? unpacked(`errors-${response}`) : null;

/** The documents of the page, of which the last ones are kept open. */
export class Documents {
  /** @param {boolean} ofAnnotators - whether key and responses are by annotators */
  constructor(ofAnnotators) {
    this.ofAnnotators = ofAnnotators;
    /** @type {Map<number, Doc>} */
    this.opened = new Map();
  }

  /** @param {number} number */
  async open(number) {
    const doc = this.opened.get(number) ?? new Doc(await unpacked(`document-${number}`), number, this.ofAnnotators);
    this.opened.delete(number);
    this.opened.set(number, doc);
    const [oldest] = this.opened.keys();
    if (this.opened.size > KEPT) this.opened.delete(oldest);
    return doc;
  }
}
