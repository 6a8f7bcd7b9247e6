// The bars above the right side: tabs, and filters.

// views: [id, name, number or undefined]
function drawTabs(bar, views, now, choose) {
  const focused = bar.contains(document.activeElement);
  const key = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const there = views.map(([id]) => id).filter((id) => bar.querySelector(`#tab-${id}`).offsetParent); // on a wide page text is no tab
    choose(there[(there.indexOf(now) + by + there.length) % there.length]);
  };
  put(bar, views.map(([id, name, n]) => h("button", {
    type: "button", role: "tab", "data-view": id, id: `tab-${id}`, "aria-selected": String(id === now), "aria-controls": "view",
    tabindex: id === now ? "0" : "-1", on: { click: () => choose(id), keydown: key },
  }, name, n === undefined ? null : h("span", { class: "n" }, NUMBERS.format(n)))));
  if (focused) bar.querySelector("[aria-selected=true]")?.focus();
}

// What a new document begins with.
const NO_FILTER = { kind: -1, mentionClass: -1, size: 1 };

// Said where a list is empty for its filter.
const noneBar = (showAll) => h("p", { class: "none-passes", hidden: true }, "None passes the filter. ", h("button", { type: "button", class: "chip", on: { click: showAll } }, "show all"));

const ORDERS = { size: "largest first", text: "order of the text", cost: "what they cost" };

// filter: text; kind and mentionClass (-1 for all); size, the least; order; metric, in which costs are told
function filterBar(doc, run, corpus, filter, view, refilter) {
  const pick = (label, name, options) => h("label", null, h("span", null, label), h("select", {
    class: "plain", "data-filter": name, on: { change: (e) => refilter({ [name]: name === "order" ? e.target.value : Number(e.target.value) }) },
  }, options.map(([id, says]) => h("option", { value: id, selected: String(id) === String(filter[name]) }, says))));
  const used = (numbers, n, chosen) => numbers.includes(n) || n === chosen;
  const errors = run?.errors.kind ?? [];
  const kinds = corpus.kinds.map((kind, n) => [n, `${KIND_SAYS[kind]} (${NUMBERS.format(errors.filter((k) => k === n).length)})`]);
  const classes = [...(doc.key.classes ?? []), ...(run?.response.classes ?? [])];
  const named = corpus.classes.map((name, n) => [n, name || "unknown"]).filter(([n]) => used(classes, n, filter.mentionClass));
  return [
    view === "errors" ? null : pick("Order", "order", Object.entries(ORDERS).filter(([id]) => id !== "cost" || run?.key_costs[filter.metric])),
    errors.length || filter.kind >= 0 ? pick("Errors", "kind", [[-1, "all"], ...kinds.filter(([n]) => used(errors, n, filter.kind))]) : null,
    named.length > 1 || filter.mentionClass >= 0 ? pick("Class", "mentionClass", [[-1, "all"], ...named]) : null,
    pick("Size", "size", [[1, "all"], ...[2, 3, 5, 10].map((n) => [n, `${n} or more`])]),
  ];
}
