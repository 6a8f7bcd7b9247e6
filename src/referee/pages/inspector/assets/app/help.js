// How to read the page, and what the keys do.

import { button } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { wordsOf } from "../model/words.js";
import { samples } from "../text/outcome.js";

/**
 * @import { Corpus } from "../types.d.ts"
 * @import { Shortcut } from "./keyboard.js"
 */

/**
 * @param {Corpus} corpus
 * @param {Shortcut[]} shortcuts
 */
export function helpDialog(corpus, shortcuts) {
  const words = wordsOf(corpus, 0);
  const close = () => dialog.close();
  const dialog = h("dialog", { class: "help", "aria-labelledby": "help-title" },
    h("header", null,
      h("h2", { id: "help-title" }, "How to read this page"),
      button("quiet close", close, { "aria-label": "Close" }, "×")),
    corpus.alone ? h("p", null, corpus.records ? "The line above an id is its entity." : "Lines above the words are mentions.",
      " Each entity has one colour, and is called by the number of its id, or by its place in the text with the id behind it. ",
      `Select a ${words.unit} to see its entity and, if a resolver made it, why.`,
      !corpus.records && " Who speaks stands before the words, where the file tells it.") : [
      sides(corpus),
      samples(words.outcomes),
      h("p", null, "Select an entity to highlight its projections: ",
        `the entities of the other side that it shares ${words.unit}s with. `,
        `A ${words.unit} is lit if the selected entity has it, or a projection shares it with that entity. `,
        `The best match is the one that it shares the most ${words.unit}s with.`),
      h("p", null, `The cost is the score gained if only one ${words.error} were ${words.corrected}. Costs do not add up: `,
        `what all ${words.Errors.toLowerCase()} of a kind or a type cost together stands above their list.`),
      corpus.no_edit && h("p", null, "There is no Edit on this page: ", corpus.no_edit),
    ],
    h("h3", null, "Keys"),
    h("dl", { class: "keys" }, shortcuts.map(({ keys, does }) => h("div", null,
      h("dt", null, keys.map((key) => h("kbd", null, key === "Escape" ? "Esc" : key))), h("dd", null, does)))),
    !corpus.alone && h("p", { class: "note" }, "The two columns follow the interface of Popescu-Belis and Robba (1998), ",
      "“Three New Methods for Evaluating Reference Resolution”."));
  return dialog;
}

/** @param {Corpus} corpus */
function sides({ annotators, records }) {
  const unit = records ? "record" : "mention";
  const lines = (/** @type {string} */ above, /** @type {string} */ below) => (records
    ? `The line above an id is its entity of ${above}, the line below it that of ${below}. `
    : `Lines above the words are mentions of ${above}; lines below the words are mentions of ${below}. `);
  if (annotators.length) {
    return h("p", null, "Two annotators are side by side: both are chosen in the header. ",
      lines("the first", "the other"),
      "An entity of the other has the colour of its best match: ",
      `the entity of the first that it shares the most ${unit}s with. It is grey if it shares none.`);
  }
  return [
    h("p", null, "The key is the annotation taken as true (the gold standard). The response is the annotation that is scored. ",
      `Both group ${unit}s into entities.`),
    h("p", null, lines("the key", "the response"),
      `A response entity has the colour of its best match: the key entity that it shares the most ${unit}s with. `,
      `A response entity that shares no ${unit} with the key is grey.`),
  ];
}
