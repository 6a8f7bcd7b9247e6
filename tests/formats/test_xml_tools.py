"""CorefAnnotator, NAF and KAF, Glozz, TEI with URS: what their files hold, and what is refused.

The samples are those of `tests/samples`, after the type systems of CorefAnnotator 2.1 and the files of its tests,
the specification of NAF 3, what sacr2glozz writes, and what jsonlines2tei of cofr writes.
"""

import re

import pytest

from referee import inputs
from referee.basics.exceptions import FormatError, RefereeWarning
from referee.basics.options.reading import ReadOptions
from tests.support.paths import SHARED
from tests.support.reading import entities_of, read_text
from tests.support.samples import samples, texts
from tests.support.warned import recorded


def read_files(folder, **files):
    """The corpus of the first of some files; `__` in their names is a hyphen, `_` a dot."""
    paths = {name.replace("__", "-").replace("_", "."): text for name, text in files.items()}
    for name, text in paths.items():
        (folder / name).write_text(text, encoding="utf-8")
    return inputs.read(folder / next(iter(paths)))


def elements(corpus):
    """The split antecedents as labels."""
    split = corpus.split_antecedents
    labels = corpus.entity_ids
    return [(labels[a], labels[b]) for a, b in zip(split.entity.tolist(), split.element.tolist(), strict=True)]


def test_corefannotator_s_mentions_have_surfaces_and_groups_are_split_antecedents():
    corpus = read_text(texts("corefannotator")[0])
    assert corpus.format == "corefannotator"
    document = corpus.documents["#1"]
    assert {e.id: [m.text for m in e.mentions] for e in document.entities} == {
        "Ann": ["Ann", "her"],
        "Bob": ["Bob … X"],
        "they": ["They"],
    }
    assert sorted(elements(corpus)) == [("they", "Ann"), ("they", "Bob")]


def test_corefannotator_s_older_mentions_have_offsets_and_detached_parts():
    corpus = read_text(texts("corefannotator")[1])
    assert corpus.doc_ids == ("d",)
    assert [m.text for m in corpus.documents["d"].mentions] == ["Old … ter", "Pe ter"]


def test_corefannotator_s_labels_may_be_the_same():
    corpus = read_text(texts("corefannotator")[0].replace('Label="Bob"', 'Label="Ann"'))
    assert sorted(corpus.entity_ids) == ["Ann#5", "Ann#6", "they"]


def test_naf_s_terms_are_tokens_and_spans_mentions():
    corpus = read_text(texts("naf")[0])
    assert corpus.format == "naf"
    assert entities_of(corpus) == {"story1": {"co1": [(0, 2), (3, 4)], "co2": [(0, 4)]}}
    assert list(corpus.entity_types or ()) == ["", "person"]
    assert list(corpus.documents["story1"].sentences) == [0, 3]
    assert [m.head for m in corpus.documents["story1"].mentions] == [None, 1, 3]
    assert next(m.spans for m in corpus.documents["story1"].mentions) == ((0, 2), (3, 4))


def test_kaf_has_other_names_for_ids():
    assert entities_of(read_text(texts("naf")[1])) == {"#1": {"c1": [(0, 1)]}}


def test_naf_without_the_layer_is_a_document_without_mentions_and_a_warning_says_so():
    with pytest.warns(RefereeWarning, match="x: found 1 text without <coreferences>, so without mentions"):
        corpus = read_text(texts("naf")[0].replace("coreferences", "entities"))
    assert (corpus.doc_ids, len(corpus.document)) == (("story1",), 0)


def glozz(folder, old="", new=""):
    sample = {name: data.decode() for name, data in samples("glozz")[0].items()}
    assert old in sample["d.aa"]
    return read_files(folder, d_aa=sample["d.aa"].replace(old, new, 1), d_ac=sample["d.ac"])


