r"""Brat standoff: an .ann file with the annotations, and a .txt file with the text.

::

    T1	Person 0 10	Mary Sayles
    T2	Person 23 26	her
    T3	Group 5 9;14 18	old ... men
    R1	Coreference Arg1:T2 Arg2:T1
    *	Equiv T1 T4 T5
    #1	AnnotatorNotes T1	unclear

``T``
    A mention: id, label and offsets of characters (Unicode code points, line ends included), the end exclusive. Several pairs
    of offsets divided by `;` are the parts of a discontinuous mention. The label is the entity's type. Its words, if they are
    given, must be those of the text, white space left out. Where a mention goes over the end of a line brat writes a blank; as
    in NARC, the words may also go on in the next line. Where fewer than 1 % of the mentions have other words than the text
    (of a short file one, whose words are a part of the text's), the offsets count, with a warning. A mention of white space
    alone is left out with one.
``R``
    A relation of two mentions, whatever the arguments are called. A name that begins with "coref" or "ident" (in either case)
    means coreference; other relations are ignored, with a warning. What stands in brackets behind the arguments, as in BioNLP
    (`R1 Coref Anaphora:T2 Antecedent:T1 [T9]`), is not used.
``*``
    An equivalence of any number of mentions: Equiv, or a name that means coreference.
``E``
    An event. In relations it stands for its trigger, a mention.
``A``, ``M``, ``N``, ``#``
    Attributes, normalisations and notes are left out, and so are events that are in no relation, with a count. But the note
    `tokens: blanks` of a mention is ours: tokens are what stands between blanks. The writer needs it where it makes a text of
    the tokens of another format. It is written without a mention, too, and belongs to the first one that is made (until then
    brat says that T1 is not defined). A note `undecided: ...` has the votes on a mention; it is left out, too,
    without being counted.

Entities are the connected components, called by their first mention; every T line without a relation is a singleton. Links are
kept as listed, those of an equivalence each from a mention to the one before it. An empty file beside a text is a document
without mentions. Without the note, tokens are made as in all formats that have only characters: words and single signs, cut
where a mention begins or ends. Each line is a sentence. The document has no name; several documents are written as the files of
a folder, called by their names.

The text is written as it is in the file that was read, or that was parsed, byte for byte; a text that is there already is left
alone. Where only tokens are known, they are written with blanks between them, a line a sentence.

Files of BioNLP called .a2 or .rel go on from the .a1 beside, which is read first: they are one document. In a folder that
has such files these are read, and an .a1 is no document of its own.

Written relations are called Coreference, each from a mention to the one before it, or as listed. The label `Mention` means an
entity without a type. A mention in several lines is written in several parts, as brat does.

References
----------
brat.nlplab.org/standoff.html.

Notes
-----
Where programs disagree:

* Brat leaves line ends as they are, and so do we: in a text whose lines end in CR LF both characters count.
* Brat counts a byte order mark at the beginning of the text; other programs do not. The words of the mentions tell.
* Brat's corpora call coreference "Coreference", "Coref", or use Equiv lines; others (is_equivalent, semantically_same) are not
  known, and must be renamed.
"""

from __future__ import annotations

from referee.formats.brat.lines import AFTER_A1
from referee.formats.brat.reading import read, sniff
from referee.formats.brat.writing import drop_unsupported, write, write_beside
from referee.formats.shared.format import Format

__all__ = ["FORMAT", "drop_unsupported", "read", "sniff", "write", "write_beside"]

FORMAT = Format(
    "brat",
    __doc__,
    ("spans", "words", "entity types", "links", "discontinuous mentions"),
    sniff,
    read,
    write,
    drop_unsupported,
    rewriting="referee.formats.brat.rewriting",
    endings=(".ann",),
    document_ending=".ann",
    beside=".txt",
    write_beside=write_beside,
    writes_places=True,
    has_relations=True,
    instead={".a1": AFTER_A1},
    has_several_files=True,
)
