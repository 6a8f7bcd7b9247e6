// The page: files, a verb with its options, and what it gives.

/** @import { Named, Settings } from "./types.d.ts" */
import { h, put } from "./dom.js";
import { Engine } from "./engine.js";
import { example } from "./example.js";
import { Files } from "./files.js";
import { Options, quoted } from "./options.js";
import { resultsOf } from "./results.js";

const WRITTEN = "/tmp/written";
const TITLES = {
  score: "Score", compare: "Compare", errors: "Errors", inspect: "Inspect", agree: "Agree", convert: "Convert",
  validate: "Validate",
};
/** @typedef {keyof typeof TITLES} Name */

class Page {
  /** @param {Settings} settings */
  constructor(settings) {
    this.settings = settings;
    /** @type {Name} */
    this.verb = "score";
    this.busy = true;
    this.started = 0;
    this.changes = 0; // of files, task and options
    this.engine = new Engine(settings, {
      loading: (share, text) => this.progress(text, share),
      step: (text, share) => this.progress(text, share),
    });
    this.files = new Files(() => this.changed(), (message) => this.say(message, true));
    this.options = new Options(() => this.changed());
    this.bar = h("progress", { "aria-label": "Progress", max: 1 });
    this.state = h("p", { role: "status" });
    this.stopper = h("button", { type: "button", hidden: true, onclick: () => this.stop() }, "Stop");
    this.command = h("code");
    this.chooser = h("select", { id: "chosen", onchange: () => this.changed() });
    this.choice = h("p", { hidden: true }, h("label", { for: "chosen" }, "File "), this.chooser);
    this.summary = h("p", { class: "soft" });
    this.runner = h("button", { type: "button", class: "main", onclick: () => this.run() });
    this.outdated = h("p", { class: "error", hidden: true },
      "Changed since: what is shown here is of the files and options before.");
    this.results = h("section", { class: "results", tabindex: -1, "aria-labelledby": "results", hidden: true });
  }

  /** @param {Element} root */
  show(root) {
    const verbs = Object.entries(TITLES).map(([name, title]) => h("label", {},
      h("input", { type: "radio", name: "verb", value: name, checked: name === this.verb,
        onchange: () => this.choose(/** @type {Name} */ (name)) }), h("span", {}, title)));
    put(root,
      h("div", { class: "state" }, this.bar, this.state, this.stopper),
      h("section", { "aria-labelledby": "files" }, h("h2", { id: "files" }, "Files"), this.files.element,
        h("p", { class: "soft" }, "Any format that Referee reads, also compressed with gzip. ",
          h("button", { type: "button", class: "link", onclick: () => this.files.add("key", example()) }, "Try an example"))),
      h("section", { "aria-labelledby": "task" }, h("h2", { id: "task" }, "Task"),
        h("div", { class: "verbs", role: "radiogroup", "aria-labelledby": "task" }, verbs),
        this.summary, this.choice, this.options.element,
        h("p", { class: "run" }, this.runner, h("span", { class: "soft" }, "on the command line: "), this.command)),
      this.results);
    this.choose(this.verb);
    this.load(() => this.engine.start());
  }

  /** @param {Name} verb */
  choose(verb) {
    this.verb = verb;
    const { summary } = this.settings.verbs[verb];
    this.summary.textContent = `${summary[0].toUpperCase()}${summary.slice(1)}.`;
    this.runner.textContent = TITLES[verb];
    this.options.show(this.settings.verbs[verb]);
    this.changed();
  }

  /** The command line follows files and options. */
  changed() {
    this.changes += 1;
    this.outdated.hidden = false;
    const { key, responses } = this.files;
    const names = this.files.named.map(({ name }) => name);
    const offered = this.verb === "convert" ? names : this.verb === "errors" ? names.slice(key.length) : [];
    const chosen = offered.includes(this.chooser.value) ? this.chooser.value : offered[0];
    put(this.chooser, ...offered.map((name) => h("option", { selected: name === chosen }, name)));
    this.choice.hidden = offered.length < 2;
    this.missing = this.lacks(key.length, responses.length);
    this.put(this.argv(false));
  }

  /** @param {string[]} argv */
  put(argv) {
    this.command.textContent = ["referee", ...argv.map(quoted)].join(" ");
  }

