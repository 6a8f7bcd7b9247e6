// Elements. Text of the annotation enters the page as text nodes, and in no other way.

/** @import { Child, Properties } from "../types.d.ts" */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {any[]} children
 * @returns {(Node | string)[]}
 */
const nodes = (children) =>
  children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

/**
 * Sets attributes, styles and listeners. An attribute that is null, undefined or false is left out.
 *
 * @param {HTMLElement | SVGElement} element
 * @param {Properties | null} [properties]
 */
export function setProperties(element, properties) {
  const { on = {}, style = {}, ...attributes } = properties ?? {};
  for (const [event, act] of Object.entries(on)) element.addEventListener(event, /** @type {EventListener} */ (act));
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, String(value));
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * An HTML element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties | null} [properties]
 * @param {Child[]} children
 */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  setProperties(element, properties);
  element.append(...nodes(children));
  return element;
}

/**
 * An SVG element.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties | null} [properties]
 * @param {Child[]} children
 */
export function svg(tag, properties, ...children) {
  const element = document.createElementNS(SVG, tag);
  setProperties(element, properties);
  element.append(...nodes(children));
  return element;
}

/**
 * Replaces what is in an element.
 *
 * @param {Element} element
 * @param {Child[]} children
 */
export const put = (element, ...children) => element.replaceChildren(...nodes(children));

const narrow = matchMedia("(max-width: 719px)");

/** Whether the page has room for one thing at a time only. */
export const isNarrow = () => narrow.matches;
