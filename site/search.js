// What a search finds first: guides before the reference and the history, and the page that is named like the words.

const AFTER = /^(reference|project|notebooks|papers|resolver|architecture|decisions|add-a-)/;
const PAGES = { agree: "tutorials/annotators", alpha: "annotation", interval: "compare", csv: "formats" };
const MORE = { guide: 12, named: 60, section: 25 };

// eslint-disable-next-line no-unused-vars -- Sphinx reads it
var Scorer = {
  score: ([page, title, anchor, , score]) => {
    const words = (new URLSearchParams(location.search).get("q") ?? "").toLowerCase().trim();
    const asked = Object.keys(PAGES).find((start) => words.startsWith(start));
    const name = page.split("/").pop().replaceAll("_", "-");
    const isAfter = AFTER.test(page);
    const isNamed = !anchor && !isAfter && words.length > 2
      && (name.startsWith(words) || words.startsWith(name) || (asked !== undefined && PAGES[asked] === page));
    const isSection = !isAfter && title.toLowerCase().includes(words);
    return score + (isAfter ? 0 : MORE.guide) + (isNamed ? MORE.named : 0) + (isSection ? MORE.section : 0);
  },
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
