import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/*.d.ts", "build/"] },
  js.configs.recommended,
  { files: ["scripts/*.mjs"], languageOptions: { globals: globals.node } },
  { files: ["tests/support/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["site/*.js"], languageOptions: { sourceType: "script", globals: globals.browser } },
  {
    files: ["src/referee/pages/inspector/assets/**/*.js", "src/referee/pages/app/assets/*.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser },
    rules: {
      "eqeqeq": "error",
      "max-len": ["error", { code: 128 }],
      "no-undef": "error",
      "no-unused-vars": "error",
      "no-var": "error",
      "prefer-const": "error",
      // bundle.py leaves out comments and indentation without parsing, so no text may look like these.
      "no-multi-str": "error",
      "no-restricted-syntax": [
        "error",
        { selector: "TemplateElement[value.raw=/\\n/]", message: "Expected text on one line." },
        { selector: "Literal[raw=/\\u002f[*][*]/], TemplateElement[value.raw=/\\u002f[*][*]/]", message: "Expected no /**." },
      ],
    },
  },
];
