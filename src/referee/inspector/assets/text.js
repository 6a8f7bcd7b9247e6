// The text pane. Lines above the words are mentions of the key, lines below them mentions of the response; nested and crossing
// ones stand on levels of their own. Only what is near the window exists.

const PITCH = 5; // pixels from level to level
const NEAR = 900; // pixels around the window that are kept drawn

const PATTERNS = {
  right: (colour) => `linear-gradient(${colour}, ${colour})`,
  moved: (colour) => `repeating-linear-gradient(90deg in srgb, ${colour} 0 5px, transparent 5px 7px)`,
  absent: (colour) => `repeating-linear-gradient(90deg in srgb, ${colour} 0 2px, transparent 2px 5px)`,
};

const MANNERS = [["right", "right"], ["moved", "in the wrong entity, or with another span"], ["absent", "on one side only"]];

const samples = () => h("ul", { class: "samples" }, MANNERS.map(([manner, says]) =>
  h("li", null, h("span", { class: "sample", style: { "background-image": PATTERNS[manner](tone(0, 2)) } }), says)));

class TextPane {
  constructor({ choose }) {
    this.choose = choose;
    this.element = h("div", { class: "text", role: "region", "aria-label": "Text", tabindex: "0", on: { click: (e) => this.click(e), mouseover: (e) => this.hover(e) } });
    this.segments = new WeakMap();
    this.observer = new IntersectionObserver((entries) => this.seen(entries), { root: this.element, rootMargin: `${NEAR}px 0px` });
    this.lit = null;
    this.hits = [];
  }

  show(doc, run) {
    this.observer.disconnect();
    const same = this.doc === doc;
    const top = this.element.scrollTop;
    this.doc = doc;
    this.run = run;
    this.element.classList.toggle("listed", doc.listed);
    this.place(doc);
    const inside = h("div", { class: "column" }, this.chunks.map((chunk) => chunk.element));
    this.element.replaceChildren(inside);
    this.element.scrollTop = same ? top : 0;
    for (const chunk of this.chunks.slice(0, same ? 0 : 3)) this.draw(chunk);
    for (const chunk of this.chunks) this.observer.observe(chunk.element);
  }

