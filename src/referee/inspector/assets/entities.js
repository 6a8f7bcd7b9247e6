// The two columns of Popescu-Belis and Robba (1998): entities of the key, entities of the response, and between them ribbons as
// wide as what two entities share. An entity of the response stands beside the key entity that owns it.

const ROW = 30;
const CELLS = ["same", "bounded"];

class Columns {
  constructor({ choose, showAll }) {
    this.choose = choose;
    this.lists = {};
    for (const [side, label] of [["K", "Key entities"], ["R", "Response entities"]]) {
      this.lists[side] = h("div", {
        class: `entities ${side}`, role: "listbox", "aria-label": label, tabindex: "0", id: `entities-${side}`,
        on: { keydown: (event) => this.key(event, side) },
      });
    }
    this.flow = svg("svg", { class: "flow", "aria-hidden": "true" });
    this.inner = h("div", { class: "inner columns" }, this.lists.K, this.flow, this.lists.R);
    this.element = h("div", { class: "scroller", on: { scroll: () => this.update() } }, this.inner);
    this.above = h("button", { class: "edge above", type: "button", hidden: true, on: { click: () => this.jump("above") } });
    this.below = h("button", { class: "edge below", type: "button", hidden: true, on: { click: () => this.jump("below") } });
    new ResizeObserver(() => this.update()).observe(this.element);
    this.lit = null;
    this.none = noneBar(showAll);
  }

  show(doc, run, filter) {
    Object.assign(this, { doc, run, filter });
    this.lay();
  }

  // Where each row is. `guest` is an entity that is chosen, and shown although it does not pass the filter.
  lay(guest = null) {
    const { doc, run, filter } = this;
    const { key } = doc;
    const cost = filter.order === "cost" ? run?.key_costs[filter.metric] : undefined;
    const order = key.inOrder.slice();
    if (filter.order !== "text") order.sort((a, b) => key.size[b] - key.size[a]);
    if (cost) order.sort((a, b) => Math.abs(cost[b] ?? 0) - Math.abs(cost[a] ?? 0));
    const owned = key.size.map(() => []);
    const alone = [];
    (run?.owner ?? []).forEach((owner, entity) => (owner < 0 ? alone : owned[owner]).push(entity));
    const { size } = run?.response ?? { size: [] };
    alone.sort((a, b) => size[b] - size[a]);
    this.rows = { K: [], R: [] }; // entity, top
    this.top = { K: new Map(), R: new Map() };
    let top = 6;
    const add = (side, entity, y) => {
      this.rows[side].push({ entity, top: y });
      this.top[side].set(entity, y);
    };
    let passed = 0;
    const passing = (side, entity) => {
      const found = passes(doc, run, side, entity, filter);
      passed += found;
      return found || (guest?.tint === side && guest.entity === entity);
    };
    const group = (entity, responses) => {
      const shown = responses.filter((r) => passing("R", r));
      const here = entity >= 0 && passing("K", entity);
      if (!here && !shown.length) return;
      if (here) add("K", entity, top);
      shown.forEach((r, place) => add("R", r, top + place * ROW));
      top += Math.max(1, shown.length) * ROW + (shown.length > 1 ? 8 : 0);
    };
    for (const entity of order) {
      const home = run?.home[entity];
      group(entity, owned[entity].sort((a, b) => (b === home) - (a === home) || size[b] - size[a]));
    }
    for (const entity of alone) group(-1, [entity]);
    this.inner.style.height = `${top + 6}px`;
    this.none.hidden = passed > 0 || !(key.size.length + size.length);
    this.widest = Math.max(1, ...(run?.keyCells ?? []).map(({ same }) => same[0]?.shared ?? 0));
    this.drawn = "";
    this.update();
  }

  // lit: as in the text, and `entity` of side `tint`, which was chosen
  light(lit, reveal = true) {
    this.lit = lit;
    if (lit && !this.top[lit.tint].has(lit.entity)) this.lay(lit);
    if (lit && reveal) this.reveal(lit.tint, lit.entity);
    this.drawn = "";
    this.update();
  }

