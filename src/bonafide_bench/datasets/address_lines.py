"""Real Canadian addresses in one line, as people write them, with the fields that a parser should find.

The fields of a row are joined in one of several orders, and some lines are disturbed: a mistyped postal code, the name of a
building before the street number, a unit's word without its number, other spellings of the street's type. The order and the
disturbance are drawn from a hash of the address, so that the lines are the same in each run. Parts are split by source, not by
chance: the parser may be developed on `train`, `test` is what is reported, and `control` shows whether the figure holds for other
sources.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from bonafide_bench.datasets.address_rows import ADDRESS_SOURCES, PROVINCES, AddressFields, digest_address, join_parts

LINES_PER_SOURCE = 700


class DatasetPart(StrEnum):
    """What the addresses of a source are used for."""

    TRAIN = "train"
    TEST = "test"
    CONTROL = "control"


PARTS: Mapping[str, DatasetPart] = {
    "agcoCannabis": DatasetPart.TRAIN,
    "aglcCannabis": DatasetPart.TRAIN,
    "on": DatasetPart.TEST,
    "vancouverBusinessLicences": DatasetPart.TEST,
    "mohServiceProviders": DatasetPart.CONTROL,
    "craCharities": DatasetPart.CONTROL,
}


@dataclass(frozen=True, slots=True)
class AddressLine:
    """A line, the right fields, and how the line was made. A field that is not among the right ones is not known."""

    source: str
    part: DatasetPart
    province: str
    form: str
    disturbance: str
    text: str
    fields: Mapping[str, str | None]


def build_address_lines(data: Path, per_source: int = LINES_PER_SOURCE) -> list[AddressLine]:
    """The lines of every source whose file is in the folder, at most `per_source` of each."""
    lines = []
    for source, read in ADDRESS_SOURCES.items():
        try:
            drawn = _draw(read(data), per_source)
        except FileNotFoundError:
            continue
        lines += [_build_line(source, place) for place in drawn]
    return lines


def _draw(places: Iterable[AddressFields], count: int) -> list[AddressFields]:
    """At most so many different addresses of a source; up to half of them with a known unit."""
    distinct = {digest_address(place): place for place in places}
    order = sorted(distinct)
    units = [digest for digest in order if distinct[digest].parts.get("unit") is not None][: count // 2]
    chosen = set(units)
    return [distinct[digest] for digest in (units + [digest for digest in order if digest not in chosen])[:count]]


def _build_line(source: str, place: AddressFields) -> AddressLine:
    digest = digest_address(place)
    form, disturbance = list(_FORMS)[digest[1] % len(_FORMS)], list(_DISTURBANCES)[digest[2] % len(_DISTURBANCES)]
    written = _DISTURBANCES[disturbance](place, digest[3])
    if written is None:
        disturbance, written = "none", place
    text, country = _FORMS[form](written)
    fields = {**written.parts, "line": written.line, "city": place.city, "province": place.province}
    # An invalid postal code is returned as it was written.
    fields |= {"postalCode": written.postal_code, "country": country}
    return AddressLine(source, PARTS[source], place.province, form, disturbance, text, fields)


# ------------------------------------------------------------------------------------------------------------------------ orders


def _name_province(place: AddressFields) -> tuple[str, str]:
    return PROVINCES.get(place.province, (place.province, place.province))


_FORMS: dict[str, Callable[[AddressFields], tuple[str, str | None]]] = {
    "commas": lambda it: (join_parts(it.line, it.city, it.province, it.postal_code), None),
    "canada": lambda it: (join_parts(it.line, it.city, join_parts(it.province, it.postal_code, by=" "), "Canada"), "Canada"),
    "post": lambda it: (join_parts(it.line, join_parts(it.city, it.province, it.postal_code, by="  ")), None),
    "name": lambda it: (join_parts(it.line, it.city, _name_province(it)[0], it.postal_code, "CA"), "CA"),
    "french": lambda it: (join_parts(it.line, join_parts(it.city, f"({_name_province(it)[1]})", it.postal_code, by=" ")), None),
    "lines": lambda it: (
        join_parts(it.line, join_parts(it.city, it.province), it.postal_code, "CANADA", by="\n"),
        "CANADA",
    ),
    "compact": lambda it: (
        join_parts(it.line, it.city, it.province, (it.postal_code or "").replace(" ", "").lower()).lower(),
        None,
    ),
    "spaces": lambda it: (join_parts(it.line, it.city, it.province, it.postal_code, by=" "), None),
    "code first": lambda it: (join_parts(it.line, join_parts(it.postal_code, it.city, by=" "), it.province), None),
    "capitals": lambda it: (join_parts(it.line, it.city, it.province, it.postal_code, by=" ").upper(), None),
}
"""How the town is joined to the street line, and the country that the line names."""

# ------------------------------------------------------------------------------------------------------------------ disturbances

_LOOK_ALIKES = {"0": "O", "1": "I", "2": "Z", "5": "S", "6": "G", "8": "B", "B": "8", "G": "6", "S": "5", "Z": "2"}
_SPELLINGS = {
    "street": "St", "st": "Street", "avenue": "Ave", "ave": "Avenue", "road": "Rd", "rd": "Road", "drive": "Dr", "dr": "Drive",
    "boulevard": "Blvd", "blvd": "Boulevard", "crescent": "Cres", "cres": "Crescent",
}  # fmt: skip
_UNIT_WORDS = ("SUITE", "Unit", "apt", "bureau")
_PLACES = ("centre", "center", "building", "plaza", "place", "mall", "tower", "hospital", "clinic", "pharmacy", "village", "manor")

_Disturbance = Callable[[AddressFields, int], AddressFields | None]
"""Changes an address by a number from 0 to 255; None if it cannot be changed in this way."""


def _mistype_code(place: AddressFields, chance: int) -> AddressFields | None:
    """A letter in place of a digit that it looks like, or the reverse."""
    code = place.postal_code or ""
    places = [at for at, character in enumerate(code) if character.upper() in _LOOK_ALIKES]
    if not places:
        return None
    at = places[chance % len(places)]
    return replace(place, postal_code=code[:at] + _LOOK_ALIKES[code[at].upper()] + code[at + 1 :])


def _cut_code(place: AddressFields, chance: int) -> AddressFields | None:
    """One character of the postal code is missing."""
    code = place.postal_code or ""
    places = [at for at, character in enumerate(code) if character.isalnum()]
    if not places:
        return None
    at = places[chance % len(places)]
    return replace(place, postal_code=code[:at] + code[at + 1 :])


def _name_building(place: AddressFields, _chance: int) -> AddressFields | None:
    """The name of the building before the street number."""
    words = (place.occupant or "").lower().replace(",", " ").split()
    if not place.line[:1].isdigit() or not words or words[-1] not in _PLACES or any(map(str.isdigit, place.occupant or "")):
        return None
    return replace(place, line=f"{place.occupant}, {place.line}")


def _add_unit_word(place: AddressFields, chance: int) -> AddressFields | None:
    """A word for a unit without a number."""
    if "unit" not in place.parts or place.parts["unit"] is not None:
        return None
    word = _UNIT_WORDS[chance % len(_UNIT_WORDS)]
    return replace(place, line=f"{place.line}{', ' if chance & 64 else ' '}{word}")


def _respell_type(place: AddressFields, _chance: int) -> AddressFields | None:
    """The street's type written out, or abbreviated."""
    street = place.parts.get("street")
    words = (street or "").split()
    at = next((at for at in range(len(words) - 1, 0, -1) if words[at].lower() in _SPELLINGS), None)
    if street is None or at is None or place.line.count(street) != 1:
        return None
    respelt = " ".join([*words[:at], _SPELLINGS[words[at].lower()], *words[at + 1 :]])
    return replace(place, line=place.line.replace(street, respelt), parts={**place.parts, "street": respelt})


_DISTURBANCES: dict[str, _Disturbance] = {
    "none": lambda place, _chance: place,
    "code mistyped": _mistype_code,
    "code cut": _cut_code,
    "building named": _name_building,
    "unit word": _add_unit_word,
    "type respelt": _respell_type,
}
"""What is changed before the fields are joined; an address that cannot be changed in this way stays as it is."""
