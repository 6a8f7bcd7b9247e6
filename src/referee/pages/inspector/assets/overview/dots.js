// A dot for each document, by its score. One of them is reached by Tab, the others from it by the arrow keys, Home and End.

import { h, svg } from "../basics/dom.js";
import { range } from "../basics/numbers.js";
import { visible } from "../basics/visible.js";
import { percent } from "../scores/format.js";
import { metricTitle } from "../scores/metrics.js";

/**
 * @import { ResponseOverview } from "../payload.d.ts"
 * @import { Corpus } from "../types.d.ts"
 */

const WIDTH = 1080;
const EDGE = 6;
const BINS = 90;
const FEWEST = 3; // documents
const STEPS = [20, 10, 5, 2, 1, 0.5]; // from one label of the axis to the next, in percent
const FEWEST_TICKS = 4;

/**
 * @param {Corpus} corpus
 * @param {ResponseOverview} response
 * @param {string} metric - the first one if empty
 * @param {(document: number) => void} open
 */
export function documentDots(corpus, response, metric, open) {
  const id = metric || corpus.metrics[0]?.id;
  const scores = (response.by_document[id] ?? []).flatMap((value, number) => (value === null ? [] : [{ value, number }]));
  if (scores.length < FEWEST || corpus.metric.get(id)?.unit) return null;
  const values = scores.map(({ value }) => value);
  const low = Math.min(0.98, Math.floor(Math.min(...values) * 20) / 20);
  const high = Math.max(low + 0.02, ...values);
  const { placed, tallest } = stacked(scores, low, high);
  const step = Math.min(11, 150 / tallest);
  const base = tallest * step + 4;
  const act = (/** @type {Event} */ { target }) => {
    const number = /** @type {SVGElement} */ (target).dataset.number;
    if (number) open(Number(number));
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const now = dots.findIndex((dot) => dot === event.target);
    const next = nextDot(event.key, now, dots.length);
    if (event.key === "Enter" || event.key === " ") act(event);
    else if (next === undefined) return;
    else focusDot(dots[now], dots[next]);
    event.preventDefault();
  };
  const dots = placed.map(({ bin, level, value, number }, n) => {
    const name = `${visible(corpus.documents[number], 80)}: ${percent(corpus, value)}`;
    return svg("circle", {
      cx: (EDGE + ((bin + 0.5) / BINS) * (WIDTH - 2 * EDGE)).toFixed(1), cy: (base - 2 - (level + 0.5) * step).toFixed(1),
      r: Math.min(4.4, step * 0.42), "data-number": number, role: "button", "aria-label": name, tabindex: n ? -1 : 0,
    }, svg("title", null, name));
  });
  return h("section", { class: "dots" },
    h("h2", null, `Documents by ${metricTitle(corpus, id)}`),
    h("p", { class: "note" }, "Each dot is a document. Click a dot to open it; ← and → go from dot to dot."),
    svg("svg", {
      viewBox: `0 0 ${WIDTH} ${base + 4}`, role: "group", "aria-label": "Documents, the lowest score first",
      on: { click: act, keydown: /** @type {(event: Event) => void} */ (key) },
    },
      svg("line", { x1: 0, x2: WIDTH, y1: base + 2, y2: base + 2 }),
      dots),
    ticks(low, high));
}

/**
 * The dot that a key leads to.
 *
 * @param {string} key
 * @param {number} now
 * @param {number} dots - how many
 */
function nextDot(key, now, dots) {
  const next = new Map([
    ["ArrowRight", now + 1], ["ArrowUp", now + 1], ["ArrowLeft", now - 1], ["ArrowDown", now - 1],
    ["PageDown", now + 10], ["PageUp", now - 10], ["Home", 0], ["End", dots - 1],
  ]).get(key);
  return next === undefined ? undefined : Math.min(dots - 1, Math.max(0, next));
}

/**
 * @param {SVGElement} from
 * @param {SVGElement} to
 */
function focusDot(from, to) {
  from.setAttribute("tabindex", "-1");
  to.setAttribute("tabindex", "0");
  to.focus();
}

/**
 * Documents of about the same score stand one above the other.
 *
 * @param {{ value: number, number: number }[]} scores
 * @param {number} low
 * @param {number} high
 */
function stacked(scores, low, high) {
  const heights = range(BINS).map(() => 0);
  const placed = scores.sort((a, b) => a.value - b.value).map(({ value, number }) => {
    const bin = Math.min(BINS - 1, Math.floor(((value - low) / (high - low)) * BINS));
    return { bin, level: heights[bin]++, value, number };
  });
  return { placed, tallest: Math.max(...heights) };
}

/**
 * The axis. It is no part of the drawing, whose size is that of the page.
 *
 * @param {number} low
 * @param {number} high
 */
function ticks(low, high) {
  const step = STEPS.find((by) => numbersOf(low, high, by).length >= FEWEST_TICKS) ?? STEPS[STEPS.length - 1];
  return h("div", { class: "ticks", "aria-hidden": "true" }, numbersOf(low, high, step).map((n) => {
    const tick = n * step;
    const x = EDGE + ((tick / 100 - low) / (high - low)) * (WIDTH - 2 * EDGE);
    return h("span", { style: { left: `${((100 * x) / WIDTH).toFixed(2)}%` } }, step < 1 ? tick.toFixed(1) : tick);
  }));
}

/**
 * The whole numbers whose multiples by a step are between two scores.
 *
 * @param {number} low
 * @param {number} high
 * @param {number} step - in percent
 */
function numbersOf(low, high, step) {
  const first = Math.ceil((low * 100) / step - 1e-6);
  return range(Math.floor((high * 100) / step + 1e-6) - first + 1).map((n) => first + n);
}
