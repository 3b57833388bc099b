"""The legal name of a verification: the claim against the names that a business bears now, without legal forms in both languages.

A former name is told as what it is, and is a mismatch: whoever still uses it has not kept up. Words weigh what the tables say, not
what the loaded registers hold, so that the same claim and the same report give the same score on any machine.
"""

from collections.abc import Iterable

from bonafide.matching.best_name import NameMatch, best_match
from bonafide.matching.entry_names import ReadName, read_name
from bonafide.matching.legal_forms import FORMS
from bonafide.matching.rarity import STATIC
from bonafide.model.entity import NameHistoryItem
from bonafide.model.report import RegistryReport
from bonafide.model.verification import CheckedField, CheckStatus


def checked_name(claimed: str, threshold: float, report: RegistryReport) -> CheckedField:
    """Compare a name with the legal name and the other current ones; 1 is equality after normalisation."""
    current = [*_bare(read_name(report.legal_name)), *_alternates(report.alternate_names)]
    match = _best(claimed, current)
    status = CheckStatus.MATCHED if match.score >= threshold else CheckStatus.MISMATCHED
    former = _former(claimed, threshold, report) if status is CheckStatus.MISMATCHED else None
    return CheckedField(
        status=status,
        score=match.score,
        threshold=threshold,
        provided=claimed,
        registry=match.found.text if former is None else report.legal_name,
        reason=f"{match.reason}{_other_forms(claimed, match)}" if former is None else former,
    )


def _best(claimed: str, names: Iterable[ReadName]) -> NameMatch:
    match = best_match(list(_bare(read_name(claimed))), names, STATIC, 0.0)
    assert match is not None  # noqa: S101 - no score is below 0, and the report has a legal name
    return match


def _bare(names: Iterable[ReadName]) -> Iterable[ReadName]:
    """The names without their legal forms, which are not compared."""
    return (name._replace(normal=name.normal._replace(legal_forms=())) for name in names)


def _alternates(names: Iterable[str]) -> Iterable[ReadName]:
    return (read for name in names for read in _bare(read_name(name, "another name that is registered for it")))


def _other_forms(claimed: str, match: NameMatch) -> str:
    """That the legal forms differ, which decides nothing and is worth knowing."""
    asked, found = (read_name(text)[0].normal.legal_forms for text in (claimed, match.found.text))
    if not asked or not found or set(asked) == set(found):
        return ""
    return f"; the legal form is {_labels(found)} and not {_labels(asked)}, which does not count"


def _labels(forms: Iterable[str]) -> str:
    return ", ".join(FORMS[form].label for form in forms)


def _former(claimed: str, threshold: float, report: RegistryReport) -> str | None:
    """The sentence on the former name that was claimed; None when it was none."""
    current = {report.legal_name, *report.alternate_names}
    for item in report.business_report.details.name_history:
        if item.name not in current and _best(claimed, _bare(read_name(item.name))).score >= threshold:
            return f"a former name{_until(item)}; the legal name is now {report.legal_name}"
    return None


def _until(item: NameHistoryItem) -> str:
    until = f" until {item.end_date.isoformat()}" if item.end_date is not None else ""
    return f", {item.name}{until}"
