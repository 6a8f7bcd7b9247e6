import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import inputs, score
from referee.basics.exceptions import FormatError, MismatchError, RefereeWarning
from referee.corpus.builder import CorpusBuilder
from referee.corpus.layers import BEFORE, Bridging
from referee.formats.shared.documents import cycle
from referee.formats.shared.source import Source
from referee.inputs.validating import errors_of
from tests.support.annotated import EVERYTHING, Limits, rich_corpora
from tests.support.examples import examples
from tests.support.paths import SHARED
from tests.support.reading import entities_of, faults_of, minima_of, read_again, read_text, sentences_of, source_of, written
from tests.support.samples import file_text
from tests.support.warned import silenced

KIT = SHARED / "corefud"
in_kit = pytest.mark.skipif(not KIT.is_dir(), reason="needs the CorefUD kit, ../shared/corefud")

HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"
)
HELD = EVERYTHING - {"heads", "mention types", "entity types"}


def rows(*cells, name="d"):
    """A document of words w1, w2, ... Each row has its ID, IDENTITY and, if need be, BRIDGING and DISCOURSE_DEIXIS."""
    lines = [HEADER, f"# newdoc id = {name}\n"]
    for cell in cells:
        id_, *annotation = cell.split()
        filled = [*annotation, *"___"][:3]
        lines.append("\t".join([id_, f"w{id_}", *"________", *filled, "_", "_"]) + "\n")
    return "".join(lines)


def parts_of(corpus):
    return [corpus.spans(m) for m in range(len(corpus.document))]


# The description's example (GUM_voyage_tulsa, shortened): `markable_4` and the markable around it end on one line.
TULSA = file_text("tulsa.conllua")


@given(rich_corpora(HELD - {"bridging", "minimum spans"}, limits=Limits(one_line=True)))
def test_what_is_written_reads_the_same(corpus):
    assert read_again(corpus, "ua") == corpus


@given(rich_corpora(HELD - {"discourse deixis", "empty nodes"}, limits=Limits(one_line=True)))
def test_least_spans_and_bridging_read_the_same(corpus):
    again = read_again(corpus, "ua")
    assert again == corpus
    assert again.bridging is None or corpus.bridging is None or again.bridging.relation == corpus.bridging.relation


A1, B2 = "(EntityID=1|MarkableID=a", "(EntityID=2|MarkableID=b"
VIEWS = {
    "the example of the description": (
        TULSA, entities_of, {"GUM_voyage_tulsa": {"1": [(0, 1)], "2": [(1, 5)], "3": [(4, 5)], "4-Pseudo": [(5, 8)]}},
    ),
    "its minima": (TULSA, minima_of, [[0, 1], [2, 3], [4, 5], [6, 7]]),
    "its referents": (TULSA, lambda corpus: corpus.referring.tolist(), [True, True, True, False]),
    "its sentences": (TULSA, sentences_of, [0, 1, 5]),
    "blanks between columns": (rows(f"1 {A1}", "2 )").replace("\t", "   "), entities_of, {"d": {"1": [(0, 2)]}}),
    "columns are where the header says": (
        "# global.columns = ID FORM IDENTITY\n# newdoc id = d\n1\tAnn\t(EntityID=1|MarkableID=a)\n2\tsleeps\t_\n",
        entities_of, {"d": {"1": [(0, 1)]}},
    ),
    "a plain bracket closes the markable opened last": (
        rows(f"1 {A1}{B2}", "2 )", "3 )(EntityID=3|MarkableID=c", "4 )(EntityID=3|MarkableID=d)"),
        entities_of, {"d": {"1": [(0, 3)], "2": [(0, 2)], "3": [(2, 4), (3, 4)]}},
    ),
    "a bracket with a name closes that markable": (
        rows(f"1 {A1}", f"2 {B2}", "3 a)", "4 b)(EntityID=1|MarkableID=c)"),
        entities_of, {"d": {"1": [(0, 3), (3, 4)], "2": [(1, 4)]}},
    ),
    "both kinds together": (
        rows(f"1 {A1}{B2}(EntityID=3|MarkableID=c", "2 b)", "3 )", "4 )"),
        entities_of, {"d": {"1": [(0, 4)], "2": [(0, 2)], "3": [(0, 3)]}},
    ),
    "an at sign may separate brackets": (
        rows(f"1 {A1}@{B2})", "2 )@(EntityID=2|MarkableID=c)"), entities_of, {"d": {"1": [(0, 2)], "2": [(0, 1), (1, 2)]}},
    ),
    "a markable id used again is a further part": (
        rows(f"1 {A1}|Min=1", "2 )", "3 _", f"4 {A1}|Min=1)", "5 (EntityID=1|MarkableID=b)"),
        lambda corpus: (parts_of(corpus), minima_of(corpus)), ([((0, 2), (3, 4)), ((4, 5),)], [[0, 1], [-1, -1]]),
    ),
    "minima count words and not empty nodes": (
        rows("1 _", "1.1 _", f"2 {A1}|Min=3,4", "3 _", "3.1 _", "4 _", "5 )"), minima_of, [[3, 6]],
    ),
    "a range of words is no word": (rows("1-2 _", "1 _", f"2 {A1}|Min=2)"), entities_of, {"d": {"1": [(1, 2)]}}),
    "sentences begin where ids begin anew": (rows("1 _", "2 _", "0.1 _", "1 _", "1 _"), sentences_of, [0, 2, 4]),
    "sentences begin after blank lines": (
        rows("1 _", "2 _") + "\n\n" + rows("3 _").split("\n", 2)[2], sentences_of, [0, 2],
    ),
    "without a document": (rows(f"1 {A1})").replace("# newdoc id = d\n", ""), entities_of, {"#1": {"1": [(0, 1)]}}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "view", "expected"), VIEWS.values(), ids=VIEWS)
