// The tabs of a document.

import { h, put } from "../basics/dom.js";
import { formatted } from "../basics/numbers.js";

/**
 * @import { View } from "../types.d.ts"
 * @typedef {{ view: View, name: string, number?: number }} Tab
 */

/**
 * @param {HTMLElement} bar
 * @param {Tab[]} tabs
 * @param {View} now
 * @param {(view: View) => void} choose
 */
export function drawTabs(bar, tabs, now, choose) {
  const focused = bar.contains(document.activeElement);
  const key = (/** @type {KeyboardEvent} */ event) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    const inSight = elements.filter((element) => element.offsetParent); // on a wide page the text is no tab
    const next = inSight.findIndex((element) => element.dataset.view === now) + by;
    choose(/** @type {View} */ (inSight[(next + inSight.length) % inSight.length].dataset.view));
  };
  const elements = tabs.map(({ view, name, number }) => h("button", {
    type: "button", role: "tab", "data-view": view, id: `tab-${view}`,
    "aria-selected": String(view === now), "aria-controls": "view", tabindex: view === now ? "0" : "-1",
    on: { click: () => choose(view), keydown: key },
  }, name, number !== undefined && h("span", { class: "n" }, formatted(number))));
  put(bar, elements);
  if (focused) elements.find((element) => element.dataset.view === now)?.focus();
}
