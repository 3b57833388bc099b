"""Load what installed packages add to the service through entry points."""

from importlib.metadata import entry_points
from typing import Any


def load_entry_points(group: str) -> list[Any]:
    """The objects of a group of entry points, in the order of their names.

    The three packages are one distribution, so an entry point may name a package that was removed; it is left out. Raises what
    importing raises otherwise.
    """
    found = []
    for entry_point in sorted(entry_points(group=group), key=lambda item: item.name):
        try:
            found.append(entry_point.load())
        except ModuleNotFoundError as error:
            if error.name != entry_point.module.partition(".")[0]:
                raise
    return found
