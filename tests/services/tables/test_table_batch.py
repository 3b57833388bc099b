"""A table is screened as a batch of a file is, in a process that may run an event loop."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import bonafide
from bonafide.model.batches.batch import BatchKind
from bonafide.services.batches.local import PARTITION_ROWS
from tests.support.loaded_sandbox import copy_sandbox

LISTED = "Sandbox Sanctioned Trading Ltd."


@pytest.fixture(scope="module")
def data(sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_sandbox(sandbox_data, tmp_path_factory.mktemp("tables") / "data")


class Exported:
    """An object of another library that exports a table."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def test_the_names_of_a_table_are_screened(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PARTITION_ROWS, BatchKind.SCREEN, 2)
    table = pa.table({"Company": [LISTED, "Nobody At All", "", None, LISTED], "Client": [1, 2, 3, None, 5]})

    async def screen() -> Any:
        return bonafide.screen_table(Exported(table), columns={"reference": "Client"}, sandbox=True, data_dir=data)

    found = asyncio.run(screen())
    rows = found.to_pylist()
    # A row without any value has no result; the others keep their positions.
    assert [(row["line"], row["reference"], row["status"]) for row in rows] == [
        (1, "1", "match"), (2, "2", "clear"), (3, "3", "error"), (5, "5", "match"),
    ]  # fmt: skip
    assert rows[0]["matches"][0]["reasons"]
    coverage = json.loads(found.schema.metadata[b"coverage"])
    assert coverage
    assert all(one["checked"] == 3 and one["asOf"] for one in coverage)
    assert bonafide.screen_table(table.slice(0, 0), sandbox=True, data_dir=data).schema.names == found.schema.names


@pytest.mark.slow
def test_several_processes_have_the_results_of_one(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PARTITION_ROWS, BatchKind.SCREEN, 3)
    table = pa.table({"name": [LISTED, "Nobody At All"] * 20})
    one, two = (bonafide.screen_table(table, sandbox=True, data_dir=data, processes=count) for count in (1, 2))
    assert one.equals(two, check_metadata=True)
