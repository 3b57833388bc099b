"""`bonafide bench index`: build the index and its baselines at several sizes and send them the same queries.

Nothing is asserted. Figures are comparable mainly within one run.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide_bench.datasets.hostile_queries import create_hostile_queries, create_prefixes, find_frequent_words
from bonafide_bench.datasets.name_files import format_size, prepare_names, prepare_words, read_rows
from bonafide_bench.datasets.name_queries import (
    CorruptedQuery,
    count_names_needed,
    create_queries,
    read_queries,
    sample_spread,
    write_queries,
)
from bonafide_bench.engines.catalog import ENGINES, EngineName
from bonafide_bench.engines.engine import EngineMaterial, EngineUnavailable
from bonafide_bench.harness.core_use import OtherCoreUse
from bonafide_bench.measurements.engine_processes import BuildCost, EngineProcessFailed, build_in_process
from bonafide_bench.measurements.engine_rounds import OnStep, QuerySets, measure_engines
from bonafide_bench.measurements.figures import IndexEngineFigures, IndexReport, SizeFigures, compute_growth

SEED = "index"
SAMPLED = 200
"""The number of names from which hostile queries and prefixes are generated."""
BOTH_CORES = 2


@dataclass(frozen=True, slots=True)
class IndexBenchPlan:
    """What to measure: sizes in names, the files of names and queries (by default the sandbox's), rounds and the folder.

    `prototype` is the folder of the prototype's scripts, `engines` are the engines to measure, and `count` is the size of a
    generated query set.
    """

    folder: Path
    sizes: tuple[int, ...]
    names: Path | None = None
    queries: tuple[Path, ...] = ()
    prototype: Path | None = None
    rounds: int = 3
    engines: tuple[EngineName, ...] = tuple(EngineName)
    count: int = 2_000


def run_index_bench(plan: IndexBenchPlan, told: OnStep) -> IndexReport:
    """Run the benchmark. Files of an earlier run in the folder are reused.

    Raises `ConfigurationError` if names or queries cannot be read.
    """
    plan.folder.mkdir(parents=True, exist_ok=True)
    largest = max(plan.sizes)
    told(f"names, {format_size(largest)}")
    names = _prepare(plan, largest)
    sets = _prepare_sets(plan, names, told)
    with OtherCoreUse() as others:
        sizes = tuple(_measure_size(plan, size, sets, told) for size in sorted(plan.sizes))
    return IndexReport(sizes, compute_growth(sizes), plan.rounds, others.use)


def _prepare(plan: IndexBenchPlan, size: int) -> EngineMaterial:
    """Prepare the files of names and words for a size; the engines share the folder."""
    try:
        names = prepare_names(plan.folder, size, plan.names)
        return EngineMaterial(names, prepare_words(plan.folder, size, names), plan.folder, plan.prototype)
    except (OSError, ValueError) as error:
        raise ConfigurationError(Message.untranslated(f"the names can't be read: {error}")) from error


def _prepare_sets(plan: IndexBenchPlan, names: EngineMaterial, told: OnStep) -> dict[str, list[CorruptedQuery]]:
    """The query sets: the given ones, or one with expected records in the smallest size and one with any expected records."""
    if plan.queries:
        return {path.stem: _read_queries(path) for path in plan.queries}
    places = {"within the smallest": min(plan.sizes), "anywhere": max(plan.sizes)}
    sets = {}
    for name, among in places.items():
        path = plan.folder / f"{plan.count}-queries-{format_size(among)}-of-{format_size(max(plan.sizes))}.jsonl"
        if not path.exists():
            told(f"queries, {name}")
            write_queries(path, _create_queries(names, among, plan.count))
        sets[name] = read_queries(path)
    return sets


def _read_queries(path: Path) -> list[CorruptedQuery]:
    try:
        return read_queries(path)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ConfigurationError(Message.untranslated(f"the queries of {path} can't be read: {error!r}")) from error


def _create_queries(material: EngineMaterial, among: int, count: int) -> list[CorruptedQuery]:
    chance = Random(f"{SEED} {among}")  # noqa: S311 - a sample, not a secret
    names = sample_spread((name for _, name in read_rows(material.names)), count_names_needed(count), among, chance)
    return create_queries(names, read_rows(material.words), count, chance)


def _measure_size(plan: IndexBenchPlan, size: int, sets: Mapping[str, Sequence[CorruptedQuery]], told: OnStep) -> SizeFigures:
    told(f"names, {format_size(size)}")
    prepared = _prepare(plan, size)
    materials: dict[EngineName, EngineMaterial] = {}
    builds: dict[EngineName, dict[int, BuildCost]] = {}
    missing: dict[EngineName, IndexEngineFigures] = {}
    for name in plan.engines:
        materials[name] = replace(prepared, folder=_engine_folder(plan.folder, name, size))
        try:
            builds[name] = _build_engine(name, materials[name], told)
        except (EngineUnavailable, EngineProcessFailed) as error:
            missing[name] = IndexEngineFigures(name, missing=str(error))
    open_ones = {name: material for name, material in materials.items() if name not in missing}
    found = missing | measure_engines(open_ones, _create_query_sets(prepared, sets), plan.rounds, told)
    engines = [
        replace(found[name], builds=builds.get(name, {}), disk_bytes=_measure_folder(materials[name].folder))
        for name in plan.engines
    ]
    return SizeFigures(size, tuple(engines))


def _engine_folder(folder: Path, name: EngineName, size: int) -> Path:
    files = ENGINES[name].files
    return folder / f"{'nothing' if files is None else files.prefix}{format_size(size)}"


def _build_engine(name: EngineName, material: EngineMaterial, told: OnStep) -> dict[int, BuildCost]:
    """Build the engine's files unless they exist: the index on one and on two cores, the baselines on one."""
    files = ENGINES[name].files
    if files is None or files.can_open(material.folder):
        return {}
    if name is EngineName.SCORED:
        raise EngineUnavailable(f"it needs the files of {EngineName.INDEX}")
    shutil.rmtree(material.folder, ignore_errors=True)  # from another version or an interrupted build
    cores = (1, BOTH_CORES) if name is EngineName.INDEX else (1,)
    built = {}
    for count in cores:
        told(f"build {name} on {count} of the cores")
        built[count] = build_in_process(name, material, count)
    return built


def _measure_folder(folder: Path) -> int | None:
    return sum(path.stat().st_size for path in folder.iterdir()) if folder.is_dir() else None


def _create_query_sets(material: EngineMaterial, sets: Mapping[str, Sequence[CorruptedQuery]]) -> QuerySets:
    """The queries for a size: those with expected records in it, and hostile queries and prefixes generated from its names."""
    records = {record for record, _ in read_rows(material.names)}
    answerable = {name: [probe for probe in probes if not probe.truth.isdisjoint(records)] for name, probes in sets.items()}
    chance = Random(SEED)  # noqa: S311 - a sample, not a secret
    names = sample_spread((name for _, name in read_rows(material.names)), SAMPLED, len(records), chance)
    frequent = find_frequent_words(words for _, words in read_rows(material.words))
    return QuerySets(
        {name: probes for name, probes in answerable.items() if probes},
        create_hostile_queries(frequent, names, chance),
        create_prefixes(names, frequent, chance),
    )
