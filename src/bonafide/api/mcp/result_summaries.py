"""Shorten documents of the API to what a model needs of them: pure functions from wire documents to results of tools.

Free text of web pages (descriptions, quoted passages) is left out: only names, addresses and numbers that were found in it remain.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from bonafide.api.mcp.tool_answers import pick

MAX_ALTERNATE_NAMES = 5
MAX_PEOPLE = 20
MAX_HITS = 10
MAX_SUBJECT_HITS = 3
Wire = Mapping[str, Any]
"""A document of the API as JSON values."""


def summarize_search(search: Wire, limit: int) -> dict[str, Any]:
    """The result of a search: its best `limit` matches, without their explanations."""
    meta, businesses = search["meta"], search["businesses"] or ()
    selection = search.get("matchSelection")
    return {
        **pick(meta, "searchId", "searchedAt", "status", "warnings"),
        "matchSelection": pick(selection, "status", "selectedMatchId", "reason") if selection is not None else None,
        "totalBusinesses": len(businesses),
        "businesses": [summarize_business(match) for match in businesses[:limit]],
        "regulatory": [
            summarize_entry(match, regulator) for regulator, matches in search["regulatory"].items() for match in matches[:limit]
        ],
        "listings": [
            summarize_entry(match, listing) for listing, matches in search.get("listings", {}).items() for match in matches[:limit]
        ],
        "sanctions": summarize_screening(search["sanctions"]) if search["sanctions"] is not None else None,
        "website": summarize_website(search["website"]) if search["website"] is not None else None,
        "risk": pick(search["risk"], "band", "points") if search.get("risk") is not None else None,
    }


def summarize_business(match: Wire) -> dict[str, Any]:
    """A registry match without people and explanation."""
    return {
        "matchId": match["matchId"],
        "legalName": match["legalName"]["name"],
        "score": match["match"]["score"],
        **pick(match, "jurisdiction", "registrationNumbers", "entityType", "status", "statusCode", "incorporationDate"),
        "alternateNames": match["alternateNames"][:MAX_ALTERNATE_NAMES],
        "addresses": [_summarize_address(address) for address in match["addresses"]],
        **pick(match, "source", "sourceUrl", "asOf", "retrievedAt"),
        "relatedMatchIds": [related["matchId"] for related in match["relatedMatches"]],
    }


def _summarize_address(address: Wire) -> Any:
    return address["raw"] or pick(address, "street", "city", "province", "postalCode")


def summarize_entry(match: Wire, source: str) -> dict[str, Any]:
    """A match of a regulator or a listing."""
    return {
        "source": source,
        "legalName": match["legalName"]["name"],
        "score": match["match"]["score"],
        **pick(match, "registrationNumber", "status", "statusCode", "sourceUrl", "asOf"),
    }


def explain_business(match: Wire) -> dict[str, Any]:
    """A registry match with the comparison of each field, word by word."""
    return {
        **summarize_business(match),
        "baseline": match["match"]["baseline"],
        "fields": match["match"]["fields"],
        "people": [pick(person, "name", "roles") for person in match["people"][:MAX_PEOPLE]],
        "relatedMatches": match["relatedMatches"],
    }


def summarize_screening(screening: Wire) -> dict[str, Any]:
    """The hits of a screening, of the name and of each further subject that has hits or could not be screened."""
    return {
        **pick(screening, "query", "status", "reason", "warnings", "totalMatches", "openHits"),
        "matches": [_summarize_hit(hit) for hit in screening["matches"][:MAX_HITS]],
        "screenedSubjects": len(screening["subjects"]),
        "subjects": [_summarize_subject(subject) for subject in _select_subjects(screening["subjects"])],
        "deemedSanctioned": screening.get("ownership"),
    }


def _select_subjects(subjects: Iterable[Wire]) -> list[Wire]:
    return [subject for subject in subjects if subject["matches"] or subject["status"] != "screened"]


def _summarize_subject(subject: Wire) -> dict[str, Any]:
    return {
        **pick(subject, "name", "kind", "role", "from", "status", "reason", "totalMatches"),
        "matches": [_summarize_hit(hit) for hit in subject["matches"][:MAX_SUBJECT_HITS]],
    }


def _summarize_hit(hit: Wire) -> dict[str, Any]:
    name, dismissed = hit["legalName"], hit["dismissed"]
    return {
        "listedName": name["name"],
        "matchedName": name["matchedName"],
        "score": name["matchScore"],
        **pick(hit, "source", "entryId", "entityType"),
        **pick(hit["details"], "countries", "programs", "dateOfBirth", "listingDate", "remarks"),
        "reasons": hit["match"]["reasons"],
        "sourceUrls": hit["sourceUrls"],
        "dismissed": pick(dismissed, "by", "at", "reason", "until") if dismissed is not None else None,
    }


def summarize_website(website: Wire) -> dict[str, Any]:
    """What a website says of who is behind it: values with the page of each, and no text of the pages."""
    extracted, comparison = website["extracted"], website["comparison"]
    return {
        **pick(website, "status", "url", "error", "retrievedAt"),
        **pick(extracted, "legalName", "addresses", "registrations"),
        "people": [pick(person, "name", "roles") for person in extracted["people"][:MAX_PEOPLE]],
        "foundOn": sorted({item["page"] for item in extracted["evidence"]}),
        "comparedWithMatchId": comparison["matchId"] if comparison is not None else None,
        "comparison": [pick(field, "field", "status", "score", "reason") for field in comparison["fields"]]
        if comparison is not None
        else None,
    }


def summarize_verification(verification: Wire) -> dict[str, Any]:
    """The outcome of a verification: each compared field with the claim and the register's value."""
    meta, results, registry = verification["meta"], verification["results"], verification["registryData"]
    return {
        **pick(meta, "verificationId", "verifiedAt"),
        **pick(results, "status", "discrepancyCount", "notProvidedCount", "analystSummary", "fields"),
        "people": [
            pick(person, "name", "provided", "role", "status", "score", "reason") for person in results["people"][:MAX_PEOPLE]
        ],
        "acceptedDiscrepancies": verification.get("acceptedDiscrepancies"),
        "registry": summarize_report(registry) if registry is not None else None,
        "sanctions": summarize_screening(verification["sanctions"]) if "sanctions" in verification else None,
    }


def summarize_report(report: Wire) -> dict[str, Any]:
    """A register's report without its raw responses and files."""
    return {
        **pick(report, "reportId", "jurisdiction", "registrationNumber", "legalName", "alternateNames", "registrationNumbers"),
        **pick(report, "entityType", "status", "statusCode", "incorporationDate", "homeJurisdiction", "homeNumber", "addresses"),
        "people": [pick(person, "name", "roles") for person in report["people"][:MAX_PEOPLE]],
        "details": report["businessReport"]["details"],
        **pick(report, "source", "sourceUrl", "route", "asOf", "retrievedAt", "notes"),
        "pdfUrl": report["businessReport"]["reportUrl"],
    }


def summarize_source(source: Wire) -> dict[str, Any]:
    """A source of the coverage without licence and terms."""
    return pick(source, "source", "kind", "jurisdiction", "title", "status", "routes", "asOf", "entries", "gaps", "note", "page")


def summarize_event(event: Wire) -> dict[str, Any]:
    """An event without its links."""
    return {name: value for name, value in event.items() if name != "links"}
