"""The product's index, with the final score applied to its best candidates."""

from bonafide.index import FieldName, IndexSegment, create_business_query
from bonafide.matching.entries.query import Query
from bonafide.matching.entries.ranking import rank_entries
from bonafide.matching.scoring.word_rarity import WordRarity, compute_minimum_count
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.services.lookup.index_lookup import MIN_ROUGH_SCORE
from bonafide_bench.engines.engine import LIMIT, EngineMaterial


class ScoredIndex:
    """The index followed by the final score. As in the service, words are weighted by their frequency among the names."""

    def __init__(self, material: EngineMaterial) -> None:
        self._segment = IndexSegment.open(material.folder)
        self._field = self._segment.fields[FieldName.NAMES]
        self._rarity = WordRarity(len(self._field), self._field.common_words(compute_minimum_count(len(self._field))))

    def find(self, text: str) -> list[int]:
        """The records of the best candidates, ordered by final score."""
        hits = [hit for hit in self._segment.search(create_business_query(text), LIMIT) if hit.score >= MIN_ROUGH_SCORE]
        entries = [_entry(self._segment.payload(hit.document)) for hit in hits]
        rough = [hit.score for hit in hits]
        ranked = rank_entries(Query(name=text), entries, floor=0, limit=LIMIT, rarity=self._rarity, rough=rough)
        return [int(match.entry.entry_id) for match in ranked]

    def records(self, found: list[int]) -> list[int]:
        """The records, unchanged."""
        return found


def _entry(payload: bytes) -> RegistryEntry:
    record, name, *others = payload.decode().split("\n")
    return RegistryEntry(entry_id=record, jurisdiction=Jurisdiction.FED, legal_name=name, alternate_names=tuple(others))
