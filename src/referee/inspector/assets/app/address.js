// Places as addresses, so that the back button works and a place can be sent to somebody.

/**
 * @import { Corpus, Place, Side, View } from "../types.d.ts"
 * @import { Doc } from "../model/document.js"
 */

const VIEWS = ["text", "entities", "errors", "changes", "scores"];

const narrow = matchMedia("(max-width: 900px)");

/**
 * The view if no other was asked for: on a narrow page, which shows one thing at a time, the text.
 *
 * @returns {View}
 */
const firstView = () => (narrow.matches ? "text" : "entities");

/**
 * An address as far as it makes sense. Names of entities and mentions need their document.
 *
 * @typedef {object} Address
 * @property {number} document
 * @property {number} response
 * @property {View} view
 * @property {string | null} unknown - a document that is not here
 * @property {string} entity - its name, K1 for example, or nothing
 * @property {number} mention - in the entity, counted from 1; 0 for none
 */

/**
 * @param {Corpus} corpus
 * @param {string} hash
 * @returns {Address}
 */
export function readAddress(corpus, hash) {
  const found = new URLSearchParams(hash.slice(1));
  const name = found.get("doc");
  const onlyOne = corpus.documents.length === 1 && !found.has("overview");
  const number = name === null ? (onlyOne ? 0 : -1) : (corpus.documentNumber.get(name) ?? -1);
  const response = Number(found.get("response") ?? 1) - 1;
  const entity = found.get("entity") ?? "";
  const mention = found.get("mention") ?? "";
  return {
    document: number,
    response: response in corpus.responses ? response : 0,
    view: viewNamed(corpus, found.get("view") ?? ""),
    unknown: number < 0 ? name : null,
    entity: /^[KR][1-9][0-9]{0,8}$/.test(entity) ? entity : "",
    mention: /^[1-9][0-9]{0,8}$/.test(mention) ? Number(mention) : 0,
  };
}

/**
 * @param {Corpus} corpus
 * @param {string} name
 */
function viewNamed(corpus, name) {
  const view = VIEWS.includes(name) ? /** @type {View} */ (name) : firstView();
  return view === "changes" && corpus.responses.length < 2 ? "entities" : view;
}

/**
 * The entity and mention that an address names, if they are there.
 *
 * @param {Doc} doc
 * @param {Address} address
 * @param {number} response
 * @returns {Pick<Place, "side" | "entity" | "mention">}
 */
export function selectionOf(doc, { entity: name, mention }, response) {
  const side = /** @type {Side} */ (name[0]);
  const annotation = name ? doc.annotation(side, doc.responses[response]) : null;
  const entity = annotation?.inOrder[Number(name.slice(1)) - 1];
  if (!annotation || entity === undefined) return { side: "", entity: -1, mention: -1 };
  return { side, entity, mention: annotation.members[entity][mention - 1] ?? -1 };
}

/**
 * @param {Corpus} corpus
 * @param {Doc | null} doc
 * @param {Place} place
 */
export function addressOf(corpus, doc, place) {
  const found = new URLSearchParams();
  if (doc) found.set("doc", corpus.documents[place.document]);
  else if (corpus.documents.length === 1) found.set("overview", "");
  if (place.response) found.set("response", String(place.response + 1));
  if (doc && place.side !== "" && place.entity >= 0) {
    const annotation = doc.annotation(place.side, doc.responses[place.response]);
    found.set("entity", annotation.name(place.entity));
    if (place.mention >= 0) found.set("mention", String(annotation.members[place.entity].indexOf(place.mention) + 1));
  }
  if (doc && place.view !== firstView()) found.set("view", place.view);
  return `#${found}`;
}
