"""The EU's list, in both of its forms: they give the same parties."""

import csv
from collections.abc import Mapping
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed, UpstreamFailed
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.framework.discovery import get_source
from bonafide_sandbox.publisher_faults import PublisherFault, StatusFault
from tests.support.sources.sanctions_files import Loaded, assert_golden, load
from tests.support.sources.served_lists import fetched_from

KEY = "eu-sanctions-consolidated"
FOLDER = Path(__file__).parent / KEY
FORMS = ["fsf_1_1.xml", "fsf_1_1.csv"]
DUKE, LINES = "Michael Elphberg", "Zenda Shipping"


@pytest.fixture(params=FORMS)
def loaded(request: pytest.FixtureRequest) -> Loaded:
    return load(KEY, FOLDER / request.param)


@pytest.mark.parametrize("form", FORMS)
def test_each_form_gives_the_golden_entries(form: str) -> None:
    assert_golden(load(KEY, FOLDER / form), FOLDER / f"{form}.golden.json")


def test_the_forms_agree_in_all_but_what_only_the_xml_has() -> None:
    def comparable(form: str) -> list[ListedEntity]:
        entries = sorted(load(KEY, FOLDER / form).entries, key=lambda entry: entry.entry_id)
        # The XML alone can call a name weak by an attribute, and the CSV has a note behind a number.
        return [entry.model_copy(update={"weak_aliases": entry.weak_aliases[:1], "remarks": None}) for entry in entries]

    assert comparable(FORMS[0]) == comparable(FORMS[1])


class TestNames:
    def test_the_main_name_is_in_latin_letters_and_no_translation_of_another_language(self, loaded: Loaded) -> None:
        assert loaded.named(DUKE).aliases == ("Михаэль Эльфберг", "Michel Elphberg", "Michael of Strelsau")

    def test_a_name_is_weak_when_the_remark_on_it_begins_so(self, loaded: Loaded) -> None:
        assert loaded.named(DUKE).weak_aliases[0] == "Black Michael"

    def test_the_same_words_inside_a_sentence_are_about_somebody_else(self, loaded: Loaded) -> None:
        assert loaded.named(LINES).aliases == ("Zenda Lines",)
        assert "formerly known as the Charity of Zenda" in (loaded.named(LINES).remarks or "")

    def test_a_name_that_an_attribute_calls_weak_is_weak(self) -> None:
        assert load(KEY, FOLDER / FORMS[0]).named(DUKE).weak_aliases == ("Black Michael", "Mihael")


class TestDates:
    def test_they_stand_as_they_are_printed(self, loaded: Loaded) -> None:
        printed = "1960-08-11; circa 1962; 1961-09; 1958-1964; 1970 or earlier; 1380 (another calendar)"
        assert loaded.named(DUKE).date_of_birth == printed

    def test_what_can_be_compared_is_neither_half_open_nor_of_another_calendar(self, loaded: Loaded) -> None:
        assert loaded.named(DUKE).birth_dates == ("1960-08-11", "1961/1963", "1961-09", "1958/1964")

    def test_a_date_in_another_calendar_counts_where_it_is_converted(self, tmp_path: Path) -> None:
        text = (FOLDER / FORMS[0]).read_text(encoding="utf-8").replace('"ISLAMIC" year="1380"', '"ISLAMIC" birthdate="1960-06-24"')
        (tmp_path / "list.xml").write_text(text, encoding="utf-8")
        assert load(KEY, tmp_path / "list.xml").named(DUKE).birth_dates[-1] == "1960-06-24"

    def test_an_organization_is_not_born(self, loaded: Loaded) -> None:
        assert loaded.named(LINES).date_of_birth is None

    def test_the_list_is_dated_by_what_stands_in_it(self, loaded: Loaded) -> None:
        assert str(loaded.report.as_of) == "2026-08-05"

    def test_without_a_day_of_designation_the_regulations_counts(self, loaded: Loaded) -> None:
        assert [loaded.named(name).listing_date for name in (DUKE, LINES)] == ["2021-10-17", "2025-07-28"]


