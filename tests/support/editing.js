// Edits the document that is shown at random, by the keys and clicks of a person, and tells what the page shows at last.
async ([seed, steps]) => {
  let state = seed * 2654435761 % 4294967296;
  const random = (n) => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return Math.floor((state / 4294967296) * n);
  };
  const tick = () => new Promise((done) => setTimeout(done, 0));
  const key = async (key, more = {}) => {
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
    await tick();
  };
  const rows = () => [...document.querySelectorAll(".entities.K .entity")];
  const answer = async (begin, text) => {
    await key(begin);
    const field = document.querySelector(".edit-bar .question input");
    if (!field.offsetParent) return;
    field.value = text;
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    await tick();
  };
  const other = () => rows()[random(rows().length)]?.dataset.name.slice(1) ?? "new";
  const mention = async () => {
    const pieces = [...document.querySelectorAll(".text .piece[role]")];
    if (pieces.length) pieces[random(pieces.length)].dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await tick();
  };
  const actions = [
    () => answer("0", other()), () => answer("1", other()), () => answer("g", other()), () => key("+"), () => key("b"),
    () => key("Delete"), () => answer("c", "see guidelines 3.2"), () => key("v"), () => key("y"), () => key("u"), () => key("U"),
    ...["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map((arrow) => () => key(arrow, { shiftKey: true })),
    async () => {
      await key("w");
      for (let n = random(4); n; n--) await key("ArrowRight");
      for (let n = random(3); n; n--) await key("ArrowRight", { shiftKey: true });
      await key("a");
    },
    async () => {
      await key("n");
      await key("v");
    },
  ];
  for (let n = 0; n < steps; n++) {
    if (random(4)) await mention();
    await actions[random(actions.length)]();
  }
  await key("Escape");
  await key("Escape");
  await tick();
  return rows().map((row) => [...row.querySelectorAll(".mentions bdi")].map((text) => text.textContent));
}
