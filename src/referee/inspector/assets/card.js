// What is chosen: where its mentions went, what that costs, and the mentions one by one.

class Card {
  constructor({ choose, close, refilter }) {
    this.choose = choose;
    this.refilter = refilter;
    this.close = close;
    this.unfolded = false; // on a narrow page the card lies on the text, so it says little until it is asked
    this.element = h("section", { class: "card", "aria-label": "What is chosen", hidden: true });
  }

  fold() {
    this.unfolded = !this.unfolded;
    this.element.toggleAttribute("data-unfolded", this.unfolded);
    const button = this.element.querySelector(".fold");
    button.setAttribute("aria-expanded", String(this.unfolded));
    button.textContent = this.unfolded ? "less" : "more";
  }

  show(doc, run, corpus, side, entity, chosenMention, metric) {
    this.element.hidden = entity < 0;
    if (entity < 0) return;
    const own = side === "K" ? doc.key : run.response;
    const other = side === "K" ? run?.response : doc.key;
    const { same: cells, bounded } = run ? run.common(side, entity) : { same: [], bounded: [] };
    const size = own.size[entity];
    const sum = (some) => some.reduce((total, cell) => total + cell.shared, 0);
    const absent = size - sum(cells) - sum(bounded);
    const core = run && (side === "K" ? run.home[entity] : run.owner[entity]);
    const label = own.labels?.[entity];
    const type = own.types?.[entity];
    const elsewhere = side === "K" ? "missed" : "spurious";
    const colour = (cell) => (side === "K" ? responseColour(doc, run, cell.other) : keyColour(doc, cell.other));
    const parts = [];
    for (const [some, manner] of [[cells, ""], [bounded, "bounded"]]) {
      parts.push(...some.slice(0, 12).map((cell) => ({ name: other.name(cell.other), n: cell.shared, colour: colour(cell), cell, manner })));
      if (some.length > 12) parts.push({ name: `${some.length - 12} more`, n: sum(some.slice(12)), colour: GREY(0.6), manner });
    }
    if (absent) parts.push({ name: elsewhere, n: absent, colour: "transparent", manner: "none" });
    const inCore = parts.find(({ cell }) => cell?.other === core); // said once
    put(this.element, 
      h("header", null,
        h("h2", { style: { "--colour": colourOf(doc, run, side, entity) } }, h("span", { class: "swatch" }), own.name(entity), " ", quoted(own.text(own.members[entity][0]), 50)),
        h("p", { class: "about" }, [
          `${side === "K" ? "key" : "response"} entity of ${count(size, "mention")}`, type ? [", ", h("bdi", null, visible(type, 40))] : null,
          label ? [", called ", h("bdi", null, visible(label, 40)), " in the file"] : null,
        ]),
        h("button", { type: "button", class: "quiet fold", "aria-expanded": String(this.unfolded), on: { click: () => this.fold() } }, this.unfolded ? "less" : "more"),
        h("button", { type: "button", class: "quiet close", "aria-label": "Choose nothing", on: { click: this.close } }, "×"),
      ),
      run ? h("div", { class: "parts", role: "list", "aria-label": "Where its mentions are" }, parts.map((part) =>
        h("div", { class: `part ${part.manner}`, role: "listitem", title: part.manner === "bounded" ? "the same mentions, with another span there" : null, style: { "--colour": part.colour, "flex-grow": part.n } },
          h("span", { class: "stripe" }),
          part.cell ? h("button", { type: "button", class: "link", on: { click: () => this.choose(side === "K" ? "R" : "K", part.cell.other, -1) } }, part.name) : h("span", null, part.name),
          h("span", { class: "n" }, part.n, part.manner === "bounded" ? " other span" : null, part === inCore ? [" ", h("span", { class: "core" }, side === "K" ? "core" : "owner")] : null)))) : null,
      run ? this.figures(doc, run, corpus, side, entity, metric) : null,
      this.mentions(doc, run, side, own, other, entity, chosenMention),
    );
  }

