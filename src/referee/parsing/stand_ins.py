"""Words that the network sees as others, as the texts it was fitted to have too few of them: English titles, and *Will*.

- A title before a name is seen as *Mr.*: *Aunt Polly*, *Captain Nemo*. If the name ends as adverbs and nouns do (*Polly*,
  *Marwass*) and another word follows, it is seen as *Smith*.
- *Will* and *May* at the beginning of a sentence are seen as *John* before a verb in the past: *Will opened the door.* Within a
  sentence *Will* is, but for after a quotation mark, a colon or the end of a sentence.

Features and lemmas are those of the words themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

LANGUAGE = "en"

TITLES = frozenset(
    [
        "Mr",
        "Mrs",
        "Miss",
        "Ms",
        "Mister",
        "Aunt",
        "Uncle",
        "Lady",
        "Lord",
        "Sir",
        "Captain",
        "Mayor",
        "Father",
        "Mother",
        "Sister",
        "Brother",
        "Madame",
        "Monsieur",
        "Colonel",
        "Judge",
        "Professor",
        "Doctor",
        "Squire",
        "Baron",
        "Count",
        "Duke",
        "Prince",
        "Princess",
        "Queen",
        "King",
    ]
)
PASTS = frozenset(
    [
        "was",
        "is",
        "had",
        "has",
        "said",
        "says",
        "went",
        "came",
        "saw",
        "took",
        "got",
        "gave",
        "made",
        "stood",
        "sat",
        "could",
        "would",
        "did",
        "does",
        "knew",
        "thought",
        "felt",
        "found",
        "told",
        "left",
        "ran",
        "met",
        "began",
        "kept",
        "let",
        "put",
        "read",
        "sent",
        "held",
        "brought",
        "heard",
        "lost",
        "won",
        "wrote",
        "spoke",
        "broke",
        "drove",
        "rose",
        "fell",
        "grew",
        "threw",
        "shook",
        "lay",
        "ate",
        "drank",
        "slept",
    ]
)
OPENING = frozenset(("“", '"', "‘", ":", ".", "!", "?", "”"))


def with_stand_ins(forms: Sequence[str], first: Sequence[int]) -> Sequence[str]:
    """The words as the network sees them; `first` has the first word of each sentence.

    >>> with_stand_ins("Yesterday Will met Aunt Polly .".split(), [0])
    ['Yesterday', 'John', 'met', 'Mr.', 'Smith', '.']
    """
    seen = list(forms)
    begins = set(first)
    places = [n for n, form in enumerate(forms[:-1]) if form in TITLES or form in ("Will", "May")]
    for n in places:
        form, following = forms[n], forms[n + 1]
        if form in TITLES:
            if following.istitle() and n + 1 not in begins:
                seen[n] = "Mr."
                if n + 2 < len(forms) and following not in TITLES and len(following) > 2 and following.endswith(("ly", "ss")):
                    seen[n + 1] = "Smith"
        elif n in begins:
            if following.islower() and (following.endswith("ed") or following in PASTS):
                seen[n] = "John"
        elif form == "Will" and following != "I" and forms[n - 1] not in OPENING:
            seen[n] = "John"
    return seen
