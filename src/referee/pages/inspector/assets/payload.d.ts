// What `referee inspect` writes into the page: `overview.py` makes `Overview`, `document.py` makes `DocumentData`.
//
// Mentions and entities are numbered within their document; -1 stands for none. Scores are fractions of 1, costs of errors and
// entities are whole numbers of hundred millionths of the score, and null stands for undefined.

/** Recall, precision, and F1 or the one value. */
export type Score = [recall: number | null, precision: number | null, value: number | null];
/** One column for each metric that has costs. */
export type Costs = { [metric: string]: (number | null)[] };
export type Scores = { [metric: string]: Score };
/** A number for each document of the page; null where this response lacks the document. */
export type PerDocument = (number | null)[];

export interface Overview {
  version: string;
  /** The name of the key. */
  key: string;
  documents: string[];
  mention_types: string[];
  /** Whether the mentions are items, such as records. */
  items: boolean;
  /** Whether they are records, of a table or with attributes. */
  records: boolean;
  /** The kinds of errors. */
  kinds: string[];
  /** The least sizes of the classes of entities whose errors are counted. */
  sizes: number[];
  /** Whether decimals are truncated, not rounded. */
  truncate: boolean;
  metrics: Metric[];
  metrics_with_costs: string[];
  responses: ResponseOverview[];
  /** One for each response after the first, with which it is compared. */
  changes: ChangeCounts[];
  /** The attributes of records. */
  record_columns: string[];
  /** Where all are annotators: who they are. Those after the first of this overview made the responses. */
  annotators: string[];
  /** Of annotators. */
  together?: TogetherOverview;
  /** Of all annotators, where none takes the place of another one as the first. */
  agreement?: AgreementOverview;
  /** Of one annotation, which has no responses. */
  alone?: AloneOverview;
  /** The key, if it can be corrected here. */
  corrects?: CorrectsData;
  /** Why a key that is a file cannot be. */
  no_edit?: string;
}

/** What a file of corrections says of its key. */
export interface CorrectsData {
  name: string;
  digest: string;
}

/** How far annotators agree. Lists are of measures: the alpha that leads, metrics, other alphas. */
export interface AgreementOverview {
  measures: Measure[];
  together: (number | null)[];
  /** Of the first alpha; null if there is one document. */
  interval: [low: number | null, high: number | null] | null;
  /** Of the interval. */
  level: number;
  /** Of each pair: the first annotator with each later one, the second one with each later one, and so on. */
  pairs: (number | null)[][];
  documents: PerDocument[];
  /** How many documents all annotators have. */
  common: number;
  signature: string;
  /** What was warned of, and whether there are too few documents for an interval. */
  warnings: string[];
  /** The entities of all documents that others do not have as they are, the most mentions × disagreement first. */
  disputed: { document: number; annotator: number; name: string; mentions: number; disagreement: number }[];
}

/** How far the first annotator agrees with each later one, and all with one another. */
export interface TogetherOverview {
  /** The alpha that leads. */
  alpha: Measure;
  /** Alpha of the first annotator and each later one. */
  pairs: CorpusAndDocuments[];
  /** Of all annotators: this alpha, and means of metrics over pairs. */
  everyone: { [measure: string]: CorpusAndDocuments };
}

export interface CorpusAndDocuments {
  corpus: number | null;
  documents: PerDocument;
}

export interface Measure {
  id: string;
  title: string;
  /** Empty for fractions of 1. */
  unit: string;
}

/** Counts of an annotation; of documents, a number for each. */
export interface AloneOverview {
  /** Null if there are no words. */
  tokens: number[] | null;
  mentions: number[];
  entities: number[];
  singletons: number[];
  /** Mentions of each mention type. */
  mention_types: number[];
  /** Entities of each entity type. */
  entity_types: { [type: string]: number };
  /** Mentions by the rank of their entity; the last number is that of all further ranks. */
  ranks: number[];
}

export interface Metric {
  id: string;
  /** How papers write its name; the id of a function of the user. */
  title: string;
  /** Whether it has recall and precision. */
  sides: boolean;
  /** What its value is called if it is F, such as F1; else empty. */
  f: string;
  /** Empty for fractions of 1. */
  unit: string;
  /** Whether smaller is better. */
  distance: boolean;
  description: string;
}

export interface ResponseOverview {
  name: string;
  signature: string;
  /** What was warned of when it was scored. */
  warnings: string[];
  scores: Scores;
  /** The metrics that have recall and precision. */
  sides: string[];
  by_document: { [metric: string]: PerDocument };
  mentions: { key: PerDocument; response: PerDocument };
  entities: { key: PerDocument; response: PerDocument };
  errors: PerDocument;
  kinds: ErrorGroups;
  error_sizes: ErrorGroups;
  /** How many errors are of a kind, a mention type and an entity type, and what they cost together, in millionths of the
   * score: -1 and an empty type stand for all. */
  together: { groups: [kind: number, mentionType: number, entityType: string, errors: number][]; costs: Costs };
  /** How mention types are known, if they are not annotated. */
  types_told_by: string;
  sizes: Sizes;
}

