"""Lists of strings by entity, as language models answer: each string is looked up in the text of the key.

::

    [["Tom", "he"], ["his dog", "it"]]
    {"Tom": ["Tom", "he"], "dog": ["his dog", "it"]}
    {"doc_id": "d1", "clusters": [[["Tom", 1], ["he", 3]], [{"text": "his dog", "sentence": 1}]]}
    Tom: [Tom, he]
    - dog: ["his dog", "it"]

A list of strings is an entity; a list or a mapping of these is a document; and one of documents, objects with `doc_id` and
`clusters` or `entities`, or lists below headings with their names, `### NAME`, are several. Lists of mentions that name their
entities, numbered lists and tables are read as well, and logs of interfaces and harnesses. Markdown, text around the lists,
quotes of all kinds and missing brackets at the end do no harm. Of several answers the last complete one counts.

A number beside a string is that of its sentence or word, from 0 or from 1, or of its first character, from 0: whatever puts
most strings where they should be.

With `--quotes ordered`, the order of each list is taken for that of the text, whatever the order of the lists. Where a string
could stand in several places, the nearest mention of its entity decides; the report and the signature count such strings, as
`quotes-ordered-but-29.20%-ambiguous`. With `all` a string is all its occurrences, with `first` the first. Case and kinds of
quotes count only where a string occurs in several, and occurrences inside of words ("copyists" in "law-copyists") come last.
Blanks count if all strings are written as tokens of the key. A string that the text does not have, or not so often, is a
spurious mention. What is repaired is counted in the report and in the signature, as `repaired:17`.

A bare list of lists is read as `clusters`, whose mentions are names, unless `--response-format quotes` says what it is, or the
mentions of the key are spans of a text.

References
----------
The prompts of many projects; ours is the way in which they are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import NAMES
from referee.formats.shared.source import OnError, Source

OBJECT = re.compile(r'\s*\{\s*"(?!(?:type|clusters|documents|mentions|links)")(?:[^"\\]|\\.)*"\s*:\s*\[\s*(?:\[\s*)?"')
LABELLED = re.compile(r"\s*(?:```\w*\s+|[-*] +|\d+\. +)?(?:\[\s*\[\s*\[\s*\"|(?!https?:)[\w'’. -]{1,80}: *\[ *[^\s\d\[{])")
SAID_BEFORE = re.compile(
    r"\s{0,9}[^\n\t<>\[\]{}|#]{1,500}[.:!] *\r?\n\s{0,9}"
    r"(?:```\w*\s+[\[{]|\[\s*\[\s*(?:\[\s*)?\"|\{\s*\"[^\"\n]*\"\s*:\s*\[)"
)
"""A sentence or two, as models begin their answers, and then a list of lists, a mapping to lists, or a fence."""


def sniff(head: str) -> bool:
    """Whether it begins with a name, a colon and a list; with a list of pairs of a string and a number; or with a fence.

    A sentence may stand before.
    """
    if OBJECT.match(head):
        try:
            value, _ = json.JSONDecoder().raw_decode(head.lstrip())
        except (ValueError, RecursionError):
            return True  # as models write JSON
        return all(isinstance(part, list) or key in NAMES for key, part in value.items())
    return any(re.match(pattern, head) for pattern in (LABELLED, SAID_BEFORE, r"\s*```\w*\s+[\[{]"))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read lists of strings."""
    from referee.answers.reading import checked, read_answer  # detection goes through all formats, and files are seldom answers

    return checked(read_answer(source, form="quotes"), source, on_error, "quotes")


def read_together(paths: Mapping[str, str], folder: str, role: str, options: ReadOptions | None = None) -> Corpus:
    """Read the files of a folder."""
    from referee.answers import reading  # as above

    return reading.read_together(paths, folder, role, options)


FORMAT = Format("quotes", __doc__, ("items",), sniff, read, read_together=read_together, is_like_prose=True)
