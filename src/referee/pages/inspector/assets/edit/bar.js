// The bar of Edit: what can be done to the selected mention, what was done, and how much is settled.

import { button } from "../basics/controls.js";
import { h, put } from "../basics/dom.js";
import { count } from "../basics/numbers.js";

/**
 * @import { Editor, Question } from "./editor.js"
 */

/** @type {{ [Q in Question]: string }} */
const QUESTIONS = {
  move: "Move to entity (its number, or new; or click one)",
  merge: "Merge into entity (its number; or click one)",
  comment: "Comment",
};

export class EditBar {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.progress = h("p", { class: "progress" });
    this.live = h("p", { class: "said", "aria-live": "polite" });
    this.field = h("input", { class: "plain", on: { keydown: (event) => this.key(event) } });
    this.label = h("label", { class: "question", hidden: true }, h("span"), this.field);
    this.done = this.act("done", "z", "Mark the document as done", () => editor.toggleDone());
    this.actions = h("div", { class: "acts", role: "toolbar", "aria-label": "Edit" });
    this.element = h("div", { class: "edit-bar", role: "group", "aria-label": "Corrections", hidden: true },
      this.actions, this.label, h("div", { class: "told" }, this.progress, this.live));
  }

  /**
   * @param {string} name
   * @param {string} key
   * @param {string} does
   * @param {() => void} act
   */
  act(name, key, does, act) {
    return button("chip", act, { title: `${does} (${key})`, "data-act": name }, name);
  }

  /** Shows what can be done here. */
  show() {
    const { editor } = this;
    this.element.hidden = !editor.isOn;
    if (!editor.isOn) return;
    const { words } = editor.context;
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && active.dataset.act;
    const { isStored } = editor.corrections;
    const ofErrors = editor.response ? [
      this.act(`next ${words.error}`, "n", `The next open ${words.error}, the most expensive first`, () => editor.next(1)),
      this.act(`take ${editor.response.annotation.letter}`, "v",
        `The version of ${words.R}, for the ${words.error} that is selected`, () => editor.takeVersion()),
      this.act(`keep ${editor.base.key.letter}`, "y", `${words.K} is right: settles the ${words.error}`,
        () => editor.keepKey()),
    ] : [];
    this.done.setAttribute("aria-pressed", String(editor.corrections.history(editor.base).done));
    put(this.actions,
      ofErrors,
      this.act("move to …", "0-9", "Put the mention into another entity: type its number", () => editor.ask("move")),
      this.act("new entity", "+", "Put the mention into a new entity", () => editor.moveToNew()),
      this.act("split off", "b", "Put this mention and those after it in its entity into a new one", () => editor.splitOff()),
      this.act("merge into …", "g", "Make the entity part of another one", () => editor.ask("merge")),
      this.act("remove", "Delete", "Remove the mention", () => editor.remove()),
      this.act("add", "a", "Make a mention of the selected words, in the selected entity or a new one", () => editor.add()),
      h("span", { class: "edges", role: "group", "aria-label": "Edges" },
        this.act("⇤", "shift ↑", "Begin one word earlier", () => editor.edge("start", -1)),
        this.act("↦", "shift ↓", "Begin one word later", () => editor.edge("start", 1)),
        this.act("↤", "shift ←", "End one word earlier", () => editor.edge("end", -1)),
        this.act("⇥", "shift →", "End one word later", () => editor.edge("end", 1))),
      this.act("comment …", "c", "Comment on the mention", () => editor.ask("comment")),
      this.act("undo", "u", "Undo", () => editor.step(-1)),
      this.act("redo", "U", "Do again", () => editor.step(1)),
      this.done,
      this.act("save", "S", "Save the corrections as a file", () => editor.save()));
    this.label.hidden = !editor.question;
    this.progress.textContent = [
      editor.progress, count(editor.corrections.number, "change"),
      editor.base === editor.context.doc || !editor.response ? "" : "the scores are those before the changes",
      isStored ? "" : "this browser keeps nothing: save before you leave",
    ].filter(Boolean).join(" · ");
    const again = focused && this.actions.querySelector(`[data-act="${focused}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {string} text */
  say(text) {
    this.live.textContent = text;
  }

  /**
   * @param {Question} question
   * @param {string} beginning
   */
  ask(question, beginning) {
    /** @type {HTMLElement} */ (this.label.firstChild).textContent = QUESTIONS[question];
    this.show();
    this.label.hidden = false;
    this.field.value = beginning;
    this.field.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { editor, field } = this;
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    field.blur();
    if (event.key === "Enter") editor.answer(field.value);
    else editor.escape();
    this.show();
    editor.app.view.text.element.focus({ preventScroll: true });
  }
}
