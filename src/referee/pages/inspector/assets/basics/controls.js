// Buttons and drop-down lists.

import { h } from "./dom.js";

/** @import { Child, Properties } from "../types.d.ts" */

/**
 * @param {string} style
 * @param {() => void} act
 * @param {Properties | null} properties
 * @param {Child[]} children
 */
export const button = (style, act, properties, ...children) =>
  h("button", { type: "button", class: style, ...properties, on: { ...properties?.on, click: act } }, ...children);

/**
 * A drop-down list.
 *
 * @param {Properties} properties
 * @param {[value: string | number, text: string][]} options
 * @param {string | number} now - the value that is set
 * @param {(value: string) => void} pick
 */
export const picker = (properties, options, now, pick) =>
  h("select", {
    ...properties,
    class: `plain ${properties.class ?? ""}`.trim(),
    on: { change: (event) => pick(/** @type {HTMLSelectElement} */ (event.target).value) },
  }, options.map(([value, text]) => h("option", { value, selected: String(value) === String(now) }, text)));
