"""The documents of the indexes: what is stored and searched of an entry.

The process that reads the files of a load imports this module, so it needs little else.
"""

from functools import cache

from bonafide.index import Facets, IndexDocument
from bonafide.model.entity import Address, StatusCode
from bonafide.model.entry import AnyEntry, EntityKind, ListedEntity, RegistryEntry, RelationshipEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.serialized_entry import SerializedEntry

_ACTIVE = frozenset({StatusCode.ACTIVE, StatusCode.PENDING_DISSOLUTION})


def build_index_document(entry: AnyEntry) -> IndexDocument:
    """The document of an entry."""
    names = tuple(entry.list_search_names())
    is_person = isinstance(entry, ListedEntity) and entry.entity_type is EntityKind.PERSON
    return IndexDocument(
        key=entry.entry_id,
        payload=entry.model_dump_json(exclude_defaults=True).encode(),
        names=() if is_person else names,
        people=names if is_person else (),
        addresses=() if isinstance(entry, (ListedEntity, RelationshipEntry)) else tuple(map(format_address_line, entry.addresses)),
        numbers=tuple(entry.list_search_numbers()),
        active=is_active(entry),
        facets=_build_facets(entry),
    )


def build_serialized_document(entry: SerializedEntry) -> IndexDocument:
    """The same document, of a serialized entry."""
    return IndexDocument(
        key=entry.entry_id,
        payload=entry.document.encode(),
        names=entry.names,
        addresses=entry.addresses,
        numbers=entry.numbers,
        active=entry.status_code in _ACTIVE,
        facets=_build_registry_facets(entry.jurisdiction, entry.status_code),
    )


def is_active(entry: AnyEntry) -> bool:
    """Whether an entry comes first among equals; listed parties count as active."""
    return isinstance(entry, ListedEntity) or entry.status_code in _ACTIVE


def format_address_line(address: Address) -> str:
    """An address in one line, from its parts if it has any."""
    parts = (address.street, address.city, address.province, address.postal_code)
    return ", ".join(part for part in parts if part is not None) or address.raw or ""


def _build_facets(entry: AnyEntry) -> Facets:
    if isinstance(entry, ListedEntity):
        return Facets(kind=entry.entity_type)
    if isinstance(entry, RegistryEntry):
        return _build_registry_facets(entry.jurisdiction, entry.status_code)
    return Facets(status=entry.status_code)


@cache
def _build_registry_facets(jurisdiction: Jurisdiction, status: StatusCode) -> Facets:
    return Facets(jurisdiction=jurisdiction, status=status)
