// Numbers as reports print them, every measure of a document, and the distributions of sizes.

const NAMES = {
  mentions: "Mentions", muc: "MUC", b_cubed: "B³", ceaf_m: "CEAFm", ceaf_e: "CEAFe", blanc: "BLANC", lea: "LEA", conll: "CoNLL",
  core_mr: "Core MR", exclusive_core_mr: "Exclusive core MR", overlap: "Overlap", d_error: "D-error", links: "Links",
  rand: "Rand", ari: "ARI", vi: "VI", v_measure: "V-measure", ceaf_phi1: "CEAF φ1", ceaf_phi2: "CEAF φ2",
};
const PANEL = ["conll", "mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea"];

const metricName = (id) => NAMES[id] ?? (/^[a-z_]+$/.test(id) ? (id[0].toUpperCase() + id.slice(1)).replaceAll("_", " ") : visible(id, 40));

let cutDecimals = false;
function percent(value) {
  if (value === null || value === undefined) return "–";
  const points = value * 100;
  return (cutDecimals ? Math.trunc(points * 100) / 100 : points).toFixed(points >= 99.995 ? 1 : 2).replace(/^100\.0+$/, "100");
}

// A score in its unit; a plain number if it has one.
function shown(value, metric) {
  if (value === null || value === undefined) return "–";
  return metric?.unit ? `${Number(value.toFixed(4))}` : percent(value);
}

