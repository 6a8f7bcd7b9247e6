"""What trees teach of splitting texts of their language: `fit_splitting`.

Everything is counted, or a sum of whole numbers (an averaged perceptron), in the order of the files: the same files give the
same `Splitting` on all machines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from referee.basics.exceptions import FormatError
from referee.parsing.language import share, telling
from referee.parsing.splitting_ends import Place, cased, possible
from referee.parsing.splitting_learnt import Splitting
from referee.parsing.splitting_tokens import LETTERS_AND_PERIODS, TOKEN, Tokenizer, is_mark, joint, key

EPOCHS = 5
"""Passes of the perceptron."""

MARGIN = 20
"""How sure it has to be of an example not to learn from it."""

SCALE = 16
"""Averages of the perceptron are rounded to this part of one."""

FREQUENT, KNOWN = 150, 6000
"""How many frequent words, and how many words for words divided at the ends of lines."""

FEW, COMMON = 20, 90
"""An enclitic of one letter that fewer different words have taken is taken by these words only, and by so many frequent ones:
*'d*, which is part of *wither'd*."""

KNOWN_WORDS = {
    "en": (
        "'tis 'twas 'twere 'twill 'twould 'twixt 'neath 'gainst 'em 'til 'till 'cause 'n'",
        "Assoc. Capt. cf. ch. Col. Cor. Esq. Fig. Gen. Hon. Lieut. Maj. Messrs. Mme. Mlle. pp. Sergt. viz. Vol. vols.",
    ),
    "fr": ("aujourd'hui", "cf. Dr. etc. M. MM. Mme. Mlle. Mgr. p. pp. St."),
}
"""Words with an apostrophe, and abbreviations, for which the trees of a language are too new or too few."""

NOT_BEFORE = frozenset(".,;:!?)]}%”’…") | {"n't", "n’t", "''"}
NOT_AFTER = frozenset("([{“‘$#") | {"``"}
SPACED = re.compile(r"['’-][^\W\d_]+|[^\W\d_]+['’]")


class Token(NamedTuple):
    """A token of a tree: its form, the words it stands for, and whether white space follows."""

    form: str
    words: tuple[str, ...]
    space: bool


class Paragraph(NamedTuple):
    """Sentences that no blank line parts."""

    sentences: list[list[Token]]


class Trees(NamedTuple):
    """The tokens of a file, by paragraphs, by documents; whether it tells where white space is."""

    documents: list[list[list[list[Token]]]]
    spaced: bool


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
    told = [document for file in files if file.spaced for document in file.documents]
    if not documents:
        raise FormatError("<trees>", None, "found no words; expected trees in CoNLL-U")
    splitting = _frequent(Splitting(language=language), documents)
    splitting = _affixes(splitting, documents)
    splitting = _abbreviations(splitting, documents)
    splitting = _hyphens(splitting, documents)
    splitting = _exceptions(splitting, told or documents)
    whole, abbreviations = map(str.split, KNOWN_WORDS.get(language, ("", "")))
    splitting = splitting._replace(
        whole=splitting.whole.union(whole), abbreviations=splitting.abbreviations.union(abbreviations)
    )
    return splitting._replace(weights=_weights(documents, frozenset(splitting.frequent)))


def read_trees(raw: bytes) -> Trees:
    """The tokens of a CoNLL-U file."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise FormatError("<trees>", line, f"found the byte 0x{raw[error.start]:02x}; expected UTF-8") from None
    spaced = "\n# text =" in text or text.startswith("# text =") or "SpaceAfter=No" in text
    documents: list[list[list[list[Token]]]] = []
    for block in re.split(r"\n[ \t\r]*\n", text):
        tokens, new_document, new_paragraph = _sentence(block.split("\n"), spaced=spaced)
        if not tokens:
            continue
        if new_document or not documents:
            documents.append([])
        if new_paragraph or new_document or not documents[-1]:
            documents[-1].append([])
        documents[-1][-1].append(tokens)
    return Trees(documents, spaced)


def _sentence(lines: Iterable[str], *, spaced: bool) -> tuple[list[Token], bool, bool]:
    tokens: list[Token] = []
    new_document = new_paragraph = False
    until = 0
    for line in lines:
        if line.startswith("#"):
            new_document = new_document or line.startswith("# newdoc")
            new_paragraph = new_paragraph or line.startswith(("# newpar ", "# newpar\r")) or line == "# newpar"
            continue
        cells = line.rstrip("\r").split("\t")
        if len(cells) != 10 or "." in cells[0]:
            continue
        form = "".join(cells[1].split())
        space = "SpaceAfter=No" not in cells[9]
        if "-" in cells[0]:
            until = int(cells[0].split("-")[1])
            tokens.append(Token(form, (), space))
        elif int(cells[0]) <= until:
            tokens[-1] = tokens[-1]._replace(words=(*tokens[-1].words, form))
        else:
            tokens.append(Token(form, (form,), space))
    return (tokens if spaced else _guessed(tokens)), new_document, new_paragraph


