"""Search the loaded registers for the rows of a batch. Live registers are not queried."""

from collections.abc import Mapping, Sequence

from pydantic import ValidationError

from bonafide.i18n.message import Message
from bonafide.matching.entries.query import Query
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.model.batches.rows import NAME, BatchInputRow, BatchMatch, BatchResultRow, BatchRowStatus
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import SearchRequest
from bonafide.model.search.match import BusinessMatch
from bonafide.runtime import Runtime
from bonafide.services.batches.row_checks import BatchTask, RowChecker, RowRefused, format_data_date, read_address
from bonafide.services.lookup.index_lookup import MIN_ROUGH_SCORE, IndexLookup
from bonafide.services.lookup.source_result import SourceResult
from bonafide.services.results.match_building import build_registry_matches
from bonafide.sources.framework.discovery import Source

_FIELDS = {"name": NAME, "jurisdictions": "jurisdiction", "registrationNumber": "registrationNumber"}


class SearchRowChecker(RowChecker):
    """Searches rows in the registers that are loaded. `unsearched` are the others, with the reason."""

    def __init__(
        self,
        runtime: Runtime,
        task: BatchTask,
        loaded: Sequence[Source],
        unsearched: Mapping[str, tuple[Source, Message]],
        rarity: WordRarity,
    ) -> None:
        super().__init__(task)
        self._runtime = runtime
        self._loaded = loaded
        self._unsearched = unsearched
        self._rarity = rarity

    def check_values(self, row: BatchInputRow, result: BatchResultRow) -> None:
        """Search a row."""
        parameters = self.task.parameters
        request = self._read_request(row)
        assert request.name is not None  # noqa: S101 - a row without a name has been refused
        jurisdictions = tuple(request.jurisdictions) if request.jurisdictions is not None else parameters.jurisdictions
        address = request.address.as_address() if request.address is not None else None
        query = Query(request.name, request.registration_number, address, jurisdictions, parameters.limit)
        results: dict[str, SourceResult] = {}
        chosen = [source for source in self._loaded if _is_wanted(source, jurisdictions)]
        IndexLookup(self._runtime, self.task.world, query, MIN_ROUGH_SCORE).search(chosen, results)
        found = [results[source.key] for source in chosen]
        matches = build_registry_matches(self.task.batch_id, query, found, self._rarity)
        result.matches = [self._build_match(match) for match in matches if match.match.score >= parameters.threshold]
        result.total_matches = len(result.matches)
        result.score = result.matches[0].score if result.matches else None
        self._add_coverage(result, found, jurisdictions)
        if result.total_matches:
            result.status = BatchRowStatus.MATCH
        else:
            result.status = BatchRowStatus.INCOMPLETE if result.not_checked else BatchRowStatus.NO_MATCH

    def _read_request(self, row: BatchInputRow) -> SearchRequest:
        values = row.values
        if NAME not in values:
            raise RowRefused(Message("{column}: {problem}", column=NAME, problem=Message("is required")))
        wanted: dict[str, object] = {"name": values[NAME]}
        if "jurisdiction" in values:
            wanted["jurisdictions"] = [part.strip() for part in values["jurisdiction"].split(";") if part.strip()]
        if "registrationNumber" in values:
            wanted["registrationNumber"] = values["registrationNumber"]
        address = read_address(values)
        if address is not None:
            wanted["address"] = address
        try:
            return SearchRequest.model_validate(wanted)
        except ValidationError as error:
            raise RowRefused.of_validation(error, _FIELDS) from None

    def _build_match(self, match: BusinessMatch) -> BatchMatch:
        numbers = match.registration_numbers
        return BatchMatch(
            score=match.match.score,
            name=match.legal_name.name,
            matched_name=None,
            source=match.source,
            entry_id=None,
            entity_type=match.entity_type,
            jurisdiction=match.jurisdiction.value,
            registration_number=numbers[0].value if numbers else None,
            status=match.status,
            as_of=(match.as_of if match.as_of is not None else match.retrieved_at.date()).isoformat(),
            reasons=[f"{self.write(field.label)}: {self.write(field.reason)}" for field in match.match.fields],
        )

    def _add_coverage(
        self, result: BatchResultRow, found: Sequence[SourceResult], jurisdictions: Sequence[Jurisdiction] | None
    ) -> None:
        for one in found:
            if one.error is None and one.origin is not None:
                self.coverage.count_checked(one.source.key, format_data_date(one.origin))
                result.checked += 1
            else:
                reason = one.error.message if one.error is not None else Message("No data is loaded.")
                self.coverage.count_not_checked(one.source.key, reason)
                result.not_checked.append(one.source.key)
        for key, (source, reason) in self._unsearched.items():
            if _is_wanted(source, jurisdictions):
                self.coverage.count_not_checked(key, reason)
                result.not_checked.append(key)


def _is_wanted(source: Source, jurisdictions: Sequence[Jurisdiction] | None) -> bool:
    own = source.metadata.jurisdiction
    return jurisdictions is None or own is None or own in jurisdictions
