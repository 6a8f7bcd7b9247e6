// What the keys do. The help lists the same keys.

import { editKeys } from "../edit/keys.js";
import { wordsOf } from "../model/words.js";
import { isOffered } from "./address.js";
import { switchTheme } from "./theme.js";

/**
 * @import { App } from "./app.js"
 * @import { View } from "../types.d.ts"
 * @typedef {{ keys: string[], does: string, acts: (() => unknown)[] }} Shortcut - an act for each key; none where the focused
 *   element acts
 */

/** @type {[key: string, view: View][]} */
const VIEWS = [["1", "entities"], ["2", "errors"], ["3", "changes"], ["4", "scores"], ["5", "merges"], ["6", "annotators"]];

/**
 * The keys that have an effect on this page.
 *
 * @param {App} app
 * @returns {Shortcut[]}
 */
export function shortcutsOf(app) {
  const { navigator, view, search, corpus } = app;
  const both = corpus.responses.length > 1;
  const inside = () => navigator.place.document >= 0;
  const several = corpus.documents.length > 1;
  // The overview has a list of all errors; the other views are those of the first document.
  const open = (/** @type {View} */ name) => () => {
    if (inside() || name === "annotators") return app.openView(name);
    return app.enter(navigator.go({ view: name, ...(name === "errors" && several ? {} : { document: 0 }) }));
  };
  const other = () => navigator.showResponse((navigator.place.response + 1) % corpus.responses.length);
  const { alone, annotators } = corpus;
  const { error, Errors, unit } = wordsOf(corpus, 0);
  const [key, response, ofOther] = annotators.length
    ? ["first annotator", "annotator", "other one"] : ["key", "response", "response"];
  const views = VIEWS.filter(([, view]) => isOffered(corpus, view));
  /** @type {{ [V in View]?: string }} */
  const named = { merges: "merges and splits", errors: Errors.toLowerCase() };
  return [
    { keys: ["↑", "↓"], does: `the previous or next entity of the column, or ${error} of the list`, acts: [] },
    ...(alone ? [] : [{ keys: ["←", "→"], does: "the other column: the best match of the entity", acts: [] }]),
    {
      keys: ["n", "p"], does: `the next or previous ${unit} of the selected entity`,
      acts: [() => view.stepMention(1), () => view.stepMention(-1)],
    },
    ...(alone ? [] : [
      {
        keys: ["j", "J"], does: `the next or previous ${error} ${corpus.records ? "among the records" : "in the text"}`,
        acts: [() => inside() && view.stepError(1), () => inside() && view.stepError(-1)],
      },
      ...(corpus.records ? [] : [
        { keys: ["f"], does: `fold sentences without ${Errors.toLowerCase()}`, acts: [() => inside() && view.fold()] },
      ]),
    ]),
    {
      keys: ["t"],
      does: `the ${corpus.records ? "records" : "text"}; ← and → go from ${unit} to ${unit}, Enter selects`,
      acts: [() => app.focusText()],
    },
    { keys: ["m"], does: `in a column: all ${unit}s of the selected entity`, acts: [] },
    { keys: ["Escape"], does: "clear the selection", acts: [() => app.escape()] },
    {
      keys: ["/"], does: "search; Enter and Shift+Enter go to the next and previous result",
      acts: [() => search.input.focus()],
    },
    ...(alone ? [] : [{
      keys: ["k", "r"], does: `the column of the ${key} or of the ${ofOther}`,
      acts: [() => app.focusColumn("K"), () => app.focusColumn("R")],
    }]),
    {
      keys: views.map(([key]) => key),
      does: views.map(([, view]) => named[view] ?? view).join(", "),
      acts: views.map(([, view]) => open(view)),
    },
    ...(several ? [{
      keys: ["[", "]"], does: "the previous or next document",
      acts: [() => inside() && navigator.step(-1), () => navigator.step(1)],
    }] : []),
    { keys: ["o"], does: corpus.records ? "the overview" : "all documents", acts: [() => navigator.openOverview()] },
    ...(both ? [{ keys: ["x"], does: `the ${corpus.responses.length > 2 ? "next" : "other"} ${response}`,
      acts: [other] }] : []),
    ...(corpus.corrects ? [{ keys: ["e"], does: "Edit: correct the key; e again ends it", acts: [() => app.editor.toggle()] },
      ...editKeys(app.editor).map(({ keys, does }) => ({ keys, does, acts: [] }))] : []),
    { keys: ["s"], does: "export: a link, CSV, figures, one document as a page", acts: [() => app.exports.open()] },
    { keys: ["d"], does: "light or dark", acts: [switchTheme] },
    { keys: ["?"], does: "this help", acts: [() => app.showHelp()] },
  ];
}

/**
 * Does what a key stands for, unless it is meant for a field.
 *
 * @param {KeyboardEvent} event
 * @param {Shortcut[]} shortcuts
 */
export function act(event, shortcuts) {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target instanceof Element && target.closest("input, select, textarea, dialog")) return;
  const shortcut = shortcuts.find(({ keys, acts }) => acts.length && keys.includes(event.key));
  if (!shortcut) return;
  event.preventDefault();
  shortcut.acts[shortcut.keys.indexOf(event.key)]();
}
