// The corrections of a page: kept in the browser at once, saved as a file, and opened again.

import { fileNamed, save } from "../export/files.js";
import { visible } from "../basics/visible.js";
import { editedDoc } from "./edited.js";
import { NOTHING, after, afterStep, changesIn, initial, keptIn, moved, withStep } from "./state.js";

/**
 * @import { Corpus } from "../types.d.ts"
 * @import { Doc } from "../model/document.js"
 * @import { Change, History, Keep, State } from "./state.js"
 */

export class Corrections {
  /** @param {Corpus} corpus */
  constructor(corpus) {
    this.corpus = corpus;
    this.place = `referee ${corpus.corrects?.digest}`;
    this.by = "";
    this.openedBefore = ""; // a file of somebody else that was not added
    this.isStored = true; // whether the browser takes what is to be kept
    /** @type {Map<string, History>} */
    this.histories = new Map();
    /** @type {WeakMap<Doc, State[]>} The state after each step. */
    this.states = new WeakMap();
    /** @type {{ base: Doc, history: History, doc: Doc } | null} The last one that was made. */
    this.last = null;
    if (corpus.corrects) this.recall();
  }

  /** @param {Doc} base */
  history(base) {
    return this.histories.get(this.corpus.documents[base.number]) ?? NOTHING;
  }

  /**
   * The state of a document now.
   *
   * @param {Doc} base
   * @returns {State}
   */
  state(base) {
    const { steps, at } = this.history(base);
    const states = this.states.get(base) ?? [initial(base.data.key)];
    this.states.set(base, states);
    for (let n = states.length - 1; n < at; n++) states.push(afterStep(states[n], steps[n], base.data.names ?? null));
    return states[at];
  }

  /**
   * The document with its corrections; itself if it has none.
   *
   * @param {Doc} base
   * @returns {Doc}
   */
  edited(base) {
    const history = this.history(base);
    if (!history.at) return base;
    if (this.last?.base !== base || this.last.history !== history) {
      this.last = { base, history, doc: editedDoc(this.corpus, base, this.state(base), keptIn(history)) };
    }
    return this.last.doc;
  }

  /**
   * Takes a step.
   *
   * @param {Doc} base
   * @param {(Change | Keep)[]} changes
   * @returns {boolean} - whether all changes fit; otherwise none is made
   */
  take(base, changes) {
    /** @type {State | null} */
    let state = this.state(base);
    for (const change of changes) if (state && change.op !== "keep") state = after(state, change, base.data.names ?? null);
    if (!state || !changes.length) return false;
    const history = this.history(base);
    this.states.get(base)?.splice(history.at + 1, Infinity, state);
    this.set(base, withStep(history, changes));
    return true;
  }

  /**
   * Goes a step back, or forward again.
   *
   * @param {Doc} base
   * @param {1 | -1} by
   * @returns {(Change | Keep)[] | null} - the step; null if there is none
   */
  step(base, by) {
    const history = this.history(base);
    const next = moved(history, by);
    if (next.at === history.at) return null;
    this.set(base, next);
    return history.steps[Math.min(history.at, next.at)];
  }

  /** Says that a document is done, or is not. @param {Doc} base */
  toggleDone(base) {
    const history = this.history(base);
    this.set(base, { ...history, done: !history.done });
    return !history.done;
  }

  /**
   * @param {Doc} base
   * @param {History} history
   */
  set(base, history) {
    this.histories.set(this.corpus.documents[base.number], history);
    this.keep();
  }

  /** How many changes there are in all documents. */
  get number() {
    return [...this.histories.values()].reduce((n, history) => n + changesIn(history).length, 0);
  }

  keep() {
    try {
      const there = JSON.parse(localStorage.getItem(this.place) ?? "{}").documents; // those of a page in another window, too
      const documents = { ...there, ...Object.fromEntries(this.histories) };
      localStorage.setItem(this.place, JSON.stringify({ by: this.by, documents }));
      this.isStored = true;
    } catch {
      this.isStored = false; // no room, or a page within another one
    }
  }

  recall() {
    try {
      const { by, documents } = JSON.parse(localStorage.getItem(this.place) ?? "{}");
      this.by = typeof by === "string" ? by : "";
      for (const name of Object.keys(documents ?? {})) {
        if (this.corpus.documentNumber.has(name) && isHistory(documents[name])) this.histories.set(name, documents[name]);
      }
    } catch {
      this.isStored = false;
    }
  }

