"""A batch on a cluster has the results of one on this machine, also if a node is killed."""

import shutil
from contextlib import closing
from datetime import date
from pathlib import Path
from threading import Thread
from uuid import UUID

import dask
import distributed  # noqa: F401 - it defines the settings
import pytest

from bonafide import __version__
from bonafide.errors import BonafideError
from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import World
from bonafide.model.batches.batch import BatchFormat, BatchKind, BatchMapping, BatchParameters
from bonafide.model.batches.rows import BatchInputRow
from bonafide.services.batches import local
from bonafide.services.batches.cluster_pool import NodeTask, run_on_node
from bonafide.services.batches.local import LocalBatch, run_local_batch
from bonafide.services.batches.partition_files import read_records, write_rows
from bonafide.services.batches.partition_runner import PartitionRunner
from bonafide.services.batches.row_checks import BatchTask
from bonafide.settings import Settings
from bonafide_bench.batches.local_cluster import run_local_cluster
from tests.support.loaded_sandbox import copy_sandbox

LISTED = "Sandbox Sanctioned Trading Ltd."


def build_batch(settings: Settings, folder: Path, name: str, cluster: str | None) -> LocalBatch:
    source = folder / "rows.csv"
    source.write_text("name\n" + f"{LISTED}\nNobody At All\n@@\n" * 40)
    return LocalBatch(
        settings=settings,
        world=World.SANDBOX,
        kind=BatchKind.SCREEN,
        source=source,
        format=BatchFormat.CSV,
        destination=folder / name,
        result_format=BatchFormat.PARQUET,
        mapping=BatchMapping(),
        parameters=BatchParameters(),
        language=Language.ENGLISH,
        processes=1,
        cluster=cluster,
    )


def ignore_rows(_done: int, _total: int) -> None:
    pass


@pytest.mark.slow
def test_a_killed_node_changes_no_result(sandbox_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(local.PARTITION_ROWS, BatchKind.SCREEN, 5)
    data = copy_sandbox(sandbox_data, tmp_path / "data")
    run_local_batch(build_batch(Settings(data_dir=data), tmp_path, "local.parquet", None), ignore_rows)
    with run_local_cluster(tmp_path, [data, data]) as cluster:
        killed: list[Thread] = []

        def kill_a_node(done: int, _total: int) -> None:
            if done >= 40 and not killed:
                killed.append(Thread(target=cluster.nodes[0].kill))
                killed[0].start()

        summary = run_local_batch(build_batch(Settings(data_dir=data), tmp_path, "cluster.parquet", cluster.address), kill_a_node)
        killed[0].join()
        assert cluster.nodes[0].wait() != 0
    assert (summary.rows, summary.errors) == (120, 40)
    assert (tmp_path / "cluster.parquet").read_bytes() == (tmp_path / "local.parquet").read_bytes()


@pytest.mark.slow
def test_nodes_with_other_data_do_nothing(sandbox_data: Path, tmp_path: Path) -> None:
    data = copy_sandbox(sandbox_data, tmp_path / "data")
    (tmp_path / "other").mkdir()
    with run_local_cluster(tmp_path, [tmp_path / "other"]) as cluster, pytest.raises(BonafideError, match="ca-sanctions"):
        run_local_batch(build_batch(Settings(data_dir=data), tmp_path, "results.parquet", cluster.address), ignore_rows)
    assert not (tmp_path / "results.parquet").exists()


@pytest.mark.slow
def test_an_unreachable_cluster_is_reported(sandbox_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = copy_sandbox(sandbox_data, tmp_path / "data")
    monkeypatch.setattr("bonafide.services.batches.cluster_pool.CONNECT_S", 1)
    with pytest.raises(BonafideError, match=r"127\.0\.0\.1:1 does not respond"):
        run_local_batch(build_batch(Settings(data_dir=data), tmp_path, "results.parquet", "tcp://127.0.0.1:1"), ignore_rows)


@pytest.mark.slow
def test_nodes_without_data_pull_it_from_a_shared_index(
    sandbox_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(local.PARTITION_ROWS, BatchKind.SCREEN, 5)
    data = copy_sandbox(sandbox_data, tmp_path / "data")
    run_local_batch(build_batch(Settings(data_dir=data), tmp_path, "local.parquet", None), ignore_rows)
    # Two processes of one machine, and one of another.
    one, two = tmp_path / "one", tmp_path / "two"
    index_url = (tmp_path / "objects").as_uri()
    shared = {"BONAFIDE_INDEX_URL": index_url, "BONAFIDE_DATABASE_URL": f"sqlite+aiosqlite:///{data / 'bonafide.sqlite3'}"}
    with run_local_cluster(tmp_path, [one, one, two], shared) as cluster:
        batch = build_batch(Settings(data_dir=data, index_url=index_url), tmp_path, "cluster.parquet", cluster.address)
        run_local_batch(batch, ignore_rows)
    assert (tmp_path / "cluster.parquet").read_bytes() == (tmp_path / "local.parquet").read_bytes()
    assert all(any(folder.rglob("*.npy")) for folder in (one, two))


@pytest.mark.slow
def test_a_node_whose_data_is_replaced_returns_nothing(sandbox_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = copy_sandbox(sandbox_data, tmp_path / "data")
    monkeypatch.setenv("BONAFIDE_DATA_DIR", str(data))
    task = BatchTask(UUID(int=0), World.SANDBOX, BatchParameters(), Language.ENGLISH, date(2026, 11, 20))
    with closing(PartitionRunner(Settings(), BatchKind.SCREEN, task)) as own:
        wanted = NodeTask(BatchKind.SCREEN, task, __version__, own.describe_data())
    rows = write_rows([BatchInputRow(1, 1, {"name": LISTED})])
    assert read_records(run_on_node(wanted, rows))[0]["status"] == "match"
    shutil.rmtree(data / "index" / "sandbox" / "ca-sanctions-autonomous")
    with pytest.raises(BonafideError, match="ca-sanctions-autonomous"):
        run_on_node(wanted, rows)


@pytest.mark.slow
def test_a_batch_whose_scheduler_ends_is_continued_on_another_cluster(
    sandbox_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(local.PARTITION_ROWS, BatchKind.SCREEN, 5)
    data = copy_sandbox(sandbox_data, tmp_path / "data")
    settings = Settings(data_dir=data)
    run_local_batch(build_batch(settings, tmp_path, "local.parquet", None), ignore_rows)
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder in folders:
        folder.mkdir()
    with run_local_cluster(folders[0], [data]) as cluster:

        def kill_the_scheduler(done: int, _total: int) -> None:
            if done == 20:
                cluster.scheduler.kill()

        reconnecting = dask.config.set({"distributed.comm.timeouts.connect": "2s"})
        with reconnecting, pytest.raises(BonafideError, match="cluster"):
            run_local_batch(build_batch(settings, tmp_path, "cluster.parquet", cluster.address), kill_the_scheduler)
    with run_local_cluster(folders[1], [data]) as cluster:
        summary = run_local_batch(build_batch(settings, tmp_path, "cluster.parquet", cluster.address), ignore_rows)
    assert summary.resumed >= 20
    assert (tmp_path / "cluster.parquet").read_bytes() == (tmp_path / "local.parquet").read_bytes()