def test_what_is_read(text, view, expected):
    assert view(read_text(text)) == expected


def test_it_is_told_from_other_formats_with_columns():
    assert inputs.detect(source_of(TULSA)) == "ua"
    assert inputs.detect(source_of(rows("1 (EntityID=1|MarkableID=a)").replace(HEADER, ""))) == "ua"
    assert inputs.detect(source_of("#begin document (a)\na 0 0 w (1)\n#end document\n")) == "conll"


def test_closing_brackets_are_named_only_where_markables_cross():
    assert written(read_text(rows(f"1 {A1}", f"2 {B2}", "3 ))")), "ua").count("\t))\t") == 1
    assert "\tmarkable_1)\t" in written(read_text(rows(f"1 {A1}", f"2 {B2}", "3 a)", "4 b)")), "ua")
    # One ends with the word with which the next begins: the brackets say that.
    assert "\t)(EntityID=2" in written(read_text(rows(f"1 {A1}", f"2 ){B2}", "3 )")), "ua")


@pytest.mark.parametrize(
    ("cells", "problem", "feature"),
    [
        (
            [f"{A1}|Min=2)", "(EntityID=1|MarkableID=b|Min=9)", "(EntityID=1|MarkableID=c|Min=3,2)"],
            "3 minimum spans not within the markable",
            "minimum spans",
        ),
        ([f"{A1}|ElementOf=9)"], "1 element of an entity that has no markable", "split antecedents"),
        *(
            ([f"{A1}) ({pair})"], "1 bridging pair of which IDENTITY lacks a markable", "bridging")
            for pair in (
                *("MarkableID=a|MentionAnchor=z|EntityAnchor=1", "MarkableID=z|MentionAnchor=a"),
                "MarkableID=a|EntityAnchor=9",
            )
        ),
    ],
)
def test_what_refers_to_nothing_is_left_out_with_a_warning(cells, problem, feature):
    with pytest.warns(RefereeWarning, match=f"^x: left out {problem}"):
        assert feature not in read_text(rows(*(f"{n} {cell}" for n, cell in enumerate(cells, 1)))).features


def test_empty_nodes_are_numbered_by_their_order_between_two_words():
    text = (
        rows("0.1 _", "1 _", "1.3 (EntityID=1|MarkableID=a)", "1.7 _", "2 (EntityID=1|MarkableID=b)")
        + "\n"
        + "2.9\tw"
        + "\t_" * 13
    )
    corpus = read_text(text)
    assert entities_of(corpus) == {"d": {"1": [(2, 3), (4, 5)]}}
    assert corpus.zero.tolist() == [True, False]
    assert corpus.empty_nodes.node.tolist() == [0, 2, 3, 5]
    assert corpus.empty_nodes.minor.tolist() == [BEFORE + 1, 1, 2, BEFORE + 1]  # no word of its sentence is before the last
    assert corpus.empty_nodes.sentence.tolist() == [0, 0, 0, 1]


