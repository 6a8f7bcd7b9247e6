// A document as it is after corrections: the key anew, and beside it each response, with the errors that are still open.

import { Doc } from "../model/document.js";
import { placeOf } from "./state.js";

/**
 * @import { AnnotationData, CellsData, ErrorData, ResponseData } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 * @import { ScoredResponse } from "../model/response.js"
 * @import { State } from "./state.js"
 * @typedef {{ mention: Map<number, number>, entity: Map<number, number> }} Numbers - new numbers by those of the key before
 */

/**
 * @param {Corpus} corpus
 * @param {Doc} base - without corrections
 * @param {State} state
 * @param {Set<string>} kept - errors in which the key is right, as `signature` calls them
 * @returns {Doc}
 */
export function editedDoc(corpus, base, state, kept) {
  const { key, ids, numbers } = editedKey(base, state);
  const responses = base.data.responses.map((data, n) => {
    const response = base.responses[n];
    return data && response && editedResponse(corpus, base, response, data, state, key, numbers, kept);
  });
  const data = { ...base.data, key, responses };
  const doc = new Doc(data, base.number, corpus.responses, corpus.annotators.length ? corpus.first : null);
  const before = new Map((base.data.key.entity_ids ?? []).map((id, entity) => [id, entity]));
  const numberOf = (/** @type {string} */ id) => Number(base.key.numberOf(id));
  const last = Math.max(0, ...(base.key.byId ? [...before.keys()].map(numberOf) : base.key.number));
  let added = 0;
  for (const [entity, id] of ids.entries()) {
    const old = before.get(id);
    if (old === undefined) added++;
    doc.key.number[entity] = old === undefined ? last + added : base.key.byId ? numberOf(id) : base.key.number[old];
    doc.rank[entity] = old === undefined ? base.key.size.length + added - 1 : base.rank[old];
  }
  doc.key.byId = false; // the numbers are the ids, and those that new entities will probably get
  doc.key.hidesIds = base.key.byId;
  doc.before = base;
  doc.changed = new Set([...state.mentions.keys()].filter((n) => state.mentions[n].changed || state.mentions[n].comment));
  return doc;
}

/**
 * @param {Doc} base
 * @param {State} state
 * @returns {{ key: AnnotationData, ids: string[], numbers: Numbers }}
 */
function editedKey({ data: { key, names }, tokens }, { mentions, merged, ids: all }) {
  const used = new Set(mentions.map(({ entity }) => entity));
  const ids = [...all].filter((id) => used.has(id));
  const place = new Map(ids.map((id, n) => [id, n]));
  const old = key.entity_ids ?? [];
  /** @type {Numbers} */
  const numbers = { mention: new Map(), entity: new Map() };
  for (const [n, { origin }] of mentions.entries()) if (origin >= 0) numbers.mention.set(origin, n);
  for (const [n, id] of old.entries()) if (place.has(id) && !merged.has(id)) numbers.entity.set(n, place.get(id) ?? -1);
  const oldEntity = new Map(old.map((id, n) => [id, n]));
  const entity = mentions.map((mention) => place.get(mention.entity) ?? -1);
  const size = ids.map(() => 0);
  for (const e of entity) size[e]++;
  const discontinuous = mentions.flatMap(({ spans }, n) => (spans.length > 1 ? [[n, spans]] : []));
  const same = (/** @type {State["mentions"][number]} */ { origin, spans }) =>
    origin >= 0 && spans[0][0] === key.start[origin] && (spans.at(-1)?.[1] ?? 0) === key.end[origin];
  const ofSame = (/** @type {number[] | undefined} */ column, /** @type {number} */ nothing) =>
    column && mentions.map((mention) => (same(mention) ? column[mention.origin] : nothing));
  const types = key.entity_types;
  const movedPairs = (/** @type {number[]} */ a, /** @type {number[]} */ b, /** @type {Map<number, number>} */ to) =>
    a.flatMap((one, n) => (to.has(one) && to.has(b[n]) ? [n] : []));
  const [anaphors, antecedents, relations] = key.bridging ?? [[], [], []];
  const bridges = movedPairs(anaphors, antecedents, numbers.mention);
  const [wholes, elements] = key.split_antecedents ?? [[], []];
  const splits = movedPairs(wholes, elements, numbers.entity);
  const to = (/** @type {Map<number, number>} */ map, /** @type {number[]} */ from, /** @type {number[]} */ rows) =>
    rows.map((n) => map.get(from[n]) ?? -1);
  return {
    ids, numbers,
    key: {
      start: mentions.map(({ spans }) => spans[0][0]),
      end: mentions.map(({ spans }) => spans.at(-1)?.[1] ?? 0),
      entity, size, entity_ids: ids,
      entity_types: types && ids.map((id) => types[oldEntity.get(id) ?? -1] ?? ""),
      spans: discontinuous.length ? Object.fromEntries(discontinuous) : undefined,
      heads: ofSame(key.heads, -1),
      mention_types: ofSame(key.mention_types, 0),
      reasons: key.reasons && mentions.map(({ origin }) => key.reasons?.[origin] ?? ""),
      texts: key.texts && mentions.map(({ spans }) => textOf(spans, tokens, names ?? null)),
      bridging: [to(numbers.mention, anaphors, bridges), to(numbers.mention, antecedents, bridges),
        bridges.map((n) => relations[n])],
      split_antecedents: [to(numbers.entity, wholes, splits), to(numbers.entity, elements, splits)],
      non_referring: to(numbers.entity, key.non_referring ?? [], [...(key.non_referring ?? []).keys()]).filter((n) => n >= 0),
    },
  };
}

