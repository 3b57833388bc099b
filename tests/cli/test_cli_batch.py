"""`bonafide batch`: the rows of a file on this machine, continued where an earlier process was killed."""

import fcntl
import io
import json
import os
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import World
from bonafide.model.batches.batch import BatchFormat, BatchKind, BatchMapping, BatchParameters
from bonafide.services.batches import local
from bonafide.services.batches.local import PARTITION_ROWS, LocalBatch, run_local_batch
from bonafide.settings import Settings
from tests.support.cli_commands import Command, Outcome

LISTED = "Sandbox Sanctioned Trading Ltd."
Batch = Callable[..., Outcome]


@pytest.fixture
def batch(bonafide: Command, sandbox_dir: Path, tmp_path: Path) -> Batch:
    def run(content: str, *options: str, out: str = "results.jsonl") -> Outcome:
        path = tmp_path / "rows.csv"
        path.write_text(content, encoding="utf-8")
        words = ("--out", tmp_path / out, "--sandbox", "--processes", "1", "--data-dir", sandbox_dir)
        return bonafide("batch", path, *words, *options)

    return run


def test_every_kind_has_a_result_for_each_row(batch: Batch, tmp_path: Path) -> None:
    content = f"name,jurisdiction,registrationNumber\n{LISTED},,\nSandbox Bakery Inc.,ON,1000017\n"
    for kind, statuses in (("screen", ["match", "clear"]), ("search", None), ("verify", ["error", "verified"])):
        found = batch(content, "--kind", kind, "--json")
        results = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
        assert [row["row"] for row in results] == [1, 2]
        assert statuses in (None, [row["status"] for row in results])
        assert found.status == (kind == "verify")
        assert json.loads(found.out)["rows"] == 2
        assert not (tmp_path / "results.jsonl.partial").exists()


class Interrupted(Exception):
    """Ends a batch in the middle, as a signal would."""


def test_an_interrupted_batch_is_continued(
    batch: Batch, sandbox_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PARTITION_ROWS, BatchKind.SCREEN, 2)
    content = "Client,Company\n" + "".join(f"C{n},{LISTED if n % 2 else 'Nobody At All'}\n" for n in range(7))
    options = ("--kind", "screen", "--map", "name=Company", "--map", "reference=Client", "--json")
    whole = batch(content, *options, out="whole.parquet")
    assert (whole.status, whole.json()["statuses"]) == (0, {"match": 3, "clear": 4})

    def interrupt(done: int, total: int) -> None:
        assert total == 7
        if done == 4:
            raise Interrupted

    wanted = LocalBatch(
        settings=Settings(data_dir=sandbox_dir),
        world=World.SANDBOX,
        kind=BatchKind.SCREEN,
        source=tmp_path / "rows.csv",
        format=BatchFormat.CSV,
        destination=tmp_path / "results.parquet",
        result_format=BatchFormat.PARQUET,
        mapping=BatchMapping(name="Company", reference="Client"),
        parameters=BatchParameters(),
        language=Language.ENGLISH,
        processes=1,
    )
    with pytest.raises(Interrupted):
        run_local_batch(wanted, interrupt)
    folder = tmp_path / "results.parquet.partial"
    # A file that was being written when the process was killed.
    (folder / "2.parquet.new").write_bytes((folder / "1.parquet").read_bytes()[:20])
    resumed = batch(content, *options, out="results.parquet").json()
    assert (resumed["rows"], resumed["resumed"], resumed["coverage"]) == (7, 4, whole.json()["coverage"])
    assert read(tmp_path / "results.parquet") == read(tmp_path / "whole.parquet")
    assert not folder.exists()


def read(path: Path) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = pq.read_table(io.BytesIO(path.read_bytes())).to_pylist()
    return rows


def test_the_first_errors_are_listed(batch: Batch) -> None:
    found = batch("name,reference\n" + ",C-1\n" * 12 + f"{LISTED},\n", "--kind", "screen")
    assert (found.status, "Line 2: name: is required" in found.said, "Line 11:" in found.said) == (1, True, True)
    assert ("Line 12:" in found.said, "2 more rows with errors" in found.said) == (False, True)
    listed = json.loads(batch("name\n@@\n", "--kind", "screen", "--json").out)["firstErrors"]
    assert [(error["row"], error["line"]) for error in listed] == [(1, 2)]


def test_results_do_not_replace_the_rows_or_those_of_a_running_command(batch: Batch, tmp_path: Path) -> None:
    content = f"name\n{LISTED}\n"
    found = batch(content, "--kind", "screen", out="rows.csv")
    assert (found.status, "another file" in found.said) == (1, True)
    assert (tmp_path / "rows.csv").read_text() == content
    folder = tmp_path / "results.jsonl.partial"
    folder.mkdir()
    descriptor = os.open(folder, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    found = batch(content, "--kind", "screen")
    os.close(descriptor)
    assert (found.status, "Another process" in found.said) == (1, True)
    assert batch(content, "--kind", "screen").status == 0


def test_a_workbook_has_no_more_rows_than_programs_read(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "MAX_SHEET_ROWS", 3)
    found = batch(f"name\n{LISTED}\n" + "Nobody At All\n" * 2, "--kind", "screen", out="results.xlsx")
    assert (found.status, "up to 2 rows" in found.said) == (1, True)


def test_partial_results_of_another_batch_are_not_used(batch: Batch, tmp_path: Path) -> None:
    folder = tmp_path / "results.jsonl.partial"
    folder.mkdir()
    (folder / "batch.json").write_text('{"sha256": "0", "begunAt": "2026-11-20T00:00:00+00:00"}')
    found = batch(f"name\n{LISTED}\n", "--kind", "screen")
    assert (found.status, "another batch" in found.said) == (1, True)
    assert not (tmp_path / "results.jsonl").exists()


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (("--map", "nom=Company"), 2, "nom"),
        (("--map", "name=Company"), 1, "Company"),
        (("--threshold", "0.4"), 2, "threshold"),
        (("-j", "Atlantis"), 2, "Atlantis"),
        (("--format", "xlsx"), 1, "XLSX"),
    ],
)
def test_what_cannot_be_done_is_said(batch: Batch, options: tuple[str, ...], status: int, said: str) -> None:
    found = batch(f"name\n{LISTED}\n", "--kind", "search", *options)
    assert (found.status, said in found.said) == (status, True)


@pytest.mark.slow
def test_several_processes_have_the_results_of_one(
    bonafide: Command, sandbox_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PARTITION_ROWS, BatchKind.SCREEN, 3)
    path = tmp_path / "rows.csv"
    path.write_text("name\n" + f"{LISTED}\nNobody At All\n" * 20)
    for count in ("1", "2"):
        words = ("--kind", "screen", "--out", tmp_path / f"{count}.parquet", "--processes", count, "--sandbox")
        assert bonafide("batch", path, *words, "--data-dir", sandbox_dir).status == 0
    assert read(tmp_path / "1.parquet") == read(tmp_path / "2.parquet")
