"""Whether a text is in the language of a model: the check that stands before nonsense.

Words that begin with a capital say nothing, as they may be names. Of the other words, two shares tell: how many are among the
150 most frequent words of the language, and how many are among the 6000 words that are known of it. The first is a half for a
text of that language, a quarter for a chat or a text that was read badly by a machine, and next to nothing for a list; the
second is above a third for all of them. For a text in another language, the first is low and the second is lower, or the first
is rather low and the second is next to nothing, as for Spanish and a French model.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from referee.basics.exceptions import FormatError, warn
from referee.parsing.splitting.learnt import Splitting

SAMPLE = 60_000
"""Characters that are looked at in the beginning, the middle and the end of a text."""

WORDS, LETTERS = 15, 20
"""A text of fewer words that tell, or of fewer letters, is not refused."""

PARAGRAPH = 30
"""Words that tell in a paragraph that is said to be in another language."""

KNOWN, RARE = 300, 120
"""Known words per thousand, below which a text with few, or with rather few, frequent words is in another language."""

MIXED = 20
"""A warning is given if at least one in so many paragraphs, or letters, is of another language."""

LATIN = "\u036f"
"""No Latin letter of the languages of Europe is above it, but for some with several marks."""

WORD = re.compile(r"[^\W\d_]+['’]?")
NAMES = {
    "af": "Afrikaans", "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "cu": "Old Church Slavonic",
    "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "eu": "Basque",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician", "grc": "Ancient Greek", "he": "Hebrew",
    "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "is": "Icelandic",
    "it": "Italian", "ja": "Japanese", "ko": "Korean", "la": "Latin", "lt": "Lithuanian", "lv": "Latvian", "nb": "Norwegian",
    "nl": "Dutch", "nn": "Norwegian Nynorsk", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian",
    "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


class Share(NamedTuple):
    """Of how many words that tell (`words`) how many are frequent ones (`frequent`), per thousand."""

    frequent: int
    words: int


def telling(text: str) -> list[str]:
    """The words of a text that begin with a small letter, or all of them where most are in capitals, with plain apostrophes.

    >>> telling("The cat of Ann"), telling("THE CAT OF ANN")
    (['cat', 'of'], ['the', 'cat', 'of', 'ann'])
    """
    words = WORD.findall(text)
    telling_words = [word for word in words if word[0].islower()]
    if 4 * len(telling_words) < len(words) and 2 * sum(word == word.upper() for word in words) > len(words):
        telling_words = [word.lower() for word in words]
    return [word.replace("’", "'") for word in telling_words]


def share(words: Sequence[str], frequent: Collection[str]) -> Share:
    """How many words are frequent ones of a language.

    >>> share(telling("the cat and the hat of Ann"), {"the", "and", "of"})
    Share(frequent=666, words=6)
    """
    hits = sum(word in frequent or word.rstrip("'") in frequent for word in words)
    return Share(1000 * hits // len(words) if words else 0, len(words))


def language_name(code: str) -> str:
    """The English name of a language, for messages.

    >>> language_name("fr"), language_name("xx"), language_name("")
    ('French', 'xx', 'the language of the model')
    """
    return NAMES.get(code, code) or "the language of the model"


def check_language(texts: Sequence[str], names: Sequence[str], splitting: Splitting) -> None:
    """Refuse texts in another language than that of a model.

    A text of which at least every twentieth paragraph is in another one is taken, with a warning.

    Parameters
    ----------
    texts, names : sequence of str, shape (documents,)
        Names are what messages call the texts.

    Raises
    ------
    FormatError
        If a text is in another language.
    """
    if not splitting.frequent or not splitting.share:
        return
    frequent = frozenset(splitting.frequent)
    for text, name in zip(texts, names, strict=True):
        sample = _sample(text)
        _check_letters(sample, name, splitting)
        words = telling(sample)
        if len(words) >= WORDS and _is_other(words, splitting, frequent):
            measured, usual = _percent(share(words, frequent).frequent), _percent(splitting.share)
            problem = f"{measured} of its words are among the frequent ones of that language; expected about {usual}"
            raise _other(name, problem, splitting)
        _warn_of_scripts(sample, name, splitting)
        _warn_of_paragraphs(sample, name, splitting, frequent)


def _sample(text: str) -> str:
    if len(text) <= 3 * SAMPLE:
        return text
    middle = len(text) // 2
    return "\n\n".join((text[:SAMPLE], text[middle : middle + SAMPLE], text[-SAMPLE:]))


def _is_other(words: Sequence[str], splitting: Splitting, frequent: Collection[str]) -> bool:
    percent = share(words, frequent).frequent
    if 3 * percent >= 2 * splitting.share:
        return False
    # Short words are like those of other languages by chance.
    known = share([word for word in words if len(word) > 2], splitting.vocabulary | set(frequent)).frequent
    return known < (KNOWN if 3 * percent < splitting.share else RARE)


def _check_letters(text: str, name: str, splitting: Splitting) -> None:
    letters = [letter for letter in text.lower() if letter.isalpha()]
    known = frozenset(splitting.letters)
    right = sum(letter in known for letter in letters)
    if len(letters) >= LETTERS and 2 * right < len(letters):
        percent = _percent(1000 * right // len(letters))
        raise _other(name, f"{percent} of its letters are letters of that language; expected nearly all", splitting)


def _warn_of_scripts(text: str, name: str, splitting: Splitting) -> None:
    letters = [letter for letter in text.lower() if letter.isalpha()]
    known = frozenset(splitting.letters)
    other = sum(letter > LATIN and letter not in known for letter in letters)
    if other and MIXED * other >= len(letters):
        warn(
            f"{name}: {other} of {len(letters)} letters are of another script: what is said of their words is not to be trusted"
        )


def _warn_of_paragraphs(text: str, name: str, splitting: Splitting, frequent: Collection[str]) -> None:
    long = [words for block in re.split(r"\n[ \t\r]*\n", text) for words in _long_paragraphs(block)]
    other = sum(_is_other(words, splitting, frequent) for words in long)
    if MIXED * other >= max(len(long), 1):
        language = language_name(splitting.language)
        warn(
            f"{name}: {other} of {len(long)} longer paragraphs seem to be in another language than {language}: "
            "what is said of them is not to be trusted"
        )


def _long_paragraphs(block: str) -> list[list[str]]:
    """The words that tell of each long line, as in a text of one paragraph a line, or else of all lines together."""
    lines = [words for words in map(telling, block.splitlines()) if len(words) >= PARAGRAPH]
    return lines or [words for words in [telling(block)] if len(words) >= PARAGRAPH]


def _percent(permille: int) -> str:
    return f"{(permille + 5) // 10} %"


def _other(name: str, problem: str, splitting: Splitting) -> FormatError:
    return FormatError(
        name,
        None,
        f"seems to be no text in {language_name(splitting.language)} ({problem}): take a model of "
        "its language with --parser FILE, or fit one: referee parse fit TREES.conllu -o FILE; or resolve what Stanza or spaCy "
        "parsed, with --model rules",
    )