/**
 * The text of a mention as corrections have it: the tokens of the key.
 *
 * @param {import("./state.js").Spans} spans
 * @param {string[]} tokens
 * @param {import("./state.js").Names} names
 */
export const textOf = (spans, tokens, names) => spans.map(([start, end]) =>
  tokens.slice(start, end).filter((_, n) => !names || names[start + n] !== null).join(" ")).join(" … ");

/**
 * What an error is called, whatever page it is on.
 *
 * @param {Corpus} corpus
 * @param {Doc} base
 * @param {ScoredResponse} response
 * @param {number} error
 */
export function signature(corpus, { key }, { annotation, errors }, error) {
  const [k, r] = [errors.key_mention[error], errors.response_mention[error]];
  const place = (/** @type {string} */ text) => text || "-";
  return [corpus.kinds[errors.kind[error]], place(k < 0 ? "" : placeOf(key.spans(k))),
    place(r < 0 ? "" : placeOf(annotation.spans(r)))].join("/");
}

/** @type {WeakMap<ScoredResponse, { key: number[], response: number[] }[]>} */
const memo = new WeakMap();

/**
 * The mentions of each error: of the key, or those of the response that the key does not have.
 *
 * @param {ScoredResponse} response
 */
function mentionsOfErrors(response) {
  const there = memo.get(response);
  if (there) return there;
  const of = response.errors.kind.map(() => ({ key: /** @type {number[]} */ ([]), response: /** @type {number[]} */ ([]) }));
  for (const errors of [response.keyError, response.keySpanError]) {
    for (const [mention, error] of errors.entries()) if (error >= 0) of[error].key.push(mention);
  }
  for (const [mention, other] of response.keyMention.entries()) {
    const error = other < 0 ? response.errorOf("R", mention) : -1;
    if (error >= 0) of[error].response.push(mention);
  }
  memo.set(response, of);
  return of;
}

/**
 * The mentions of each error that are still to be settled.
 *
 * @param {Corpus} corpus
 * @param {Doc} base
 * @param {ScoredResponse} response
 * @param {State} state
 * @param {Set<string>} kept
 */
export function openMentions(corpus, base, response, state, kept) {
  const places = new Set(state.mentions.map(({ spans }) => placeOf(spans)));
  return mentionsOfErrors(response).map((of, error) => {
    if (kept.size && kept.has(signature(corpus, base, response, error))) return { key: [], response: [] };
    return {
      key: of.key.filter((mention) => !state.settled.has(mention)),
      response: of.response.filter((mention) => !places.has(placeOf(response.annotation.spans(mention)))),
    };
  });
}

/**
 * @param {Corpus} corpus
 * @param {Doc} base
 * @param {ScoredResponse} response
 * @param {ResponseData} data
 * @param {State} state
 * @param {AnnotationData} key
 * @param {Numbers} numbers
 * @param {Set<string>} kept
 * @returns {ResponseData}
 */
