"""What is learnt of languages, for tests: written by hand, and learnt from the kit beside the project."""

import gzip
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from referee.parsing.splitting.fit import fit_splitting
from referee.parsing.splitting.learnt import Splitting
from referee.parsing.splitting.split import split
from tests.support.paths import SHARED

STOPS = {f"m+{mark}-": 1 for mark in (".", "?", "!", "…")} | {'m+"-': 1, "m+mr.-": -1, "m+e.g.-": -1}

ENGLISH = Splitting(
    language="en",
    abbreviations=frozenset({"Mr.", "etc.", "No.", "Sat."}),
    contractions={"gonna": ("gon", "na"), "cannot": ("can", "not")},
    enclitics=frozenset({"'s", "n't", "'ll", "'d"}),
    hosts={"'d": frozenset({"i", "he"})},
    whole=frozenset({"o'clock", "'tis", "e-mail"}),
    prefixes=frozenset({"co", "non"}),
    joints=frozenset({"aa1", "aa2", "0a2", "0<1", "-"}),
    endings=frozenset({"in'"}),
    frequent=("the", "no", "she", "he"),
    share=300,
    letters="abcdefghijklmnopqrstuvwxyz",
    vocabulary=frozenset({"example", "known", "well", "she", "then"}),
    weights=STOPS,
)

FRENCH = Splitting(
    language="fr",
    contractions={"du": ("de", "le"), "aux": ("à", "les")},
    enclitics=frozenset({"-il", "-t", "-elle"}),
    proclitics=frozenset({"l'", "d'", "qu'"}),
    whole=frozenset({"aujourd'hui"}),
    weights=STOPS,
)


def kit(name):
    """A file of the kit; the test is skipped where there is none."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"no {path}")
    return gzip.decompress(path.read_bytes())


@cache
def english():
    """What the trees of the kit teach of English."""
    return fit_splitting([kit("parse/ewt.train.conllu.gz"), kit("resolve/gum-by.train.conllu.gz")], "en")


@cache
def french():
    """What some of the French trees of the kit teach, which tell no white space."""
    documents = kit("parse/fr-litbank.conllu.gz").split(b"# newdoc")
    return fit_splitting([b"# newdoc".join(documents[:8])], "fr")


def lines(words):
    """The words of each sentence, joined by blanks."""
    return [" ".join(words.form[start:end]) for start, end in zip(words.first[:-1], words.first[1:], strict=True)]


def forms(text, splitting=ENGLISH):
    """The words of a text, joined by blanks."""
    return " ".join(split([text], ["a"], splitting).form)


def sentences(text, splitting=ENGLISH):
    """The sentences of a text."""
    return lines(split([text], ["a"], splitting))


def paragraphs(text, splitting=ENGLISH):
    """The paragraphs of a text, their words joined by blanks."""
    words = split([text], ["a"], splitting)
    begins = np.append(words.first[:-1][words.paragraph], len(words.form))
    return [" ".join(words.form[start:end]) for start, end in pairwise(begins)]


def said(text):
    """Each sentence with its speaker."""
    words = split([text], ["a"], ENGLISH)
    return list(zip(words.speaker, lines(words), strict=True))
