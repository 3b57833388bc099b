"""Find breaking changes between two JSON schemas, depending on who writes the document.

Schemas are compared as they resolve, whatever their components are called. Only what this API's description uses is understood:
types, enumerations, limits, fields, lists, maps, alternatives. Descriptions and defaults are for people and are not compared.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, NamedTuple

Json = dict[str, Any]
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_EXACT = ("const", "pattern", "format", "contentEncoding")
_ANY = "any value"


class MessageDirection(Enum):
    """Who writes a document: the client a request, the service an answer."""

    REQUEST = auto()
    ANSWER = auto()


class DescriptionPair(NamedTuple):
    """The two descriptions, in which references lead somewhere."""

    old: Json
    new: Json


@dataclass(frozen=True, slots=True)
class BreakingChange:
    """One break: `where` (`POST /v1/search 200 meta.status`), and `what` happened to it."""

    where: str
    what: str

    def __str__(self) -> str:
        """As the changelog quotes it."""
        return f"`{self.where}`: {self.what}"


@dataclass(frozen=True, slots=True)
class SchemaLocation:
    """A body, parameter or answer, and the path of a field in it."""

    base: str
    path: str = ""

    def field(self, name: str) -> "SchemaLocation":
        """A field of what is here; `*` for any field of a map, `[]` for the items of a list."""
        if self.path == "" or name == "[]":
            return replace(self, path=f"{self.path}{name}")
        return replace(self, path=f"{self.path}.{name}")

    def breaking(self, what: str) -> BreakingChange:
        """What has broken here."""
        return BreakingChange(self.base if self.path == "" else f"{self.base} {self.path}", what)


class SchemaComparator:
    """Compares schemas of one side. A pair of components is compared once, so that recursive ones end and nothing is told twice."""

    def __init__(self, side: MessageDirection, documents: DescriptionPair, fits: dict[tuple[str, str], bool] | None = None) -> None:
        self._side = side
        self._is_request = side is MessageDirection.REQUEST
        self._documents = documents
        self._fits = fits if fits is not None else {}
        """Whether the pairs of components that were compared have no breaks."""

    def compare(self, place: SchemaLocation, old: Json, new: Json) -> Iterator[BreakingChange]:
        """The breaks between two schemas at one place that have not been told before."""
        pair = old.get("$ref", ""), new.get("$ref", "")
        if pair in self._fits:
            return
        if "" not in pair:
            self._fits[pair] = True
        for breaking in self._compare_resolved(
            place, resolve_reference(old, self._documents.old), resolve_reference(new, self._documents.new)
        ):
            if "" not in pair:
                self._fits[pair] = False
            yield breaking

    def _compare_resolved(self, place: SchemaLocation, old: Json, new: Json) -> Iterator[BreakingChange]:
        before, after = _list_alternatives(old), _list_alternatives(new)
        if len(before) > 1 or len(after) > 1:
            yield from self._compare_choices(place, before, after)
        elif before[0] is old and after[0] is new:
            yield from self._compare_one(place, old, new)
        else:
            yield from self.compare(place, before[0], after[0])

    def _compare_choices(self, place: SchemaLocation, old: list[Json], new: list[Json]) -> Iterator[BreakingChange]:
        """Each alternative of whoever writes must fit one of whoever reads; of several that don't, the nearest is told of."""
        for written in old if self._is_request else new:
            pairs = [(written, read) if self._is_request else (read, written) for read in (new if self._is_request else old)]
            tries = [self._try_alternative(place, *pair) for pair in pairs if self._is_same_kind(*pair)]
            best = min(tries, key=lambda one: (not one.fits, len(one.found)), default=None)
            if best is None:
                kind = _describe_type(resolve_reference(written, self._documents.old if self._is_request else self._documents.new))
                yield place.breaking(f"{kind} is no longer accepted" if self._is_request else f"may now be {kind}")
            else:
                self._fits.update(best.known)
                yield from best.found

    def _try_alternative(self, place: SchemaLocation, old: Json, new: Json) -> "_ComparedAlternative":
        """What a comparison would say; only the best one is remembered."""
        known = self._fits.get((old.get("$ref", ""), new.get("$ref", "")))
        scratch = SchemaComparator(self._side, self._documents, dict(self._fits))
        found = list(scratch.compare(place, old, new))
        return _ComparedAlternative(known if known is not None else not found, found, scratch._fits)

    def _is_same_kind(self, old: Json, new: Json) -> bool:
        return _describe_type(resolve_reference(old, self._documents.old)) == _describe_type(
            resolve_reference(new, self._documents.new)
        )

    def _compare_one(self, place: SchemaLocation, old: Json, new: Json) -> Iterator[BreakingChange]:
        before, after = _list_types(old), _list_types(new)
        written, read = (before, after) if self._is_request else (after, before)
        if not (written <= read or read == {_ANY}):
            yield place.breaking(f"was {' or '.join(sorted(before))} and is {' or '.join(sorted(after))}")
            return
        yield from self._compare_values(place, old, new)
        yield from self._compare_limits(place, old, new)
        if "items" in old or "items" in new:
            yield from self.compare(place.field("[]"), old.get("items", {}), new.get("items", {}))
        yield from self._compare_fields(place, old, new)
        yield from self._compare_other_fields(place, old, new)

    def _compare_values(self, place: SchemaLocation, old: Json, new: Json) -> Iterator[BreakingChange]:
        """A request may not lose a value, an answer may not get one that clients don't know."""
        before, after = old.get("enum"), new.get("enum")
        if self._is_request and after is not None:
            gone = [value for value in before if value not in after] if before is not None else ["any other value"]
            yield from (place.breaking(f"{value} is no longer accepted") for value in gone)
        if not self._is_request and before is not None:
            added = [value for value in after if value not in before] if after is not None else [_ANY]
            yield from (place.breaking(f"may now be {value}") for value in added)
        for key in _EXACT:
            # What confines a value must stay for those who read it, and may not come for those who write it.
            confines = new.get(key) if self._is_request else old.get(key)
            if confines is not None and old.get(key) != new.get(key):
                yield place.breaking(f"{key} was {old.get(key, 'none')} and is {new.get(key, 'none')}")

    def _compare_limits(self, place: SchemaLocation, old: Json, new: Json) -> Iterator[BreakingChange]:
        """Those of a request may not become tighter, those of an answer not wider."""
        confining, confined = (new, old) if self._is_request else (old, new)
        for key in (*_UPPER, *_LOWER):
            limit, value = confining.get(key), confined.get(key)
            if limit is not None and (value is None or (value > limit if key in _UPPER else value < limit)):
                yield place.breaking(f"{key} was {old.get(key, 'none')} and is {new.get(key, 'none')}")

    def _compare_fields(self, place: SchemaLocation, old: Json, new: Json) -> Iterator[BreakingChange]:
        before, after = old.get("properties", {}), new.get("properties", {})
        for name, schema in before.items():
            if name in after:
                yield from self.compare(place.field(name), schema, after[name])
            elif not self._is_request or new.get("additionalProperties") is False:
                yield place.field(name).breaking("the field is removed")
        required, required_now = set(old.get("required", [])), set(new.get("required", []))
        if self._is_request:
            yield from (place.field(name).breaking("the field is now required") for name in sorted(required_now - required))
        else:
            gone = (required - required_now) & set(after)
            yield from (place.field(name).breaking("the field may now be missing") for name in sorted(gone))

    def _compare_other_fields(self, place: SchemaLocation, old: Json, new: Json) -> Iterator[BreakingChange]:
        """Fields that are not named: a request that could have any may not be confined; maps keep the kind of their values."""
        before, after = old.get("additionalProperties", True), new.get("additionalProperties", True)
        if self._is_request and after is False and before is not False:
            yield place.breaking("fields that are not named are no longer accepted")
        if isinstance(before, dict) and isinstance(after, dict):
            yield from self.compare(place.field("*"), before, after)
        elif not self._is_request and isinstance(before, dict):
            yield place.field("*").breaking("may now be any value")


class _ComparedAlternative(NamedTuple):
    """One alternative held against another."""

    fits: bool
    found: list[BreakingChange]
    known: dict[tuple[str, str], bool]


def resolve_reference(value: Json, document: Json) -> Json:
    """What a reference leads to; the value itself where it is none."""
    while "$ref" in value:
        place: Any = document
        for part in value["$ref"].removeprefix("#/").split("/"):
            place = place[part]
        value = place
    return value


def _list_alternatives(schema: Json) -> list[Json]:
    """The alternatives of a schema, or itself. Beside the fields of an object they are a rule that is told in words only."""
    for key in ("anyOf", "oneOf"):
        if key in schema and "properties" not in schema:
            return list(schema[key])
    return [schema]


def _list_types(schema: Json) -> set[str]:
    """The types that a value may have."""
    named = schema.get("type", _ANY)
    types = set(named) if isinstance(named, list) else {str(named)}
    return types | {"integer"} if "number" in types else types


def _describe_type(schema: Json) -> str:
    return " or ".join(sorted(_list_types(schema)))
