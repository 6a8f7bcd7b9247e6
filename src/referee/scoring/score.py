"""`score`: from a key and a response to an `Evaluation`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from referee.exceptions import OptionError, check_name, listed
from referee.formats.load.anything import read_both
from referee.metrics.registry import Chosen, chosen, panel_named
from referee.options import EXTRA_ITEMS, TABLE_OPTIONS, check_options, check_threshold
from referee.pair import pair_of
from referee.scoring.evaluation import Evaluation, evaluate
from referee.scoring.profiles import profile_named
from referee.scoring.table_values import may_be_tables

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from referee.error_analysis.errors import Errors
    from referee.option_types import InputOptions
    from referee.scoring.estimates import Estimates


def score(
    key: object,
    response: object,
    *,
    metrics: Chosen = None,
    profile: str = "default",
    key_format: str | None = None,
    response_format: str | None = None,
    name: str | None = None,
    threshold: float | None = None,
    extra_items: Literal["score", "drop"] | None = None,
    **options: Unpack[InputOptions],
) -> Evaluation:
    """Score a response (system output) against a key (gold standard).

    Parameters
    ----------
    key, response : path, Corpus or plain value
        Files in any of `FORMATS` (`-` is standard input), `Corpus` objects, documents of other libraries, or plain Python
        values, see docs/values.md.
    metrics : str, iterable, mapping or None
        Ids or aliases from `METRICS`, with commas between them or as a list, which may have `Metric` records, too; "all"; a
        mapping from names to metrics, or to functions of your own (see `referee.metrics.metric`); None for what papers report
        and the key calls for. Other metrics are computed when you ask the evaluation for them.
    profile : str
        One of `PROFILES`.
    key_format, response_format : str or None
        One of `FORMATS`; None to detect it from the content.
    name : str or None
        What reports call the response; None for the name of its file.
    threshold : float or None
        For a response of pairs with probabilities (files of the format `pairs`, Parquet, data frames): the probability from
        which on a pair is a link. The entities are what links connect.
    extra_items : str or None
        For a key that is a sample, what is done with items that it does not have: "score" them as spurious, "drop" them (as
        `items="key"` does). "estimate" is the function `estimate`, with its options and its result; type checkers want that.
    **options
        Fields of `Options`; they go before those of the profile. For label tables also those of
        `referee.tables.settings.Settings`.

    Returns
    -------
    Evaluation
        The scores, as a mapping from metrics; `Estimates` if they are estimated.

    Raises
    ------
    FormatError, MismatchError, UnknownNameError, OptionError
        If the input cannot be read or compared, or a name or value is not known.

    Warns
    -----
    RefereeWarning
        If the scores stand, but something about the input should be known.

    Examples
    --------
    >>> score([0, 0, 1, 1], [0, 0, 1, 2])["links"].recall
    0.5
    """
    if extra_items is not None:
        check_name("way of extra items", extra_items, EXTRA_ITEMS)
        if extra_items == "estimate":  # type: ignore[comparison-overlap]  # as on the command line
            return estimated(key, response, {"metrics": metrics, "profile": profile, "threshold": threshold, **options},
                              key_format=key_format, response_format=response_format, name=name)  # fmt: skip
        wanted = EXTRA_ITEMS[extra_items]
        if options.setdefault("items", wanted) != wanted:
            raise OptionError(f"--extra-items {extra_items} is --items {wanted}; found --items {options['items']}, too")
    settings = profile_named(profile)
    check_threshold(threshold)
    of_tables = {option: options.pop(option) for option in TABLE_OPTIONS if option in options}  # type: ignore[misc]
    check_options(options)
    o = replace(settings.options, **options)  # type: ignore[misc]  # those of tables are taken out
    if may_be_tables(key, response, key_format, response_format):
        from referee.scoring.table_evaluation import score_tables  # a wing that texts have no use for
        from referee.tables.settings import Settings

        scored = score_tables(key, response, Settings(**of_tables), o, metrics, name=name, threshold=threshold)
        if not isinstance(scored, tuple):
            return scored
        key, response = scored
    if of_tables:
        raise OptionError(
            f"--{min(of_tables).replace('_', '-')} is for label tables; expected two, from Parquet files or Python"
        )
    if threshold is not None:
        from referee.scoring.thresholds import decided  # pairs, of which most scores are not made

        response, response_format = decided(response, threshold, response_format), None
    corpora = read_both(key, response, key_format, response_format)
    records = chosen(metrics, corpora[0], settings.metrics)
    pair = pair_of(*corpora, o)
    return evaluate(pair, records, name=name or corpora[1].source, panel=panel_named(metrics), threshold=threshold)


def estimated(
    key: object,
    response: object,
    options: dict[str, Any],
    *,
    key_format: str | None,
    response_format: str | None,
    name: str | None,
) -> Estimates:
    """Estimate the scores of all items from a key that is a sample; OptionError for options that say nothing of estimates."""
    from referee.scoring.estimates import estimate  # a wing that other scores have no use for

    known = {"metrics", "weights", "level", "beta", *TABLE_OPTIONS}
    usual = {"profile": "default", "threshold": None}
    if others := [option for option in options if option not in known and options[option] != usual.get(option, ...)]:
        raise OptionError(f"--{others[0].replace('_', '-')} is not for estimates; expected only {listed(sorted(known))}")
    given = {option: value for option, value in options.items() if option in known and value is not None}
    return estimate(key, response, key_format=key_format, response_format=response_format, name=name, **given)


def errors(
    key: object,
    response: object,
    *,
    profile: str = "default",
    key_format: str | None = None,
    response_format: str | None = None,
    name: str | None = None,
    **options: Unpack[InputOptions],
) -> Errors:
    """Find the errors of a response, and what they cost; arguments as for `score`.

    Returns
    -------
    Errors
        Print it for the table of `referee errors`; `by` breaks errors down, `costs` gives the cost of each.

    Examples
    --------
    >>> errors([{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"c", "d", "e"}]).counts["misplaced"]
    1
    """
    evaluation = score(
        key, response, profile=profile, key_format=key_format, response_format=response_format, name=name, **options
    )
    return evaluation.errors()
