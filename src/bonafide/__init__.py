"""Find out whether a Canadian business is who it says it is.

The package is laid out in layers that import downwards only; ARCHITECTURE.md draws them. `screen_table` and `match_table` are for
notebooks and pipelines; they are imported when they are first used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonafide.tables import match_table, screen_table

__version__ = "0.1.0"
__all__ = ["__version__", "match_table", "screen_table"]


def __getattr__(name: str) -> object:
    if name not in {"match_table", "screen_table"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bonafide import tables  # noqa: PLC0415 - imports all that a batch needs

    return getattr(tables, name)