def test_glozz_s_schemas_relations_and_referents_make_entities(tmp_path):
    corpus = glozz(tmp_path)
    assert corpus.format == "glozz"
    assert entities_of(corpus) == {"#1": {"me_9": [(0, 1), (2, 3)], "u4": [(2, 4), (5, 6)]}}
    assert list(corpus.documents["#1"].sentences) == [0]


def test_glozz_s_other_relations_are_ignored_with_a_warning(tmp_path):
    with pytest.warns(RefereeWarning, match=r"ignored 1 relation other than coreference \(ASSOCIATIVE\)"):
        assert len(glozz(tmp_path, "ANAPHORE", "ASSOCIATIVE").entity_ids) == 3


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('index="11"', 'index="99"', r"d.aa:10: unit u3 is at 8 99; expected two positions, start <= end <= 27"),
        ('index="11"', 'index="7"', "unit u3 is at 8 7"),
        ('id="u4"', 'id="u3"', "d.aa:13: found the unit u3 again"),
    ],
)
def test_glozz_s_faults_name_line_and_field(old, new, problem, tmp_path):
    with pytest.raises(FormatError, match=problem):
        glozz(tmp_path, old, new)


UNIT = """<unit id="{id}"><characterisation><type>{type}</type><featureSet/></characterisation>
<positioning><start><singlePosition index="{start}"/></start><end><singlePosition index="{end}"/></end></positioning></unit>"""


def glozz_units(folder, *units, more=""):
    """Units of types and places in a text of two sentences, in no schema."""
    shown = "".join(UNIT.format(id=f"u{n}", type=t, start=a, end=b) for n, (t, a, b) in enumerate(units))
    return read_files(folder, d_aa=f"<annotations>{shown}{more}</annotations>", d_ac="Owls sang. They slept.")


def test_glozz_s_mentions_without_schemas_are_singletons_with_a_warning(tmp_path):
    units = [("paragraph", 0, 22), ("MENTION", 0, 4), ("MENTION", 11, 15), ("EVENT", 5, 9)]
    with pytest.warns(RefereeWarning) as caught:
        corpus = glozz_units(tmp_path, *units)
    assert entities_of(corpus) == {"#1": {"u1": [(0, 1)], "u2": [(3, 4)]}}
    assert [str(w.message).partition(": ")[2] for w in caught] == [
        "found 2 mentions in no schema and without REF, so each is an entity of its own",
        "left out 1 unit of types that no schema and no REF uses (EVENT)",
    ]


def test_glozz_s_only_type_is_that_of_mentions_and_of_several_none_is(tmp_path):
    with pytest.warns(RefereeWarning, match="found 1 mention in no schema"):
        assert len(glozz_units(tmp_path, ("NP", 0, 4)).document) == 1
    with pytest.warns(RefereeWarning, match=r"left out 2 units of types that no schema and no REF uses \(NP, VP\)"):
        assert len(glozz_units(tmp_path, ("NP", 0, 4), ("VP", 5, 9)).document) == 0


def test_glozz_s_schemas_of_other_types_are_no_entities(tmp_path):
    schema = """<schema id="{0}"><characterisation><type>{1}</type></characterisation>
    <positioning><embedded-unit id="u0"/><embedded-unit id="u{2}"/></positioning></schema>"""
    more = schema.format("c", "CHAINE", 1) + schema.format("t", "THEME", 2)
    units = [("MENTION", 0, 4), ("MENTION", 11, 15), ("MENTION", 5, 9)]
    with pytest.warns(RefereeWarning, match=r"ignored 1 schema that are no chains \(THEME\)"):
        corpus = glozz_units(tmp_path, *units, more=more)
    assert entities_of(corpus) == {"#1": {"c": [(0, 1), (3, 4)], "u2": [(1, 2)]}}


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_glozz_s_relations_may_be_named(tmp_path):
    glozz(tmp_path, "ANAPHORE", "ASSOCIATIVE")
    named = inputs.read(tmp_path / "d.aa", options=ReadOptions(relations=("associative",)))
    assert entities_of(named) == {"#1": {"me_9": [(0, 1), (2, 3)], "u4": [(2, 4), (5, 6)]}}


