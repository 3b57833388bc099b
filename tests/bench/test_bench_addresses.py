"""Lines that are built from the fields of addresses, and how the accuracy of the parser is measured on them."""

from dataclasses import replace
from pathlib import Path

import pytest

from bonafide_bench.datasets.address_lines import AddressLine, DatasetPart, build_address_lines
from bonafide_bench.measurements.address_accuracy import find_wrong_fields, measure_address_accuracy, summarize_lines

VANCOUVER = "regulatory/vancouverBusinessLicences/business-licences_restaurants_2024-2025_export.csv"
STORES = "regulatory/agcoCannabis/agco_crsa_web_export_2025-11.csv"
STREETS = ("ORLOV ST", "KWIATEK AVE", "E 3RD AV", "BRZOZA ROAD W", "ORLOV KINGSWAY")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with made-up rows of two sources."""
    licences, stores = tmp_path / VANCOUVER, tmp_path / STORES
    for path in (licences, stores):
        path.parent.mkdir(parents=True)
    rows = [
        f"{number % 7 or ''};{100 + number};{STREETS[number % len(STREETS)]};Vancouver;BC;V6C 0B{number % 10}"
        for number in range(120)
    ]
    licences.write_text("Unit;House;Street;City;Province;PostalCode\n" + "\n".join(rows), encoding="utf-8")
    stores.write_text(
        "Municipality or First Nation,Address\n" + "".join(f"OTTAWA,{number} ORLOV ST UNIT {number}\n" for number in range(1, 60)),
        encoding="utf-8",
    )
    return tmp_path


def test_lines_are_the_same_each_time_and_of_every_form(data: Path) -> None:
    lines = build_address_lines(data)
    assert lines == build_address_lines(data)
    assert {line.source: line.part for line in lines} == {
        "agcoCannabis": DatasetPart.TRAIN,
        "vancouverBusinessLicences": DatasetPart.TEST,
    }
    assert len({line.form for line in lines}) == 10
    assert {line.disturbance for line in lines} == {"none", "code mistyped", "code cut", "unit word", "type respelt"}
    assert len(build_address_lines(data, per_source=10)) == 20


def test_a_disturbance_changes_the_line_and_what_is_right(data: Path) -> None:
    for line in build_address_lines(data):
        code = line.fields["postalCode"]
        if line.disturbance in {"code mistyped", "code cut"}:
            assert code is not None
            assert not (
                len(code) == 7 and code[0] == "V" and code.endswith(tuple("0123456789")) and code[1] == "6" and code[4:6] == "0B"
            )
        if line.disturbance == "unit word":
            assert line.fields["unit"] is None
            assert str(line.fields["line"]).split()[-1] in {"SUITE", "Unit", "apt", "bureau"}


def test_a_building_is_named_before_the_street_number(tmp_path: Path) -> None:
    path = tmp_path / "regulatory/mohServiceProviders/moh_service_provider_locations_2025-04.csv"
    path.parent.mkdir(parents=True)
    rows = "".join(f"Orlov Medical Centre,{number} Orlov Street,,Orlov,M5V 2T6\n" for number in range(1, 60))
    path.write_text("ENGLISH_NAME,ADDRESS_LINE_1,ADDRESS_LINE_2,COMMUNITY,POSTAL_CODE\n" + rows, encoding="utf-8")
    named = [line for line in build_address_lines(tmp_path) if line.disturbance == "building named"]
    assert named
    assert all("orlov medical centre, " in line.text.lower().replace("\n", ", ") for line in named)


def test_figures_count_lines_of_which_every_field_is_right(data: Path) -> None:
    figures = {(it.part, it.group): it for it in measure_address_accuracy(data)}
    lines = build_address_lines(data)
    assert sum(it.lines for it in figures.values() if it.group == "all") == len(lines)
    assert all(0 <= it.right <= 1 for it in figures.values())
    assert figures["train", "all"].right > 0.9


def test_a_field_that_is_not_found_as_stated_is_wrong() -> None:
    line = AddressLine(
        source="on",
        part=DatasetPart.TEST,
        province="ON",
        form="commas",
        disturbance="none",
        text="Unit 05, 12 Orlov St W, Toronto, ON, M5V2T6",
        fields={"number": "12", "unit": "5", "city": "Toronto", "province": "ON", "postalCode": "M5V 2T6", "direction": "west"},
    )
    assert find_wrong_fields(line) == []
    wrong = replace(line, fields={**line.fields, "city": "Ottawa", "unit": None})
    assert find_wrong_fields(wrong) == ["unit", "city"]
    shares = {it.group: it.right for it in summarize_lines([line, wrong])}
    assert (shares["all"], shares["field: city"], shares["field: number"]) == (0.5, 0.5, 1.0)


def test_a_folder_without_the_files_has_no_figures(tmp_path: Path) -> None:
    assert measure_address_accuracy(tmp_path) == ()
