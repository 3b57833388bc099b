"""Find the registrations that a row may be about, by its name, number and address.

The score and the selection are those of a search with the organization's settings. Nothing is stored, and no live register is
queried: `CandidateResult.not_searched` says which registers are not loaded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import uuid4

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import ServerBusy
from bonafide.i18n.message import Message
from bonafide.index import Generation
from bonafide.matching.entries.query import Query
from bonafide.matching.entries.register_codes import parse_entity_type_code
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.matching.scoring.score_parameters import EQUAL_NUMBER_OTHER_NAME
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.model.accounts.account_settings import MatchSelectionSettings
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entity import Address, EntityTypeCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import LoadRecord
from bonafide.model.search.match import BusinessMatch
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.indexing.combined_index import get_current_generations, open_indexes
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.lookup.index_lookup import MAX_NUMBER_HITS, MIN_ROUGH_SCORE, IndexLookup
from bonafide.services.lookup.source_result import SourceResult
from bonafide.services.reconciliation.entity_types import REGISTRATION
from bonafide.services.reconciliation.registrations import RegistrationId
from bonafide.services.results.match_building import build_registry_matches
from bonafide.services.results.match_selection import determine_selection
from bonafide.sources.framework.discovery import Source

NUMBER_ONLY_SCORE = EQUAL_NUMBER_OTHER_NAME[0]
"""The score of an entry that has the number of a row without a name, unless the jurisdiction makes it certain."""


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """What is known of a business. Without a name, its number is looked up. `types` and `jurisdictions` filter if not empty."""

    name: str | None
    number: str | None = None
    address: Address | None = None
    jurisdictions: tuple[Jurisdiction, ...] = ()
    types: frozenset[str] = frozenset()
    limit: int = 5


@dataclass(frozen=True, slots=True)
class RegistrationCandidate:
    """A registration that may be meant: its score (0 to 1) with those of the compared fields, and whether it is certain."""

    id: RegistrationId
    name: str
    score: float
    is_match: bool
    status: str | None
    type_code: EntityTypeCode | None
    city: str | None
    field_scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class CandidateResult:
    """The candidates, best first, and the requested registers that were not searched, with the reason."""

    candidates: tuple[RegistrationCandidate, ...]
    not_searched: Mapping[Jurisdiction, Message]


class CandidateSearch:
    """Searches the loaded registers for the rows of one request."""

    def __init__(
        self,
        runtime: Runtime,
        world: World,
        generations: Mapping[str, Generation[LoadRecord]],
        settings: MatchSelectionSettings,
        rarity: WordRarity,
    ) -> None:
        self._runtime = runtime
        self._world = world
        self._generations = generations
        self._settings = settings
        self._rarity = rarity
        registers = runtime.list_registers()
        self._loaded = [source for source in registers if source.key in generations]
        covered = {source.metadata.jurisdiction for source in self._loaded}
        self._missing = (
            {}
            if None in covered  # a source of many registers
            else {
                one: Message("The register of {jurisdiction} is not loaded.", jurisdiction=Message(one.label))
                for one in Jurisdiction
                if one not in covered
            }
        )

    async def find(self, query: CandidateQuery) -> CandidateResult:
        """The candidates of one row. The work is done in the CPU thread, where the rows of all organizations take turns."""
        return await run_cpu_bound(self._find, query)

    def _find(self, query: CandidateQuery) -> CandidateResult:
        wanted = [source for source in self._loaded if _covers(source, query.jurisdictions)]
        not_searched = {one: reason for one, reason in self._missing.items() if one in query.jurisdictions}
        identifier = RegistrationId.parse(query.name) if query.name is not None else None
        if identifier is not None:
            known = self._find_by_number(identifier.number, self._loaded, (identifier.jurisdiction,), query.limit)
            if known:
                return CandidateResult(known, not_searched)
        found: Sequence[RegistrationCandidate] = ()
        if query.name is not None:
            found, failed = self._find_by_name(query.name, query, wanted)
            not_searched |= failed
        elif query.number is not None:
            found = self._find_by_number(query.number, wanted, query.jurisdictions, query.limit)
        kept = [candidate for candidate in found if _is_of_type(candidate, query.types)]
        return CandidateResult(tuple(kept[: query.limit]), not_searched)

    def _find_by_name(
        self, name: str, query: CandidateQuery, sources: Sequence[Source]
    ) -> tuple[list[RegistrationCandidate], dict[Jurisdiction, Message]]:
        asked = Query(name, query.number, query.address, query.jurisdictions or None)
        results: dict[str, SourceResult] = {}
        IndexLookup(self._runtime, self._world, asked, MIN_ROUGH_SCORE).search(sources, results)
        failed = {
            result.source.metadata.jurisdiction: result.error.message
            for result in results.values()
            if result.error is not None and result.source.metadata.jurisdiction is not None
        }
        matches = build_registry_matches(uuid4(), asked, tuple(results.values()), self._rarity)
        _, selected = determine_selection(matches, self._settings, is_complete=not failed)
        found = (_to_candidate(match, is_match=match.match_id == selected) for match in matches)
        return [candidate for candidate in found if candidate is not None], failed

    def _find_by_number(
        self, number: str, sources: Sequence[Source], jurisdictions: Sequence[Jurisdiction], limit: int
    ) -> tuple[RegistrationCandidate, ...]:
        """The entries that have this number, those first of whose register it is the number."""
        keys = build_number_keys(number)
        found: dict[RegistrationId, RegistrationCandidate] = {}
        for source in sources:
            index = self._generations[source.key].index
            for document in index.lookup(number)[:MAX_NUMBER_HITS]:
                entry = RegistryEntry.model_validate_json(index.payload(document))
                identifier = RegistrationId.of_entry(entry.jurisdiction, entry.registration_numbers)
                if identifier is None or identifier in found or (jurisdictions and entry.jurisdiction not in jurisdictions):
                    continue
                is_own = bool(keys & build_number_keys(identifier.number))
                found[identifier] = _from_entry(identifier, entry, is_certain=is_own and len(jurisdictions) == 1)
        ranked = sorted(found.values(), key=lambda candidate: -candidate.score)[:limit]
        is_unique = sum(candidate.is_match for candidate in ranked) == 1
        return tuple(ranked if is_unique else [replace(candidate, is_match=False) for candidate in ranked])


async def find_candidates(
    runtime: Runtime, principal: Principal, queries: Mapping[str, CandidateQuery]
) -> dict[str, CandidateResult]:
    """The candidates of each row, by its key, in the registers that are loaded now. Raises `ServerBusy` if there is none."""
    search = await _open_search(runtime, principal)
    return {key: await search.find(query) for key, query in queries.items()}


async def _open_search(runtime: Runtime, principal: Principal) -> CandidateSearch:
    registers = runtime.list_registers()
    await open_indexes(runtime, principal.world, registers)
    generations = get_current_generations(runtime, principal.world, registers)
    if not generations:
        raise ServerBusy(Message("No register is loaded."))
    settings = await read_settings(runtime, principal.organization_id)
    rarity = await get_loaded_rarity(runtime, principal.world)
    return CandidateSearch(runtime, principal.world, generations, settings.match_selection, rarity)


async def list_loaded_jurisdictions(runtime: Runtime, world: World) -> list[Jurisdiction]:
    """The jurisdictions whose own register is loaded."""
    registers = runtime.list_registers()
    await open_indexes(runtime, world, registers)
    loaded = get_current_generations(runtime, world, registers)
    found = {source.metadata.jurisdiction for source in registers if source.key in loaded}
    return [one for one in Jurisdiction if one in found]


def _covers(source: Source, jurisdictions: Sequence[Jurisdiction]) -> bool:
    own = source.metadata.jurisdiction
    return not jurisdictions or own is None or own in jurisdictions


def _is_of_type(candidate: RegistrationCandidate, types: frozenset[str]) -> bool:
    """Whether the candidate has one of the types. One whose legal form is not known may be of any."""
    return not types or REGISTRATION.id in types or candidate.type_code is None or candidate.type_code in types


def _to_candidate(match: BusinessMatch, *, is_match: bool) -> RegistrationCandidate | None:
    """The candidate of a match; None for an entry without a number, which has no identifier."""
    identifier = RegistrationId.of_entry(match.jurisdiction, match.registration_numbers)
    if identifier is None:
        return None
    return RegistrationCandidate(
        id=identifier,
        name=match.legal_name.name,
        score=match.match.score,
        is_match=is_match,
        status=match.status,
        type_code=match.entity_type_code,
        city=_find_city(match.addresses),
        field_scores={field.field: field.score for field in match.match.fields if field.score is not None},
    )


def _from_entry(identifier: RegistrationId, entry: RegistryEntry, *, is_certain: bool) -> RegistrationCandidate:
    return RegistrationCandidate(
        id=identifier,
        name=entry.legal_name,
        score=1.0 if is_certain else NUMBER_ONLY_SCORE,
        is_match=is_certain,
        status=entry.status,
        type_code=parse_entity_type_code(entry.entity_type),
        city=_find_city(entry.addresses),
        field_scores={"registrationNumber": 1.0},
    )


def _find_city(addresses: Sequence[Address]) -> str | None:
    return next((address.city for address in addresses if address.city is not None), None)
