// What is to be done: a verb, and a form of its options, made from those of the command.

/** @import { Option, Verb } from "./types.d.ts" */
import { h, put } from "./dom.js";
import { exampleOf, helpOf, labelOf } from "./labels.js";

/** The field of an option. @param {Option} option */
function field({ name, takes, words, what, help, value }) {
  const id = `option${name}`;
  const described = { id, name, "aria-describedby": `${id}-help` };
  const label = labelOf(name);
  const about = h("small", { id: `${id}-help`, class: "soft" }, h("code", {}, name), ` ${helpOf(help)}`);
  if (takes === "flag") {
    const box = h("input", { type: "checkbox", checked: value !== "", ...described });
    return h("div", { class: "option" }, h("label", {}, box, ` ${label}`), about);
  }
  const shown = { placeholder: exampleOf(name, what), autocomplete: "off", spellcheck: "false" };
  const input = takes === "text"
    ? h("input", { type: "text", value, ...shown, ...described })
    : h("select", described, h("option", { value: "" }, "default"),
      words.map((word) => h("option", { selected: word === value }, word)));
  return h("div", { class: "option" }, h("label", { for: id }, label), input, about);
}

/** An argument as a shell takes it. @param {string} text */
export const quoted = (text) => (/^[\w.,/=+:@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

export class Options {
  /** @param {() => void} changed */
  constructor(changed) {
    this.element = h("form", { class: "options", oninput: changed, onsubmit: (/** @type {Event} */ e) => e.preventDefault() });
  }

  /** @param {Verb} verb */
  show({ options, first }) {
    const fields = options.map(field);
    const more = fields.slice(first);
    put(this.element, h("div", { class: "grid" }, fields.slice(0, first)),
      more.length > 0 && h("details", {}, h("summary", {}, "More options"), h("div", { class: "grid" }, more)));
  }

  /** The options that were given, as arguments. */
  get argv() {
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (this.element.querySelectorAll("input, select"));
    return [...fields].flatMap(({ name, type, checked, value }) => {
      if (type === "checkbox") return checked ? [name] : [];
      return value.trim() ? [`${name}=${value.trim()}`] : [];
    });
  }
}
