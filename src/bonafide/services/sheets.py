"""What is known of a business, laid out for print: a kept report, or a match of a search, as the sheet of a business report.

It words what a page must say beside the register's own values; how the page looks is decided in `pdf`.
"""

from bonafide.model.entity import Part
from bonafide.model.load import Route
from bonafide.model.match import BusinessMatch, BusinessReport
from bonafide.model.report import RegistryReport
from bonafide.pdf.business_report import BusinessReportSheet, Evidence, GoodStanding, Provenance, Standing
from bonafide.pdf.printable import Language
from bonafide.sources.base import Source

UNKNOWN_STANDING = "The register publishes nothing by this route from which it could be known."


def report_sheet(report: RegistryReport, source: Source) -> BusinessReportSheet:
    """The sheet of a kept report."""
    return BusinessReportSheet(
        language=Language.ENGLISH,
        document_id=report.report_id,
        issued_at=report.obtained_at,
        jurisdiction=report.jurisdiction,
        legal_name=report.legal_name,
        alternate_names=report.alternate_names,
        registration_numbers=report.registration_numbers,
        entity_type=report.entity_type,
        entity_type_code=report.entity_type_code,
        status=report.status,
        status_code=report.status_code,
        incorporation_date=report.incorporation_date,
        good_standing=_standing(report.business_report, source),
        home_jurisdiction=report.home_jurisdiction,
        home_number=report.home_number,
        addresses=report.addresses,
        people=report.people,
        name_history=report.business_report.details.name_history,
        naics_classification=report.business_report.details.naics_classification,
        unpublished=_unpublished(source, report.route),
        limits=report.notes,
        provenance=Provenance(
            source=source.metadata.title,
            url=report.source_url,
            as_of=report.as_of,
            retrieved_at=report.retrieved_at,
            route=report.route,
        ),
        evidence=tuple(
            Evidence(asked=item.url, retrieved_at=item.retrieved_at, size=item.size, sha256=item.sha256) for item in report.evidence
        ),
    )


def match_sheet(match: BusinessMatch, source: Source) -> BusinessReportSheet:
    """The sheet of a match, as the search found it."""
    details = match.business_report.details if match.business_report is not None else None
    return BusinessReportSheet(
        language=Language.ENGLISH,
        document_id=match.match_id,
        issued_at=match.retrieved_at,
        jurisdiction=match.jurisdiction,
        legal_name=match.legal_name.name,
        alternate_names=match.alternate_names,
        registration_numbers=match.registration_numbers,
        entity_type=match.entity_type,
        entity_type_code=match.entity_type_code,
        status=match.status,
        status_code=match.status_code,
        incorporation_date=match.incorporation_date,
        good_standing=_standing(match.business_report, source),
        addresses=match.addresses,
        people=match.people,
        name_history=details.name_history if details is not None else (),
        naics_classification=details.naics_classification if details is not None else (),
        unpublished=_unpublished(source, match.route),
        limits=(source.metadata.gaps,) if source.metadata.gaps is not None and match.route is not Route.LIVE else (),
        provenance=Provenance(
            source=source.metadata.title,
            url=match.source_url,
            as_of=match.as_of,
            retrieved_at=match.retrieved_at,
            route=match.route,
        ),
    )


def _standing(report: BusinessReport | None, source: Source) -> GoodStanding:
    """Good standing in words, with the rule of the register or that there is none."""
    good = report.details.good_standing if report is not None else None
    if good is None:
        return GoodStanding(answer=Standing.NOT_KNOWN, reason=UNKNOWN_STANDING)
    answer = Standing.GOOD if good else Standing.NOT_GOOD
    return GoodStanding(answer=answer, reason=source.metadata.good_standing_rule or "The data says so itself.")


def published_parts(source: Source, route: Route) -> tuple[Part, ...]:
    """The parts of which the source says something by this route."""
    live = source.metadata.live
    return live.publishes if route is Route.LIVE and live is not None else source.metadata.publishes


def _unpublished(source: Source, route: Route) -> tuple[Part, ...]:
    """The parts of which the source says nothing by this route."""
    told = published_parts(source, route)
    return tuple(part for part in Part if part not in told)
