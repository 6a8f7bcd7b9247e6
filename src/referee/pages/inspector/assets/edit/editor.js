// Edit: what keys and buttons do to the key. Each action is a step of the corrections, which can be undone.

import { count, formatted, sum } from "../basics/numbers.js";
import { visible } from "../basics/visible.js";
import { normalized } from "../model/tokens.js";
import { costDecimals, formatCost } from "../scores/format.js";
import { metricTitle } from "../scores/metrics.js";
import { EditBar } from "./bar.js";
import { openMentions, signature } from "./edited.js";
import { addressOf, changesIn, find, keptIn, newId, spansOf } from "./state.js";
import { acceptedFrom, called, versionOf } from "./taking.js";
import { wordsSelected } from "./words.js";

/**
 * @import { Context } from "../types.d.ts"
 * @import { App } from "../app/app.js"
 * @import { Doc } from "../model/document.js"
 * @import { Change, EditedMention, Keep, Spans } from "./state.js"
 * @typedef {"move" | "merge" | "comment"} Question - what the field of the bar asks for
 */

export class Editor {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.corrections = app.navigator.corrections;
    this.isOn = false;
    /** @type {Question | null} */
    this.question = null;
    /** @type {{ start: number, end: number } | null} Words that may become a mention. */
    this.words = null;
    /** @type {Map<number, number>} The error of each document at which we were, by its rank. */
    this.ranks = new Map();
    this.bar = new EditBar(this);
  }

  /** Whether the key can be corrected. */
  get isOffered() {
    return Boolean(this.app.corpus.corrects);
  }

  /** @returns {Context} */
  get context() {
    return /** @type {Context} */ (this.app.view.context);
  }

  /** The document without corrections. */
  get base() {
    const { doc } = this.context;
    return doc.before ?? doc;
  }

  get names() {
    return this.base.data.names ?? null;
  }

  get state() {
    return this.corrections.state(this.base);
  }

  async toggle() {
    if (!this.isOffered) return;
    if (!this.app.navigator.doc) {
      this.isOn = true;
      await this.app.navigator.go({ document: 0 });
      return;
    }
    this.isOn = !this.isOn;
    this.question = null;
    this.words = null;
    this.redraw();
    this.say(this.isOn ? "Edit is on." : "Edit is off.");
  }

  /** Shows the bar, and whether Edit is on. */
  show() {
    const { view } = this.app;
    view.element.classList.toggle("editing", this.isOn);
    this.bar.show();
  }

  /** Draws the document anew, as it is now. */
  redraw() {
    const { navigator, view } = this.app;
    const doc = this.corrections.edited(this.base);
    view.redrawn();
    navigator.doc = doc;
    this.app.render(doc, null, false);
    navigator.restate();
    if (document.activeElement === document.body) view.text.element.focus({ preventScroll: true });
  }

  /**
   * Says what changed to those who do not see it, and in the bar.
   *
   * @param {string} text
   */
  say(text) {
    this.bar.say(text);
  }

  /** The selected mention of the key as it is now; null if there is none. @returns {EditedMention | null} */
  get mention() {
    const { place } = this.context;
    return place.side === "K" && place.mention >= 0 ? this.state.mentions[place.mention] : null;
  }

  /** The id of the selected entity of the key; empty if there is none. */
  get entity() {
    const { doc, place } = this.context;
    return place.side === "K" && place.entity >= 0 ? doc.key.entityIds?.[place.entity] ?? "" : "";
  }

  /**
   * What an entity is called.
   *
   * @param {string} id
   */
  name(id) {
    const { key } = this.context.doc;
    const entity = key.entityIds?.indexOf(id) ?? -1;
    return entity < 0 ? "a new entity" : key.name(entity);
  }

  /**
   * Makes changes, and selects a mention.
   *
   * @param {(Change | Keep)[]} changes
   * @param {string} what - was done
   * @param {{ spans: Spans, entity: string } | null} [selected]
   */
  make(changes, what, selected = null) {
    if (!this.corrections.take(this.base, changes)) {
      this.say("This cannot be done: nothing was changed.");
      return;
    }
    this.select(selected);
    this.redraw();
    this.say(`${what}.`);
  }

  /**
   * Takes a mention for the selected one, by what it is in the state now.
   *
   * @param {{ spans: Spans, entity: string } | null} selected
   */
  select(selected) {
    const { navigator } = this.app;
    const mention = selected ? find(this.state, selected.spans, selected.entity) : -1;
    const doc = this.corrections.edited(this.base);
    /** @type {Pick<import("../types.d.ts").Place, "side" | "entity" | "mention">} */
    const place = mention < 0 ? { side: "", entity: -1, mention: -1 } : { side: "K", entity: doc.key.entity[mention], mention };
    navigator.place = navigator.next = { ...navigator.place, ...place };
    this.words = null;
    this.question = null;
  }

  /** @param {EditedMention} mention */
  quoted(mention) {
    return `“${visible(called(this.base, mention.spans).text, 40)}”`;
  }

  /** The selected mention; says so if there is none. */
  wanted() {
    const { mention } = this;
    if (!mention) this.say("Select a mention of the key first: click it, or t, ← → and Enter.");
    return mention;
  }

  /** @param {string} to - an entity */
  move(to) {
    const mention = this.wanted();
    if (!mention || mention.entity === to) return;
    this.make([{ op: "move", mention: called(this.base, mention.spans), from: mention.entity, to }],
      `${this.quoted(mention)} moved from ${this.name(mention.entity)} to ${this.name(to)}`, { ...mention, entity: to });
  }

  moveToNew() {
    this.move(newId(this.state));
  }

  /** Takes the selected mention and the later ones of its entity into a new one. */
  splitOff() {
    const mention = this.wanted();
    if (!mention) return;
    const { doc, place } = this.context;
    const members = doc.key.members[place.entity];
    const later = members.slice(members.indexOf(place.mention)).map((n) => this.state.mentions[n]);
    const to = newId(this.state);
    this.make(later.map(({ spans, entity }) => ({ op: "move", mention: called(this.base, spans), from: entity, to })),
      `${count(later.length, "mention")} split off from ${this.name(mention.entity)}`, { ...mention, entity: to });
  }

  /** @param {string} into - an entity */
  merge(into) {
    const { entity } = this;
    if (!entity) {
      this.say("Select an entity of the key first.");
      return;
    }
    const first = this.mention ?? this.state.mentions.find((mention) => mention.entity === entity);
    this.make([{ op: "merge", entity, into }], `${this.name(entity)} merged into ${this.name(into)}`,
      first ? { ...first, entity: into } : null);
  }

  remove() {
    const mention = this.wanted();
    if (!mention) return;
    const { spans, entity } = mention;
    const rest = this.state.mentions.find((other) => other.entity === entity && other !== mention) ?? null;
    this.make([{ op: "remove", mention: called(this.base, spans), from: entity }],
      `${this.quoted(mention)} removed from ${this.name(entity)}`, rest);
  }

  /**
   * Moves an edge of the selected mention, or of the words that are selected.
   *
   * @param {"start" | "end"} side
   * @param {1 | -1} by
   */
  edge(side, by) {
    if (this.words) {
      this.moveWords(by, true);
      return;
    }
    const mention = this.wanted();
    if (!mention) return;
    const spans = /** @type {Spans} */ (mention.spans.map((span) => [...span]));
    const [span, n] = side === "start" ? [spans[0], 0] : [spans[spans.length - 1], 1];
    do span[n] += by; while (this.names && this.names[span[n] - n] === null);
    const { start, end } = this.sentence(mention.spans[0][0]);
    if (span[0] >= span[1] || spans[0][0] < start || span[1] > end || spansTouch(spans)) {
      this.say("A mention has at least one word, and ends with its sentence.");
      return;
    }
    const place = spansOf(addressOf(spans, this.names), this.names);
    const address = addressOf(place, this.names);
    this.make([{ op: "span", mention: called(this.base, mention.spans), in: mention.entity, spans: address }],
      `${this.quoted(mention)} is now ${this.quoted({ ...mention, spans: place })}`, { ...mention, spans: place });
  }

  /** @param {number} token */
  sentence(token) {
    const { blocks } = this.base;
    return blocks.find(({ end }) => end > token) ?? blocks[blocks.length - 1];
  }

  /** Begins to choose words by keys: after the selected mention, or where the text is. */
  chooseWords() {
    const { doc, response, place } = this.context;
    const start = place.side === "" || place.mention < 0
      ? this.app.view.text.firstInSight() : doc.annotation(place.side, response).start[place.mention];
    this.setWords({ start, end: start + 1 });
    this.say("Arrows go from word to word, shift + arrow takes more, a makes a mention of them, Esc leaves it.");
  }

  /** @param {{ start: number, end: number } | null} words */
  setWords(words) {
    this.words = words;
    this.app.view.text.mark(words);
    this.bar.show();
  }

  /**
   * @param {1 | -1} by
   * @param {boolean} more - whether the words get more or fewer
   */
  moveWords(by, more) {
    if (!this.words) return;
    const { start, end } = this.words;
    const last = this.base.tokens.length;
    const next = more ? { start, end: end + by } : { start: start + by, end: start + by + 1 };
    if (next.start < 0 || next.end <= next.start || next.end > last) return;
    this.setWords(next);
    this.bar.say(visible(this.base.tokens.slice(next.start, next.end).join(" "), 80));
  }

  /** Makes a mention of the words that are selected, in the selected entity, or in a new one. */
  add() {
    const words = this.words ?? wordsSelected(this.app.view.text);
    if (!words) {
      this.say("Select words in the text first: with the mouse, or w and arrows.");
      return;
    }
    const end = Math.min(words.end, this.sentence(words.start).end);
    const spans = spansOf(addressOf([[words.start, end]], this.names), this.names);
    if (!spans.length) return;
    const to = this.entity || newId(this.state);
    getSelection()?.removeAllRanges();
    this.make([{ op: "add", mention: called(this.base, spans), to }],
      `“${visible(called(this.base, spans).text, 40)}” added to ${this.name(to)}`, { spans, entity: to });
  }

  /** The error that the selection is about, as it is without corrections; -1 for none. */
  get error() {
    const { doc, place, response } = this.context;
    const base = this.base.responses[place.response];
    if (!response || !base || place.side === "" || place.mention < 0) return -1;
    if (place.side === "R") return base.errorOf("R", place.mention);
    const { origin } = doc.before ? this.state.mentions[place.mention] : { origin: place.mention };
    return origin < 0 ? -1 : base.errorOf("K", origin);
  }

  /** The response beside the key without corrections. */
  get response() {
    return this.base.responses[this.context.place.response];
  }

  get kept() {
    return keptIn(this.corrections.history(this.base));
  }

  /** Takes the other side's version of the error that is selected. */
  takeVersion() {
    const { error, response } = this;
    const { corpus, words } = this.context;
    if (!response || error < 0) {
      this.say(`Select ${response ? `one of the ${words.Errors.toLowerCase()}: n goes to the next one` : "a mention"}.`);
      return;
    }
    const changes = versionOf(corpus, this.base, response, error, this.state, this.kept);
    if (!changes.length) {
      this.say(`This ${words.error} is settled.`);
      return;
    }
    const [first] = changes;
    const selected = first.op === "merge" || first.op === "remove" || first.op === "comment" ? null
      : { spans: spansOf(first.op === "span" ? first.spans : first.mention.spans, this.names),
        entity: first.op === "span" ? first.in : first.to };
    this.make(changes, `Version of ${words.R} taken: ${changes.map((change) => this.described(change)).slice(0, 3).join(", ")}`,
      selected);
  }

  /** Says that the key is right in the error that is selected. */
  keepKey() {
    const { error, response } = this;
    const { corpus, words } = this.context;
    if (!response || error < 0) {
      this.say(`Select one of the ${words.Errors.toLowerCase()} first: n goes to the next one.`);
      return;
    }
    const { mention } = this;
    this.make([{ op: "keep", error: signature(corpus, this.base, response, error) }],
      `Settled: ${words.K} is right here`, mention);
  }

  /**
   * Takes the version that an annotator has of the selected mention.
   *
   * @param {number} annotator - 0 for the first, whose file is corrected
   */
  accept(annotator) {
    const { doc, place, response: beside, corpus } = this.context;
    if (place.side === "" || place.mention < 0) {
      this.say("Select a mention first.");
      return;
    }
    if (!annotator) {
      this.keepKey();
      return;
    }
    const response = this.base.responses[annotator - 1];
    const spans = /** @type {Spans} */ (doc.annotation(place.side, beside).spans(place.mention));
    const changes = response ? acceptedFrom(this.base, response, spans, this.state) : [];
    const name = visible(corpus.annotators[annotator], 30);
    const [change] = changes;
    if (!change) this.say(response ? `The key has it as ${name} has it.` : `${name} lacks this document.`);
    else {
      this.make(changes, `Version of ${name} taken: ${this.described(change)}`,
        "to" in change ? { spans, entity: change.to } : null);
    }
  }

  /** @param {string} text */
  comment(text) {
    const mention = this.wanted();
    if (!mention || !text.trim()) return;
    this.make([{ op: "comment", mention: called(this.base, mention.spans), in: mention.entity, text: text.trim() }],
      `Comment on ${this.quoted(mention)} kept`, mention);
  }

  /**
   * A step back, or forward again.
   *
   * @param {1 | -1} by
   */
  step(by) {
    const changes = this.corrections.step(this.base, by);
    if (!changes) {
      this.say(by < 0 ? "There is nothing to undo." : "There is nothing to do again.");
      return;
    }
    this.select(this.afterStep(changes[0], by));
    this.redraw();
    const what = changes.map((change) => this.described(change)).slice(0, 3).join(", ");
    this.say(`${by < 0 ? "Undone" : "Done again"}: ${what}.`);
  }

  /**
   * Where the mention of a change is, after it was undone or done again.
   *
   * @param {Change | Keep} change
   * @param {1 | -1} by
   */
  afterStep(change, by) {
    if (change.op === "keep" || change.op === "merge") return null;
    const isSpan = change.op === "span" && by > 0;
    const entity = change.op === "move" ? (by > 0 ? change.to : change.from)
      : "to" in change ? change.to : "from" in change ? change.from : change.in;
    return { spans: spansOf(isSpan ? change.spans : change.mention.spans, this.names), entity };
  }

  /**
   * A change in words.
   *
   * @param {Change | Keep} change
   * @returns {string}
   */
  described(change) {
    const { words } = this.context;
    if (change.op === "keep") return `${words.K} is right`;
    if (change.op === "merge") return `${this.called(change.entity)} merged into ${this.called(change.into)}`;
    const text = `“${visible(change.mention.text, 40)}”`;
    switch (change.op) {
      case "move": return `${text} from ${this.called(change.from)} to ${this.called(change.to)}`;
      case "add": return `${text} added to ${this.called(change.to)}`;
      case "remove": return `${text} removed from ${this.called(change.from)}`;
      case "span": return `${text} is now “${visible(this.textAt(change.spans), 40)}”`;
      default: return `${text}: ${visible(change.text, 80)}`;
    }
  }

  /** @param {import("./state.js").Address} address */
  textAt(address) {
    return called(this.base, spansOf(address, this.names)).text;
  }

  /**
   * What an entity is called, or was if it is gone.
   *
   * @param {string} id
   */
  called(id) {
    const { key } = this.base;
    const now = this.context.doc.key;
    for (const annotation of [now, key]) {
      const entity = annotation.entityIds?.indexOf(id) ?? -1;
      if (entity >= 0) return annotation.name(entity);
    }
    return "a new entity";
  }

  toggleDone() {
    const isDone = this.corrections.toggleDone(this.base);
    this.bar.show();
    this.app.header.document = null; // its list of documents says which are done
    this.app.header.show(this.app.navigator.place);
    this.say(isDone ? "The document is done." : "The document is not done.");
  }

  /**
   * The errors of the document without corrections, those that cost most first.
   *
   * @returns {number[]}
   */
  get order() {
    const { response, context: { filter } } = this;
    const costs = response?.errors.costs[filter.metric] ?? [];
    const errors = [...(response?.errors.kind.keys() ?? [])];
    return errors.sort((a, b) => Math.abs(costs[b] ?? 0) - Math.abs(costs[a] ?? 0) || a - b);
  }

  /** Which errors are open. */
  get open() {
    const { base, response, state, kept, context: { corpus } } = this;
    if (!response) return [];
    return openMentions(corpus, base, response, state, kept).map(({ key, response: other }) => key.length + other.length > 0);
  }

  /**
   * Goes to the next error that is open, or the one before.
   *
   * @param {1 | -1} by
   */
  next(by) {
    const { order, open, base, response, context: { corpus, words } } = this;
    const now = this.error >= 0 ? order.indexOf(this.error) : this.ranks.get(base.number) ?? (by > 0 ? -1 : 0);
    let rank = now;
    for (let n = 0; n < order.length; n++) {
      rank = (rank + by + order.length) % order.length;
      if (open[order[rank]]) break;
    }
    if (!response || !open[order[rank]]) {
      this.say(response ? `No open ${words.error} in this document.` : "There is nothing to compare with.");
      return;
    }
    this.ranks.set(base.number, rank);
    this.say(this.told(order[rank]));
    const { key, response: other } = openMentions(corpus, base, response, this.state, this.kept)[order[rank]];
    if (key.length) {
      const n = this.state.mentions.findIndex(({ origin }) => origin === key[0]);
      this.app.navigator.select("K", this.context.doc.key.entity[n], n);
    } else this.app.navigator.select("R", response.annotation.entity[other[0]], other[0]);
  }

  /**
   * An error in words, with its cost.
   *
   * @param {number} error - without corrections
   */
  told(error) {
    const { base, response, context: { corpus, filter, words } } = this;
    if (!response) return "";
    const { errors, annotation } = response;
    const [k, r] = [errors.key_mention[error], errors.response_mention[error]];
    const text = k < 0 ? annotation.shownText(r, 40) : base.key.shownText(k, 40);
    const costs = errors.costs[filter.metric];
    const cost = costs ? `, ${formatCost(corpus, corpus.metric.get(filter.metric), costs[error], costDecimals(costs))} of `
      + metricTitle(corpus, filter.metric) : "";
    const more = errors.mentions[error] > 1 ? ` and ${errors.mentions[error] - 1} more` : "";
    return `${words.kinds[corpus.kinds[errors.kind[error]]][0]}: “${text}”${more}${cost}.`;
  }

  /** How much is settled: errors, and the share of their cost. */
  get progress() {
    const { response, open, context: { filter, words } } = this;
    if (!response) return "";
    const settled = open.filter((isOpen) => !isOpen).length;
    const costs = (response.errors.costs[filter.metric] ?? []).map((cost) => Math.abs(cost ?? 0));
    const all = sum(costs);
    const share = all ? `, ${Math.round((100 * sum(costs.filter((_, n) => !open[n]))) / all)} % of their cost` : "";
    return `${formatted(settled)} of ${count(open.length, words.error)} settled${share}`;
  }

  /**
   * Asks in the field of the bar for an entity, or for a comment.
   *
   * @param {Question} question
   * @param {string} [beginning]
   */
  ask(question, beginning = "") {
    if (question === "merge" ? !this.entity && this.merge("") === undefined : !this.wanted()) return;
    this.question = question;
    this.bar.ask(question, beginning);
  }

  /**
   * Answers the question of the bar.
   *
   * @param {string} text
   */
  answer(text) {
    const { question } = this;
    if (!question) return;
    if (question === "comment") {
      this.comment(text);
      return;
    }
    const id = this.entityCalled(text);
    if (id === null) this.say(`No entity is called ${visible(text, 20)}.`);
    else this.choose(id);
  }

  /**
   * The id of the entity that is called so, by its name, its number alone or its id.
   *
   * @param {string} text
   * @returns {string | null}
   */
  entityCalled(text) {
    const { key } = this.context.doc;
    const query = normalized(text);
    if (query === "+" || query === "new") return newId(this.state);
    const names = (/** @type {number} */ entity) => {
      const name = key.name(entity).toLowerCase();
      return [name, name.slice(key.letter.length), key.entityIds?.[entity].toLowerCase()];
    };
    const entity = key.size.findIndex((_, n) => names(n).includes(query));
    return entity < 0 ? null : key.entityIds?.[entity] ?? null;
  }

  /**
   * Takes an entity that was clicked as the answer to the question, if one was asked.
   *
   * @param {import("../types.d.ts").Side | ""} side
   * @param {number} entity
   * @returns {boolean} - whether it was
   */
  isChosen(side, entity) {
    if (!this.question || this.question === "comment" || side !== "K") return false;
    const id = this.context.doc.key.entityIds?.[entity];
    if (id !== undefined) this.choose(id);
    return id !== undefined;
  }

  /** @param {string} id */
  choose(id) {
    const { question } = this;
    this.question = null;
    if (question === "move") this.move(id);
    else this.merge(id);
    this.bar.show();
  }

  /**
   * Puts the selected mention, which was dragged, into an entity of the key.
   *
   * @param {number} entity
   */
  dropInto(entity) {
    const id = this.context.doc.key.entityIds?.[entity];
    if (id !== undefined) this.move(id);
  }

  /**
   * Puts the selected mention, which was dragged, into the entity of the shortest mention at a token.
   *
   * @param {number} token
   */
  dropOn(token) {
    const { key } = this.context.doc;
    const here = [...key.start.keys()].filter((n) => n !== this.context.place.mention
      && key.spans(n).some(([start, end]) => start <= token && token < end));
    const [shortest] = here.sort((a, b) => key.end[a] - key.start[a] - (key.end[b] - key.start[b]));
    if (shortest !== undefined) this.dropInto(key.entity[shortest]);
  }

  /** Leaves what was begun; whether there was something. */
  escape() {
    const had = Boolean(this.question || this.words);
    this.question = null;
    this.setWords(null);
    return had;
  }

  save() {
    this.say(`${this.corrections.save()} was saved: referee correct puts it into the key.`);
  }

  /** @param {File} file */
  async openFile(file) {
    const open = (/** @type {number} */ number) => this.app.navigator.documents.open(number);
    const outcome = await this.corrections.open(await file.text(), open);
    this.select(null);
    this.redraw();
    this.say(outcome);
  }

  /** The changes of the document, in order. */
  get changes() {
    return changesIn(this.corrections.history(this.base));
  }
}

/** Whether two neighbouring spans touch. @param {Spans} spans */
const spansTouch = (spans) => spans.some(([start], n) => n > 0 && start <= spans[n - 1][1]);
