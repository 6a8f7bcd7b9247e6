// Elements. What files contain enters the page as text nodes, and in no other way.

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * An element: its attributes (null, undefined and false leave one out), listeners, which start with "on", and children.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {{ [name: string]: unknown }} [properties]
 * @param {(Child | Child[])[]} children
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  put(element, ...children);
  return element;
}

/** Replaces what is in an element. @param {Element} element @param {(Child | Child[])[]} children */
export const put = (element, ...children) =>
  element.replaceChildren(.../** @type {(Node | string)[]} */ (children.flat().filter((child) => child || child === "")));

/** Saves a file. @param {string} name @param {BlobPart} content @param {string} type */
export function save(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = h("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