  reveal(side, entity) {
    const top = this.top[side].get(entity);
    if (top === undefined) return;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop + 4 || top + ROW > scrollTop + clientHeight - 4) this.element.scrollTop = top - clientHeight / 3;
  }

  update() {
    if (!this.rows) return;
    const from = this.element.scrollTop - 5 * ROW;
    const to = this.element.scrollTop + this.element.clientHeight + 5 * ROW;
    const key = `${Math.floor(from / ROW)} ${Math.floor(to / ROW)} ${this.element.clientWidth}`;
    this.edges();
    if (key === this.drawn) return;
    this.drawn = key;
    const inSight = {};
    for (const side of ["K", "R"]) {
      const rows = this.rows[side];
      const first = firstAtLeast(rows, from);
      inSight[side] = [];
      for (let n = first; n < rows.length && rows[n].top <= to; n++) inSight[side].push(n);
      this.lists[side].replaceChildren(...inSight[side].map((n) => this.row(side, rows[n], n)));
      const chosen = this.lit?.tint === side && inSight[side].some((n) => rows[n].entity === this.lit.entity);
      if (chosen) this.lists[side].setAttribute("aria-activedescendant", `${side}${this.lit.entity}`);
      else this.lists[side].removeAttribute("aria-activedescendant");
    }
    this.ribbons(inSight);
  }

  row(side, { entity, top }, place) {
    const { doc, run, lit } = this;
    const owner = side === "K" ? doc.key : run.response;
    const chosen = lit?.tint === side && lit.entity === entity;
    const bright = !lit || lit[side].has(entity);
    const core = lit && !chosen && bright && (lit.tint === "K" ? run.home[lit.entity] === entity : run.owner[lit.entity] === entity);
    const name = owner.name(entity);
    const shared = lit && bright && !chosen && lit.shared.get(entity);
    const perfect = run && (side === "K" ? run.whole(entity, doc) : run.owner[entity] >= 0 && run.whole(run.owner[entity], doc) && run.home[run.owner[entity]] === entity);
    const row = h("div", {
      class: "entity", role: "option", id: `${side}${entity}`, "data-name": name, "aria-selected": String(Boolean(chosen)),
      "aria-posinset": place + 1, "aria-setsize": this.rows[side].length,
      style: { top: `${top}px`, "--colour": colourOf(doc, run, side, entity), "--faint": colourOf(doc, run, side, entity, 0.16) },
      on: { click: () => this.choose(side, entity, -1) },
    },
      h("span", { class: "name" }, name),
      h("span", { class: "mentions" }, owner.line(entity).map((text, n) => [n ? h("span", { class: "dot" }, " · ") : null, h("bdi", null, text)])),
      core ? h("span", { class: "core" }, lit.tint === "K" ? "core" : "owner") : null,
      h("span", { class: "size", title: perfect ? "the same on both sides" : null }, shared ? `${shared} of ${owner.size[entity]}` : owner.size[entity], perfect ? h("span", { class: "same", "aria-label": ", the same on both sides" }, "✓") : null),
    );
    row.classList.toggle("chosen", Boolean(chosen));
    row.classList.toggle("lit", Boolean(lit && bright && !chosen));
    row.classList.toggle("dim", !bright);
    return row;
  }

  ribbons(inSight) {
    const { doc, run, lit } = this;
    const paths = [];
    const across = this.flow.clientWidth;
    if (run) {
      const seen = new Set();
      const draw = (key, { other, shared }, manner) => {
        const id = `${key} ${other} ${manner}`;
        const [a, b] = [this.top.K.get(key), this.top.R.get(other)];
        if (seen.has(id) || a === undefined || b === undefined) return;
        seen.add(id);
        const bright = lit && ((lit.tint === "K" && lit.entity === key) || (lit.tint === "R" && lit.entity === other));
        const kept = run.home[key] === other && run.owner[other] === key;
        // A pair that has mentions with one span and with two has two ribbons, one below the other.
        const rest = run.keyCells[key][manner === "same" ? "bounded" : "same"].find((cell) => cell.other === other)?.shared ?? 0;
        const both = Math.min(ROW - 8, Math.max(1.5, 20 * Math.sqrt((shared + rest) / this.widest)));
        const width = (both * shared) / (shared + rest);
        const shift = ((manner === "same" ? -1 : 1) * (both - width)) / 2;
        const [y, z] = [a + ROW / 2 + shift, b + ROW / 2 + shift];
        paths.push([bright ? 2 : 1, svg("path", {
          d: `M0 ${y}C${across / 2} ${y} ${across / 2} ${z} ${across} ${z}`, "stroke-width": width.toFixed(1),
          style: { stroke: keyColour(doc, key, lit ? (bright ? 0.85 : 0.08) : kept ? 0.4 : 0.28) }, class: bright ? "bright" : null,
          "stroke-dasharray": manner === "bounded" ? "5 4" : null,
        })]);
      };
      for (const n of inSight.K) {
        const key = this.rows.K[n].entity;
        for (const manner of CELLS) for (const cell of run.keyCells[key][manner]) draw(key, cell, manner);
      }
      for (const n of inSight.R) {
        const response = this.rows.R[n].entity;
        for (const manner of CELLS) for (const { other, shared } of run.responseCells[response][manner]) draw(other, { other: response, shared }, manner);
      }
    }
    paths.sort((a, b) => a[0] - b[0]);
    put(this.flow, ...paths.map(([, path]) => path));
  }

  // How many of the lit entities are out of sight, above and below.
  edges() {
    const found = { above: [], below: [] };
    if (this.lit && this.element.clientHeight) {
      const other = this.lit.tint === "K" ? "R" : "K";
      const { scrollTop, clientHeight } = this.element;
      for (const entity of this.lit[other]) {
        const top = this.top[other].get(entity);
        if (top === undefined) continue;
        if (top + ROW / 2 < scrollTop) found.above.push(top);
        if (top + ROW / 2 > scrollTop + clientHeight) found.below.push(top);
      }
    }
    this.outside = found;
    for (const [where, arrow] of [["above", "↑"], ["below", "↓"]]) {
      this[where].hidden = !found[where].length;
      this[where].textContent = `${arrow} ${found[where].length} more`;
    }
  }

  jump(where) {
    const tops = this.outside[where].sort((a, b) => a - b);
    this.element.scrollTop = (where === "above" ? tops.at(-1) : tops[0]) - this.element.clientHeight / 2;
  }

  // Arrows: up and down in a column; left and right to what the entity is nearest to in the other.
  key(event, side) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const rows = this.rows[side];
    const now = this.lit?.tint === side ? rows.findIndex((row) => row.entity === this.lit.entity) : -1;
    const steps = { ArrowDown: now + 1, ArrowUp: now - 1, PageDown: now + 10, PageUp: now - 10, Home: 0, End: rows.length - 1 };
    if (event.key in steps && rows.length) {
      event.preventDefault();
      this.choose(side, rows[Math.min(rows.length - 1, Math.max(0, steps[event.key]))].entity, -1);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (now >= 0) this.choose(side, rows[now].entity, -1);
      else if (rows.length) this.choose(side, rows[0].entity, -1);
    } else if ((event.key === "ArrowRight" && side === "K") || (event.key === "ArrowLeft" && side === "R")) {
      event.preventDefault();
      const other = side === "K" ? "R" : "K";
      const partner = now < 0 || !this.run ? -1 : (side === "K" ? this.run.home : this.run.owner)[rows[now].entity];
      this.lists[other].focus();
      if (partner >= 0) this.choose(other, partner, -1);
    }
  }
}

