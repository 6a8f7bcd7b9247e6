// All annotators: how far they agree, together and any two of them.

import { button, picker } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { count } from "../basics/numbers.js";
import { quoted, visible } from "../basics/visible.js";
import { letterOf } from "../model/changes.js";
import { formatMeasure, isAlpha } from "../scores/format.js";
import { firstMetrics } from "../scores/metrics.js";

/**
 * @import { AgreementOverview } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 */

/**
 * @param {Corpus} corpus
 * @param {AgreementOverview} agreement
 * @param {number} measure - that the matrix shows
 * @param {(measure: number) => void} changeMeasure
 * @param {(first: number, other: number) => void} openPair
 * @param {(document: number) => void} openPlaces - shows who put what where
 */
export function agreementOverview(corpus, agreement, measure, changeMeasure, openPair, openPlaces) {
  const { everyone } = corpus;
  const two = everyone.length === 2;
  return [
    lede(corpus, agreement, two ? () => openPair(0, 1) : null),
    headline(corpus, agreement),
    h("div", { class: "charts" },
      !two && matrix(corpus, agreement, measure, changeMeasure, openPair),
      agreement.disputed.length > 0 && disputes(corpus, agreement, openPlaces)),
  ];
}

/**
 * @param {Corpus} corpus
 * @param {AgreementOverview} agreement
 * @param {(() => void) | null} openPair - of two annotators
 */
function lede({ everyone, documents }, { common, warnings }, openPair) {
  const names = everyone.map((name) => h("bdi", null, visible(name, 80)));
  const lacking = documents.length - common;
  return h("section", { class: "lede" },
    h("p", { class: "eyebrow" }, "Agreement of annotators"),
    h("h1", null, openPair ? [names[0], h("span", { class: "against" }, " and "), names[1]]
      : count(everyone.length, "annotator")),
    warnings.map((warning) => h("p", { class: "warning" }, h("b", null, "Warning: "), visible(warning, 4000))),
    h("p", null, "Alpha is 1 if all agree, and about 0 if they agree no more than by chance. ",
      !openPair && "Metrics are means over pairs of annotators. ",
      `All is counted over ${count(common, "document")}`, openPair ? " that both have. " : " that all of them have. ",
      lacking > 0 && `${count(lacking, "document")} of the page ${lacking === 1 ? "is" : "are"} left out. `,
      "Open a document to see who put what where."),
    openPair && h("p", null, button("link", openPair, { "data-pair": "0 1" }, "Both side by side, with all differences")));
}

/**
 * Alpha with its interval, and metrics.
 *
 * @param {Corpus} corpus
 * @param {AgreementOverview} agreement
 */
function headline(corpus, agreement) {
  const { measures, together, interval, level } = agreement;
  const written = (/** @type {number} */ n, /** @type {number | null} */ value) => formatMeasure(corpus, measures[n], value);
  const ends = interval
    && `${Number((100 * level).toFixed(2))} % interval ${interval.map((end) => written(0, end)).join(" to ")}`;
  const box = (/** @type {number} */ n) => h("div", { class: n ? "score" : "score first" },
    h("dt", null, n ? "" : "Krippendorff’s ", measures[n].title),
    h("dd", null, h("span", { class: "value" }, written(n, together[n])), !n && h("span", { class: "sides" }, ends)));
  return h("dl", { class: "strip" }, firstMeasures(corpus, agreement).map(box));
}

/**
 * The places of the measures that are shown first: the alpha that leads, mentions, and other metrics.
 *
 * @param {Corpus} corpus
 * @param {AgreementOverview} agreement
 */
export function firstMeasures(corpus, { measures }) {
  const names = new Set(["mentions", ...firstMetrics(corpus, 0)]);
  const places = [...names].map((metric) => measures.findIndex(({ id }) => id === metric));
  const found = places.filter((place) => place > 0);
  const others = measures.flatMap(({ id }, n) => (isAlpha(id) ? [] : [n]));
  return [0, ...(found.length ? found : others)];
}

