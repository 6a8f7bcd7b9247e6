"""A table of pairs of records, linked or not: decisions of entity resolution before clustering.

::

    unique_id_l,unique_id_r,match_probability
    r1,r2,0.93
    r2,r7,0.12

Separated by commas, tabs, semicolons or bars; a header is required, or numbers of columns (`--columns left=1,right=2`). Which
names are known for the two ends, and for what decides, is in docs/records.md. A column `document` groups the rows, which need
not be sorted. Quotes as in RFC 4180.

A pair is a link if it is decided so: by a probability of at least 0.5, or by a label, which is such a number, or true or false,
yes or no. A key takes what is true, a response what was predicted. With the two ends alone every pair is a link. A column that
may decide, but that nobody knows, is an error: name it, or say that there is none (`--columns decision=`).

The entities are the connected components, called by the first of their records, and the links are kept as listed. A record
that stands only in pairs that are no links, or in a pair with itself, is a singleton. One that stands in no pair is not there;
so metrics that count singletons need a `csv` of both sides.

With `id` and `duplicate_of` a record without the second one is in no pair. A list of duplicates may have such rows or not.

`ltable_id` and `rtable_id` are ids of two tables, so `1,1` is a pair of two records: they are called `left/1` and `right/1`, as
with `--tables two`. With columns `source_dataset_l` and `source_dataset_r`, records are called `dataset/id`; `--tables one`
leaves sources out.

References
----------
Splink's predictions and its labels (`clerical_match_score`); py_entitymatching and DeepMatcher (`ltable_id`,
`rtable_id`, `label`, `match_score`); gold standards with `id1,id2`, such as that of Cora.

Notes
-----
Where programs disagree:

* The threshold is everyone's own choice. `--threshold` sets another one than 0.5 for the probabilities of a response, and
  `referee thresholds` scores the entities of several.
* Some read two columns without a header as pairs. Here they are items and entities, see `csv`, where an entity has two items.

Pairs are not written: `links` holds the same.
"""

from __future__ import annotations

from referee.basics.exceptions import shortened
from referee.corpus import Corpus
from referee.formats.shared.format import Format
from referee.formats.shared.source import OnError, Source
from referee.tabular.reading import Records, corpus_of, records_of
from referee.tabular.text import kind_of, text_table


def sniff(head: str) -> bool:
    """A table with a header that has the two ends of a pair."""
    return kind_of(head) == "pairs"


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a table of pairs; entities are the connected components."""
    return corpus_of(records(source, on_error))


def records(source: Source, on_error: OnError, *, probable: bool = False) -> Records:
    """Read pairs; they are not decided."""
    table = text_table(source, on_error, probable=probable)
    if table is not None and table.schema.kind != "pairs":
        columns = shortened(", ".join(table.names if table.header else next(table.rows(), (0, table.names))[1]))
        remedy = "a header with both ends of a pair, such as id1, id2, or --columns left=NAME,right=NAME"
        on_error(table.header or 1, f"found the columns {columns}; expected {remedy}")
        table = None
    return records_of(table, source, on_error, "pairs")


FORMAT = Format("pairs", __doc__, ("items", "links"), sniff, read, records=records)
