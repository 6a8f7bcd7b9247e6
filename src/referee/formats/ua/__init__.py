"""CoNLL-UA of Universal Anaphora ("exploded"): one word per line, coreference, bridging and discourse deixis in columns.

::

    # global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM
    # newdoc id = d1
    # sent_id = d1-1
    1  The   _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=markable_1|Min=2    _                                               _ _ _
    2  house _ _ _ _ _ _ _ _ )                                          _                                               _ _ _
    3  ,     _ _ _ _ _ _ _ _ _                                          _                                               _ _ _
    4  doors _ _ _ _ _ _ _ _ (EntityID=2|MarkableID=markable_2)         (MarkableID=markable_2|MentionAnchor=markable_1) _ _ _
    5  it    _ _ _ _ _ _ _ _ (EntityID=3-Pseudo|MarkableID=markable_3)  _                                               _ _ _

Columns are named in the file, or else those of the example, and separated by tabs or blanks; the last may be missing. IDs go
on through the document or begin anew in each sentence. In IDENTITY ``(`` opens a markable and ``)`` closes the one that was
opened last; ``MarkableID)`` closes the one of that name, so that markables may cross.

``EntityID``
    the entity; one that ends in ``-Pseudo`` is non-referring
``MarkableID``
    where it is used again, what is in the brackets is a further part of the markable
``Min``
    the minimum span that a response may give: first and last word, counted from 1 through the document, without empty nodes
``ElementOf``
    entities that have this one among their split antecedents; none may be made of itself
BRIDGING
    ``MarkableID`` is associated with the markable ``MentionAnchor`` (or, if only ``EntityAnchor`` is given, the last mention of
    that entity before it, or else its first), by the relation ``Rel``
DISCOURSE_DEIXIS
    a layer of its own in the same brackets, with entities and markables of its own

Rows with a number such as ``5.1`` are empty nodes (zeros). They are told apart by their order between two words; those numbered
``0.1``, ``0.2``, ... stand before the first word of their sentence. Rows with a range such as ``5-6`` are no words.

References
----------
"Universal Anaphora in CoNLL-U-Plus", version 1.1 (Poesio et al. 2024), and the test data of the scorers universal-
anaphora-scorer (Yu et al. 2022, here 1) and corefud-scorer (its Universal Anaphora part, here 2).

Notes
-----
Where they disagree:

* 1 counts empty nodes as words, and of a markable of several parts keeps the last one.
* 2 reads ``MarkableID)`` only when told, and then no other brackets. Here both may stand in one file, and it is written where
  markables cross and nowhere else.
* Both split rows at any blank, so a form with a blank shifts its row: read here if there are tabs, with a warning.
* Both take a range such as ``5-6`` for a word, drop rows before the first ``# newdoc`` (one document without a name, here), and
  keep the last antecedent of an anaphor that has several (all, here).
* Both need a MarkableID, which the description leaves optional. Without: a warning, and the markable is read.
* Both run for ever where an entity is among its own elements: an error.
* ``@`` between brackets, as in some of the examples of the description, is accepted.

SemType (``dn``, ``predicate``, ...) is not read: what is non-referring has ``-Pseudo``. REFERENCE and NOM_SEM are not read, nor
the columns up to MISC, but for the enhanced dependencies of empty nodes. Heads, mention types, entity types and bridging within
discourse deixis are not written. Zeros are numbered anew.
"""

from __future__ import annotations

from referee.formats.shared.format import Format
from referee.formats.ua.reading import read, sniff
from referee.formats.ua.writing import drop_unsupported, write

__all__ = ["FORMAT", "drop_unsupported", "read", "sniff", "write"]

FORMAT = Format(
    "ua",
    __doc__,
    (
        *("spans", "words", "minimum spans", "discontinuous mentions", "empty nodes"),
        *("non-referring", "bridging", "split antecedents", "discourse deixis"),
    ),
    sniff,
    read,
    write,
    drop_unsupported,
    endings=(".conllua",),
)
