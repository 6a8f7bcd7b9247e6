// Merges and splits: which entities of the other side each one consists of, those with the most wrong pairs first. Where a side
// lists pairs of records, also these: false ones, the most probable first, and missed ones.

import { button } from "../basics/controls.js";
import { h, put } from "../basics/dom.js";
import { count, formatted, sum } from "../basics/numbers.js";
import { quoted } from "../basics/visible.js";
import { opposite } from "../model/annotation.js";
import { regrouped } from "../model/merges.js";
import { LongList } from "./long_list.js";

/**
 * @import { WrongPair } from "../payload.d.ts"
 * @import { Context, Select } from "../types.d.ts"
 * @import { Regrouped } from "../model/merges.js"
 * @import { ScoredResponse } from "../model/response.js"
 */

const MOST = 6; // parts that are named
const QUOTED = 3; // mentions of a part that are quoted, if it has no more; else the first one

/**
 * How many entities are right, how many of the key are split, and how many of the response are merged from several.
 *
 * @param {Context} context
 * @param {ScoredResponse} response
 * @param {number} splits
 * @param {number} merges
 */
function summary({ corpus, doc, words }, response, splits, merges) {
  const [key, other] = [doc.key.size.length, response.annotation.size.length];
  const right = doc.key.size.filter((_, entity) => response.isIdentical(entity)).length;
  const figure = (/** @type {string} */ name, /** @type {number} */ n, /** @type {number} */ all, /** @type {string} */ side) =>
    h("div", { class: "score" }, h("dt", null, name), h("dd", null, h("span", { class: "value" }, formatted(n)),
      h("span", { class: "sides" }, `of ${count(all, "entity", "entities")} of ${side}`)));
  const same = corpus.annotators.length ? "Same in both" : "Exactly right";
  return h("dl", { class: "strip" }, figure(same, right, key, words.K), figure("Split", splits, key, words.K),
    figure("Merged from several", merges, other, words.R));
}

/**
 * @param {number[]} numbers - of false and of missed pairs
 * @param {number} listed
 */
function aboutPairs([wrong, missed], listed) {
  return [`${formatted(wrong)} false, the most probable first, then ${formatted(missed)} missed, with the probability that the `
    + "response gives them. Entities join what pairs alone do not.",
  listed < wrong + missed && ` ${formatted(listed)} are listed here; all: referee errors --by pair --top 0.`];
}

export class MergeList {
  /** @param {{ select: Select }} actions */
  constructor({ select }) {
    /** @type {Regrouped["kind"] | "pair" | ""} */
    this.kind = ""; // merges and splits
    /** @type {Regrouped[]} */
    this.entries = [];
    /** @type {WrongPair[]} Those that are shown instead. */
    this.pairs = [];
    this.select = select;
    /** @type {Context} */
    this.context = /** @type {any} */ (null); // until it is shown
    /** @type {Map<string, number>} Of records, where pairs are listed. */
    this.places = new Map();
    this.list = new LongList({
      label: "Merges and splits", height: 46, narrow: 64,
      draw: (n) => (this.kind === "pair" ? this.pairRow(this.pairs[n]) : this.row(this.entries[n])),
      choose: (n) => (this.kind === "pair" ? this.choosePair(this.pairs[n])
        : select(this.entries[n].side, this.entries[n].entity, -1)),
    });
    this.head = h("div", { class: "list-head" });
    this.element = h("div", { class: "pane merges" }, this.head, this.list.element);
  }

