"""`score`: from a key and a response to an `Evaluation`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from referee.basics import progress
from referee.basics.exceptions import OptionError, collected_warnings, one_line
from referee.basics.names import check_call
from referee.basics.options.options import ENGINE_OPTIONS, RECORDS, Options, check_options, check_threshold
from referee.basics.options.reading import READ_OPTIONS, ReadOptions
from referee.basics.options.types import PairOptions
from referee.corpus import Corpus
from referee.formats.shared.skipping import OPTION, skipped_said
from referee.inputs.kinds import Input
from referee.inputs.load import SideOptions, allows_skipping, check_once, keep_prepared, load_all, load_both, load_response
from referee.inputs.paths import Stored
from referee.inputs.registry import check_relations
from referee.matching.key_samples import warn_of_weights
from referee.metrics.registry import MetricsArg
from referee.scoring.evaluation import Evaluation, evaluate_corpora
from referee.scoring.other_scorers.profiles import profile_named
from referee.scoring.perfect import check_perfect

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from referee.error_analysis.errors import Errors


@check_call(PairOptions, other="referee.compare(key, a, b) takes several responses, referee.validate(path) one file")
def score(
    key: object,
    response: object,
    *,
    metrics: MetricsArg = None,
    profile: str = "default",
    key_format: str | None = None,
    response_format: str | None = None,
    name: str | None = None,
    threshold: float | None = None,
    **options: Unpack[PairOptions],
) -> Evaluation:
    """Score a response (system output) against a key (gold standard).

    Parameters
    ----------
    key, response : path, Corpus or plain value
        Files in any of `FORMATS` (`-` is standard input), `Corpus` objects, documents of other libraries, or plain Python
        values, see docs/values.md; tables of records, see docs/records.md.
    metrics : str, iterable, mapping or None
        Ids or aliases from `METRICS`, with commas between them or as a list, which may have `Metric` records, too; "all"; a
        mapping from names to metrics, or to functions of your own (see `referee.metrics.metric`); None for what papers report
        and the key calls for, or for what is reported of records. Other metrics are computed when you ask the evaluation.
    profile : str
        One of `PROFILES`.
    key_format, response_format : str or None
        One of `FORMATS`; None to detect it from the content.
    name : str or None
        What reports call the response; None for the name of its file.
    threshold : float or None
        For a response of pairs with probabilities: the probability from which on a pair is a link. The entities are what links
        connect.
    **options
        Fields of `Options`; they go before those of the profile. Which documents are compared: `documents` (names, patterns, or
        a function of a document), `where`, `metadata`, `min_tokens` and `max_tokens`, fields of `DocumentFilter`. For tables
        also those of `ReadOptions` and `EngineSettings` of `referee.basics.options`.

    Returns
    -------
    Evaluation
        The scores, as a mapping from metrics.

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

    Two files, without entities of one mention; `print` shows all scores, and `report` writes them in other forms.

    >>> evaluation = score("examples/key.conll", "examples/response.conll", singletons="drop")
    >>> evaluation["muc"].f1
    0.772...
    """
    how: dict[str, Any] = {"profile": profile, "key_format": key_format, "response_format": response_format, **options}
    (evaluation,) = score_each(key, [(name, response)], metrics, threshold=threshold, **how)
    return evaluation


def score_each(
    key: object,
    responses: Sequence[tuple[str | None, object]],
    metrics: MetricsArg = None,
    *,
    threshold: float | None = None,
    **how: Any,  # noqa: ANN401  # options of several kinds
) -> list[Evaluation]:
    """Score several responses, given with their names, against one key, which is read once; other arguments as for `score`."""
    if threshold is not None:
        check_threshold(threshold, probable=False)
    options, sides = parse_options(**how)
    probable, called = threshold is not None, [one_line(name or number) for number, (name, _) in enumerate(responses, start=1)]
    metrics = list(metrics) if isinstance(metrics, Iterator) else metrics
    evaluations: list[Evaluation] = []
    loaded: Input
    inputs = [response for _, response in responses]
    check_once(key, *inputs)
    if len(inputs) > 1 and allows_skipping(sides[0], key, *inputs):
        key, all_loaded = load_all(key, inputs, sides, probable=probable)  # what one lacks is left out of all
        responses = [(name, response) for (name, _), response in zip(responses, all_loaded, strict=True)]
    for number, (name, response) in enumerate(responses):
        if len(responses) > 1:
            progress.task(f"{number + 1}/{len(responses)} {called[number]}")
        with collected_warnings() as warnings:
            if number == 0:
                loaded, loaded_response = load_both(key, response, sides, probable=probable)
                if len(responses) > 1:
                    keep_prepared(loaded)
            else:
                loaded_response = load_response(loaded, response, sides[1], probable=probable)
            evaluation = evaluate_inputs(loaded, loaded_response, options, sides, metrics, name=name, threshold=threshold)
            if not any(side.columns for side in sides):
                check_perfect(evaluation, loaded, loaded_response)
        evaluations.append(replace(evaluation, warnings=tuple(dict.fromkeys(warnings))) if warnings else evaluation)
    progress.task("")
    return evaluations


def parse_options(
    *,
    profile: str = "default",
    key_format: str | None = None,
    response_format: str | None = None,
    **fields: Any,  # noqa: ANN401  # options of several kinds
) -> tuple[Options, SideOptions]:
    """Return how a call compares its inputs, and how it reads each of them, from all of its options.

    Raises
    ------
    UnknownNameError, OptionError
        If a name or a value is not known.
    """
    reading = {name: fields.pop(name) for name in READ_OPTIONS if name in fields}
    engine = {name: value for name in ENGINE_OPTIONS if (value := fields.pop(name, None)) is not None}
    check_options(fields)
    if engine:
        from referee.basics.options.engines import EngineSettings  # only tables need it

        reading["engine"] = EngineSettings(**engine)
    sides = ReadOptions.of_sides(key_format, response_format, **reading)
    return replace(profile_named(profile).options, **fields), sides


def evaluate_inputs(
    key: Input,
    response: Input,
    options: Options,
    sides: SideOptions,
    metrics: MetricsArg = None,
    *,
    name: str | None = None,
    threshold: float | None = None,
) -> Evaluation:
    """Score what was loaded."""
    reading, _ = sides
    variants = profile_named(options.profile).metrics
    if reading.relations:
        check_relations([side.format for side in (key, response) if isinstance(side, Corpus)])
    if not isinstance(key, Stored):
        warn_of_weights(key.source if isinstance(key, Corpus) else key.name, key.origin)
    kinds = {key.kind, response.kind}
    if "texts" not in kinds:
        check_record_options(options)
    elif ((fields := reading.table_signature_fields) or reading.engine) and kinds == {"texts"}:
        option = f"--{next(iter(fields))}" if fields else "an option of engines, such as --memory,"
        raise OptionError(f"{option} is for tables of records; found texts with mentions: expected no such option")
    if reading.documents:
        from referee.matching.selecting import check_texts  # most calls compare all documents

        check_texts(key, response)
    if isinstance(key, Corpus) and isinstance(response, Corpus) and reading.engine is None and threshold is None:
        signature_fields = reading.signature_fields | skipped_said([key, response])
        return evaluate_corpora(
            key, response, options, metrics, variants, name=name, reading_fields=signature_fields, documents=reading.documents
        )
    if skipped := next((side for side in (key, response) if isinstance(side, Corpus) and side.skipped), None):
        raise OptionError(f"{OPTION} is for texts; found {skipped.source} with an option of tables: expected one of the two")
    from referee.scoring.records import evaluate_records  # texts do not need it, and it is slow to import

    return evaluate_records(key, response, options, sides, metrics, variants, name=name, threshold=threshold)


def check_record_options(options: Options) -> None:
    """Raise OptionError for an option that says nothing of records; a profile may have it."""
    usual = profile_named(options.profile).options
    for name, record in RECORDS.items():
        if record.is_of_texts and getattr(options, name) != getattr(usual, name):
            shown = f"--{name.replace('_', '-')} {getattr(options, name)}"
            raise OptionError(f"{shown} is for mentions in texts; found tables of records: expected no such option")


@check_call(PairOptions, other="evaluation.errors() has those of an evaluation")
def errors(
    key: object,
    response: object,
    *,
    metrics: MetricsArg = None,
    profile: str = "default",
    key_format: str | None = None,
    response_format: str | None = None,
    name: str | None = None,
    threshold: float | None = None,
    **options: Unpack[PairOptions],
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
    how: dict[str, Any] = {"profile": profile, "key_format": key_format, "response_format": response_format, **options}
    return score(key, response, metrics=metrics, name=name, threshold=threshold, **how).errors()
