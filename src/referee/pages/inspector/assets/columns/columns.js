// The two columns of Popescu-Belis and Robba (1998): entities of the key, entities of the response, and ribbons between them.

import { h, put, svg } from "../basics/dom.js";
import { count, firstWhere, formatted } from "../basics/numbers.js";
import { visible } from "../basics/visible.js";
import { emptyNotice } from "../lists/empty_notice.js";
import { opposite } from "../model/annotation.js";
import { Edges } from "./edges.js";
import { ColumnsLayout, ROW } from "./layout.js";
import { ribbons } from "./ribbons.js";
import { entityRow } from "./row.js";

/** @import { Context, Highlight, Preview, Select, Side } from "../types.d.ts" */

const DOUBLE = 500; // milliseconds from the first click of a double click to the second one
const AROUND = 5 * ROW; // pixels out of sight in which rows exist

export class Columns {
  /** @param {{ select: Select, showAll: () => void, preview: Preview }} actions */
  constructor({ select, showAll, preview }) {
    this.select = select;
    this.preview = preview;
    this.lists = { K: this.list("K"), R: this.list("R") };
    this.flow = svg("svg", { class: "flow", "aria-hidden": "true" });
    this.inner = h("div", {
      class: "inner columns",
      on: {
        click: (event) => this.click(event),
        mouseover: (event) => this.hover(event), mouseleave: () => this.preview(null),
      },
    }, this.lists.K, this.flow, this.lists.R);
    this.scroller = h("div", { class: "scroller", on: { scroll: () => this.update() } }, this.inner);
    this.edges = new Edges(this.scroller);
    this.none = emptyNotice(showAll);
    this.heads = h("div", { class: "heads" });
    this.element = h("div", { class: "pane entities-pane" },
      this.heads, this.none, this.edges.above, this.scroller, this.edges.below);
    new ResizeObserver(() => this.update()).observe(this.scroller);
    /** @type {Highlight | null} */
    this.highlighted = null;
    /** @type {Highlight | null} */
    this.lit = null;
    this.drawn = "";
    /** @type {Map<string, number>} Heights of the rows that were opened. */
    this.opened = new Map();
    /** @type {(entity: number) => void} Called where the selected mention is dropped into an entity of the key. */
    this.drop = () => {};
    this.clicked = { row: "", at: 0, selected: false }; // the last click, and whether its row was selected before
    /** @type {Context} */
    this.context = /** @type {any} */ (null); // until it is shown
    /** @type {ColumnsLayout | null} */
    this.layout = null;
  }

  /** @param {Side} side */
  list(side) {
    return h("div", {
      class: `entities ${side}`, role: "listbox", tabindex: "0", id: `entities-${side}`,
      on: {
        keydown: (event) => this.key(event, side),
        dragover: (event) => side === "K" && event.preventDefault(), drop: (event) => this.dropped(event),
      },
    });
  }

  /**
   * Lays the rows out. They are drawn when it is known what is highlighted.
   *
   * @param {Context} context
   */
  show(context) {
    if (this.context?.doc !== context.doc || this.context.response !== context.response) this.opened.clear();
    this.context = context;
    this.lay(null);
  }

  /**
   * What stands above a column: how many entities pass the filter, of how many.
   *
   * @param {Side} side
   * @param {string} name
   */
  head(side, name) {
    const { doc, response } = this.context;
    const all = (side === "K" ? doc.key : response?.annotation)?.size.length;
    const passed = this.layout?.passed[side] ?? 0;
    const entities = all === undefined ? "lacks this document"
      : `${passed < all ? `${formatted(passed)} of ` : ""}${count(all, "entity", "entities")}`;
    return h("h2", null, name, h("span", { class: "n" }, entities));
  }

