"""The texts of a field in the form in which typeahead compares them, by the number of the name.

    typed_bytes      all of them in UTF-8, in the order in which they were collected (u1)
    typed_starts     where each name's begins (u4; u8 when there are more than four gigabytes)
    typed_lengths    the length of each in bytes (u2)

They stay where the collector put them: names are renumbered, bytes are not moved. What is typed of a name is decided in `matching`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.jagged_arrays import compute_offsets
from bonafide.index.format.segment_files import Arrays, FieldWriter

_FOUR_GIGABYTES = 2**32


@dataclass(frozen=True, slots=True)
class TypedForms:
    """The typed form of each name, as bytes of one buffer."""

    content: NDArray[np.uint8]
    starts: NDArray[np.uint32] | NDArray[np.uint64]
    lengths: NDArray[np.uint16]

    @classmethod
    def from_collected(cls, content: NDArray[np.uint8], lengths: NDArray[np.uint16], order: NDArray[np.integer]) -> "TypedForms":
        """Forms collected end to end; `order` has the place in that order of each name, by its number."""
        width = np.uint32 if len(content) < _FOUR_GIGABYTES else np.uint64
        return cls(content, compute_offsets(lengths)[:-1].astype(width)[order], lengths[order])

    @classmethod
    def read(cls, arrays: Arrays) -> "TypedForms":
        """The forms over mapped arrays."""
        return cls(arrays["typed_bytes"], arrays["typed_starts"], arrays["typed_lengths"])

    def write(self, writer: FieldWriter) -> None:
        """Write the arrays."""
        writer.save("typed_bytes", self.content, "<u1")
        writer.save("typed_starts", self.starts, f"<u{self.starts.itemsize}")
        writer.save("typed_lengths", self.lengths, "<u2")

    def __len__(self) -> int:
        return len(self.starts)

    def encoded(self, name: int) -> bytes:
        """The typed form of a name in UTF-8."""
        start = int(self.starts[name])
        return self.content[start : start + int(self.lengths[name])].tobytes()

    def decode(self, names: NDArray[np.uint32]) -> list[str]:
        """The typed forms of names."""
        starts = self.starts[names].astype(np.int64)
        stops, content = starts + self.lengths[names], self.content.data
        return [str(content[start:stop], "utf-8") for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)]
