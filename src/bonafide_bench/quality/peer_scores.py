"""Other programs that score names, for comparison: token sort ratio, logic-v2 of nomenklatura, and Splink.

Only rapidfuzz is a dependency. The others are imported if they are installed; otherwise their column says so.
"""

import logging
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from rapidfuzz import fuzz, utils

from bonafide.model.entry import EntityKind
from bonafide_bench.quality.pair_scores import ScoreNames, score_pairs
from bonafide_bench.real_names.name_pairs import NamePair, PairKind

PeerScores = Callable[[Sequence[NamePair]], list[float]]
"""The score of each pair, 0 to 1."""
_SCHEMATA = {
    EntityKind.PERSON: "Person",
    EntityKind.ORGANIZATION: "Organization",
    EntityKind.VESSEL: "Vessel",
    EntityKind.AIRCRAFT: "Airplane",
    None: "Company",
}
_ALIKE = (0.97, 0.92, 0.85)
"""Jaro-Winkler levels of Splink's comparison of names; its documentation recommends 0.92 and 0.8 for names of people."""
_PRIOR = 1 / 2
"""Splink's prior probability that two names of a pair are of one firm."""


def load_peers() -> dict[str, PeerScores | None]:
    """Each program by its name; None for one that is not installed."""
    return {
        "token sort": _compare_with(score_by_token_sort),
        "logic-v2": _compare_with(_create_logic_scorer()) if is_installed("nomenklatura") else None,
        "Splink": score_by_splink if is_installed("splink") else None,
    }


def is_installed(package: str) -> bool:
    """Whether a package can be imported."""
    return find_spec(package) is not None


def _compare_with(score: ScoreNames) -> PeerScores:
    return lambda pairs: score_pairs(pairs, score)


def score_by_token_sort(submitted: str, name: str, _kind: EntityKind | None) -> float:
    """The share of equal letters after sorting the words of both names."""
    return fuzz.token_sort_ratio(submitted, name, processor=utils.default_process) / 100


def _create_logic_scorer() -> ScoreNames:
    """The score of logic-v2 of two entities that have a name and nothing else."""
    from followthemoney import EntityProxy  # type: ignore[import-not-found]  # noqa: PLC0415 - optional
    from nomenklatura.matching import LogicV2  # type: ignore[import-not-found]  # noqa: PLC0415 - optional

    config: Any = LogicV2.default_config()

    @cache
    def build_entity(schema: str, name: str) -> Any:
        return EntityProxy.from_dict({"id": name, "schema": schema, "properties": {"name": [name]}})

    def score(submitted: str, name: str, kind: EntityKind | None) -> float:
        schema = _SCHEMATA[kind]
        return float(LogicV2.compare(build_entity(schema, submitted), build_entity(schema, name), config).score)

    return score


def score_by_splink(pairs: Sequence[NamePair]) -> list[float]:
    """Match probabilities of Splink with levels of Jaro-Winkler similarity, trained on the pairs themselves without their labels.

    Splink links tables by several fields. With a name alone it has one comparison, so that its column shows what that is worth.
    """
    import duckdb  # type: ignore[import-not-found]  # noqa: PLC0415 - optional, as the next ones
    from splink import Linker, SettingsCreator  # type: ignore[import-not-found]  # noqa: PLC0415
    from splink.backends.duckdb import DuckDBAPI  # type: ignore[import-not-found]  # noqa: PLC0415
    from splink.comparison_library import JaroWinklerAtThresholds  # type: ignore[import-not-found]  # noqa: PLC0415

    logging.getLogger("splink").setLevel(logging.CRITICAL)
    flat = [(at, pair.submitted, name) for at, pair in enumerate(pairs) for name in pair.names]
    connection = duckdb.connect()
    for table, texts in (("submitted", [row[1] for row in flat]), ("found", [row[2] for row in flat])):
        connection.execute(f"create table {table} (unique_id integer, pair integer, name varchar)")
        connection.executemany(f"insert into {table} values (?, ?, ?)", [(at, at, fold(text)) for at, text in enumerate(texts)])  # noqa: S608 - a constant name
    database = DuckDBAPI(connection)
    settings = SettingsCreator(
        link_type="link_only",
        probability_two_random_records_match=_PRIOR,
        comparisons=[JaroWinklerAtThresholds("name", list(_ALIKE))],
        blocking_rules_to_generate_predictions=["l.pair = r.pair"],
    )
    linker = Linker([database.register(table) for table in ("submitted", "found")], settings, log_level=None)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e5, seed=1)
    linker.training.estimate_parameters_using_expectation_maximisation("l.pair = r.pair")
    scores = [0.0] * len(pairs)
    for row in linker.inference.predict().as_record_list():
        at = flat[row["unique_id_l"]][0]
        scores[at] = max(scores[at], row["match_probability"])
    return scores


def fold(name: str) -> str:
    """A name in lower case without punctuation, its words in alphabetical order."""
    return " ".join(sorted(utils.default_process(name).split()))


def applies_to_splink(kind: PairKind) -> bool:
    """Whether Splink applies: it links records of registers, and is not meant for screening."""
    return kind is PairKind.BUSINESS
