"""Canada's Business Registries: one search over eight registers that ignores most of its parameters.

The other six registers are not included. How words match and how results are ordered is an assumption.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from starlette.responses import Response

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import LIVE_STATUSES, BusinessKind, LifecycleStatus, SandboxBusiness
from bonafide_sandbox.generator.registers import BY_JURISDICTION
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.protocols.endpoint import ProtocolEndpoint, ProtocolRequest, create_json_response
from bonafide_sandbox.world.directory import BusinessDirectory

SHOWN = 29
"""Number of documents in a response, whatever `rows` is and however many match."""
SOURCES = {
    Jurisdiction.FED: "CC",
    Jurisdiction.ON: "ON",
    Jurisdiction.AB: "AB",
    Jurisdiction.QC: "QC",
    Jurisdiction.MB: "MB",
    Jurisdiction.BC: "BC",
    Jurisdiction.SK: "SK",
    Jurisdiction.NS: "NS",
}
"""The registers included in the search, with their codes."""
HOMES = ("CC", "ON", "AB", "BC")
"""The home jurisdictions of extra-provincial companies."""
NOTES = {
    LifecycleStatus.LEAVING: "Pending",
    LifecycleStatus.DISSOLVED: "Struck",
    LifecycleStatus.AMALGAMATED: "Inactive - Amalgamated",
    LifecycleStatus.CONTINUED_OUT: "Inactive - Discontinued",
    LifecycleStatus.CANCELLED: "Cancelled",
}
ACCOUNTS = {Jurisdiction.BC: "BC0001", Jurisdiction.NS: "NS0001"}
"""The program account after the nine digits, for registers that have their own."""
USUAL_ACCOUNT = "RC0001"
FIRM_TYPES = {
    BusinessKind.FIRM: "Sole proprietorship",
    BusinessKind.PARTNERSHIP: "General partnership",
    BusinessKind.LIMITED_PARTNERSHIP: "Limited partnership",
}
"""Entity types of firms, for registers that use letter codes."""
_ALBERTAN = frozenset({BusinessKind.COMPANY, BusinessKind.EXTRA_PROVINCIAL})
"""The kinds that Alberta shares: corporations under its Business Corporations Act."""
_QUERY = re.compile(r"keyword:\{(.*)\}(?: +Status_State:(\w+))?")
CbrSearchDocument = dict[str, Any]


def handle_request(request: ProtocolRequest, directory: BusinessDirectory) -> Response:
    """Return the documents for a `keyword:{…}` query. A query without braces returns no results."""
    query = _QUERY.fullmatch(request.params.get("fq", ""))
    words, state = query.groups() if query is not None else ("", None)
    documents = [_document(business) for business in dict.fromkeys(_businesses(words, directory))]
    found = [document for document in documents if state in {None, document["Status_State"]}]
    # `rows`, `start`, `page` and `location` have no effect.
    shown = [document | {"score": round(20 / place, 4)} for place, document in enumerate(found[:SHOWN], start=1)]
    paging = {"previous": "page=0", "next": "page=1"}
    return create_json_response({"totalResults": len(found), "count": len(shown), "docs": shown, "paging": paging})


def _businesses(words: str, directory: BusinessDirectory) -> Iterator[SandboxBusiness]:
    """Return businesses that match by number, then those that match by name."""
    for business in (*directory.numbered(words), *directory.named(words, SOURCES)):
        if business.register in SOURCES and (business.register is not Jurisdiction.AB or business.kind in _ALBERTAN):
            yield business


def _document(business: SandboxBusiness) -> CbrSearchDocument:
    source, since = SOURCES[business.register], business.registered_on.isoformat()
    live, home = business.standing in LIVE_STATUSES, _home(business)
    kind = (FIRM_TYPES | BY_JURISDICTION[business.register].types)[business.kind]
    document: CbrSearchDocument = {
        "Registry_Source": source,
        "Jurisdiction": home.get("HJ_ID", [source])[0],
        "version": "1",
        "Company_Name": business.name,
        "text": [business.name, business.number],
        "BN": _business_number(business),
        "MRAS_ID": f"{source}_{business.number}",
        "Juri_ID": business.number,
        "Reg_office_city": business.address.city,
        "City": business.address.city,
        "Reg_office_province": Jurisdiction(business.address.province).label,
        "Status_State": "Active" if live else "Inactive",
        "Status_Notes": NOTES.get(business.standing, ""),
        "Entity_Type": kind,
        "Date_Incorporated": since,
        "MRAS_Entity_Type": kind.upper(),
        "XP_TYPE": "XP" if home else "",
        "Display_Date": since,
        "Data_Source": source,
        "_version_": 1_780_000_000_000_000_000 + business.random_bits % 1_000_000,
        "hierarchy": None,
        **home,
    }
    if business.other_names:
        document["Alternate_Name"] = list(business.other_names)
    if not live:
        document["Status_Date"] = (TODAY - timedelta(days=business.random_bits % 900)).isoformat()
    return document


def _business_number(business: SandboxBusiness) -> str:
    """Return the business number with its program account, or the NEQ for Quebec."""
    if business.register is Jurisdiction.QC:
        return business.number
    return business.business_number + ACCOUNTS.get(business.register, USUAL_ACCOUNT)


def _home(business: SandboxBusiness) -> CbrSearchDocument:
    """Return the home jurisdiction fields of an extra-provincial company, or no fields for other businesses."""
    if business.kind is not BusinessKind.EXTRA_PROVINCIAL:
        return {}
    homes = [home for home in HOMES if home != SOURCES[business.register]]
    return {
        "HJ_ID": [homes[business.random_bits % len(homes)]],
        "HJ_entity_ID": [str(1_200_000 + business.random_bits % 8_000_000)],
        "HJ_entity_name": [business.name],
        "Reg_date_XPR_juri": [business.registered_on.isoformat()],
    }


ENDPOINTS = (ProtocolEndpoint("cbr", "ised-isde.canada.ca/cbr/srch/api/v1/search", handle_request),)
