"""What the tests of the command line share: the outcome of a command, and a file to load."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HEADER = "registration_number,legal_name,status,status_code,city\n"
_FRAME = re.compile("[─│╭╮╰╯]")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended: its exit status and what it wrote."""

    status: int
    out: str
    err: str

    def json(self) -> Any:
        """Standard output as the one JSON value that it is; fails the test when the command did."""
        assert self.status == 0, self.err
        return json.loads(self.out)

    @property
    def said(self) -> str:
        """Standard error as one line, without the frames and line breaks that a terminal's width brings with it."""
        return " ".join(_FRAME.sub(" ", self.err).split())


Command = Callable[..., Outcome]


def canonical(folder: Path, *rows: str, name: str = "extract.csv") -> Path:
    """A file in the canonical layout."""
    path = folder / name
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def businesses(count: int) -> list[str]:
    """Rows of so many businesses."""
    return [f"{1000 + n},Business {n} Inc.,Active,active,Halifax" for n in range(count)]
