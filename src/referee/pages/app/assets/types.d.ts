// What `site.py` and `cli/browser.py` write, and what page and worker send to each other.

/** `settings.json`. */
export interface Settings {
  version: string;
  /** The archive of the Python package. */
  package: string;
  /** The address of the folder of Pyodide. */
  pyodide: string;
  /** Bytes of each file that is loaded. */
  sizes: { [file: string]: number };
  verbs: { [verb: string]: Verb };
}

export interface Verb {
  summary: string;
  /** How many options are shown without being asked for. */
  first: number;
  options: Option[];
}

export interface Option {
  name: string;
  takes: "flag" | "word" | "text";
  words: string[];
  /** What a text is. */
  what: string;
  help: string;
  /** What is filled in; empty for nothing. */
  value: string;
}

/** A file under the name that reports use. */
export interface Named {
  name: string;
  file: File;
}

/** What a run of a verb printed, and its tables. */
export interface Outcome {
  status: number;
  text: string;
  /** Errors and warnings. */
  messages: string[];
  tables: Table[];
}

export interface Table {
  caption: string;
  /** Headers above headers, and how many columns each spans; may be empty. */
  groups: [title: string, span: number][];
  columns: [title: string, isText: boolean][];
  /** How many of the first columns name the row. */
  labels: number;
  rows: [text: string, best: boolean][][];
  /** Legend and notes. */
  below: string[];
}

export interface Load {
  does: "load";
  settings: Settings;
  /** The address of the page, from which other addresses start. */
  base: string;
}
export interface Run {
  does: "run";
  argv: string[];
  files: Named[];
}
export interface Report {
  does: "report";
  form: string;
}
export type Order = Load | Run | Report;

export type Reply =
  | { is: "loading"; bytes: number }
  | { is: "step"; text: string; share: number }
  | { is: "done"; outcome?: Outcome; written?: Uint8Array<ArrayBuffer> | null; text?: string }
  | { is: "failed"; message: string };

/** What a run gave: the outcome, and the file that it wrote, if any. */
export interface Ran {
  outcome: Outcome;
  written: Uint8Array<ArrayBuffer> | null;
}
