"""Two annotations of the same words, for the tests of matching; and their mentions as sets of positions."""

from hypothesis import strategies as st

from referee.corpus.builder import CorpusBuilder
from referee.matching.matchers import match


@st.composite
def sides(draw, *, nodes=True):
    """Key and response over the same words, each with mentions, heads, minimum spans and empty nodes of its own."""
    documents = [draw(st.integers(1, 6)) for _ in range(draw(st.integers(1, 2)))]
    return draw(side(documents, nodes=nodes)), draw(side(documents, nodes=nodes))


@st.composite
def side(draw, documents, *, nodes):
    builder = CorpusBuilder("side")
    for number, words in enumerate(documents):
        gaps = sorted(draw(st.sets(st.tuples(st.integers(0, words), st.integers(1, 2)), max_size=3 if nodes else 0)))
        tokens = sorted([(gap, 0, minor) for gap, minor in gaps] + [(w, 1, 0) for w in range(words)])
        builder.document(f"d{number}", [f"w{w}" if overt else "_" for w, overt, _ in tokens])
        for token, (_, overt, minor) in enumerate(tokens):
            if not overt:
                builder.empty_node(token, minor, 0, draw(st.sampled_from(["", "1:a", "1:b", "2:a|1:b"])))
        taken = set()
        for _ in range(draw(st.integers(0, 5))):
            chosen = sorted(draw(st.sets(st.integers(0, len(tokens) - 1), min_size=1, max_size=4)))
            if draw(st.booleans()):
                chosen = list(range(chosen[0], chosen[-1] + 1))
            if tuple(chosen) in taken:
                continue
            taken.add(tuple(chosen))
            first = draw(st.integers(0, len(chosen) - 1))
            builder.mention(
                0, 0, str(draw(st.integers(0, 2))), spans=[(c, c + 1) for c in chosen], head=draw(st.sampled_from(chosen)),
                minimum_span=(chosen[first], chosen[first] + 1) if draw(st.booleans()) else None,
            )  # fmt: skip
    return builder.corpus()


def position_of(corpus, document, token):
    """A token as it is known on either side: a word by its number, an empty node by the words before it and its own."""
    nodes = {}
    if corpus.empty_nodes is not None:
        here = corpus.empty_nodes.document == document
        nodes = dict(zip(corpus.empty_nodes.node[here].tolist(), corpus.empty_nodes.minor[here].tolist(), strict=True))
    before = token - sum(n < token for n in nodes)
    return (document, before, nodes[token]) if token in nodes else (document, before)


def positions_of(corpus, mention):
    document = int(corpus.document[mention])
    return frozenset(position_of(corpus, document, t) for a, b in corpus.spans(mention) for t in range(a, b))


def head_of(corpus, mention):
    return position_of(corpus, int(corpus.document[mention]), int(corpus.head[mention]))


def minimum_of(corpus, mention):
    """The minimum span, empty if there is none."""
    if corpus.minimum_span is None or corpus.minimum_span[mention, 0] < 0:
        return frozenset()
    return frozenset(
        position_of(corpus, int(corpus.document[mention]), t) for t in range(*corpus.minimum_span[mention].tolist())
    )


def reading_order(position):
    """What positions are sorted by: a word comes after the empty nodes in the gap before it."""
    document, word, *minor = position
    return document, word, *(minor or (99,))


def spans(*mentions, words=9):
    """One document of spans with their heads, (start, end, head), one entity each."""
    builder = CorpusBuilder("x")
    builder.document("d", [f"w{n}" for n in range(words)])
    for n, (start, end, head) in enumerate(mentions):
        builder.mention(start, end, str(n), head=head)
    return builder.corpus()


def matched_spans(key, response, **options):
    """The spans of the mentions that are matched."""
    found = match(key, response, **options)
    return {
        ((int(key.start[k]), int(key.end[k])), (int(response.start[r]), int(response.end[r])))
        for k, r in zip(found.key_mention, found.response_mention, strict=True)
    }
