// The button for light or dark, on pages that have nothing else of this folder.

import { applyTheme, switchTheme } from "./theme.js";

applyTheme();
const themeButton = document.getElementById("theme");
if (themeButton) {
  themeButton.hidden = false;
  themeButton.addEventListener("click", switchTheme);
}
