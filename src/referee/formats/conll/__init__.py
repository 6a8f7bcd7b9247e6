"""CoNLL-2012 and its family: one token per line, coreference as brackets in the last column.

::

    #begin document (bc/cctv/00/cctv_0005); part 000
    bc/cctv/00/cctv_0005 0 0 Thank VBP (TOP(S(VP* thank 01 1 Xu_li * (V*) * -
    bc/cctv/00/cctv_0005 0 1 you   PRP (NP*)      -     -  - Xu_li * (ARG1*) * (116)
    bc/cctv/00/cctv_0005 0 2 .     .   *))        -     -  - Xu_li * * * (12|(3)

    #end document

``(7`` opens a mention of entity 7, ``7)`` closes the one of entity 7 that was opened last, ``(7)`` is a mention of one
token; ``-`` (also ``_`` and ``*``) is no mention. A blank line ends a sentence. Spans may cross sentences.

References
----------
The CoNLL-2011 and 2012 shared tasks (Pradhan et al. 2011, 2012) and the files met in the wild.

Notes
-----
What is accepted, and where programs disagree:

* Columns are separated by tabs or runs of blanks (the Perl scorer splits at tabs only); a control character in place of a
  blank before the last column is an error. The column is counted from the right,
  since the number of predicate columns varies; a trailing tab is ignored (LitBank). Files of two or three columns have no
  document and part columns. A blank belongs to its token (`New York`) in a document whose rows all have tabs.
* `--columns word=4,entity=-2` names other columns, from 1, or from the last as -1; `--columns 6` is the column of the brackets.
  A file without brackets in its last column, and with some in another, is an error that names it. Words are in the fourth
  column, in files of up to four columns before the brackets, and after a first column of numbers second (SemEval-2010). If
  only `_`, numbers or tags are there, or the third column has words, the column with the most different words is taken, with a
  warning; without such a column the warning says that the words are none.
* In files whose first column has numbers, a row such as `2-3  au  _` before the rows 2 and 3 is no token, as in CoNLL-U; one
  with brackets is an error. The row of an empty node, such as `3.1`, is a token, which zero pronouns need.
* A cell between tabs that is empty or blank is read as `_`, with a warning if it is a word, where another row of as many cells
  has something there. Otherwise several tabs are one.
* Brackets may stand together without ``|``, as in ``(1(2`` (GUM). coval forgets the first of the two.
  An underscore between two brackets, as in ``2)_1)`` (sacr2conll), is read as a bar, with a warning.
* Ids are any text without blanks, brackets and bars (``person-1``); a type may precede the last hyphen. The Perl scorer takes
  digits only.
* ``part 000`` and ``part 0`` are the same part; the name of the document is ``NAME_0``, as jsonlines write it. Without a part
  it is ``NAME``, without a name the number of the document. ``# begin document`` with a blank is accepted (OntoGUM).
* ``#end document`` may be missing; a token outside of any document is left out with a warning, unless there is no
  ``#begin`` at all: then the file is one document. Other lines that begin with ``#`` are tokens if their last column is
  empty or brackets, comments if not. With blanks between columns, a line of three columns and more whose first is ``#`` is a
  comment, with a warning if it has brackets and as many columns as the line before or after it.
* CRLF, a byte order mark and gzip are understood. Text is UTF-8: other bytes are an error as soon as tokens are needed, which
  they are not to score files that are the same but for the last column.

Reading the mentions is the work of `referee.formats.conll.scan`, which never looks at a token. What needs tokens, and every
message about an error, is made apart from it.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus
from referee.formats.conll.lines import replacing
from referee.formats.conll.reading import read, sniff, token_lines
from referee.formats.conll.writing import drop_unsupported, write
from referee.formats.shared.format import Format

__all__ = [
    "FORMAT",
    "drop_unsupported",
    "read",
    "read_together",
    "replacing",
    "sniff",
    "token_lines",
    "write",
]


def read_together(paths: Mapping[str, str], folder: str, role: str, options: ReadOptions | None = None) -> Corpus | None:
    """Read the files of a folder as one; None if they must be read one by one."""
    if options is not None and options.is_about_tables:
        return None
    from referee.formats.conll.folder import read_folder  # only folders need it

    return read_folder(paths, folder)


FORMAT = Format(
    "conll",
    __doc__,
    ("spans", "words"),
    sniff,
    read,
    write,
    drop_unsupported,
    rewriting="referee.formats.conll.rewriting",
    written_variants=("numbers", "names"),
    columns=("word", "entity"),
    read_together=read_together,
    only_faster=True,
    token_lines=token_lines,
)
