// The corpus: its scores, its documents, its errors by kind, and the distributions of sizes.

const FIRST_ROWS = 300;

class Overview {
  constructor({ open }) {
    this.open = open;
    this.sort = { column: "", down: false };
    this.all = false;
    this.element = h("div", { class: "overview", tabindex: "-1" });
  }

  show(corpus, runNumber, metric, query, remetric, lost = null) {
    Object.assign(this, { corpus, runNumber, query });
    const run = corpus.runs[runNumber];
    const documents = corpus.documents.length;
    const errors = run.kinds.errors.reduce((a, b) => a + b, 0);
    const mentions = run.mentions.key.reduce((a, b) => a + (b ?? 0), 0);
    const entities = run.entities.key.reduce((a, b) => a + (b ?? 0), 0);
    put(this.element, 
      lost === null ? null : h("p", { class: "lost", role: "alert" }, "There is no document ", quoted(lost), " here."),
      h("section", { class: "lede" },
        h("p", { class: "eyebrow" }, "Key and response, side by side"),
        h("h1", null, fileName(run.name), h("span", { class: "against" }, " against "), fileName(corpus.key)),
        h("p", null, `The key has ${count(mentions, "mention")} of ${count(entities, "entity", "entities")} in ${count(documents, "document")}. To turn the response into the key, ${count(errors, "error")} must be repaired. Open a document to see each of them.`)),
      strip(corpus, run.scores, null, otherRun(corpus, (n) => corpus.runs[n].scores)),
      this.dots(metric, run),
      h("div", { class: "two" }, this.kinds(run, metric, remetric), distribution(corpus, trimmed(run.sizes), run.scores)),
      corpus.changes ? this.changes() : null,
      this.documents(),
      h("section", null, h("h2", null, "Every measure"), scoreTable(corpus, corpus.runs.map(({ name, scores }) => ({ name, scores })))),
      h("p", { class: "signature" }, h("code", null, visible(run.signature, 4000))));
  }

