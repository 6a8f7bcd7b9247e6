// The page as a whole: the header, what is shown where, the address, and the keys.

class App {
  constructor(corpus) {
    this.corpus = corpus;
    cutDecimals = corpus.cut;
    this.filter = { text: "", ...NO_FILTER, order: "size", metric: corpus.costed[0] ?? "" };
    const choose = (side, entity, mention) => this.choose(side, entity, mention);
    this.overview = new Overview({ open: (number) => this.go({ document: number, entity: -1, mention: -1 }) });
    this.text = new TextPane({ choose });
    const showAll = () => this.showAll();
    this.columns = new Columns({ choose, showAll });
    this.card = new Card({ choose, close: () => this.choose("", -1, -1), refilter: (change) => this.refilter(change) });
    this.errors = new Errors({ choose, showAll, refilter: (change) => this.refilter(change) });
    this.changes = new Changes({ choose });
    this.next = state; // where we are going: opening a document takes a while
    this.ticket = 0;
    this.live = h("p", { class: "unseen", role: "status", "aria-live": "polite" });
    this.help = helpDialog();
    this.build();
    addEventListener("hashchange", () => this.arrive());
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("beforeprint", () => state.document >= 0 && this.text.printAll());
    addEventListener("afterprint", () => this.text.printed());
    this.arrive();
  }

  build() {
    const { corpus } = this;
    const theme = stored("referee-theme");
    if (theme) document.documentElement.dataset.theme = theme;
    this.search = h("input", { type: "search", placeholder: "Search", "aria-label": "Search", autocomplete: "off", spellcheck: "false", on: { input: () => this.searchSoon(), keydown: (e) => this.searchKey(e) } });
    this.found = h("span", { class: "found", "aria-live": "polite" });
    this.where = h("div", { class: "where" });
    this.runs = corpus.runs.length > 1 ? h("div", { class: "runs", role: "group", "aria-label": "Response" }, corpus.runs.map((run, n) =>
      h("button", { type: "button", "data-run": n, on: { click: () => this.go({ run: n, ...this.kept() }) } }, h("b", null, n ? "B" : "A"), fileName(run.name)))) : null;
    const header = h("header", { class: "top" },
      h("button", { type: "button", class: "brand", title: "All documents", on: { click: () => this.go({ document: -1, entity: -1, mention: -1 }) } }, "Referee"),
      this.where, this.runs, h("div", { class: "spring" }),
      h("div", { class: "search" }, this.search, this.found),
      h("button", { type: "button", class: "quiet", "aria-label": "Light or dark", title: "Light or dark (d)", on: { click: () => this.theme() } }, "◐"),
      h("button", { type: "button", class: "quiet", "aria-label": "Help", title: "Help (?)", on: { click: () => this.help.showModal() } }, "?"));
    this.title = h("h1", { class: "unseen" });
    this.strip = h("div", { class: "strip-place" });
    this.tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Views" });
    this.filters = h("div", { class: "filters" });
    this.body = h("div", { class: "body", id: "view", role: "tabpanel" });
    const legend = h("div", { class: "legend" },
      h("p", null, "Lines above the words are mentions of the key, lines below them of the response. One colour is one entity. ", h("b", null, "Click a mention or an entity.")),
      samples());
    this.main = h("div", { class: "main" },
      h("div", { class: "left" }, legend, this.text.element),
      h("section", { class: "right", "aria-label": "Key and response" }, this.tabs, this.filters, this.body, this.card.element));
    this.page = h("main", { class: "page" }, this.overview.element, h("div", { class: "document", hidden: true }, this.title, this.strip, this.main));
    put(document.getElementById("app"), header, this.page, this.live, this.help);
  }

  // What stays chosen when the response changes: an entity of the key.
  kept() {
    return state.side === "K" ? {} : { entity: -1, mention: -1, side: "" };
  }

  // The document of the place where we are going, null for all documents; undefined if meanwhile we were sent elsewhere.
  async open(next) {
    const ticket = ++this.ticket;
    this.next = next;
    const doc = next.document < 0 ? null : await openDocument(next.document);
    return ticket === this.ticket ? doc : undefined;
  }

