"""The new and changed parties of sanctions lists as an index, against which the parties of monitored records are screened.

The index and the comparison are those of an ordinary screening, so a screening of the record finds what is found here. It is small
where little has changed, and most monitored parties share no word with it. CPU-bound.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bonafide.index import Generation
from bonafide.index.generations.entry_changes import EntryChanges, find_entry_changes
from bonafide.index.generations.loaded_lists import read_indexed_party
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.matching.screening.party_matching import ListedNameComparator, ParsedListedEntity, UnreadListedEntity, rank_parties
from bonafide.matching.screening.screening_index import IndexedParty, PartyCandidate, ScreeningIndex
from bonafide.model.entry import ListedEntity
from bonafide.model.loading import LoadRecord
from bonafide.model.monitoring.evaluations import WatchedParty
from bonafide.model.query import ScreeningSubject


@dataclass(frozen=True, slots=True)
class ListState:
    """A list as it is loaded, and the hashes of its entries when all records were last evaluated; None before the first time."""

    generation: Generation[LoadRecord]
    earlier: bytes | None

    def find_changes(self) -> EntryChanges:
        """What has changed since then."""
        return find_entry_changes(self.earlier, self.generation.index.document_hashes())


class ChangedParties:
    """The new and changed parties of several lists."""

    def __init__(self, lists: Mapping[str, ListState]) -> None:
        self.changes = {source: state.find_changes() for source, state in lists.items()}
        self._entries = [
            (lists[source].generation, document) for source, found in self.changes.items() for document in found.documents
        ]
        self._parties: list[IndexedParty] = [
            read_indexed_party(generation.index.payload(document)) for generation, document in self._entries
        ]
        self._index = ScreeningIndex(self._parties)

    def __len__(self) -> int:
        return len(self._parties)

    def has_changed(self, source: str, entry_hash: int) -> bool:
        """Whether an entry that a record hit has changed, or is gone."""
        found = self.changes.get(source)
        return found is not None and entry_hash in found.keys

    def is_hit_by_any(self, parties: Sequence[WatchedParty], threshold: float, rarity: WordRarity) -> bool:
        """Whether one of the parties of a record scores at least the threshold against a new or changed party."""
        return any(self.is_hit_by(party, threshold, rarity) for party in parties)

    def is_hit_by(self, party: WatchedParty, threshold: float, rarity: WordRarity) -> bool:
        """The same for one party."""
        if not self._parties:
            return False
        parsed = parse_subject(to_subject(party))
        candidates = self._index.find(parsed, threshold, rarity)
        if not candidates:
            return False
        comparator = ListedNameComparator(parsed, rarity)
        return any(rank_parties(comparator, [self._to_party(one)], floor=threshold) for one in candidates)

    def _to_party(self, candidate: PartyCandidate) -> ParsedListedEntity | UnreadListedEntity:
        generation, document = self._entries[candidate.place]
        party, read = self._parties[candidate.place], partial(_read_entity, generation, document)
        if candidate.likely:
            return UnreadListedEntity(party.kind, party.names, candidate.likely, read)
        return ParsedListedEntity(read(), party.names)


def to_subject(party: WatchedParty) -> ScreeningSubject:
    """The party as a screening compares it."""
    return ScreeningSubject(party.name, entity_type=party.entity_type, countries=party.countries, date_of_birth=party.date_of_birth)


def _read_entity(generation: Generation[Any], document: int) -> ListedEntity:
    return ListedEntity.model_validate_json(generation.index.payload(document))
