"""Status words of all registers: a word that is the same everywhere has the same code everywhere, and the words seen are known."""

import pytest

from bonafide.model.entity import StatusCode
from bonafide.model.entry import SourceKind
from bonafide.sources.canonical.entries import CanonicalRegister
from bonafide.sources.canonical.mapping import CanonicalMapping
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.framework.discovery import discover_sources

REGISTERS = sorted(
    source.key
    for source in discover_sources().values()
    if source.metadata.kind is SourceKind.REGISTRY and source.metadata.jurisdiction is not None
)
"""Those that a canonical file can fill; what searches over several of them can't be."""
SEEN = {
    StatusCode.ACTIVE: {
        "bc": ["Active", "ACT"],
        "qc": ["IM"],
        "yt": ["In Compliance", "In Default"],
        "on": ["0"],
        "pe": ["inactive_non_payment"],
    },
    StatusCode.PENDING_DISSOLUTION: {
        "fed": ["Active - Dissolution Pending (Non-compliance)", "Active - Intent to Dissolve Filed"],
        "ab": ["Liable for dissolution"],
        "yt": ["Pending Strike-off"],
        "pe": ["pending_dissolution"],
    },
    StatusCode.DISSOLVED: {
        "fed": ["Dissolved"],
        "yt": ["Dissolved by Registrar", "Dissolved by Directors", "Ceased/Dissolved"],
        "ab": ["Struck"],
        "qc": ["RD", "RO", "RX"],
        "pe": ["administratively_dissolved"],
    },
    StatusCode.CANCELLED: {"yt": ["Cancelled by Registrar"], "pe": ["cancelled"]},
    StatusCode.AMALGAMATED: {"fed": ["Inactive - Amalgamated"], "yt": ["Amalgamated"]},
    StatusCode.CONTINUED_OUT: {"fed": ["Inactive - Discontinued"], "yt": ["Continued Out"], "nt": ["Nunavut Entity"]},
    StatusCode.INACTIVE: {"bc": ["HIS"], "fed": ["Inactive"], "yt": ["Expired"], "nt": ["Expired"]},
}
"""The table of registers and words, each with what the common code must be."""
EVERYWHERE = {
    "Active": StatusCode.ACTIVE,
    "Dissolved": StatusCode.DISSOLVED,
    "Amalgamated": StatusCode.AMALGAMATED,
    "Struck Off": StatusCode.DISSOLVED,
    "Cancelled": StatusCode.CANCELLED,
    "Inactive": StatusCode.INACTIVE,
}


def code(register: str, word: str) -> StatusCode:
    context = ParseContext(discover_sources()[register].metadata)
    found = CanonicalRegister.of(context, CanonicalMapping()).status_code(word)
    assert not context.report.unknown_terms
    return found


@pytest.mark.parametrize("expected", SEEN)
def test_the_words_that_were_seen_have_their_code_in_any_case(expected: StatusCode) -> None:
    for register, words in SEEN[expected].items():
        for word in words:
            if register in discover_sources():
                assert code(register, word) is code(register, word.swapcase()) is expected, (register, word)


@pytest.mark.parametrize("register", REGISTERS)
@pytest.mark.parametrize("word", EVERYWHERE)
def test_plain_words_are_known_in_every_register(register: str, word: str) -> None:
    assert code(register, word) is EVERYWHERE[word]


@pytest.mark.parametrize("register", REGISTERS)
def test_a_word_that_nobody_knows_is_counted_and_not_guessed(register: str) -> None:
    context = ParseContext(discover_sources()[register].metadata)
    assert CanonicalRegister.of(context, CanonicalMapping()).status_code("Bewitched") is StatusCode.UNKNOWN
    assert context.report.unknown_terms == {"status: Bewitched": 1}