  /** @param {Context} context */
  show(context) {
    this.context = context;
    const { doc, response, filter: { text } } = context;
    const groups = response ? regrouped(response) : [];
    const all = text ? groups.filter(({ side, entity, parts }) => doc.annotation(side, response).matches(entity, text)
      || parts.some(({ other }) => doc.annotation(opposite(side), response).names(other).includes(text))) : groups;
    const { wrongPairs } = response ?? {};
    this.places = new Map(wrongPairs ? doc.ids.map((id, n) => [id, n]) : []);
    if (!wrongPairs && this.kind === "pair") this.kind = "";
    this.pairs = (wrongPairs?.rows ?? []).filter(([, left, right]) =>
      !text || [left, right].some((id) => this.record(id).toLowerCase().includes(text)));
    this.entries = all.filter(({ kind }) => !this.kind || kind === this.kind);
    const chip = (/** @type {typeof this.kind} */ kind, /** @type {string} */ name) => button("chip", () => {
      this.kind = kind;
      this.show(this.context);
    }, { "aria-pressed": String(kind === this.kind), "data-merges": kind || "all" }, name);
    const of = (/** @type {Regrouped["kind"]} */ wanted, of = all) => of.filter(({ kind }) => kind === wanted).length;
    put(this.head,
      response && summary(context, response, of("split", groups), of("merge", groups)),
      this.kind === "pair" ? h("p", null, ...aboutPairs(wrongPairs?.numbers ?? [0, 0], wrongPairs?.rows.length ?? 0))
      : h("p", null, `A merge puts entities of ${context.words.K} together, a split takes one apart. `,
        "Those that concern the most pairs come first."),
      h("div", { class: "chips", role: "group", "aria-label": "Which" },
        chip("", "both"), chip("merge", count(of("merge"), "merge")), chip("split", count(of("split"), "split")),
        wrongPairs && chip("pair", count(sum(wrongPairs.numbers), "wrong pair"))));
    this.list.show((this.kind === "pair" ? this.pairs : this.entries).length);
    this.list.element.scrollTop = 0;
  }

  /**
   * A record, with what is known of it.
   *
   * @param {string} id
   */
  record(id) {
    const { doc } = this.context;
    return doc.tokens[this.places.get(id) ?? -1] ?? id;
  }

  /**
   * Selects the entity in which a side has a pair together.
   *
   * @param {WrongPair} pair
   */
  choosePair([kind, left, right]) {
    const { doc, response } = this.context;
    const side = kind === "false" ? "R" : "K";
    const annotation = doc.annotation(side, response);
    const mention = annotation.start.findIndex((token) => [left, right].includes(doc.ids[token]));
    if (mention >= 0) this.select(side, annotation.entity[mention], mention);
  }

  /** @param {WrongPair} pair */
  pairRow([kind, left, right, probability]) {
    return h("div", { class: "error", "data-kind": kind },
      h("span", { class: "kind" }, kind),
      h("span", { class: "what" }, quoted(this.record(left), 80), " – ", quoted(this.record(right), 80)),
      h("span", { class: "from" }, probability === null ? "not listed" : String(Number(probability.toPrecision(6)))));
  }

  /** @param {Regrouped} of */
  row({ kind, side, entity, parts, pairs }) {
    const { corpus, doc, response } = this.context;
    const unit = corpus.records ? "record" : "mention";
    const [here, other] = [doc.annotation(side, response), doc.annotation(opposite(side), response)];
    const shared = (/** @type {number} */ part) => here.members[entity].filter((mention) =>
      other.entity[response?.otherMention(side, mention) ?? -1] === part);
    const named = parts.slice(0, MOST).map((part, n) => [
      n ? " + " : "", h("b", null, other.name(part.other)), ` ${count(part.shared, unit)} `,
      shared(part.other).slice(0, part.shared > QUOTED ? 1 : QUOTED).map((mention, n) =>
        [n ? ", " : "", quoted(here.text(mention), doc.records ? 80 : 40)]),
      part.shared > QUOTED && " …",
    ]);
    const rest = parts.length - MOST;
    return h("div", { class: "error", "data-kind": kind },
      h("span", { class: "kind" }, kind),
      h("span", { class: "what" }, `${here.name(entity)} = `, named, rest > 0 && ` and ${rest} more`),
      h("span", { class: "from" }, count(pairs, "pair")));
  }
}
