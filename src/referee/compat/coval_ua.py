"""`coval.ua.reader` of the Universal Anaphora scorer, version 1: `get_coref_infos`.

::

    infos, non_referring_infos, bridging_infos = get_coref_infos(key, response, True, True, True, True, False, False)
    recall, precision, f1 = evaluate_documents(infos, muc)  # of referee.compat.coval
    recall, precision, f1 = evaluate_non_referrings(non_referring_infos)

Notes
-----
The three infos are one object. For BLANC, give `blanc` in place of the list of two functions.
"""

from __future__ import annotations

from referee.basics.exceptions import OptionError
from referee.compat.coval_infos import UaInfos
from referee.compat.programs.ua_scorer_1 import NAMES, sides
from referee.compat.programs.universal_anaphora import UaSettings

__all__ = ["get_coref_infos"]


def get_coref_infos(
    key_file: str,
    sys_file: str,
    keep_singletons: bool,
    keep_split_antecedent: bool,
    keep_bridging: bool,
    keep_non_referring: bool,
    evaluate_discourse_deixis: bool,
    use_MIN: bool,  # noqa: N803  # as the scorer calls it
    print_debug: bool = False,
) -> tuple[UaInfos, UaInfos, UaInfos]:
    """Read a key and a response of the format ua: coreference, non-referring expressions and bridging.

    Parameters
    ----------
    key_file, sys_file : path
        The key and the response.
    keep_singletons, keep_split_antecedent, keep_bridging, keep_non_referring : bool
        What is scored.
    evaluate_discourse_deixis : bool
        Whether to score discourse deixis in place of identity.
    use_MIN : bool
        Whether minimum spans of the key match.
    print_debug : bool
        Nothing is printed.

    Raises
    ------
    OptionError
        If split antecedents are kept without singletons.
    """
    if keep_split_antecedent and not keep_singletons:
        raise OptionError("found keep_split_antecedent=True without singletons; expected keep_singletons=True, too")
    layers = [*["non-referring"] * keep_non_referring, *["bridging"] * keep_bridging]
    settings = UaSettings(
        [*NAMES, *layers],
        singletons=keep_singletons,
        split_antecedents=keep_split_antecedent,
        deixis=evaluate_discourse_deixis,
    )
    infos = UaInfos(*sides(str(key_file), str(sys_file), settings), settings, use_MIN)
    return infos, infos, infos
