// What the keys do.

const KEYS = [
  ["↑ ↓", "the next entity of the column, or error of the list"],
  ["← →", "to the other column: the core of an entity, or its owner"],
  ["n p", "the next, the previous mention of the chosen entity"],
  ["Esc", "choose nothing"],
  ["/", "search; Enter and Shift+Enter go through what is found"],
  ["k r", "the column of the key, of the response"],
  ["1 2 3 4", "entities, errors, changes, scores"],
  ["[ ]", "the previous, the next document"],
  ["o", "all documents"],
  ["x", "the other response"],
  ["d", "light or dark"],
  ["?", "this help"],
];

function helpDialog() {
  const close = () => dialog.close();
  const dialog = h("dialog", { class: "help", "aria-labelledby": "help-title" },
    h("header", null, h("h2", { id: "help-title" }, "How to read this page"), h("button", { type: "button", class: "quiet close", "aria-label": "Close", on: { click: close } }, "×")),
    h("p", null, "The key is the annotation that is believed, the response the one that is judged. Both group mentions into entities. ",
      "Lines above the words are mentions of the key; lines below them, of the response. An entity of the response has the colour of the key entity that owns most of it; what the key does not have is grey."),
    samples(),
    h("p", null, "Choose an entity, and its projections light up: all entities of the other side that it shares mentions with. The largest is its core. ",
      "What an error costs is the gain of the measure if that error alone were repaired. Costs do not add up."),
    h("h3", null, "Keys"),
    h("dl", { class: "keys" }, KEYS.map(([keys, says]) => h("div", null, h("dt", null, keys.split(" ").map((key) => h("kbd", null, key))), h("dd", null, says)))),
    h("p", { class: "note" }, "The two columns follow the interface of Popescu-Belis and Robba (1998), “Three New Methods for Evaluating Reference Resolution”."));
  return dialog;
}