  // A dot for each document, along a measure. The table below says the same to those who see no dots.
  dots(metric, run) {
    const { corpus } = this;
    const id = metric || corpus.metrics[0]?.id;
    const values = (run.by_document[id] ?? []).map((value, number) => ({ value, number })).filter(({ value }) => value !== null);
    if (values.length < 3 || corpus.metric.get(id).unit) return null;
    const low = Math.min(0.98, Math.floor(Math.min(...values.map(({ value }) => value)) * 20) / 20);
    const high = Math.max(low + 0.02, ...values.map(({ value }) => value));
    const width = 1080;
    const bins = 90;
    const heights = new Map();
    const placed = values.sort((a, b) => a.value - b.value).map(({ value, number }) => {
      const bin = Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins));
      const level = heights.get(bin) ?? 0;
      heights.set(bin, level + 1);
      return { bin, level, value, number };
    });
    const tallest = Math.max(...heights.values());
    const step = Math.min(11, 150 / tallest);
    const base = tallest * step + 4;
    const radius = Math.min(4.4, step * 0.42);
    const ticks = [];
    for (let tick = Math.ceil(low * 10 - 1e-9) / 10; tick <= high + 1e-9; tick += 0.1) ticks.push(tick);
    const at = (value) => 6 + ((value - low) / (high - low)) * (width - 12);
    return h("section", { class: "dots" },
      h("h2", null, `Documents by ${metricName(id)}`),
      h("p", { class: "note" }, "Each dot is a document; click one to open it."),
      svg("svg", { viewBox: `0 0 ${width} ${base + 24}`, "aria-hidden": "true", on: { click: (e) => e.target.dataset.number && this.open(Number(e.target.dataset.number)) } },
        svg("line", { x1: 0, x2: width, y1: base + 2, y2: base + 2 }),
        ticks.map((tick) => svg("text", { x: at(tick), y: base + 19, "text-anchor": at(tick) < 12 ? "start" : at(tick) > width - 12 ? "end" : "middle" }, Math.round(tick * 100))),
        placed.map(({ bin, level, value, number }) => svg("circle", { cx: (6 + ((bin + 0.5) / bins) * (width - 12)).toFixed(1), cy: (base - 2 - (level + 0.5) * step).toFixed(1), r: radius, "data-number": number },
          svg("title", null, `${visible(corpus.documents[number], 80)}: ${percent(value)}`)))));
  }

  kinds(run, metric, remetric) {
    const { corpus } = this;
    const costs = run.kinds.costs[metric];
    const largest = Math.max(1, ...(costs ?? []).map((cost) => Math.abs(cost ?? 0)));
    const most = Math.max(1, ...run.kinds.errors);
    const order = corpus.kinds.map((_, kind) => kind).filter((kind) => run.kinds.errors[kind]).sort((a, b) => Math.abs(costs?.[b] ?? 0) - Math.abs(costs?.[a] ?? 0) || run.kinds.errors[b] - run.kinds.errors[a]);
    return h("section", { class: "kinds" },
      h("h2", null, "Errors by kind"),
      costs ? h("p", { class: "note" }, "And what ", metricPicker(corpus, metric, remetric), " would gain if all of a kind were repaired.") : null,
      h("table", null, h("thead", { class: "unseen" }, h("tr", null, ["Kind", "Errors", "Share", "Cost"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", null, order.map((kind) => h("tr", { "data-kind": corpus.kinds[kind] },
          h("th", { scope: "row" }, KIND_SAYS[corpus.kinds[kind]], h("span", { class: "means" }, KIND_MEANS[corpus.kinds[kind]])),
          h("td", null, NUMBERS.format(run.kinds.errors[kind])),
          h("td", { class: "bar-cell" }, h("span", { class: "bar", style: { width: `${(100 * (costs ? Math.abs(costs[kind] ?? 0) / largest : run.kinds.errors[kind] / most)).toFixed(1)}%` } })),
          h("td", { class: "value" }, costs ? (costs[kind] === null ? "–" : points(costs[kind], corpus.metric.get(metric))) : ""))))));
  }

  changes() {
    const { changes, runs } = this.corpus;
    const sum = (name) => changes[name].reduce((a, b) => a + b, 0);
    const row = (what, fixed, broken) => h("p", null, h("b", { class: "fixed" }, `+${NUMBERS.format(sum(fixed))}`), " ", h("b", { class: "broken" }, `−${NUMBERS.format(sum(broken))}`), ` ${what}`);
    return h("section", { class: "both" }, h("h2", null, "From ", fileName(runs[0].name), " to ", fileName(runs[1].name)),
      row("mentions right that were wrong, wrong that were right", "fixed", "broken"),
      row("entities whole that were not, not whole that were", "fixed_entities", "broken_entities"));
  }

  documents() {
    const { corpus, runNumber, query } = this;
    const run = corpus.runs[runNumber];
    const measures = PANEL.filter((id) => corpus.metric.has(id) && id !== "mentions");
    if (!measures.length) measures.push(...corpus.metrics.slice(0, 7).map((metric) => metric.id));
    const others = corpus.metrics.map(({ id }) => id).filter((id) => !measures.includes(id) && Object.hasOwn(run.by_document, id));
    if (others.includes(this.other)) measures.push(this.other);
    const columns = [
      ...measures.map((id) => ({ id, name: metricName(id), values: run.by_document[id], show: (v) => shown(v, corpus.metric.get(id)) })),
      { id: "#mentions", name: "Mentions", values: run.mentions.key, show: (v) => (v === null ? "–" : NUMBERS.format(v)) },
      { id: "#errors", name: "Errors", values: run.errors, show: (v) => (v === null ? "–" : NUMBERS.format(v)) },
      ...(corpus.changes ? [
        { id: "#fixed", name: "Fixed", values: corpus.changes.fixed, show: (v) => (v ? `+${v}` : "0") },
        { id: "#broken", name: "Broken", values: corpus.changes.broken, show: (v) => (v ? `−${v}` : "0") }] : []),
    ];
    if (!this.sort.column) this.sort = { column: columns[0].id, down: false };
    const by = columns.find(({ id }) => id === this.sort.column) ?? columns[0];
    const wanted = query.toLowerCase().trim();
    const rows = corpus.documents.map((name, number) => ({ name, number })).filter(({ name }) => !wanted || name.toLowerCase().includes(wanted));
    if (this.sort.column === "#name") rows.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) * (this.sort.down ? -1 : 1));
    else rows.sort((a, b) => missingLast(by.values[a.number], by.values[b.number], this.sort.down));
    const shownRows = this.all ? rows : rows.slice(0, FIRST_ROWS);
    const heading = (id, name) => h("th", { scope: "col", "aria-sort": this.sort.column === id ? (this.sort.down ? "descending" : "ascending") : null },
      h("button", { type: "button", class: "sort", on: { click: () => this.sortBy(id) } }, name, h("span", { class: "arrow", "aria-hidden": "true" }, this.sort.column === id ? (this.sort.down ? "↓" : "↑") : "")));
    const section = h("section", { class: "documents" },
      h("h2", null, "Documents"),
      h("p", { class: "note" }, wanted ? `${count(rows.length, "document")} with “${visible(query, 40)}” in their name.` : "The worst first; a heading sorts by what stands below it."),
      others.length ? h("label", { class: "note another" }, "Another measure ", h("select", { class: "plain", on: { change: (e) => this.add(e.target.value) } },
        [["", "–"], ...others.map((id) => [id, metricName(id)])].map(([id, name]) => h("option", { value: id, selected: id === (this.other ?? "") }, name)))) : null,
      h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": "Documents" }, h("table", null,
        h("thead", null, h("tr", null, heading("#name", "Document"), columns.map(({ id, name }) => heading(id, name)))),
        h("tbody", null, shownRows.map(({ name, number }) => h("tr", null,
          h("th", { scope: "row" }, h("button", { type: "button", class: "link", "data-document": number, on: { click: () => this.open(number) } }, h("bdi", null, visible(name, 80) || "(no name)"))),
          columns.map(({ values, show, id }) => h("td", { class: id === this.sort.column ? "value" : null }, show(values[number])))))))),
      shownRows.length < rows.length ? h("button", { type: "button", class: "chip", on: { click: () => { this.all = true; this.again(); } } }, `all ${NUMBERS.format(rows.length)} documents`) : null);
    this.table = section;
    return section;
  }

  again() {
    const old = this.table;
    old.replaceWith(this.documents());
  }

  sortBy(id) {
    this.sort = { column: id, down: this.sort.column === id ? !this.sort.down : id.startsWith("#") && id !== "#name" };
    this.again();
    this.table.querySelector("th[aria-sort] button")?.focus();
  }

  add(id) {
    this.other = id;
    if (id) this.sort = { column: id, down: this.corpus.metric.get(id).distance };
    this.again();
    this.table.querySelector(".another select").focus();
  }

  search(query) {
    this.query = query;
    this.again();
  }
}

function missingLast(a, b, down) {
  if (a === null || b === null) return (a === null) - (b === null);
  return down ? b - a : a - b;
}

function trimmed(sizes) {
  const last = Math.max(...["key", "response"].map((name) => sizes[name].findLastIndex((n) => n > 0))) + 1;
  return Object.fromEntries(Object.entries(sizes).map(([name, list]) => [name, list.slice(0, Math.max(last, 1))]));
}
