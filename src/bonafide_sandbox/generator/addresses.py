"""Generate addresses: cities and postal code prefixes are real, streets and street numbers are random.

Any match with an existing address is a coincidence. A business's province depends only on its register.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import OfficeAddress
from bonafide_sandbox.generator.data_tables import WordArray, read_table, to_word_array
from bonafide_sandbox.generator.registers import REGISTERS
from bonafide_sandbox.generator.seeded_random import BoolArray, IntArray, SeededRandom
from bonafide_sandbox.generator.weighted_choice import CumulativeWeights

POSTAL_LETTERS = "ABCEGHJKLMNPRSTVWXYZ"
"""Canada Post does not use D, F, I, O, Q or U."""
UNIT_SHARE = 0.27
SUITES = 40
MAX_STREET_NUMBER = 9_400

_TABLE = read_table("places")
_CITIES: dict[str, dict[str, tuple[int, str]]] = _TABLE["cities"]
PROVINCES = tuple(_CITIES)
_PROVINCE_CODES = to_word_array(PROVINCES)
_CITY_WEIGHTS = CumulativeWeights.of([weight for weight, _ in cities.values()] for cities in _CITIES.values())
_CITY_NAMES = to_word_array([name for cities in _CITIES.values() for name in cities])
_CITY_AREAS = [areas.split() for cities in _CITIES.values() for _, areas in cities.values()]
_AREA_COUNTS = np.array([len(areas) for areas in _CITY_AREAS])
_FIRST_AREAS = np.cumsum(_AREA_COUNTS) - _AREA_COUNTS
_AREAS = to_word_array([area for areas in _CITY_AREAS for area in areas])
_LOCAL_UNITS = to_word_array(
    [f" {first}{letter}{last}" for first, letter, last in product(range(1, 10), POSTAL_LETTERS, range(1, 10))]
)

_ENGLISH_STREETS = to_word_array(_TABLE["streets"]["english"])
_ENGLISH_TYPES = to_word_array(_TABLE["streets"]["english_types"])
_FRENCH_STREETS = to_word_array(_TABLE["streets"]["french"])
_FRENCH_TYPES = to_word_array(_TABLE["streets"]["french_types"])

# Offices of federal corporations are spread over these provinces. All other registers use their own province.
_FEDERAL_OFFICES = CumulativeWeights.of([[{"ON": 46, "QC": 24, "BC": 13, "AB": 10}.get(province, 0.8) for province in PROVINCES]])
_HOME = np.array(
    [PROVINCES.index(register.jurisdiction) if register.jurisdiction in PROVINCES else -1 for register in REGISTERS], dtype=np.int64
)


@dataclass(frozen=True, slots=True)
class CityColumns:
    """For each row, its city as an index into the list of all cities, and its province."""

    cities: IntArray
    provinces: IntArray

    @property
    def city_names(self) -> WordArray:
        """Return the city names."""
        names: WordArray = _CITY_NAMES[self.cities]
        return names


def draw_cities(draws: SeededRandom, registers: IntArray) -> CityColumns:
    """Choose a province and a city for each business from its register's number."""
    federal = _FEDERAL_OFFICES.pick(0, draws.unit("federal office"))
    provinces = np.where(_HOME[registers] < 0, federal, _HOME[registers])
    return CityColumns(_CITY_WEIGHTS.pick(provinces, draws.unit("city")), provinces)


def draw_addresses(draws: SeededRandom, places: CityColumns) -> list[OfficeAddress]:
    """Generate a street address in each city."""
    doors = 1 + draws.zipf("door", MAX_STREET_NUMBER, 300)
    areas = _FIRST_AREAS[places.cities] + draws.below("postal area", _AREA_COUNTS[places.cities])
    postal_codes = _AREAS[areas] + _LOCAL_UNITS[draws.below("postal unit", len(_LOCAL_UNITS))]
    streets = _streets(draws, places.provinces == PROVINCES.index(Jurisdiction.QC))
    columns = zip(
        _units(draws),
        doors.astype(str).tolist(),
        streets.tolist(),
        places.city_names.tolist(),
        _PROVINCE_CODES[places.provinces].tolist(),
        postal_codes.tolist(),
        strict=True,
    )
    return [OfficeAddress(*row) for row in columns]


def _streets(draws: SeededRandom, french: BoolArray) -> WordArray:
    english = _ENGLISH_STREETS[draws.zipf("street", len(_ENGLISH_STREETS), 12)]
    english_types = _ENGLISH_TYPES[draws.below("street type", len(_ENGLISH_TYPES))]
    rue = _FRENCH_STREETS[draws.zipf("street", len(_FRENCH_STREETS), 12)]
    rue_types = _FRENCH_TYPES[draws.below("street type", len(_FRENCH_TYPES))]
    streets: WordArray = np.where(french, rue_types + " " + rue, english + " " + english_types)
    return streets


def _units(draws: SeededRandom) -> list[str | None]:
    suites = (1 + draws.zipf("suite", SUITES, 6)) * np.where(draws.chance("storey", 0.5), 100, 1)
    present = draws.chance("unit", UNIT_SHARE)
    return [str(suite) if shown else None for suite, shown in zip(suites.tolist(), present.tolist(), strict=True)]
