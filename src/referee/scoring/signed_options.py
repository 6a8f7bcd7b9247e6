"""A signature that is run again: the options of scoring that it names, for `score` and `compare`.

Options are read as their records write them. What a signature says of files, such as their formats and their number of
documents, is no option: files are named again, with what reading them needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from referee.basics.exceptions import OptionError, UnknownNameError, listed, shortened
from referee.basics.names import check_call
from referee.basics.options.options import DEFAULTS, RECORDS
from referee.basics.version import VERSION
from referee.metrics.registry import ALL, NAMES, PANELS, PANELS_SINCE, metrics_named
from referee.scoring.other_scorers.profiles import profile_named
from referee.scoring.signature import OF_RESPONSES, SHORT

FIRST = re.compile(r"referee[ :](\d+\.\d+\.\d+\S*)")
LETTERS = {letter: name for name, letter in SHORT.items() if letter}
RESAMPLED = {"intervals": "method", "level": "level", "resamples": "resamples", "seed": "seed", "unit": "unit", "test": "test"}
"""Fields of intervals and tests -> fields of `Resampling`."""
OF_TABLES = ("nulls", "tables", "relations")
"""Fields that are options of reading by the same name."""
SIZES = ("min-tokens", "max-tokens")
OF_COMPARISONS = (*RESAMPLED, "correction", "baseline", "pairs")
"""Fields of intervals and comparisons, which say nothing of scores."""
FIELDS = {*SHORT, *OF_COMPARISONS}


class SignedScores(NamedTuple):
    """What a signature says.

    Parameters
    ----------
    version : str
        The version of Referee.
    metrics : str
        What stands in the place of metrics.
    fields : mapping
        The long name of each field -> its value.
    is_short : bool
        Whether it is a short one.
    """

    version: str
    metrics: str
    fields: Mapping[str, str]
    is_short: bool

    @classmethod
    def parse(cls, text: str) -> SignedScores:
        """Read a signature, or a short one.

        Raises
        ------
        OptionError, UnknownNameError
            If it is none, or has an unknown field.
        """
        is_short = " | " not in text
        first, *parts = [part.strip() for part in text.strip().split("|" if is_short else " | ")]
        version = FIRST.fullmatch(first)
        if not version or not parts:
            raise OptionError(
                f"--like takes a signature, as 'referee {VERSION} | conll | ...'; found {shortened(repr(text), 100)}"
            )
        pairs = [(LETTERS.get(name, name), value) for name, _, value in (part.partition(":") for part in parts[1:])]
        if unknown := [name for name, _ in pairs if name not in FIELDS]:
            raise UnknownNameError("field of signatures", unknown[0], FIELDS)
        return cls(version[1], parts[0], dict(pairs), is_short)

    def check_version(self, names: Collection[str] = ()) -> None:
        """Raise OptionError for a later version, or if a default has changed since that counts here and is not in `given`."""
        if _numbers(self.version) > _numbers(VERSION):
            raise OptionError(f"--like is a signature of referee {self.version}; this is {VERSION}: expected no later one")
        formats = {name.partition(":")[0] for name in re.split(r"[/+]", self.fields.get("formats", ""))}
        for name, record in RECORDS.items():
            if record.before is None or name in names or (record.field or name.replace("_", "-")) in self.fields:
                continue
            version, default = record.before
            counts = not record.formats or self.is_short or formats & {*record.formats}
            if _numbers(self.version) < _numbers(version) and counts:
                option = f"--{name.replace('_', '-')}"
                raise OptionError(
                    f"--like is a signature of referee {self.version}, where {option} was {default} by default; it is "
                    f"{DEFAULTS[name]} since {version}: expected {option} with it, as {option} {default} for its numbers"
                )
        about = " ".join(self.fields.get(name, "") for name in ("formats", "profile", "kind"))
        for panel, version in PANELS_SINCE.items():
            if (
                panel in about
                and self._metrics is None
                and "metrics" not in names
                and _numbers(self.version) < _numbers(version)
            ):
                raise OptionError(
                    f"--like is a signature of referee {self.version}, where other metrics were usual; those of {panel} are "
                    f"since {version}: expected --metrics with it"
                )

    @property
    def options(self) -> dict[str, Any]:
        """The metrics and options, as arguments of `referee.score`.

        Raises
        ------
        OptionError, UnknownNameError
            If a value is none that the option has, or a metric is not known here.
        """
        profile = profile_named(self.fields.get("profile", "default"))
        options: dict[str, Any] = {"metrics": self._metrics}
        for name, record in RECORDS.items():
            field = record.field or name.replace("_", "-")
            if field in self.fields and name != "tokens":
                try:
                    options[name] = record.parsed(self.fields[field])
                except ValueError:
                    raise OptionError(f"--like has {field}:{shortened(self.fields[field])}, which is no value of it") from None
            elif record.is_signed and name != "tokens" and not (self.is_short and not record.letter):
                options[name] = DEFAULTS[name]  # a profile may have another value
        if (tokens := self._tokens) and tokens != profile.options.tokens:
            options["tokens"] = tokens
        words = self.fields.get("tokens", "")
        if quotes := re.search(f"quotes-({'|'.join(RECORDS['quotes'].choices)})", words):
            options["quotes"] = quotes[1]
        options |= {name: self.fields[name] for name in OF_TABLES if self.fields.get(name, "error") != "error"}
        if self.fields.get("ids") == "number":
            options["ids"] = "number"
        if "threshold" in self.fields:
            options["threshold"] = self._number("threshold", float)
        return options | self._selection

    @property
    def resampling(self) -> dict[str, Any]:
        """How intervals and tests are made, as arguments of `Resampling`; empty if there are none."""
        kinds = {"level": float, "resamples": int, "seed": int}
        return {
            option: self._number(field, kinds[field]) if field in kinds else self.fields[field]
            for field, option in RESAMPLED.items()
            if field in self.fields
        }

    def _number(self, field: str, kind: Callable[[str], float] = int) -> float:
        try:
            return kind(self.fields[field])
        except ValueError:
            raise OptionError(f"--like has {field}:{shortened(self.fields[field])}; expected a number") from None

    @property
    def _selection(self) -> dict[str, Any]:
        """Which documents were compared; a digest of their names is none that can be read back, and is left to the caller."""
        options: dict[str, Any] = {name.replace("-", "_"): self._number(name) for name in SIZES if name in self.fields}
        selected = self.fields.get("selected", "crc32-")
        if not selected.startswith("crc32-"):
            options["documents"] = [unquote(name) for name in selected.split("+")]
        pairs = [pair.partition("=") for pair in self.fields.get("where", "").split(",") if pair]
        if pairs:
            options["where"] = {unquote(name): [unquote(value) for value in values.split("+")] for name, _, values in pairs}
        return options

    @property
    def _metrics(self) -> list[str] | str | None:
        named = self.metrics.split("+")
        if starred := [name for name in named if name.endswith("*")]:
            raise OptionError(f"--like has {starred[0]}, a metric of the one who made it; expected metrics of Referee")
        if self.metrics == ALL:
            return ALL
        panels = {"default", *PANELS} - {*NAMES}  # `pairs` is a metric, and a panel only beside another one
        return None if panels & {*named} else list(metrics_named(named))

    @property
    def _tokens(self) -> str:
        """How the words were compared, as far as it can be told from what came out; empty for as usual."""
        words = [value for value in self.fields.get("tokens", "").split(",") if not value.startswith("quotes")]
        if any(value == "different" for value in words):
            return "warn"
        if any(value.startswith("aligned") for value in words):
            return "align"
        return "ignore" if words and all(value == "not-compared" for value in words) else ""

    def difference(self, signature: str) -> str:
        """What a signature of other scores says that this one does not, for a warning; empty if nothing."""
        other = SignedScores.parse(signature)
        names = [name for name in (*self.fields, *other.fields) if name not in (*OF_RESPONSES, *OF_COMPARISONS)]
        fields = {name: (other.fields.get(name, "nothing"), self.fields.get(name, "nothing")) for name in dict.fromkeys(names)}
        if self.is_short:
            fields = {name: values for name, values in fields.items() if name in self.fields}
        pairs = {"metrics": (other.metrics, self.metrics), **fields}
        changed = [f"{name} {here}, there {there}" for name, (here, there) in pairs.items() if here != there]
        return f"--like: the signature has other fields than that one: {listed(changed)}" if changed else ""


@check_call()
def read_signature(signature: str) -> dict[str, Any]:
    """Return the options of a signature, as arguments of `referee.score` and `referee.compare`.

    Parameters
    ----------
    signature : str
        A signature, or a short one.

    Raises
    ------
    OptionError, UnknownNameError
        If it is none; if it is of a later version, or a default that counts for it has changed since.

    Examples
    --------
    >>> from referee import score
    >>> key, response = {"d": [{1, 2}, {3}]}, {"d": [{1, 2, 3}]}
    >>> macro = score(key, response, metrics="b_cubed", singletons="drop", average="macro")
    >>> again = score(key, response, **read_signature(macro.signature))
    >>> again["b_cubed"] == macro["b_cubed"], again.signature == macro.signature
    (True, True)
    """
    signed = SignedScores.parse(signature)
    signed.check_version()
    return signed.options


def _numbers(version: str) -> tuple[int, ...]:
    """A version in the order of versions.

    >>> _numbers("0.3.0") < _numbers("0.10.0")
    True
    """
    return tuple(map(int, re.findall(r"\d+", version)[:3]))