def test_parents_of_empty_nodes_are_counted_within_their_sentence():
    def text(*ids, parent):
        lines = [f"{id_}\tw\t_\t_\t_\t_\t_\t_\t{parent if '.' in id_ else '_'}\t_\t_\t_\n" for id_ in ids]
        return HEADER + "# newdoc id = d\n" + "".join([*lines[:2], "\n", *lines[2:]])

    through = read_text(text("1", "2", "3", "3.1", "4", parent="4:nsubj|0:root"))
    anew = read_text(text("1", "2", "1", "1.1", "2", parent="2:nsubj|0:root"))
    assert through == anew
    assert through.empty_nodes.deps == ["2:nsubj|0:root"]


CELLS = st.sampled_from((
    *("_", "-", ")", "))", "a)", "(EntityID=1|MarkableID=a", "(EntityID=1|MarkableID=a|Min=1|SemType=dn)"),
    *("(EntityID=2-Pseudo|MarkableID=b|Min=1,2", "(entityid=2|MarkableID=c|ElementOf=1)", "(EntityID=3|MarkableID=d@", "@)"),
    *("(EntityID=1|MarkableID=e)(EntityID=2|MarkableID=f", "(EntityID|MarkableID=g)", "(MarkableID=g)", "(EntityID=4)", "x"),
    "(EntityID=|MarkableID=a)",
))  # fmt: skip
PLAIN_ROWS = st.tuples(st.integers(1, 4).map(str), st.sampled_from(("w", "é", "-", "_")), CELLS, CELLS)
ODD_ROWS = st.tuples(st.sampled_from(("1.1", "0.1", "1-2", "x", "007", "")), st.sampled_from(("w", "")), CELLS, CELLS)
OTHER_LINES = ("", "# newdoc id = d", "# newdoc id = e", "# text", "#global.columns = ID FORM IDENTITY DISCOURSE_DEIXIS",
               "# global.columns = DISCOURSE_DEIXIS IDENTITY FORM BRIDGING ID", "# global.columns = ID")  # fmt: skip
LINES = st.one_of(PLAIN_ROWS, PLAIN_ROWS, ODD_ROWS).map("\t".join) | st.sampled_from(OTHER_LINES)


@examples(4)
@given(st.lists(LINES, max_size=20), st.sampled_from((1, 7, 50, 1 << 16)), st.sampled_from(("\n", "\r\n")))
def test_rows_in_columns_are_read_as_those_that_are_read_one_by_one(lines, size, end):
    lines = ["# global.columns = ID FORM IDENTITY DISCOURSE_DEIXIS", *lines]
    one_by_one = [line + " " * (line[:1] not in ("", "#")) for line in lines]  # with a blank, they are not plain
    with pytest.MonkeyPatch.context() as patched, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        patched.setattr("referee.formats.shared.source.HEAD", size)
        found = errors_of(source_of(end.join(lines)), "ua")
        said = [str(warning.message) for warning in caught]
        caught.clear()
        expected = errors_of(source_of("\n".join(one_by_one)), "ua")
        assert (found.number, list(map(str, found.first))) == (expected.number, list(map(str, expected.first)))
        assert found.corpus == expected.corpus
        assert said == [str(warning.message) for warning in caught]


def test_split_antecedents_name_the_entities_that_they_make():
    corpus = read_text(rows(f"1 {A1}|ElementOf=3,4)", f"2 {B2}|ElementOf=3)", "3 (EntityID=3|MarkableID=c)",
                            "4 (EntityID=4|MarkableID=d)"))  # fmt: skip
    pairs = zip(corpus.split_antecedents.entity, corpus.split_antecedents.element, strict=True)
    assert [corpus.entity_ids[whole] + corpus.entity_ids[element] for whole, element in pairs] == ["31", "32", "41"]


