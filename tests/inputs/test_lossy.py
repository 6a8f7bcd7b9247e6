"""`--lossy`: whatever a format cannot hold is left out or changed, and counted; without it, it is refused in one line."""

import json
import re
import warnings
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import inputs
from referee.basics.exceptions import FormatError, OptionError, RefereeWarning
from referee.basics.options.reading import ReadOptions
from referee.corpus import CorpusBuilder
from referee.corpus.corpus import FEATURES
from referee.corpus.layers import Links
from referee.corpus.lossy import without
from referee.corpus.text import Text
from referee.formats.shared.losses import Losses
from referee.inputs import registry
from referee.inputs.writing import convert
from tests.support.annotated import EVERYTHING, rich_corpora
from tests.support.command import referee
from tests.support.examples import examples
from tests.support.paths import SHARED
from tests.support.raw_texts import raw_cases, raw_of
from tests.support.reading import entities_of, read_text
from tests.support.strategies import NAMES, PADDED, item_corpora

WRITTEN = inputs.written()
OF_WORDS = [name for name in WRITTEN if "words" in registry.load_format(name).writable]
WITHOUT_WORDS = [name for name in WRITTEN if name not in OF_WORDS]
FEATURES_OF_OTHERS = {name: set(FEATURES) - set(registry.load_format(name).writable) - {"items"} for name in OF_WORDS}

ODD_WORDS = [
    *("{", "}", "a{b", "a}", "", " ", "a b", "a\tb", "\\n", "a\\nb", "#"),
    *("#x", "*", "**", "\u2028", "a\x00", "\xa0", "<", "|", "_", "(", "a\nb"),
]
ODD_NAMES = [
    *("a b", " a", "a ", "a\tb", "a\nb", "..", ".x", "a/b", "/a", "a//b"),
    *("A", "a", "a\\b", "x" * 300, "a; part 1", "(a)", "#2", "a)", "\x01"),
]
ODD_TYPES = ["Mention", "two words", "a;b", "pro", "NAM", "a\tb", "a|b[1]", "*", "_", ""]
ODD_ITEMS = NAMES | st.sampled_from([word for word in ODD_WORDS if word.strip()] + ["a-", "-a", "a--b", "\ufeffa"])
ODD_RELATIONS = ["a|b", "a,b", "a b", "(a)", "a<b", "\x02", ""]


@st.composite
def odd_corpora(draw):
    """Corpora with all that annotation may have, and with words, names, types and relations that some formats cannot hold."""
    corpus = draw(rich_corpora(draw(st.sampled_from([EVERYTHING, {"spans", "words", "entity types"}, {"spans", "words"}]))))
    random = Random(draw(st.integers(0, 2**32 - 1)))
    share = draw(st.sampled_from([0.0, 0.2, 0.6]))

    def some(odd, given):
        return [random.choice(odd) if random.random() < share else each for each in given]

    names = some(ODD_NAMES, corpus.doc_ids)
    corpus = corpus if len(set(names)) < len(names) else corpus.on_documents(tuple(names), np.arange(len(names)))
    if corpus.text is not None:
        corpus = replace(
            corpus, text=Text.of([words._replace(tokens=some(ODD_WORDS, words.tokens)) for words in corpus.text.words])
        )
    if corpus.entity_types is not None:
        corpus = replace(corpus, entity_types=some(ODD_TYPES, corpus.entity_types))
    if corpus.bridging is not None:
        corpus = replace(corpus, bridging=corpus.bridging._replace(relation=some(ODD_RELATIONS, corpus.bridging.relation)))
    if random.random() < 0.3 and len(corpus.document) > 1:
        pairs = [sorted(random.sample(range(len(corpus.document)), 2)) for _ in range(4)]
        first, second = (
            np.array([(a, b) for a, b in pairs if corpus.entity[a] == corpus.entity[b]], dtype=np.int64).reshape(-1, 2).T
        )
        corpus = replace(corpus, links=Links(corpus.document[first], first, second))
    return corpus


def converted(corpus, name):
    """What is read of the corpus as it was written with --lossy, its documents in their order, and what was said about it."""
    with TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        path = Path(folder, "x")
        inputs.write(corpus, path, format=name, lossy=True)
        said = [str(warning.message) for warning in caught]
        again = inputs.read(path, format=name, options=ReadOptions(nulls="keep") if name in ("csv", "tsv") else None)
        assert again.text is None or again.text.words is not None  # read before the folder is gone
    if registry.load_format(name).document_ending and len(corpus.doc_ids) > 1:  # a folder, read in the order of names
        number = {file: n for n, file in enumerate(again.doc_ids)}
        stays = [number.pop(document, -1) for document in corpus.doc_ids]
        others = iter(number.values())  # of one name that was changed we know the place
        order = [n if n >= 0 else next(others) for n in stays]
        again = again.select_documents(np.array(order, dtype=np.int64)) if stays.count(-1) < 2 else again
    return again, "\n".join(line for line in said if re.search(r"(left out|changed) what \S+ cannot hold: ", line))


