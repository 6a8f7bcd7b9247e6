"""ECB+, and other XML of the tool CAT: events and their participants, with coreference within documents and cross-document.

::

    <Document doc_name="1_11ecb.xml" doc_id="DOC15653231831842777">
    <token t_id="1" sentence="0" number="0">Tara</token>
    <token t_id="2" sentence="0" number="1">Reid</token>
    <Markables>
      <HUMAN_PART_PER m_id="24"><token_anchor t_id="1"/><token_anchor t_id="2"/></HUMAN_PART_PER>
      <HUMAN_PART_PER m_id="46" RELATED_TO="" TAG_DESCRIPTOR="t1b_tara_reid" instance_id="HUM16236184328979740"/>
    </Markables>
    <Relations>
      <CROSS_DOC_COREF r_id="37538" note="HUM16236184328979740"><source m_id="24"/><target m_id="46"/></CROSS_DOC_COREF>
      <INTRA_DOC_COREF r_id="37615"><source m_id="30"/><source m_id="31"/><target m_id="17"/></INTRA_DOC_COREF>
    </Relations>
    </Document>

A file is a document, called by its `doc_name` without `.xml`; read the folder for the corpus. A markable with `token_anchor`s
is a mention, of several parts if its tokens are not all side by side. One without is no mention but an instance: what the
mentions of a relation are of.

A relation whose tag has COREF in it, or is REFERS_TO (NewsReader, MEANTIME), is an entity of the mentions among its `source`s
and `target`s; targets are mostly instances. The label is its `note`, or else the `instance_id` of its target, which name the
same instance in all documents. What has none (relations of one instance, or that have a mention in common, are one entity), and
mentions without a relation, get a label that begins with the document's name, so that it is one of this document alone. Other
relations (TLINK, PLOT_LINK, CLINK, ...) are ignored with a warning, unless `--relations` names them, and then these alone are
coreference.

The type is the tag of the entity's first mention in the file. Events are what begins with ACTION or NEG_ACTION; the rest
(HUMAN_..., NON_HUMAN_..., LOC_..., TIME_...) are entities in the narrow sense. Published scores are of one or the other.

References
----------
Cybulska and Vossen (2014); the release of 2014 (README.txt, and its 982 files).

Notes
-----
Where programs disagree:

* `ECBplus_coreference_sentences.csv` lists the sentences whose annotation was checked, and papers score only these. It is not
  read: the mentions of all sentences are.
* Sentence 0 of the `ecbplus` files is the address of the page. It is kept.
* A topic holds two sets of documents, `ecb` and `ecbplus`, about different events of a kind. Some score across both.

Words, types and parts are all that is read; RELATED_TO and TAG_DESCRIPTOR are not: a warning counts what RELATED_TO names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from referee.algorithms.components import components
from referee.basics.exceptions import shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.relations import ChosenRelations
from referee.formats.shared.safe_xml import Element, parse
from referee.formats.shared.source import OnError, Source


def sniff(head: str) -> bool:
    """A document with a name and tokens with ids."""
    return bool(re.search(r"<Document\b[^<>]*\bdoc_name\s*=", head) and re.search(r"<token\b[^<>]*\bt_id\s*=", head))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a document with its cross-document entities."""
    builder = CorpusBuilder(source.name)
    root = parse(source)
    name = root.get("doc_name").removesuffix(".xml")
    if root.tag != "Document" or not name:
        problem = f"<{shortened(root.tag)}>" if root.tag != "Document" else "no `doc_name`"
        on_error(root.line, f"found {problem}; expected a <Document> with a `doc_name`")
    place = _add_document(root, name, builder, on_error)
    markables = [markable for group in root.inside("Markables") for markable in group]
    mentions: dict[str, tuple[str, list[int]]] = {}
    for markable in markables:
        anchors = [anchor.get("t_id") for anchor in markable.inside("token_anchor")]
        m_id = markable.get("m_id")
        if unknown := [t_id for t_id in anchors if t_id not in place]:
            on_error(markable.line, f"found the token {shortened(unknown[0])!r} in markable {shortened(m_id)}; expected a t_id")
        elif m_id in mentions:
            on_error(markable.line, f"found the m_id {shortened(m_id)!r} again; expected each once")
        elif anchors:
            mentions[m_id] = markable.tag, [place[t_id] for t_id in anchors]
    meaning = ChosenRelations(source.options.relations, _is_coreference, "those called ..._COREF or REFERS_TO are")
    relations = [relation for group in root.inside("Relations") for relation in group if meaning.means(relation.tag)]
    label = _labels(relations, {m.get("m_id"): m for m in markables}, mentions.keys(), name, on_error)
    meaning.warn(source.name)
    related = [m.line for m in markables if m.get("RELATED_TO")]
    warn_file(source.name, "ignored {} of markables", "RELATED_TO", len(related), next(iter(related), None))
    for m_id, (tag, tokens) in mentions.items():
        parts = [(token, token + 1) for token in tokens]
        builder.mention(0, 0, label.get(m_id, f"{name} mention {m_id}"), tag, spans=parts)
    return builder.corpus()


def _add_document(root: Element, name: str, builder: CorpusBuilder, on_error: OnError) -> dict[str, int]:
    """Begin the document; gives the offset of each token by its id."""
    place: dict[str, int] = {}
    tokens: list[str] = []
    sentences: list[int] = []
    number = None
    for token in root.inside("token"):
        if token.get("sentence") != number:
            number = token.get("sentence")
            sentences.append(len(tokens))
        if place.setdefault(token.get("t_id"), len(tokens)) < len(tokens):
            on_error(token.line, f"found the t_id {shortened(token.get('t_id'))!r} again; expected each once")
        tokens.append(token.text.strip())
    builder.document(name, tokens, sentences)
    return place


def _is_coreference(tag: str) -> bool:
    return "COREF" in tag.upper() or tag.upper() == "REFERS_TO"


def _labels(
    relations: Sequence[Element], markables: Mapping[str, Element], mentions: Collection[str], name: str, on_error: OnError
) -> dict[str, str]:
    """The label of each mention that is in a relation."""
    labels: dict[str, str] = {}
    by_instance: dict[str, str] = {}
    local, ties = f"{name} relation ", []
    for relation in relations:
        label = relation.get("note") or f"{local}{relation.get('r_id')}"
        ends = [end.get("m_id") for end in relation]
        if not relation.get("note"):
            for m_id in (m_id for m_id in ends if m_id in markables and m_id not in mentions):
                label = by_instance.setdefault(m_id, markables[m_id].get("instance_id") or label)
        for m_id in ends:
            if m_id not in markables:
                on_error(relation.line, f"found the markable {shortened(m_id)!r} in a relation; expected an m_id")
            elif m_id in mentions and (before := labels.setdefault(m_id, label)) != label:
                if before.startswith(local) and label.startswith(local):
                    ties.append((before, label))
                else:
                    on_error(relation.line, f"found the mention {shortened(m_id)} in a relation again; expected it in one")
    names = list(dict.fromkeys((*labels.values(), *(label for _, label in ties))))
    number = {label: n for n, label in enumerate(names)}
    roots = components(len(names), [(number[a], number[b]) for a, b in ties])
    return {m_id: names[roots[number[label]]] for m_id, label in labels.items()}


FORMAT = Format("ecb", __doc__, ("spans", "words", "entity types", "discontinuous mentions"), sniff, read, has_relations=True)