class TestNumbers:
    def test_a_number_has_the_lists_own_label_and_its_country(self, loaded: Loaded) -> None:
        numbers = {number.label: number.value for number in loaded.named(DUKE).identifiers}
        assert numbers["National passport (HR)"] == "E5550001"
        assert numbers["National passport, known to be false"] == "X777"

    def test_a_dash_is_no_number_and_an_address_no_imo_number(self, loaded: Loaded) -> None:
        assert [(number.label, number.value) for number in loaded.named(LINES).identifiers] == [("IMO company number", "0289239")]
        assert "IMO field: Quay 1" in (loaded.named(LINES).remarks or "")

    def test_the_country_that_is_not_known_is_none(self, loaded: Loaded) -> None:
        assert loaded.named(DUKE).countries == ("HR",)

    def test_a_shipping_company_is_no_ship(self, loaded: Loaded) -> None:
        assert loaded.named(LINES).entity_type is EntityKind.ORGANIZATION


class TestStrictness:
    def test_a_party_of_an_unknown_kind_is_rejected(self, tmp_path: Path) -> None:
        text = (FOLDER / FORMS[0]).read_text(encoding="utf-8").replace('code="enterprise"', 'code="fleet"')
        (tmp_path / "list.xml").write_text(text, encoding="utf-8")
        report = load(KEY, tmp_path / "list.xml").report
        assert (report.entries, report.rejected, report.unknown_terms) == (1, 1, {"term: fleet": 1})
        assert report.rejections[0].line == 34

    def test_a_party_without_a_name_is_rejected(self, tmp_path: Path) -> None:
        text = (FOLDER / FORMS[0]).read_text(encoding="utf-8").replace("nameAlias", "alias")
        (tmp_path / "list.xml").write_text(text, encoding="utf-8")
        assert load(KEY, tmp_path / "list.xml").report.reasons == {"no name in a known field": 2}

    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            ('<export generationDate="2026-08-05T16:47:04+02:00"/>', "the file contains no listed parties"),
            ("<export/>", "the date of the list is missing"),
            ("<html><body>Service unavailable</body></html>", "the date of the list is missing"),
        ],
    )
    def test_a_file_without_parties_is_refused(self, tmp_path: Path, content: str, problem: str) -> None:
        (tmp_path / "list.xml").write_text(content, encoding="utf-8")
        with pytest.raises(ParseFailed, match=problem):
            load(KEY, tmp_path / "list.xml")


@pytest.mark.anyio
class TestFetching:
    async def fetched(self, tmp_path: Path, broken: Mapping[str, PublisherFault]) -> list[str]:
        files = {"xml_full": FOLDER / FORMS[0], "csv_full": FOLDER / FORMS[1]}
        return [resource.name for resource in await fetched_from(KEY, files, tmp_path, broken)]

    async def test_the_xml_is_taken_where_it_can_be_had(self, tmp_path: Path) -> None:
        assert await self.fetched(tmp_path, {}) == ["xml_full"]

    async def test_the_csv_is_taken_when_making_the_xml_fails(self, tmp_path: Path) -> None:
        assert await self.fetched(tmp_path, {"xml_full": StatusFault(500)}) == ["csv_full"]

    async def test_when_both_fail_the_xmls_failure_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(UpstreamFailed, match="HTTP 502"):
            await self.fetched(tmp_path, {"xml_full": StatusFault(502), "csv_full": StatusFault(500)})


@pytest.mark.realdata
def test_the_real_rows_of_august_2026(shared_data: Path, tmp_path: Path) -> None:
    """The sample has the first 21 of the 118 columns; the rest are filled up, empty."""
    layout = get_source(KEY).metadata.layouts["csv_1_1"]
    with (shared_data / "sanctions/eu/fsf_csv_v1_1_sample_2026-08-05.csv").open(encoding="utf-8-sig", newline="") as file:
        header, *rows = csv.reader(file, delimiter=";")
    rest = [column for column in (*layout.columns, *layout.ignored) if column not in header]
    assert len(header) + len(rest) == 118
    with (tmp_path / "list.csv").open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file, delimiter=";").writerows([[*header, *rest], *([*row, *[""] * len(rest)] for row in rows)])
    loaded = load(KEY, tmp_path / "list.csv")
    assert (loaded.report.rows, loaded.report.entries, loaded.report.merged, loaded.report.rejected) == (2, 1, 1, 0)
    assert loaded.named("Saddam Hussein Al-Tikriti").aliases == ("Abu Ali",)
    assert loaded.entries[0].programs == ("IRQ",)