  /** @param {Highlight | null} guest */
  lay(guest) {
    const { doc, response } = this.context;
    this.layout = new ColumnsLayout(this.context, guest, this.opened);
    this.inner.style.height = `${this.layout.end}px`;
    const { corpus: { alone, annotators }, place } = this.context;
    const [left, right] = annotators.length ? [annotators[0], annotators[place.response + 1]] : ["Key", "Response"];
    this.lists.K.setAttribute("aria-label", `${visible(left, 30)} entities`);
    this.lists.R.setAttribute("aria-label", `${visible(right, 30)} entities`);
    put(this.heads, this.head("K", alone ? "" : `${visible(left, 30)} `), !alone && this.head("R", `${visible(right, 30)} `));
    const entities = doc.key.size.length + (response?.annotation.size.length ?? 0);
    this.none.hidden = this.layout.passed.K + this.layout.passed.R > 0 || !entities;
  }

  /**
   * @param {Highlight | null} highlight
   * @param {boolean} [reveal] - whether to scroll to the selected entity
   */
  highlight(highlight, reveal = true) {
    this.highlighted = highlight;
    if (highlight && !this.layout?.top[highlight.side].has(highlight.entity)) this.lay(highlight);
    if (highlight && reveal) this.reveal(highlight);
    this.redraw();
  }

  redraw() {
    this.drawn = "";
    this.update();
  }

  /** @param {Highlight} highlight */
  reveal({ side, entity }) {
    const top = this.layout?.top[side].get(entity);
    if (top === undefined) return;
    const { scrollTop, clientHeight } = this.scroller;
    const inSight = top >= scrollTop + 4 && top + ROW <= scrollTop + clientHeight - 4;
    if (!inSight) this.scroller.scrollTop = top - clientHeight / 3;
  }

  /**
   * Lights rows that are pointed to.
   *
   * @param {Highlight | null} lit
   */
  light(lit) {
    this.lit = lit;
    for (const side of /** @type {const} */ (["K", "R"])) {
      for (const row of this.lists[side].children) {
        row.classList.toggle("lit", Boolean(lit?.[side].has(Number(/** @type {HTMLElement} */ (row).dataset.entity))));
      }
    }
  }

  update() {
    if (!this.layout) return;
    const { scrollTop, clientHeight, clientWidth } = this.scroller;
    const [from, to] = [scrollTop - AROUND, scrollTop + clientHeight + AROUND];
    this.edges.update(this.projectionTops(this.layout));
    const toDraw = `${Math.floor(from / ROW)} ${Math.floor(to / ROW)} ${clientWidth}`;
    if (toDraw === this.drawn) return;
    this.drawn = toDraw;
    const inSight = { K: this.drawRows(this.layout, "K", from, to), R: this.drawRows(this.layout, "R", from, to) };
    if (this.lit) this.light(this.lit);
    put(this.flow, ribbons(this.context, this.layout, inSight, this.highlighted, this.flow.clientWidth));
  }

  /** @param {ColumnsLayout} layout */
  projectionTops(layout) {
    if (!this.highlighted) return [];
    const other = opposite(this.highlighted.side);
    return [...this.highlighted[other]].flatMap((entity) => layout.top[other].get(entity) ?? []);
  }

  /**
   * @param {ColumnsLayout} layout
   * @param {Side} side
   * @param {number} from
   * @param {number} to
   * @returns {number[]} - the entities in sight
   */
  drawRows(layout, side, from, to) {
    const rows = layout.rows[side];
    const first = firstWhere(rows.length, (n) => rows[n].top + layout.height(side, rows[n].entity) >= from);
    const inSight = rows.slice(first, firstWhere(rows.length, (n) => rows[n].top > to));
    const entities = inSight.map(({ entity }) => entity);
    this.lists[side].replaceChildren(...inSight.map((row, n) =>
      entityRow(this.context, side, row, this.highlighted,
        { place: first + n, rows: rows.length, opened: this.opened.has(side + row.entity) })));
    const { highlighted } = this;
    if (highlighted?.side === side && entities.includes(highlighted.entity)) {
      this.lists[side].setAttribute("aria-activedescendant", `${side}${highlighted.entity}`);
    } else this.lists[side].removeAttribute("aria-activedescendant");
    return entities;
  }

  /**
   * The entity of the row that an event is about.
   *
   * @param {Event} event
   * @returns {{ side: Side, entity: number } | null}
   */
  rowOf({ target }) {
    const row = /** @type {Element} */ (target).closest(".entity");
    if (!(row instanceof HTMLElement)) return null;
    return { side: this.lists.K.contains(row) ? "K" : "R", entity: Number(row.dataset.entity) };
  }

