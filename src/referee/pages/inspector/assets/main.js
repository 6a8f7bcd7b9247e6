// The page opens.

import { App } from "./app/app.js";
import { h, put } from "./basics/dom.js";
import { firstNamed, openCorpus } from "./model/corpus.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));

/** Opens the page with the first annotator that the address names, and anew when it names another one. */
async function open() {
  const corpus = await openCorpus(firstNamed(location.hash));
  const app = new App(corpus, root);
  addEventListener("hashchange", function changed() {
    if (firstNamed(location.hash) === corpus.first) return;
    removeEventListener("hashchange", changed);
    app.close();
    open();
  });
}

open().catch((error) => {
  put(root, h("p", { class: "loading", role: "alert" }, `This page cannot be opened: ${error.message}`));
});
