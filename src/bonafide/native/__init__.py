"""The compiled extensions, where this platform has them.

Each has an implementation in NumPy and Python beside its caller, which gives the same answers and is used where there is no
extension: on platforms without a wheel or a compiler, and if the environment variable `BONAFIDE_PURE_PYTHON` is set to anything but
`0`, which helps to find out whether an extension is at fault. `native/` in the repository has the C sources, and `hatch_build.py`
compiles them.
"""

import importlib
import os
from types import ModuleType

PURE_PYTHON_VARIABLE = "BONAFIDE_PURE_PYTHON"


def _import_extension(name: str) -> ModuleType | None:
    if os.environ.get(PURE_PYTHON_VARIABLE, "0") not in {"", "0"}:
        return None
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        return None


search_extension = _import_extension("_search")
"""The search of an index, `native/search`; None if it is not compiled."""
comparison_extension = _import_extension("_comparison")
"""The comparison of names, `native/comparison`; None if it is not compiled."""
