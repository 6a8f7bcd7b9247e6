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
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from referee.basics.exceptions import counted, listed, shortened
from referee.corpus import Spans
from referee.corpus.editing import join
from referee.corpus.layers import BEFORE
from referee.formats.corefud.entity import ParsedMention
from referee.formats.corefud.problems import Problems
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


class OldAnnotation(NamedTuple):
    """Mentions in the order of their first words, and links as `Bridge` and `SplitAnte` have them, by token."""

    mentions: list[ParsedMention]
    bridges: list[tuple[int, str]]
    splits: list[tuple[int, str]]


def old_annotation(rows: ConlluRows, problems: Problems) -> OldAnnotation:
    """What `ClusterId` and the attributes beside it say."""
    old = OldAnnotation([], [], [])
    sentence = rows.tokens.sentence
    for token, misc in enumerate(rows.misc):
        if "ClusterId" not in misc:
            continue
        line, document = int(rows.tokens.line[token]), int(rows.tokens.document[token])
        attributes = dict(item.partition("=")[::2] for item in misc.split("|"))
        for name, entity in attributes.items():
            attribute, bracket, number = name.partition("[")
            if attribute != "ClusterId" or not entity:
                continue
            ending = bracket + number
            spans: Spans | None = ((token, token + 1),)
            if (text := attributes.get("MentionSpan" + ending)) is not None:
                tokens = range(*np.searchsorted(sentence, [sentence[token], sentence[token] + 1]).tolist())
                spans = _spans(text, _places(rows, tokens))
            if spans is None:
                expected = "expected numbers of words of the sentence, such as 1,3-4"
                problems.on_error(line, f"found MentionSpan={shortened(text or '')}; {expected}")
                continue
            mention = ParsedMention(line, document, entity, spans[0][0], attributes.get("ClusterType" + ending), head_field="")
            mention.end, mention.spans, mention.head = spans[-1][1], spans if len(spans) > 1 else (), token
            old.mentions.append(mention)
            for link in filter(None, attributes.get("Bridging" + ending, "").split(",")):
                antecedent, _, relation = link.partition(":")
                old.bridges.append((mention.start, f"{antecedent}<{entity}:{relation}"))
            for element in filter(None, re.split("[,+]", attributes.get("SplitAnte" + ending, ""))):
                old.splits.append((mention.start, f"{element}<{entity}"))
    old.mentions.sort(key=lambda mention: (mention.start, -mention.end))
    return old


def _places(rows: ConlluRows, tokens: Iterable[int]) -> dict[str, int]:
    """The tokens of a sentence by their numbers, such as 3 or 3.1."""
    places: dict[str, int] = {}
    word = 0
    for token in tokens:
        minor = rows.nodes.get(token)
        word += minor is None
        places.setdefault(str(word) if minor is None else f"{word}.{minor % BEFORE}", token)
    return places


def _spans(text: str, places: Mapping[str, int]) -> Spans | None:
    """The spans of a mention; None if they are no words of the sentence."""
    spans = []
    for part in text.split(","):
        first, hyphen, last = part.partition("-")
        low, high = places.get(first), places.get(last if hyphen else first)
        if low is None or high is None or low > high:
            return None
        spans.append((low, high + 1))
    return join(spans)
