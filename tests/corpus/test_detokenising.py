"""Tokens as a text that people read."""

import pytest

from referee.corpus.detokenising import as_written


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("Ann left .", "Ann left."),
        ("Do n't !", "Don't!"),
        ("the authors ' works", "the authors ' works"),
        ("It 's $ 5 , or 6 % .", "It's $5, or 6%."),
        ("`` Go ! '' he said", '"Go!" he said'),
        ('" Go ! " he said', '"Go!" he said'),
        ("-LRB- see [ 3 ] -RRB-", "(see [3])"),
        ("a well - known and / or", "a well-known and/or"),
        ("war -- and peace", "war -- and peace"),
        ("“ Go ” , he said", "“Go”, he said"),
        ("他 说 了 .", "他说了."),
        ("그는 말했다 .", "그는 말했다."),
        ("", ""),
    ],
)
def test_blanks_stand_where_people_write_them(tokens, text):
    raw = as_written(tokens.split())
    assert raw.text == text
    assert (len(raw.start), len(raw.end)) == (len(tokens.split()),) * 2


def test_each_token_has_its_place():
    tokens = ["She", "did", "n't", "say", "``", "go", "''", "-LRB-", "twice", "-RRB-", "."]
    raw = as_written(tokens)
    shown = [raw.text[start:end] for start, end in zip(raw.start, raw.end, strict=True)]
    assert shown == ["She", "did", "n't", "say", '"', "go", '"', "(", "twice", ")", "."]
