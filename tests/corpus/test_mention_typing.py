"""Types of mentions that nobody annotated: by parts of speech, by words."""

import json

import pytest

from referee import read
from referee.corpus import MENTION_TYPES, CorpusBuilder
from referee.corpus.mention_typing import FREQUENT, PRONOUNS, TAGS, WITHOUT_CAPITALS, language_of, typed_mentions
from referee.formats.winobias import PRONOUNS as OF_WINOBIAS
from referee.resolver.lexicon import lexicon_of

SENTENCES = {
    "English": "the keeper of the lighthouse saw [Anna Lee] , and [she] gave [the old boat] to [him]",
    "French": "le gardien du phare a vu [Anna Lee] , et [elle] a donné [le vieux bateau] à [lui] dans la nuit",
    "Spanish": "el guardián del faro vio a [Anna Lee] , y [ella] dio [el viejo barco] a [él] en la noche",
    "Russian": "смотритель маяка увидел [Анну Ли] , и [она] отдала [старую лодку] [ему] в ту же ночь",
    "Norwegian or Danish": "fyrvokteren på øya så [Anna Lee] , og [hun] ga [den gamle båten] til [ham] i natt",
}


def marked(text):
    """A corpus of one document with the mentions in brackets."""
    tokens, starts, builder = [], [], CorpusBuilder("text")
    for word in text.split():
        starts += [len(tokens)] * word.startswith("[")
        tokens.append(word.strip("[]"))
    ends = iter(n for n, word in enumerate(text.split(), start=1) if word.endswith("]"))
    builder.document("d", tokens)
    for n, (start, end) in enumerate(zip(starts, ends, strict=True)):
        builder.mention(start, end, str(n))
    return builder.corpus()


def names(corpus):
    typed = typed_mentions(corpus)
    return [MENTION_TYPES[n] for n in typed.types.tolist()], typed.source


@pytest.mark.parametrize("language", SENTENCES)
def test_words_of_a_language_tell_pronouns_names_and_others(language):
    assert names(marked(SENTENCES[language])) == (["name", "pronoun", "nominal", "pronoun"], f"{language} words")


def test_where_nouns_have_capitals_names_are_not_told_apart():
    german = marked("der Wärter sah [Anna Lee] , und [sie] gab [das alte Boot] [ihm]")
    assert names(german) == (["other", "pronoun", "other", "pronoun"], "German words")


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("The president of [the United States]", "name"),
        ("[the president of the United States] left it to us", "nominal"),
        ("[Boats] are what they want , and the boats are here", "nominal"),  # as a sentence begins
        ("[Anna] is here with them , and Anna is there", "name"),
        ("we and [you all] were in it", "pronoun"),
        ("it was [’em] and us", "nominal"),  # unknown words are no pronouns
    ],
)
def test_the_core_of_a_mention_decides(mention, expected):
    assert names(marked(mention)) == ([expected], "English words")


def test_words_of_no_known_language_tell_nothing():
    assert names(marked("w0 w1 [w2] w3")) == ([""], "")
    assert language_of([]) is None
    items = CorpusBuilder("records")
    items.document("d")
    items.item("a", "1")
    assert names(items.corpus()) == ([""], "")


def conll(*rows, speaker="-"):
    lines = [f"d 0 {n} {word} {tag} * - - - {speaker} * {cell}" for n, (word, tag, cell) in enumerate(rows)]
    return "\n".join(["#begin document (d); part 000", *lines, "", "#end document", ""])


def test_parts_of_speech_decide_before_words(tmp_path):
    """`that` is a pronoun alone, and a determiner before a noun; a name need have no capitals."""
    file = tmp_path / "a.conll"
    file.write_text(
        conll(("that", "DT", "(1)"), ("keeper", "NN", "-"), ("that", "DT", "(2"), ("boat", "NN", "-"), ("of", "IN", "-"),
              ("anna", "NNP", "2)|(3)"), ("who", "WP", "(4)"), (".", ".", "-"), speaker="Ann_Lee")
    )  # fmt: skip
    corpus = read(file)
    assert names(corpus) == (["pronoun", "nominal", "name", "pronoun"], TAGS)
    (words,) = corpus.text.words
    assert words.speakers == ["Ann Lee"]
    assert words.parts_of_speech[:2] == ["DT", "NN"]


def test_a_file_without_tags_and_speakers_has_none(tmp_path):
    file = tmp_path / "a.conll"
    file.write_text(conll(("she", "-", "(1)"), ("is", "-", "-"), ("there", "-", "-")))
    corpus = read(file)
    assert (corpus.text.words[0].parts_of_speech, corpus.text.words[0].speakers) == (None, None)
    assert names(corpus) == (["pronoun"], "English words")


def test_annotated_types_come_first():
    builder = CorpusBuilder("typed")
    builder.document("d", ["she", "is", "it"])
    builder.mention(0, 1, "a", mention_type="name")
    builder.mention(2, 3, "b")
    assert names(builder.corpus()) == (["name", ""], "the annotation")


def test_a_response_without_words_has_those_of_the_key():
    key, bare = marked("[she] was in the boat"), CorpusBuilder("bare")
    bare.document("d")
    bare.mention(0, 1, "a")
    assert typed_mentions(bare.corpus(), key).types.tolist() == [MENTION_TYPES.index("pronoun")]


def test_the_lists_hold_what_other_lists_have():
    english = set(PRONOUNS["English"].split())
    assert set(lexicon_of("english").pronouns) <= english
    assert {word.lower() for word in OF_WINOBIAS} <= english
    assert list(PRONOUNS) == list(FREQUENT)
    assert set(WITHOUT_CAPITALS) <= set(PRONOUNS)


def test_who_speaks_is_known_of_each_sentence_in_every_format_that_tells_it(tmp_path):
    """In CoNLL-U a comment, in jsonlines a list; in CoNLL-2012 a column, as above."""
    rows = "".join(f"{n}\t{word}" + "\t_" * 8 + "\n" for n, word in enumerate(("I", "see"), start=1))
    files = {
        "a.conllu": f"# newdoc id = d\n# global.Entity = eid\n# speaker = Ann Lee\n{rows}\n{rows}\n# speaker =  Tom \n{rows}\n",
        "a.jsonlines": json.dumps({"doc_key": "d", "sentences": [["I", "see"]] * 3, "clusters": [],
                                   "speakers": [["Ann_Lee"] * 2, ["-"] * 2, ["Tom"] * 2]}),
        "flat.jsonlines": json.dumps({"doc_key": "d", "sentences": [["I", "see"]] * 3, "clusters": [],
                                      "speakers": ["Ann Lee", "Ann Lee", "-", "-", "Tom", "Tom"]}),
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        (words,) = read(tmp_path / name).text.words
        assert list(words.speakers) == ["Ann Lee", "", "Tom"], name