  /** What has to be added before the verb can run; empty if nothing. @param {number} keys @param {number} responses */
  lacks(keys, responses) {
    const formatLacks = this.verb === "convert" && !this.options.argv.some((option) => option.startsWith("--to="));
    if (this.verb === "convert" || this.verb === "validate") {
      return !(keys + responses) ? "Add a file first." : formatLacks ? "Choose a format to convert to first." : "";
    }
    if (this.verb === "agree") return keys + responses > 1 ? "" : "Add the files of two annotators or more first.";
    if (!keys) return "Add a key first.";
    return responses || this.verb === "inspect" ? "" : "Add a response first.";
  }

  /** The arguments, as they are run or as they are shown. @param {boolean} here */
  argv(here) {
    const names = this.files.named.map(({ name }) => name);
    const options = this.options.argv;
    if (this.verb === "errors") names.splice(1, names.length, this.chooser.value);
    if (this.verb === "convert") names.splice(0, names.length, this.chooser.value, here ? WRITTEN : this.output);
    if (this.verb === "inspect") options.push(`--output=${here ? WRITTEN : "inspect.html"}`);
    return [this.verb, ...names, ...options];
  }

  /** The name of a converted file. */
  get output() {
    const to = this.options.argv.find((option) => option.startsWith("--to="))?.slice(5) ?? "FORMAT";
    return `${this.chooser.value.replace(/(\.[^.]*)?(\.gz)?$/, "") || "converted"}.${to}`;
  }

  async run() {
    if (this.busy || this.missing) {
      this.say(this.missing || "Please wait: Python is still loading, or at work.", true);
      return;
    }
    const { verb, output, changes } = this;
    this.work(true);
    this.progress(`${TITLES[verb].toLowerCase()}: reading`, 0);
    try {
      const ran = await this.engine.run(this.argv(true), this.files.named);
      const report = (/** @type {string} */ form) => this.engine.report(form);
      put(this.results, h("h2", { id: "results" }, TITLES[verb]), this.outdated,
        resultsOf(verb, ran, { report, say: (text) => this.say(text), output }).flat(2));
      this.outdated.hidden = this.changes === changes;
      this.results.hidden = false;
      this.results.focus();
      this.say(ran.outcome.status === 2 ? "Not done: see the message." : `Done in ${this.seconds} s.`);
    } catch (error) {
      this.say(`This failed, and it should not: ${/** @type {Error} */ (error).message}`, true);
    }
    this.work(false);
  }

  get seconds() {
    return Math.max(1, Math.round((performance.now() - this.started) / 1000));
  }

  stop() {
    this.load(() => this.engine.stop());
  }

  /** @param {() => Promise<unknown>} start */
  async load(start) {
    this.work(true, false);
    this.progress("loading Python", 0);
    try {
      await start();
      this.say("Ready. Nothing is sent from here: the page no longer has a way to.");
      this.work(false);
    } catch (error) {
      this.bar.hidden = true;
      this.say(this.noPython(/** @type {Error} */ (error)), true);
    }
  }

  /** What can be done without Python. @param {Error} error */
  noPython({ message }) {
    const { host } = new URL(this.settings.pyodide, document.baseURI);
    return host === location.host ? `Python cannot be loaded: ${message}`
      : `Python cannot be loaded from ${host}: go online and open the page again, or write it anew with --offline, which puts `
        + "Python into its folder.";
  }

  /** @param {boolean} busy @param {boolean} [stoppable] */
  work(busy, stoppable = busy) {
    this.busy = busy;
    this.started = performance.now();
    this.bar.hidden = !busy;
    this.stopper.hidden = !stoppable;
    this.runner.setAttribute("aria-disabled", String(busy));
  }

  /** @param {string} text @param {number} share 0 where nobody knows. */
  progress(text, share) {
    if (share) this.bar.value = share;
    else this.bar.removeAttribute("value");
    const percent = share && !text.endsWith("MB") ? ` ${Math.round(share * 100)} %` : "";
    if (text) this.say(`${text[0].toUpperCase()}${text.slice(1)}${percent}`);
  }

  /** @param {string} text @param {boolean} [wrong] */
  say(text, wrong = false) {
    this.state.classList.toggle("error", wrong);
    this.state.textContent = text;
  }
}

const root = /** @type {Element} */ (document.getElementById("app"));
fetch("settings.json").then((response) => response.json()).then(
  (settings) => new Page(settings).show(root),
  (error) => put(root, h("p", { role: "alert", class: "error" }, `This page cannot be opened: ${error.message}`)),
);
