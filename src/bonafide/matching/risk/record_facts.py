"""The facts of a business record: of its verifications, screenings and ownership, and what they share with other records.

Each kind of check replaces all facts of its own paths. What a later check could not find out is not known any more, so that an old
value does not pass as current.
"""

from collections.abc import Iterable, Mapping
from datetime import date

from bonafide.matching.risk.search_facts import OWNERSHIP, RECORD, add_screening_facts
from bonafide.matching.verification.discrepancies import list_discrepancies
from bonafide.model.entity import StatusCode
from bonafide.model.ownership.roll_up import OwnershipRollUp
from bonafide.model.records.connections import ConnectionKind
from bonafide.model.risk.facts import FactBuilder, Facts
from bonafide.model.search.match import Screening
from bonafide.model.verification.results import CheckStatus, VerifyResponse

SCREENING_PATHS = ("sanctions.", "ownership.listed")
"""The beginnings of the paths of a screening's facts."""
VERIFICATION_PATHS = ("verification.", "registry.status", "registry.active")
ACCEPTANCE_PATHS = ("verification.openDiscrepancies",)
OWNERSHIP_PATHS = ("ownership.declared", "ownership.unknownShare", "ownership.unidentifiedOwners", "ownership.countries")
CONNECTION_PATHS = ("connections.",)
SEARCH_PATHS = ("registry.", "business.", "match.", "industry.", "licences.", "website.", "coverage.")
"""Those of a search, apart from its screening."""
_CONNECTIONS = {
    ConnectionKind.ADDRESS: "connections.sharedAddress",
    ConnectionKind.PHONE: "connections.sharedPhone",
    ConnectionKind.DIRECTOR: "connections.sharedPeople",
}
_COMPARED = frozenset({CheckStatus.MATCHED, CheckStatus.MISMATCHED})


def replace_facts(known: Facts, found: Facts, paths: tuple[str, ...]) -> Facts:
    """The known facts with those of a new check, which replaces all facts whose paths begin with `paths`."""
    return {**{path: fact for path, fact in known.items() if not path.startswith(paths)}, **found}


def build_screening_facts(screening: Screening, day: date) -> Facts:
    """The facts of a screening."""
    facts = FactBuilder()
    add_screening_facts(facts, screening, day)
    return facts.build()


def build_verification_facts(response: VerifyResponse) -> Facts:
    """The facts of a verification, without those of its screening."""
    facts, results, report = FactBuilder(), response.results, response.registry_data
    source, as_of = (report.source, report.as_of) if report is not None else ("verification", response.meta.verified_at.date())
    facts.add("verification.status", results.status.value, source, as_of)
    if report is not None:
        facts.add("verification.openDiscrepancies", len(list_discrepancies(response)), source, as_of)
    address = results.fields.address
    if address is not None and address.status in _COMPARED:
        facts.add("verification.address", address.status.value, source, as_of)
    statuses = {person.status for person in results.people if person.status in _COMPARED}
    if statuses:
        worst = CheckStatus.MISMATCHED if CheckStatus.MISMATCHED in statuses else CheckStatus.MATCHED
        facts.add("verification.people", worst.value, source, as_of)
    if report is not None and report.status_code is not StatusCode.UNKNOWN:
        facts.add("registry.status", report.status_code.value, source, as_of)
        facts.add("registry.active", report.status_code is StatusCode.ACTIVE, source, as_of)
    return facts.build()


def build_acceptance_facts(response: VerifyResponse, open_count: int) -> Facts:
    """The facts that change when somebody accepts a discrepancy of a verification, or revokes that."""
    facts, report = FactBuilder(), response.registry_data
    if report is not None:
        facts.add("verification.openDiscrepancies", open_count, report.source, report.as_of)
    return facts.build()


def build_ownership_facts(rolled: OwnershipRollUp | None, countries: Iterable[str], day: date) -> Facts:
    """The facts of the ownership statements; `rolled` is None without any."""
    facts = FactBuilder()
    facts.add("ownership.declared", rolled is not None, OWNERSHIP, day)
    if rolled is not None:
        unidentified = sum(not owner.is_identified for owner in rolled.beneficial_owners)
        facts.add("ownership.unknownShare", rolled.unknown_share.max, OWNERSHIP, day)
        facts.add("ownership.unidentifiedOwners", unidentified, OWNERSHIP, day)
        known = list(countries)
        if known:
            facts.add_list("ownership.countries", known, OWNERSHIP, day)
    return facts.build()


def build_connection_facts(counts: Mapping[ConnectionKind, int], day: date) -> Facts:
    """The facts of what a record shares with other records. `counts` has each kind that was compared."""
    facts = FactBuilder()
    for kind, path in _CONNECTIONS.items():
        facts.add(path, counts.get(kind), RECORD, day)
    return facts.build()