  settle(next) {
    Object.assign(state, next);
    this.next = state;
  }

  async go(change) {
    const next = { ...this.next, ...change };
    const doc = await this.open(next);
    if (doc === undefined) return;
    if (doc && "document" in change) next.run = runOf(doc, next.run);
    this.settle(next);
    const now = address(this.corpus, doc);
    // In a notebook the page is a frame without an address of its own.
    if (location.protocol !== "about:" && now !== (location.hash || "#")) {
      // Steps in quick succession, as with the arrow keys, are one step back.
      const chosen = Object.keys(change).every((name) => ["side", "entity", "mention"].includes(name));
      if (chosen && performance.now() - this.stepped < 700) history.replaceState(null, "", now);
      else history.pushState(null, "", now);
      this.stepped = chosen ? performance.now() : -Infinity;
    }
    this.render(doc);
  }

  // From the address to the state: at the start, by the back button, or by a link.
  async arrive() {
    const place = readAddress(this.corpus);
    const { document: number, run, view } = place;
    const next = { document: number, run, view, side: "", entity: -1, mention: -1 };
    const doc = await this.open(next);
    if (doc === undefined) return;
    this.lost = place.lost;
    if (doc) {
      next.run = runOf(doc, run);
      if (place.entityName) {
        const side = place.entityName[0];
        const owner = side === "K" ? doc.key : doc.runs[next.run].response;
        const entity = owner.inOrder[Number(place.entityName.slice(1)) - 1] ?? -1;
        if (entity >= 0) Object.assign(next, { side, entity, mention: owner.members[entity][place.mentionName - 1] ?? -1 });
      }
    }
    this.settle(next);
    this.render(doc, true);
  }

  // doc: that of the state, null for all documents
  render(doc, arrived = false) {
    const { corpus, filter } = this;
    const inside = state.document >= 0;
    if (this.inside !== inside) this.search.value = filter.text = "";
    this.inside = inside;
    this.overview.element.hidden = inside;
    this.main.parentElement.hidden = !inside;
    this.drawWhere();
    this.runs?.querySelectorAll("button").forEach((button, n) => button.setAttribute("aria-pressed", String(n === state.run)));
    if (!inside) {
      this.drawn = null;
      document.title = `${visible(corpus.key, 60)} · Referee`;
      this.search.placeholder = "Search documents";
      this.found.textContent = "";
      this.live.textContent = "";
      this.overview.show(corpus, state.run, filter.metric, this.search.value, (metric) => this.remetric(metric), this.lost);
      this.lost = null;
      return;
    }
    if (this.doc?.number !== doc.number) Object.assign(filter, NO_FILTER);
    this.doc = doc;
    this.run = doc.runs[state.run];
    this.search.placeholder = doc.listed ? "Search mentions" : "Search text";
    const name = corpus.documents[state.document];
    document.title = `${visible(name, 60)} · Referee`;
    this.title.textContent = visible(name, 60);
    const drawn = `${state.document} ${state.run}`;
    if (this.drawn !== drawn) {
      this.drawn = drawn;
      this.text.show(doc, this.run);
      put(this.strip, strip(corpus, this.run?.scores, () => this.go({ view: "scores" }), otherRun(corpus, (n) => doc.runs[n]?.scores)));
      this.list = "";
      if (this.search.value) this.find();
    }
    this.drawTabs();
    if (this.list !== state.view) {
      this.list = state.view;
      this.drawView();
    }
    const lit = state.entity < 0 ? null : projections(this.run, state.side, state.entity, state.mention);
    this.main.toggleAttribute("data-chosen", Boolean(lit));
    this.text.mark(state.view === "changes" ? (doc.marks ??= marksOf(doc)) : null);
    this.text.light(lit);
    this.card.show(doc, this.run, corpus, state.side, state.entity, state.mention, filter.metric); // takes room from the columns
    if (this.columns.doc === doc && this.columns.run === this.run && this.columns.rows) this.columns.light(lit);
    if (lit) {
      const owner = state.side === "K" ? doc.key : this.run.response;
      const mention = state.mention >= 0 ? state.mention : owner.members[state.entity][0];
      if (arrived || state.mention >= 0 || !this.inSight(owner)) this.text.goTo(owner.start[mention], state.mention >= 0);
      this.announce(doc, owner, lit);
    } else this.live.textContent = "";
  }