def test_bridging_goes_from_markable_to_markable():
    text = rows(
        "1 (EntityID=1|MarkableID=a)",
        "2 (EntityID=2|MarkableID=b) (MarkableID=b|Rel=poss|MentionAnchor=a|EntityAnchor=1)",
        "3 (EntityID=1|MarkableID=c)",
        "4 (EntityID=3|MarkableID=d (MarkableID=d|MentionAnchor=a(MarkableID=d|MentionAnchor=b",
        "5 ) ))",
        "6 (EntityID=4|MarkableID=e) MarkableID=e|EntityAnchor=1",
        "7 (EntityID=5|MarkableID=f)",
    )
    corpus = read_text(text)
    labels = "abcdef"
    found = [(labels[a], labels[b]) for a, b in zip(corpus.bridging.anaphor, corpus.bridging.antecedent, strict=True)]
    # All antecedents are kept; of an entity it is the last mention before the anaphor.
    assert found == [("b", "a"), ("d", "a"), ("d", "b"), ("e", "c")]
    assert corpus.bridging.relation == ["poss", "", "", ""]


def test_an_entity_that_begins_after_the_anaphor_is_represented_by_its_first_mention():
    corpus = read_text(rows(f"1 {A1}) (MarkableID=a|EntityAnchor=2)", f"2 {B2})", "3 (EntityID=2|MarkableID=c)"))
    assert corpus.bridging.antecedent.tolist() == [1]


def test_discourse_deixis_is_a_layer_of_its_own():
    text = rows(
        "1 (EntityID=1|MarkableID=a) _ (EntityID=1-DD|MarkableID=a|Min=2", "2 _ _ )", "3 _ _ (EntityID=1-DD|MarkableID=b)"
    )
    corpus = read_text(text)
    assert entities_of(corpus) == {"d": {"1": [(0, 1)]}}
    assert entities_of(corpus.deixis) == {"d": {"1-DD": [(0, 2), (2, 3)]}}
    assert corpus.deixis.minimum_span.tolist() == [[1, 2], [-1, -1]]


def test_labels_survive_where_they_can():
    builder = CorpusBuilder("c")
    builder.document("d", ["a", "b", "c", "d"], [0])
    for place, label in enumerate(["Ann (1)", "Ann_(1", "", "9-Pseudo"]):
        builder.mention(place, place + 1, label)
    builder.mention(0, 4, "it", referring=False)
    again = read_again(builder.corpus(), "ua")
    assert again == builder.corpus()
    assert set(again.entity_ids) == {"Ann__1_", "Ann__1", "3", "9", "it-Pseudo"}


GOOD = rows("1 (EntityID=1|MarkableID=a", "2 )", name="good")


@pytest.mark.parametrize(
    ("cells", "line", "problem"),
    [
        ("(EntityID=1|MarkableID=b", 7, "b is opened in IDENTITY but never closed"),
        (")", 7, "a markable is closed in IDENTITY but was never opened"),
        ("b)", 7, "b is closed in IDENTITY but was never opened"),
        ("_ _ )", 7, "a markable is closed in DISCOURSE_DEIXIS but was never opened"),
        ("(MarkableID=b)", 7, "a markable without EntityID in IDENTITY"),
        ("(EntityID=|MarkableID=b)", 7, "a markable without EntityID in IDENTITY"),
        ("(EntityID=1|MarkableID)", 7, "'MarkableID' among the attributes.*expected Name=Value"),
        ("(EntityID=1|MarkableID=b)(EntityID=2|MarkableID=b)", 7, "b is of entity 1 on line 7, and of 2 here"),
        ("(EntityID=1|MarkableID=b|Min=x)", 7, "Min=x; expected one or two word numbers"),
        ("(EntityID=1|MarkableID=b|Min=1,2,3)", 7, "Min=1,2,3"),
        (f"(EntityID=1|MarkableID=b|Min={'9' * 30})", 7, "Min=9+"),
        ("word", 7, "'word' in IDENTITY"),
        ("(EntityID=1|MarkableID=b)word", 7, "'word' in IDENTITY"),
        ("(EntityID=1|MarkableID=b|ElementOf=1)", 7, "an entity of IDENTITY is among its own elements: 1 < 1"),
        ("(EntityID=1|MarkableID=b) (Rel=part)", 7, "half a bridging pair"),
        ("(EntityID=1|MarkableID=b) word", 7, "'word' among the attributes"),
    ],
)
def test_a_fault_names_line_and_problem(cells, line, problem):
    text = GOOD + "\n" + rows(f"1 {cells}", name="bad").removeprefix(HEADER)
    with pytest.raises(FormatError, match=f"^x:{line}: .*{problem}"):
        read_text(text)
    assert len(faults_of(text, "ua")) == 1


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("# newdoc id = good", "document 'good' appears twice"),
        ("# global.columns = ID FORM MISC", "found no column IDENTITY"),
        ("# global.columns = ID FORM IDENTITY MISC ID", "found the column ID twice; expected each once"),
        ("3\tw\t_\t_\t_\t_\t_\t_\t_\t_", "found 10 columns; expected at least 11, for IDENTITY, and at most 15"),
        ("3\tw" + "\t_" * 14, "found 16 columns"),
        ("three\tw" + "\t_" * 13, "found the ID 'three'"),
        ("3\t" + "\t_" * 13, "found an empty FORM"),
        ("3-4\tw" + "\t_" * 8 + "\t(EntityID=1|MarkableID=b)", "found IDENTITY on the range of words 3-4"),
    ],
)
def test_a_faulty_line_is_named(line, problem):
    text = GOOD + line + "\n"
    with pytest.raises(FormatError, match=f"^x:5: .*{problem}"):
        read_text(text)
    assert len(faults_of(text, "ua")) == 1


