// Lines that must not lie on one another.

/** @import { Line, Span } from "../types.d.ts" */

/**
 * A level for each line, 0 for those next to the words: short ones stand nearer.
 *
 * @param {Omit<Line, "level">[]} lines
 * @returns {Line[]}
 */
export function onLevels(lines) {
  /** @type {[start: number, end: number][][]} */
  const taken = [];
  const length = (/** @type {Span} */ { start, end }) => end - start;
  const shortFirst = lines.slice().sort((a, b) => length(a) - length(b) || a.start - b.start || a.mention - b.mention);
  return shortFirst.map((line) => {
    let level = 0;
    while (taken[level]?.some(([start, end]) => start < line.end && line.start < end)) level++;
    (taken[level] ??= []).push([line.start, line.end]);
    return { ...line, level };
  });
}
