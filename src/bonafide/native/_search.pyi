from collections.abc import Mapping
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

@final
class Query:
    def __new__(cls, slots: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...], bool], ...], digits: bytes) -> Self: ...

@final
class Field:
    def __new__(cls, arrays: Mapping[str, NDArray[np.generic]], rarest_weight: int, digits: NDArray[np.uint32]) -> Self: ...
    def search(
        self,
        query: Query,
        typed: str,
        limit: int,
        best: float,
        floor: float,
        facets: NDArray[np.uint16],
        allowed: NDArray[np.bool_] | None,
        dead: NDArray[np.bool_] | None,
        /,
    ) -> list[tuple[int, float, bool]]: ...
    def find_unknown_words(self, query: Query, /) -> int: ...
