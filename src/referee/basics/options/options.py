"""`Options`: how a response is scored. Every option stands in the signature.

An option is one field of `Options` with its record: the checks, the options of the command and the fields of signatures follow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field, fields
from numbers import Real
from typing import Any, NamedTuple

from referee.basics.exceptions import OptionError, UnknownNameError, check_name, counted, shortened
from referee.basics.options.choices import ANSWERS, CROSS_DOCUMENT, MATCHERS, PROFILES, REPEATED_MENTIONS, profile_meant

ENGINE_OPTIONS = ("engine", "memory", "spill", "threads", "master", "spark_conf")
"""Options of the engine that counts label tables; `referee.basics.options.engines` says what each means."""


class OptionRecord(NamedTuple):
    """What there is to say of an option, in one place: checks, the command and the signature go by it.

    Parameters
    ----------
    help : str
        What the command says of it.
    choices : tuple of str
        Its values, if they are words.
    kind : str
        What messages call a value, if a registry has the choices.
    meant : function
        Gives the choice that a name of the command means.
    number : (str, function) or None
        Of a number: what it may be, and whether it is.
    metavar : str
        What the command calls a value that is no choice.
    flag : str
        Its short name in the command.
    needs : (str, str) or None
        The option, and its value, without which this one means nothing.
    letter : str
        Its letter in the short signature; empty for an option that is left out there.
    field : str
        Its name in the signature, if it is another.
    always : bool
        Whether the signature has it, even if it is as usual.
    written : function
        How the signature writes a value.
    is_rare : bool
        Whether the help leaves it out, and --help-all has it.
    is_signed : bool
        Whether the signature has it by this name.
    is_of_texts : bool
        Whether it says nothing of records, which have neither spans nor words.
    takes_function : bool
        Whether a value may also be a function of the caller.
    before : (str, value) or None
        A version, and the default until then, if another one has come with it.
    formats : tuple of str
        The formats of responses for which alone it means something; none for all.
    """

    help: str
    choices: tuple[str, ...] = ()
    kind: str = ""
    number: tuple[str, Callable[[float], bool]] | None = None
    meant: Callable[[str], str] = str
    metavar: str = "NUMBER"
    flag: str = ""
    needs: tuple[str, str] | None = None
    letter: str = ""
    field: str = ""
    always: bool = False
    written: Callable[[Any], str] = str
    is_rare: bool = True
    is_signed: bool = True
    is_of_texts: bool = False
    takes_function: bool = False
    before: tuple[str, Any] | None = None
    formats: tuple[str, ...] = ()

    def parsed(self, text: str) -> Any:  # noqa: ANN401  # a value of any option
        """The value that a signature writes so. ValueError if there is none."""
        if self.choices:
            return self.choices[[self.written(choice) for choice in self.choices].index(text)]
        if self.number is not None:
            return float(text)
        return {name: float(weight) for name, _, weight in (pair.rpartition("=") for pair in text.split(","))}


def option(default: Any, help: str, **record: Any) -> Any:  # noqa: ANN401  # the type stands beside the name
    """Return a field of `Options` with its `OptionRecord`."""
    return field(default=default, metadata={"record": OptionRecord(help, **record)})


def function_name(value: object) -> str:
    """The name of a function, or of the class of another callable."""
    return str(getattr(value, "__name__", type(value).__name__))


def exact(number: float) -> str:
    """The number as short as it can be written without rounding it.

    >>> exact(2.0), exact(0.1234567)
    ('2', '0.1234567')
    """
    return repr(number).removesuffix(".0")


@dataclass(frozen=True)
class Options:
    """How key and response are compared.

    Parameters
    ----------
    profile : str
        One of `PROFILES`: where the other values come from.
    match : str or callable
        One of `MATCHERS`: when a key mention and a response mention are the same; or a function of your own, see
        docs/add-a-matcher.md.
    min_overlap : float
        For the matcher `overlap` only: the least share (below 1) or number of positions in common.
    zeros : str
        Zero mentions: match them by their dependencies (`dependent`), like other mentions (`linear`), or `drop` them.
    repeated_mentions : str
        One of `REPEATED_MENTIONS`: what to do with a mention that is annotated twice.
    singletons : str
        `keep` entities of one mention, or `drop` them from each side. `drop-annotated` goes by the mentions as annotated,
        `drop` by those that are left without zeros.
    cross_document : str or None
        None for entities within documents; `topic` or `corpus` for entities across the documents of a topic or all documents.
    zero_division : float
        The value of 0/0. With nan the score is undefined: means leave it out and reports print `-`.
    average : str
        `micro` adds counts over documents and divides last; `macro` is the mean of the documents' scores.
    tokens : str
        `compare` the words of key and response and refuse to score different ones, `align` them by their characters, only
        `warn`, or `ignore` them.
    extra_documents : str
        `score` documents that only the response has, or `ignore` them.
    items : str
        For mentions that are items, not spans: score those of either side (`union`), with those that a side lacks as
        `singletons` of it, only those that the `key` has, where it is a sample, or only those that `both` have. A list of pairs
        names no record that is alone: those that it lacks are singletons of it, unless it is a key with matches and others.
    quotes : str
        For answers that are lists of strings: the k-th time that a string is listed is its k-th occurrence in the text
        (`ordered`), or it stands for `all` occurrences, or for the `first`.
    added_mentions : str
        For answers that are text with marks: mentions whose words the key does not have are spurious (`score`), as strings in
        lists are, or left out (`ignore`).
    sample : float
        For logs of answers with several samples of each document: the number of the sample, or epoch, that is scored; 0 for a
        log with one of each.
    decimals : str
        `round` percentages in reports, or `truncate` them.
    beta : float
        The F-measure treats recall as beta times as important as precision.
    lea_importance : mapping or None
        The weight of each entity type for LEA; None for entity sizes.

    Raises
    ------
    UnknownNameError, OptionError
        If a value is not one of those above.
    """

    profile: str = option(
        "default", "settings of another scorer; corefud is the newest",
        choices=PROFILES, meant=profile_meant, flag="-p", letter="p", is_rare=False,
    )  # fmt: skip
    match: str | Callable[..., Any] = option(
        "exact", "when two mentions match; min: by minimum spans (default: exact)",
        choices=MATCHERS, kind="matcher", letter="m", always=True, is_rare=False, is_of_texts=True, takes_function=True,
        written=lambda match: match if isinstance(match, str) else f"{function_name(match)}*",
    )  # fmt: skip
    min_overlap: float = option(
        0.5, "for --match overlap: the minimum share (below 1) or number of positions (default: 0.5)",
        number=("a share below 1 or a number of positions", lambda x: 0 < x < math.inf), needs=("match", "overlap"), letter="o",
        written=exact, is_of_texts=True,
    )  # fmt: skip
    zeros: str = option(
        "dependent", "how zero mentions are matched (default: dependent)",
        choices=("dependent", "linear", "drop"), letter="0", is_of_texts=True,
    )  # fmt: skip
    repeated_mentions: str = option(
        "first", "what to do with repeated mentions (default: first)",
        choices=REPEATED_MENTIONS, kind="policy for repeated mentions", letter="r", always=True,
    )  # fmt: skip
    singletons: str = option(
        "keep", "entities of one mention (default: keep)",
        choices=("keep", "drop", "drop-annotated"),
        written={"keep": "kept", "drop": "dropped", "drop-annotated": "dropped-as-annotated"}.__getitem__, letter="s",
        always=True, is_rare=False,
    )  # fmt: skip
    cross_document: str | None = option(
        None, "score entities of several documents: of a topic, or of the corpus",
        choices=CROSS_DOCUMENT, kind="cross_document grouping", letter="x",
    )  # fmt: skip
    zero_division: float = option(
        math.nan, "value of 0/0 (default: nan, printed as -)",
        number=("nan or a number from 0 to 1", lambda x: math.isnan(x) or 0 <= x <= 1), letter="z", always=True, written=exact,
    )  # fmt: skip
    average: str = option(
        "micro", "add counts, or average documents (default: micro)", choices=("micro", "macro"), letter="a", always=True,
    )  # fmt: skip
    tokens: str = option(
        "compare", "check that the words are the same (default: compare)",
        choices=("compare", "align", "warn", "ignore"), letter="t",
    )  # fmt: skip
    extra_documents: str = option(
        "score", "what to do with documents that only the response has (default: score)",
        choices=("score", "ignore"), letter="e",
    )  # fmt: skip
    items: str = option(
        "union", "items, not spans: score those of which side; singletons: all, alone where a side lacks them (default: union)",
        choices=("union", "singletons", "key", "both"), letter="i",
    )  # fmt: skip
    quotes: str = option(
        "ordered", "which occurrences listed strings mean (default: ordered)",
        choices=("ordered", "all", "first"), is_signed=False, is_of_texts=True,  # signatures have it with the words
    )  # fmt: skip
    added_mentions: str = option(
        "score", "marks on words that the key does not have: spurious, or left out (default: score)",
        choices=("score", "ignore"), letter="j", is_of_texts=True, before=("0.3.0", "ignore"), formats=ANSWERS,
    )  # fmt: skip
    sample: float = option(
        0, "logs with several samples of each document: the number of the one to score (default: 0, there is one)",
        number=("the number of a sample, or 0", lambda x: x >= 0 and x == int(x)), letter="S", written=exact, is_of_texts=True,
    )  # fmt: skip
    decimals: str = option("round", "round percentages, or truncate (default: round)", choices=("round", "truncate"))
    beta: float = option(
        1.0, "weight of recall in F (default: 1)",
        number=("a number above 0, up to 1e100", lambda x: 0 < x <= 1e100), letter="b", written=exact,  # its square is a float
    )  # fmt: skip
    lea_importance: Mapping[str, float] | None = option(
        None, "weights of entity types for LEA (default: the size of each entity)",
        metavar="TYPE=NUMBER,...",
        written=lambda weights: ",".join(f"{name}={exact(w)}" for name, w in sorted((weights or {}).items())), letter="l",
        field="lea", is_of_texts=True,
    )  # fmt: skip

    def __repr__(self) -> str:
        values = {name: repr(getattr(self, name)) for name in DEFAULTS}
        others = {name: value for name, value in values.items() if value != repr(DEFAULTS[name])}
        return f"Options({', '.join(f'{name}={shortened(value)}' for name, value in others.items())})"

    def __reduce__(self) -> tuple[Callable[..., Options], tuple[object, ...]]:
        """Pickle by the values, so that what comes back is equal."""
        return type(self), tuple(getattr(self, name) for name in DEFAULTS)

    def __post_init__(self) -> None:
        for name, record in RECORDS.items():
            if name == "profile":  # programs that are imitated have names of their own
                continue
            value = getattr(self, name)
            if record.takes_function and callable(value):
                continue
            is_choice = isinstance(value, str) and value in record.choices
            if record.kind and (value is not None or DEFAULTS[name] is not None):
                check_name(record.kind, value, record.choices)
            elif record.choices and not record.kind and not is_choice:
                raise OptionError(f"{name} is {' or '.join(record.choices)}; found {_shown(value)}")
            if record.number is not None:
                expected, is_allowed = record.number
                number = _float(value)
                if number is None or not is_allowed(number):
                    raise OptionError(f"{name} is {expected}; found {_shown(value)}")
                object.__setattr__(self, name, math.nan if math.isnan(number) else number)  # one nan, which is equal to itself
            if record.needs is not None and value != DEFAULTS[name] and getattr(self, record.needs[0]) != record.needs[1]:
                other, needed = record.needs
                raise OptionError(
                    f"{name} is for the {RECORDS[other].kind or other} {needed} only; found {value:g} with "
                    f"{getattr(self, other)}: add --{other} {needed} ({other}={needed!r})"
                )
        if self.lea_importance is not None:
            object.__setattr__(self, "lea_importance", _weights(self.lea_importance))


RECORDS: Mapping[str, OptionRecord] = {f.name: f.metadata["record"] for f in fields(Options)}
"""Option -> what there is to say of it."""

DEFAULTS: Mapping[str, Any] = {f.name: f.default for f in fields(Options)}


def plain_options(options: Options) -> dict[str, Any]:
    """The values of options; functions by their names, as signatures have them."""
    return {name: RECORDS[name].written(value) if callable(value) else value for name, value in asdict(options).items()}


def check_threshold(threshold: float, *, probable: bool = True) -> None:
    """Raise OptionError unless a threshold is a number; one of probabilities is from 0 to 1."""
    number = _float(threshold)
    if number is None or not math.isfinite(number) or (probable and not 0 <= number <= 1):
        raise OptionError(f"threshold is a number{' from 0 to 1' if probable else ''}; found {_shown(threshold)}")


def check_options(names: Collection[str]) -> None:
    """Raise UnknownNameError for a name that is no option."""
    if unknown := sorted(set(names) - set(RECORDS)):
        raise UnknownNameError("option", unknown[0], RECORDS)


def _weights(importance: object) -> dict[str, float]:
    weights = {name: _float(weight) for name, weight in importance.items()} if isinstance(importance, Mapping) else {}
    valid = {name: w for name, w in weights.items() if isinstance(name, str) and w is not None and (w == 0 or 1e-6 <= w <= 1e9)}
    if len(valid) < len(weights) or not any(valid.values()):
        raise OptionError(
            f"lea_importance gives each entity type a weight, 0 or from 1e-6 to 1e9, not all 0; found {_shown(importance)}"
        )
    return valid


def _float(value: object) -> float | None:
    """The value as a float; None if it is no number, or too large for one."""
    try:
        return float(value) if isinstance(value, Real) else None
    except OverflowError:
        return None


def _shown(value: object) -> str:
    return shortened(repr(value), 100)


def names_given(text: str, number: int) -> list[str]:
    """Return the names of systems, which a text has with commas between them. OptionError if they do not fit."""
    names = [name.strip() for name in text.split(",")]
    if len(names) != number or len(set(names)) != number or not all(names):
        raise OptionError(f"--names takes {counted(number, 'name')}, different, with commas between them; found {text!r}")
    return names
