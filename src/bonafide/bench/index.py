"""`bonafide bench index`: the index and its yardsticks built at several sizes and asked the same queries, in one run.

Nothing is asserted: figures are for people to compare, above all those of one run with one another.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from bonafide.bench.engines.base import Material, Missing
from bonafide.bench.engines.choice import CHOICES, EngineName
from bonafide.bench.figures import EngineFigures, IndexReport, SizeFigures, growth
from bonafide.bench.hostile import frequent_words, hostile_queries, prefixes
from bonafide.bench.names import label, prepare_names, prepare_words, read_rows
from bonafide.bench.queries import Probe, make_probes, names_needed, read_probes, spread, write_probes
from bonafide.bench.rounds import Questions, Told, measure
from bonafide.bench.workers import Built, WorkerFailed, build_apart
from bonafide.errors import ConfigurationError

SEED = "index"
SAMPLED = 200
"""Names from which hostile queries and prefixes are made."""
BOTH_CORES = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured: sizes in names, on which names and queries (the sandbox's where none are given), how often and where.

    `prototype` is the folder of the yardstick's scripts; `engines` are those that are measured; a set of queries that is made here
    has `count`.
    """

    folder: Path
    sizes: tuple[int, ...]
    names: Path | None = None
    queries: tuple[Path, ...] = ()
    prototype: Path | None = None
    rounds: int = 3
    engines: tuple[EngineName, ...] = tuple(EngineName)
    count: int = 2_000


def run(plan: Plan, told: Told) -> IndexReport:
    """Measure. Files that the folder has from an earlier run are used again.

    Raises `ConfigurationError` for names or queries that can't be read.
    """
    plan.folder.mkdir(parents=True, exist_ok=True)
    largest = max(plan.sizes)
    told(f"names, {label(largest)}")
    names = _prepared(plan, largest)
    sets = _sets(plan, names, told)
    sizes = tuple(_measured(plan, size, sets, told) for size in sorted(plan.sizes))
    return IndexReport(sizes, growth(sizes))


def _prepared(plan: Plan, size: int) -> Material:
    """The files of names and words of a size; the folder is the engines' common one."""
    try:
        names = prepare_names(plan.folder, size, plan.names)
        return Material(names, prepare_words(plan.folder, size, names), plan.folder, plan.prototype)
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"the names can't be read: {error}") from error


def _sets(plan: Plan, names: Material, told: Told) -> dict[str, list[Probe]]:
    """The sets of queries: those given, or one whose truth is in the smallest size, and one whose truth is anywhere."""
    if plan.queries:
        return {path.stem: _read(path) for path in plan.queries}
    places = {"within the smallest": min(plan.sizes), "anywhere": max(plan.sizes)}
    sets = {}
    for name, among in places.items():
        path = plan.folder / f"{plan.count}-queries-{label(among)}-of-{label(max(plan.sizes))}.jsonl"
        if not path.exists():
            told(f"queries, {name}")
            write_probes(path, _made(names, among, plan.count))
        sets[name] = read_probes(path)
    return sets


def _read(path: Path) -> list[Probe]:
    try:
        return read_probes(path)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ConfigurationError(f"the queries of {path} can't be read: {error!r}") from error


def _made(material: Material, among: int, count: int) -> list[Probe]:
    chance = Random(f"{SEED} {among}")  # noqa: S311 - a sample, not a secret
    names = spread((name for _, name in read_rows(material.names)), names_needed(count), among, chance)
    return make_probes(names, read_rows(material.words), count, chance)


def _measured(plan: Plan, size: int, sets: Mapping[str, Sequence[Probe]], told: Told) -> SizeFigures:
    told(f"names, {label(size)}")
    prepared = _prepared(plan, size)
    materials: dict[EngineName, Material] = {}
    builds: dict[EngineName, dict[int, Built]] = {}
    missing: dict[EngineName, EngineFigures] = {}
    for name in plan.engines:
        materials[name] = replace(prepared, folder=_folder(plan.folder, name, size))
        try:
            builds[name] = _built(name, materials[name], told)
        except (Missing, WorkerFailed) as error:
            missing[name] = EngineFigures(name, missing=str(error))
    open_ones = {name: material for name, material in materials.items() if name not in missing}
    found = missing | measure(open_ones, _questions(prepared, sets), plan.rounds, told)
    engines = [
        replace(found[name], builds=builds.get(name, {}), disk_bytes=_size_of(materials[name].folder)) for name in plan.engines
    ]
    return SizeFigures(size, tuple(engines))


def _folder(folder: Path, name: EngineName, size: int) -> Path:
    files = CHOICES[name].files
    return folder / f"{'nothing' if files is None else files.prefix}{label(size)}"


def _built(name: EngineName, material: Material, told: Told) -> dict[int, Built]:
    """Build the engine's files unless they are there: the index on one core and on both, the yardsticks on one."""
    files = CHOICES[name].files
    if files is None or files.can_open(material.folder):
        return {}
    if name is EngineName.SCORED:
        raise Missing(f"it needs the files of {EngineName.INDEX}")
    shutil.rmtree(material.folder, ignore_errors=True)  # of another version, or of a build that broke off
    cores = (1, BOTH_CORES) if name is EngineName.INDEX else (1,)
    built = {}
    for count in cores:
        told(f"build {name} on {count} of the cores")
        built[count] = build_apart(name, material, count)
    return built


def _size_of(folder: Path) -> int | None:
    return sum(path.stat().st_size for path in folder.iterdir()) if folder.is_dir() else None


def _questions(material: Material, sets: Mapping[str, Sequence[Probe]]) -> Questions:
    """What can be asked at a size: queries whose truth is in it, and hostile ones and prefixes made from its names."""
    records = {record for record, _ in read_rows(material.names)}
    answerable = {name: [probe for probe in probes if not probe.truth.isdisjoint(records)] for name, probes in sets.items()}
    chance = Random(SEED)  # noqa: S311 - a sample, not a secret
    names = spread((name for _, name in read_rows(material.names)), SAMPLED, len(records), chance)
    frequent = frequent_words(words for _, words in read_rows(material.words))
    return Questions(
        {name: probes for name, probes in answerable.items() if probes},
        hostile_queries(frequent, names, chance),
        prefixes(names, frequent, chance),
    )
