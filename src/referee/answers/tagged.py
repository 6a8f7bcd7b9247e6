"""Text with mentions marked in it, as language models answer: notations that are told apart by their marks.

::

    [Tom](#1) saw [[his](#1) dog](#2).                                  links
    <m>Tom</m>#1 saw <m><m>his</m>#1 dog</m>#2 .   llega</z>@1          numbered
    Tom|[1] saw his|[2,[1] dog|2] .   ##|[1]                            columns
    <m> Tom | 1 </m> saw <m> <m> his | 1 </m> dog | 2 </m> .            actions
    [ Tom ] saw [ [ his | Tom ] dog ] .                                 tanl
    [Tom]_1 saw [[his]_1 dog]_2.   **Tom**[1]   {Tom}1   [Tom](1)       behind
    {Tom|1} saw {{his|1} dog|2}.   [Tom: e1]   [Tom -> 1]               last
    [1 Tom] saw [2 [1 his] dog].   [1: Tom]   {PERSON_1: Tom}           first
    <e id="1">Tom</e> saw <e id="2"><e id="1">his</e> dog</e>.          elements

A mark names the entity by any id without blanks; in `tanl` by the words of an earlier mention, the last one with these words,
or by an id if all mentions have one. `</z>@1` and `##` are zeros.

The last four are families: mentions stand in brackets of any kind, in `**` or in elements, and a label is behind the closing
bracket, or inside, at the end or at the beginning. Labels are numbers, raised or lowered ones, numbers behind letters, as in
`e1` and `Entity 1`, or names, where what stands around them shows that they are labels. Of `elements` an attribute says the
entity, or the tag itself, as in `<1>Tom</1>` and `[1] Tom [/1]`; where ids are all different, `ref` names that of an earlier
mention. All marks are read in the style of most of them. A text is taken for one of a family if a label is there twice, with
other words, and there are words between mentions; notes, such as "[1]", and links are no marks, nor is `[mao1 zi5]`, whose
label is a word. Labels behind words, as in `Tom₁`, are none either: they do not say where mentions begin.

Such a text is scored on the words of the key: it is aligned with them, whatever its tokens are, and differences of case,
quotes, dashes, white space and signs as in HTML do not matter. Words may be missing or added. A mention that has only added
words is left out. What is wrong is repaired as well as it can be, and counted in the report and in the signature, as
`repaired:17`:

* An unclosed mention of `columns` ends with its sentence; other marks without a partner are left out.
* A mention without an entity, `[Tom](#)` or `#MASK`, is a singleton.
* Lines with which Markdown begins and ends code are left out.

Brackets that the text of the key has in the same place are words, and no marks, where single brackets mark mentions. Where a
mark stands beside one, in `tanl` and `first` only what a pair of brackets encloses tells them apart: in `[ [ the ] sea | ... ]`
the mention has both, in `[ [ 4 | ... ] ]` neither. A mention with only one bracket of a pair at its edge cannot be written.

The documents of a file stand below headings, `### NAME`; or are the texts of JSON objects, such as `{"doc_id": "d1", "text":
"..."}`; or are as many lines, or texts without names, as the key has documents, in its order. A folder has a file for each.

Without a key, as for `referee convert`, and as a key itself, the tokens are words and single signs. A sentence begins with each
line, and behind a full stop that a capital letter follows, but never within a mention; `.` behind an initial or a title ends
none. `--text KEY` gives the words of a key. A variant says the notation, as in `--format tagged:tanl`.

References
----------
Le and Ritter (2024), coref-llms, for links; CorefInst, itunlplab (2026), for numbered; text2text-coref, the baseline of the
CRAC 2025 shared task, for columns; Zhang et al. (2023), Seq2seq is All You Need for Coreference Resolution, for actions;
Paolini et al. (2021), Structured Prediction as Translation between Augmented Natural Languages, for tanl.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.basics.exceptions import check_name
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import first_keys
from referee.formats.shared.source import OnError, Source

OTHERS = frozenset(("tokens", "sentences", "clusters", "predicted_clusters", "span_clusters", "cased_words"))
"""The keys of objects that are documents of other formats."""

TEXTS = ("text", "answer", "output", "response", "prediction", "completion", "content", "tagged")
"""The keys of objects whose value may be the annotated text."""


def sniff(head: str) -> bool:
    """Whether there are marks of one of the notations."""
    keys = first_keys(head)
    if not keys.isdisjoint(OTHERS) or (keys and keys.isdisjoint(TEXTS)):
        return False
    from referee.answers.notations import is_marked  # a start with JSON needs no notations

    return is_marked(head)


def read(source: Source, on_error: OnError, variant: str = "") -> Corpus:
    """Read annotated text."""
    from referee.answers.markup import NOTATIONS  # detection goes through all formats, and files are seldom answers
    from referee.answers.reading import checked, read_answer

    if variant:
        check_name("notation", variant, NOTATIONS)
    return checked(read_answer(source, form=f"tagged:{variant}"), source, on_error, "tagged")


def read_together(paths: Mapping[str, str], folder: str, role: str, options: ReadOptions | None = None) -> Corpus:
    """Read the files of a folder."""
    from referee.answers import reading  # as above

    return reading.read_together(paths, folder, role, options, form="tagged")


FORMAT = Format(
    "tagged", __doc__, ("spans", "words"), sniff, read, variant="the notation", read_together=read_together, is_like_prose=True
)
