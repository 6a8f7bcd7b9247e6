// Values that the modules of the page hand to one another.

import type { Metric, Overview } from "./payload.d.ts";
import type { Doc } from "./model/document.js";
import type { ScoredResponse } from "./model/response.js";
import type { Words } from "./model/words.js";

/** Key or response. */
export type Side = "K" | "R";
export type View = "text" | "entities" | "errors" | "changes" | "merges" | "annotators" | "scores"
  | "corrections";

/** What an element is made of. Lists are flattened; null, undefined and false are left out. */
export type Child = Node | string | number | null | undefined | false | Child[];
export interface Properties {
  on?: { [E in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[E]) => void };
  style?: { [name: string]: string | number };
  [attribute: string]: unknown;
}

export interface Corpus extends Overview {
  /** The annotator in the place of the key; `annotators` are this one and those after, `everyone` are all. */
  first: number;
  everyone: string[];
  documentNumber: Map<string, number>;
  metric: Map<string, Metric>;
}

/** Where we are: numbers within the document, -1 for none. The document -1 is the overview. */
export interface Place {
  document: number;
  response: number;
  /** The side of the selected entity. */
  side: Side | "";
  entity: number;
  mention: number;
  view: View;
}

/** What the lists show; kind and mentionType are -1 for all. */
export interface Filter {
  text: string;
  kind: number;
  mentionType: number;
  /** Of an entity: at least 3 mentions, or 3-4. */
  size: string;
  order: string;
  /** In which costs are shown. */
  metric: string;
  /** The column of the documents, with - before it if the largest is first; empty for the first score. */
  sort: string;
  /** Whether sentences without errors are folded. */
  onlyErrors: boolean;
  /** Of entities; empty for all. */
  entityType: string;
  /** Whether heads are bold. */
  heads: boolean;
  /** Whether empty nodes are hidden. */
  noEmptyNodes: boolean;
  /** Whether bridging and split antecedents are marked. */
  relations: boolean;
  /** Whether only entities with corrections are shown. */
  onlyChanged: boolean;
}

/** What the panes of a document show. */
export interface Context {
  corpus: Corpus;
  doc: Doc;
  /** Null if it lacks the document. */
  response: ScoredResponse | null;
  place: Place;
  filter: Filter;
  words: Words;
}

export type Select = (side: Side | "", entity: number, mention: number) => void;
/** What is pointed to: lit for the time being, and described. Without a mention it is the whole entity. */
export interface Pointed {
  side: Side;
  entity: number;
  mention: number;
}
export type Preview = (pointed: Pointed | null, event?: MouseEvent | FocusEvent) => void;
export type Refilter = (change: Partial<Filter>) => void;

/** What an entity shares with one of the other side. */
export interface Cell {
  other: number;
  shared: number;
}
/** Mentions with one span on both sides, and mentions with a span error. */
export interface Cells {
  exact: Cell[];
  spanError: Cell[];
}

/** The selected entity, `entity` of `side`, and its projections: the entities of the other side that it shares mentions with. */
export interface Highlight {
  K: Set<number>;
  R: Set<number>;
  side: Side;
  entity: number;
  mention: number;
  /** Of each projection: how many mentions it shares. */
  shared: Map<number, number>;
}

/** Tokens from `start` to before `end`. */
export interface Span {
  start: number;
  end: number;
}
/** A line above or below the words, for a span of a mention. */
export interface Line extends Span {
  mention: number;
  level: number;
}
/** A stretch of text that is covered by the same lines from its first character to its last. */
export interface Piece extends Span {
  text: string;
  K: Line[];
  R: Line[];
  /** Levels above and below the words of its block. */
  above: number;
  below: number;
  hit: Span | undefined;
  /** A token that is shown in a way of its own: a head, an empty node. */
  look: string;
}
/** A piece that has an element of its own. */
export type DrawnPiece = Piece & { element: HTMLElement };
