"""Mentions that are marked in any of the ways in which models mark them are those that were written; other texts have none."""

import json
import re

import pytest
from hypothesis import given, strategies as st

from referee import FormatError, RefereeWarning, read, score
from referee.answers.notations import notation_of
from referee.corpus import CorpusBuilder
from referee.formats.shared.source import Source
from tests.support.answers import Text, nesting
from tests.support.examples import examples
from tests.support.mutations import limited

TEXT = "Anna bought a new car . She likes it because the car is fast . Her brother Tom drives it too ."
WORDS = TEXT.split()
MENTIONS = [(0, 1, 0), (2, 5, 1), (6, 7, 0), (8, 9, 1), (10, 12, 1), (15, 18, 2), (15, 16, 0), (19, 20, 1)]

LABELS = {
    "numbers": "1 2 3",
    "lowered": "₁ ₂ ₃",
    "raised": "¹ ² ³",
    "letters": "e1 e2 e3",
    "types": "PERSON_1 OBJECT_2 PERSON_3",
    "words": "Entity-1 Entity-2 Entity-3",
}
NAMES = ("Anna car Tom", "anna the_car her_brother")

SPELLINGS = {
    "behind": """
        [x](1)  [x]{1}  [x]_1  [x]_{1}  [x]1  [x]^1  [x]^{1}  [x]#1  [x]<1>  [x][1]  [x]@1  [x]:1  [x]<sub>1</sub>  [x]$_1$
        (x)1  (x)_1  {x}1  {x}_1  ((x))_1  [[x]]_1  [[x]](1)  {{x}}1  **x**[1]  **x**(1)  *x*[1]  _x_[1]  `x`[1]  【x】1
        <m>x</m>1  <m>x</m>[1]  <entity>x</entity>#1  <b>x</b>_1  [x]~(1)  **x**~(1)
    """,
    "last": """
        [x:1]  [x#1]  [x/1]  [x@1]  [x=1]  [x_1]  [x->1]  [x→1]  [x;1]  [x^1]  {x|1}  {{x|1}}  [[x|1]]  <x|1>  (x|1)  【x|1】
        {x:1}  <m>x:1</m>  **x~(1)**  **x:1**  [x:~1]  [x~@1]  [x,~1]  [x~(1)]  [x~->~1]  (x:~1)  <m>x~(1)</m>
    """,
    "first": "[1~x]  [1:~x]  [1:x]  [1|x]  [#1~x]  (1~x)  (1:~x)  {1:~x}  {1|x}  [[1|x]]  [[1~x]]  <m>1:~x</m>",
    "elements": """
        [1]~x~[/1]  [1]x[/1]  {1}x{/1}  <1>x</1>  <1>x</>  <m~1>x</m>  <m=1>x</m>  <m~id=1>x</m>  <m~id='1'>x</m>
        <entity:1>x</entity>  <entity_1>x</entity_1>  <entity1>x</entity1>  <entity~id="1">x</entity>  <span~class="1">x</span>
        <mark~data-entity="1">x</mark>  <entity~id="1"~type="A">x</entity>  <m~type="A"~cluster="1">x</m>  <a~href="#1">x</a>
        <mention~id="1"~chain="1">x</mention>  [entity~id=1]x[/entity]
    """,
    "tanl": "[x|1]  [x~|~1]",
    "actions": "<m>x|1</m>",
}
"""`x` stands for a mention, `1` for its label, `~` for a blank."""
SPELLED = [spelling.replace("~", " ") for of in SPELLINGS.values() for spelling in of.split()]
NAMED = ["[x](1)", "[x]{1}", "[x]_1", "[x]#1", "[x]@1", "[x][1]", "**x**[1]", "[x|1]", "{x|1}", "[x -> 1]", "[x=1]"]
NAMED += ['<entity id="1">x</entity>', "<m name='1'>x</m>", "<m id=1>x</m>"]


def spelt(words, mentions, spelling):
    """A text whose mentions nest, longer ones first, in a spelling: `x` is a mention, `1` its label."""
    begin, end = re.split("(?<![a-z])x(?![a-z])", spelling)
    before, after = [""] * (len(words) + 1), [""] * (len(words) + 1)
    for start, stop, label in mentions:
        before[start] += begin.replace("1", label)
        after[stop] = end.replace("1", label) + after[stop]
    return " ".join(before[n] + word + after[n + 1] for n, word in enumerate(words))


def key_of(words, mentions):
    builder = CorpusBuilder("key")
    builder.document("d", words, [0])
    for mention in mentions:
        builder.mention(*mention)
    return builder.corpus()


