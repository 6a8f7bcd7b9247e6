// Places as addresses, so that the back button works and a place can be sent to somebody: with the order of the lists, the
// filters and the search.

import { isNarrow } from "../basics/dom.js";
import { NO_FILTER, ORDERS, newFilter } from "../model/filter.js";
import { normalized } from "../model/tokens.js";

/**
 * @import { Corpus, Filter, Place, View } from "../types.d.ts"
 * @import { Doc } from "../model/document.js"
 */

const VIEWS = ["text", "entities", "errors", "changes", "merges", "annotators", "scores", "corrections"];

/**
 * The view if no other was asked for: of records the merges and splits; on a narrow page, which shows one thing at a time, the
 * text.
 *
 * @param {Corpus} corpus
 * @returns {View}
 */
export function firstView(corpus) {
  if (corpus.records) return isOffered(corpus, "merges") ? "merges" : "entities";
  return isNarrow() ? "text" : "entities";
}

/**
 * Whether a place is the overview of all annotators.
 *
 * @param {Corpus} corpus
 * @param {Pick<Place, "document" | "view">} place
 */
export const isOfEveryone = ({ agreement }, { document, view }) =>
  Boolean(agreement) && document < 0 && view === "annotators";

/**
 * An address as far as it makes sense. Names of entities and mentions need their document.
 *
 * @typedef {object} Address
 * @property {number} document
 * @property {number} response
 * @property {View} view
 * @property {string | null} unknown - a document that is not here
 * @property {string} entity - what it is called: K1, or entity 7 by its id in the file, or 7 of the key; or nothing
 * @property {number} mention - in the entity, counted from 1; 0 for none
 * @property {Filter} filter
 * @property {string} query - of the search
 */

/**
 * @param {Corpus} corpus
 * @param {string} hash
 * @returns {Address}
 */
export function readAddress(corpus, hash) {
  const found = new URLSearchParams(hash.slice(1));
  const name = found.get("doc");
  const asked = (/** @type {string[]} */ ...parts) => parts.some((part) => found.has(part));
  const onlyOne = corpus.documents.length === 1 && !asked("overview") && (!corpus.agreement || asked("view", "entity"));
  const number = name === null ? (onlyOne ? 0 : -1) : documentNamed(corpus, name);
  const everyone = corpus.agreement && number < 0 && !asked("view", "first", "response");
  const response = Number(found.get("response") ?? 1) - 1;
  const mention = found.get("mention") ?? "";
  return {
    document: number,
    response: response in corpus.responses ? response : 0,
    view: everyone ? "annotators" : viewNamed(corpus, found.get("view") ?? ""),
    unknown: number < 0 ? name : null,
    entity: normalized(found.get("entity") ?? ""),
    mention: /^[1-9][0-9]{0,8}$/.test(mention) ? Number(mention) : 0,
    filter: readFilter(corpus, found),
    query: found.get("q") ?? "",
  };
}

/**
 * The number of a document, -1 if it is not here. A document with one part may be named with the part, NAME_0, or without.
 *
 * @param {Corpus} corpus
 * @param {string} name
 */
const documentNamed = ({ documentNumber }, name) =>
  documentNumber.get(name) ?? documentNumber.get(`${name}_0`) ?? documentNumber.get(name.replace(/_0$/, "")) ?? -1;

/** @param {Corpus} corpus */
const typeNames = ({ mention_types: types }) => types.map((name) => name || "unknown");

/**
 * @param {Corpus} corpus
 * @param {URLSearchParams} found
 * @returns {Filter}
 */
function readFilter(corpus, found) {
  const filter = newFilter(corpus);
  const [order, size, metric] = ["order", "size", "cost"].map((name) => found.get(name) ?? "");
  if (Object.hasOwn(ORDERS, order)) filter.order = order;
  if (/^[1-9][0-9]{0,4}(-[1-9][0-9]{0,4})?$/.test(size)) filter.size = size;
  if (corpus.metrics_with_costs.includes(metric)) filter.metric = metric;
  filter.kind = corpus.kinds.indexOf(found.get("errors") ?? "");
  filter.mentionType = typeNames(corpus).indexOf(found.get("type") ?? "");
  filter.sort = found.get("sort") ?? "";
  filter.onlyErrors = found.get("only") === "errors";
  const layers = (found.get("show") ?? "").split(" ");
  filter.heads = layers.includes("heads");
  filter.relations = layers.includes("relations");
  filter.noEmptyNodes = found.get("hide") === "empty";
  filter.entityType = found.get("class") ?? "";
  return filter;
}

