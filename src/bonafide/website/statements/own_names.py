"""Whose site it is: of all statements of a name the surest, and by what names the business goes.

Statements come from elsewhere (`legal_names`, `schema_org`). A doubt is no name: nothing is put together from several statements.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bonafide.matching.folding import fold
from bonafide.matching.names import normalise
from bonafide.website.statements.legal_names import Strength
from bonafide.website.statements.stated import Group, Stated, grouped

LONGEST_NAME: Final = 200
"""Characters."""


@dataclass(frozen=True, slots=True)
class OwnNames:
    """The names of a business, folded, their words without legal forms, and the brands that the site goes by (`brand_names`)."""

    folded: frozenset[str]
    words: frozenset[str]
    brands: frozenset[str] = frozenset()

    def may_be(self, name: str) -> bool:
        """Whether a name shares a word with one of its own; any may where no own name is known."""
        return not self.words or not self.words.isdisjoint(normalise(name).core)

    def sounds_like(self, name: str) -> bool:
        """Whether a name shares a word with one of its own, or with a brand; any does where none is known."""
        words = normalise(name).core
        is_known = bool(self.words or self.brands)
        return not is_known or not self.words.isdisjoint(words) or any(word in brand for word in words for brand in self.brands)

    def has(self, name: str) -> bool:
        """Whether a name is one of its own."""
        return plain(name) in self.folded or "".join(normalise(name).core) in self.brands


def own_names(trade_names: Iterable[str], legal: Group[str] | None, brands: frozenset[str]) -> OwnNames:
    """All names of the business: what bears one of them is its own, and no person's."""
    names = [*trade_names, *([legal.best.value] if legal is not None else [])]
    words = frozenset(word for name in names for word in normalise(name).core)
    return OwnNames(frozenset(map(plain, names)), words, brands)


def plain(text: str) -> str:
    """A text in plain small letters, to know it again."""
    return " ".join(fold(text).split())


def surest_name(statements: Iterable[Stated[str]]) -> Group[str] | None:
    """The statements of the legal name that are surest, and among equals on the most pages; None where there are none."""
    stated = [name for name in statements if len(name.value) <= LONGEST_NAME]
    groups = grouped(stated, lambda name: normalise(name).core, _quality)
    sure = [group for group in groups if _surest(group) > Strength.BESIDE_ADDRESS]
    if not sure and len(groups) > 1:
        return None  # several businesses, and nothing tells which of them has the site
    return max(sure or groups, key=_rank, default=None)


def _quality(name: Stated[str]) -> tuple[int, int, bool]:
    """The spelling with all its legal forms ("… Company Limited"), then the surest, then one that is not in capitals."""
    return len(normalise(name.value).legal_forms), name.strength, not name.value.isupper()


def _rank(group: Group[str]) -> tuple[int, int]:
    return _surest(group), len({statement.page for statement in group.statements})


def _surest(group: Group[str]) -> int:
    return max(statement.strength for statement in group.statements)
