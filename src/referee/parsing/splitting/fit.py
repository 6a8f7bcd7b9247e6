"""What trees teach of splitting texts of their language: `fit_splitting`.

Everything is counted, or a sum of whole numbers, in the order of the files: the same files give the same `Splitting` on all
machines. The ends of sentences: `fit_ends`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from referee.basics.exceptions import FormatError
from referee.parsing.language import share, telling
from referee.parsing.splitting.fit_ends import fit_ends
from referee.parsing.splitting.learnt import Splitting
from referee.parsing.splitting.tokens import LETTERS_AND_PERIODS, TOKEN, Tokenizer, joint, key
from referee.parsing.splitting.trees import TreeDocument, pieces_of, read_trees, sentences_of, tokens_of

FREQUENT, KNOWN = 150, 6000
"""How many frequent words, and how many words for words divided at the ends of lines."""

OFTEN, FEW, COMMON = 20, 20, 90
"""An enclitic of one letter that was seen so often, and that fewer different words have taken, is taken by these words only,
and by so many frequent ones: *'d*, which is part of *wither'd*."""

KNOWN_WORDS = {
    "en": (
        "'tis 'twas 'twere 'twill 'twould 'twixt 'neath 'gainst 'em 'til 'till 'cause 'n'",
        "Assoc. Capt. cf. ch. Col. Cor. Esq. Fig. Gen. Hon. Lieut. Maj. Messrs. Mme. Mlle. pp. Sergt. viz. Vol. vols.",
    ),
    "fr": ("aujourd'hui", "cf. Dr. etc. M. MM. Mme. Mlle. Mgr. p. pp. St."),
}
"""Words with an apostrophe, and abbreviations, for which the trees of a language are too new or too few."""


def fit_splitting(raws: Sequence[bytes], language: str = "") -> Splitting:
    """Learn from trees how texts of their language are split.

    Where sentences end, and what is a word, is learnt from all of the files; where a file does not tell white space (neither
    `# text` nor `SpaceAfter=No`), it is guessed from punctuation, and only words, abbreviations, hyphens and sentence ends
    are learnt of it.

    Parameters
    ----------
    raws : sequence of bytes
        CoNLL-U files in UTF-8.
    language : str
        The code of the language.

    Raises
    ------
    FormatError
        If a file is not UTF-8, or there is no word.
    """
    files = [read_trees(raw) for raw in raws]
    documents = [document for file in files for document in file.documents]
    spaced = [document for file in files if file.spaced for document in file.documents]
    if not documents:
        raise FormatError("<trees>", None, "found no words; expected trees in CoNLL-U")
    splitting = _frequent(Splitting(language=language), documents)
    splitting = _affixes(splitting, documents)
    splitting = _abbreviations(splitting, documents)
    splitting = _hyphens(splitting, documents)
    splitting = _exceptions(splitting, spaced or documents)
    whole, abbreviations = map(str.split, KNOWN_WORDS.get(language, ("", "")))
    splitting = splitting._replace(
        whole=splitting.whole.union(whole), abbreviations=splitting.abbreviations.union(abbreviations)
    )
    return splitting._replace(weights=fit_ends(documents, frozenset(splitting.frequent)))


def _frequent(splitting: Splitting, documents: Sequence[TreeDocument]) -> Splitting:
    """The frequent words, known words, and letters."""
    words = Counter(key(token.form) for token in tokens_of(documents) if token.form[0].isalpha())
    small = Counter(token.form for token in tokens_of(documents) if token.form.islower())
    ordered = sorted(words, key=lambda word: (-words[word], word))
    frequent = [word for word in ordered if 2 * small[word] > words[word]][:FREQUENT]
    total = sum(words.values())
    letters: Counter[str] = Counter()
    for word, times in words.items():
        for letter in word:
            letters[letter] += times if letter.isalpha() else 0
    most = sum(letters.values())
    names = {word.rpartition(".")[2] for word in words if "." in word}  # com, doc
    return splitting._replace(
        frequent=tuple(frequent),
        share=share(telling(" ".join(token.form for token in tokens_of(documents))), frozenset(frequent)).frequent,
        letters="".join(sorted(letter for letter, times in letters.items() if 2000 * times >= most)),
        vocabulary=frozenset(
            word
            for word in ordered[:KNOWN]
            if word.isalpha() and word not in names and words[word] > (1 if len(word) > 1 else total // 1000)
        ),
    )


def _affixes(splitting: Splitting, documents: Sequence[TreeDocument]) -> Splitting:
    """Words that are written onto others, and words that end in an apostrophe of their own."""
    after: Counter[str] = Counter()
    before: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    hosts: dict[str, set[str]] = {}
    for piece in pieces_of(documents):
        words = [key(word) for token in piece for word in token.words]
        for n, word in enumerate(words):
            if n and words[n - 1][-1].isalnum() and (re.fullmatch(r"['-][^\W\d_]+|n't", word)):
                after[word] += 1
                hosts.setdefault(word, set()).add(words[n - 1])
            if n + 1 < len(words) and re.fullmatch(r"[^\W\d_]{1,8}'", word) and words[n + 1][0].isalnum():
                before[word] += 1
            if len(word) > 4 and re.fullmatch(r"[^\W\d_]+[^\W\d_s]'", word) and n + 1 >= len(words) - 1:
                endings[word[-3:]] += 1
    return splitting._replace(
        enclitics=frozenset(word for word, times in after.items() if times > 2),
        proclitics=frozenset(word for word, times in before.items() if times > 2),
        hosts={
            word: frozenset(counts | set(splitting.frequent[:COMMON]))
            for word, counts in hosts.items()
            if after[word] >= OFTEN and len(counts) < FEW and len(word) == 2
        },
        endings=frozenset(ending for ending, times in endings.items() if times > 1),
    )


def _abbreviations(splitting: Splitting, documents: Sequence[TreeDocument]) -> Splitting:
    """Words with a period that is no word of its own in at least half of their places before white space or a comma."""
    kept: Counter[str] = Counter()
    parted: Counter[str] = Counter()
    for sentence in sentences_of(documents):
        for token, following in zip(sentence, [*sentence[1:], None], strict=True):
            form = token.form
            if form.endswith(".") and form[0].isalpha() and form[:-1].replace(".", "a").replace("-", "a").isalpha():
                kept[form] += 1
            elif following is not None and following.form == "." and not token.space and form[-1].isalpha():
                parted[form + "."] += 1 if following is sentence[-1] else 2
    return splitting._replace(
        abbreviations=frozenset(
            form
            for form, times in kept.items()
            if 2 * times >= parted[form] and len(form) > 2 and not LETTERS_AND_PERIODS.fullmatch(form[:-1])
        )
    )


class _Hyphen(NamedTuple):
    """A hyphen within a token: what it stands between, the beginning of the token if it stands after it, whether it divides."""

    joint: str
    prefix: str
    divides: bool


def _hyphens(splitting: Splitting, documents: Sequence[TreeDocument]) -> Splitting:
    """Where hyphens divide, which beginnings they do not part, and whether words that are broken off keep theirs."""
    hyphens: list[_Hyphen] = []
    broken = [0, 0]
    for piece in pieces_of(documents):
        words = [word for token in piece for word in token.words]
        text = "".join(words)
        if "-" in text and "@" not in text and "/" not in text:
            hyphens += _hyphens_of(words, text)
            if text[-1] == "-" and text[:-1].isalpha() and key(text[:-1]) not in splitting.vocabulary:
                broken[words[-1] == "-"] += 1
    prefixes = {
        prefix
        for prefix, (joined, divided) in _times((h.prefix, h.divides) for h in hyphens).items()
        if joined > max(divided, 1)
    }
    prefixes.discard("")
    joints = _joints([hyphen for hyphen in hyphens if hyphen.prefix not in prefixes])
    return splitting._replace(
        joints=joints.union("-" if broken[0] > broken[1] else ()),
        prefixes=frozenset(prefixes) if any(kind[0] in "aA" for kind in joints) else frozenset(),
    )


def _hyphens_of(words: Sequence[str], text: str) -> list[_Hyphen]:
    divided = set()
    at = 0
    for word in words:
        if word == "-":
            divided.add(at)
        at += len(word)
    pieces = []
    for match in re.finditer(r"\w+(?:-\w+)+", text):
        parts = match[0].split("-")
        at = match.start()
        for number, (left, right) in enumerate(pairwise(parts)):
            at += len(left)
            prefix = key(left) if number == 0 and left.isalpha() else ""
            pieces.append(_Hyphen(joint(left, right, len(parts) - 1), prefix, at in divided))
            at += 1
    return pieces


def _times(seen: Iterable[tuple[str, bool]]) -> dict[str, list[int]]:
    """How often something was seen without, and with."""
    times: dict[str, list[int]] = {}
    for name, divides in seen:
        times.setdefault(name, [0, 0])[divides] += 1
    return times


def _joints(hyphens: Sequence[_Hyphen]) -> frozenset[str]:
    """Where hyphens divide; of what was never seen, as with other numbers of hyphens, or as most do."""
    exact = _times((h.joint, h.divides) for h in hyphens)
    kinds = _times((h.joint[:-1], h.divides) for h in hyphens)
    all_of_them = _times(("", h.divides) for h in hyphens).get("", [0, 0])
    words = set()
    for left, right, count in product("aA0x", "aA0x<>", "123"):
        joined, divided = exact.get(left + right + count) or kinds.get(left + right) or all_of_them
        if divided > joined:
            words.add(left + right + count)
    return frozenset(words)


def _exceptions(splitting: Splitting, documents: Sequence[TreeDocument]) -> Splitting:
    """Tokens that what is known so far divides as the trees do not, in most of their places."""
    as_told: dict[str, Counter[tuple[str, ...]]] = {}
    for token in tokens_of(documents):
        form = key(token.form)
        if form[-1] != "." and (len(form) > 1) and (form[0].isalnum() or form[0] == "'") and form[0] not in "0123456789":
            as_told.setdefault(form, Counter())[tuple(map(key, token.words))] += 1
    joined: Counter[tuple[str, ...]] = Counter()
    for piece in pieces_of(documents):  # words that are tokens of their own: celui -là
        words = tuple(key(word) for token in piece for word in token.words)
        for n in range(len(words) - 1):
            for size in (2, 3):
                joined[words[n : n + size]] += 1
    tokenizer = Tokenizer(splitting)
    whole: set[str] = set()
    contractions: dict[str, tuple[str, ...]] = {}
    for form in sorted(as_told):
        divisions = as_told[form]
        usual = min(divisions, key=lambda words: (-divisions[words], words))
        ours = tuple(word for word, _, _ in tokenizer.divide(form).words)
        if ours == usual or TOKEN.fullmatch(form) is None:
            continue
        if len(usual) == 1:
            if divisions[usual] > max(joined[ours], form[0] != "'"):
                whole.add(form)
        elif 2 * divisions[usual] > sum(divisions.values()) and divisions[usual] > ("'" not in form) + (usual[-1] == "s"):
            contractions[form] = usual
    return splitting._replace(whole=frozenset(whole), contractions=contractions)