  // Whether a mention of the chosen entity is on the screen.
  inSight(owner) {
    const box = this.text.element.getBoundingClientRect();
    return [...this.text.element.querySelectorAll(".piece.lit")].some((piece) => {
      const { top, bottom } = piece.getBoundingClientRect();
      return top >= box.top && bottom <= box.bottom;
    });
  }

  announce(doc, owner, lit) {
    const other = lit.tint === "K" ? this.run?.response : doc.key;
    const names = [...lit[lit.tint === "K" ? "R" : "K"]].slice(0, 8).map((entity) => `${other.name(entity)} (${lit.shared.get(entity)})`);
    this.live.textContent = `${owner.name(lit.entity)}, ${count(owner.size[lit.entity], "mention")}. ` +
      (names.length ? `Shares mentions with ${names.join(", ")}.` : `Shares mentions with nothing in the ${lit.tint === "K" ? "response" : "key"}.`);
  }

  drawWhere() {
    const { corpus } = this;
    if (this.shownWhere === state.document) return;
    this.shownWhere = state.document;
    const focused = [...this.where.children].indexOf(document.activeElement);
    const many = corpus.documents.length > 1;
    const step = (by, sign, name) => h("button", { type: "button", class: "quiet", "aria-label": name, on: { click: () => this.step(by) } }, sign);
    put(this.where, state.document < 0 ? [] : !many ? h("strong", { class: "picker" }, h("bdi", null, visible(corpus.documents[0], 60))) : [
      step(-1, "‹", "Previous document"),
      h("select", { class: "plain picker", "aria-label": "Document", on: { change: (e) => this.go({ document: Number(e.target.value), entity: -1, mention: -1 }) } },
        corpus.documents.map((name, n) => h("option", { value: n, selected: n === state.document }, visible(name, 60) || "(no name)"))),
      step(1, "›", "Next document"),
    ]);
    this.where.children[focused]?.focus();
  }

  step(by) {
    const number = this.next.document + by;
    if (number >= 0 && number < this.corpus.documents.length) this.go({ document: number, entity: -1, mention: -1 });
  }

  drawTabs() {
    const views = [["text", "Text"], ["entities", "Entities"], ["errors", "Errors", this.run?.count ?? 0]];
    if (this.corpus.runs.length > 1) {
      this.doc.changed ??= changesOf(this.doc);
      views.push(["changes", "Changes", this.doc.changed.fixed.length + this.doc.changed.broken.length]);
    }
    views.push(["scores", "Scores"]);
    drawTabs(this.tabs, views, state.view, (view) => this.go({ view }));
    this.body.setAttribute("aria-labelledby", `tab-${state.view}`);
    this.main.dataset.view = state.view;
  }

  drawView() {
    const { doc, run, corpus, filter } = this;
    this.filters.hidden = !["entities", "errors", "text"].includes(state.view);
    put(this.filters, filterBar(doc, run, corpus, filter, state.view, (change) => this.refilter(change)));
    if (state.view === "errors") {
      put(this.body, this.errors.element);
      this.errors.show(doc, run, corpus, filter);
    } else if (state.view === "changes") {
      put(this.body, this.changes.element);
      this.changes.show(doc, corpus);
    } else if (state.view === "scores") {
      put(this.body, scoresPane(corpus, doc, state.run));
    } else {
      const heads = h("div", { class: "heads" },
        h("h2", null, "Key ", h("span", { class: "n" }, count(doc.key.size.length, "entity", "entities"))),
        h("h2", null, "Response ", h("span", { class: "n" }, run ? count(run.response.size.length, "entity", "entities") : "not in it")));
      put(this.body, h("div", { class: "pane entities-pane" }, heads, this.columns.none, this.columns.above, this.columns.element, this.columns.below));
      this.columns.show(doc, run, filter);
    }
  }

