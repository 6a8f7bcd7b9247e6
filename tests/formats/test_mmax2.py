from pathlib import Path

import pytest

from referee import inputs
from referee.basics.exceptions import FormatError, RefereeWarning
from referee.corpus.columns import MENTION_TYPES
from referee.formats.shared.source import Source
from tests.support.reading import entities_of, links_of, source_of

PROJECT = '<?xml version="1.0"?>\n<mmax_project>\n<words>{}_words.xml</words>\n<keyactions/>\n</mmax_project>\n'
WORDS = ["Dagmar", "Ziegler", "weiß", "das", ".", "Die", "Ministerin", "sagt", ",", "sie", "müsse", "es"]


def words_of(words):
    rows = "".join(f'<word id="word_{n}">{word}</word>\n' for n, word in enumerate(words, start=1))
    return f'<?xml version="1.0"?>\n<!DOCTYPE words SYSTEM "words.dtd">\n<words>\n{rows}</words>\n'


def level_of(*markables, name="coref"):
    rows = "".join(f"<markable {markable} />\n" for markable in markables)
    head = '<?xml version="1.0"?>\n<!DOCTYPE markables SYSTEM "markables.dtd">\n'
    return f'{head}<markables xmlns="www.eml.org/NameSpaces/{name}">\n{rows}</markables>\n'


def project(folder, name="p", *, words=None, small=False, **levels):
    """The .mmax file of a project with these levels."""
    basedata, markables = (folder / n for n in (("basedata", "markables") if small else ("Basedata", "Markables")))
    basedata.mkdir(exist_ok=True)
    markables.mkdir(exist_ok=True)
    (folder / f"{name}.mmax").write_text(PROJECT.format(name))
    (basedata / f"{name}_words.xml").write_text(words_of(WORDS) if words is None else words)
    for level, text in levels.items():
        (markables / f"{name}_{level}_level.xml").write_text(text)
    return folder / f"{name}.mmax"


# As in ParCorFull.
SETS = level_of(
    'id="markable_8" span="word_6..word_7" coref_class="set_4" mmax_level="coref" mention="np"',
    'id="markable_7" span="word_1..word_2,word_10" coref_class="set_4" mention="np"',
    'id="markable_9" span="word_12" coref_class="empty" type="pleonastic" mention="pronoun"',
    'id="markable_10" span="word_4" coref_class="empty" mention="pronoun"',
)
SENTENCES = level_of('id="markable_1" span="word_6..word_12"', 'id="markable_0" span="word_1..word_5"', name="sentence")


def classes_of(corpus):
    assert corpus.mention_types is not None
    return [MENTION_TYPES[c] for c in corpus.mention_types]


def test_sets_are_entities_and_gaps_are_kept(tmp_path):
    corpus = inputs.read(project(tmp_path, coref=SETS, sentence=SENTENCES))
    assert entities_of(corpus) == {"#1": {"set_4": [(0, 10), (5, 7)], "markable_10": [(3, 4)], "markable_9": [(11, 12)]}}
    assert corpus.spans(0) == ((0, 2), (9, 10))
    assert corpus.documents["#1"].tokens == WORDS
    assert list(corpus.documents["#1"].sentences) == [0, 5]
    assert corpus.referring.tolist() == [True, True, False]
    assert classes_of(corpus) == ["", "pronoun", "", "pronoun"]
    assert corpus.links is None


def test_it_is_told_by_its_root(tmp_path):
    assert inputs.detect(Source(project(tmp_path, coref=SETS))) == "mmax2"


def test_a_folder_of_projects_has_a_document_for_each(tmp_path):
    project(tmp_path, "b", coref=SETS)
    project(tmp_path, "a", coref=level_of('id="markable_1" span="word_1" coref_class="set_1"'))
    corpus = inputs.read(tmp_path)
    assert corpus.doc_ids == ("a", "b")
    assert entities_of(corpus)["a"] == {"set_1": [(0, 1)]}


def antecedents(*rows):
    """A level of markables with these ids, words and attributes."""
    markables = (row.split(" ", 2) for row in rows)
    return level_of(*(f'id="markable_{n}" span="{span}" {rest}' for n, span, rest in markables))


