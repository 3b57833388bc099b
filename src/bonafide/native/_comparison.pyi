from typing import final

import numpy as np
from numpy.typing import NDArray

@final
class OmittedLetterIndex:
    def __new__(cls, words: list[str] | tuple[str, ...], shortest: int, longest: int) -> OmittedLetterIndex: ...
    def find(self, word: str, /) -> list[int]: ...

@final
class WordHalfIndex:
    def __new__(cls, words: list[str] | tuple[str, ...], shortest: int) -> WordHalfIndex: ...
    def find(self, word: str, /) -> list[int]: ...
    def find_near(self, word: str, /) -> list[int]: ...
    def select(self, word: str, numbers: list[int], /) -> list[int]: ...

@final
class NameEstimator:
    def __new__(
        cls,
        starts: NDArray[np.int64],
        postings: NDArray[np.int32],
        distinctive_words: NDArray[np.float32],
        *,
        of_people: bool,
        nothing: float,
        one_sided: float,
        conflict: float,
        extra: float,
        limit: float,
        short_typo: float,
        least_beside_short_typo: float,
    ) -> NameEstimator: ...
    def estimate(
        self,
        shared: tuple[tuple[bytes, float, bool], ...],
        short_words: tuple[tuple[float, tuple[int, ...]], ...],
        word_weights: NDArray[np.float32],
        name_weights: NDArray[np.float32],
        total: float,
        total_of_full: float,
        initials: int,
        distinctive: int,
        floor: float,
        /,
    ) -> tuple[list[int], list[float]]: ...