  /** What the file of corrections has. */
  get file() {
    const { corrects } = this.corpus;
    const documents = [...this.histories].flatMap(([name, history]) => {
      const changes = changesIn(history);
      return changes.length || history.done ? [{ name, done: history.done, changes }] : [];
    });
    return { corrections: 1, key: corrects, by: this.by, documents };
  }

  /** Saves the file, and returns its name. */
  save() {
    const { file } = this;
    const documents = file.documents.map(({ name, done, changes }) => {
      const lines = changes.map((change) => `\n      ${spaced(change)}`);
      return `\n    ${JSON.stringify(name)}: {"done": ${done}, "changes": [${lines.join(",")}]}`;
    });
    const head = `{"corrections": 1, "key": ${spaced(file.key)}, "by": ${JSON.stringify(file.by)}`;
    const text = `${head},\n  "documents": {${documents.join(",")}}}\n`;
    const name = fileNamed((file.key?.name ?? "").replace(/\.[^.]*$/, ""), "corrections.json");
    save(name, new Blob([text], { type: "application/json" }));
    return name;
  }

  /**
   * Adds the changes of a file to those that there are; those of somebody else only if it is opened again.
   *
   * @param {string} text
   * @param {(number: number) => Promise<Doc>} open - a document
   * @returns {Promise<string>} - what became of them
   */
  async open(text, open) {
    const { corrects, documentNumber } = this.corpus;
    /** @type {any} */
    let file = null;
    try {
      file = JSON.parse(text);
    } catch { /* it is none */ }
    if (file?.corrections !== 1 || typeof file.documents !== "object") return "This is no file of corrections.";
    if (file.key?.digest !== corrects?.digest) {
      return `These are corrections of another key, ${file.key?.name}, or of this one as it was before it changed.`;
    }
    const by = typeof file.by === "string" ? visible(file.by, 60) : "";
    const whose = by ? ` by ${by}` : "";
    const ours = this.by ? `Yours are by ${visible(this.by, 60)}` : "Yours have no name";
    const isOther = by !== visible(this.by, 60) && (this.number > 0 || this.by !== "");
    if (isOther && this.openedBefore !== text) {
      this.openedBefore = text;
      return `These are corrections${whose || " without a name"}. ${ours}. Open the file again to add them to yours.`;
    }
    let [made, left] = [0, 0];
    for (const [name, { done, changes = [] }] of /** @type {[string, { done?: boolean, changes?: Change[] }][]} */ (
      Object.entries(file.documents))) {
      const number = documentNumber.get(name);
      const fit = number !== undefined && isHistory({ steps: [changes], at: 1 });
      const base = fit ? await open(number) : null;
      for (const change of Array.isArray(changes) ? changes : []) {
        if (base && this.take(base, [change])) made++;
        else left++;
      }
      if (base && done && !this.history(base).done) this.toggleDone(base);
    }
    if (!isOther) this.by ||= typeof file.by === "string" ? file.by : "";
    return `${made} of ${made + left} changes${whose} were made${left ? "; the others are there already, or do not fit" : ""}.`;
  }
}

/**
 * Whether a value, which is from a file or from the browser, is a history.
 *
 * @param {any} value
 * @returns {value is History}
 */
const isHistory = (value) => Array.isArray(value?.steps) && Number.isInteger(value.at) && value.at >= 0
  && value.at <= value.steps.length
  && value.steps.every((/** @type {unknown} */ step) => Array.isArray(step) && step.every(isChange));

/** @param {any} change */
function isChange(change) {
  const texts = (/** @type {string[]} */ ...names) => names.every((name) => typeof change[name] === "string");
  const isAddress = (/** @type {unknown} */ spans) => Array.isArray(spans) && spans.every((part) => typeof part === "string"
    || (Array.isArray(part) && part.length === 2 && part.every(Number.isInteger) && part[1] - part[0] < 1e5));
  const hasMention = isAddress(change?.mention?.spans);
  switch (change?.op) {
    case "keep": return texts("error");
    case "merge": return texts("entity", "into");
    case "move": return hasMention && texts("from", "to");
    case "add": return hasMention && texts("to");
    case "remove": return hasMention && texts("from");
    case "span": return hasMention && texts("in") && isAddress(change.spans);
    case "comment": return hasMention && texts("in", "text");
    default: return false;
  }
}

/**
 * JSON on one line that people can read.
 *
 * @param {unknown} value
 */
const spaced = (value) => JSON.stringify(value, null, 1).replace(/\n */g, " ");