/**
 * What is not as on a new page.
 *
 * @param {Corpus} corpus
 * @param {Filter} filter
 * @param {boolean} inside - a document, or the list of all errors
 * @returns {[name: string, value: string][]}
 */
function filterParts(corpus, filter, inside) {
  const unset = newFilter(corpus);
  /** @type {[string, string, boolean][]} */
  const parts = [
    ["order", filter.order, inside && filter.order !== unset.order],
    ["errors", corpus.kinds[filter.kind], inside && filter.kind !== NO_FILTER.kind],
    ["type", typeNames(corpus)[filter.mentionType], inside && filter.mentionType !== NO_FILTER.mentionType],
    ["size", filter.size, inside && filter.size !== NO_FILTER.size],
    ["cost", filter.metric, filter.metric !== unset.metric],
    ["sort", filter.sort, !inside && filter.sort !== ""],
    ["class", filter.entityType, inside && filter.entityType !== ""],
    ["only", "errors", filter.onlyErrors],
    ["show", [filter.heads && "heads", filter.relations && "relations"].filter(Boolean).join(" "),
      filter.heads || filter.relations],
    ["hide", "empty", filter.noEmptyNodes],
  ];
  return parts.flatMap(([name, value, isSet]) => (isSet ? [[name, value]] : []));
}

/**
 * @param {Corpus} corpus
 * @param {string} name
 */
function viewNamed(corpus, name) {
  const view = VIEWS.includes(name) ? /** @type {View} */ (name) : firstView(corpus);
  return isOffered(corpus, view) ? view : "entities";
}

/**
 * Whether a page has a use for a view.
 *
 * @param {Corpus} corpus
 * @param {View} view
 */
export function isOffered({ alone, annotators, corrects, items, responses }, view) {
  switch (view) {
    case "text": case "entities": return true;
    case "changes": return responses.length > 1 && !annotators.length;
    case "merges": return items && !alone;
    case "annotators": return annotators.length > 0;
    case "corrections": return Boolean(corrects);
    default: return !alone;
  }
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
  const found = name ? doc.named(name, doc.responses[response]) ?? doc.named(`entity ${name}`, null) : null;
  if (!found) return { side: "", entity: -1, mention: -1 };
  const { members } = doc.annotation(found.side, doc.responses[response]);
  return { ...found, mention: members[found.entity][mention - 1] ?? -1 };
}

/**
 * @param {Corpus} corpus
 * @param {Doc | null} doc
 * @param {Place} place
 * @param {Filter} filter
 * @param {string} query
 */
export function addressOf(corpus, doc, place, filter, query) {
  const found = new URLSearchParams();
  if (doc) found.set("doc", corpus.documents[place.document]);
  else if (corpus.documents.length === 1) found.set("overview", "");
  if (corpus.first) found.set("first", String(corpus.first + 1));
  const everyone = isOfEveryone(corpus, place);
  const pair = corpus.agreement && !corpus.first && place.document < 0 && !everyone; // beside the overview of all
  if ((place.response || pair) && !everyone) found.set("response", String(place.response + 1));
  if (doc && place.side !== "" && place.entity >= 0) {
    const annotation = doc.annotation(place.side, doc.responses[place.response]);
    found.set("entity", annotation.address(place.entity));
    if (place.mention >= 0) found.set("mention", String(annotation.members[place.entity].indexOf(place.mention) + 1));
  }
  const listed = Boolean(doc) || place.view === "errors"; // errors of the document, or of all
  if (listed && place.view !== firstView(corpus)) found.set("view", place.view);
  for (const [name, value] of filterParts(corpus, filter, listed)) found.set(name, value);
  if (query) found.set("q", query);
  return `#${found}`;
}
