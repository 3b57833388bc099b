"""Decide which pages a site's robots.txt allows (RFC 9309). `protego` collects the groups and matches the patterns.

The file comes from an unknown server, so its cost is bounded: only the lines of the standard reach the parser, and all other
programs share one name, because the parser keeps a copy of every rule for every name of its group.
"""

import re
from dataclasses import dataclass, field
from typing import Self

from protego import Protego

MAX_BYTES = 500 * 1024
"""Of the file that are read; the standard wants at least this much (section 2.5)."""
_FIELDS = frozenset({"user-agent", "allow", "disallow", "sitemap"})
_PRODUCT = re.compile(r"[A-Za-z_-]+")
_EVERY_PROGRAM, _OTHER_PROGRAM = "*", "another-program"


@dataclass(frozen=True, slots=True)
class RobotsTxt:
    """The rules for one program on one host."""

    product: str = _EVERY_PROGRAM
    rules: Protego = field(default_factory=Protego)

    @classmethod
    def parse(cls, text: str, product: str) -> Self:
        """Parse a file for `product`: the groups that name it, all together, or those for `*` where none does."""
        lines = []
        for line in text.removeprefix("\ufeff").splitlines():
            name, _, value = line.partition("#")[0].partition(":")
            name, value = name.strip().lower(), value.strip()
            if name in _FIELDS:
                lines.append(f"{name}: {_normalize_program(value, product) if name == 'user-agent' else value}")
        return cls(product, Protego.parse("\n".join(lines)))

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The addresses of the sitemaps that the file names."""
        return tuple(self.rules.sitemaps)

    def is_allowed(self, target: str) -> bool:
        """Whether a path with its query may be requested: the longest rule that matches decides, `Allow` where two are equal."""
        # With a host in front, because the library takes the beginning of "//path" for one.
        return self.rules.can_fetch(f"https://host/{target.removeprefix('/')}", self.product)


def _normalize_program(value: str, product: str) -> str:
    """The product's own name (`Bonafide/1.0` is `bonafide`), `*`, or the one name of all other programs."""
    if value.startswith(_EVERY_PROGRAM):
        return _EVERY_PROGRAM
    found = _PRODUCT.match(value)
    return product if found is not None and found[0].lower() == product.lower() else _OTHER_PROGRAM


DISALLOW_ALL = RobotsTxt.parse("User-agent: *\nDisallow: /", _EVERY_PROGRAM)
"""For a host whose robots.txt can't be read because the host fails (section 2.3.1.4)."""
