"""Coreference in other attributes of MISC: the `ClusterId` of CorefUD 0.1 and 0.2, and those that are refused.

::

    2    Bird  _  PROPN  _  _  0  root  _    ClusterId=c1|MentionSpan=1-2|ClusterType=person
    4    they  _  PRON   _  _  2  dep   _    ClusterId[1]=c3|MentionSpan[1]=4|SplitAnte[1]=c1,c2|ClusterId[2]=c4|...

The head of a mention has the id of its entity, and the words of the mention as numbers and ranges, `1,3-4`; without them the
head is the mention. `Bridging` is `c2:part,...`, antecedents and relations. Several mentions of one head are numbered.
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from referee.basics.exceptions import counted, listed, shortened
from referee.corpus import Spans
from referee.corpus.editing import join
from referee.corpus.layers import BEFORE
from referee.formats.corefud.entity import ParsedMention
from referee.formats.corefud.rows import ConlluRows
from referee.formats.shared.source import OnError

OTHERS = re.compile(
    rb"[\t|]((?i:coref\w*|antecedents?|cluster_?id|chain_?id|mention_?id|mention_?span)(?:\[\d{1,3}\])?|"
    rb"coref_chains|ner(?==(?:unit|start)-(?:repr-)?id\d)|entity(?==[^\s|()]{0,100}[()]))="
)
"""Attributes that hold coreference, or point to it."""

REMEDIES = {
    "entity": "Entity=, with a capital letter",
    "coref_chains": "the format stanza: give --format stanza",
    "ner": "the format stanza: give --format stanza",
}
CONVERT = "mentions in Entity: convert it, links for example with corefud.Link2Cluster of udapi"


def check_others(rows: ConlluRows, on_error: OnError) -> None:
    """Report, in one message, the attributes that hold coreference where there is no `Entity`."""
    counts = Counter(match[1].partition(b"[")[0].decode() for match in OTHERS.finditer(rows.raw))
    if not counts:
        return
    first = OTHERS.search(rows.raw)
    line = rows.raw.count(b"\n", 0, first.start()) + 1 if first else 1
    names, number = listed([f"{name}=" for name in counts]), counted(counts.total(), "attribute")
    expected = next((REMEDIES[name] for name in counts if name in REMEDIES), CONVERT)
    on_error(line, f"found coreference in {names} ({number}), which is not read here; expected {expected}")


def old_annotation(
    rows: ConlluRows, on_error: OnError
) -> tuple[list[ParsedMention], list[tuple[int, str]], list[tuple[int, str]]] | None:
    """Mentions in the order of their first words, and links as `Bridge` and `SplitAnte` have them, by token; None if none."""
    mentions: list[ParsedMention] = []
    bridges: list[tuple[int, str]] = []
    splits: list[tuple[int, str]] = []
    for token, misc in enumerate(rows.misc):
        if "ClusterId" not in misc:
            continue
        line = int(rows.tokens.line[token])
        attributes = dict(item.partition("=")[::2] for item in misc.split("|"))
        for name, entity in attributes.items():
            attribute, bracket, number = name.partition("[")
            if attribute != "ClusterId" or not entity:
                continue
            ending = bracket + number
            text = attributes.get("MentionSpan" + ending)
            spans = ((token, token + 1),) if text is None else _spans(text, token, rows)
            if not spans:
                expected = "expected numbers of words of the sentence, such as 1,3-4"
                on_error(line, f"found MentionSpan={shortened(text or '')}; {expected}")
                continue
            start, end = spans[0][0], spans[-1][1]
            spans = spans if len(spans) > 1 else ()
            entity_type = attributes.get("ClusterType" + ending)
            mentions.append(ParsedMention(line, entity, start, entity_type, "", end=end, spans=spans, head=token))
            for link in filter(None, attributes.get("Bridging" + ending, "").split(",")):
                antecedent, _, relation = link.partition(":")
                bridges.append((start, f"{antecedent}<{entity}:{relation}"))
            elements = filter(None, re.split("[,+]", attributes.get("SplitAnte" + ending, "")))
            splits += [(start, f"{element}<{entity}") for element in elements]
    mentions.sort(key=lambda mention: (mention.start, -mention.end))
    return (mentions, bridges, splits) if mentions else None


def _spans(text: str, token: int, rows: ConlluRows) -> Spans:
    """The spans of a mention in the sentence of a token; none if they are no words of it."""
    sentence = rows.tokens.sentence
    places: dict[str, int] = {}
    word = 0
    for here in range(*np.searchsorted(sentence, [sentence[token], sentence[token] + 1]).tolist()):
        minor = rows.nodes.get(here)
        word += minor is None
        places.setdefault(str(word) if minor is None else f"{word}.{minor % BEFORE}", here)
    spans = []
    for part in text.split(","):
        first, hyphen, last = part.partition("-")
        low, high = places.get(first), places.get(last if hyphen else first)
        if low is None or high is None or low > high:
            return ()
        spans.append((low, high + 1))
    return join(spans)
