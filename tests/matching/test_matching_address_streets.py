"""Street lines taken apart, in English and French."""

from dataclasses import asdict

import pytest

from bonafide.matching.addresses.street_parsing import parse_street


def parts(line: str) -> dict[str, object]:
    """The parts that the line has."""
    street = asdict(parse_street(line))
    return {name: value for name, value in street.items() if value not in {None, ()} and name != "spelled"}


@pytest.mark.parametrize(
    ("line", "number", "name", "kind", "direction"),
    [
        ("123 Main St. W.", "123", "main", "street", "west"),
        ("123, rue Principale Ouest", "123", "principale", "street", "west"),
        ("1155 boul. René-Lévesque O", "1155", "rene levesque", "boulevard", "west"),
        ("12 chemin d'Orlov", "12", "orlov", "road", None),
        ("12 avenue du Parc", "12", "parc", "avenue", None),
        ("5 Place Ville Marie", "5", "ville marie", "place", None),
        ("1234, montée Masson", "1234", "masson", "rise", None),
        ("220, rang 4 Est", "220", "4", "range", "east"),
        ("1000 de la Gauchetière Ouest", "1000", "gauchetiere", None, "west"),
        ("55 rue Ste-Catherine E", "55", "sainte catherine", "street", "east"),
        ("12 St. George's Rd W", "12", "saint georges", "road", "west"),
        ("E Georgia St", None, "georgia", "street", "east"),
        ("830 SW Marine Drive", "830", "marine", "drive", "southwest"),
        ("151 North Service Road East", "151", "north service", "road", "east"),
        ("1091 Knottwood Road East NW", "1091", "knottwood east", "road", "northwest"),
        ("12 Orlov Rd N.W.", "12", "orlov", "road", "northwest"),
        ("12 rue Orlov Nord-Ouest", "12", "orlov", "street", "northwest"),
        ("30 The Queensway", "30", "queensway", None, None),
        ("1245 Avenue Road", "1245", "avenue", "road", None),
        ("16th Avenue", None, "16", "avenue", None),
        ("45 8e Avenue", "45", "8", "avenue", None),
        ("225 Fifth Avenue", "225", "5", "avenue", None),
        ("4e Rang", None, "4", "range", None),
        ("123 10 Ave SW", "123", "10", "avenue", "southwest"),
        ("12011 - 111 Avenue NW", "12011", "111", "avenue", "northwest"),
        ("107 Street NW", None, "107", "street", "northwest"),
        ("46 St, Box 1018", None, "46", "street", None),
        ("178 St George Street", "178", "saint george", "street", None),
        ("100 - 5th Avenue", "100", "5", "avenue", None),
        ("1507-9th Avenue East", "1507", "9", "avenue", "east"),
        ("8300 No. 3 Road", "8300", "3", "road", None),
        ("1234 Highway #7 East", "1234", "7", "highway", "east"),
        ("71 17 HWY W", "71", "17", "highway", "west"),
        ("2725 County Road 20", "2725", "county 20", "road", None),
        ("2547 County Road No 29", "2547", "county 29", "road", None),
        ("306234 Twp Road 380", "306234", "township 380", "road", None),
        ("2465 Concession 6", "2465", "6", "concession", None),
        ("271 2nd Line E", "271", "2", "line", "east"),
        ("45 Route 132", "45", "132", "highway", None),
        ("123A Main St", "123a", "main", "street", None),
        ("123 A Main St", "123a", "main", "street", None),
        ("123 B Street", "123", "b", "street", None),
        ("123 1/2 Main St", "123 1/2", "main", "street", None),
        ("123½ Main St", "123 1/2", "main", "street", None),
        ("8392-8398 Highway 11", "8392-8398", "11", "highway", None),
        ("700 & 720 Mount Pleasant Road", "700-720", "mount pleasant", "road", None),
        ("c/o Ann Sample, 12 Orlov Lane", "12", "orlov", "lane", None),
        ("Director of Services 2370 Orlov Road", "2370", "orlov", "road", None),
    ],
)
def test_number_name_type_and_direction(line: str, number: str | None, name: str, kind: str | None, direction: str | None) -> None:
    street = parse_street(line)
    assert (street.number, " ".join(street.name), street.kind, street.direction) == (number, name, kind, direction)
    assert street.unit is None