  // Its own share of the measures that are sums over entities, and what repairing it would gain.
  figures(doc, run, corpus, side, entity, metric) {
    const { same: cells, bounded } = run.common(side, entity);
    const size = (side === "K" ? doc.key : run.response).size[entity];
    const others = (side === "K" ? run.response : doc.key).size;
    const what = side === "K" ? "recall" : "precision";
    const found = cells.reduce((sum, { shared }) => sum + shared, 0);
    const spans = bounded.reduce((sum, { shared }) => sum + shared, 0);
    const squares = cells.reduce((sum, { shared }) => sum + shared * shared, 0);
    const kept = size - (cells.length + size - found);
    const pairs = (n) => (n * (n - 1)) / 2;
    const resolved = size === 1 ? Number(cells.length === 1 && others[cells[0].other] === 1) : cells.reduce((sum, { shared }) => sum + pairs(shared), 0);
    const links = size === 1 ? 1 : pairs(size);
    const rows = [
      ["mentions found", `${found} of ${size}${spans ? `, ${spans} with another span` : ""}`, found / size, side === "K" ? "mentions of it that the response has" : "mentions of it that the key has"],
      [`MUC ${what}`, size > 1 ? `${kept} of ${count(size - 1, "link")}` : "no links", size > 1 ? kept / (size - 1) : null, "links kept, of those that hold it together (Vilain et al. 1995)"],
      [`B³ ${what}`, `${squares} ⁄ ${size}²`, squares / (size * size), "the share of it that the other side puts together, mean over its mentions (Bagga and Baldwin 1998)"],
      [`LEA ${what}`, size > 1 ? `${resolved} of ${count(links, "pair")}` : resolved ? "alone on both sides" : "not alone there", resolved / links, "pairs of its mentions that are together there (Moosavi and Strube 2016)"],
    ];
    const costs = side === "K" ? run.key_costs : run.response_costs;
    const cost = costs[metric]?.[entity];
    return h("div", { class: "figures" },
      cost !== undefined && cost !== null ? h("p", { class: "cost" }, h("strong", null, points(cost, corpus.metric.get(metric))), " ", metricPicker(corpus, metric, (chosen) => this.refilter({ metric: chosen })), " in this document if all its errors were repaired") : null,
      metric && !(metric in costs) ? h("p", { class: "note" }, `${LEFT_OUT[0].toUpperCase()}${LEFT_OUT.slice(1)}.`) : null,
      h("dl", null, rows.map(([name, fraction, value, says]) => h("div", { title: says }, h("dt", null, name), h("dd", null, h("b", null, value === null ? "–" : percent(value)), h("span", null, fraction))))));
  }

  mentions(doc, run, side, own, other, entity, chosenMention) {
    const members = own.members[entity];
    const place = Math.max(0, members.indexOf(chosenMention));
    const first = members.length > 60 ? Math.max(0, Math.min(place - 20, members.length - 60)) : 0;
    const shown = members.slice(first, first + 60);
    const line = (mention) => {
      let where = null;
      let manner = "right";
      if (run) {
        const there = side === "K" ? run.counterpart[mention] : run.back[mention];
        const key = side === "K" ? mention : there;
        manner = there < 0 ? "absent" : run.right(key) ? "right" : "moved";
        const bounded = there >= 0 && run.key_boundary[key] >= 0;
        where = there < 0 ? (side === "K" ? "missed" : "spurious")
          : [h("button", { type: "button", class: "link", on: { click: () => this.choose(side === "K" ? "R" : "K", other.entity[there], there) } }, other.name(other.entity[there])),
             bounded ? [" as ", quoted(other.text(there), 40)] : null];
      }
      return h("li", { class: `is-${manner}`, "data-chosen": mention === chosenMention },
        h("button", { type: "button", class: "link said", "aria-current": mention === chosenMention ? "true" : null, on: { click: () => this.choose(side, entity, mention) } }, h("bdi", null, visible(own.text(mention), 120) || "∅")),
        where ? h("span", { class: "there" }, where) : null);
    };
    return h("div", { class: "members" },
      h("h3", null, "Mentions"),
      first ? h("p", { class: "more" }, `… ${count(first, "mention")} before`) : null,
      h("ol", { start: first + 1 }, shown.map(line)),
      first + 60 < members.length ? h("p", { class: "more" }, `… ${members.length - first - 60} more; n and p go through them`) : null);
  }
}
