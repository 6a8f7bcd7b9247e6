"""Mentions in texts by their definitions: tokens, the tokens of spans, and the entities that links and names make."""

from itertools import pairwise

from hypothesis import given, strategies as st

from referee.corpus import CorpusBuilder
from referee.formats.shared.characters import cut, is_blank, tokenised
from referee.formats.shared.relations import ChosenRelations
from referee.formats.shared.text_mentions import TextMention, add_mentions, covering, on_tokens, without_blanks
from tests.support.examples import examples

TEXTS = st.text(alphabet="ab_é1😀.' \n\t\u00a0", max_size=14)


def spans(text):
    edges = st.integers(0, len(text))
    return st.tuples(edges, edges).map(lambda pair: (min(pair), max(pair)))


@st.composite
def documents(draw):
    """A text, mentions of one span or several, some of which have names, and links."""
    text = draw(TEXTS)
    places = draw(st.lists(st.lists(spans(text), min_size=1, max_size=2), max_size=5))
    named = draw(st.lists(st.sampled_from(["", "", "Ann", "Bob"]), min_size=len(places), max_size=len(places)))
    labels = draw(st.lists(st.sampled_from(["Mention", "P", "Q"]), min_size=len(places), max_size=len(places)))
    mentions = [
        TextMention(f"m{n}", label, of, name) for n, (label, of, name) in enumerate(zip(labels, places, named, strict=True))
    ]
    number = st.integers(0, max(len(places) - 1, 0))
    return text, mentions, draw(st.lists(st.tuples(number, number), max_size=4)) if places else []


def is_word(character):
    return character.isalnum() or character == "_"


def tokens_of(text, edges):
    """Runs of letters, digits and underscores, and other signs by themselves, each cut at the edges."""
    tokens = []
    for n, character in enumerate(text):
        goes_on = tokens and tokens[-1][1] == n and n not in edges and is_word(character) and is_word(text[n - 1])
        if goes_on:
            tokens[-1] = (tokens[-1][0], n + 1)
        elif not character.isspace():
            tokens.append((n, n + 1))
    return tokens


def places_of(characters):
    return list(zip(characters.starts.tolist(), characters.ends.tolist(), strict=True))


@given(documents())
@examples(2)
def test_tokens_are_words_and_signs_cut_where_mentions_begin_and_end(document):
    text, mentions, _ = document
    edges = {edge for mention in mentions for span in mention.spans if text[slice(*span)].strip() for edge in span}
    characters = on_tokens(text, without_blanks(text, mentions))
    assert places_of(characters) == tokens_of(text, edges)
    assert characters.tokens == [text[start:end] for start, end in places_of(characters)]
    lines = {0, *(n + 1 for n, character in enumerate(text) if character == "\n")}
    first = {next((n for n, (start, _) in enumerate(places_of(characters)) if start >= line), None) for line in lines}
    assert characters.sentences == sorted(first - {None})


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 4)), max_size=6), st.sets(st.integers(-2, 12), max_size=4))
@examples(2)
def test_of_tokens_that_overlap_the_first_counts(given_tokens, edges):
    text = "abcdefghijkl"
    tokens = sorted((start, start + length) for start, length in given_tokens)
    kept = []
    for token in tokens:
        if not kept or token[0] >= kept[-1][1]:
            kept.append(token)
    found = cut(text, tokens, [], edges)
    inside = [[start, *sorted(edge for edge in edges if start < edge < end), end] for start, end in kept]
    assert places_of(found) == [pair for of in inside for pair in pairwise(of)]


@given(documents())
@examples(3)
def test_entities_are_what_links_and_names_connect(document):
    text, mentions, links = document
    columns = without_blanks(text, mentions)
    characters, chosen, builder = on_tokens(text, columns), ChosenRelations(), CorpusBuilder()
    builder.document("d", characters.tokens, characters.sentences)
    add_mentions(builder, characters, columns, links, chosen)
    corpus = builder.corpus()

    kept = [n for n, mention in enumerate(mentions) if any(not is_blank(text, *span) for span in mention.spans)]
    assert chosen.blank == len(mentions) - len(kept)
    groups = [{n} for n in range(len(mentions))]
    ties = [(a, b) for a in kept for b in kept if mentions[a].entity and mentions[a].entity == mentions[b].entity]
    for a, b in [*links, *ties]:
        joined = next(of for of in groups if a in of) | next(of for of in groups if b in of)
        groups = [of for of in groups if not of & joined] + [joined]
    expected = {}
    for n in kept:
        joined = [mentions[m] for m in sorted(next(of for of in groups if n in of)) if m in kept]
        inked = [span for span in mentions[n].spans if not is_blank(text, *span)]
        words = {t for span in inked for t in range(*characters.span(*span))}
        label = joined[0].entity or joined[0].id
        kind = next((mention.label for mention in joined if mention.label != "Mention"), "")
        expected.setdefault(label, (kind, []))[1].append(sorted(words))
    found = {}
    for row, entity in enumerate(corpus.entity.tolist()):
        words = {t for span in corpus.spans(row) for t in range(*span)}
        types = corpus.entity_types or [""] * len(corpus.entity_ids)
        found.setdefault(corpus.entity_ids[entity], (types[entity], []))[1].append(sorted(words))
    assert {label: (kind, sorted(of)) for label, (kind, of) in found.items()} == {
        label: (kind, sorted(of)) for label, (kind, of) in expected.items()
    }
    between = [(a, b) for a, b in links if a in kept and b in kept]
    assert (corpus.links is not None) == bool(between)
    assert corpus.links is None or len(corpus.links.first) == len(between)


@given(TEXTS, st.lists(st.sampled_from(["a", "b", "ab", "a b", "", " ", "é", "😀."]), max_size=5), st.booleans())
@examples(3)
def test_tokens_cover_a_text_if_they_are_all_of_it_in_order(text, tokens, fits):
    if fits:
        text, tokens = " ".join(tokens), [token for token in tokens if token.strip()]
    ways = [(0, [])]
    for token in tokens:  # every way to place the tokens with nothing but white space between
        ways = [
            (start + len(token), [*places, (start, start + len(token))])
            for end, places in ways
            for start in range(end, len(text) + 1)
            if token and text.startswith(token, start) and not text[end:start].strip()
        ]
    expected = [places for end, places in ways if not text[end:].strip()]
    found = covering(text, tokens)
    assert (found is None) == (not expected)
    assert found is None or [*map(tuple, found)] in expected


@given(TEXTS)
@examples(1)
def test_tokens_of_a_text_are_words_and_signs(text):
    assert places_of(tokenised(text)) == tokens_of(text, set())
