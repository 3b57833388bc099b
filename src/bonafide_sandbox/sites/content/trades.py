"""The trades of businesses with a web site, read from `sites.yml`: a NAICS class and texts in two languages.

Trades contain nothing specific to a single business.
"""

import re
from dataclasses import dataclass

from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.data_tables import read_table
from bonafide_sandbox.sites.content.seeded_choice import SeededChoice

TABLE = read_table("sites")
LICENSED = frozenset({"cannabis", "law", "dental", "pharmacy"})
"""Trades that a business has only if its name suggests them."""
NUMBER = re.compile(r"\d{3}")
"""Matches the digits in a numbered company's name."""


@dataclass(frozen=True, slots=True)
class TradeText:
    """The texts of a trade in one language."""

    name: str
    line: str
    """The tagline at the top of the page."""
    does: tuple[str, ...]
    about: str


@dataclass(frozen=True, slots=True)
class Trade:
    """A trade."""

    key: str
    naics: str
    schema: str
    """Its type in the schema.org vocabulary."""
    words: frozenset[str]
    """Words that suggest this trade in a name, in lower case."""
    english: TradeText
    french: TradeText

    def text(self, *, french: bool) -> TradeText:
        """Return the texts in the site's language."""
        return self.french if french else self.english


def _read() -> dict[str, Trade]:
    return {
        key: Trade(
            key,
            facts["naics"],
            facts["schema"],
            frozenset(word.lower() for word in facts["words"]),
            *(TradeText(**facts[language] | {"does": tuple(facts[language]["does"])}) for language in ("en", "fr")),
        )
        for key, facts in TABLE["trades"].items()
    }


TRADES = _read()


def choose_trade(business: SandboxBusiness, chance: SeededChoice) -> Trade | None:
    """Return the trade that the name suggests, a random one for a numbered company, or None if no trade matches."""
    words = set(re.findall(r"\w+", " ".join((business.name, *business.other_names)).lower()))
    named = [trade for trade in TRADES.values() if trade.words & words]
    if named:
        return chance.pick("trade", named)
    if NUMBER.search(business.name) is None:
        return None
    return chance.pick("trade", [trade for trade in TRADES.values() if trade.key not in LICENSED])