  /**
   * Selects an entity. A double click on one that was selected before clears the selection.
   *
   * @param {MouseEvent} event
   */
  click(event) {
    const row = this.rowOf(event);
    if (!row) return;
    const { side, entity } = row;
    if (/** @type {Element} */ (event.target).closest("[data-open]")) {
      this.open([row]);
      return;
    }
    // Rows are drawn anew by each click, and browsers count no clicks on an element that is gone.
    const again = this.clicked.row === side + entity && event.timeStamp - this.clicked.at < DOUBLE;
    const selected = this.highlighted?.side === side && this.highlighted.entity === entity;
    if (again && this.clicked.selected) this.select("", -1, -1);
    else this.select(side, entity, -1);
    this.clicked = again ? { ...this.clicked, row: "" } : { row: side + entity, at: event.timeStamp, selected };
  }

  /** @param {DragEvent} event */
  dropped(event) {
    event.preventDefault();
    const row = this.rowOf(event);
    if (row?.side === "K") this.drop(row.entity);
  }

  /** @param {MouseEvent} event */
  hover(event) {
    const row = this.rowOf(event);
    this.preview(row && { ...row, mention: -1 }, event);
  }

  /**
   * Shows all mentions of entities, or one line of them if all were shown.
   *
   * @param {{ side: Side, entity: number }[]} rows
   */
  open(rows) {
    const key = ({ side, entity } = rows[0]) => side + entity;
    if (rows.every((row) => this.opened.has(key(row)))) for (const row of rows) this.opened.delete(key(row));
    else this.measure(rows);
    this.lay(this.highlighted);
    this.redraw();
  }

  /** @param {{ side: Side, entity: number }[]} rows */
  measure(rows) {
    const elements = rows.map(({ side, entity }) => {
      const element = entityRow(this.context, side, { entity, top: 0 }, this.highlighted, { place: 0, rows: 0, opened: true });
      this.lists[side].append(element);
      return element;
    });
    const heights = elements.map((element) => element.offsetHeight + ROW - 28);
    for (const [n, { side, entity }] of rows.entries()) this.opened.set(side + entity, Math.max(ROW, heights[n]));
    for (const element of elements) element.remove();
  }

  /**
   * Up and down in a column; left and right to the best match in the other one.
   *
   * @param {KeyboardEvent} event
   * @param {Side} side
   */
  key(event, side) {
    const rows = this.layout?.rows[side] ?? [];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "m" && this.highlighted?.side === side) {
      event.preventDefault();
      this.open([{ side, entity: this.highlighted.entity }]);
      return;
    }
    const now = this.highlighted?.side === side ? rows.findIndex(({ entity }) => entity === this.highlighted?.entity) : -1;
    const target = targetOf(event.key, now, rows.length);
    if (target !== undefined) {
      event.preventDefault();
      if (rows.length) this.select(side, rows[target].entity, -1);
    } else if (event.key === (side === "K" ? "ArrowRight" : "ArrowLeft")) {
      event.preventDefault();
      if (this.context.corpus.alone) return;
      const best = now < 0 ? -1 : (this.context.response?.bestMatch(side, rows[now].entity) ?? -1);
      this.focus(opposite(side));
      if (best >= 0) this.select(opposite(side), best, -1);
    }
  }

  /** @param {Side} side */
  focus(side) {
    this.lists[side].focus();
  }
}

/**
 * The row that a key leads to.
 *
 * @param {string} key
 * @param {number} now - the row of the selected entity, -1 for none
 * @param {number} rows
 */
function targetOf(key, now, rows) {
  const target = new Map([
    ["ArrowDown", now + 1], ["ArrowUp", now - 1], ["PageDown", now + 10], ["PageUp", now - 10],
    ["Home", 0], ["End", rows - 1], ["Enter", now], [" ", now],
  ]).get(key);
  return target === undefined ? undefined : Math.min(rows - 1, Math.max(0, target));
}
