// What the second response fixes of the first, and what it breaks: mentions and entities of the key.

class Changes {
  constructor({ choose }) {
    this.choose = choose;
    this.what = "fixed";
    this.list = new LongList({ label: "Changes", height: 46, draw: (n) => this.row(this.shown[n]), choose: (n) => this.pick(this.shown[n]) });
    this.head = h("div", { class: "list-head" });
    this.element = h("div", { class: "pane changes" }, this.head, this.list.element);
  }

  show(doc, corpus) {
    Object.assign(this, { doc, corpus });
    const [first, second] = doc.runs;
    this.found = changesOf(doc);
    const many = (what, one) => count(this.found[what].length, one, one === "entity" ? "entities" : undefined);
    const button = (what, text) => h("button", { type: "button", class: "chip", "aria-pressed": String(this.what === what), "data-change": what, on: { click: () => { this.what = what; this.show(doc, corpus); } } }, text);
    put(this.head, 
      h("p", null, "From ", fileName(corpus.runs[0].name), " to ", fileName(corpus.runs[1].name), first && second ? null : ": only one of them has this document"),
      h("div", { class: "chips", role: "group", "aria-label": "Which changes" },
        button("fixed", `fixed: ${many("fixed", "mention")}`), button("broken", `broken: ${many("broken", "mention")}`),
        button("fixed_entities", `fixed: ${many("fixed_entities", "entity")}`), button("broken_entities", `broken: ${many("broken_entities", "entity")}`)));
    this.shown = this.found[this.what];
    this.list.show(this.shown.length);
  }

  row(n) {
    const { doc } = this;
    const entities = this.what.endsWith("entities");
    const mention = entities ? doc.key.members[n][0] : n;
    const state = (run) => {
      if (entities) return run.whole(n, doc) ? "whole" : run.home[n] < 0 ? "missed" : "not whole";
      if (run.right(n)) return `right, in ${run.response.name(run.response.entity[run.counterpart[n]])}`;
      const error = run.key_error[n] >= 0 ? run.key_error[n] : run.key_boundary[n];
      return KIND_SAYS[this.corpus.kinds[run.errors.kind[error]]];
    };
    const [before, after] = doc.runs.map(state);
    return h("div", { class: "error change", "data-change": this.what.startsWith("fixed") ? "fixed" : "broken" },
      h("span", { class: "kind" }, this.what.startsWith("fixed") ? "fixed" : "broken"),
      h("span", { class: "what" }, quoted(doc.key.text(mention), 60), ` ${entities ? "" : "of "}${doc.key.name(entities ? n : doc.key.entity[n])}`),
      h("span", { class: "from" }, `${before} → ${after}`));
  }

  pick(n) {
    if (this.what.endsWith("entities")) this.choose("K", n, -1);
    else this.choose("K", this.doc.key.entity[n], n);
  }
}

function changesOf(doc) {
  const found = { fixed: [], broken: [], fixed_entities: [], broken_entities: [] };
  const [first, second] = doc.runs;
  if (!first || !second) return found;
  doc.key.start.forEach((_, mention) => {
    const [before, after] = [first.right(mention), second.right(mention)];
    if (before !== after) found[after ? "fixed" : "broken"].push(mention);
  });
  doc.key.inOrder.forEach((entity) => {
    const [before, after] = [first.whole(entity, doc), second.whole(entity, doc)];
    if (before !== after) found[after ? "fixed_entities" : "broken_entities"].push(entity);
  });
  return found;
}

function marksOf(doc) {
  const { fixed, broken } = changesOf(doc);
  return new Map([...fixed.map((mention) => [mention, "fixed"]), ...broken.map((mention) => [mention, "broken"])]);
}