def test_pointers_are_links_and_entities_what_is_linked(tmp_path):
    # As in the Potsdam Commentary Corpus: antecedents may be in other levels, of which the rest is not read.
    primmark = antecedents(
        '3 word_10 anaphor_antecedent="markable_2" np_form="pper"',
        '2 word_6,word_7 anaphor_antecedent="secmark:markable_1" np_form="defnp"',
        '4 word_4 anaphor_antecedent="empty" np_form="pds"',
    )
    secmark = antecedents('1 word_1..word_2 np_form="indefnp"', '4 word_12 np_form="other"')
    corpus = inputs.read(project(tmp_path, small=True, primmark=primmark, secmark=secmark))
    assert entities_of(corpus) == {"#1": {"markable_3": [(0, 2), (5, 7), (9, 10)], "markable_4": [(3, 4)]}}
    assert sorted(links_of(corpus)) == [("Die Ministerin", "Dagmar Ziegler"), ("sie", "Die Ministerin")]
    assert classes_of(corpus) == ["nominal", "pronoun", "nominal", "pronoun"]


def test_a_corea_project_has_heads_bridging_and_sentences_in_its_words(tmp_path):
    words = "".join(
        f'<word id="word_{n}" alppos="{n % 4}">{w}</word>' for n, w in enumerate(["Een", "graan", "en", "het", "meel"])
    )
    path = project(
        tmp_path,
        words=f"<words>{words}</words>",
        np=level_of(
            'id="markable_005" span="word_0..word_1" head="Graan"',
            'id="markable_014" span="word_3..4" ref="markable_5" type="bridge" head="meel"',
            'id="markable_015" span="word_3" ref="markable_5" type="ident" head="het huis"',
        ),
    )
    corpus = inputs.read(path)
    assert entities_of(corpus) == {"#1": {"markable_5": [(0, 2), (3, 4)], "markable_14": [(3, 5)]}}
    assert list(corpus.documents["#1"].sentences) == [0, 4]
    assert dict(zip([m.text for m in corpus.documents["#1"].mentions], corpus.head.tolist(), strict=True)) == {
        "Een graan": 1, "het": -1, "het meel": 4,
    }  # fmt: skip
    texts = [m.text for m in corpus.documents["#1"].mentions]
    assert [(texts[a], texts[b]) for a, b in zip(*corpus.bridging[:2], strict=True)] == [("het meel", "Een graan")]


@pytest.mark.filterwarnings("ignore:.*left out 1 markable of coreference in other levels")
def test_an_arrau_project_has_least_spans_bridging_and_split_antecedents(tmp_path):
    path = project(
        tmp_path,
        coref=level_of(
            'id="markable_1" span="word_1..word_2" min_ids="word_2" coref_set="set_1" reference="new"',
            'id="markable_2" span="word_6..word_7" min_words="ministerin" coref_set="set_2" reference="new" '
            'related_object="yes" related_phrase="markable_1" related_rel="poss"',
            'id="markable_3" span="word_10" coref_set="set_3" reference="old" '
            'multiple_phrase_antecedents="markable_1;markable_2"',
            'id="markable_4" span="word_12" coref_set="set_4" reference="non_referring"',
            'id="markable_5" span="word_4" coref_set="set_4" reference="old"',
            'id="markable_6" span="word_3" coref_set="set_6" reference="non_referring"',
        ),
        phrase=level_of('id="markable_1" span="word_1" single_phrase_antecedent="markable_2"'),
        pos=level_of('id="markable_1" span="word_1" tag="ne"', 'id="markable_1" span="word_2" tag="ne"'),
    )
    corpus = inputs.read(path)
    assert corpus.minimum_span.tolist() == [[1, 2], [-1, -1], [-1, -1], [6, 7], [-1, -1], [-1, -1]]
    assert {label: bool(r) for label, r in zip(corpus.entity_ids, corpus.referring, strict=True)} == {
        "set_1": True, "set_2": True, "set_3": True, "set_4": True, "set_6": False,
    }  # fmt: skip
    assert (corpus.bridging.anaphor.tolist(), corpus.bridging.antecedent.tolist(), corpus.bridging.relation) == (
        [3],
        [0],
        ["poss"],
    )
    split = zip(corpus.split_antecedents.entity, corpus.split_antecedents.element, strict=True)
    assert [(corpus.entity_ids[e], corpus.entity_ids[p]) for e, p in split] == [("set_3", "set_1"), ("set_3", "set_2")]


