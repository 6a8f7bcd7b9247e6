// Light or dark: as the system has it, or as the reader has chosen.

const NAME = "referee-theme";

/**
 * What the browser keeps for us, if it does.
 *
 * @param {string} [theme] - to keep
 */
function kept(theme) {
  try {
    if (theme !== undefined) localStorage.setItem(NAME, theme);
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

export function applyTheme() {
  const theme = kept();
  if (theme) document.documentElement.dataset.theme = theme;
}

export function switchTheme() {
  const { dataset } = document.documentElement;
  const dark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = dark ? "light" : "dark";
  kept(dataset.theme);
}