def number_of(said, what):
    """How many of something were left out or changed, as it was said."""
    return sum(map(int, re.findall(rf"([0-9]+) {what}", said, re.MULTILINE)))


def spans_of(corpus):
    rows = enumerate(zip(corpus.document.tolist(), corpus.entity.tolist(), strict=True))
    return [(document, entity, corpus.spans(mention)) for mention, (document, entity) in rows]


@pytest.mark.parametrize("name", OF_WORDS)
def test_no_annotation_is_refused_and_what_is_gone_or_changed_is_counted(name):
    seen = Counter()

    @examples(2)
    @given(odd_corpora())
    def check(corpus):
        again, said = converted(corpus, name) if corpus.doc_ids else (corpus, "")
        seen["whole"] += not said
        seen["not whole"] += bool(said)
        if not said:
            assert again == corpus or (registry.load_format(name).document_ending and len(corpus.doc_ids) == 1)
            return
        gone = number_of(said, "documents? without words")
        assert len(again.doc_ids) == len(corpus.doc_ids) - gone
        given = without(corpus, FEATURES_OF_OTHERS[name])
        lost = number_of(said, r"(?:crossing )?mentions?(?! types?)(?=[ ,;]|$)")
        assert len(again.document) == len(given.document) - lost, said
        if gone or again.doc_ids != given.doc_ids:
            return
        # Each mention that is left is one of the corpus, and each entity is of mentions of one entity.
        entities = {}
        places = {}
        for document, entity, spans in spans_of(given):
            places.setdefault((document, spans), []).append(entity)
        for document, entity, spans in spans_of(again):
            entities[entity] = entities.get(entity, set(places[document, spans])) & set(places[document, spans])
        assert all(entities.values())
        assert changes(given, again, lambda c: [token for words in c.text.words for token in words.tokens]) == number_of(
            said, "words?"
        )
        seen["compared"] += 1

    check()
    assert seen["compared"]
    assert seen["whole"]


def changes(before, after, of):
    return sum(a != b for a, b in zip(of(before), of(after), strict=True))


@pytest.mark.parametrize("name", WITHOUT_WORDS)
@given(corpus=st.one_of(odd_corpora(), item_corpora(documents=NAMES | PADDED, names=ODD_ITEMS, linked=True)))
def test_no_names_are_refused(name, corpus):
    if not corpus.doc_ids or (corpus.items and "items" not in registry.load_format(name).writable):
        return
    again, said = converted(corpus, name)
    given = without(corpus, {"empty nodes", "non-referring"})
    assert len(again.document) == len(given.document)
    assert Counter(sorted(again.entity_size.tolist())) == Counter(sorted(given.entity_size.tolist()))
    if given.links is not None and name == "links":
        before, after = len(given.links.first), 0 if again.links is None else len(again.links.first)
        assert before - after == number_of(said, "links?(?! as)")


# What it is refused with otherwise.


@given(corpus=odd_corpora(), name=st.sampled_from(OF_WORDS))
def test_what_is_refused_is_refused_in_a_line_that_names_the_option_and_nothing_is_written(corpus, name):
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", RefereeWarning)
        path = Path(folder, "x")
        try:
            inputs.write(corpus, path, format=name)
        except FormatError as error:
            assert str(error).endswith("or --lossy (lossy=True) to leave that out")
            assert "\n" not in str(error)
            assert not [*Path(folder).iterdir()]


CASES = {
    "cross": ({"sentences": [["Mira", "Olden", "Tarn", "sings"]], "clusters": [[[0, 1], [3, 3]], [[1, 2]]]}, "sacr muc"),
    "sentences": (
        {"sentences": [["Tale", "of"], ["an", "owl", "."], ["It", "sang", "."]], "clusters": [[[0, 3], [5, 5]], [[2, 3]]]},
        "sacr muc preco corefud",
    ),
    "brace": ({"sentences": [["{noise", "Mira", "sings"], ["She"]], "clusters": [[[1, 1], [3, 3]]]}, "sacr"),
}
LEFT_OUT = {
    "cross": "left out what {} cannot hold: 1 crossing mention",
    "sentences": "left out what {} cannot hold: 1 mention over the end of a sentence",
    "brace": "changed what {} cannot hold: 1 word",
}


