"""What the Global LEI index states about the parents of a business, as an ownership statement that is built when it is read.

The LEI is that of the record, or that of the entity that is registered with the record's number. Accounting consolidation, the
management of a fund and the head office of a branch are control; the index has no shares. A feeder fund has a share of its master
fund, which is not control, so that it is no claim.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bonafide.errors import BonafideError
from bonafide.i18n.message import Message
from bonafide.index import Generation
from bonafide.matching.identifiers.number_matching import build_number_keys, is_lei
from bonafide.model.accounts.organizations import World
from bonafide.model.entity import StatusCode
from bonafide.model.entry import JoinNumber, RegulatoryEntry, RelationshipEntry
from bonafide.model.loading import LoadRecord
from bonafide.model.ownership.answer import ClaimedParty, LeiLookup, LeiLookupStatus, RecordedStatement
from bonafide.model.ownership.statement import (
    OWNABLE,
    Claimant,
    InterestKind,
    OwnershipInterest,
    OwnershipParty,
    OwnershipStatement,
    PartyKind,
)
from bonafide.model.records.business_record import BusinessRecord
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.ownership.claims import JoinedStatements

ENTITIES, RELATIONSHIPS = "gleif", "gleifRelationships"
"""The sources of names and registration numbers, and of relationships."""
MAX_ENTITIES = 100
"""Most entities of one structure that are read."""
CONTROLLING = frozenset(
    {
        "IS_DIRECTLY_CONSOLIDATED_BY",
        "IS_ULTIMATELY_CONSOLIDATED_BY",
        "IS_INTERNATIONAL_BRANCH_OF",
        "IS_FUND-MANAGED_BY",
        "IS_SUBFUND_OF",
    }
)
WITHOUT_PARENT = frozenset({"NATURAL_PERSONS", "NO_KNOWN_PERSON"})
"""Reasons that do not hide a parent: there is none. They add nothing to what another claimant states about the owners."""
_VOID = frozenset({StatusCode.CANCELLED})
_log = get_logger(__name__)
_Index = Generation[LoadRecord]


@dataclass(frozen=True, slots=True)
class LeiClaims:
    """How the relationships were looked up, and the statement; None if there is nothing to state."""

    lookup: LeiLookup
    statement: OwnershipStatement | None = None
    recorded: RecordedStatement | None = None

    def fail(self, reason: Message) -> "LeiClaims":
        """The same lookup without a statement, as failed for this reason."""
        return LeiClaims(self.lookup.model_copy(update={"status": LeiLookupStatus.FAILED, "note": reason}))


def read_lei_claims(
    runtime: Runtime, world: World, record: BusinessRecord, claimants: Iterable[Claimant], stated: JoinedStatements | None
) -> LeiClaims:
    """What the index states about the parents of a business. `stated` is what the other `claimants` say. Never raises.

    A stored statement of the claimant `lei` takes precedence: then nothing is read.
    """
    if Claimant.LEI in claimants:
        return _build_lookup(LeiLookupStatus.RECORDED, Message("A recorded statement of the claimant `lei` takes precedence."))
    try:
        relationships = runtime.generations[world].current(RELATIONSHIPS) if RELATIONSHIPS in runtime.sources else None
        entities = runtime.generations[world].current(ENTITIES) if ENTITIES in runtime.sources else None
        return _read_claims(record, entities, relationships, stated, runtime)
    except BonafideError as error:
        return _build_lookup(LeiLookupStatus.FAILED, error.message)
    except Exception:  # noqa: BLE001 - the index must not prevent the other statements from being read; the log has the traceback
        _log.exception("lei_relationships.failed")
        return _build_lookup(LeiLookupStatus.FAILED, Message("The relationships could not be read because of an internal error."))


def _build_lookup(status: LeiLookupStatus, note: Message, lei: str | None = None, load: LoadRecord | None = None) -> LeiClaims:
    return LeiClaims(
        LeiLookup(status=status, lei=lei, source=RELATIONSHIPS, as_of=load.day if load is not None else None, note=note)
    )


def _read_claims(
    record: BusinessRecord,
    entities: _Index | None,
    relationships: _Index | None,
    stated: JoinedStatements | None,
    runtime: Runtime,
) -> LeiClaims:
    if relationships is None:
        return _build_lookup(LeiLookupStatus.NOT_LOADED, Message("No relationships of the Global LEI index are loaded."))
    load = relationships.manifest
    lei = _find_lei(record, entities)
    if lei is None:
        note = Message("No LEI of the business is known. Without an LEI, the index states nothing about it.")
        return _build_lookup(LeiLookupStatus.UNKNOWN_LEI, note, load=load)
    structure = _LeiStructure(relationships, entities, stated, record)
    structure.add_parents(lei)
    if not structure.interests:
        note = Message("The index has neither a parent of the entity nor a reason why none is reported.")
        return _build_lookup(LeiLookupStatus.NOTHING_REPORTED, note, lei, load)
    title = runtime.sources[RELATIONSHIPS].metadata.title
    statement = OwnershipStatement(
        claimed_by=Claimant.LEI,
        as_of=load.day,
        declared_by=str(title),
        parties=tuple(structure.parties.values()),
        interests=tuple(structure.list_interests()),
    )
    recorded = RecordedStatement(
        claimed_by=Claimant.LEI, as_of=load.day, declared_by=str(title), recorded_at=load.retrieved_at, recorded_by=RELATIONSHIPS
    )
    found = _build_lookup(LeiLookupStatus.STATED, Message("The index states who controls the entity."), lei, load)
    return LeiClaims(found.lookup, statement, recorded)


# ------------------------------------------------------------------------------------------------------ the entity


def _find_lei(record: BusinessRecord, entities: _Index | None) -> str | None:
    """The LEI of the record, or that of the only entity that is registered with the number of the record."""
    own = next((number.value.strip().upper() for number in record.registrations if is_lei(number.value)), None)
    if own is not None or entities is None or record.registration_number is None or record.jurisdiction is None:
        return own
    wanted = set(build_number_keys(record.registration_number))
    found = {
        entity.entry_id
        for entity in _read_entities(entities, record.registration_number)
        for number in entity.join_numbers
        if isinstance(number, JoinNumber)
        and number.jurisdiction is record.jurisdiction
        and not wanted.isdisjoint(build_number_keys(number.value))
    }
    return found.pop() if len(found) == 1 else None


def _read_entities(entities: _Index, number: str) -> Iterator[RegulatoryEntry]:
    for document in entities.index.lookup(number):
        yield RegulatoryEntry.model_validate_json(entities.index.payload(document))


# --------------------------------------------------------------------------------------------------- the structure


@dataclass(slots=True)
class _LeiStructure:
    """The parties and interests above one entity. Parties that other claimants name by the same number keep their IDs."""

    relationships: _Index
    entities: _Index | None
    stated: JoinedStatements | None
    record: BusinessRecord
    parties: dict[str, OwnershipParty] = field(default_factory=dict)
    interests: dict[tuple[str, str], OwnershipInterest] = field(default_factory=dict)
    """By owner and owned party: several records of one pair are one interest."""

    def add_parents(self, lei: str) -> None:
        """Add the parents of the business, and of its parents that have a name."""
        subject = self.stated.subject if self.stated is not None else f"lei:{lei}"
        name = self.record.name or lei
        self.parties[subject] = OwnershipParty(id=subject, kind=PartyKind.BUSINESS, name=name, business_id=self.record.id)
        ids, waiting = {lei: subject}, [lei]
        while waiting and len(ids) < MAX_ENTITIES:
            child = waiting.pop()
            for entry in self._read_relationships(child):
                if entry.parent_lei is None:
                    self._add_unreported(entry, ids[child])
                elif entry.relationship in CONTROLLING and entry.is_active and entry.status_code not in _VOID:
                    if entry.parent_lei not in ids:
                        party = self._build_party(entry.parent_lei)
                        ids[entry.parent_lei] = party.id
                        self.parties.setdefault(party.id, party)
                        if party.kind in OWNABLE:
                            waiting.append(entry.parent_lei)
                    self._add_interest(ids[entry.parent_lei], ids[child], entry, f"{entry.relationship} ({entry.status})")

    def _read_relationships(self, lei: str) -> Iterator[RelationshipEntry]:
        for document in self.relationships.index.lookup(lei):
            entry = RelationshipEntry.model_validate_json(self.relationships.index.payload(document))
            if entry.lei == lei:
                yield entry

    def _build_party(self, lei: str) -> OwnershipParty:
        """The party of a parent. One of which only the LEI is known is unknown: it has no name that could be screened."""
        entity = next(
            (one for one in _read_entities(self.entities, lei) if one.entry_id == lei) if self.entities is not None else iter(()),
            None,
        )
        known = self._find_stated(lei, entity)
        if known is not None:
            return OwnershipParty.model_validate(known.model_dump(exclude={"claimed_by"}))
        if entity is None:
            return OwnershipParty(id=f"lei:{lei}", kind=PartyKind.UNKNOWN, registration_number=lei)
        return OwnershipParty(id=f"lei:{lei}", kind=PartyKind.BUSINESS, name=entity.legal_name, registration_number=lei)

    def _find_stated(self, lei: str, entity: RegulatoryEntry | None) -> ClaimedParty | None:
        """The party of other claimants that has the LEI, or the number under which the entity is registered."""
        numbers: Mapping[str, set[str]] = {
            number.jurisdiction.value: set(build_number_keys(number.value))
            for number in (entity.join_numbers if entity is not None else ())
            if isinstance(number, JoinNumber)
        }
        for party in self.stated.parties if self.stated is not None else ():
            given = party.registration_number
            if given is None or party.kind not in OWNABLE:
                continue
            keys = numbers.get(party.jurisdiction or "", set())
            if given.strip().upper() == lei or not keys.isdisjoint(build_number_keys(given)):
                return party
        return None

    def _add_unreported(self, entry: RelationshipEntry, owned: str) -> None:
        """Add an unknown party for a parent that is not reported, with the reason as evidence."""
        if WITHOUT_PARENT.issuperset(entry.reasons) and self._has_stated_owners(owned):
            return
        party = OwnershipParty(id=f"lei:{entry.lei}:unreported", kind=PartyKind.UNKNOWN)
        self.parties.setdefault(party.id, party)
        self._add_interest(party.id, owned, entry, f"{entry.relationship}: {', '.join(entry.reasons)}")

    def _has_stated_owners(self, owned: str) -> bool:
        return self.stated is not None and any(
            interest.owned == owned and interest.kind is not InterestKind.DIRECTOR for interest in self.stated.interests
        )

    def _add_interest(self, owner: str, owned: str, entry: RelationshipEntry, evidence: str) -> None:
        """Add the interest of a record. Several records of one pair are one interest, from the first day of any to the last."""
        since, until = _get_period(entry)
        before = self.interests.get((owner, owned))
        if before is None:
            self.interests[owner, owned] = OwnershipInterest(
                id=entry.entry_id, owner=owner, owned=owned, kind=InterestKind.CONTROL, from_=since, to=until, evidence=evidence
            )
            return
        known = str(before.evidence)
        self.interests[owner, owned] = before.model_copy(
            update={
                "from_": min(filter(None, (before.from_, since)), default=None),
                "to": None if before.to is None or until is None else max(before.to, until),
                "evidence": known if evidence in known else f"{known}; {evidence}",
            }
        )

    def list_interests(self) -> Sequence[OwnershipInterest]:
        """The interests in the order in which they were found."""
        return list(self.interests.values())


def _get_period(entry: RelationshipEntry) -> tuple[str | None, str | None]:
    """The first and the last day of a relationship; None for both if they contradict each other, as in data of an earlier load."""
    is_reversed = entry.since is not None and entry.until is not None and entry.until < entry.since
    return (None, None) if is_reversed else (entry.since, entry.until)
