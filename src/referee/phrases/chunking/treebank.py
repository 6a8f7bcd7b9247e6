"""Tags and categories of the Penn Treebank, as the rules of `referee.phrases.chunking.tree_chunks` group them."""

from __future__ import annotations

OUTSIDE = "Null"
"""The category of words that are in no phrase; each is a chunk of one word."""

PUNCTUATION = {",", ".", ":", "``", "''", "-LRB-", "-RRB-"}
SEPARATORS = PUNCTUATION | {"CC"}
VERBS = {"MD", "TO", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ"}
ADVERBS = {"RB", "RBR", "RBS"}
NOUNS = {"NN", "NNS", "NNP", "NNPS", "PRP", "PRP$", "EX", "CD", "DT", "PDT", "$", "#", "FW", "SYM"}
ADJECTIVES = {"JJ", "JJR", "JJS"}
QUESTION_WORDS = {"WDT", "WP", "WP$"}
NOMINAL = NOUNS | ADJECTIVES | ADVERBS | QUESTION_WORDS | {"POS", "VBG", "VBN"}
PREPOSITIONS = {"IN", "TO", "VBG", "VBN", "RP", "FW", "RB", "JJ", "NN", "DT"}  # including, compared, instead of, such as

DISSOLVED = {"QP", "NX", "NAC", "X"}
"""Categories inside a nominal phrase whose brackets are removed."""

NOMINAL_PHRASES = {"NP", "WHNP"} | DISSOLVED
MODIFIERS = {"ADJP", "ADVP", "UCP", "WHADJP"}
DEGREE_PHRASES = {"ADJP", "ADVP", "QP"}
LARGE_PHRASES = {"NP", "PP", "PRN", "S", "SBAR", "VP"}
OBJECT_CHUNKS = {"NP", "WHNP", "ADJP", "ADVP"}
OBJECT_PHRASES = OBJECT_CHUNKS | {"NX", "QP"}

NOT_HEADS = {"ADJP": SEPARATORS | {"UH"}, "LST": PUNCTUATION - {":", "-RRB-"}}
"""Tags that cannot be the head of these phrases; in other phrases, those of punctuation."""

CATEGORY_OF_TAG = {
    **dict.fromkeys(NOUNS, "NP"),
    **dict.fromkeys(ADJECTIVES, "ADJP"),
    **dict.fromkeys(ADVERBS, "ADVP"),
    **dict.fromkeys(QUESTION_WORDS, "WHNP"),
    **dict.fromkeys(VERBS - {"TO"}, "VP"),
    "RP": "PRT",
    "UH": "INTJ",
    "LS": "LST",
    "WRB": "WHADVP",
}
"""The category of a word that no phrase includes; others are `OUTSIDE`."""

CATEGORY_IN_PARENT = {
    **{phrase: {"POS": "NP", "VB": "NP", "TO": "VP"} for phrase in NOMINAL_PHRASES},
    **{phrase: {"IN": "PP", "TO": "PP"} for phrase in ("ADJP", "ADVP")},
    "SBAR": {"IN": "SBAR", "TO": "SBAR"},
}
"""Exceptions for words directly inside these phrases."""