def test_units_of_a_chain_that_are_not_there_are_left_out_with_a_warning(tmp_path):
    problem = "left out {} of units in chains or relations that are no mentions of the file"
    with pytest.warns(RefereeWarning, match="d.aa:19: " + problem.format("1 name")):
        corpus = glozz(tmp_path, '<embedded-unit id="me_3"/>', '<embedded-unit id="me_7"/><embedded-unit id="u3"/>')
    assert entities_of(corpus)["#1"]["me_9"] == [(0, 1), (2, 3)]
    (tmp_path / "tei").mkdir()
    with pytest.warns(RefereeWarning, match="d-urs.xml:8: " + problem.format("2 names")):
        corpus = tei(tmp_path / "tei", "#u-MENTION-0 #u-MENTION-1", "#u-MENTION-0 #u-MENTION-9 #u-MENTION-1 #u-MENTION-8")
    assert entities_of(corpus)["#1"]["s-CHAINE-0"] == [(0, 1), (2, 3)]


def test_glozz_needs_its_text(tmp_path):
    glozz(tmp_path)
    (tmp_path / "d.ac").unlink()
    with pytest.raises(FormatError, match=r"needs the file d.ac beside it; found none"):
        inputs.read(tmp_path / "d.aa")


def tei(folder, old="", new=""):
    sample = {name: data.decode() for name, data in samples("tei")[0].items()}
    assert old in sample["d-urs.xml"]
    return read_files(folder, d__urs_xml=sample["d-urs.xml"].replace(old, new, 1), d_xml=sample["d.xml"])


def test_tei_has_words_in_one_file_and_chains_in_another(tmp_path):
    corpus = tei(tmp_path)
    assert corpus.format == "tei"
    assert entities_of(corpus) == {"#1": {"s-CHAINE-0": [(0, 1), (2, 3)], "dog": [(2, 4), (4, 5)]}}
    assert list(corpus.documents["#1"].sentences) == [0, 4]
    assert inputs.read(tmp_path / "d.xml") == corpus
    assert inputs.read(tmp_path).doc_ids == ("d",)
    assert inputs.validate(tmp_path) == []


def test_tei_may_have_all_in_one_file():
    corpus = read_text(texts("tei")[0])
    assert [m.text for m in corpus.documents["#1"].mentions] == ["le … il", "le chat"]
    assert len(corpus.entity_ids) == 1


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            'from="text:w_export_2"',
            'from="text:w_export_9"',
            "d-urs.xml:4: span u-MENTION-1 is of w_export_9 w_export_2; expected the ids",
        ),
        ('to="text:w_export_3"', 'to="text:w_export_0"', "d-urs.xml:5: span u-MENTION-2 is of w_export_2 w_export_0"),
        ('id="u-MENTION-1" ', 'id="u-MENTION-0" ', "d-urs.xml:4: found the span u-MENTION-0"),
    ],
)
def test_tei_s_faults_name_line_and_field(old, new, problem, tmp_path):
    with pytest.raises(FormatError, match=problem):
        tei(tmp_path, old, new)


def test_tei_without_mentions_or_words_is_refused(tmp_path):
    with pytest.raises(FormatError, match="has no mention; expected a standOff with spans"):
        read_text('<TEI><text><w id="w1">a</w></text></TEI>')
    tei(tmp_path)
    (tmp_path / "d.xml").unlink()
    with pytest.raises(FormatError, match=r"needs the file d\.xml beside it, or in the folder \.\./xml; found none"):
        inputs.read(tmp_path / "d-urs.xml")


