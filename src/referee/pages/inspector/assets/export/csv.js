// Tables as CSV (RFC 4180). Text that a spreadsheet would take for a formula begins with an apostrophe.

/** @typedef {(string | number | null | undefined)[]} Cells */

const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

/** @param {Cells[number]} value */
function cell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",;\r\n\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {Cells[]} rows - the first one has the headings */
export const csv = (rows) => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
