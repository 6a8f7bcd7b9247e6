"""TEI with coreference: in a standOff (URS), as TXM and the projects Democrat and ANCOR write it, or in the text.

In the text, a mention is a referring string or a name that points at what it means::

    <TEI><text><p><persName ref="#ann">Ann Lee</persName> met <rs ref="#ann">her</rs> friend.</p></text></TEI>

``rs``, ``name``, ``persName``, ``placeName``, ``orgName``, ``geogName``, ``objectName``, ``eventName``
    A mention of what its `ref` points at; without one, its `key`, `corresp`, `sameAs` or `prev` counts. What points at the
    `xml:id` of another mention is of the same entity. An element within another of the same words and entity is no other
    mention. What points at nothing, other elements with `ref` or `key` (`title`), and elements without words are left out,
    each with a warning. Several pointers mean an entity of its own, whose split antecedents are the entities of each, with a
    warning. The entity's type is the `type` of its first mention that has one, or what its tag says: `persName` is person.

Tokens are the `w` and `pc` elements; without `w`, the words of the text as in all formats that have only characters. Of the
alternatives in `choice` and `app` the first is read. Sentences are the `s` elements, or else paragraphs, lines of verse,
headings and the like. Each `TEI` of a `teiCorpus` is a document, called by its `xml:id`.

In a standOff::

    <TEI><text><s><w id="w_x_1"><txm:form>Ann</txm:form></w><w id="w_x_2"><txm:form>left</txm:form></w></s> ... </text></TEI>

    <TEI><standOff><annotations type="coreference">
      <annotationGrp type="Unit" subtype="MENTION">
        <span id="u-MENTION-1" from="text:w_x_1" to="text:w_x_1" ana="#u-MENTION-1-fs"/> ...
      </annotationGrp>
      <annotationGrp type="Schema" subtype="CHAINE">
        <link id="s-CHAINE-1" target="#u-MENTION-1 #u-MENTION-2" ana="#s-CHAINE-1-fs"/>
      </annotationGrp>
      <div type="unit-fs"><fs id="u-MENTION-1-fs"><f name="REF"><string>Ann</string></f></fs> ... </div>
    </annotations></standOff></TEI>

The words are in the same file, or in a file of the same name without ``-urs``: `x-urs.xml` belongs to `x.xml`. The two are in
one folder, or in folders `urs` and `xml` beside each other. Give either file, or the folder.

``w``, ``pc``
    tokens: the text of their ``form``, if they have one. A sentence is an ``s``; without any of these a ``u``, or else a ``p``.
``span``
    A mention: the words from one to another, or those that `target` names, which may be apart. It is called by its id. If its
    features say `type` NULL, it is none. Groups of spans are layers, called by their `subtype`: those are mentions of whose
    layer a link or a `REF` uses any; without any, those of the only layer, or of one called mention, as singletons. Other
    layers are left out. Warnings say both.
``link``
    In a group of type Schema: an entity of the mentions that it names (of several kinds of schemas, only those whose `subtype`
    begins with "chain" or "coref"). In other groups: a relation, that means coreference if the `subtype` is one of DIRECTE,
    INDIRECTE and ANAPHORE, or begins with "coref" or "ident", or if `--relations` names it. Other relations are ignored, and
    so are ids of spans that are not there (any more), with warnings.
``REF``
    A feature that names the referent. Mentions in no chain are of one entity if it is the same. Empty, or SI, it means a
    mention that is alone.

The document is called by the name of its file, when a folder is read.

References
----------
Grobol, Landragin and Heiden (2017), Interoperable annotation of (co)references in the Democrat project; the files that
jsonlines2tei of cofr (Oberle) writes for TXM; ANCOR-TEI; chapters 13 (Names, Dates, People, and Places) and 17 (Linking) of the
TEI Guidelines. Only read.
"""

from __future__ import annotations

from referee.formats.shared.format import Format
from referee.formats.tei.reading import document_name, read, read_together, sniff

__all__ = ["FORMAT", "document_name", "read", "read_together", "sniff"]

FORMAT = Format(
    "tei",
    __doc__,
    ("spans", "words", "entity types", "discontinuous mentions", "split antecedents"),
    sniff,
    read,
    has_relations=True,
    read_together=read_together,
    document_name=document_name,
)
