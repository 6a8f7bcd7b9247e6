// The files: a key and responses, dropped or chosen.

/** @import { Named } from "./types.d.ts" */
import { h, put } from "./dom.js";

const UNITS = ["bytes", "kB", "MB", "GB"];

/** @param {number} bytes */
function size(bytes) {
  const unit = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 3);
  return `${(bytes / 1000 ** unit).toFixed(unit ? 1 : 0)} ${UNITS[unit]}`;
}

/** Files under different names, none of which looks like an option. @param {File[]} files @returns {Named[]} */
function named(files) {
  const taken = new Set();
  return files.map((file) => {
    const safe = file.name.startsWith("-") ? `_${file.name}` : file.name;
    let name = safe;
    for (let number = 2; taken.has(name); number += 1) name = safe.replace(/(\.[^.]*)?$/, (end) => `-${number}${end}`);
    taken.add(name);
    return { name, file };
  });
}

export class Files {
  /** @param {() => void} changed @param {(message: string) => void} complain */
  constructor(changed, complain) {
    this.changed = changed;
    this.complain = complain;
    /** @type {File[]} */
    this.key = [];
    /** @type {File[]} */
    this.responses = [];
    this.zones = {
      key: this.zone("key", "Key", "the gold standard: one file", false),
      responses: this.zone("responses", "Responses", "system outputs: one file or several", true),
    };
    this.element = h("div", { class: "zones" }, this.zones.key, this.zones.responses);
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => this.dropped(event));
  }

  /** All files, the key first. @returns {Named[]} */
  get named() {
    return named([...this.key, ...this.responses]);
  }

  /** @param {"key" | "responses"} side @param {string} title @param {string} what @param {boolean} several */
  zone(side, title, what, several) {
    const chosen = (/** @type {Event} */ event) => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      this.add(side, [...input.files ?? []]);
      input.value = "";
    };
    return h("section", { class: "zone", "data-side": side, "aria-label": title },
      h("h3", {}, title),
      h("p", { class: "soft" }, what),
      h("ul", { class: "files" }),
      h("label", { class: "choose" },
        h("input", { type: "file", multiple: several, onchange: chosen, "aria-label": `Choose ${title.toLowerCase()}` }),
        h("span", {}, several ? "Choose files, or drop them here" : "Choose a file, or drop it here")));
  }

  /** @param {DragEvent} event */
  dropped(event) {
    event.preventDefault();
    const items = [...event.dataTransfer?.items ?? []].filter((item) => item.kind === "file");
    if (items.some((item) => item.webkitGetAsEntry?.()?.isDirectory)) {
      this.complain("found a folder; expected files: choose the files in it");
      return;
    }
    const files = items.flatMap((item) => item.getAsFile() ?? []);
    const side = /** @type {Element} */ (event.target).closest("[data-side]")?.getAttribute("data-side");
    if (side === "key" || side === "responses") this.add(side, files);
    else {
      const rest = this.key.length ? files : files.slice(1);
      if (rest.length < files.length) this.add("key", files.slice(0, 1));
      if (rest.length) this.add("responses", rest);
    }
  }

  /** A new key replaces the old one. @param {"key" | "responses"} side @param {File[]} files */
  add(side, files) {
    if (!files.length) return;
    if (side === "responses") this.responses.push(...files);
    else [this.key, this.responses] = [files.slice(0, 1), [...this.responses, ...files.slice(1)]];
    this.draw();
    const again = this.repeated();
    if (again) this.complain(`${again.name} is probably here twice: found two files with one name, size and date`);
  }

  /** A file that was dropped twice, as far as a page can know. */
  repeated() {
    const keys = [...this.key, ...this.responses].map(({ name, size, lastModified }) => `${size} ${lastModified} ${name}`);
    return this.responses.find((_, n) => keys.indexOf(keys[n + this.key.length]) < n + this.key.length);
  }

  /** @param {File} file */
  remove(file) {
    this.key = this.key.filter((other) => other !== file);
    this.responses = this.responses.filter((other) => other !== file);
    this.draw();
    this.element.querySelector("input")?.focus();
  }

  /** @param {File} file */
  makeKey(file) {
    const rest = this.responses.filter((other) => other !== file);
    [this.key, this.responses] = [[file], [...this.key, ...rest]];
    this.draw();
  }

  draw() {
    const all = this.named;
    const row = (/** @type {Named} */ { name, file }, /** @type {boolean} */ isKey) => h("li", {},
      h("span", { class: "name", title: name }, name), h("span", { class: "soft" }, size(file.size)),
      !isKey && h("button", { class: "quiet", type: "button", onclick: () => this.makeKey(file) }, "make key"),
      h("button", { class: "quiet", type: "button", "aria-label": `Remove ${name}`, onclick: () => this.remove(file) }, "✕"));
    for (const [side, zone] of Object.entries(this.zones)) {
      const isKey = side === "key";
      const entries = isKey ? all.slice(0, this.key.length) : all.slice(this.key.length);
      put(/** @type {Element} */ (zone.querySelector("ul")), ...entries.map((entry) => row(entry, isKey)));
    }
    this.changed();
  }
}