function firstAtLeast(rows, top) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].top < top) low = middle + 1;
    else high = middle;
  }
  return low;
}

function passes(doc, run, side, entity, filter) {
  const owner = side === "K" ? doc.key : run.response;
  if (owner.size[entity] < filter.size) return false;
  if (filter.mentionClass >= 0 && !owner.members[entity].some((m) => (owner.classes?.[m] ?? 0) === filter.mentionClass)) return false;
  if (filter.kind >= 0 && run) {
    const errors = side === "K" ? run.ofKey[entity] : run.ofResponse[entity];
    if (!errors.some((error) => run.errors.kind[error] === filter.kind)) return false;
  }
  return !filter.text || owner.matches(entity, filter.text);
}

// What is lit when an entity is chosen: itself, and its projections on the other side.
function projections(run, side, entity, mention) {
  const { same, bounded } = run ? run.common(side, entity) : { same: [], bounded: [] };
  const shared = new Map(); // how many mentions, with one span or two
  for (const { other, shared: n } of [...same, ...bounded]) shared.set(other, (shared.get(other) ?? 0) + n);
  const others = new Set(shared.keys());
  const own = new Set([entity]);
  return { K: side === "K" ? own : others, R: side === "R" ? own : others, tint: side, entity, mention, shared };
}