  // Which mentions are in which block, and blocks in chunks, which are drawn at a time.
  place(doc) {
    const { blocks } = doc;
    const ends = blocks.map((block) => block.end);
    const first = (token) => {
      let low = 0;
      let high = ends.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (ends[middle] > token) high = middle;
        else low = middle + 1;
      }
      return low;
    };
    this.blockOf = first;
    this.inBlock = blocks.map(() => ({ K: [], R: [] }));
    const sides = [doc.key, ...(this.run ? [this.run.response] : [])];
    for (const side of sides) {
      side.start.forEach((_, mention) => {
        for (const [start, end] of side.spans(mention)) {
          for (let b = first(start); b < blocks.length && blocks[b].start < end; b++) {
            this.inBlock[b][side.letter].push({ mention, start, end });
          }
        }
      });
    }
    this.chunks = [];
    this.chunkOf = [];
    const columns = Math.max(30, Math.min(78, (this.element.clientWidth - 90) / 8.2));
    let tokens = Infinity;
    blocks.forEach((block, number) => {
      if (tokens > 500) {
        this.chunks.push({ first: number, last: number, height: 0, element: h("div", { class: "chunk" }), drawn: false });
        tokens = 0;
      }
      const chunk = this.chunks.at(-1);
      chunk.last = number + 1;
      chunk.height += 8 + 40 * Math.ceil(((block.end - block.start) * 5.6) / columns);
      tokens += block.end - block.start;
      this.chunkOf.push(chunk);
    });
    for (const chunk of this.chunks) {
      chunk.element.chunk = chunk;
      chunk.element.style.height = `${chunk.height}px`;
    }
  }

  seen(entries) {
    if (!this.printing) this.forget(entries.filter(({ isIntersecting }) => !isIntersecting).map(({ target }) => target.chunk));
    for (const { target, isIntersecting } of entries) if (isIntersecting) this.draw(target.chunk);
  }

  draw(chunk) {
    if (chunk.drawn) return;
    chunk.drawn = [];
    const blocks = [];
    for (let b = chunk.first; b < chunk.last; b++) blocks.push(this.block(b, chunk.drawn));
    chunk.element.style.height = "";
    chunk.element.replaceChildren(...blocks);
  }

  // Of a long text.
  forget(chunks) {
    const drawn = this.chunks.length > 12 ? chunks.filter((chunk) => chunk.drawn) : [];
    const heights = drawn.map((chunk) => chunk.element.offsetHeight);
    drawn.forEach((chunk, n) => {
      chunk.element.style.height = `${heights[n]}px`;
      chunk.element.replaceChildren();
      chunk.drawn = false;
    });
  }

  block(number, drawn) {
    const { start, end, sentence } = this.doc.blocks[number];
    const lines = { K: levels(this.inBlock[number].K), R: levels(this.inBlock[number].R) };
    const cuts = new Set([start, end]);
    for (const line of [...lines.K, ...lines.R]) {
      for (const cut of [line.start, line.end]) if (cut > start && cut < end) cuts.add(cut);
    }
    const hits = this.hits.filter((hit) => hit.start < end && hit.end > start);
    for (const hit of hits) for (const cut of [hit.start, hit.end]) if (cut > start && cut < end) cuts.add(cut);
    const edges = [...cuts].sort((a, b) => a - b);
    const up = 1 + Math.max(-1, ...lines.K.map((line) => line.level));
    const down = 1 + Math.max(-1, ...lines.R.map((line) => line.level));
    const paragraph = h("p", { dir: "auto", style: { "--up": up, "--down": down } });
    if (sentence) paragraph.dataset.sentence = sentence;
    const { tokens } = this.doc;
    const gaps = this.doc.gaps(this.doc.blocks[number]);
    for (let e = 0; e + 1 < edges.length; e++) {
      const [a, b] = [edges[e], edges[e + 1]];
      const gap = gaps[a - start];
      let text = visible(tokens[a]);
      for (let token = a + 1; token < b; token++) text += gaps[token - start] + visible(tokens[token]);
      const covers = (line) => line.start <= a && line.end >= b;
      const piece = {
        K: lines.K.filter(covers), R: lines.R.filter(covers), a, b,
        hit: hits.find((hit) => hit.start <= a && hit.end >= b),
      };
      if (gap) {
        const through = { K: piece.K.filter((line) => line.start < a), R: piece.R.filter((line) => line.start < a), a, b: a, hit: piece.hit?.start < a ? piece.hit : undefined };
        paragraph.append(this.segment(through, gap, drawn));
      }
      paragraph.append(this.segment(piece, text, drawn));
    }
    return paragraph;
  }

  segment(piece, text, drawn) {
    if (!piece.K.length && !piece.R.length && !piece.hit) return text;
    const element = h("span", { class: "piece" }, text);
    if (piece.hit) element.classList.add("hit");
    if (piece.hit && piece.hit === this.hits[this.hit]) element.classList.add("this-hit");
    piece.element = element;
    this.segments.set(element, piece);
    this.paint(piece);
    drawn.push(piece);
    return element;
  }

  // A segment's lines, and a tint behind its words, as backgrounds: they break with the text.
  paint(piece) {
    const { lit } = this;
    const layers = [];
    let tint = 0; // how strong the colour of the chosen entity is here
    for (const [side, edge, levels] of [["K", "top", "--up"], ["R", "bottom", "--down"]]) {
      for (const { mention, level, start, end } of piece[side]) {
        const entity = (side === "K" ? this.doc.key : this.run.response).entity[mention];
        const bright = !lit || lit[side].has(entity);
        const colour = colourOf(this.doc, this.run, side, entity, bright ? 1 : 0.28);
        const [left, right] = [piece.a === start && piece.b > piece.a ? 1 : 0, piece.b === end ? 1 : 0];
        layers.push([
          PATTERNS[this.manner(side, mention)](colour),
          `left ${left}px ${edge} calc((var(${levels}) - 1 - ${level}) * ${PITCH}px)`,
          `calc(100% - ${left + right}px) 3px`,
        ]);
        if (lit?.tint === side && lit.entity === entity) tint = Math.max(tint, mention === lit.mention ? 0.38 : 0.17);
      }
    }
    const change = piece.K.map(({ mention }) => this.marks?.get(mention)).find(Boolean);
    const behind = tint ? colourOf(this.doc, this.run, lit.tint, lit.entity, tint)
      : piece.hit ? (piece.hit === this.hits[this.hit] ? "var(--mark-now)" : "var(--mark)") : change ? `var(--${change}-tint)` : null;
    if (behind) {
      layers.push([
        `linear-gradient(${behind}, ${behind})`,
        `left 0 top calc(var(--up) * ${PITCH}px)`,
        `100% calc(100% - (var(--up) + var(--down)) * ${PITCH}px)`,
      ]);
    }
    const { style } = piece.element;
    for (const [place, name] of ["backgroundImage", "backgroundPosition", "backgroundSize"].entries()) {
      style[name] = layers.map((layer) => layer[place]).join(", ");
    }
    piece.element.classList.toggle("lit", tint > 0);
  }

  manner(side, mention) {
    if (!this.run) return "right";
    const other = side === "K" ? this.run.counterpart[mention] : this.run.back[mention];
    if (other < 0) return "absent";
    const key = side === "K" ? mention : other;
    return this.run.right(key) ? "right" : "moved";
  }

  // lit: { K: entities, R: entities, tint: side whose words are tinted, mention: of that side } or null
  light(lit) {
    this.lit = lit;
    for (const chunk of this.chunks) if (chunk.drawn) chunk.drawn.forEach((piece) => this.paint(piece));
  }

  // marks: mention of the key -> "fixed" or "broken", or null
  mark(marks) {
    if (marks === this.marks) return;
    this.marks = marks;
    this.light(this.lit);
  }

  goTo(token, flash = true) {
    const chunk = this.chunkOf[Math.min(this.blockOf(token), this.chunkOf.length - 1)];
    if (!chunk) return;
    this.draw(chunk);
    const find = () => chunk.drawn && chunk.drawn.find((piece) => piece.a <= token && piece.b > token);
    const show = () => {
      const piece = find();
      (piece ? piece.element : chunk.element).scrollIntoView({ block: "center" });
      return piece;
    };
    const piece = show();
    requestAnimationFrame(show); // what is around it has been drawn meanwhile
    if (flash && piece) {
      piece.element.classList.remove("flash");
      void piece.element.offsetWidth;
      piece.element.classList.add("flash");
    }
  }

  click(event) {
    const piece = this.segments.get(event.target);
    if (!piece || String(getSelection())) return;
    const box = [...event.target.getClientRects()].find((r) => event.clientY >= r.top && event.clientY <= r.bottom) ?? event.target.getBoundingClientRect();
    const paragraph = event.target.closest("p");
    const [up, down] = ["--up", "--down"].map((name) => Number(paragraph.style.getPropertyValue(name)));
    const fromTop = Math.floor((event.clientY - box.top) / PITCH);
    const fromBottom = Math.floor((box.bottom - event.clientY) / PITCH);
    const K = piece.K.slice().sort((a, b) => a.level - b.level).map((line) => ["K", line]);
    const R = piece.R.slice().sort((a, b) => a.level - b.level).map((line) => ["R", line]);
    const nearest = (lines, level) => lines.slice().sort((a, b) => Math.abs(a[1].level - level) - Math.abs(b[1].level - level))[0];
    if (fromTop < up && K.length) return this.choose(...this.picked(nearest(K, up - 1 - fromTop)));
    if (fromBottom < down && R.length) return this.choose(...this.picked(nearest(R, down - 1 - fromBottom)));
    const all = [...K, ...R]; // a click on the words takes the innermost mention, the next click the one around it
    const now = all.findIndex(([side, line]) => this.lit?.tint === side && line.mention === this.lit.mention);
    this.choose(...this.picked(all[(now + 1) % all.length]));
  }

  // What is there, said when the mouse rests on it.
  hover({ target }) {
    const piece = this.segments.get(target);
    if (!piece || target.title) return;
    const line = (letter, { mention }) => {
      const side = letter === "K" ? this.doc.key : this.run.response;
      return `${side.name(side.entity[mention])}  ${visible(side.text(mention), 80)}`;
    };
    target.title = [...piece.K.map((found) => line("K", found)), ...piece.R.map((found) => line("R", found))].join("\n");
  }

  picked([side, line]) {
    return [side, (side === "K" ? this.doc.key : this.run.response).entity[line.mention], line.mention];
  }

  find(query) {
    this.hits = [];
    this.hit = -1;
    const wanted = sought(query);
    if (wanted) {
      const { text, starts } = this.doc.searchable;
      let token = 0;
      for (let at = text.indexOf(wanted); at >= 0 && this.hits.length < 5000; at = text.indexOf(wanted, at + 1)) {
        while (token + 1 < starts.length && starts[token + 1] <= at) token++;
        let last = token;
        while (last + 1 < starts.length && starts[last + 1] < at + wanted.length) last++;
        if (this.hits.at(-1)?.start !== token) this.hits.push({ start: token, end: last + 1 });
      }
    }
    this.redraw();
    return this.hits.length;
  }

  step(by) {
    if (!this.hits.length) return -1;
    this.hit = (this.hit + by + this.hits.length) % this.hits.length;
    this.redraw();
    this.goTo(this.hits[this.hit].start, false);
    return this.hit;
  }

  redraw() {
    for (const chunk of this.chunks) {
      if (!chunk.drawn) continue;
      chunk.drawn = false;
      this.draw(chunk);
    }
  }

  printAll() {
    this.printing = true;
    this.chunks.forEach((chunk) => this.draw(chunk));
  }

  printed() {
    this.printing = false;
    for (const { element } of this.chunks) { // which tells anew what is near the window
      this.observer.unobserve(element);
      this.observer.observe(element);
    }
  }
}

// Levels for lines that must not lie on one another: short ones next to the words.
function levels(lines) {
  const taken = [];
  const placed = lines.slice().sort((a, b) => a.end - a.start - (b.end - b.start) || a.start - b.start || a.mention - b.mention);
  return placed.map((line) => {
    let level = 0;
    while (taken[level]?.some(([start, end]) => start < line.end && line.start < end)) level++;
    (taken[level] ??= []).push([line.start, line.end]);
    return { ...line, level };
  });
}
