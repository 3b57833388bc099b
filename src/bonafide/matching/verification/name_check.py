"""The legal name of a verification: the claim against the names that a business bears now, without legal forms in both languages.

A former name is told as what it is, and is a mismatch: whoever still uses it has not kept up. Words weigh what the tables say, not
what the loaded registers hold, so that the same claim and the same report give the same score on any machine.
"""

from collections.abc import Iterable

from bonafide.matching.names.best_name_match import NameMatch, find_best_match
from bonafide.matching.names.entry_names import ParsedName, parse_name
from bonafide.matching.names.legal_forms import LEGAL_FORMS
from bonafide.matching.scoring.word_rarity import STATIC_RARITY
from bonafide.model.entity import NameHistoryItem
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import CheckedField, CheckStatus


def check_name(claimed: str, threshold: float, report: RegistryReport) -> CheckedField:
    """Compare a name with the legal name and the other current ones; 1 is equality after normalisation."""
    current = [*_strip_legal_forms(parse_name(report.legal_name)), *_parse_alternate_names(report.alternate_names)]
    match = _find_best_match(claimed, current)
    status = CheckStatus.MATCHED if match.score >= threshold else CheckStatus.MISMATCHED
    former = _describe_former_name(claimed, threshold, report) if status is CheckStatus.MISMATCHED else None
    return CheckedField(
        status=status,
        score=match.score,
        threshold=threshold,
        provided=claimed,
        registry=match.found.text if former is None else report.legal_name,
        reason=f"{match.reason}{_describe_form_difference(claimed, match)}" if former is None else former,
    )


def _find_best_match(claimed: str, names: Iterable[ParsedName]) -> NameMatch:
    match = find_best_match(list(_strip_legal_forms(parse_name(claimed))), names, STATIC_RARITY, 0.0)
    assert match is not None  # noqa: S101 - no score is below 0, and the report has a legal name
    return match


def _strip_legal_forms(names: Iterable[ParsedName]) -> Iterable[ParsedName]:
    """The names without their legal forms, which are not compared."""
    return (name._replace(normal=name.normal._replace(legal_forms=())) for name in names)


def _parse_alternate_names(names: Iterable[str]) -> Iterable[ParsedName]:
    return (read for name in names for read in _strip_legal_forms(parse_name(name, "another name that is registered for it")))


def _describe_form_difference(claimed: str, match: NameMatch) -> str:
    """That the legal forms differ, which decides nothing and is worth knowing."""
    asked, found = (parse_name(text)[0].normal.legal_forms for text in (claimed, match.found.text))
    if not asked or not found or set(asked) == set(found):
        return ""
    return f"; the legal form is {_format_forms(found)} and not {_format_forms(asked)}, which does not count"


def _format_forms(forms: Iterable[str]) -> str:
    return ", ".join(LEGAL_FORMS[form].label for form in forms)


def _describe_former_name(claimed: str, threshold: float, report: RegistryReport) -> str | None:
    """The sentence on the former name that was claimed; None when it was none."""
    current = {report.legal_name, *report.alternate_names}
    for item in report.business_report.details.name_history:
        if item.name not in current and _find_best_match(claimed, _strip_legal_forms(parse_name(item.name))).score >= threshold:
            return f"a former name{_describe_end_date(item)}; the legal name is now {report.legal_name}"
    return None


def _describe_end_date(item: NameHistoryItem) -> str:
    until = f" until {item.end_date.isoformat()}" if item.end_date is not None else ""
    return f", {item.name}{until}"
