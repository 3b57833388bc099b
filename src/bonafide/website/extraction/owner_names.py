"""Choose the most certain legal name of a site's owner, and collect the names that the business uses.

Statements come from elsewhere (`legal_names`, `schema_org`). A doubt is no name: nothing is put together from several statements.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bonafide.matching.names.normalization import normalise
from bonafide.matching.text.folding import fold
from bonafide.website.extraction.legal_names import NameStrength
from bonafide.website.extraction.page_statement import PageStatement, StatementGroup, group_statements

LONGEST_NAME: Final = 200
"""Characters."""


@dataclass(frozen=True, slots=True)
class OwnerNames:
    """The names of a business, folded, their words without legal forms, and the brands that the site goes by (`brand_names`)."""

    folded: frozenset[str]
    words: frozenset[str]
    brands: frozenset[str] = frozenset()

    def may_match_owner(self, name: str) -> bool:
        """Whether a name shares a word with one of its own; any may where no own name is known."""
        return not self.words or not self.words.isdisjoint(normalise(name).core)

    def resembles_owner(self, name: str) -> bool:
        """Whether a name shares a word with one of its own, or with a brand; any does where none is known."""
        words = normalise(name).core
        is_known = bool(self.words or self.brands)
        return not is_known or not self.words.isdisjoint(words) or any(word in brand for word in words for brand in self.brands)

    def has(self, name: str) -> bool:
        """Whether a name is one of its own."""
        return normalize_text(name) in self.folded or "".join(normalise(name).core) in self.brands


def collect_owner_names(trade_names: Iterable[str], legal: StatementGroup[str] | None, brands: frozenset[str]) -> OwnerNames:
    """All names of the business: what bears one of them is its own, and no person's."""
    names = [*trade_names, *([legal.best.value] if legal is not None else [])]
    words = frozenset(word for name in names for word in normalise(name).core)
    return OwnerNames(frozenset(map(normalize_text, names)), words, brands)


def normalize_text(text: str) -> str:
    """A text in plain small letters, to know it again."""
    return " ".join(fold(text).split())


def choose_legal_name(statements: Iterable[PageStatement[str]]) -> StatementGroup[str] | None:
    """The statements of the legal name that are surest, and among equals on the most pages; None where there are none."""
    stated = [name for name in statements if len(name.value) <= LONGEST_NAME]
    groups = group_statements(stated, lambda name: normalise(name).core, _rate_spelling)
    sure = [group for group in groups if _get_best_strength(group) > NameStrength.BESIDE_ADDRESS]
    if not sure and len(groups) > 1:
        return None  # several businesses, and nothing tells which of them has the site
    return max(sure or groups, key=_rank_group, default=None)


def _rate_spelling(name: PageStatement[str]) -> tuple[int, int, bool]:
    """The spelling with all its legal forms ("… Company Limited"), then the surest, then one that is not in capitals."""
    return len(normalise(name.value).legal_forms), name.strength, not name.value.isupper()


def _rank_group(group: StatementGroup[str]) -> tuple[int, int]:
    return _get_best_strength(group), len({statement.page for statement in group.statements})


def _get_best_strength(group: StatementGroup[str]) -> int:
    return max(statement.strength for statement in group.statements)