def test_a_cycle_of_elements_is_named():
    text = rows(*(f"{n} (EntityID={whole}|MarkableID={n}|ElementOf={part})" for n, whole, part in ("1AB", "2BC", "3CA")))
    problem = r"among its own elements: (A < B < C < A|B < C < A < B|C < A < B < C); expected none"
    with pytest.raises(FormatError, match=problem):
        read_text(text)


def test_long_chains_of_elements_are_followed():
    chain = [(str(n), str(n + 1)) for n in range(20_000)]
    assert cycle(chain) == []
    assert len(cycle([*chain, ("20000", "0")])) == 20_002


def of_pairs(token="a", name="d", *, least=False, relation=""):
    """Two mentions with an empty node, the second maybe an anaphor of the first."""
    builder = CorpusBuilder("c")
    builder.document(name, [token, "_"], [0])
    builder.empty_node(1, 1, 0)
    builder.mention(0, 2, "1", minimum_span=(0, 2) if least else None)
    builder.mention(0, 1, "2")
    return replace(builder.corpus(), bridging=Bridging(np.array([1]), np.array([0]), [relation]) if relation else None)


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (of_pairs("a b"), "1 word .*'a b'"),
        (of_pairs(""), "1 word .*''"),
        (of_pairs("a", " d"), "1 name of a document"),
        (of_pairs("a", "d\nd"), "1 name of a document"),
        (of_pairs("a", least=True), "1 minimum span that begins or ends with an empty node"),
        *((of_pairs(relation=relation), "1 relation of bridging") for relation in ("part(s)", "a|b", "a\tb")),
    ],
)
def test_a_corpus_that_rows_cannot_hold_is_not_written(bad, problem):
    with pytest.raises(FormatError, match=f"^c: .*{problem}.*, which ua cannot hold"):
        written(bad, "ua")


@pytest.mark.parametrize(
    "cell", ["(" * 50_000, ")" * 50_000, "x" * 500_000, "(EntityID=1|MarkableID=a" * 20_000 + "a)" * 20_000, "@" * 500_000]
)
def test_a_cell_of_any_length_is_read_or_refused_on_its_line(cell):  # how fast, benchmarks/readers.py says
    assert all(fault.startswith("x:3: ") for fault in faults_of(rows(f"1 {cell}"), "ua"))


# The conformance kit's files.

BAD = {
    "ua-unclosed": "ua-unclosed.conllua:4: markable_1 is opened in IDENTITY but never closed",
    "ua-unopened": "ua-unopened.conllua:5: a markable is closed in IDENTITY but was never opened",
    "ua-no-entity-id": "ua-no-entity-id.conllua:7: found a markable without EntityID",
    "ua-min-not-number": "ua-min-not-number.conllua:4: found Min=x",
    "ua-ten-columns": "ua-ten-columns.conllua:4: found 10 columns",
    "ua-empty-file": "ua-empty-file.conllua: is empty",
}
ODD = {"ua-no-markable-id": "read 1 markable without MarkableID", "ua-form-with-space": "read 1 form with a blank"}
SAME = ("ua-bom", "ua-crlf", "ua-closing-with-ids")
MISMATCHED = {
    "ua-missing-last-token": "found 9 tokens in .*expected 10",
    "ua-other-token": "'W3'",
    "ua-form-with-space": "'w 3'",
}


