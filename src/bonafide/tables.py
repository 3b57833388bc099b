"""Screen and link tables in memory: functions for notebooks and pipelines, with Apache Arrow in and out.

`import bonafide` offers both functions, and imports this module when one of them is first used.
"""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import pyarrow as pa

from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import World
from bonafide.model.batches.batch import BatchKind, BatchMapping, BatchParameters
from bonafide.services.tables.table_batch import TableBatch, check_table
from bonafide.services.tables.table_linkage import TableLinkage, link_tables
from bonafide.settings import Settings


def screen_table(  # noqa: PLR0913 - the options of a batch
    table: Any,
    *,
    columns: Mapping[str, str] | None = None,
    threshold: float = 0.85,
    limit: int = 3,
    language: str = "en",
    sandbox: bool = False,
    data_dir: str | PathLike[str] | None = None,
    processes: int = 1,
) -> pa.Table:
    """Screen the names of a table against the loaded sanctions lists.

    `table` is a pyarrow table, or any object that exports one (`__arrow_c_stream__`), such as a data frame of polars or a relation
    of DuckDB. `columns` maps fields (`name`, `reference`, `entityType`, `countries`, `dateOfBirth`) to columns; those left out are
    found by their names. The result has one row for each row that is not empty, in their order, with the columns of the results of
    a batch; its metadata `coverage` has the lists that were screened, as JSON. Nothing is stored.

    `data_dir` is the data directory; without it `BONAFIDE_DATA_DIR` applies. With more than one process, a script must be
    protected by `if __name__ == "__main__":`.

    Raises `ValidationFailed` for a column that is missing, `ValueError` for an invalid option, and `BonafideError` if the data
    can't be opened.
    """
    batch = TableBatch(
        settings=Settings() if data_dir is None else Settings(data_dir=Path(data_dir)),
        world=World.SANDBOX if sandbox else World.LIVE,
        kind=BatchKind.SCREEN,
        mapping=BatchMapping.model_validate(columns or {}),
        parameters=BatchParameters(threshold=threshold, limit=limit),
        language=Language(language),
        processes=processes,
    )
    return check_table(batch, pa.table(table))


def match_table(  # noqa: PLR0913 - the options of both tables
    left: Any,
    right: Any,
    *,
    left_columns: Mapping[str, str] | None = None,
    right_columns: Mapping[str, str] | None = None,
    threshold: float = 0.85,
    limit: int = 3,
    language: str = "en",
) -> pa.Table:
    """Link the businesses of two tables by their names, and by addresses and numbers where both have them.

    Tables and columns are as in `screen_table`; fields are `name`, `reference`, `street`, `unit`, `city`, `province`,
    `postalCode`, `country`, `jurisdiction` and `registrationNumber`. The last two are never found by the names of columns: numbers
    are compared only if both mappings have them, and with `jurisdiction` in both, only between rows of the same jurisdiction.

    The result has the pairs that score at least `threshold`, at most `limit` for each left row, with the scores and reasons of a
    search. `leftIndex` and `rightIndex` are positions from 0. A left row without a pair has one row with the status `no_match`, and
    one that can't be compared a row with `error`. The metadata `unlinkedRight` has the right rows that can't be compared, as JSON.

    The names of the right table are indexed in a temporary folder; put the smaller table on the left. Loaded data is not used.
    Raises `ValidationFailed` for a column that is missing, and `ValueError` for an invalid option.
    """
    linkage = TableLinkage(
        left=BatchMapping.model_validate(left_columns or {}),
        right=BatchMapping.model_validate(right_columns or {}),
        parameters=BatchParameters(threshold=threshold, limit=limit),
        language=Language(language),
    )
    return link_tables(linkage, pa.table(left), pa.table(right))
