"""The prototype of the index: scripts outside the product, imported from a folder given by the user."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from bonafide_bench.engines.engine import EngineMaterial, EngineUnavailable

BUILT_LAST = "meta.npy"


def build(material: EngineMaterial) -> None:
    """Build the prototype's segment. Raises `EngineUnavailable` if the scripts or their dependencies are missing."""
    script = _script("seg_build", material.prototype)
    try:
        script.build(str(material.names), str(material.folder))
    except ImportError as error:
        raise EngineUnavailable(f"building it needs {error.name}, which is not installed") from error


def can_open(folder: Path) -> bool:
    """Whether a complete segment exists."""
    return (folder / BUILT_LAST).exists()


def _script(name: str, folder: Path | None) -> Any:
    if folder is None:
        raise EngineUnavailable("no --prototype FOLDER was named")
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True  # do not write into the user's folder
    try:
        return import_module(name)
    except ImportError as error:
        raise EngineUnavailable(f"{folder}: {error}") from error


class PrototypeIndex:
    """The prototype's NumPy engine with its default settings."""

    def __init__(self, material: EngineMaterial) -> None:
        self._segment = _script("nq", material.prototype).NSeg(str(material.folder))
        np.seterr(over="ignore")

    def find(self, text: str) -> Any:
        """The prototype's name numbers and scores."""
        return self._segment.search(text)

    def records(self, found: Any) -> list[int]:
        """The distinct records of the names."""
        return list(dict.fromkeys(int(self._segment.rec[name]) for name in found[0]))
