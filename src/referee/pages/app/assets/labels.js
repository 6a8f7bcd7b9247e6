// What options are called on the page, and an example of what is written into a field; others are called by their names.

/** @type {{ [option: string]: [label: string, example?: string] }} */
const LABELS = {
  "--beta": ["Weight of recall in F", "1"],
  "--by": ["Rows"],
  "--baseline": ["Compare with", "the name of a system"],
  "--columns": ["Columns of tables", "item=id,entity=label"],
  "--context": ["Errors in their text"],
  "--cross-document": ["Entities across documents"],
  "--decimals": ["Rounding"],
  "--depth": ["Depth of the prefix", "1"],
  "--distance": ["Distance of alpha"],
  "--extra-documents": ["Documents without a key"],
  "--extra-items": ["Items without a key"],
  "--format": ["Format of all files", "detected"],
  "--from": ["Format of the file", "detected"],
  "--items": ["Items to score"],
  "--key-columns": ["Columns of the key", "item=id,entity=label"],
  "--key-format": ["Format of the key", "detected"],
  "--lea-importance": ["Weights for LEA", "person=2,place=1"],
  "--level": ["Level of intervals", "0.95"],
  "--limit": ["Errors to show", "100"],
  "--lossy": ["Leave out what the format cannot hold"],
  "--match": ["When mentions match"],
  "--mentions": ["Mentions for alpha"],
  "--method": ["Kind of interval"],
  "--metrics": ["Metrics", "conll,lea"],
  "--min-overlap": ["Least overlap", "0.5"],
  "--nulls": ["Rows without an entity"],
  "--profile": ["As another scorer"],
  "--quotes": ["Which occurrences strings mean"],
  "--relations": ["Relations that are coreference", "Coref,Ident"],
  "--repeated-mentions": ["Mentions annotated twice"],
  "--resamples": ["Resamples", "10000"],
  "--response-columns": ["Columns of the responses", "item=id,entity=label"],
  "--response-format": ["Format of the responses", "detected"],
  "--seed": ["Seed of random numbers", "0"],
  "--separator": ["End of the prefix", "/"],
  "--singletons": ["Entities of one mention"],
  "--skip-bad-files": ["Leave out files that cannot be read"],
  "--style": ["Intervals as"],
  "--table": ["Table of papers"],
  "--tables": ["Tables of records"],
  "--test": ["Test of significance"],
  "--threshold": ["Threshold of pairs", "0.5"],
  "--to": ["Format to convert to"],
  "--tokens": ["Check of words"],
  "--top": ["Rows to show", "20"],
  "--unit": ["What is resampled"],
  "--zero-division": ["Value of 0/0", "nan"],
  "--zeros": ["Zero mentions"],
};

/** @param {string} option */
export const labelOf = (option) => LABELS[option]?.[0] ?? `${option[2].toUpperCase()}${option.slice(3).replaceAll("-", " ")}`;

/** An example of a text; where there is none, what the command calls it. @param {string} option @param {string} what */
export const exampleOf = (option, what) => LABELS[option]?.[1] ?? what.toLowerCase().replaceAll("|", ", ");

/** The help of an option, which may name other options. @param {string} help */
export const helpOf = (help) => help.replace(/--[a-z]+(?:-[a-z]+)*/g, (option) => `“${labelOf(option)}”`);
