// The page opens.

import { App } from "./app/app.js";
import { h, put } from "./basics/dom.js";
import { openCorpus } from "./model/corpus.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));

openCorpus().then((corpus) => new App(corpus, root), (error) => {
  put(root, h("p", { class: "loading", role: "alert" }, `This page cannot be opened: ${error.message}`));
});