  refilter(change) {
    Object.assign(this.filter, change);
    const [name] = Object.keys(change);
    const where = this.card.element.contains(document.activeElement) ? ".card" : ":is(.filters, .body)";
    this.drawView();
    if (state.view === "entities" || state.view === "text") this.columns.light(this.columns.lit, false);
    this.card.show(this.doc, this.run, this.corpus, state.side, state.entity, state.mention, this.filter.metric);
    this.main.querySelector(`${where} [data-filter="${name}"]`)?.focus();
  }

  showAll() {
    Object.assign(this.filter, NO_FILTER);
    this.search.value = "";
    this.find();
    this.body.querySelector("[role=listbox]")?.focus();
  }

  remetric(metric) {
    const { scrollTop } = this.overview.element;
    this.filter.metric = metric;
    this.render(null);
    this.overview.element.scrollTop = scrollTop;
    this.overview.element.querySelector("[data-filter=metric]")?.focus();
  }

  choose(side, entity, mention) {
    if (this.next.document !== state.document) return; // these are names of the document that we are leaving
    this.go({ side, entity, mention });
  }

  searchSoon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.find(), 120);
  }

  find() {
    const query = this.search.value;
    if (state.document < 0) {
      this.overview.search(query);
      return;
    }
    const found = this.text.find(query);
    this.filter.text = sought(query);
    this.found.textContent = query.trim() ? (found ? NUMBERS.format(found) : "nothing") : "";
    if (!["changes", "scores"].includes(state.view)) this.drawView();
    if (this.columns.rows) this.columns.light(this.columns.lit, false);
  }

  searchKey(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(this.waiting);
      if (this.filter.text !== sought(this.search.value) || state.document < 0) this.find();
      const place = state.document < 0 ? -1 : this.text.step(event.shiftKey ? -1 : 1);
      if (place >= 0) this.found.textContent = `${place + 1} of ${NUMBERS.format(this.text.hits.length)}`;
    } else if (event.key === "Escape") {
      event.stopPropagation();
      this.search.value = "";
      this.find();
      this.search.blur();
    }
  }

  theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    stored("referee-theme", root.dataset.theme);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open || event.target.closest?.("input, select, textarea")) return;
    const inside = state.document >= 0;
    const view = (name) => inside && this.go({ view: name });
    const acts = {
      "?": () => this.help.showModal(),
      "/": () => this.search.focus(),
      d: () => this.theme(),
      o: () => this.go({ document: -1, entity: -1, mention: -1 }),
      x: () => this.corpus.runs.length > 1 && this.go({ run: 1 - state.run, ...this.kept() }),
      "[": () => inside && this.step(-1),
      "]": () => this.step(1),
      n: () => this.along(1),
      p: () => this.along(-1),
      k: () => this.column("K"),
      r: () => this.column("R"),
      Escape: () => inside && this.choose("", -1, -1),
      1: () => view("entities"), 2: () => view("errors"),
      3: () => this.corpus.runs.length > 1 && view("changes"), 4: () => view("scores"),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  async column(side) {
    if (state.document < 0) return;
    if (state.view !== "entities") await this.go({ view: "entities" });
    this.columns.lists[side].focus();
  }

  along(by) {
    if (state.entity < 0) return;
    const members = (state.side === "K" ? this.doc.key : this.run.response).members[state.entity];
    const now = members.indexOf(state.mention);
    this.choose(state.side, state.entity, members[(now + by + members.length + (now < 0 && by < 0 ? 1 : 0)) % members.length]);
  }
}

// The response that is asked for, or the first that has the document.
const runOf = (doc, run) => (doc.runs[run] ? run : Math.max(0, doc.runs.findIndex(Boolean)));

// The response that is not shown, where there are two.
function otherRun(corpus, scoresOf) {
  const n = 1 - state.run;
  return corpus.runs.length > 1 ? { letter: "AB"[n], scores: scoresOf(n) } : null;
}

// What the browser keeps for us, if it does.
function stored(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

openCorpus().then((corpus) => new App(corpus), (error) => {
  put(document.getElementById("app"), h("p", { class: "loading", role: "alert" }, `This page cannot be opened: ${error.message}`));
});
