"""The trades of businesses that have a web site, read from `sites.yml`: a NAICS class and texts in two languages.

It does not say what is true of one business beyond its trade.
"""

import re
from dataclasses import dataclass

from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.data_tables import read_table
from bonafide_sandbox.sites.content.seeded_choice import SeededChoice

TABLE = read_table("sites")
LICENSED = frozenset({"cannabis", "law", "dental", "pharmacy"})
"""Trades of which a business's name speaks, or it is in another."""
NUMBER = re.compile(r"\d{3}")
"""What is in the name of a numbered company."""


@dataclass(frozen=True, slots=True)
class TradeText:
    """A trade in one language."""

    name: str
    line: str
    """A line for the top of the page."""
    does: tuple[str, ...]
    about: str


@dataclass(frozen=True, slots=True)
class Trade:
    """One trade."""

    key: str
    naics: str
    schema: str
    """Its type in schema.org's vocabulary."""
    words: frozenset[str]
    """Words of names, folded to lower case."""
    english: TradeText
    french: TradeText

    def text(self, *, french: bool) -> TradeText:
        """In the language of a site."""
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
    """The trade that a business's name speaks of, and of a numbered company any; None for a trade that is not here."""
    said = set(re.findall(r"\w+", " ".join((business.name, *business.other_names)).lower()))
    named = [trade for trade in TRADES.values() if trade.words & said]
    if named:
        return chance.pick("trade", named)
    if NUMBER.search(business.name) is None:
        return None
    return chance.pick("trade", [trade for trade in TRADES.values() if trade.key not in LICENSED])