function editedResponse(corpus, base, response, data, state, key, numbers, kept) {
  const open = openMentions(corpus, base, response, state, kept);
  const errors = [...open.keys()].filter((n) => open[n].key.length || open[n].response.length);
  const number = new Map(errors.map((error, n) => [error, n]));
  const counterpart = counterparts(response, data, state);
  const errorOf = (/** @type {number[]} */ column) => state.mentions.map(({ origin, changed }) =>
    (origin < 0 || changed ? -1 : number.get(column[origin]) ?? -1));
  const [error, spanError] = [errorOf(data.key_error), errorOf(data.key_span_error)];
  const size = response.annotation.size.length;
  const entity = response.annotation.entity;
  const shared = cells(key, counterpart, entity, (n) => spanError[n] < 0);
  const spanErrors = cells(key, counterpart, entity, (n) => spanError[n] >= 0);
  const first = (/** @type {number} */ n) => open[n].key[0] ?? -1;
  const bestResponse = best(key.size.length, shared, spanErrors);
  const bestKey = best(size, flipped(shared), flipped(spanErrors));
  /** Whether the error of a mention is settled, and the response has the mention elsewhere still, or with another span. */
  const differs = (/** @type {number} */ n) => {
    const { origin, changed, spans } = state.mentions[n];
    const other = counterpart[n];
    const had = changed || data.key_error[origin] >= 0 || data.key_span_error[origin] >= 0;
    return had && other >= 0 && error[n] < 0 && spanError[n] < 0
      && (bestResponse[key.entity[n]] !== entity[other] || bestKey[entity[other]] !== key.entity[n]
        || placeOf(spans) !== placeOf(response.annotation.spans(other)));
  };
  return {
    ...data,
    counterpart,
    key_error: error,
    key_span_error: spanError,
    differing: [...state.mentions.keys()].filter(differs),
    best_response: bestResponse,
    best_key: bestKey,
    shared, shared_span_errors: spanErrors,
    errors: /** @type {ErrorData} */ ({
      kind: errors.map((n) => data.errors.kind[n]),
      key: errors.map((n) => (first(n) < 0 ? -1 : key.entity[numbers.mention.get(first(n)) ?? 0])),
      response: errors.map((n) => data.errors.response[n]),
      key_mention: errors.map((n) => (first(n) < 0 ? -1 : numbers.mention.get(first(n)) ?? -1)),
      response_mention: errors.map((n) =>
        (open[n].response[0] ?? (first(n) < 0 ? -1 : data.counterpart[first(n)]))),
      mentions: errors.map((n) => open[n].key.length || open[n].response.length),
      mention_type: errors.map((n) => data.errors.mention_type[n]),
      costs: Object.fromEntries(Object.entries(data.errors.costs).map(([metric, costs]) =>
        [metric, errors.map((n) => costs[n])])),
    }),
    key_costs: {}, response_costs: {},
  };
}

/**
 * The mention of the response that each mention was matched with, or that has the span of one that is new.
 *
 * @param {ScoredResponse} response
 * @param {ResponseData} data
 * @param {State} state
 */
function counterparts({ annotation }, { counterpart, key_span_error: spanError }, { mentions }) {
  const taken = new Set();
  const result = mentions.map(({ origin, changed }) => {
    const other = origin < 0 || (changed && spanError[origin] >= 0) ? -1 : counterpart[origin];
    if (other >= 0 && !changed) taken.add(other);
    return changed ? -1 : other;
  });
  const changed = [...mentions.keys()].filter((n) => mentions[n].changed);
  if (!changed.length) return result;
  const there = new Map([...annotation.start.keys()].filter((n) => !taken.has(n))
    .map((n) => /** @type {[string, number]} */ ([placeOf(annotation.spans(n)), n])).reverse());
  for (const n of changed) {
    const place = placeOf(mentions[n].spans);
    result[n] = there.get(place) ?? -1;
    there.delete(place);
  }
  return result;
}

/**
 * How many mentions each pair of entities shares.
 *
 * @param {AnnotationData} key
 * @param {number[]} counterpart
 * @param {number[]} entity - of the mentions of the response
 * @param {(mention: number) => boolean} counts
 * @returns {CellsData}
 */
function cells(key, counterpart, entity, counts) {
  /** @type {Map<number, Map<number, number>>} */
  const table = new Map();
  for (const [n, other] of counterpart.entries()) {
    if (other < 0 || !counts(n)) continue;
    const row = table.get(key.entity[n]) ?? new Map();
    row.set(entity[other], (row.get(entity[other]) ?? 0) + 1);
    table.set(key.entity[n], row);
  }
  const rows = [...table].flatMap(([k, row]) => [...row].map(([r, shared]) => [k, r, shared]));
  return [rows.map(([k]) => k), rows.map(([, r]) => r), rows.map(([, , shared]) => shared)];
}

/** @param {CellsData} cells @returns {CellsData} */
const flipped = ([a, b, shared]) => [b, a, shared];

/**
 * The entity of the other side with which each shares the most.
 *
 * @param {number} entities
 * @param {CellsData} exact
 * @param {CellsData} spanErrors
 */
function best(entities, exact, spanErrors) {
  const most = Array.from({ length: entities }, () => 0);
  const result = most.map(() => -1);
  for (const [ours, others, shared] of [exact, spanErrors]) {
    for (const [n, entity] of ours.entries()) {
      const isBetter = shared[n] > most[entity] || (shared[n] === most[entity] && others[n] < result[entity]);
      if (isBetter && (ours === exact[0] || !exact[0].includes(entity))) {
        [result[entity], most[entity]] = [others[n], shared[n]];
      }
    }
  }
  return result;
}
