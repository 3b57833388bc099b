"""The documents of the reconciliation service, as Reconciliation Service API 0.2 defines them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from bonafide.api.reconciliation.requests import BATCH_SIZE, MAX_VALUES, ExtensionQuery
from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.result import Candidate
from bonafide.services.lookup.registration_lookup import RegistrationResult
from bonafide.services.reconciliation.candidates import CandidateResult, RegistrationCandidate
from bonafide.services.reconciliation.entity_properties import EVIDENCE, PROPERTIES, PROPERTIES_BY_ID, EntityProperty
from bonafide.services.reconciliation.entity_types import ALL_TYPES, REGISTRATION, EntityTypeOption, list_entity_types
from bonafide.services.reconciliation.registrations import RegistrationId

VERSIONS = ("0.2",)
IDENTIFIER_SPACE = "urn:bonafide:registration:"
"""The prefix of the identifiers, the same in every installation."""
SCHEMA_SPACE = "http://www.w3.org/ns/regorg#RegisteredOrganization"
PREVIEW_WIDTH, PREVIEW_HEIGHT = 430, 300
"""The size of a preview in pixels."""
MAX_SCORE = 100
"""The highest score: the tools that use the protocol expect percent."""
_API_KEY = {"type": "apiKey", "name": "X-API-Key", "in": "header"}


def build_manifest(
    address: str, documentation: str, jurisdictions: Sequence[Jurisdiction], language: Language, *, is_key_in_path: bool
) -> dict[str, Any]:
    """The manifest of the service at an address. Its name has the jurisdictions whose registers are loaded."""
    codes = ", ".join(one.value for one in jurisdictions)
    name = Message("Canadian business registers ({jurisdictions})", jurisdictions=codes) if codes else _NO_REGISTERS
    entity = {"url": f"{address}/preview?id={{{{id}}}}"}
    return {
        "versions": list(VERSIONS),
        "name": translate(name, language),
        "identifierSpace": IDENTIFIER_SPACE,
        "schemaSpace": SCHEMA_SPACE,
        "documentation": documentation,
        "defaultTypes": [_write_type(REGISTRATION, language)],
        "view": entity,
        "preview": {**entity, "width": PREVIEW_WIDTH, "height": PREVIEW_HEIGHT},
        "suggest": {kind: {"service_url": address, "service_path": f"/suggest/{kind}"} for kind in ("entity", "property", "type")},
        "extend": {"propose_properties": {"service_url": address, "service_path": "/properties"}, "property_settings": []},
        "batchSize": BATCH_SIZE,
        **({} if is_key_in_path else {"authentication": _API_KEY}),
    }


_NO_REGISTERS = Message("Canadian business registers (none is loaded)")


def write_result(result: CandidateResult, warnings: Sequence[Message], language: Language) -> dict[str, Any]:
    """The result of a query. `notSearched` and `warnings` are additions to the protocol, which its clients ignore."""
    # A row that was understood only in part is for a person to look at.
    candidates = [_write_candidate(one, language, may_match=not warnings) for one in result.candidates]
    missing = [{"jurisdiction": one.value, "reason": translate(reason, language)} for one, reason in result.not_searched.items()]
    return {
        "result": candidates,
        **({"notSearched": missing} if missing else {}),
        **({"warnings": [translate(one, language) for one in warnings]} if warnings else {}),
    }


def _write_candidate(candidate: RegistrationCandidate, language: Language, *, may_match: bool) -> dict[str, Any]:
    return {
        "id": str(candidate.id),
        "name": candidate.name,
        "description": describe(candidate.id, candidate.status, candidate.city, language),
        "score": _to_percent(candidate.score),
        "match": candidate.is_match and may_match,
        "type": [_write_type(option, language, is_brief=True) for option in list_entity_types(candidate.type_code)],
        "features": [{"id": name, "value": _to_percent(score)} for name, score in candidate.field_scores.items()],
    }


def _to_percent(score: float) -> float:
    return round(score * MAX_SCORE, 2)


def describe(identifier: RegistrationId, status: str | None, city: str | None, language: Language) -> str:
    """A line that distinguishes businesses of one name: jurisdiction, number, status and city."""
    label = translate(Message(identifier.jurisdiction.label), language)
    return " · ".join(part for part in (label, identifier.number, status, city) if part)


def write_types(prefix: str, language: Language) -> dict[str, Any]:
    """The types whose name or ID contains what has been typed."""
    return {"result": [_write_type(option, language) for option in ALL_TYPES if _fits(prefix, option.id, option.name, language)]}


def _write_type(option: EntityTypeOption, language: Language, *, is_brief: bool = False) -> dict[str, Any]:
    own: dict[str, Any] = {"id": str(option.id), "name": translate(option.name, language)}
    return own if is_brief or option == REGISTRATION else {**own, "broader": [_write_type(REGISTRATION, language)]}


def write_properties(prefix: str, language: Language) -> dict[str, Any]:
    """The properties of queries whose name or ID contains what has been typed."""
    return {"result": [_write_property(one, language) for one in EVIDENCE if _fits(prefix, one.id, one.name, language)]}


def write_proposals(type_id: str, limit: int | None, language: Language) -> dict[str, Any]:
    """The properties that a table can be extended with."""
    return {
        "type": type_id,
        "properties": [_write_property(one, language) for one in PROPERTIES[:limit]],
        **({"limit": limit} if limit is not None else {}),
    }


def _write_property(one: EntityProperty, language: Language) -> dict[str, str]:
    return {"id": one.id, "name": translate(one.name, language)}


def _fits(prefix: str, identifier: str, name: Message, language: Language) -> bool:
    typed = prefix.casefold()
    return typed in identifier.casefold() or typed in translate(name, language).casefold()


def write_suggestions(candidates: Iterable[Candidate], language: Language) -> dict[str, Any]:
    """Entities that a typed name may mean. Those without a number have no identifier."""
    found = []
    for one in candidates:
        if one.registration_number is not None:
            identifier = RegistrationId(one.jurisdiction, one.registration_number)
            suggestion = {
                "id": str(identifier),
                "name": one.name,
                "description": describe(identifier, one.status, one.city, language),
                "notable": [_write_type(REGISTRATION, language)],
            }
            found.append(suggestion)
    return {"result": found}


def write_values(
    query: ExtensionQuery, registrations: Mapping[str, RegistrationResult | None], language: Language
) -> dict[str, Any]:
    """The values of the properties for each ID. An unknown ID has none."""
    chosen = [PROPERTIES_BY_ID[one.id] for one in query.properties]
    rows = {
        identifier: {
            one.id: [_write_value(value) for value in one.list_values(found)[:MAX_VALUES]] if found is not None else []
            for one in chosen
        }
        for identifier, found in registrations.items()
    }
    return {"meta": [_write_property(one, language) for one in chosen], "rows": rows}


def _write_value(value: str | date) -> dict[str, str]:
    return {"date": f"{value.isoformat()}T00:00:00Z"} if isinstance(value, date) else {"str": value}
