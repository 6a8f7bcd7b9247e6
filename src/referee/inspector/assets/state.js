// Where we are: which document, response, entity, mention and view. All of it stands in the address, so that the back button
// works and a place can be sent to somebody.

const VIEWS = ["text", "entities", "errors", "changes", "scores"];

// What is shown where nothing else was asked for: on a narrow page, which shows one thing at a time, the text.
const narrow = matchMedia("(max-width: 900px)");
const firstView = () => (narrow.matches ? "text" : "entities");

// side: "K" or "R", of the entity that is chosen; entity, mention: numbers within the document, -1 for none.
const state = { document: -1, run: 0, side: "", entity: -1, mention: -1, view: "entities" };

// What an address says, as far as it makes sense; names of entities and mentions mean something only in their document.
function readAddress(corpus) {
  const found = new URLSearchParams(location.hash.slice(1));
  const name = found.get("doc");
  const single = corpus.documents.length === 1 && !found.has("overview");
  const number = name === null ? (single ? 0 : -1) : (corpus.number.get(name) ?? -1);
  const run = Number(found.get("response") ?? 1) - 1;
  const view = VIEWS.includes(found.get("view")) ? found.get("view") : firstView();
  return {
    document: number,
    run: run in corpus.runs ? run : 0,
    view: view === "changes" && corpus.runs.length < 2 ? "entities" : view,
    lost: name !== null && number < 0 ? name : null,
    entityName: /^[KR][1-9][0-9]{0,8}$/.test(found.get("entity") ?? "") ? found.get("entity") : "",
    mentionName: /^[1-9][0-9]{0,8}$/.test(found.get("mention") ?? "") ? Number(found.get("mention")) : 0,
  };
}

function address(corpus, doc) {
  const found = new URLSearchParams();
  if (state.document < 0) {
    if (corpus.documents.length === 1) found.set("overview", "");
  } else found.set("doc", corpus.documents[state.document]);
  if (state.run) found.set("response", state.run + 1);
  if (doc && state.entity >= 0) {
    const side = state.side === "K" ? doc.key : doc.runs[state.run].response;
    found.set("entity", state.side + side.number[state.entity]);
    if (state.mention >= 0) found.set("mention", side.members[state.entity].indexOf(state.mention) + 1);
  }
  if (state.document >= 0 && state.view !== firstView()) found.set("view", state.view);
  return `#${found}`;
}
