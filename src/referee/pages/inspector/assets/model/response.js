// One response to a document: its annotation, and what happened to each mention and entity.

import { Annotation } from "./annotation.js";

/**
 * @import { CellsData, Costs, ResponseData, ResponseOverview, Scores } from "../payload.d.ts"
 * @import { Cells, Side } from "../types.d.ts"
 */

export class ScoredResponse {
  /**
   * @param {ResponseData} data
   * @param {Annotation} key
   * @param {string} letter - of the names of entities
   * @param {Scores} scores
   */
  constructor(data, key, letter, scores) {
    this.annotation = new Annotation(data.annotation, "R", key.tokens, letter);
    this.counterpart = data.counterpart;
    this.keyError = data.key_error;
    this.keySpanError = data.key_span_error;
    this.differing = new Set(data.differing);
    this.bestResponse = data.best_response;
    this.bestKey = data.best_key;
    this.errors = { ...data.errors, costs: fractions(data.errors.costs) };
    this.scores = scores;
    this.wrongPairs = data.wrong_pairs;
    this.answer = data.answer;
    this.keySize = key.size;
    this.keyCells = cellsOf(key.size.length, data.shared, data.shared_span_errors);
    const { size } = this.annotation;
    this.responseCells = cellsOf(size.length, transposed(data.shared), transposed(data.shared_span_errors));
    /** The key mention of each response mention. */
    this.keyMention = this.annotation.start.map(() => -1);
    for (const [mention, other] of data.counterpart.entries()) if (other >= 0) this.keyMention[other] = mention;
    const { key: keys, response: responses } = data.errors;
    this.errorsOf = {
      // An entity of the key has the spurious mentions of the entities that it is the best match of.
      K: grouped(keys.map((entity, n) => (entity >= 0 ? entity : data.best_key[responses[n]])), key.size.length),
      R: grouped(responses, size.length),
    };
    const { errorsOf, errors: { costs } } = this;
    this.costs = { K: ofEntities(data.key_costs, costs, errorsOf.K), R: ofEntities(data.response_costs, costs, errorsOf.R) };
  }

  /**
   * What an entity shares with those of the other side.
   *
   * @param {Side} side
   * @param {number} entity
   */
  cells(side, entity) {
    return (side === "K" ? this.keyCells : this.responseCells)[entity];
  }

  /**
   * The best-matching entity of the other side, -1 for none.
   *
   * @param {Side} side
   * @param {number} entity
   */
  bestMatch(side, entity) {
    return (side === "K" ? this.bestResponse : this.bestKey)[entity];
  }

  /**
   * The mention of the other side that a mention was matched with, or that has another span; -1 for none.
   *
   * @param {Side} side
   * @param {number} mention
   */
  otherMention(side, mention) {
    return (side === "K" ? this.counterpart : this.keyMention)[mention];
  }

  /**
   * The error that concerns a mention, -1 for none.
   *
   * @param {Side} side
   * @param {number} mention
   */
  errorOf(side, mention) {
    const key = side === "K" ? mention : this.keyMention[mention];
    if (key >= 0) return this.keyError[key] >= 0 ? this.keyError[key] : this.keySpanError[key];
    const of = this.errorsOf.R[this.annotation.entity[mention]];
    return of.find((error) => this.errors.key[error] < 0) ?? -1; // that it is spurious
  }

  /**
   * Whether a key mention was found with its span, in its entity.
   *
   * @param {number} mention
   */
  isCorrect(mention) {
    return this.counterpart[mention] >= 0 && this.keyError[mention] < 0 && this.keySpanError[mention] < 0;
  }

  /**
   * Whether a key mention was matched, span and all.
   *
   * @param {number} mention
   */
  isMatched(mention) {
    return this.counterpart[mention] >= 0 && this.keySpanError[mention] < 0;
  }

  /**
   * Whether the response has an entity of just these mentions.
   *
   * @param {number} key
   */
  isIdentical(key) {
    const [cell] = this.keyCells[key].exact;
    return cell?.shared === this.keySize[key] && cell.shared === this.annotation.size[cell.other];
  }
}

/**
 * Costs as fractions of the score.
 *
 * @param {Costs} costs - in hundred millionths
 * @returns {Costs}
 */
const fractions = (costs) => Object.fromEntries(
  Object.entries(costs).map(([metric, column]) => [metric, column.map((cost) => cost === null ? null : cost / 1e8)]));

/**
 * The costs of all errors of each entity.
 *
 * @param {Costs} listed - of entities with several errors, or with any, in hundred millionths
 * @param {Costs} ofErrors - each alone
 * @param {number[][]} errorsOf - of each entity
 */
function ofEntities(listed, ofErrors, errorsOf) {
  const several = errorsOf.filter((errors) => errors.length > 1).length;
  return Object.fromEntries(Object.entries(fractions(listed)).map(([metric, costs]) => {
    const all = costs.length > several;
    let next = 0;
    return [metric, errorsOf.map(({ length, 0: error }) =>
      !length ? null : all || length > 1 ? costs[next++] : ofErrors[metric][error])];
  }));
}

/**
 * The scores of a document.
 *
 * @param {ResponseOverview} response
 * @param {ResponseData} data
 * @param {number} document
 */
export function scoresOf({ by_document, sides }, data, document) {
  /** @type {Scores} */
  const scores = Object.fromEntries(
    Object.entries(by_document).map(([metric, values]) => [metric, [null, null, values[document]]]));
  for (const [n, metric] of sides.entries()) scores[metric].splice(0, 2, ...data.sides.slice(2 * n, 2 * n + 2));
  return scores;
}

/** @param {CellsData} cells */
const transposed = ([keys, responses, shared]) => /** @type {CellsData} */ ([responses, keys, shared]);

/**
 * The cells of each entity of one side, the largest first.
 *
 * @param {number} entities
 * @param {CellsData} exact
 * @param {CellsData} spanErrors
 */
function cellsOf(entities, exact, spanErrors) {
  const cells = Array.from({ length: entities }, () => /** @type {Cells} */ ({ exact: [], spanError: [] }));
  for (const [manner, [these, others, shared]] of /** @type {const} */ ([["exact", exact], ["spanError", spanErrors]])) {
    for (const [n, entity] of these.entries()) cells[entity][manner].push({ other: others[n], shared: shared[n] });
    for (const { [manner]: of } of cells) if (of.length > 1) of.sort((a, b) => b.shared - a.shared || a.other - b.other);
  }
  return cells;
}

/**
 * The places of each number; -1 has none.
 *
 * @param {number[]} numbers
 * @param {number} groups
 */
function grouped(numbers, groups) {
  const places = Array.from({ length: groups }, () => /** @type {number[]} */ ([]));
  for (const [place, group] of numbers.entries()) if (group >= 0) places[group].push(place);
  return places;
}
