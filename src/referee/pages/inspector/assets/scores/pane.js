// The scores of a document.

import { h } from "../basics/dom.js";
import { visible } from "../basics/visible.js";
import { sizeSection, sizesOf } from "./sizes.js";
import { scoreTable } from "./table.js";

/** @import { Context } from "../types.d.ts" */

/** @param {Context} context */
export function scoresPane({ corpus, doc, response, place, words }) {
  const columns = corpus.responses.map(({ name }, n) => ({ name, scores: doc.responses[n]?.scores }));
  return h("div", { class: "pane scores-pane", tabindex: "0", role: "region", "aria-label": "Scores of the document" },
    h("section", null, h("h2", null, "All metrics"), scoreTable(corpus, columns)),
    response && sizeSection(corpus, sizesOf(doc, response), response.scores, words),
    h("p", { class: "signature" }, h("code", null, visible(corpus.responses[place.response].signature, 4000))));
}
