"""Build the print model of a business from a stored report or a match.

It adds the sentences that a page needs in addition to the register's values.
"""

from collections.abc import Iterable

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, end_sentence
from bonafide.model.entity import Part
from bonafide.model.loading import Route
from bonafide.model.search.match import BusinessMatch, BusinessReport
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.pdf.print_models import (
    GoodStandingStatus,
    PrintedBusinessReport,
    PrintedEvidence,
    PrintedGoodStanding,
    PrintedProvenance,
    RegistryProfile,
)
from bonafide.sources.framework.discovery import Source

UNKNOWN_STANDING = Message("The register does not publish good standing by this route.")
STATED_STANDING = Message("as stated by the register")
_COPIED = (
    "jurisdiction",
    "alternate_names",
    "registration_numbers",
    "entity_type",
    "entity_type_code",
    "status",
    "status_code",
    "incorporation_date",
    "addresses",
    "people",
)
"""The fields with equal names in a report, a match and the profile."""


def build_report_sheet(report: RegistryReport, source: Source, language: Language) -> PrintedBusinessReport:
    """The print model of a stored report."""
    return PrintedBusinessReport(
        **dict(build_report_profile(report, source, language)),
        language=language,
        document_id=report.report_id,
        issued_at=report.obtained_at,
        evidence=build_evidence(report),
    )


def build_match_sheet(match: BusinessMatch, source: Source, language: Language) -> PrintedBusinessReport:
    """The print model of a match of a search."""
    return PrintedBusinessReport(
        **dict(build_match_profile(match, source, language)),
        language=language,
        document_id=match.match_id,
        issued_at=match.retrieved_at,
    )


def build_report_profile(report: RegistryReport, source: Source, language: Language) -> RegistryProfile:
    """The profile of a stored report."""
    profile = _build_profile(report, report.legal_name, report.notes, source, language)
    return profile.model_copy(update={"home_jurisdiction": report.home_jurisdiction, "home_number": report.home_number})


def build_match_profile(match: BusinessMatch, source: Source, language: Language) -> RegistryProfile:
    """The profile of a match."""
    gaps = source.metadata.gaps if match.route is not Route.LIVE else None
    return _build_profile(match, match.legal_name.name, (gaps,) if gaps is not None else (), source, language)


def _build_profile(
    found: RegistryReport | BusinessMatch, legal_name: str, limits: Iterable[Message], source: Source, language: Language
) -> RegistryProfile:
    details = found.business_report.details if found.business_report is not None else None
    profile = RegistryProfile(
        **{name: getattr(found, name) for name in _COPIED},
        legal_name=legal_name,
        good_standing=_build_good_standing(found.business_report, source),
        name_history=details.name_history if details is not None else (),
        status_history=details.status_history if details is not None else (),
        naics_classification=details.naics_classification if details is not None else (),
        limits=tuple(end_sentence(limit) for limit in limits),
        provenance=PrintedProvenance(
            source=source.metadata.get_display_name(language),
            url=found.source_url,
            as_of=found.as_of,
            retrieved_at=found.retrieved_at,
            route=found.route,
        ),
    )
    return _add_unpublished_parts(profile, source)


def build_evidence(report: RegistryReport) -> tuple[PrintedEvidence, ...]:
    """The stored raw responses of a report."""
    return tuple(
        PrintedEvidence(asked=item.url, retrieved_at=item.retrieved_at, size=item.size, sha256=item.sha256)
        for item in report.evidence
    )


def _build_good_standing(report: BusinessReport | None, source: Source) -> PrintedGoodStanding:
    """Good standing with the rule of the register, or the reason why it is unknown."""
    good = report.details.good_standing if report is not None else None
    if good is None:
        return PrintedGoodStanding(answer=GoodStandingStatus.NOT_KNOWN, reason=UNKNOWN_STANDING)
    rule = source.metadata.good_standing_rule
    reason = rule if rule is not None else STATED_STANDING
    return PrintedGoodStanding(answer=GoodStandingStatus.GOOD if good else GoodStandingStatus.NOT_GOOD, reason=reason)


def get_published_parts(source: Source, route: Route) -> tuple[Part, ...]:
    """The parts that the source publishes by this route."""
    live = source.metadata.live
    return live.publishes if route is Route.LIVE and live is not None else source.metadata.publishes


def list_report_parts(report: RegistryReport, source: Source) -> tuple[Part, ...]:
    """The parts that a report could state: those that its source publishes by its route, or that a person has recorded."""
    if report.route is not Route.MANUAL:
        return get_published_parts(source, report.route)
    stated = {Part.STATUS: report.status, Part.ADDRESSES: report.addresses, Part.PEOPLE: report.people}
    return tuple(part for part, value in stated.items() if value)


def _add_unpublished_parts(profile: RegistryProfile, source: Source) -> RegistryProfile:
    """The profile with the parts that the source does not publish by this route; an imported file may have more than others.

    What a person has not recorded may be published all the same.
    """
    if profile.provenance.route is Route.MANUAL:
        return profile
    published = get_published_parts(source, profile.provenance.route)
    unpublished = tuple(part for part in Part if part not in published and not _has_part(profile, part))
    return profile.model_copy(update={"unpublished": unpublished})


def _has_part(profile: RegistryProfile, part: Part) -> bool:
    if part is Part.GOOD_STANDING:
        return profile.good_standing.answer is not GoodStandingStatus.NOT_KNOWN
    if part is Part.PEOPLE_ADDRESSES:
        return any(person.addresses for person in profile.people)
    return bool(getattr(profile, "naics_classification" if part is Part.INDUSTRY else part.value))