def _guessed(tokens: list[Token]) -> list[Token]:
    """The tokens with white space as it usually is: none before a comma, after a bracket, around a hyphen."""
    found: list[Token] = []
    quoted = False
    for n, token in enumerate(tokens):
        form, following = token.form, tokens[n + 1].form if n + 1 < len(tokens) else ""
        space = not (
            following in NOT_BEFORE
            or form in NOT_AFTER
            or (following and SPACED.fullmatch(following) and following[0] in "'’-" and form[-1].isalnum())
            or (SPACED.fullmatch(form) and form[-1] in "'’" and following[:1].isalnum() and len(form) < 8 and form[-2] != "s")
            or (form == "-" and following[:1].isalnum() and n > 0 and tokens[n - 1].form[-1:].isalnum())
            or (following == "-" and form[-1].isalnum() and n + 2 < len(tokens) and tokens[n + 2].form[:1].isalnum())
        )
        if '"' in (form, following):
            if form == '"':
                quoted = not quoted
                space = space and not quoted
            if following == '"' and quoted:
                space = False
        found.append(token._replace(space=space))
    return found


def _tokens(documents: Sequence[list[list[list[Token]]]]) -> Iterator[Token]:
    for document in documents:
        for paragraph in document:
            for sentence in paragraph:
                yield from sentence


def _pieces(documents: Sequence[list[list[list[Token]]]]) -> Iterator[list[Token]]:
    """Tokens that no white space parts."""
    for document in documents:
        for paragraph in document:
            for sentence in paragraph:
                piece: list[Token] = []
                for token in sentence:
                    piece.append(token)
                    if token.space:
                        yield piece
                        piece = []
                if piece:
                    yield piece


def _frequent(splitting: Splitting, documents: Sequence[list[list[list[Token]]]]) -> Splitting:
    """The frequent words, known words, and letters."""
    words = Counter(key(token.form) for token in _tokens(documents) if token.form[0].isalpha())
    small = Counter(token.form for token in _tokens(documents) if token.form.islower())
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
        share=share(telling(" ".join(token.form for token in _tokens(documents))), frozenset(frequent)).frequent,
        letters="".join(sorted(letter for letter, times in letters.items() if 2000 * times >= most)),
        vocabulary=frozenset(word for word in ordered[:KNOWN] if word.isalpha() and word not in names and words[word] > (1 if len(word) > 1 else total // 1000)),
    )


def _affixes(splitting: Splitting, documents: Sequence[list[list[list[Token]]]]) -> Splitting:
    """Words that are written onto others, and words that end in an apostrophe of their own."""
    after: Counter[str] = Counter()
    before: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    hosts: dict[str, set[str]] = {}
    for piece in _pieces(documents):
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
            word: frozenset(found | set(splitting.frequent[:COMMON]))
            for word, found in hosts.items()
            if after[word] > 2 and len(found) < FEW and len(word) == 2
        },
        endings=frozenset(ending for ending, times in endings.items() if times > 1),
    )


def _abbreviations(splitting: Splitting, documents: Sequence[list[list[list[Token]]]]) -> Splitting:
    """Words with a period that is no word of its own in at least half of their places before white space or a comma."""
    kept: Counter[str] = Counter()
    parted: Counter[str] = Counter()
    for sentence in (sentence for document in documents for paragraph in document for sentence in paragraph):
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
            if 2 * times >= parted[form] and len(form) > 1 + (times < 3) and not LETTERS_AND_PERIODS.fullmatch(form[:-1])
        )
    )


def _hyphens(splitting: Splitting, documents: Sequence[list[list[list[Token]]]]) -> Splitting:
    """Where hyphens divide, which beginnings they do not part, and whether words that are broken off keep theirs."""
    divided: Counter[str] = Counter()
    joined: Counter[str] = Counter()
    prefix_divided: Counter[str] = Counter()
    prefix_joined: Counter[str] = Counter()
    seen: list[tuple[str, str, bool]] = []
    for piece in _pieces(documents):
        words = [word for token in piece for word in token.words]
        text = "".join(words)
        if "-" not in text or "@" in text or "/" in text:
            continue
        if words[-1][-1] == "-" and text[:-1].isalpha() and key(text[:-1]) not in splitting.vocabulary:
            (joined if len(words) == 1 else divided)["-"] += 1
        breaks = set()
        at = 0
        for word in words:
            if word == "-":
                breaks.add(at)
            at += len(word)
        for match in re.finditer(r"\w+(?:-\w+)+", text):
            parts = match[0].split("-")
            at = match.start()
            for n, (left, right) in enumerate(zip(parts[:-1], parts[1:], strict=True)):
                at += len(left)
                seen.append((key(left) if n == 0 and left.isalpha() else "", joint(left, right, len(parts) - 1), at in breaks))
                at += 1
    for prefix, _, parts_here in seen:
        if prefix:
            (prefix_divided if parts_here else prefix_joined)[prefix] += 1
    prefixes = {prefix for prefix, times in prefix_joined.items() if times > 1 and times > prefix_divided[prefix]}
    for prefix, kind, parts_here in seen:
        if prefix not in prefixes:
            (divided if parts_here else joined)[kind] += 1
    joints = {kind for kind, times in divided.items() if times > joined[kind] and kind != "-"}
    for kinds in (left + right for left in "aA0x" for right in "aA0x<>"):  # what was never seen: as with another number of hyphens
        for count in "123":
            if not divided[kinds + count] and not joined[kinds + count]:
                sums = [sum(times[kinds + other] for other in "123") for times in (divided, joined)]
                if sums[0] > sums[1] or (not any(sums) and sum(divided.values()) > sum(joined.values())):
                    joints.add(kinds + count)
    if joined["-"] > divided["-"]:
        joints.add("-")
    letters = any(kind[0] in "aA" for kind in joints - {"-"})
    return splitting._replace(joints=frozenset(joints), prefixes=frozenset(prefixes) if letters else frozenset())