// A cost: in hundred thousandths of the score.
function points(cost, metric) {
  const value = metric?.unit ? cost / 1e5 : cost / 1e3;
  return Math.abs(value) < 0.005 ? "0.00" : `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

// other: what the other response has, if there is one: its letter and scores.
function strip(corpus, scores, open, other = null) {
  const ids = PANEL.filter((id) => corpus.metric.has(id));
  const rest = corpus.metrics.map((metric) => metric.id).filter((id) => !PANEL.includes(id));
  const shownIds = ids.length ? ids : rest.slice(0, 8);
  return h("dl", { class: "strip" }, shownIds.map((id, place) => {
    const metric = corpus.metric.get(id);
    const [recall, precision, value] = scores?.[id] ?? [null, null, null];
    return h("div", { class: place ? "score" : "score first", title: metric.says },
      h("dt", null, metricName(id)),
      h("dd", null, h("span", { class: "value" }, shown(value, metric)),
        metric.sides ? h("span", { class: "sides" }, h("abbr", { title: "recall" }, "R"), ` ${shown(recall, metric)} `, h("abbr", { title: "precision" }, "P"), ` ${shown(precision, metric)}`) : null,
        other ? difference(other.letter, other.scores?.[id]?.[2], value, metric) : null));
  }), open && rest.length && ids.length ? h("div", { class: "score all" }, h("dt", { class: "unseen" }, "More"), h("dd", null, h("button", { type: "button", class: "link", on: { click: open } }, `all ${corpus.metrics.length} measures`))) : null);
}

function difference(letter, there, here, metric) {
  if ([there, here].some((value) => value === null || value === undefined)) return null;
  const cost = Math.round((there - here) * 1e5);
  const better = metric.distance ? cost < 0 : cost > 0;
  return h("span", { class: cost ? (better ? "difference fixed" : "difference broken") : "difference" }, `${letter} ${points(cost, metric)}`);
}

function scoreTable(corpus, columns) {
  return h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": "Scores" }, h("table", { class: "scores" },
    h("thead", null,
      columns.length > 1 ? h("tr", null, h("td"), columns.map(({ name }) => h("th", { scope: "colgroup", colspan: 3 }, fileName(name)))) : null,
      h("tr", null, h("th", { scope: "col" }, "Measure"), columns.map(() => ["Recall", "Precision", "F1 or value"].map((name) => h("th", { scope: "col" }, name))))),
    h("tbody", null, corpus.metrics.map((metric) => h("tr", null,
      h("th", { scope: "row", title: metric.says }, metricName(metric.id), metric.unit ? h("span", { class: "unit" }, ` ${metric.unit}`) : null),
      columns.map(({ scores }) => (scores?.[metric.id] ?? [null, null, null]).map((value, place) =>
        h("td", { class: place === 2 ? "value" : null }, place < 2 && !metric.sides ? "" : shown(value, metric)))))))));
}

// Sizes rank by rank, the key's upwards and the response's downwards, as in the text; what both have in common is dark.
function sizeChart(sizes, label) {
  const ranks = sizes.key.length;
  const width = 640;
  const half = 84;
  const largest = Math.max(1, ...sizes.key, ...sizes.response);
  const step = width / Math.max(ranks, 8);
  const bar = Math.max(1, Math.min(26, step * 0.72));
  const scale = (n) => (half * n) / largest;
  const parts = [];
  for (let rank = 0; rank < ranks; rank++) {
    const x = rank * step + (step - bar) / 2;
    for (const [name, up] of [["key", true], ["response", false]]) {
      const [all, both] = [scale(sizes[name][rank]), scale(sizes.shared[rank])];
      const title = svg("title", null, `rank ${rank + 1}: ${sizes[name][rank]} in the ${name}, ${sizes.shared[rank]} in common`);
      parts.push(svg("rect", { class: `excess ${name}`, x, width: bar, y: up ? half - all : half + 2, height: all, rx: 1.5 }, title));
      parts.push(svg("rect", { class: `common ${name}`, x, width: bar, y: up ? half - both : half + 2, height: both, rx: 1.5 }));
    }
  }
  return h("figure", { class: "sizes" },
    svg("svg", { viewBox: `0 0 ${width} ${2 * half + 4}`, role: "img", "aria-label": label, preserveAspectRatio: "none" },
      parts, svg("line", { x1: 0, x2: width, y1: half + 1, y2: half + 1 })));
}

function sizesOf(doc, run) {
  const missed = run.counterpart.filter((other, mention) => !matched(doc, run, mention)).length;
  const spurious = run.back.filter((other, mention) => other < 0 || !matched(doc, run, other)).length;
  const down = (sizes, more) => [...sizes, ...Array(more).fill(1)].sort((a, b) => b - a);
  const key = down(doc.key.size, spurious);
  const response = down(run.response.size, missed);
  const ranks = Math.max(key.length, response.length);
  const fillUp = (sizes) => Array.from({ length: ranks }, (_, rank) => sizes[rank] ?? 0);
  const both = { key: fillUp(key), response: fillUp(response) };
  return { ...both, shared: both.key.map((n, rank) => Math.min(n, both.response[rank])) };
}

// Whether a key mention was matched: it has a counterpart, and no other boundary.
const matched = (doc, run, mention) => run.counterpart[mention] >= 0 && run.key_boundary[mention] < 0;

function distribution(corpus, sizes, scores, ranks = 40) {
  const [, , overlap] = scores?.overlap ?? [null, null, null];
  const [, , error] = scores?.d_error ?? [null, null, null];
  const cut = Object.fromEntries(Object.entries(sizes).map(([name, list]) => [name, list.slice(0, ranks)]));
  const rest = sizes.key.slice(ranks).reduce((a, b) => a + b, 0);
  const restThere = sizes.response.slice(ranks).reduce((a, b) => a + b, 0);
  const tells = error === null ? "" : error > 0 ? "the response groups too much" : error < 0 ? "the response groups too little" : "neither too much nor too little";
  return h("section", { class: "distribution" },
    h("h2", null, "Sizes of entities, rank by rank"),
    h("p", { class: "note" }, "Above the line the key’s entities, largest first; below it the response’s. What both have at a rank is solid."),
    sizeChart(cut, "Sizes of entities by rank, key above and response below"),
    rest || restThere ? h("p", { class: "note" }, `Past rank ${ranks}: ${count(rest, "mention")} of the key, ${NUMBERS.format(restThere)} of the response.`) : null,
    overlap === null && error === null ? null : h("p", null,
      overlap === null ? null : [h("b", null, percent(overlap)), " of the mentions overlap"],
      error === null ? null : [overlap === null ? "" : "; ", "d-error ", h("b", null, percent(Math.abs(error))), ` (${tells})`], "."));
}

function scoresPane(corpus, doc, runNumber) {
  const columns = corpus.runs.map(({ name }, n) => ({ name, scores: doc.runs[n]?.scores }));
  const run = doc.runs[runNumber];
  return h("div", { class: "pane scores-pane", tabindex: "0", role: "region", "aria-label": "Scores of the document" },
    run ? distribution(corpus, sizesOf(doc, run), run.scores) : null, h("h2", null, "Every measure"), scoreTable(corpus, columns),
    h("p", { class: "signature" }, h("code", null, visible(corpus.runs[runNumber].signature, 4000))));
}