@pytest.mark.parametrize(("case", "name"), [(case, name) for case, (_, names) in CASES.items() for name in names.split()])
def test_real_causes_of_refusals(case, name, tmp_path):
    corpus = read_text(json.dumps({"doc_key": "d", **CASES[case][0]}), "jsonlines")
    with pytest.raises(FormatError, match=r"cannot .* or --lossy"):
        inputs.write(corpus, tmp_path / "x", format=name)
    assert not [*tmp_path.iterdir()]
    with pytest.warns(RefereeWarning) as caught:
        inputs.write(corpus, tmp_path / "x", format=name, lossy=True)
    assert [str(warning.message) for warning in caught] == [f"x: {LEFT_OUT[case].format(name)}"]
    again = inputs.read(tmp_path / "x")
    assert len(again.document) == len(corpus.document) - (case != "brace")
    if case == "brace":
        assert list(again.documents["d"].tokens) == ["-LCB-noise", "Mira", "sings", "She"]


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("lossy-cross-sentence/a.jsonlines", "corefud muc sacr preco"),
        ("lossy-still-refused/brace.jsonlines", "sacr"),
        ("lossy-still-refused/cross.jsonlines", "sacr muc"),
        ("lossy-still-refused/repeat.jsonlines", "sacr links conll"),
        ("webanno-self-bridging/a.tsv", "corefud ua"),
    ],
)
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_inputs_that_blocked_whole_corpora(path, to, tmp_path):
    source = SHARED / "field/formats" / path
    if not source.exists():
        pytest.skip("the inputs are not here")
    for name in to.split():
        convert(source, tmp_path / name, to=name, lossy=True)
        assert len(inputs.read(tmp_path / name, format=name).document)


def test_links_of_a_name_that_is_listed_twice_are_left_out(tmp_path):
    builder = CorpusBuilder("x")
    builder.document("d")
    a, _, b, c = (builder.item(name, label) for name, label in (("a", "1"), ("a", "2"), ("b", "1"), ("c", "1")))
    builder.link(a, b)
    builder.link(b, c)
    with pytest.raises(FormatError, match=r"x: has 1 link .*'a' of entity 1.*, which links cannot hold; .* --lossy"):
        inputs.write(builder.corpus(), tmp_path / "x", format="links")
    with pytest.warns(RefereeWarning, match="x: left out what links cannot hold: 1 link$"):
        inputs.write(builder.corpus(), tmp_path / "x", format="links", lossy=True)
    again = inputs.read(tmp_path / "x")
    assert sorted(map(sorted, entities_of(again)["d"].values())) == [["a"], ["a", "b", "c"]]


def test_nothing_is_on_standard_output_before_all_is_written(tmp_path):
    good = {"doc_key": "a", "sentences": [["Mira", "sings"]], "clusters": [[[0, 0]]]}
    bad = {"doc_key": "b", "sentences": [["Mira", "Olden"], ["sings"]], "clusters": [[[0, 2]]]}
    (tmp_path / "x.jsonlines").write_text(f"{json.dumps(good)}\n{json.dumps(bad)}\n", encoding="utf-8")
    for name in ("corefud", "muc", "sacr", "preco"):
        done = referee("convert", "x.jsonlines", "-", "--to", name, cwd=tmp_path)
        assert (done.status, done.out, len(done.errors)) == (2, "", 1)


@pytest.mark.parametrize("text", ["old", None])
def test_a_text_that_cannot_be_written_leaves_no_annotation(text, tmp_path):
    corpus = read_text('{"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0]]]}', "jsonlines")
    if text:
        (tmp_path / "x.txt").write_text(text, encoding="utf-8")
    else:
        (tmp_path / "x.txt").symlink_to(tmp_path / "x.txt")
    with pytest.raises(OptionError):
        inputs.write(corpus, tmp_path / "x.ann")
    assert not (tmp_path / "x.ann").exists()


@given(case=raw_cases(), name=st.sampled_from(["brat", "webanno", "labelstudio"]), odd=st.sampled_from(["\x00", "\ud800"]))
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_characters_of_a_text_are_changed_one_for_one(case, name, odd):
    text = case.text.replace("A", odd)
    corpus = case._replace(text=text).corpus()
    again, said = converted(corpus, name)
    unholdable = odd in ("\x00", "\ud800") if name != "labelstudio" else odd == "\ud800"
    assert raw_of(again).text == (text.replace(odd, "\ufffd") if unholdable else text)
    assert number_of(said, "characters? of the text") == text.count(odd) * unholdable


def test_what_is_told():
    losses = Losses(CorpusBuilder("x").corpus())
    assert losses.described("x") == ""
    assert losses.described("x", ["links"]) == "left out what x cannot hold: links"
    losses.changed["word", ""] += 1
    assert losses.described("x") == "changed what x cannot hold: 1 word"
    losses.left_out["mention", " over the end of a sentence"] += 2
    assert losses.described("x", ["links"]) == (
        "left out what x cannot hold: links and 2 mentions over the end of a sentence; changed 1 word"
    )


def test_what_is_lost_with_empty_nodes_is_counted(tmp_path):
    rows = [
        f"{number}\tx\t_\t_\t_\t_\t0\tdep\t_\t{misc}\n" for number, misc in (("1", "Entity=(e1"), ("1.1", "Entity=(e2)e1)"))
    ]
    (tmp_path / "key.conllu").write_text("# global.Entity = eid\n" + "".join(rows))
    with pytest.warns(
        RefereeWarning, match=r"empty nodes \(1\) and 1 zero; changed 1 span over empty nodes, so that they do not match"
    ):
        convert(tmp_path / "key.conllu", tmp_path / "key.jsonlines", lossy=True)
