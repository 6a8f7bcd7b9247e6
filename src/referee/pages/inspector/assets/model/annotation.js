// One side of a document: its mentions, and its entities in the order of their first mentions.

import { visible } from "../basics/visible.js";
import { joined } from "./tokens.js";

/**
 * @import { AnnotationData } from "../payload.d.ts"
 * @import { Side } from "../types.d.ts"
 */

const NUMBER = /^[0-9]{1,8}$/;

export class Annotation {
  /**
   * @param {AnnotationData} data
   * @param {Side} side
   * @param {string[]} tokens - of the page
   * @param {string} letter - of the names of entities
   */
  constructor(data, side, tokens, letter = side) {
    this.side = side;
    this.letter = letter;
    this.tokens = tokens;
    this.start = data.start;
    this.end = data.end;
    this.entity = data.entity;
    this.size = data.size;
    this.entityIds = data.entity_ids;
    this.byId = data.by_id !== undefined;
    this.idPrefix = data.by_id ?? "";
    this.hidesIds = this.byId; // as the names of entities say them
    this.entityTypes = data.entity_types;
    this.mentionTypes = data.mention_types;
    this.discontinuous = data.spans;
    this.texts = data.texts;
    this.members = membersOf(data);
    const first = this.members.map((members) => (members.length ? this.start[members[0]] : 0));
    this.inOrder = this.size.map((_, entity) => entity).sort((a, b) => first[a] - first[b] || a - b);
    /** @type {number[]} The number in each entity's name, counted from 1, where it has not its id. */
    this.number = [];
    for (const [place, entity] of this.inOrder.entries()) this.number[entity] = place + 1;
    this.heads = data.heads;
    this.reasons = data.reasons;
    this.nonReferring = new Set(data.non_referring);
    /** @type {Map<number, { antecedent: number, relation: string }[]>} Of each anaphor. */
    this.bridging = new Map();
    const [anaphors, antecedents, relations] = data.bridging ?? [[], [], []];
    for (const [n, anaphor] of anaphors.entries()) {
      const of = this.bridging.get(anaphor) ?? [];
      this.bridging.set(anaphor, [...of, { antecedent: antecedents[n], relation: relations[n] }]);
    }
    /** @type {Map<number, number[]>} Of each entity with split antecedents: what it consists of. */
    this.elements = new Map();
    const [wholes, elements] = data.split_antecedents ?? [[], []];
    for (const [n, whole] of wholes.entries()) this.elements.set(whole, [...(this.elements.get(whole) ?? []), elements[n]]);
  }

  /**
   * What an entity is called, as `referee errors` calls it: see `referee.corpus.naming`.
   *
   * @param {number} entity
   */
  name(entity) {
    const id = this.byId ? this.numberOf(this.entityIds?.[entity] ?? "") : String(this.number[entity]);
    return NUMBER.test(id) ? this.letter + id : visible(id, 40);
  }

  /**
   * An id without the letter that all have before a number.
   *
   * @param {string} id
   */
  numberOf(id) {
    return id.slice(this.idPrefix.length);
  }

  /**
   * What an address calls an entity: an id alone may be one of both sides.
   *
   * @param {number} entity
   */
  address(entity) {
    const name = this.name(entity);
    return this.byId && !NUMBER.test(this.numberOf(this.entityIds?.[entity] ?? "")) ? this.names(entity)[1] : name;
  }

  /**
   * The id of an entity in the file, if its name does not say it.
   *
   * @param {number} entity
   */
  id(entity) {
    return this.hidesIds ? "" : this.entityIds?.[entity] ?? "";
  }

  /** @param {number} mention */
  spans(mention) {
    return this.discontinuous?.[mention] ?? [[this.start[mention], this.end[mention]]];
  }

  /** @param {number} mention */
  text(mention) {
    if (this.texts) return this.texts[mention];
    return this.spans(mention).map(([start, end]) => joined(this.tokens, start, end)).join(" … ");
  }

  /**
   * What is shown of a mention in lists and names.
   *
   * @param {number} mention
   * @param {number} longest - characters
   */
  shownText(mention, longest) {
    return visible(this.text(mention), longest) || "∅";
  }

  /**
   * The syntactic head of a mention, if the annotation has heads and it is not the whole mention.
   *
   * @param {number} mention
   */
  head(mention) {
    const head = this.heads?.[mention] ?? -1;
    return head < 0 || this.end[mention] - this.start[mention] === 1 ? "" : this.tokens[head];
  }

  /**
   * What people may call an entity, in lower case: by its name, or by its id in the file: entity 7.
   *
   * @param {number} entity
   */
  names(entity) {
    const id = this.entityIds?.[entity].toLowerCase();
    const name = this.name(entity).toLowerCase();
    if (id === undefined) return [name];
    return [name, `${this.side === "K" ? "entity" : "response"} ${id}`, ...(this.byId ? [id] : [])];
  }

  /**
   * The entity that is called so, -1 for none.
   *
   * @param {string} query - normalized
   */
  named(query) {
    return this.size.findIndex((_, entity) => this.names(entity).includes(query));
  }

  /**
   * Whether the entity is called so, or a mention of it has the text.
   *
   * @param {number} entity
   * @param {string} query - normalized
   */
  matches(entity, query) {
    return this.names(entity).includes(query)
      || this.members[entity].some((mention) => this.text(mention).toLowerCase().includes(query));
  }

  /**
   * How many mentions back its entity was mentioned before; null for its first mention.
   *
   * @param {number} mention
   */
  distance(mention) {
    const before = this.members[this.entity[mention]].filter((other) => other < mention);
    return before.length ? mention - Math.max(...before) : null;
  }

  /** @param {number} mention */
  mentionType(mention) {
    return this.mentionTypes?.[mention] ?? 0;
  }
}

/** @param {Side} side */
export const opposite = (side) => (side === "K" ? "R" : "K");

/**
 * The mentions of each entity, in the order of the text.
 *
 * @param {AnnotationData} data
 */
function membersOf({ start, end, entity, size }) {
  const members = size.map(() => /** @type {number[]} */ ([]));
  for (const [mention, number] of entity.entries()) members[number].push(mention);
  for (const mentions of members) mentions.sort((a, b) => start[a] - start[b] || end[b] - end[a] || a - b);
  return members;
}