@pytest.mark.parametrize(
    "line",
    [
        "1-123 rue Principale",
        "1 - 123 rue Principale",
        "1 123 rue Principale",
        "#1, 123 rue Principale",
        "#1 - 123 rue Principale",
        "Unit 1, 123 rue Principale",
        "Unit 1 123 rue Principale",
        "Unit #1-123 rue Principale",
        "1, 123 rue Principale",
        "123, rue Principale, bureau 1",
        "123 rue Principale app. 1",
        "123 rue Principale Apt #1",
        "123 rue Principale Apt1",
        "123 rue Principale, unité 1",
        "123 rue Principale, local 1",
        "123 rue Principale, Suite: 01",
        "123 rue Principale #1",
        "123 rue Principale, 1",
        "123 rue Principale, ste 1",
        "Bay 1, 123 rue Principale",
    ],
)
def test_a_unit_has_many_forms(line: str) -> None:
    assert parts(line) == {"number": "123", "name": ("principale",), "kind": "street", "unit": "1"}


@pytest.mark.parametrize(
    ("line", "unit"),
    [
        ("123 Main St Unit B", "b"),
        ("B-123 Main St", "b"),
        ("unit B 123 Main St", "b"),
        ("Unit D-123 Main St", "d"),
        ("123 Main St Unit A-021B", "a021b"),
        ("123 Main St Unit LG 14", "lg14"),
        ("123 Main St, Units 2 & 3", "2-3"),
        ("123 Main St, Unit 3/4", "3-4"),
        ("123 Main St Unit 3,4,5", "3-4-5"),
        ("24B & 25-123 Main St", "24b-25"),
        ("Suite 101-102, 123 Main St", "101-102"),
        ("123 Main St F108", "f108"),
        ("123 Main St Building C, Unit 3", "3"),
    ],
)
def test_units_of_letters_and_several_numbers(line: str, unit: str) -> None:
    assert parts(line) == {"number": "123", "name": ("main",), "kind": "street", "unit": unit}


@pytest.mark.parametrize(
    ("line", "floor"),
    [
        ("123 Main St, 2nd Floor", "2"),
        ("2e étage, 123 Main St", "2"),
        ("Second floor, 123 Main St", "2"),
        ("123 Main St, Floor 2", "2"),
        ("123 Main St, 3rd Fl.", "3"),
        ("123 Main St, main floor", "main"),
        ("123 Main St, Lower Level", "lower"),
        ("123 Main St, Basement", "basement"),
        ("Sous-sol, 123 Main St", "basement"),
        ("123 Main St, rez-de-chaussée", "ground"),
        ("123 Main St, Upper", "upper"),
    ],
)
def test_floors(line: str, floor: str) -> None:
    assert parts(line) == {"number": "123", "name": ("main",), "kind": "street", "floor": floor}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("P.O. Box 123", {"box": "123"}),
        ("P O Box 123", {"box": "123"}),
        ("Postal Office Box 123", {"box": "123"}),
        ("Box H", {"box": "h"}),
        ("C.P. 45, succ. A", {"box": "45", "station": "a"}),
        ("Case postale 45, succursale Centre-ville", {"box": "45", "station": "centre-ville"}),
        ("PO Box 12 Stn Main", {"box": "12", "station": "main"}),
        ("Micmac RPO Box 240", {"box": "240", "station": "micmac"}),
        ("General Delivery", {"box": "general delivery"}),
        ("Poste restante", {"box": "general delivery"}),
        ("R.R. 2", {"rural": "rr 2"}),
        ("RR#2", {"rural": "rr 2"}),
        ("R R 2", {"rural": "rr 2"}),
        ("Route rurale 2", {"rural": "rr 2"}),
        ("RR 3, Site 12, Comp 4", {"rural": "rr 3 site 12 comp 4"}),
        ("Lot 22 Concession 3", {"rural": "lot 22 concession 3"}),
        ("LSD 5-12-34-6-W4", {"rural": "lsd 5 12 34 6 w 4"}),
        ("NW 14-52-3 W5M", {"rural": "nw 14 52 3 w 5"}),
        ("SW 1/4 Sec 12 Twp 34 Rge 5 W4", {"rural": "sw 12 34 5 w 4"}),
        ("RR1-327104 3rd Concession", {"rural": "rr 1", "number": "327104", "name": ("3",), "kind": "concession"}),
        ("12 Main St PO Box 9", {"number": "12", "name": ("main",), "kind": "street", "box": "9"}),
        ("", {}),
        ("#4", {"unit": "4"}),
    ],
)
def test_boxes_routes_and_land(line: str, found: dict[str, object]) -> None:
    assert parts(line) == found


def test_a_street_is_shown_as_it_was_written() -> None:
    assert parse_street("5-123 rue de l'Église Ouest, bureau 4").spelled == "rue de l'Église Ouest"
    assert parse_street("12 rue du Sacré-Cœur").spelled == "rue du Sacré-Coeur"
    assert parse_street("PO Box 4").spelled is None
