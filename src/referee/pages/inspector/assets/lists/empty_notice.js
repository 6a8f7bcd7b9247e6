// What stands where nothing matches the filter.

import { button } from "../basics/controls.js";
import { h } from "../basics/dom.js";

/** @param {() => void} showAll */
export const emptyNotice = (showAll) =>
  h("p", { class: "none-passes", hidden: true }, "Nothing matches the filter. ", button("chip", showAll, null, "show all"));
