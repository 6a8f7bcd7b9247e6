"""GAP: ambiguous pronouns, each with two possible names; a key with its texts, or the decisions of a system.

::

    ID  Text  Pronoun  Pronoun-offset  A  A-offset  A-coref  B  B-offset  B-coref  URL         the key, with this header
    development-1  Zoe Telford -- ...  her  274  Cheryl Cassidy  191  TRUE  Pauline  207  FALSE  http://...

    development-1  TRUE  FALSE                                        a system: ID, A-coref, B-coref; a header is optional

Columns are separated by tabs. With a header they are found by their names (case does not matter). Columns that GAP does not
have are ignored, with a warning.

Each row is a document, called by its ID, of three mentions: `A`, `B` and `pronoun`. These are names, not spans, as a system's
rows have no text. The links pronoun-A and pronoun-B are listed where the row says TRUE, and make the entities. Decisions are
TRUE or FALSE in either case. Where there is a pronoun, its entity's type is the gender that GAP's scorer goes by: `masculine`
for he, him, his, `feminine` for she, her, hers, none for others.

References
----------
Webster et al. (2018); `gap_scorer.py` and the README of google-research-datasets/gap-coreference.

Notes
-----
Where programs disagree:

* The scorer skips the first line of a key unread, and prints `Unexpected label!` for anything but TRUE and FALSE, then counts
  it as missing. Both are errors here, and so is an ID that occurs twice, of which the scorer takes the first row.
* The scorer stops at a pronoun of no gender; here it counts in `gap`, and in neither of the genders.

Texts and offsets are not looked at. `gap`, `gap_masculine`, `gap_feminine` and `gap_bias` are the metrics that go with it.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence

from referee.basics.exceptions import counted, one_line, shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.documents import begin
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.source import OnError, Source

COLUMNS = ("id", "a-coref", "b-coref")
HEADER = ("id", "text", "pronoun", "pronoun-offset", "a", "a-offset", "a-coref", "b", "b-offset", "b-coref", "url")
GENDERS = dict.fromkeys(("he", "him", "his"), "masculine") | dict.fromkeys(("she", "her", "hers"), "feminine")
DECISIONS = {"true": True, "false": False}


def sniff(head: str) -> bool:
    """Our header, or rows of an ID and two decisions."""
    row = next((line for line in head.split("\n") if line.strip()), "").lower().rstrip("\r").split("\t")
    return set(COLUMNS) <= set(row) or (len(row) == len(COLUMNS) and set(row[1:]) <= DECISIONS.keys())


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a key or decisions of a system, a document a row."""
    builder = CorpusBuilder(source.name)
    builder.links = array("q")
    header: Sequence[str] = ()
    for number, line in source.lines(on_error):
        row = line.split("\t")
        if not line.strip():
            continue
        if not header:
            names = [name.strip().lower() for name in row]
            header = names if set(COLUMNS) <= set(names) else COLUMNS
            if header is names:
                others = Counter(name for name in names if name not in HEADER)
                warn_file(source.name, "ignored {} that GAP does not have ({names})", "column", others, number)
                continue
        if len(row) == len(header):
            _add(dict(zip(header, row, strict=True)), builder, number, on_error)
        else:
            columns = one_line(shortened(", ".join(header), 120))
            on_error(number, f"found {counted(len(row), 'column')}; expected {len(header)}, separated by tabs: {columns}")
    return builder.corpus()


def _add(row: Mapping[str, str], builder: CorpusBuilder, line: int, on_error: OnError) -> None:
    """Add a row, whose columns go by their names, as a document."""
    decisions = {name: DECISIONS.get(row[column].strip().lower()) for name, column in zip("AB", COLUMNS[1:], strict=True)}
    for name, decision in decisions.items():
        if decision is None:
            cell = shortened(row[f"{name.lower()}-coref"])
            on_error(line, f"found {cell!r} in the column {name}-coref; expected TRUE or FALSE")
            return
    if not row["id"].strip():
        on_error(line, "found no ID; expected one in every row")
        return
    if not begin(builder, on_error, row["id"].strip(), line=line):
        return
    pronoun = builder.item("pronoun", "pronoun", GENDERS.get(row.get("pronoun", "").strip().lower(), ""))
    for name, decision in decisions.items():
        mention = builder.item(name, "pronoun" if decision else name)
        if decision:
            builder.link(pronoun, mention)


FORMAT = Format("gap", __doc__, ("items", "entity types", "links"), sniff, read)
