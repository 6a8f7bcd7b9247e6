// A document while it is corrected, as functions on values: a state and a change give a state. Changes are those of the file of
// corrections, and `corrections/drafting.py` makes the same of them: an entity has a span once, so a mention that comes to an
// entity that has its span already is that mention.

/**
 * @import { AnnotationData } from "../payload.d.ts"
 * @typedef {[start: number, end: number][]} Spans
 * @typedef {(number | string | null)[] | null} Names - what corrections call each token; null where that is its number
 * @typedef {([number, number] | string)[]} Address
 * @typedef {{ spans: Address, text: string }} MentionAddress
 * @typedef {{ op: "move", mention: MentionAddress, from: string, to: string }
 *   | { op: "add", mention: MentionAddress, to: string }
 *   | { op: "remove", mention: MentionAddress, from: string }
 *   | { op: "span", mention: MentionAddress, in: string, spans: Address }
 *   | { op: "merge", entity: string, into: string }
 *   | { op: "comment", mention: MentionAddress, in: string, text: string }} Change
 * @typedef {object} EditedMention
 * @property {number} origin - its number in the key, -1 for a new one
 * @property {Spans} spans
 * @property {string} entity - its id
 * @property {boolean} changed
 * @property {string} comment
 * @typedef {object} State
 * @property {EditedMention[]} mentions
 * @property {Set<number>} settled - mentions of the key that were changed or removed
 * @property {Set<string>} merged - entities that are part of another one
 * @property {Set<string>} ids - of all entities that there were
 */

/** @param {Spans} spans */
export const placeOf = (spans) => spans.join(" ");

/**
 * What a key says before any change.
 *
 * @param {AnnotationData} key
 * @returns {State}
 */
export function initial({ start, end, entity, entity_ids: ids = [], spans }) {
  const mentions = start.map((from, n) => ({
    origin: n, spans: spans?.[n] ?? /** @type {Spans} */ ([[from, end[n]]]), entity: ids[entity[n]],
    changed: false, comment: "",
  }));
  return { mentions, settled: new Set(), merged: new Set(), ids: new Set(ids) };
}

/**
 * @param {Spans} spans
 * @param {Names} names
 * @returns {Address}
 */
export function addressOf(spans, names) {
  const tokens = spans.flatMap(([start, end]) => Array.from({ length: end - start }, (_, n) => start + n));
  const parts = tokens.map((token) => (names ? names[token] : token)).filter((name) => name !== null);
  const words = joined(parts.filter((name) => typeof name === "number"));
  return [...words, ...parts.filter((name) => typeof name === "string")];
}

/**
 * @param {Address} address
 * @param {Names} names
 * @returns {Spans} - empty if the document has no such tokens
 */
export function spansOf(address, names) {
  const parts = address.flatMap((part) =>
    /** @type {(number | string)[]} */ (
      typeof part === "string" ? [part] : Array.from({ length: part[1] - part[0] }, (_, n) => part[0] + n)));
  const tokens = parts.map((name) => (names ? names.indexOf(name) : Number(name)));
  return tokens.includes(-1) ? [] : joined(tokens, names ? (token) => names[token] === null : () => false);
}

/**
 * Spans of tokens, those that touch joined.
 *
 * @param {number[]} tokens
 * @param {(token: number) => boolean} [passes] - tokens that may be between them
 * @returns {Spans}
 */
function joined(tokens, passes = () => false) {
  /** @type {Spans} */
  const spans = [];
  for (const token of tokens.slice().sort((a, b) => a - b)) {
    const last = spans.at(-1);
    let after = last?.[1] ?? -1;
    while (last && after < token && passes(after)) after++;
    if (last && after >= token) last[1] = token + 1;
    else spans.push([token, token + 1]);
  }
  return spans;
}

/**
 * The mention that a change is about, -1 for none.
 *
 * @param {State} state
 * @param {Spans} spans
 * @param {string} entity
 */
export function find({ mentions }, spans, entity) {
  const place = placeOf(spans);
  return mentions.findIndex((mention) => mention.entity === entity && placeOf(mention.spans) === place);
}

/**
 * The state after a change; null if the change does not fit.
 *
 * @param {State} state
 * @param {Change} change
 * @param {Names} names
 * @returns {State | null}
 */