/** Of each kind, mention type or class of sizes: how many errors, and the score gained if all were corrected. */
export interface ErrorGroups {
  errors: number[];
  costs: Costs;
}

/** The errors of all documents, in the order of the documents and their lists, with their costs in the corpus. */
export interface CorpusErrors {
  kind: number[];
  mention_type: number[];
  entity_types: string[];
  /** Of the entity: its place among these. */
  entity_type: number[];
  /** Of the entity. */
  size: number[];
  costs: Costs;
}

/** Mentions by the rank of their entity, and how many of them both sides share at that rank. */
export interface Sizes {
  key: number[];
  response: number[];
  shared: number[];
}

/** Mentions and entities of the key that another response than the first fixes and breaks, a number for each document. */
export interface ChangeCounts {
  fixed: number[];
  broken: number[];
  fixed_entities: number[];
  broken_entities: number[];
}

export interface DocumentData {
  /** An empty node without a form is ∅. */
  tokens: string[];
  /** The tokens at which sentences start. */
  sentences: number[];
  /** Who says each sentence, if that is known of some. */
  speakers?: string[];
  /** Whether the tokens are mentions, because the annotation has no words. */
  wordless: boolean;
  /** The tokens that are empty nodes. */
  empty_nodes?: number[];
  /** What corrections call each token, where there are empty nodes: words by their number; null for those of a response. */
  names?: (number | string | null)[];
  /** Of each token that is a record: its attributes; null if they are not known. */
  records?: (string[] | null)[];
  key: AnnotationData;
  /** Null for a response that lacks the document. */
  responses: (ResponseData | null)[];
}

export interface AnnotationData {
  /** Of each mention: its first token, the token after its last, and its entity. */
  start: number[];
  end: number[];
  entity: number[];
  /** Mentions of each entity. */
  size: number[];
  /** What the file calls each entity. */
  entity_ids?: string[];
  /** If entities are called by them, whole numbers with the letter of their side: what is before the numbers, an e or nothing. */
  by_id?: string;
  /** Of each discontinuous mention: its spans. */
  spans?: { [mention: string]: [start: number, end: number][] };
  /** Of each mention: its syntactic head, a token; -1 if unknown. */
  heads?: number[];
  /** Of each mention, where its tokens are not those of the page. */
  texts?: string[];
  /** Of each mention: its place in `Overview.mention_types`. */
  mention_types?: number[];
  /** Of each entity. */
  entity_types?: string[];
  /** Of each mention: why a resolver put it into its entity. */
  reasons?: string[];
  /** Mentions, and the relation of each pair. */
  bridging?: [anaphor: number[], antecedent: number[], relation: string[]];
  /** Entities, and those that each consists of. */
  split_antecedents?: [entity: number[], element: number[]];
  /** Entities. */
  non_referring?: number[];
}

/** Key entities, response entities, and how many mentions each pair of them shares. */
export type CellsData = [key: number[], response: number[], shared: number[]];

export interface ResponseData {
  annotation: AnnotationData;
  /** Of each key mention: the mention of the response that it was matched with, or that has another span. */
  counterpart: number[];
  /** Of each key mention: its error of any kind but span errors. */
  key_error: number[];
  /** Of each key mention: its span error. */
  key_span_error: number[];
  /** Of a document with corrections: mentions whose error is settled, and which the response has otherwise all the same. */
  differing?: number[];
  /** Of each key entity: the best-matching response entity. */
  best_response: number[];
  /** Of each response entity: the best-matching key entity. */
  best_key: number[];
  /** Mentions with one span on both sides. */
  shared: CellsData;
  /** Mentions with a span error; no metric counts them as shared. */
  shared_span_errors: CellsData;
  errors: ErrorData;
  /** Of the entities with several errors; also of those with one if there is a metric in which errors have no costs. */
  key_costs: Costs;
  response_costs: Costs;
  /** Recall and precision, in each metric of `ResponseOverview.sides`. */
  sides: (number | null)[];
  /** Where a side lists pairs of records. */
  wrong_pairs?: WrongPairs;
  /** Of the answer of a language model. */
  answer?: AnswerData;
}

export interface AnswerData {
  /** How it was read. */
  state: "failed" | "missing" | "no entities" | "repaired" | "read";
  /** What was repaired. */
  repaired: string;
  /** All that the model said; or why the request failed. */
  text: string;
}

export interface WrongPairs {
  /** How many there are, false and missed ones; rows are the first of each. */
  numbers: [number, number];
  rows: WrongPair[];
}

/** Records are called by their ids; a pair that the response does not list has no probability. */
export type WrongPair = [kind: "false" | "missed", left: string, right: string, probability: number | null];

/** A row for each error. */
export interface ErrorData {
  /** Its place in `Overview.kinds`. */
  kind: number[];
  key: number[];
  response: number[];
  /** The first mention that it concerns on each side. */
  key_mention: number[];
  response_mention: number[];
  /** Of the first mention. */
  mention_type: number[];
  /** How many mentions it concerns. */
  mentions: number[];
  costs: Costs;
}
