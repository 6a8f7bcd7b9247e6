// The errors of a document, those first that cost most.

const KIND_SAYS = {
  boundary: "boundary", missed: "missed mention", missed_entity: "missed entity", spurious: "spurious mention",
  spurious_entity: "spurious entity", split: "split", merged: "merged", misplaced: "misplaced",
};
const KIND_MEANS = {
  boundary: "found, but with another span",
  missed: "a mention that nobody found",
  missed_entity: "an entity of which nothing was found",
  spurious: "a mention that the key does not have, in an entity that it has",
  spurious_entity: "an entity that the key does not have",
  split: "a piece that stands apart from the rest of its entity",
  merged: "an entity put into that of another",
  misplaced: "mentions put with strangers, away from the rest of their entity",
};

const LEFT_OUT = "costs of single errors are left out: this text is too large for them";

class Errors {
  constructor({ choose, refilter, showAll }) {
    this.choose = choose;
    this.refilter = refilter;
    this.list = new LongList({ label: "Errors", height: 46, draw: (n) => this.row(this.shown[n]), choose: (n) => this.pick(this.shown[n]) });
    this.head = h("div", { class: "list-head" });
    this.none = noneBar(showAll);
    this.element = h("div", { class: "pane errors" }, this.head, this.none, this.list.element);
  }

  show(doc, run, corpus, filter) {
    Object.assign(this, { doc, run, corpus, filter });
    this.shown = [];
    if (run) {
      const { errors } = run;
      const cost = errors.costs[filter.metric];
      for (let n = 0; n < run.count; n++) if (this.passes(n)) this.shown.push(n);
      if (cost) this.shown.sort((a, b) => Math.abs(cost[b] ?? 0) - Math.abs(cost[a] ?? 0) || a - b);
    }
    const total = run ? run.count : 0;
    put(this.head, h("p", null,
      this.shown.length === total ? count(total, "error") : `${NUMBERS.format(this.shown.length)} of ${count(total, "error")}`,
      !corpus.costed.length || !run ? null : !(filter.metric in run.errors.costs) ? `; ${LEFT_OUT}` : [", by what ", metricPicker(corpus, filter.metric, (metric) => this.refilter({ metric })), " would gain if each alone were repaired"]));
    this.none.hidden = this.shown.length > 0 || !total;
    this.list.show(this.shown.length);
    this.list.element.scrollTop = 0;
  }

  passes(n) {
    const { errors } = this.run;
    const { filter, doc, run } = this;
    if (filter.kind >= 0 && errors.kind[n] !== filter.kind) return false;
    const entity = errors.key[n] >= 0 ? [doc.key, errors.key[n], errors.key_mention[n]] : [run.response, errors.response[n], errors.response_mention[n]];
    const [owner, number, mention] = entity;
    if (owner.size[number] < filter.size) return false;
    if (filter.mentionClass >= 0 && (owner.classes?.[mention] ?? 0) !== filter.mentionClass) return false;
    return !filter.text || owner.matches(number, filter.text);
  }

  row(n) {
    const { run, corpus, filter } = this;
    const kind = corpus.kinds[run.errors.kind[n]];
    const cost = run.errors.costs[filter.metric]?.[n];
    return h("div", { class: "error", "data-kind": kind },
      h("span", { class: "kind" }, KIND_SAYS[kind]), h("span", { class: "what" }, this.sentence(n, kind)),
      h("span", { class: "cost" }, cost === undefined || cost === null ? "" : points(cost, corpus.metric.get(filter.metric))));
  }

  sentence(n, kind) {
    const { doc, run } = this;
    const { key, response, key_mention, response_mention, mentions } = run.errors;
    const K = key[n] >= 0 ? doc.key.name(key[n]) : "";
    const R = response[n] >= 0 ? run.response.name(response[n]) : "";
    const name = (entity) => doc.key.name(entity);
    const text = key_mention[n] >= 0 ? quoted(doc.key.text(key_mention[n]), 60) : quoted(run.response.text(response_mention[n]), 60);
    const some = mentions[n] > 1 ? [text, ` and ${mentions[n] - 1} more`] : text;
    const home = key[n] >= 0 && run.home[key[n]] >= 0 ? run.response.name(run.home[key[n]]) : "";
    const owner = response[n] >= 0 && run.owner[response[n]] >= 0 ? name(run.owner[response[n]]) : "";
    return {
      boundary: () => [text, " is ", quoted(run.response.text(response_mention[n]), 60), ` in ${R}`],
      missed: () => [text, ` of ${K} was not found`],
      missed_entity: () => [some, `: nothing of ${K} was found`],
      spurious: () => [text, ` in ${R} is in no entity of the key`],
      spurious_entity: () => [some, `: nothing of ${R} is in the key`],
      split: () => [some, ` of ${K}: apart in ${R}, while most of it is in ${home}`],
      merged: () => [some, `: ${K} is merged into ${R}, which is mostly ${owner}`],
      misplaced: () => [some, ` of ${K}: in ${R}, which is mostly ${owner}, not in ${home}`],
    }[kind]();
  }

  pick(n) {
    const { key, response, key_mention, response_mention } = this.run.errors;
    if (key[n] >= 0) this.choose("K", key[n], key_mention[n]);
    else this.choose("R", response[n], response_mention[n]);
  }
}

function metricPicker(corpus, now, change) {
  return h("select", { class: "plain", "aria-label": "Measure of costs", "data-filter": "metric", on: { change: (e) => change(e.target.value) } },
    corpus.costed.map((metric) => h("option", { value: metric, selected: metric === now }, metricName(metric))));
}
