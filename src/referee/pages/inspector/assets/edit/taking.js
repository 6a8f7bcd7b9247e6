// The other side's version of an error, as changes of the key.

import { openMentions, textOf } from "./edited.js";
import { addressOf, newId, placeOf } from "./state.js";

/**
 * @import { Corpus } from "../types.d.ts"
 * @import { Doc } from "../model/document.js"
 * @import { ScoredResponse } from "../model/response.js"
 * @import { Change, Spans, State } from "./state.js"
 */

/**
 * A mention as changes call it.
 *
 * @param {Doc} base
 * @param {Spans} spans
 */
export const called = ({ data: { names, tokens } }, spans) =>
  ({ spans: addressOf(spans, names ?? null), text: textOf(spans, tokens, names ?? null) });

/**
 * What the key becomes where it takes the other side's version of an error.
 *
 * @param {Corpus} corpus
 * @param {Doc} base
 * @param {ScoredResponse} response - beside the key without corrections
 * @param {number} error
 * @param {State} state
 * @param {Set<string>} kept
 * @returns {Change[]}
 */
export function versionOf(corpus, base, response, error, state, kept) {
  const open = openMentions(corpus, base, response, state, kept)[error];
  const { annotation, errors } = response;
  const kind = corpus.kinds[errors.kind[error]];
  const now = new Map(state.mentions.map((mention) => [mention.origin, mention]));
  const mentions = open.key.flatMap((n) => now.get(n) ?? []);
  if (kind === "missed" || kind === "missed_entity") {
    return mentions.map(({ spans, entity }) => ({ op: "remove", mention: called(base, spans), from: entity }));
  }
  if (kind === "span") {
    return mentions.map(({ origin, spans, entity }) => ({
      op: "span", mention: called(base, spans), in: entity,
      spans: addressOf(/** @type {Spans} */ (annotation.spans(response.counterpart[origin])), base.data.names ?? null),
    }));
  }
  const r = errors.response[error];
  const to = entityThere(response, r, state, new Set(mentions.map(({ spans }) => placeOf(spans))));
  if (open.response.length) {
    return open.response.map((n) =>
      ({ op: "add", mention: called(base, /** @type {Spans} */ (annotation.spans(n))), to: to || newId(state) }));
  }
  const [{ entity: from } = { entity: "" }] = mentions;
  const isWhole = mentions.every(({ entity }) => entity === from)
    && state.mentions.filter(({ entity }) => entity === from).length === mentions.length;
  if (to && to !== from && isWhole) return [{ op: "merge", entity: from, into: to }];
  const target = to && to !== from ? to : newId(state);
  return mentions.map(({ spans, entity }) => ({ op: "move", mention: called(base, spans), from: entity, to: target }));
}

/**
 * The entity of the key that an entity of the response shares the most other mentions with; empty for none.
 *
 * @param {ScoredResponse} response
 * @param {number} r
 * @param {State} state
 * @param {Set<string>} without - places of mentions
 */
function entityThere({ annotation }, r, state, without) {
  const places = new Set(annotation.members[r].map((n) => placeOf(/** @type {Spans} */ (annotation.spans(n)))));
  /** @type {Map<string, number>} */
  const shared = new Map();
  for (const { spans, entity } of state.mentions) {
    const place = placeOf(spans);
    if (places.has(place) && !without.has(place)) shared.set(entity, (shared.get(entity) ?? 0) + 1);
  }
  const [most] = [...shared].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? "";
}

/**
 * What the key becomes where it takes somebody's version of one mention.
 *
 * @param {Doc} base
 * @param {ScoredResponse} response
 * @param {Spans} spans - of the mention
 * @param {State} state
 * @returns {Change[]}
 */
export function acceptedFrom(base, response, spans, state) {
  const place = placeOf(spans);
  const { annotation } = response;
  const theirs = [...annotation.start.keys()].find((n) => placeOf(/** @type {Spans} */ (annotation.spans(n))) === place);
  const ours = state.mentions.filter((mention) => placeOf(mention.spans) === place);
  const mention = called(base, spans);
  if (theirs === undefined) return ours.map(({ entity }) => ({ op: "remove", mention, from: entity }));
  const to = entityThere(response, annotation.entity[theirs], state, new Set([place]));
  if (!ours.length) return [{ op: "add", mention, to: to || newId(state) }];
  const [{ entity }] = ours;
  const isAlone = state.mentions.filter((other) => other.entity === entity).length === 1;
  if (to === entity || (!to && isAlone)) return [];
  return [{ op: "move", mention, from: entity, to: to || newId(state) }];
}
