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

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import counted, listed, shortened
from referee.corpus import Spans
from referee.corpus.editing import join
from referee.corpus.layers import BEFORE
from referee.formats.corefud.entity import TYPES, EntityMentions, Troubles
from referee.formats.corefud.rows import Attribute, ConlluRows
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

SPAN = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?(?:-(\d{1,9})(?:\.(\d{1,9}))?)?")


def check_others(rows: ConlluRows, on_error: OnError) -> None:
    """Report, in one message, the attributes that hold coreference where there is no `Entity`."""
    found = Counter(match[1].partition(b"[")[0].decode() for match in OTHERS.finditer(rows.raw))
    if not found:
        return
    first = OTHERS.search(rows.raw)
    line = rows.raw.count(b"\n", 0, first.start()) + 1 if first else 1
    names, number = listed([f"{name}=" for name in found]), counted(found.total(), "attribute")
    expected = next((REMEDIES[name] for name in found if name in REMEDIES), CONVERT)
    on_error(line, f"found coreference in {names} ({number}), which is not read here; expected {expected}")


class OldMentions:
    """What `ClusterId` says, gathered row by row.

    Attributes
    ----------
    bridge, split : Attribute
        Links as `Bridge` and `SplitAnte` have them today.
    """

    def __init__(self, rows: ConlluRows, troubles: Troubles) -> None:
        self.rows = rows
        self.troubles = troubles
        self.found: list[tuple[int, Spans, int, bytes, bytes]] = []  # document, parts, head, id and type
        self.links: dict[str, list[tuple[int, bytes]]] = {"Bridging": [], "SplitAnte": []}
        sentence = rows.tokens.sentence
        self.first = np.searchsorted(sentence, sentence, side="left").tolist()
        self.after = np.searchsorted(sentence, sentence, side="right").tolist()
        begin, _ = rows.column(9)
        for token in sorted({int(t) for t in self._tokens(begin)}):
            self._row(token)
        self.found.sort(key=lambda mention: (mention[1][0][0], -mention[1][-1][1]))
        self.bridge, self.split = (
            Attribute(np.array([token for token, _ in links], dtype=np.int64), [value for _, value in links])
            for links in self.links.values()
        )

    def _tokens(self, begin: Ints) -> Ints:
        """The rows that have an id."""
        places = [match.start() for match in re.finditer(rb"ClusterId(?:\[\d{1,3}\])?=", self.rows.raw)]
        found: Ints = np.searchsorted(begin, places, side="right") - 1
        return found[found >= 0]

    def _row(self, token: int) -> None:
        """Add the mentions of which a token is the head."""
        pairs = (item.partition(b"=")[::2] for item in self.rows.cells(9, np.array([token]))[0].rstrip(b"\r").split(b"|"))
        misc = {name.decode(errors="replace"): value for name, value in pairs}
        line = int(self.rows.tokens.line[token])
        for name, label in misc.items():
            attribute, _, number = name.partition("[")
            if attribute != "ClusterId" or not label:
                continue
            ending = f"[{number}" if number else ""
            parts = self._span(token, line, misc.get("MentionSpan" + ending))
            if not parts:
                continue
            place = parts[0][0]
            self.found.append(
                (int(self.rows.tokens.document[token]), parts, token, label, misc.get("ClusterType" + ending, b""))
            )
            for link in filter(None, misc.get("Bridging" + ending, b"").split(b",")):
                antecedent, _, relation = link.partition(b":")
                self.links["Bridging"].append((place, b"%b<%b:%b" % (antecedent, label, relation)))
            for element in filter(None, re.split(rb"[,+]", misc.get("SplitAnte" + ending, b""))):
                self.links["SplitAnte"].append((place, b"%b<%b" % (element, label)))

    def _span(self, token: int, line: int, given: bytes | None) -> Spans:
        """The parts of the mention of a head; none after an error."""
        if given is None:
            return ((token, token + 1),)
        text = given.decode(errors="replace")
        spans = []
        for part in text.split(","):
            match = SPAN.fullmatch(part)
            low = self._place(token, match[1], match[2]) if match else None
            high = low if match and match[3] is None else self._place(token, match[3], match[4]) if match else None
            if low is None or high is None or low > high:
                expected = "expected numbers of words of the sentence, such as 1,3-4"
                self.troubles.on_error(line, f"found MentionSpan={shortened(text)}; {expected}")
                return ()
            spans.append((low, high + 1))
        return join(spans)

    def _place(self, token: int, word: str, node: str | None) -> int | None:
        """The token of a number such as 3 or 3.1 in the sentence of another token."""
        tokens = self.rows.tokens
        wanted = int(node or 0) + (BEFORE if node and int(word) == 0 else 0)
        count = 0
        for place in range(self.first[token], self.after[token]):
            count += not tokens.is_node[place]
            if count == int(word) and int(self.rows.minor[place]) == wanted and bool(tokens.is_node[place]) == bool(node):
                return place
        return None

    def mentions(self) -> EntityMentions:
        """The mentions, in the order of their first words."""
        number: dict[tuple[int, bytes], int] = {}
        types: dict[int, bytes] = {}
        entity = []
        for document, _, head, label, its_type in self.found:
            e = number.setdefault((document, label), len(number))
            entity.append(e)
            if its_type and types.setdefault(e, its_type) != its_type:
                found, first = (shortened(text.decode(errors="replace")) for text in (its_type, types[e]))
                self.troubles.add(TYPES, int(self.rows.tokens.line[head]), f"the type {found} after {first}")
        spans = [parts for _, parts, _, _, _ in self.found]
        return EntityMentions(
            np.array([parts[0][0] for parts in spans], dtype=np.int64),
            np.array([parts[-1][1] for parts in spans], dtype=np.int64),
            np.array(entity, dtype=np.int64),
            [label for _, label in number],
            {m: parts for m, parts in enumerate(spans) if len(parts) > 1},
            np.array([head for _, _, head, _, _ in self.found], dtype=np.int64),
            None,
            [types.get(e, b"").decode(errors="replace") for e in range(len(number))],
        )