KEY = key_of(WORDS, [(start, end, str(entity)) for start, end, entity in MENTIONS])


def assert_perfect(text, key=KEY, format=None):
    """All scores of an answer are 1, and nothing was repaired."""
    response = read(Source("a.txt", text.encode()), format=format)
    found = score(key, response, metrics=["lea", "mentions"])
    assert response.format == "tagged"
    assert (found["mentions"].value, found["lea"].value, dict(found.pair.repairs)) == (1.0, 1.0, {}), text


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("spelling", SPELLED)
def test_each_spelling_is_read_without_being_named(spelling, labels):
    text = spelt(WORDS, [(start, end, LABELS[labels].split()[entity]) for start, end, entity in MENTIONS], spelling)
    assert_perfect(text if labels < "m" else text.replace(" .", "."))


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("spelling", NAMED)
def test_names_may_be_labels(spelling, names):
    assert_perfect(spelt(WORDS, [(start, end, names.split()[entity]) for start, end, entity in MENTIONS], spelling))


def test_ids_of_mentions_and_of_earlier_ones_are_entities():
    ids = ["1", "2", '3" ref="1', '4" ref="2', '5" ref="4', "6", '7" ref="3', '8" ref="5']
    mentions = [(start, end, id_) for (start, end, _), id_ in zip(MENTIONS, ids, strict=True)]
    text = spelt(WORDS, mentions, "<mention id='1'>x</mention>".replace("'", '"'))
    assert_perfect(text)
    assert_perfect(json.dumps({"doc_id": "d", "text": text}))


@pytest.mark.parametrize("around", ["<text>{}</text>", '<document id="d1"><p>{}</p></document>', "<root>\n<s>{}</s>\n</root>"])
def test_elements_around_the_text_are_no_mentions(around):
    text = spelt(WORDS, [(start, end, str(entity)) for start, end, entity in MENTIONS], '<entity id="1">x</entity>')
    assert_perfect(around.format(text))


@pytest.mark.parametrize("spelling", ["[x]_1", "[x](#1)", "[x: 1]", "[1: x]", "{x|1}"])
def test_brackets_of_the_text_may_be_missing(spelling):
    key = key_of(["He", "[", "Tom", "]", "fed", "him", "."], [(0, 1, "1"), (2, 3, "1"), (5, 6, "2")])
    words = [(0, 1, "1"), (1, 2, "1"), (3, 4, "2")]
    with pytest.warns(RefereeWarning, match=r"repaired: [12] missing words$"):
        found = score(key, read(Source("a.txt", spelt(["He", "Tom", "fed", "him", "."], words, spelling).encode())))
    assert found["lea"].value == 1.0


@pytest.mark.parametrize("spelling", ["[x]_1", "{x|1}", "[1: x]", '<m id="1">x</m>'])
def test_what_an_answer_says_around_the_text_is_counted(spelling):
    text = spelt(WORDS, [(start, end, str(entity)) for start, end, entity in MENTIONS], spelling)
    said = f"Sure! Here is the annotated text:\n```\n{text}\n```\nI hope that this helps."
    with pytest.warns(RefereeWarning, match="passage beside the answer left out"):
        found = score(KEY, read(Source("a.txt", said.encode())))
    assert found["lea"].value == 1.0
    assert found.pair.repairs["code fences removed"] == 2


def test_an_answer_that_stops_early_is_completed():
    for text in ("[Anna](1) met [Tom](2). [She](1) saw [him](2", "{Anna|1} met {Tom|2}. {She|1} saw {him|2"):
        key = key_of(["Anna", "met", "Tom", ".", "She", "saw", "him"], [(0, 1, "a"), (2, 3, "t"), (4, 5, "a"), (6, 7, "t")])
        with pytest.warns(RefereeWarning, match="1 closing mark completed"):
            assert score(key, read(Source("a.txt", text.encode())))["lea"].value == 1.0


@pytest.mark.parametrize("text", ["Anna₀ met Tom₁. She₀ saw him₁", "Anna[1] met Tom[2]. She[1] saw him[2]"])
def test_labels_behind_words_are_no_marks(text):
    """They do not say where mentions begin."""
    with pytest.raises(FormatError, match="looks like none"):
        read(Source("a.txt", text.encode()))
    with pytest.raises(FormatError, match="no marks of mentions; expected one of the notations links, numbered"):
        read(Source("a.txt", text.encode()), format="tagged")


