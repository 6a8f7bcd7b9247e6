// The overview of one annotation: what it has, its types, the sizes of its entities.

import { h } from "../basics/dom.js";
import { count, formatted, sum } from "../basics/numbers.js";
import { fileName, visible } from "../basics/visible.js";
import { wordsOf } from "../model/words.js";
import { sizeSection } from "../scores/sizes.js";

/**
 * @import { AloneOverview } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 */

const MOST = 40; // types

/**
 * @param {Corpus} corpus
 * @param {AloneOverview} alone
 */
export function aloneOverview(corpus, alone) {
  const { unit, Unit } = wordsOf(corpus, 0);
  const mentions = `${count(sum(alone.mentions), unit)} of ${count(sum(alone.entities), "entity", "entities")}`;
  const words = alone.tokens ? ` with ${count(sum(alone.tokens), "token")}` : "";
  const last = alone.ranks.findLastIndex((n) => n > 0) + 1;
  const ranks = alone.ranks.slice(0, Math.max(1, last));
  const none = ranks.map(() => 0);
  const ofTypes = corpus.mention_types.map((type, n) => ({ type: type || "unknown", n: alone.mention_types[n] }));
  const ofEntities = Object.entries(alone.entity_types).map(([type, n]) => ({ type: type || "unknown", n }));
  return [
    h("section", { class: "lede" },
      h("p", { class: "eyebrow" }, "One annotation"),
      h("h1", null, fileName(corpus.key)),
      h("p", null, `${mentions} in ${count(corpus.documents.length, "document")}${words}. `,
        `${formatted(sum(alone.singletons))} of the entities are singletons. Open a document to read it.`)),
    h("div", { class: "two of-one" },
      sizeSection(corpus, { key: ranks, response: none, shared: ranks }),
      h("div", null,
        typeTable("Entity types", "Entities", ofEntities),
        !corpus.items && typeTable("Mention types", `${Unit}s`, ofTypes))),
  ];
}

/**
 * How many there are of each type, the most frequent first; a word where all are unknown.
 *
 * @param {string} heading
 * @param {string} what - is counted
 * @param {{ type: string, n: number }[]} all
 */
function typeTable(heading, what, all) {
  const types = all.filter(({ n }) => n).sort((a, b) => b.n - a.n);
  if (types.every(({ type }) => type === "unknown")) {
    return h("section", { class: "kinds" }, h("h2", null, heading), h("p", { class: "note" }, "None are annotated."));
  }
  const largest = types[0].n;
  return h("section", { class: "kinds" },
    h("h2", null, heading),
    h("table", null,
      h("thead", { class: "unseen" }, h("tr", null, [heading, what, "Share"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", null, types.slice(0, MOST).map(({ type, n }) => h("tr", null,
        h("th", { scope: "row" }, h("bdi", null, visible(type, 40))),
        h("td", null, formatted(n)),
        h("td", { class: "bar-cell" },
          h("span", { class: "bar neutral", style: { width: `${((100 * n) / largest).toFixed(1)}%` } })))))));
}
