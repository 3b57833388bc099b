"""Cells of the registry that hold several things: names under labels, services one below the other or between commas."""

import re

_LABEL = re.compile(r"(?:^|[,;\s])\s*(legal|operating) names?\s*:", re.IGNORECASE)
_LEGAL = "legal"
_COMMA = re.compile(r"[,;]\s*(?=[A-Z])")
"""Before a capital: within a service ("money orders, traveller's cheques") a comma goes on in small letters."""


def names_of(cell: str) -> tuple[str, list[str]]:
    """The legal name, and the others in order: `Legal Name: X, Operating Name: Y, Operating Name: Z`.

    A name may hold commas ("Foo, Inc."), so the cell is cut at its labels alone. Where none says which is the legal name, the first
    one stands for it. Raises `ValueError` when there is none.
    """
    pieces = _LABEL.split(cell.replace("\n", " "))
    named = [("", pieces[0]), *zip(pieces[1::2], pieces[2::2], strict=True)]
    found = [(label.casefold(), name.strip(" ,;")) for label, name in named]
    names = list(dict.fromkeys(name for _, name in found if name))
    if not names:
        raise ValueError("there is no name under the labels")
    legal = next((name for label, name in found if label == _LEGAL and name), names[0])
    return legal, [name for name in names if name != legal]


def services_of(cell: str | None) -> list[str]:
    """The services as the registry words them. `cell` keeps its line breaks; without any, the services stand between commas."""
    if cell is None:
        return []
    lines = cell.split("\n")
    parts = lines if len(lines) > 1 else _COMMA.split(cell)
    services = [part.strip(" ,;") for part in parts]
    return list(dict.fromkeys(filter(None, services)))
