"""The words that options of the command take, without the modules that know what they mean.

So help, and a mistake in a call, need neither these modules nor NumPy. A test compares a list with its registry, if it has one.
"""

from __future__ import annotations

LISTED = """
    conll* corefud* webanno* ua* arrau
    mmax2 ecb corefannotator uima naf glozz tei litbank brat* muc* docbin booknlp
    labelstudio* doccano prodigy elit
    stanza corenlp preco* maverick allennlp fastcoref
    rows winobias tagged jsonlines* s2and* quotes clusters*
    gap pairs sacr* csv* tsv* links* parquet arrow xlsx
"""
"""In the order in which they are tried when a file's format must be told from its content; with * if they are written, too."""

FORMATS = tuple(name.rstrip("*") for name in LISTED.split())
"""Modules of `referee.formats`; for a few, see `referee.inputs.registry.ROOMS`."""

ANSWERS = ("tagged", "quotes")
"""The formats of answers of language models, which are put on the words of the key."""


class Readable(tuple[str, ...]):
    """The names by which files are read: those of formats, perhaps with a variant behind a colon."""

    __slots__ = ()

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and super().__contains__(name.partition(":")[0])


READABLE = Readable(FORMATS)

WRITABLE = tuple(name.rstrip("*") for name in LISTED.split() if name.endswith("*"))
"""Those of them that are written, too."""

ENDINGS = {".conllu": "corefud", ".conllua": "ua", ".ann": "brat", ".sgml": "muc", ".sgm": "muc"}
ENDINGS |= {".jsonl": "jsonlines", ".json": "clusters", ".txt": "links"}
"""The endings of files that name a format when a file is written, besides its own name."""


def format_named(name: str) -> str:
    """Return the format of a name in any case; what stands behind a colon stays as it is.

    >>> format_named("WebAnno"), format_named("DocBin:Chains")
    ('webanno', 'docbin:Chains')
    """
    format_name, colon, variant = name.partition(":")
    return format_name.lower() + colon + variant


PROFILES = ("default", "conll-8.01", "ua-2.0", "corefud-1.2")
"""Those of one family in the order of their versions."""


def profile_meant(name: str) -> str:
    """Return the newest profile of a family, if a name is that of one; else the name.

    >>> profile_meant("corefud"), profile_meant("ua-2.0")
    ('corefud-1.2', 'ua-2.0')
    """
    return next((profile for profile in reversed(PROFILES) if profile.rpartition("-")[0] == name), name)


MATCHERS = ("exact", "head", "partial", "min", "overlap", "craft")
REPEATED_MENTIONS = ("first", "merge", "error", "conll", "corefud", "ua")
CROSS_DOCUMENT = ("topic", "corpus")

NULLS = ("error", "drop", "singleton", "keep")
TABLES = ("one", "two")
IDS = ("text", "number")
TABLE_CHOICES = {"nulls": NULLS, "tables": TABLES, "ids": IDS, "engine": ("memory", "duckdb", "spark")}
"""The same for label tables."""

SIDES = ("value", "recall", "precision")
PAPER_TABLES = ("conll", "prf")

COMPARISON_TABLES = ("datasets", "crac")
"""Of `referee compare` alone."""

STYLES = ("margin", "interval", "plain")
COEFFICIENTS = ("pearson", "spearman", "kendall")
PLOT_ENDINGS = (".svg", ".png", ".pdf")

ESTIMATED = ("links", "b_cubed", "exact")
SAMPLED = ("uniform", "inverse-size")

ERRORS_BY = (
    *("kind", "size", "mention-type", "distance", "sentences", "position", "entity-type", "document"),
    *("entity", "error", "merge", "split", "pair", "answer"),
)
ERROR_PLOTS = ("costs", "sizes", "flow")

AGREEMENT_BY = ("pair", "matrix", "document", "entity", "mention", "type", "undecided")
ALPHA_MENTIONS = ("unmarked", "all", "common")
DISTANCES = ("masi", "set", "jaccard", "nominal")

PAPERS = ("000", "001", "002", "003", "004")
PROGRAMS = ("scorer.pl", "corefud-scorer", "ua-scorer", "ua-scorer-1", "coval", "conlleval")

ENTITY_TYPES = ("person", "animal", "place", "group", "time", "thing")
QUANTIFIERS = ("any", "mean", "all", "last", "first")
EPOCHS = 12
"""Passes over the text when a model is fitted; no word, but a default that the help says."""

STRATEGIES = ("key", "apart", "together", "strings", "heads", "nearest", "pronouns-apart", "pronouns-together")

PHRASE_FORMATS = (
    "candidates",
    "posteriors",
    "nbest",
    "characters",
    "spans",
    "parquet",
    "trees",
    "columns",
    "dependencies",
    "mentions",
)
DECODERS = ("conlleval", "strict", "IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU", "BMEWO", "BMES", "IO")
DECODER_ALIASES = {"lenient": "conlleval", "default": "conlleval", "bio1": "IOB1", "bio2": "IOB2", "bio": "IOB2"}
DECODER_ALIASES |= {**dict.fromkeys(("bioes", "bieos"), "IOBES"), "biluo": "BILOU", "bmeow": "BMEWO", "bmeso": "BMES"}


def decoder_named(name: str) -> str:
    """Return the rule for tags of a name in any case, or of one that other programs have; an unknown name as it is.

    >>> decoder_named("iob2"), decoder_named("BIOES"), decoder_named("IOB")
    ('IOB2', 'IOBES', 'IOB')
    """
    by_name = {**{each.lower(): each for each in DECODERS}, **DECODER_ALIASES}
    return by_name.get(name.lower(), name)


TREE_CHUNKS = ("abney", "flat")
PARSERS = ("S", "Z")
PHRASE_METRICS = (
    *(
        "bits_per_candidate",
        "bits_per_sentence",
        "bits_per_chunk",
        "log10_perplexity",
        "expected",
        "brier",
        "brier_per_sentence",
    ),
    *("calibration_error", "zero_probability_events", "conditional_entropy"),
    *("exact_match", "span_match", "category_match", "partial_match", "accuracy"),
)
PHRASE_ALIASES = {"type": "category", "type_match": "category_match", "ent_type": "category_match"}
PHRASE_ALIASES |= {**dict.fromkeys(("f1", "f1_score", "strict"), "exact_match"), "partial": "partial_match"}
"""What other programs call groups and metrics of phrases."""

PHRASE_GROUPS = ("category", "length", "coverage", "sentence")
PHRASE_ERRORS = ("missed", "spurious", "type", "span", "both")
