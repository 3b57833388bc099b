"""A cache of what was computed for the words that were searched last, up to a number of bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

ENTRY_BYTES = 1024
"""About what the objects of one entry take beside the numbers of their arrays."""
V = TypeVar("V")


class WordCache(Generic[V]):
    """Values by key, thread-safe; the one that was used least recently is dropped first. `measure` returns the bytes of a value.

    It has no reference to the index that computes the values. A cache of a bound method would be part of a reference cycle, which
    is never freed once the garbage collector has been frozen (`concurrency/process_tuning.freeze_gc`).
    """

    def __init__(self, max_bytes: int, measure: Callable[[V], int]) -> None:
        self._max_bytes, self._measure = max_bytes, measure
        self._bytes = 0
        self._values: OrderedDict[Hashable, V] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        """How many values there are."""
        return len(self._values)

    def get(self, key: Hashable, compute: Callable[[], V]) -> V:
        """The value of the key; the first time, that which `compute` returns."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = compute()
        with self._lock:
            if key not in self._values:
                self._values[key] = value
                self._bytes += ENTRY_BYTES + self._measure(value)
            while self._bytes > self._max_bytes:
                self._bytes -= ENTRY_BYTES + self._measure(self._values.popitem(last=False)[1])
        return value
