// What a verb gave: messages, tables, a page of the inspector, a converted file; copied and saved.

/** @import { Ran, Table } from "./types.d.ts" */
import { h, save } from "./dom.js";

const COPIED = { text: "Text", markdown: "Markdown", latex: "LaTeX" };
const SAVED = { csv: "CSV", json: "JSON", html: "HTML" };
const TYPES = { csv: "text/csv", json: "application/json", html: "text/html" };
const PREVIEW = 4000;

/** @param {Table} table */
function tableOf({ caption, groups, columns, labels, rows, below }) {
  const side = (/** @type {number} */ column) => (columns[column][1] ? "left" : null);
  const head = columns.map(([title], n) => h("th", { scope: "col", class: side(n) }, title));
  const above = groups.map(([title, span]) => (
    title ? h("th", { scope: "colgroup", colspan: span }, title) : h("td", { colspan: span })));
  const body = rows.map((row) => h("tr", {}, row.map(([text, best], n) => (n < labels && text
    ? h("th", { scope: "row" }, text)
    : h("td", { class: side(n) }, best ? h("strong", {}, text) : text)))));
  return h("div", {},
    h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": caption || "Table of results" },
      h("table", {}, caption ? h("caption", {}, caption) : null,
        h("thead", {}, above.length > 0 && h("tr", {}, above), h("tr", {}, head)), h("tbody", {}, body))),
    below.map((note) => h("p", { class: "note" }, note)));
}

/** @param {string[]} messages */
function messagesOf(messages) {
  const said = messages.filter((text) => !text.startsWith("referee: wrote ")).map((text) => text.replace(/^referee.*?: /, ""));
  const row = (/** @type {string} */ text) => h("li", { class: text.startsWith("error") ? "error" : null }, text);
  return said.length > 0 && h("ul", { class: "messages" }, said.map(row));
}

/**
 * @param {string} verb
 * @param {Ran} ran
 * @param {{ report: (form: string) => Promise<string>, say: (text: string) => void, output: string }} how To write the tables
 *   in another form, to say that something is done, and the name of a converted file.
 */
export function resultsOf(verb, { outcome, written }, { report, say, output }) {
  const { tables, messages, text } = outcome;
  return [
    messagesOf(messages),
    tables.map(tableOf),
    tables.length > 0 && exportsOf(verb, report, say),
    text && h("pre", { class: "wide", tabindex: 0, "aria-label": "Report" }, text),
    written && (verb === "inspect" ? pageOf(written) : fileOf(written, output)),
  ];
}

/** @param {string} verb @param {(form: string) => Promise<string>} report @param {(text: string) => void} say */
function exportsOf(verb, report, say) {
  const copy = async (/** @type {keyof typeof COPIED} */ form) => {
    const text = await report(form);
    try {
      await navigator.clipboard.writeText(text);
      say(`${COPIED[form]} is on the clipboard.`);
    } catch { // not allowed, as without https
      save(`${verb}.txt`, text, "text/plain");
    }
  };
  const keep = async (/** @type {keyof typeof SAVED} */ form) => save(`${verb}.${form}`, await report(form), TYPES[form]);
  const button = (/** @type {string} */ label, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", onclick }, label);
  return h("p", { class: "exports" },
    h("span", { class: "soft" }, "Copy"),
    Object.entries(COPIED).map(([form, label]) => button(label, () => copy(/** @type {keyof typeof COPIED} */ (form)))),
    h("span", { class: "soft" }, "Save"),
    Object.entries(SAVED).map(([form, label]) => button(label, () => keep(/** @type {keyof typeof SAVED} */ (form)))));
}

/**
 * A page of the inspector, in a frame that can do nothing but run its own script.
 *
 * @param {Uint8Array<ArrayBuffer>} written
 */
function pageOf(written) {
  const address = URL.createObjectURL(new Blob([written], { type: "text/html" }));
  return h("div", {},
    h("p", { class: "exports" },
      h("a", { class: "button", href: address, target: "_blank", rel: "noopener" }, "Open in a tab"),
      h("button", { type: "button", onclick: () => save("inspect.html", written, "text/html") }, "Save the page")),
    h("iframe", { src: address, title: "Key and responses side by side", sandbox: "allow-scripts allow-downloads" }));
}

/** @param {Uint8Array<ArrayBuffer>} written @param {string} name */
function fileOf(written, name) {
  const start = new TextDecoder().decode(written.subarray(0, PREVIEW));
  return h("div", {},
    h("p", { class: "exports" },
      h("button", { type: "button", onclick: () => save(name, written, "application/octet-stream") }, `Save ${name}`)),
    h("pre", { class: "wide", tabindex: 0, "aria-label": "The start of the file" },
      written.length > PREVIEW ? `${start.slice(0, start.lastIndexOf("\n"))}\n…` : start));
}