@pytest.mark.parametrize("spelling", ["[x]_1", "[x](1)", "[x]{1}", "[x:1]", "[1:x]", "(x)_1", "{x|1}", "(x|1)", "<m>x</m>1"])
def test_brackets_and_numbers_of_the_text_are_words(spelling):
    text = "He saw [ sic ] 3 1 car in [ 2 ] ( the other ) and Tom { 4 } ; he said : 7 / 8 of it | x"
    words = text.split()
    mentions = [(0, 1, "1"), (5, 8, "2"), (17, 22, "3"), (17, 18, "1"), (22, 23, "1"), (29, 30, "2")]
    assert_perfect(spelt(words, mentions, spelling), key_of(words, mentions))


VOCABULARY = ("Ann", "the", "it", "3", "21", ".", "'s", "–", "Müller", "a-b", ";", "saw", "owl")


@pytest.mark.parametrize(
    ("notation", "spelling"),
    [
        *(("behind", spelling) for spelling in ("[x]_1", "[x]{1}", "{x}1", "<m>x</m>[1]", "**x**[1]")),
        *(("last", spelling) for spelling in ("[x:1]", "{x|1}", "[[x|1]]")),
        *(("first", spelling) for spelling in ("[1: x]", "{1|x}")),
        *(("elements", spelling) for spelling in ("<1>x</1>", "[1]x[/1]", "<m id='1'>x</m>")),
    ],
)
def test_random_texts_are_read_as_they_were_written(notation, spelling):
    @examples(0.4)
    @given(st.randoms(use_true_random=False), st.integers(8, 60))
    def check(rng, length):
        words = [rng.choice(VOCABULARY) for _ in range(length)]
        spans = [sorted(rng.sample(range(length + 1), 2)) for _ in range(length)]
        mentions = [(start, end, str(rng.randrange(1, 9))) for start, end in spans if end - start < 8]
        text = nesting(Text("d", words, mentions))
        if text.mentions:
            answer = spelt(words, text.mentions, spelling)
            assert_perfect(answer, key_of(words, text.mentions), f"tagged:{notation}")

    check()


@pytest.mark.parametrize(
    "text",
    [
        "A quotation [sic] with a [note] and another [note].",
        "The first claim [1] and the second [2], and again the first [1].",
        "Paris[1] is a city.[2] Rome[1] is one, too.[3]",
        "It was built (2019), and rebuilt (2020), and again (2019).",
        "See [the site](https://example.org) and [the site](https://example.org), or [a page](page.html) of [ours](page.html).",
        "He stayed for (2 weeks), then (3 days), then (2 weeks) more of it all.",
        "x = f(a)[0] + g(b)[0] + h(c)[1]\ny = f(a)[1] + g(b)[0]",
        "def __init__(self): pass\ndef __str__(self): pass\ndef __len__(self): return 1",
        "| Name | Number |\n|---|---|\n| Anna | 1 |\n| She | 1 |",
        "(Anna, 1), (She, 1), (a new car, 2), (it, 2)",
        "[Anna: 1] [She: 1] [a new car: 2] [it: 2]",
        "- **Anna** (1)\n- **She** (1)\n- **a new car** (2)\n",
        "<p class='note'>Some words here</p> and <p class='note'>others</p> that follow.",
        "<b>Bold words</b> and <i>others</i> beside <b>bold ones</b>.",
        "[00:01 Anna] Good morning to you all. [00:07 Tom] And to you, too.",
        "The compounds (NH4)2SO4 and (CH3)2CO are here, and (NH4)2SO4 again, with (CH3)2CO.",
        "In the beginning (Gen 1:1) and in the end (Rev 1:1) there were words (Joh 1:1) for it.",
        '{"a": 1, "b": 1}',
        '[["Anna", 1], ["She", 1], ["it", 2]]',
        "cluster_1,item_1\ncluster_1,item_2\ncluster_2,item_3",
        "",
    ],
)
def test_other_texts_have_no_marks(text):
    assert notation_of(text) is None


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "<",
        "{",
        "((",
        "]1",
        "[a]1",
        "[1 ",
        "[a|1",
        "(a)1 ",
        "<1>x</2>",
        "</a>",
        "<a b='",
        "₁",
        "a₁ ",
        "**",
        "*[1]",
        "_1",
        ",a",
    ],
)
def test_a_text_of_nothing_but_marks_takes_no_time_that_grows_with_its_square(unit):
    with limited(2):
        notation_of(unit * (120_000 // len(unit)))


def test_depth_and_labels_of_any_length_are_harmless():
    deep = "Anna " + "[" * 20_000 + "x" + "]_1" * 20_000
    long = "[Anna]_" + "9" * 20_000 + " met [Tom]_" + "9" * 20_000
    for text in (deep, long):
        with limited(2):
            notation_of(text)
