// A document: its scores, its text, and beside the text the panel.

import { h, put } from "../basics/dom.js";
import { count, formatted } from "../basics/numbers.js";
import { visible } from "../basics/visible.js";
import { opposite } from "../model/annotation.js";
import { changesOf } from "../model/changes.js";
import { projections } from "../model/highlight.js";
import { normalized } from "../model/tokens.js";
import { scoreStrip } from "../scores/strip.js";
import { samples } from "../text/outcome.js";
import { TextPane } from "../text/pane.js";
import { Panel } from "./panel.js";

/**
 * @import { Context, Highlight } from "../types.d.ts"
 * @import { Annotation } from "../model/annotation.js"
 * @import { OtherResponse } from "../scores/strip.js"
 * @import { Navigator } from "./navigator.js"
 */

export class DocumentView {
  /**
   * @param {Navigator} navigator
   * @param {() => void} showAll - lets everything pass the filter
   */
  constructor(navigator, showAll) {
    const select = navigator.select.bind(navigator);
    this.navigator = navigator;
    this.text = new TextPane({ select });
    this.panel = new Panel({
      select, showAll, openView: (view) => navigator.go({ view }), restate: () => navigator.restate(),
    });
    this.title = h("h1", { class: "unseen" });
    this.strip = h("div", { class: "strip-place" });
    this.live = h("p", { class: "unseen", role: "status", "aria-live": "polite" });
    this.main = h("div", { class: "main" }, h("div", { class: "left" }, legend(), this.text.element), this.panel.element);
    this.element = h("div", { class: "document", hidden: true }, this.title, this.strip, this.main, this.live);
    /** @type {Context | null} */
    this.context = null;
  }

  /**
   * @param {Context} context
   * @param {OtherResponse | null} other
   * @param {boolean} arrived - whether we came by an address
   * @returns {boolean} - whether another document or response is shown than before
   */
  show(context, other, arrived) {
    const { corpus, doc, response, place } = context;
    const changed = this.context?.doc !== doc || this.context.place.response !== place.response;
    this.context = context;
    this.title.textContent = visible(corpus.documents[place.document], 60);
    this.main.dataset.view = place.view;
    if (changed) {
      this.text.show(doc, response);
      put(this.strip, scoreStrip(corpus, response?.scores, other, () => this.navigator.go({ view: "scores" })));
    }
    const { side, entity, mention } = place;
    const highlight = side === "" || entity < 0 ? null : projections(response, side, entity, mention);
    this.main.toggleAttribute("data-selected", Boolean(highlight));
    this.text.highlight(highlight, place.view === "changes" ? changesOf(doc).marks : null);
    this.panel.show(context, highlight, changed);
    this.live.textContent = highlight ? announcement(context, highlight) : "";
    if (highlight) this.showMention(doc.annotation(highlight.side, response), highlight, arrived);
    return changed;
  }

  /** Forgets what is shown, so that it is drawn anew. */
  leave() {
    this.context = null;
    this.live.textContent = "";
  }

  /**
   * Scrolls the text to the selected mention, or to a mention of the selected entity if none is on the screen.
   *
   * @param {Annotation} annotation
   * @param {Highlight} highlight
   * @param {boolean} arrived
   */
  showMention(annotation, { entity, mention }, arrived) {
    const first = annotation.members[entity][0];
    if (mention >= 0) this.text.goTo(annotation.start[mention], true);
    else if (arrived || !this.text.showsHighlight()) this.text.goTo(annotation.start[first], false);
  }

  /**
   * @param {string} query
   * @returns {string} - hits in the text
   */
  find(query) {
    if (!this.context) return "";
    this.context.filter.text = normalized(query);
    const hits = this.text.find(query);
    this.panel.redraw();
    return hits ? formatted(hits) : "not found";
  }

  /**
   * Goes to the next hit, or the one before.
   *
   * @param {1 | -1} by
   * @returns {string | null} - which hit it is
   */
  step(by) {
    const place = this.text.step(by);
    return place < 0 ? null : `${formatted(place + 1)} of ${formatted(this.text.hits.length)}`;
  }

  /**
   * Selects the next mention of the selected entity, or the one before.
   *
   * @param {1 | -1} by
   */
  stepMention(by) {
    if (!this.context) return;
    const { doc, response, place: { side, entity, mention } } = this.context;
    if (side === "" || entity < 0) return;
    const members = doc.annotation(side, response).members[entity];
    const now = mention < 0 && by < 0 ? 0 : members.indexOf(mention);
    this.navigator.select(side, entity, members[(now + by + members.length) % members.length]);
  }
}

const legend = () => h("div", { class: "legend" },
  h("p", null, "Lines above the words are mentions of the key, lines below the words are mentions of the response. ",
    "Each entity has one colour. ", h("b", { class: "on-screen" }, "Click a mention or an entity.")),
  samples());

/**
 * @param {Context} context
 * @param {Highlight} highlight
 */
function announcement({ doc, response }, { side, entity, shared }) {
  const annotation = doc.annotation(side, response);
  const own = `${annotation.name(entity)}, ${count(annotation.size[entity], "mention")}.`;
  if (!shared.size) return `${own} Shares no mentions with the ${side === "K" ? "response" : "key"}.`;
  const other = doc.annotation(opposite(side), response);
  const names = [...shared].slice(0, 8).map(([projection, mentions]) => `${other.name(projection)} (${mentions})`);
  return `${own} Shares mentions with ${names.join(", ")}.`;
}