LETTERS = '<words><word id="word_1">a</word><word id="word_1a">b</word><word id="word_2">c</word></words>'
LEVELS = {
    "of WikiCoref only identity is read": (
        {"coref": antecedents('1 word_1..word_2 coref_class="set_1" coreftype="ident"',
                              '2 word_6..word_7 coref_class="set_1" coreftype="atr"')},
        {"set_1": [(0, 2)]},
    ),
    "ids of words may have letters": (
        {"words": LETTERS, "coref": antecedents('1 word_1..word_1a coref_class="set_1"')}, {"set_1": [(0, 2)]},
    ),
    "a level of which nothing corefers is read": (
        {"np": antecedents("1 word_1 "), "sentence": SENTENCES}, {"markable_1": [(0, 1)]},
    ),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*left out 1 markable whose coreftype")
@pytest.mark.parametrize(("levels", "expected"), LEVELS.values(), ids=LEVELS)
def test_what_is_read(tmp_path, levels, expected):
    assert entities_of(inputs.read(project(tmp_path, **levels))) == {"#1": expected}


def test_without_folders_the_files_are_beside_the_project(tmp_path):
    path = project(tmp_path, coref=SETS)
    for folder in ("Basedata", "Markables"):
        for file in (tmp_path / folder).iterdir():
            file.rename(tmp_path / file.name)
        (tmp_path / folder).rmdir()
    assert len(inputs.read(path).document) == 4


WARNED = {
    **{
        row: (
            {"coref": level_of('id="markable_1" span="word_2" coref_class="set_1"',
                               f'id="markable_2" {row} coref_class="set_1"')},
            warning,
            lambda corpus: len(corpus.document), number,
        )
        for row, warning, number in (
            ('span="word_99"', "left out 1 markable of words that are not there", 1),
            ('span="word_3..word_2"', "left out 1 markable of words that are not there", 1),
            ("", "left out 1 markable of words that are not there", 1),
            ('span="word_1" min_ids="word_2"', "left out 1 minimum span not within the markable", 2),
            ('span="word_1" related_phrase="markable_77"', "left out 1 pointer to what is no other markable", 2),
        )
    },
    "pointers to no markable": (
        {"np": antecedents('1 word_2 ref="markable_1"', '2 word_3 ref="x"')},
        "left out 2 pointers to what is no other markable", links_of, [],
    ),
    "several antecedents": (
        {"np": antecedents("1 word_1 ", "2 word_2 ", '3 word_10 ref="markable_2;markable_1"')},
        "took the first antecedent of 1 markable with several", links_of, [("sie", "Ziegler")],
    ),
    "antecedents of other names": (
        {"primmark": antecedents(
            '1 word_1 identical_antecedent="empty" nident_antecedent="empty"',
            '2 word_10 identical_antecedent="markable_1" bridging_antecedent="empty"',
            '3 word_4 bridging_antecedent="markable_1" nident_antecedent="markable_2"',
        )},
        r"ignored 1 attribute of markables \(nident_antecedent\)",
        lambda corpus: (links_of(corpus), entities_of(corpus), len(corpus.bridging.anaphor)),
        ([("sie", "Dagmar")], {"#1": {"markable_1": [(0, 1), (9, 10)], "markable_3": [(3, 4)]}}, 1),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("levels", "warning", "view", "expected"), WARNED.values(), ids=WARNED)
def test_what_cannot_be_is_left_out_with_a_warning(tmp_path, levels, warning, view, expected):
    path = project(tmp_path, **levels)
    with pytest.warns(RefereeWarning, match=f"p.mmax: {warning}$"):
        corpus = inputs.read(path)
    assert view(corpus) == expected


TWICE = '<words><word id="word_1">a</word>\n<word id="word_1">b</word></words>'
EVIL = '<!DOCTYPE m [<!ENTITY e SYSTEM "/etc/passwd">]>\n<markables>&e;</markables>'
REFUSED = {
    r"p.mmax: p_coref_level.xml, line 5: found the markable id 'markable_1' twice": {
        "coref": antecedents('1 word_2 coref_class="set_1"', '1 word_2 coref_class="set_1"'),
    },
    "p.mmax: p_words.xml, line 1: found the word id 'word_1' twice": {
        "words": TWICE, "coref": antecedents('1 word_1 coref_class="set_1"'),
    },
    r"p.mmax: has no level with coreference \(levels: none\); expected one with any of the attributes coref_class": {},
    "p_coref_level.xml:2: is no well-formed XML": {"coref": "<markables>\n<<<<<<< HEAD\n</markables>"},
    "p_coref_level.xml:1: declares an XML entity": {"coref": EVIL},
    "p.mmax: an entity is among its own split antecedents: set_1 < set_1; expected none": {
        "coref": antecedents('1 word_2 coref_set="set_1" multiple_phrase_antecedents="markable_1"'),
    },
}  # fmt: skip


def refused(path, problem):
    with pytest.raises(FormatError, match=problem) as error:
        inputs.read(path)
    assert "\n" not in str(error.value)
    assert len(inputs.validate(path)) == 1


@pytest.mark.parametrize(("problem", "levels"), REFUSED.items())
def test_a_fault_names_the_file(tmp_path, problem, levels):
    refused(project(tmp_path, **levels), problem)


@pytest.mark.parametrize("name", ["p", "../../secret"])
def test_a_project_needs_its_words_and_names_no_files_elsewhere(tmp_path, name):
    path = project(tmp_path, coref=SETS)
    path.write_text(PROJECT.format(name))
    (tmp_path / "Basedata/p_words.xml").unlink()
    refused(path, f"p.mmax: needs the words in {Path(name).name}_words.xml; found none in .*Basedata")


def test_standard_input_is_not_enough():
    with pytest.raises(FormatError, match=r"^x: needs the files of its project beside it"):
        inputs.read(source_of(PROJECT.format("p")))


COMMON_PATHS = """<?xml version="1.0"?>
<!DOCTYPE common_paths>
<common_paths>
<basedata_path>{}</basedata_path>
<markable_path>{}</markable_path>
<annotations><level name="mentions" schemefile="m.xml">{}</level></annotations>
</common_paths>
"""
ANTECEDENTS = level_of('id="markable_1" span="word_1"', 'id="markable_2" span="word_10" anaphor_antecedent="markable_1"')


@pytest.mark.parametrize(
    ("said", "folders", "file"),
    [
        (("../basedata/", "./markables/", "$_mentions_level.xml"), ("basedata", "a/markables"), "p_mentions_level.xml"),
        (("..\\Words", "../x/y/", "of_$.xml"), ("words", "x/y"), "of_p.xml"),
        (("/home/ann/basedata", "C:\\markables", "$.xml"), ("a/Basedata", "a/Markables"), "p.xml"),
        (("", "", "$_np_level.xml"), ("a", "a"), "p_np_level.xml"),
    ],
)
def test_folders_and_levels_are_where_common_paths_says(tmp_path, said, folders, file):
    for folder in ("a", *folders):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    (tmp_path / "a/p.mmax").write_text(PROJECT.format("p"))
    (tmp_path / "a/common_paths.xml").write_text(COMMON_PATHS.format(*said))
    (tmp_path / folders[0] / "p_words.xml").write_text(words_of(WORDS))
    (tmp_path / folders[1] / file).write_text(ANTECEDENTS)
    (tmp_path / folders[1] / f"{file}.bak").write_text("<not read")
    for path in (tmp_path / "a/p.mmax", tmp_path / "a"):
        assert [*entities_of(inputs.read(path)).values()] == [{"markable_1": [(0, 1), (9, 10)]}]
