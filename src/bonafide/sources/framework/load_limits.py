"""Limits of a load: how large the files of a source may be, and how much time and memory reading them may take.

`source.yml` sets them under `limits`; the operator changes them with `BONAFIDE_LOAD_LIMITS`. A load that exceeds one is refused.
"""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from bonafide.errors import LoadLimitExceeded
from bonafide.i18n.message import LIST_SEPARATOR, Message, join_messages

RATIO_APPLIES_ABOVE = 64 * 1024**2
"""Bytes of unpacked content up to which a file may be compressed to any ratio."""
MAX_NAMED_FILES = 3
"""The maximum number of files in an error about all files of a load."""


class LoadLimits(BaseModel):
    """The limits of one load of a source."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rows: int = Field(default=10_000_000, ge=1)
    """Rows of all files, including rejected and skipped ones."""
    unpacked_bytes: int = Field(default=4 * 1024**3, ge=1)
    """Bytes of a file after decompression, and of all entries."""
    unpacked_ratio: int = Field(default=100, ge=1)
    """How many times larger than the file its content may be after decompression, if that is above `RATIO_APPLIES_ABOVE`."""
    seconds: int = Field(default=1800, ge=1)
    """Time in which the files must be read."""
    memory_bytes: int = Field(default=2 * 1024**3, ge=256 * 1024**2)
    """Memory of the process that reads the files. It needs about 100 MB before it reads."""
    download_seconds: int = Field(default=3600, ge=1)
    """Time for all downloads of a load."""

    def check_rows(self, file: str, rows: int) -> None:
        """Raise `LoadLimitExceeded` if a file that states its number of rows has too many."""
        if rows > self.rows:
            raise self.build_rows_error(file)

    def check_unpacked(self, file: str, packed: int, unpacked: int) -> None:
        """Raise `LoadLimitExceeded` if a compressed file of `packed` bytes is too large after decompression."""
        if unpacked > self.unpacked_bytes:
            raise self.build_unpacked_error(file)
        if unpacked > RATIO_APPLIES_ABOVE and unpacked > packed * self.unpacked_ratio:
            problem = Message(
                "{file}: after decompression the file is more than {limit:,} times larger, the limit `{name}` of the source",
                file=file,
                limit=self.unpacked_ratio,
                name="unpacked_ratio",
            )
            raise self._build_error("unpacked_ratio", problem)

    def build_rows_error(self, file: str) -> LoadLimitExceeded:
        """The error for too many rows."""
        problem = Message(
            "{file}: more than {limit:,} rows, the limit `{name}` of the source", file=file, limit=self.rows, name="rows"
        )
        return self._build_error("rows", problem)

    def build_unpacked_error(self, file: str) -> LoadLimitExceeded:
        """The error for too many bytes."""
        problem = Message(
            "{file}: more than {limit:,} bytes after decompression, the limit `{name}` of the source",
            file=file,
            limit=self.unpacked_bytes,
            name="unpacked_bytes",
        )
        return self._build_error("unpacked_bytes", problem)

    def build_time_error(self, file: str) -> LoadLimitExceeded:
        """The error for a file that takes too long to read."""
        problem = Message(
            "{file}: not read within {limit:,} s, the limit `{name}` of the source", file=file, limit=self.seconds, name="seconds"
        )
        return self._build_error("seconds", problem)

    def build_memory_error(self, file: str) -> LoadLimitExceeded:
        """The error for a file that takes too much memory to read."""
        problem = Message(
            "{file}: reading takes more than {limit:,} bytes of memory, the limit `{name}` of the source",
            file=file,
            limit=self.memory_bytes,
            name="memory_bytes",
        )
        return self._build_error("memory_bytes", problem)

    def build_crash_error(self, file: str, signal: str) -> LoadLimitExceeded:
        """The error for a file during whose reading the process was killed, which libraries do that run out of memory."""
        problem = Message(
            "{file}: the process that read it was ended by {signal}. "
            "It probably ran out of memory: the limit `{name}` of the source is {limit:,} bytes",
            file=file,
            signal=signal,
            limit=self.memory_bytes,
            name="memory_bytes",
        )
        return self._build_error("memory_bytes", problem)

    def _build_error(self, limit: str, problem: Message) -> LoadLimitExceeded:
        error = LoadLimitExceeded(problem)
        error.limit, error.value = limit, getattr(self, limit)
        return error


def format_file_names(names: Sequence[str]) -> Message:
    """The names of the files of a load, at most `MAX_NAMED_FILES` of them."""
    if not names:
        return Message("the files")
    named, more = join_messages(names[:MAX_NAMED_FILES], LIST_SEPARATOR), len(names) - MAX_NAMED_FILES
    return Message("{files} and {n} more", files=named, n=more) if more > 0 else named
