"""Query Canada's Business Registries by name, business number or registration number: eight registers in one response.

The interface ignores the register and the number of rows in a request, so results are filtered here. Only the first page is
requested, because no second one is known to exist.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bonafide.errors import InvalidInput, ParseFailed, SourceNotFound
from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_formats import parse_business_number
from bonafide.matching.identifiers.number_labels import REGISTER_LETTERS, compact_number, parse_labelled_number
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.live import (
    ADDRESS_NOT_FOUND,
    MAX_RESULTS,
    NO_RESULTS_LISTED,
    LiveContext,
    LiveQuery,
    RegistrationQuery,
    read_json,
)
from bonafide.sources.registries.cbr.search_document import build_entry, get_registers

FIXED_PARAMETERS = (("lang", "en"), ("queryaction", "fieldquery"), ("sortfield", "score"), ("sortorder", "desc"), ("page", "0"))
BC_DIGITS = 7


@dataclass(frozen=True, slots=True)
class CbrSearchResults:
    """The entries of one response, the best first, and the number of entries that it omits."""

    entries: list[RegistryEntry]
    hidden: int


async def find(query: LiveQuery, context: LiveContext) -> Sequence[RegistryEntry]:
    """Registrations in all registers, those with the number before those with the name. Raises a `SourceError`."""
    found = await _find_by_number(query.number, context) if query.number is not None else []
    if query.name is not None:
        found += (await _search(query.name, context)).entries
    return list({entry.entry_id: entry for entry in found}.values())[:MAX_RESULTS]


async def report(registration: RegistrationQuery, context: LiveContext) -> RegistryEntry | None:
    """The registration with this number in this register. Raises a `SourceError`.

    Raises `InvalidInput` for a register that it does not cover, and for a number that may be among omitted entries.
    """
    register, number = registration.jurisdiction, registration.number
    if register not in get_registers(context).values():
        raise InvalidInput(
            Message(
                "{source} has no entries of {jurisdiction}, although its pages list that register",
                source=context.metadata.title,
                jurisdiction=register.label,
            )
        )
    hidden = 0
    for keyword in _build_keywords(_normalize_number(number), register):
        shown = await _search(keyword, context)
        for entry in shown.entries:
            if entry.jurisdiction is register and _is_register_number(entry, number):
                return entry
        hidden += shown.hidden
    if hidden:
        sentence = Message(
            "{source} returned no entry with this number, but omitted {n:,} results that may include it",
            source=context.metadata.title,
            n=hidden,
        )
        raise InvalidInput(sentence)
    return None


async def _find_by_number(number: str, context: LiveContext) -> list[RegistryEntry]:
    """The registrations with a number, in the first spelling with results."""
    business_number = parse_business_number(number)
    for keyword in _build_keywords(business_number.root if business_number is not None else _normalize_number(number), None):
        found = [entry for entry in (await _search(keyword, context)).entries if _has_number(entry, number)]
        if found:
            return found
    return []


def _normalize_number(number: str) -> str:
    """A compact number without words and without letters that only identify its register."""
    plain = parse_labelled_number(compact_number(number)).number
    letters = plain.rstrip("0123456789")
    return plain[len(letters) :] if letters in REGISTER_LETTERS - {Jurisdiction.BC} else plain


def _build_keywords(plain: str, register: Jurisdiction | None) -> list[str]:
    """The search terms for a compact number. One that can be British Columbia's is also searched with its letters."""
    if register in {None, Jurisdiction.BC} and plain.isdecimal() and len(plain) <= BC_DIGITS:
        return [plain, f"BC{plain:0>{BC_DIGITS}}"]
    return [plain]


def _has_number(entry: RegistryEntry, number: str) -> bool:
    """Whether an entry has the number as registration number, business number or number in its home jurisdiction."""
    keys = build_number_keys(number)
    stated = [*entry.list_search_numbers(), *([entry.home_number] if entry.home_number is not None else [])]
    return any(not keys.isdisjoint(build_number_keys(text)) for text in stated)


def _is_register_number(entry: RegistryEntry, number: str) -> bool:
    """Whether it is the register's own number, which is the first."""
    return not build_number_keys(number).isdisjoint(build_number_keys(entry.registration_numbers[0].value))


async def _search(text: str, context: LiveContext) -> CbrSearchResults:
    """The results for some words. Raises a `SourceError`."""
    # Braces are part of the protocol and can't be part of the search text.
    words = " ".join(text.replace("{", " ").replace("}", " ").split())
    if words == "":
        return CbrSearchResults([], 0)
    answer = await context.get("", (("fq", f"keyword:{{{words}}}"), *FIXED_PARAMETERS))
    if not answer.found:
        raise SourceNotFound(ADDRESS_NOT_FOUND.fill(source=context.metadata.title, url=context.live.base_url))
    total, documents = _parse_answer(read_json(answer))
    hidden = max(0, total - len(documents))
    if hidden:
        note = Message(
            "{source} returned {shown:,} of {total:,} results; the others can’t be requested",
            source=context.metadata.title,
            shown=len(documents),
            total=total,
        )
        context.words.note(note)
    return CbrSearchResults([build_entry(document, context) for document in documents], hidden)


def _parse_answer(content: Any) -> tuple[int, list[Any]]:
    """The number of results, and those in the response. Raises `ParseFailed` for another structure."""
    if not isinstance(content, dict):
        raise ParseFailed(Message("the response is not an object"))
    total, documents = content.get("totalResults"), content.get("docs")
    if not isinstance(total, int) or not isinstance(documents, list):
        raise ParseFailed(Message("the response has no {field}", field="docs" if isinstance(total, int) else "totalResults"))
    if total > 0 and not documents:
        raise ParseFailed(NO_RESULTS_LISTED.fill(n=total))
    return total, documents