export function after(state, change, names) {
  if ("to" in change && state.merged.has(change.to)) return null;
  if (change.op === "merge") return merged(state, change.entity, change.into);
  const spans = spansOf(change.mention.spans, names);
  if (!spans.length) return null;
  const ids = "to" in change ? new Set([...state.ids, change.to]) : state.ids;
  if (change.op === "add") {
    if (find(state, spans, change.to) >= 0) return null;
    const added = { origin: -1, spans, entity: change.to, changed: true, comment: "" };
    return { ...state, ids, mentions: [...state.mentions, added] };
  }
  const n = find(state, spans, "from" in change ? change.from : change.in);
  if (n < 0) return null;
  const mention = state.mentions[n];
  const settled = mention.origin < 0 ? state.settled : new Set([...state.settled, mention.origin]);
  const mentions = state.mentions.slice();
  if (change.op === "comment") {
    mentions[n] = { ...mention, comment: change.text };
    return { ...state, mentions };
  }
  const place = change.op === "span" ? spansOf(change.spans, names) : spans;
  if (!place.length) return null;
  const entity = change.op === "move" ? change.to : mention.entity;
  const isThere = change.op !== "remove" && find({ ...state, mentions: mentions.toSpliced(n, 1) }, place, entity) >= 0;
  if (change.op === "remove" || isThere) mentions.splice(n, 1);
  else mentions[n] = { ...mention, spans: place, entity, changed: true };
  return { ...state, ids, settled, mentions };
}

/**
 * @param {State} state
 * @param {string} entity
 * @param {string} into
 * @returns {State | null}
 */
function merged(state, entity, into) {
  const has = (/** @type {string} */ id) => state.mentions.some((mention) => mention.entity === id);
  if (entity === into || !has(entity) || !has(into)) return null;
  const there = new Set(state.mentions.filter((mention) => mention.entity === into).map(({ spans }) => placeOf(spans)));
  const settled = new Set(state.settled);
  const mentions = state.mentions.flatMap((mention) => {
    if (mention.entity !== entity) return [mention];
    if (mention.origin >= 0) settled.add(mention.origin);
    const place = placeOf(mention.spans);
    if (there.has(place)) return [];
    there.add(place);
    return [{ ...mention, entity: into, changed: true }];
  });
  return { ...state, mentions, settled, merged: new Set([...state.merged, entity]) };
}

/**
 * An id for an entity that is new.
 *
 * @param {State} state
 */
export function newId({ ids }) {
  for (let n = 1; ; n++) if (!ids.has(`new${n}`)) return `new${n}`;
}

/**
 * That the key is right in an error, as `signature` of `edited.js` calls it; this browser alone remembers it.
 *
 * @typedef {{ op: "keep", error: string }} Keep
 */

/**
 * What was done, step by step, and how much of it is not undone. A step has the changes of one action.
 *
 * @typedef {{ steps: (Change | Keep)[][], at: number, done: boolean }} History
 */

/** @type {History} */
export const NOTHING = { steps: [], at: 0, done: false };

/**
 * @param {History} history
 * @param {(Change | Keep)[]} changes
 * @returns {History}
 */
export const withStep = (history, changes) =>
  ({ ...history, steps: [...history.steps.slice(0, history.at), changes], at: history.at + 1 });

/**
 * One step back, or forward again.
 *
 * @param {History} history
 * @param {1 | -1} by
 * @returns {History}
 */
export const moved = (history, by) =>
  ({ ...history, at: Math.max(0, Math.min(history.steps.length, history.at + by)) });

/**
 * The changes that hold, for a file.
 *
 * @param {History} history
 * @returns {Change[]}
 */
export const changesIn = ({ steps, at }) => steps.slice(0, at).flat().filter((change) => change.op !== "keep");

/**
 * The errors in which the key is right.
 *
 * @param {History} history
 */
export const keptIn = ({ steps, at }) =>
  new Set(steps.slice(0, at).flat().flatMap((change) => (change.op === "keep" ? [change.error] : [])));

/**
 * The state after a step.
 *
 * @param {State} state
 * @param {(Change | Keep)[]} changes
 * @param {Names} names
 */
export const afterStep = (state, changes, names) => changes.reduce(
  (/** @type {State} */ now, change) => (change.op === "keep" ? now : after(now, change, names) ?? now), state);
