// A list of many rows of one height, of which only those in sight exist.

class LongList {
  // draw(index) gives the element of a row; label names the list; choose(index) is called for the row that is picked.
  constructor({ label, height, draw, choose }) {
    Object.assign(this, { height, draw, choose, length: 0, current: -1 });
    this.id = `list-${label.replace(/\W+/g, "-")}`;
    this.inner = h("div", { class: "inner", role: "listbox", "aria-label": label, tabindex: "0", on: { keydown: (e) => this.key(e) } });
    this.element = h("div", { class: "long-list", on: { scroll: () => this.update() } }, this.inner);
    new ResizeObserver(() => this.update()).observe(this.element);
  }

  show(length, current = -1) {
    this.length = length;
    this.current = current;
    this.inner.style.height = `${length * this.height}px`;
    this.range = "";
    this.update();
  }

  update() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.height) - 4);
    const last = Math.min(this.length, Math.ceil((this.element.scrollTop + this.element.clientHeight) / this.height) + 4);
    if (this.range === `${first} ${last} ${this.current}`) return;
    this.range = `${first} ${last} ${this.current}`;
    const rows = [];
    for (let index = first; index < last; index++) {
      const row = this.draw(index);
      fill(row, {
        role: "option", id: `${this.id}-${index}`, "aria-selected": String(index === this.current),
        "aria-posinset": index + 1, "aria-setsize": this.length, style: { top: `${index * this.height}px` },
        on: { click: () => this.pick(index) },
      }, []);
      row.classList.add("line");
      rows.push(row);
    }
    this.inner.replaceChildren(...rows);
    if (this.current >= first && this.current < last) this.inner.setAttribute("aria-activedescendant", `${this.id}-${this.current}`);
    else this.inner.removeAttribute("aria-activedescendant");
  }

  pick(index) {
    this.current = index;
    const top = index * this.height;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    const below = top + this.height - this.element.clientHeight;
    if (below > this.element.scrollTop) this.element.scrollTop = below;
    this.range = "";
    this.update();
    this.choose(index);
  }

  key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    if (!(event.key in steps) || !this.length || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.pick(Math.min(this.length - 1, Math.max(0, this.current + steps[event.key])));
  }
}