/**
 * The agreement of any two. A click on a cell opens them side by side.
 *
 * @param {Corpus} corpus
 * @param {AgreementOverview} agreement
 * @param {number} measure
 * @param {(measure: number) => void} changeMeasure
 * @param {(first: number, other: number) => void} openPair
 */
function matrix(corpus, { measures, pairs }, measure, changeMeasure, openPair) {
  const { everyone } = corpus;
  const values = pairs[measure];
  const [least, most] = [Math.min, Math.max].map((end) => end(...values.flatMap((value) => (value === null ? [] : [value]))));
  const cell = (/** @type {number} */ row, /** @type {number} */ column) => {
    if (row === column) return h("td", { class: "self" }, "·");
    const [first, other] = [Math.min(row, column), Math.max(row, column)];
    const value = values[placeOf(first, other, everyone.length)];
    const share = value === null || most === least ? 0 : (value - least) / (most - least);
    const names = `${visible(everyone[first], 60)} and ${visible(everyone[other], 60)}`;
    // Each pair is twice in the matrix; keys reach it once.
    return h("td", { style: { "--share": `${(4 + 28 * share).toFixed(0)}%` } },
      button("pair", () => openPair(first, other),
        { title: `${names}, side by side`, "data-pair": `${first} ${other}`, tabindex: row < column ? null : "-1" },
        formatMeasure(corpus, measures[measure], value), h("span", { class: "unseen" }, ` of ${names}`)));
  };
  return h("section", { class: "matrix" },
    h("h2", null, "Any two annotators"),
    h("p", { class: "note" }, "Agreement in ", picker({ "aria-label": "Measure of agreement", "data-filter": "measure" },
      measures.map(({ title }, n) => [n, title]), measure, (n) => changeMeasure(Number(n))),
    ". Click a cell to see the two side by side."),
    h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": "Agreement of any two annotators" },
      h("table", null,
        h("thead", null, h("tr", null, h("td"), everyone.map((name, n) =>
          h("th", { scope: "col", title: visible(name, 80) },
            letterOf(n), h("span", { class: "unseen" }, ` ${visible(name, 60)}`))))),
        h("tbody", null, everyone.map((name, row) => h("tr", null,
          h("th", { scope: "row", title: visible(name, 80) },
            h("b", null, letterOf(row)), " ", h("bdi", null, visible(name, 80))),
          everyone.map((_, column) => cell(row, column))))))));
}

/**
 * The most disputed entities of all documents, in one list.
 *
 * @param {Corpus} corpus
 * @param {AgreementOverview} agreement
 * @param {(document: number) => void} openPlaces
 */
function disputes({ everyone, documents }, { disputed }, openPlaces) {
  const heads = ["Entity", "of", "Document", "Mentions", "Disagreement"];
  return h("section", { class: "disputes" },
    h("h2", null, "Most disputed entities"),
    h("p", { class: "note" }, "Of all documents, the most mentions × disagreement first. Click one to see who put what where."),
    h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": "Most disputed entities" },
      h("table", null,
        h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", null, disputed.map(({ document, annotator, name, mentions, disagreement }) => h("tr", null,
          h("th", { scope: "row" }, button("link", () => openPlaces(document), null, quoted(name, 40))),
          h("td", { title: visible(everyone[annotator], 80) }, letterOf(annotator)),
          h("td", null, h("bdi", null, visible(documents[document], 40))),
          h("td", null, String(mentions)),
          h("td", null, (100 * disagreement).toFixed(2))))))));
}

/**
 * The place of a pair among all: the first annotator with each later one, the second one with each later one, and so on.
 *
 * @param {number} first
 * @param {number} other - a later one
 * @param {number} annotators - how many
 */
const placeOf = (first, other, annotators) => first * (annotators - 1) - (first * (first - 1)) / 2 + other - first - 1;