def _exceptions(splitting: Splitting, documents: Sequence[list[list[list[Token]]]]) -> Splitting:
    """Tokens that what is known so far divides as the trees do not, in most of their places."""
    as_told: dict[str, Counter[tuple[str, ...]]] = {}
    for token in _tokens(documents):
        form = key(token.form)
        if form[-1] != "." and (len(form) > 1) and (form[0].isalnum() or form[0] == "'") and form[0] not in "0123456789":
            as_told.setdefault(form, Counter())[tuple(map(key, token.words))] += 1
    joined: Counter[tuple[str, ...]] = Counter()
    for piece in _pieces(documents):  # words that are tokens of their own: celui -là
        words = tuple(key(word) for token in piece for word in token.words)
        for n in range(len(words) - 1):
            for size in (2, 3):
                joined[words[n : n + size]] += 1
    tokenizer = Tokenizer(splitting)
    whole: set[str] = set()
    contractions: dict[str, tuple[str, ...]] = {}
    for form in sorted(as_told):
        found = as_told[form]
        told = min(found, key=lambda words: (-found[words], words))
        ours = tuple(word for word, _, _ in tokenizer.divide(form).words)
        if ours == told or TOKEN.fullmatch(form) is None:
            continue
        if len(told) == 1:
            if found[told] > max(joined[ours], form[0] != "'"):
                whole.add(form)
        elif 2 * found[told] > sum(found.values()) and found[told] > ("'" not in form) + (told[-1] == "s"):
            contractions[form] = told
    return splitting._replace(whole=frozenset(whole), contractions=contractions)


class _Example(NamedTuple):
    """A mark of the trees: its features, by their numbers, and whether a sentence ends there."""

    features: tuple[int, ...]
    ends: bool


def _weights(documents: Sequence[list[list[list[Token]]]], frequent: frozenset[str]) -> dict[str, int]:
    """The weights of sentence ends, by an averaged perceptron."""
    numbers: dict[str, int] = {}
    examples = [
        _Example(tuple(numbers.setdefault(name, len(numbers)) for name in seen), ends)
        for document in documents
        for seen, ends in _marks(document, frequent)
    ]
    times = [0] * len(numbers)
    for example in examples:
        for feature in example.features:
            times[feature] += 1
    weights = [0] * len(numbers)
    totals = [0] * len(numbers)
    step = 0
    for _ in range(EPOCHS):
        for seen, ends in examples:
            step += 1
            change = 1 if ends else -1
            if change * sum(weights[feature] for feature in seen if times[feature] > 1) <= MARGIN:
                for feature in seen:
                    if times[feature] > 1:
                        weights[feature] += change
                        totals[feature] += change * step
    # The average over all steps: each change counts from its step on.
    averages = {
        name: (SCALE * ((step + 1) * weights[n] - totals[n]) + step // 2) // step if step else 0 for name, n in numbers.items()
    }
    return {name: averages[name] for name in sorted(averages) if averages[name]}


def _marks(document: list[list[list[Token]]], frequent: frozenset[str]) -> Iterator[tuple[list[str], bool]]:
    """The marks of a document with their features, and whether a sentence ends there."""
    text = "\n\n".join(
        " ".join("".join(token.form + " " * token.space for token in sentence).strip() for sentence in paragraph)
        for paragraph in document
    )
    casing = cased(text)
    for paragraph in document:
        form: list[str] = []
        start: list[int] = []
        end: list[int] = []
        lasts: set[int] = set()
        marks: list[int] = []
        at = 0
        for sentence in paragraph:
            for number, token in enumerate(sentence):
                space = token.space or number + 1 == len(sentence)
                concatenated = sum(map(len, token.words)) == len(token.form)
                for word in token.words if concatenated else (token.form,):
                    form.append(word)
                    start.append(at)
                    at += len(word)
                    end.append(at)
                if is_mark(form[-1], last=space):
                    marks.append(len(form) - 1)
                at += space
            lasts.add(len(form) - 1)
        places = possible(Place(form, start, end, 0, len(form)), marks, casing, frequent)
        answer: bool | None = None
        while True:
            try:
                mark, seen = places.send(answer)
            except StopIteration:
                break
            answer = mark in lasts
            yield seen, answer


