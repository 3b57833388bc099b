"""`bonafide bench batch --nodes`: the rows of a file in processes of this machine, and on as many nodes of a cluster.

Each kind is done both ways by the command `bonafide batch`, from the same file. The rate is that after the first partition, which
waits for processes to start and for data to be opened. Nothing is asserted.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import World
from bonafide.model.batches.batch import BatchFormat, BatchKind, BatchMapping, BatchParameters
from bonafide.model.batches.rows import BatchInputRow
from bonafide.services.batches.local import LocalBatch, run_local_batch
from bonafide.settings import Settings
from bonafide_bench.batches.local_cluster import run_local_cluster


@dataclass(frozen=True, slots=True)
class ClusterFigures:
    """A kind: rows, rows per second in processes and on nodes, and whether both files of results are equal."""

    kind: str
    rows: int
    processes_per_second: float
    nodes_per_second: float
    is_equal: bool


def run_cluster_bench(
    settings: Settings, rows: Mapping[BatchKind, Sequence[BatchInputRow]], nodes: int
) -> tuple[ClusterFigures, ...]:
    """Measure each kind in so many processes and on so many nodes, with the loaded sandbox.

    Raises `BonafideError` if the cluster does not start.
    """
    with TemporaryDirectory(prefix="bonafide-bench-") as name:
        folder = Path(name)
        with run_local_cluster(folder, [settings.data_dir.resolve()] * nodes) as cluster:
            return tuple(_measure_kind(settings, kind, rows[kind], nodes, folder, cluster.address) for kind in rows)


def _measure_kind(
    settings: Settings, kind: BatchKind, rows: Sequence[BatchInputRow], nodes: int, folder: Path, address: str
) -> ClusterFigures:
    source = folder / f"{kind}.jsonl"
    source.write_text("".join(f"{json.dumps(row.values)}\n" for row in rows), encoding="utf-8")
    results, rates = [], []
    for cluster in (None, address):
        destination = folder / f"{kind}-{'processes' if cluster is None else 'nodes'}.parquet"
        wanted = LocalBatch(
            settings=settings,
            world=World.SANDBOX,
            kind=kind,
            source=source,
            format=BatchFormat.JSONL,
            destination=destination,
            result_format=BatchFormat.PARQUET,
            mapping=BatchMapping(),
            parameters=BatchParameters(),
            language=Language.ENGLISH,
            processes=nodes,
            cluster=cluster,
        )
        rates.append(_measure_rate(wanted))
        results.append(destination.read_bytes())
    return ClusterFigures(kind.value, len(rows), rates[0], rates[1], is_equal=results[0] == results[1])


def _measure_rate(wanted: LocalBatch) -> float:
    """Rows per second between the first and the last partition."""
    marks: list[tuple[float, int]] = []
    run_local_batch(wanted, lambda done, _total: marks.append((perf_counter(), done)))
    (began, first), (ended, last) = marks[0], marks[-1]
    return (last - first) / (ended - began) if ended > began else 0.0
