// What the keys do while Edit is on. They go before those of the page.

import { letterOf } from "../model/changes.js";

/**
 * @import { Editor } from "./editor.js"
 * @typedef {{ keys: string[], does: string, act: (key: string) => void }} EditKey
 */

/**
 * @param {Editor} editor
 * @returns {EditKey[]}
 */
export function editKeys(editor) {
  const { alone, annotators, first } = editor.app.corpus;
  const letters = annotators.map((_, n) => letterOf(first + n)).filter((letter) => /^[A-IK-RTV-Z]$/.test(letter));
  return [
    ...(alone ? [] : [
      { keys: ["n", "p"], does: "Edit: the next or previous open one, the most expensive first",
        act: (/** @type {string} */ key) => editor.next(key === "n" ? 1 : -1) },
      { keys: ["v"], does: "Edit: take the version of the other side", act: () => editor.takeVersion() },
      { keys: ["y"], does: "Edit: keep the key as it is, which settles it", act: () => editor.keepKey() },
    ]),
    ...(letters.length ? [{ keys: letters, does: "Edit: take the version that this annotator has of the selected mention",
      act: (/** @type {string} */ key) => editor.accept(letters.indexOf(key)) }] : []),
    { keys: [..."0123456789"], does: "Edit: move the mention to the entity with this number",
      act: (/** @type {string} */ key) => editor.ask("move", key) },
    { keys: ["+"], does: "Edit: the mention into a new entity", act: () => editor.moveToNew() },
    { keys: ["b"], does: "Edit: split off this mention and the later ones of its entity", act: () => editor.splitOff() },
    { keys: ["g"], does: "Edit: merge the entity into another one", act: () => editor.ask("merge") },
    { keys: ["Delete", "Backspace"], does: "Edit: remove the mention", act: () => editor.remove() },
    { keys: ["w"], does: "Edit: choose words with the arrows; shift + arrow takes more", act: () => editor.chooseWords() },
    { keys: ["a"], does: "Edit: make a mention of the chosen words", act: () => editor.add() },
    { keys: ["c"], does: "Edit: comment on the mention", act: () => editor.ask("comment") },
    { keys: ["u", "U"], does: "Edit: undo, do again (also Ctrl+Z, Ctrl+Y)",
      act: (/** @type {string} */ key) => editor.step(key === "u" ? -1 : 1) },
    { keys: ["z"], does: "Edit: the document is done", act: () => editor.toggleDone() },
    { keys: ["S"], does: "Edit: save the corrections", act: () => editor.save() },
  ];
}

/** @type {Map<string, ["start" | "end", 1 | -1]>} */
const EDGES = new Map([
  ["ArrowLeft", ["end", -1]], ["ArrowRight", ["end", 1]], ["ArrowUp", ["start", -1]], ["ArrowDown", ["start", 1]],
]);

/**
 * Does what a key stands for while Edit is on.
 *
 * @param {Editor} editor
 * @param {KeyboardEvent} event
 */
export function editByKey(editor, event) {
  const { target, key } = event;
  if (!editor.isOn || !editor.app.navigator.doc || event.altKey) return;
  if (target instanceof Element && target.closest("input, select, textarea, dialog")) return;
  const act = actOf(editor, event);
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act(key);
}

/**
 * @param {Editor} editor
 * @param {KeyboardEvent} event
 * @returns {((key: string) => void) | undefined}
 */
function actOf(editor, { key, shiftKey, ctrlKey, metaKey }) {
  if (ctrlKey || metaKey) {
    const lower = key.toLowerCase();
    if (lower === "z") return () => editor.step(shiftKey ? 1 : -1);
    return lower === "y" ? () => editor.step(1) : undefined;
  }
  const edge = EDGES.get(key);
  if (edge && shiftKey) return () => editor.edge(...edge);
  if (editor.words && (key === "ArrowLeft" || key === "ArrowRight")) {
    return () => editor.moveWords(key === "ArrowRight" ? 1 : -1, false);
  }
  if (key === "Escape" && (editor.words || editor.question)) return () => void editor.escape();
  if (key === "Enter" && editor.words) return () => editor.add();
  return editKeys(editor).find(({ keys }) => keys.includes(key))?.act;
}
