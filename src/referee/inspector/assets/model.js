// The data of the page, unpacked when they are wanted.

async function unpack(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

async function openCorpus() {
  const corpus = await unpack("overview");
  corpus.number = new Map(corpus.documents.map((name, number) => [name, number]));
  corpus.metric = new Map(corpus.metrics.map((metric) => [metric.id, metric]));
  return corpus;
}

const opened = new Map(); // the documents seen last
async function openDocument(number) {
  if (!opened.has(number)) opened.set(number, new Doc(await unpack(`document-${number}`), number));
  const doc = opened.get(number);
  opened.delete(number);
  opened.set(number, doc);
  if (opened.size > 8) opened.delete(opened.keys().next().value);
  return doc;
}

// One side of a document: its mentions, and its entities as people count them, by their first mentions.
class Side {
  constructor(raw, letter, tokens) {
    Object.assign(this, raw);
    this.letter = letter;
    this.tokens = tokens;
    this.members = this.size.map(() => []);
    this.entity.forEach((entity, mention) => this.members[entity].push(mention));
    for (const members of this.members) members.sort((a, b) => this.start[a] - this.start[b] || this.end[b] - this.end[a] || a - b);
    const first = this.members.map((members) => (members.length ? this.start[members[0]] : 0));
    this.inOrder = this.size.map((_, entity) => entity).sort((a, b) => first[a] - first[b] || a - b);
    this.number = [];
    this.inOrder.forEach((entity, place) => (this.number[entity] = place + 1));
    this.lines = new Map(); // what an entity's mentions are, in a line
  }

  name(entity) {
    return this.letter + this.number[entity];
  }

  spans(mention) {
    return this.parts?.[mention] ?? [[this.start[mention], this.end[mention]]];
  }

  text(mention) {
    if (this.texts) return this.texts[mention];
    return this.spans(mention)
      .map(([start, end]) => joined(this.tokens, start, end))
      .join(" … ");
  }

  // The first mentions of an entity, each different text once.
  line(entity) {
    if (!this.lines.has(entity)) {
      const texts = new Set();
      for (const mention of this.members[entity]) {
        texts.add(visible(this.text(mention), 60));
        if (texts.size > 11) break;
      }
      this.lines.set(entity, [...texts]);
    }
    return this.lines.get(entity);
  }

  matches(entity, query) {
    return this.members[entity].some((mention) => this.text(mention).toLowerCase().includes(query));
  }
}

class Doc {
  constructor(raw, number) {
    this.number = number;
    this.tokens = raw.tokens;
    this.listed = raw.list;
    this.key = new Side(raw.key, "K", raw.tokens);
    this.runs = raw.runs.map((run) => run && new Run(run, this));
    this.blocks = blocksOf(raw.sentences, raw.tokens, raw.list);
    this.inSmallLetters = null;
    const bySize = this.key.inOrder.slice().sort((a, b) => this.key.size[b] - this.key.size[a]);
    this.rank = [];
    bySize.forEach((entity, place) => (this.rank[entity] = place));
  }

  // What stands before each token of a block.
  gaps({ start, end }) {
    return this.listed ? Array.from({ length: end - start }, (_, n) => (n ? "\u2003" : "")) : gaps(this.tokens, start, end);
  }

  // The text as it is shown, in the form of `sought`, and where on it each token starts.
  get searchable() {
    if (!this.inSmallLetters) {
      const starts = [];
      let text = "";
      for (const block of this.blocks) {
        if (text) text += " ";
        this.gaps(block).forEach((gap, n) => {
          if (gap) text += " ";
          starts.push(text.length);
          text += this.tokens[block.start + n].toLowerCase();
        });
      }
      this.inSmallLetters = { text, starts };
    }
    return this.inSmallLetters;
  }
}

// One response to a document: what became of each mention and entity.
class Run {
  constructor(raw, doc) {
    Object.assign(this, raw);
    this.response = new Side(raw.response, "R", doc.tokens);
    this.keyCells = doc.key.size.map(() => ({ same: [], bounded: [] }));
    this.responseCells = this.response.size.map(() => ({ same: [], bounded: [] }));
    for (const [manner, [keys, responses, shared]] of [["same", raw.cells], ["bounded", raw.bounded]]) {
      keys.forEach((key, cell) => {
        this.keyCells[key][manner].push({ other: responses[cell], shared: shared[cell] });
        this.responseCells[responses[cell]][manner].push({ other: key, shared: shared[cell] });
      });
    }
    for (const { same, bounded } of [...this.keyCells, ...this.responseCells]) {
      for (const cells of [same, bounded]) cells.sort((a, b) => b.shared - a.shared || a.other - b.other);
    }
    this.back = this.response.start.map(() => -1); // the key mention of each response mention
    this.counterpart.forEach((other, mention) => other >= 0 && (this.back[other] = mention));
    this.count = this.errors.kind.length;
    // The errors of an entity of the key, with spurious mentions in what it owns.
    this.ofKey = grouped(this.errors.key.map((key, n) => (key >= 0 ? key : this.owner[this.errors.response[n]])), doc.key.size.length);
    this.ofResponse = grouped(this.errors.response, this.response.size.length);
  }

  // What an entity has in common with those of the other side: in `same`, mentions with one span; in `bounded`, with two.
  common(side, entity) {
    return (side === "K" ? this.keyCells : this.responseCells)[entity];
  }

  right(mention) {
    return this.counterpart[mention] >= 0 && this.key_error[mention] < 0 && this.key_boundary[mention] < 0;
  }

  whole(key, doc) {
    const [cell] = this.keyCells[key].same;
    return cell !== undefined && cell.shared === doc.key.size[key] && cell.shared === this.response.size[cell.other];
  }
}

function grouped(numbers, groups) {
  const found = Array.from({ length: groups }, () => []);
  numbers.forEach((group, place) => group >= 0 && found[group].push(place));
  return found;
}

// Tokens are set as a printer would set them: no blank before a comma, none after a bracket.
const NO_BLANK_BEFORE = /^(?:[.,;:!?%)\]}’”»…]+|['’](?:s|re|ve|ll|d|m)|n['’]t|''|-R[RSC]B-)$/i;
const NO_BLANK_AFTER = /^(?:[([{“‘«¿¡$£€#]+|``|-L[RSC]B-)$/;
const NO_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}。、，！？：；「」『』（）]/u;

function blank(before, after) {
  if (NO_BLANK_BEFORE.test(after) || NO_BLANK_AFTER.test(before)) return "";
  return NO_BLANKS.test(before.at(-1) ?? "") && NO_BLANKS.test(after[0] ?? "") ? "" : " ";
}

// What stands before each of the tokens: a blank or nothing. Straight quotation marks open and close in turn.
function gaps(tokens, start, end) {
  const found = [];
  let open = false;
  let opened = false; // by the token before
  for (let token = start; token < end; token++) {
    const mark = tokens[token] === '"';
    found.push(token === start || opened || (mark && open) ? "" : blank(tokens[token - 1], tokens[token]));
    if (mark) open = !open;
    opened = mark && open;
  }
  return found;
}

const joined = (tokens, start, end) => gaps(tokens, start, end).map((gap, n) => gap + tokens[start + n]).join("");

// A query as it is compared with text.
const sought = (query) => query.toLowerCase().trim().replace(/\s+/g, " ");

// The pane is made of blocks, which are sentences; long ones are cut.
function blocksOf(sentences, tokens, listed) {
  const starts = sentences.length ? sentences : [0];
  const longest = listed ? 60 : 150;
  const blocks = [];
  starts.forEach((start, number) => {
    const end = starts[number + 1] ?? tokens.length;
    for (let first = start; first < end; first += longest) {
      blocks.push({ start: first, end: Math.min(first + longest, end), sentence: first === start && !listed && starts.length > 1 ? number + 1 : 0 });
    }
  });
  return blocks;
}
