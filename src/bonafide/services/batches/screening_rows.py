"""Screen the rows of a batch against the sanctions lists of their publishers."""

from collections.abc import Sequence

from bonafide.i18n.message import CLAUSE_SEPARATOR, Message, join_values
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.matching.screening.name_warnings import find_name_warnings
from bonafide.model.batches.rows import NAME, BatchInputRow, BatchMatch, BatchResultRow, BatchRowStatus
from bonafide.model.search.match import SanctionsMatch, Screening, ScreeningWarning
from bonafide.services.batches.row_checks import BatchTask, RowChecker, RowRefused, format_data_date
from bonafide.services.lookup.source_result import SourceResult
from bonafide.services.screening.list_cache import LoadedScreeningLists
from bonafide.services.screening.name_file import NameRow, RequestedRow
from bonafide.services.screening.subject_screening import QUERY_FIELD, build_screening_result, find_unscreened_lists

MIN_THRESHOLD = 0.7
_FACTS = ("entityType", "countries", "dateOfBirth")


class ScreeningRowChecker(RowChecker):
    """Screens rows against lists as they were loaded when it was created."""

    def __init__(self, task: BatchTask, lists: LoadedScreeningLists, rarity: WordRarity) -> None:
        super().__init__(task)
        self._lists = lists
        self._rarity = rarity
        self._threshold = max(task.parameters.threshold, MIN_THRESHOLD)
        self._origins: dict[str, str] | None = None
        """The date of each list that is screened. It is the same for every row, and known after the first one."""
        self._missing: dict[str, Message] = {}
        """The lists that can't be screened, with the reason."""

    def check_values(self, row: BatchInputRow, result: BatchResultRow) -> None:
        """Screen a row."""
        requested = self._read_request(row)
        parsed = parse_subject(requested.request.submitted().subject())
        found = self._lists.find_candidates(parsed, self._threshold, self._rarity)
        if any(one.candidates for one in found):
            screening = build_screening_result(parsed, found, self._threshold, self._rarity).screening
            self._add_matches(result, screening)
            obstacle, warnings = screening.reason, screening.warnings
        else:
            checked = find_name_warnings(parsed, QUERY_FIELD)
            obstacle, warnings = checked.obstacle, checked.warnings
        if obstacle is not None:
            raise RowRefused(obstacle)
        self._add_coverage(result, found)
        self._add_warnings(result, (*warnings, *requested.warnings))
        if result.total_matches:
            result.status = BatchRowStatus.MATCH
        else:
            result.status = BatchRowStatus.INCOMPLETE if result.not_checked else BatchRowStatus.CLEAR

    def _read_request(self, row: BatchInputRow) -> RequestedRow:
        name = row.values.get(NAME, "")
        if not name:
            raise RowRefused(Message("{column}: {problem}", column=NAME, problem=Message("is required")))
        facts = {field: row.values[field] for field in _FACTS if field in row.values}
        try:
            return NameRow(row.line, name, facts).request(self.task.day)
        except ValueError as error:
            raise RowRefused(Message.untranslated(error.args[0])) from None

    def _add_matches(self, result: BatchResultRow, screening: Screening) -> None:
        result.total_matches = screening.total_matches
        result.matches = [self._build_match(match) for match in screening.matches[: self.task.parameters.limit]]
        result.score = result.matches[0].score if result.matches else None

    def _build_match(self, match: SanctionsMatch) -> BatchMatch:
        return BatchMatch(
            score=match.legal_name.match_score,
            name=match.legal_name.name,
            matched_name=match.legal_name.matched_name,
            source=match.source,
            entry_id=match.entry_id,
            entity_type=match.entity_type.value,
            jurisdiction=None,
            registration_number=None,
            status=None,
            as_of=(match.as_of if match.as_of is not None else match.retrieved_at.date()).isoformat(),
            reasons=self.write_all(match.match.reasons),
        )

    def _add_coverage(self, result: BatchResultRow, found: Sequence[SourceResult]) -> None:
        if self._origins is None:
            self._missing = {one.source: one.message for one in find_unscreened_lists(found)}
            self._origins = {
                one.source.key: format_data_date(one.origin) for one in found if one.error is None and one.origin is not None
            }
        for key, as_of in self._origins.items():
            self.coverage.count_checked(key, as_of)
        for key, reason in self._missing.items():
            self.coverage.count_not_checked(key, reason)
        if not self._origins:
            reasons = list(self._missing.values())
            if not reasons:
                raise RowRefused(Message("No sanctions list is installed."))
            joined = join_values(reasons, CLAUSE_SEPARATOR)
            raise RowRefused(Message("No sanctions list could be screened: {reasons}", reasons=joined))
        result.checked = len(self._origins)
        result.not_checked = list(self._missing)

    def _add_warnings(self, result: BatchResultRow, warnings: tuple[ScreeningWarning, ...]) -> None:
        result.warnings = self.write_all(warning.message for warning in warnings)
