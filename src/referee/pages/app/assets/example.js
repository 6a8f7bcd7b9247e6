// Small files to try: a key and two responses, in jsonlines.

const SENTENCES = [
  "Anna kept the lighthouse for thirty years .".split(" "),
  "She knew every ship , and the captains knew her .".split(" "),
  "One night the lamp failed , and Anna lit it by hand .".split(" "),
];

/** Clusters of words, counted from 0, the last one included. */
const FILES = {
  "key.jsonlines": [[[0, 0], [8, 8], [17, 17], [26, 26]], [[2, 3]], [[21, 22], [28, 28]], [[14, 15]]],
  "before.jsonlines": [[[0, 0], [8, 8]], [[17, 17], [26, 26]], [[2, 3], [28, 28]], [[21, 22]]],
  "after.jsonlines": [[[0, 0], [8, 8], [17, 17], [26, 26]], [[2, 3]], [[22, 22], [28, 28]]],
};

export const example = () => Object.entries(FILES).map(([name, clusters]) => {
  const text = `${JSON.stringify({ doc_key: "lighthouse", sentences: SENTENCES, clusters })}\n`;
  return new File([text], name, { type: "application/json" });
});
