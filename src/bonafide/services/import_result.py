"""What an import has come to, as it is kept and shown: how many rows of each fate, some of them, and the refused ones as a file.

The file of refused rows can be put right and sent again as it is: the column with the reasons is taken and ignored.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from uuid import UUID

from bonafide.errors import FieldProblem
from bonafide.model.base import Document
from bonafide.services.record_columns import REFUSAL, inert, plain
from bonafide.services.record_import import Fate, Imported, RowOutcome

_BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
_BETWEEN = "; "


class ImportedRow(Document):
    """What became of one row; a refused one has no record."""

    line: int
    label: str
    fate: Fate
    business_id: UUID | None
    problems: tuple[FieldProblem, ...]


class ImportResult(Document):
    """How many rows had each fate, and the first of each."""

    counts: dict[Fate, int]
    rows: tuple[ImportedRow, ...]

    def of(self, fate: Fate) -> list[ImportedRow]:
        """The rows of one fate that are shown."""
        return [row for row in self.rows if row.fate == fate]


def result_of(imported: Imported) -> ImportResult:
    """The result to keep."""
    shown = (row for rows in imported.rows.values() for row in rows[: imported.shown])
    return ImportResult(
        counts={fate: imported.counts[fate] for fate in Fate},
        rows=tuple(ImportedRow(**{name: getattr(row, name) for name in ImportedRow.model_fields}) for row in shown),
    )


def refusals_file(columns: Sequence[str], refused: Sequence[RowOutcome], delimiter: str) -> bytes:
    """The refused rows as they were sent, each behind the reasons, in CSV."""
    text = io.StringIO(newline="")
    text.write(_BYTE_ORDER_MARK)
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    known = columns.index(REFUSAL) if REFUSAL in columns else None
    writer.writerow([REFUSAL, *_without(columns, known)])
    for row in refused:
        # What an earlier reason said is replaced. A row that could not be taken apart may have fewer cells than columns.
        cells = _without(row.cells, known) if len(row.cells) == len(columns) else row.cells
        writer.writerow([inert(_BETWEEN.join(_reasons(row))), *(inert(plain(cell)) for cell in cells)])
    # Bytes that were no UTF-8 go back as they came.
    return text.getvalue().encode(errors="surrogateescape")


def _reasons(row: RowOutcome) -> Iterator[str]:
    for problem in row.problems:
        yield f"{problem.path}: {problem.message}" if problem.path else problem.message


def _without(cells: Sequence[str], place: int | None) -> list[str]:
    return [cell for number, cell in enumerate(cells) if number != place]
