"""CorefUD: coreference in the last column of CoNLL-U, with heads, zeros (empty nodes) and discontinuous mentions.

::

    # newdoc id = d1
    # global.Entity = eid-etype-head-other
    # sent_id = d1-1
    1    Ann   _  PROPN  _  _  2  nsubj  _        Entity=(e1-person-1-)
    2    sold  _  VERB   _  _  0  root   _        _
    3    her   _  PRON   _  _  4  nmod   _        Entity=(e2-object-2-(e1-person-1-)
    4    car   _  NOUN   _  _  2  obj    _        Entity=e2)
    4.1  _     _  _      _  _  _  _      2:nsubj  Bridge=e2<e3:part|Entity=(e3-person-1-)|SplitAnte=e1<e3,e4<e3

Columns have tabs between them. In ``Entity``, ``(`` opens a mention, ``)`` closes one; a mention of one word has both. Nothing
stands between brackets. What the fields of an opening bracket mean is said by the line ``# global.Entity``:

``eid`` or ``GRP``
    the entity. Entities are of one document, whichever it is: the same id in another document is another entity.
    ``e1[2/3]`` is the second of three parts of a mention of ``e1``
``etype`` or ``entity``
    the type of the entity
``head``
    the head, as the number of a word of the mention (of all its parts, from 1, empty nodes included). If several parts have
    it, the last counts; in a mention of one word its number says nothing
``minspan``
    the minimum span that a response may give, as numbers of words of the mention without empty nodes, such as ``2,3`` (GUM);
    read where these follow one another

All others are not read (``infstat``, ``link``, ``identity``, ...). The last fields may be left out: a head is then unknown.
More fields than the header names, a head that is no number, and, without a head, a type that is a number or not that of the
entity's first mention are errors: a hyphen in an id shifts the fields, and ``(person-1)`` would be one of ``person``.
Mentions of one entity may be nested, not cross, and the parts of one mention come before those of the next; mentions of
different entities may cross. Every mention is within one sentence.

``Bridge=e2<e3:part``
    the mention of e3 that began last is a bridging anaphor, by the relation ``part``, to the entity e2: to its mention before
    the anaphor, or else its first one. Which mention of e2 a corpus had as antecedent is thus not kept
``SplitAnte=e1<e3,e4<e3``
    e3 is e1 and e4. ``Split``, an older name, is understood
``Undecided=e7: ...``
    a note of `agree --adjudicate` on the mention of e7 that begins here. It is for people, and not read

Rows ``5.1`` are empty nodes, which are tokens like others; of their columns, the form, UPOS, the dependencies and MISC are
read. Rows ``5-6`` are no words. Documents begin with ``# newdoc id = NAME``; one without a name, and words before the first,
make a document without a name.

The mention type follows from the UPOS of its head (or only word): PRON and DET is a pronoun, PROPN a name; NOUN, ADJ, NUM
and SYM is nominal, all else is other. It is unknown if there is no head or no UPOS, and for zeros, whose heads tell them.

Files of CorefUD 0.1 and 0.2 are read, too: ``ClusterId``, ``MentionSpan``, ``ClusterType``, ``Bridging`` and ``SplitAnte`` on
the head of each mention. Other attributes that hold coreference, such as ``Coref`` and ``Antecedent``, are an error in a file
without ``Entity`` (``entity=(...)`` as well).

References
----------
The CorefUD format (Nedoluzhko et al. 2022; udapi, which reads and writes it; the scorer of the CRAC shared tasks,
corefud-scorer 1.2) and the GUM corpus, whose own CoNLL-U files (``GRP-etype-infstat-...-minspan-link-identity``) are read,
too.

Notes
-----
Where these programs guess or crash:

* Two brackets that open and close an entity on one word: udapi makes it end with the sentence. An error, like all brackets
  that lack their other half, missing parts (``[1/2]`` alone), and heads that are no word of the mention.
* A head that is left out or 0 is taken for the first word by udapi, which crashes if it is left out of the last of several
  parts. Left out it is unknown here, and 0 is an error.
* Fewer or more than ten columns are read by udapi; an error here, as are words out of order and a second ``Entity`` in a row.
* ``Bridge`` and ``SplitAnte`` that name no entity of the document, or the same twice, stop corefud-scorer, though it has no use
  for them. A warning here, as are entities of several types (the first counts). udapi cuts fields that are too many.
* The last ``# global.Entity`` of a file counts for all of it in udapi; here each from where it stands, with a warning.
* Where two mentions of one entity are open, the one that was opened last is closed first. Nothing tells crossing ones.

Heads, entity types, minimum spans, mention types (as UPOS) and, as far as possible, the rest are written. Columns that are not
known are ``_``. But every word must have a parent in CoNLL-U: the first of the sentence, by the relation ``dep``. Ids are
``GRP`` where documents share some, and are made safe where they cannot stand in a bracket; in types ``%2D`` is a hyphen.
"""

from __future__ import annotations

from referee.formats.corefud.reading import read, sniff
from referee.formats.corefud.writing import drop_unsupported, write
from referee.formats.shared.format import Format

__all__ = ["FORMAT", "drop_unsupported", "read", "sniff", "write"]


FORMAT = Format(
    "corefud",
    __doc__,
    (
        *("spans", "words", "entity types", "heads", "minimum spans", "mention types", "discontinuous mentions"),
        *("empty nodes", "bridging", "split antecedents"),
    ),
    sniff,
    read,
    write,
    drop_unsupported,
    rewriting="referee.formats.corefud.rewriting",
    endings=(".conllu",),
)
