"""What a site's robots.txt allows us, by RFC 9309: groups, the longest match, `*` and `$`, and what a missing file means.

It decides; it asks for nothing. Lines that the standard does not know, such as a delay, are passed over.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

MAX_BYTES = 500 * 1024
"""Of the file that are read; the standard wants this much (section 2.5)."""
_BREAKS = re.compile(r"\r\n|\r|\n")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_PRODUCT = re.compile(r"[A-Za-z_-]+")


@dataclass(frozen=True, slots=True)
class RobotsRule:
    """One line `Allow:` or `Disallow:`; the pattern is written as paths are compared."""

    allows: bool
    pattern: str

    def matches(self, target: str) -> bool:
        """Whether the pattern stands at the beginning of a path, or for all of it where it ends in `$`."""
        anchored = self.pattern.endswith("$")
        first, *others = self.pattern.removesuffix("$").split("*")
        if not target.startswith(first):
            return False
        at = len(first)
        for position, part in enumerate(others):
            if anchored and position == len(others) - 1:
                return len(target) - len(part) >= at and target.endswith(part)
            at = target.find(part, at)
            if at < 0:
                return False
            at += len(part)
        return not anchored or at == len(target)


@dataclass(frozen=True, slots=True)
class RobotsTxt:
    """The rules for one program on one host, and the sitemaps that the file names."""

    rules: tuple[RobotsRule, ...] = ()
    sitemaps: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str, product: str) -> Self:
        """The groups for `product`, all together, or those for `*` where there is none for it."""
        ours: list[RobotsRule] = []
        everybody: list[RobotsRule] = []
        has_ours = False
        for agents, rules in _parse_groups(text):
            if product.lower() in agents:
                has_ours = True
                ours += rules
            elif "*" in agents:
                everybody += rules
        sitemaps = tuple(value for name, value in _parse_lines(text) if name == "sitemap" and value != "")
        return cls(tuple(ours if has_ours else everybody), sitemaps)

    def allow(self, target: str) -> bool:
        """Whether a path with its query may be asked for: the longest rule that matches decides, `Allow` where two are equal."""
        compared = _normalize_path(target)
        if compared == "/robots.txt":
            return True
        matching = [(len(rule.pattern), rule.allows) for rule in self.rules if rule.matches(compared)]
        return max(matching)[1] if matching else True


DISALLOW_ALL = RobotsTxt((RobotsRule(allows=False, pattern="/"),))
"""For a host whose robots.txt can't be had because the host fails (section 2.3.1.4)."""


def _parse_groups(text: str) -> Iterator[tuple[set[str], list[RobotsRule]]]:
    """Each group's names in lower case, and its rules. Rules before any name are nobody's."""
    agents: set[str] = set()
    rules: list[RobotsRule] = []
    is_named = False
    for name, value in _parse_lines(text):
        if name == "user-agent":
            if not is_named:
                yield agents, rules
                agents, rules = set(), []
            agents.add(_normalize_product(value))
            is_named = True
        elif name in {"allow", "disallow"}:
            is_named = False
            if value != "":
                rules.append(RobotsRule(name == "allow", _normalize_path(value)))
    yield agents, rules


def _parse_lines(text: str) -> Iterator[tuple[str, str]]:
    for line in _BREAKS.split(text.removeprefix("\ufeff")):
        name, colon, value = line.partition("#")[0].partition(":")
        if colon != "":
            yield name.strip().lower(), value.strip()


def _normalize_product(value: str) -> str:
    """`Bonafide/1.0` and `bonafide` speak to the same program."""
    found = _PRODUCT.match(value)
    return found[0].lower() if found is not None else value[:1]


def _normalize_path(target: str) -> str:
    """A path in one spelling: other characters percent-encoded in UTF-8, escapes of plain letters undone (section 2.2.2)."""
    return _ESCAPE.sub(_decode_unreserved, _NOT_ASCII.sub(_normalize_escape, target))


def _normalize_escape(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


def _decode_unreserved(found: re.Match[str]) -> str:
    char = chr(int(found[1], 16))
    return char if _UNRESERVED.fullmatch(char) else found[0].upper()