@in_kit
@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_of_the_kit_is_refused_in_one_line(case):
    with pytest.raises(FormatError, match=BAD[case]) as error:
        inputs.read(KIT / "bad-input" / f"{case}.conllua")
    assert "\n" not in str(error.value)


@in_kit
@pytest.mark.parametrize("case", ODD)
def test_an_odd_file_of_the_kit_is_read_with_a_warning(case):
    with pytest.warns(RefereeWarning, match=ODD[case]):
        corpus = inputs.read(KIT / "bad-input" / f"{case}.conllua")
    assert entities_of(corpus) == {"toy/ua": {"1": [(0, 2), (3, 4)], "2": [(5, 7), (8, 9)]}}


@in_kit
@pytest.mark.parametrize("case", SAME)
def test_what_makes_no_difference_reads_the_same(case):
    assert inputs.read(KIT / "bad-input" / f"{case}.conllua") == inputs.read(KIT / "bad-input" / "ua-ok.conllua")


@in_kit
def test_a_file_without_a_document_is_compared_with_the_only_one_of_the_key():
    e = score(KIT / "bad-input" / "ua-ok.conllua", KIT / "bad-input" / "ua-no-newdoc.conllua")
    assert e["lea"].f1 == 1


@in_kit
def test_a_document_of_another_name_is_compared_by_its_text():
    with pytest.warns(RefereeWarning, match=r"paired 1 by their texts \(toy/ua with toy/xx\)$"):
        assert score(KIT / "bad-input" / "ua-ok.conllua", KIT / "bad-input" / "ua-other-newdoc.conllua")["lea"].f1 == 1


@in_kit
def test_a_repeated_id_of_the_kit_makes_a_markable_of_two_parts():
    corpus = inputs.read(KIT / "bad-input" / "ua-duplicate-markable-id.conllua")
    assert parts_of(corpus) == [((0, 2), (3, 4)), ((5, 7),), ((8, 9),)]


@in_kit
@pytest.mark.parametrize("case", MISMATCHED)
def test_a_file_that_does_not_fit_its_key_is_noticed(case):
    with silenced(), pytest.raises(MismatchError, match=MISMATCHED[case]):
        score(KIT / "bad-input" / "ua-ok.conllua", KIT / "bad-input" / f"{case}.conllua")


def files(*patterns):
    return [
        path
        for pattern in patterns
        for path in sorted(KIT.glob(pattern))
        if path.suffix in (".key", ".sys", ".response", ".gz")
    ]


@in_kit
@pytest.mark.filterwarnings("ignore:.*left out:referee.basics.exceptions.RefereeWarning")
def test_every_valid_file_of_the_kit_reads_and_reads_again():
    found = files("ua-own/*", "ua-own/split-random/*", "ua-tests/plural-tests/*", "corefud-tests/tests-ua/**/*")
    assert len(found) > 300
    for path in found:
        if path.name != "split-cycle.sys":
            corpus = inputs.read(path)
            assert read_again(corpus, "ua") == corpus, path


@in_kit
def test_a_cycle_in_the_kit_is_named():
    with pytest.raises(FormatError, match=r"split-cycle.sys:4: .*among its own elements: 1 < 1"):
        inputs.read(KIT / "ua-own" / "split-cycle.sys")


@in_kit
def test_seventy_documents_are_read_and_read_again():
    corpus = inputs.read(KIT / "gum-by-ua" / "gumby.key.conllua.gz", format="ua")
    assert len(corpus.doc_ids) == 70
    assert read_again(corpus, "ua") == corpus


def test_numbers_and_relations_that_are_odd_read_the_same_again():
    rows = "1\tAnn" + "\t_" * 8 + "\t(EntityID=1|MarkableID=m1)\t_\n2\tBo" + "\t_" * 8 + "\t(EntityID=2|MarkableID=m2)\t"
    rows += "(MarkableID=m2|Rel=a@b, c=d|MentionAnchor=m1|EntityAnchor=1)\n"
    node = "\n2.1\t_\t_\t_\t_\t_\t_\t_\t1:nsubj\t_\t(EntityID=1|MarkableID=m3)\n"  # a sentence of an empty node
    corpus = inputs.read(Source("x", f"# newdoc id = d\n{rows}{node}".encode()), format="ua")
    assert list(corpus.bridging.relation) == ["a@b, c=d"]
    assert read_again(corpus, "ua") == corpus
