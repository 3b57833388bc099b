"""Canada's Business Registries asked by name, business number or register number: eight registers in one answer.

What the interface ignores (the register wanted, the number of rows) is chosen here from what it shows. It is never asked for a
second page: nobody has seen that it has one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bonafide.errors import InvalidInput, ParseFailed, SourceNotFound
from bonafide.matching.identifiers.number_formats import parse_business_number
from bonafide.matching.identifiers.number_labels import REGISTER_LETTERS, compact_number, parse_labelled_number
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.live import MAX_RESULTS, LiveContext, LiveQuery, RegistrationQuery, read_json
from bonafide.sources.registries.cbr.search_document import build_entry, get_registers

FIXED_PARAMETERS = (("lang", "en"), ("queryaction", "fieldquery"), ("sortfield", "score"), ("sortorder", "desc"), ("page", "0"))
BC_DIGITS = 7


@dataclass(frozen=True, slots=True)
class CbrSearchResults:
    """The entries of one answer, the best first, and how many more there would be."""

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

    It is `InvalidInput` for a register that is not there, and for a number that may be among what an answer holds back.
    """
    register, number = registration.jurisdiction, registration.number
    if register not in get_registers(context).values():
        raise InvalidInput(f"{context.metadata.title} has nothing of {register.label}, though its pages name it")
    hidden = 0
    for keyword in _build_keywords(_normalize_number(number), register):
        shown = await _search(keyword, context)
        for entry in shown.entries:
            if entry.jurisdiction is register and _is_register_number(entry, number):
                return entry
        hidden += shown.hidden
    if hidden:
        raise InvalidInput(f"{context.metadata.title} shows no entry of that number and holds back {hidden:,} that may be it")
    return None


async def _find_by_number(number: str, context: LiveContext) -> list[RegistryEntry]:
    """The registrations that bear a number, in the first spelling that finds any."""
    business_number = parse_business_number(number)
    for keyword in _build_keywords(business_number.root if business_number is not None else _normalize_number(number), None):
        found = [entry for entry in (await _search(keyword, context)).entries if _has_number(entry, number)]
        if found:
            return found
    return []


def _normalize_number(number: str) -> str:
    """A number compact, without words and without letters that only name its register."""
    plain = parse_labelled_number(compact_number(number)).number
    letters = plain.rstrip("0123456789")
    return plain[len(letters) :] if letters in REGISTER_LETTERS - {Jurisdiction.BC} else plain


def _build_keywords(plain: str, register: Jurisdiction | None) -> list[str]:
    """A compact number as it is looked for; where it can be British Columbia's, also with the letters that people leave out."""
    if register in {None, Jurisdiction.BC} and plain.isdecimal() and len(plain) <= BC_DIGITS:
        return [plain, f"BC{plain:0>{BC_DIGITS}}"]
    return [plain]


def _has_number(entry: RegistryEntry, number: str) -> bool:
    """Whether an entry states the number as its own, its business number, or its number at home."""
    keys = build_number_keys(number)
    stated = [*entry.list_search_numbers(), *([entry.home_number] if entry.home_number is not None else [])]
    return any(not keys.isdisjoint(build_number_keys(text)) for text in stated)


def _is_register_number(entry: RegistryEntry, number: str) -> bool:
    """Whether it is the register's own number, which stands first."""
    return not build_number_keys(number).isdisjoint(build_number_keys(entry.registration_numbers[0].value))


async def _search(text: str, context: LiveContext) -> CbrSearchResults:
    """What the joint search shows for some words. Raises a `SourceError`."""
    # The braces are part of the protocol, so they can't be part of what is looked for.
    words = " ".join(text.replace("{", " ").replace("}", " ").split())
    if words == "":
        return CbrSearchResults([], 0)
    answer = await context.get("", (("fq", f"keyword:{{{words}}}"), *FIXED_PARAMETERS))
    if not answer.found:
        raise SourceNotFound(f"{context.metadata.key}: nothing answers at {context.live.base_url}")
    total, documents = _parse_answer(read_json(answer))
    hidden = max(0, total - len(documents))
    if hidden:
        context.words.note(
            f"{context.metadata.title} shows {len(documents):,} of {total:,} entries, and can't be asked for the others"
        )
    return CbrSearchResults([build_entry(document, context) for document in documents], hidden)


def _parse_answer(content: Any) -> tuple[int, list[Any]]:
    """How many documents there are, and those that are shown. Raises `ParseFailed` for an answer of another shape."""
    if not isinstance(content, dict):
        raise ParseFailed("the answer is no object")
    total, documents = content.get("totalResults"), content.get("docs")
    if not isinstance(total, int) or not isinstance(documents, list):
        raise ParseFailed(f"the answer has no {'docs' if isinstance(total, int) else 'totalResults'}")
    if total > 0 and not documents:
        raise ParseFailed(f"the answer counts {total:,} entries and shows none")
    return total, documents