STANDOFF = """<TEI><text><s><w id="a">Owl</w> <w id="b">sang</w></s><s><w id="c">It</w> <w id="d">slept</w></s></text><standOff>
<annotationGrp type="Unit" subtype="MENTION"><span id="m1" from="#a" to="#a"/><span id="m2" from="#c" to="#c"/></annotationGrp>
<annotationGrp type="Unit" subtype="BAMMAN"><span id="e1" from="#b" to="#b"/><span id="e2" from="#d" to="#z"/></annotationGrp>
{links}</standOff></TEI>"""
CHAIN = '<annotationGrp type="{0}" subtype="{1}"><link id="l" target="#m1 #m2"/></annotationGrp>'


def test_tei_s_other_layers_are_no_mentions_and_not_even_looked_at():
    with pytest.warns(RefereeWarning, match=r"left out 2 units of types that no schema and no REF uses \(BAMMAN\)"):
        corpus = read_text(STANDOFF.format(links=CHAIN.format("Schema", "CHAINE")))
    assert entities_of(corpus) == {"#1": {"l": [(0, 1), (2, 3)]}}


@pytest.mark.parametrize(
    ("kind", "relations", "number"),
    [
        ("ANAPHORE", (), 1),
        ("Coreference", (), 1),
        ("PREDICATE", (), 2),
        ("PREDICATE", ("Predicate",), 1),
        ("ANAPHORE", ("x",), 2),
    ],
)
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_tei_s_relations_mean_coreference_by_their_names(kind, relations, number):
    corpus = read_text(STANDOFF.format(links=CHAIN.format("Relation", kind)), relations=relations)
    assert (len(corpus.document), len(corpus.entity_ids)) == (2, number)


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_tei_s_ignored_relations_are_counted():
    links = CHAIN.format("Schema", "CHAINE") + CHAIN.format("Relation", "PREDICATE")
    with recorded() as caught:
        assert len(read_text(STANDOFF.format(links=links)).entity_ids) == 1
    assert any("ignored 1 relation other than coreference (PREDICATE)" in str(w.message) for w in caught)


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_tei_without_chains_has_singletons_with_a_warning():
    with recorded() as caught:
        corpus = read_text(STANDOFF.format(links=""))
    assert str(caught[0].message) == "x: found 2 mentions in no schema and without REF, so each is an entity of its own"
    assert entities_of(corpus) == {"#1": {"m1": [(0, 1)], "m2": [(2, 3)]}}


@pytest.mark.parametrize(
    ("path", "entities", "warnings"),
    [
        ("tei-units-of-other-layers/owl.xml", {"s-CHAINE-1": ["Owl", "It"]}, ["left out 2 units of types that no schema"]),
        ("tei-chain-of-deleted-units/owl.xml", {"s-CHAINE-1": ["Owl", "It"]}, ["left out 1 name of units in chains"]),
        ("glozz-mentions-without-ref/owl.aa", {"me_2": ["Owls"], "me_3": ["They"]}, ["found 2 mentions in no schema"]),
        ("ecb-cat-relations/cat.xml", {"x relation 1": ["Anna", "She"]}, ["ignored 1 relation .*TLINK"]),
        ("ecb-cat-relations/plot_link.xml", {"x relation 1": ["Anna", "She"]}, ["ignored 1 relation .*PLOT_LINK"]),
        ("uima-relations-silent/r.xmi", {"8": ["Owl", "it"]}, []),
        ("corenlp-corefs-only/a.json", {"3": ["1:1-2", "2:1-2"]}, ["found 1 document without `sentences`"]),
    ],
)
def test_files_from_the_field(path, entities, warnings):
    if not (file := SHARED / "field" / "formats" / path).exists():
        pytest.skip("needs files from the field")
    with recorded() as caught:
        corpus = inputs.read(file)
    (document,) = corpus.documents.values()
    found = {e.id: [m.text for m in e.mentions] for e in document.entities}
    assert {name: words for name, words in found.items() if len(words) > 1 or name in entities} == entities
    assert len(caught) == len(warnings)
    assert all(re.search(expected, str(w.message)) for expected, w in zip(warnings, caught, strict=True))
