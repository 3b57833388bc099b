"""Jurisdictions and countries of the Beneficial Ownership Data Standard: ISO 3166 codes with names.

An ownership party has a code of this API in Canada and an ISO 3166 code elsewhere. Five codes of provinces are alpha-2 codes of
countries too (`NL`, `NU`, `PE`, `SK`, `YT`): a business of such a country has the alpha-3 code.
"""

import re

from bonafide.matching.text.countries import get_alpha3_code, get_country_name, parse_country_code
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.services.ownership.formats.bods_statements import BodsPlace

_CANADA = "CA"
_ALPHA3 = re.compile(r"[A-Z]{3}")
_SUBDIVISION = re.compile(r"([A-Z]{2})-[A-Z0-9]{1,3}")
_CODES = frozenset(Jurisdiction)


def to_bods_jurisdiction(text: str) -> BodsPlace:
    """The jurisdiction of a party. A text that is not a code becomes a name without a code."""
    if text == Jurisdiction.FED:
        return BodsPlace(name="Canada", code=_CANADA)
    if text in _CODES:
        return BodsPlace(name=f"{Jurisdiction(text).label}, Canada", code=f"{_CANADA}-{text}")
    subdivision = _SUBDIVISION.fullmatch(text)
    country = get_country_name(subdivision[1]) if subdivision is not None else None
    if country is not None:
        return BodsPlace(name=country, code=text)
    alpha2 = parse_country_code(text) if _ALPHA3.fullmatch(text) is not None else text
    return to_bods_country(alpha2 if alpha2 is not None else text)


def from_bods_jurisdiction(place: BodsPlace) -> str:
    """The jurisdiction of a party: a code of this API in Canada, else the code that BODS states, else the name."""
    code = place.code
    if code is None:
        return place.name
    country, _, subdivision = code.partition("-")
    if country == _CANADA:
        return subdivision if subdivision in _CODES else Jurisdiction.FED.value if not subdivision else code
    return (get_alpha3_code(code) or code) if code in _CODES else code


def to_bods_country(text: str) -> BodsPlace:
    """A country: with its code if the text is an alpha-2 code."""
    name = get_country_name(text)
    return BodsPlace(name=name, code=text) if name is not None else BodsPlace(name=text)


def from_bods_country(place: BodsPlace) -> str:
    """The alpha-2 code of a country, or its name."""
    return place.code if place.code is not None else place.name
