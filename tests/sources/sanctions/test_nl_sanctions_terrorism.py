"""The national list of the Netherlands, an OpenDocument spreadsheet."""

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind
from tests.support.sources.sanctions_files import Loaded, assert_golden, load

KEY = "nl-sanctions-terrorism"
LIST = Path(__file__).parent / KEY / "eng-terrorismelijst.ods"
COUNT, FOUNDATION = "Rupert Hentzau", "Foundation Black Michael"


@pytest.fixture
def loaded() -> Loaded:
    return load(KEY, LIST)


def changed(tmp_path: Path, old: str, new: str) -> Path:
    with ZipFile(LIST) as archive:
        content = archive.read("content.xml").decode()
    assert old in content
    with ZipFile(tmp_path / "list.ods", "w", ZIP_DEFLATED) as archive:
        archive.writestr("content.xml", content.replace(old, new))
    return tmp_path / "list.ods"


def test_it_gives_the_golden_entries(loaded: Loaded) -> None:
    assert_golden(loaded, LIST.with_suffix(".golden.json"))


class TestRows:
    def test_a_row_with_first_names_is_a_person_known_by_name_and_birth(self, loaded: Loaded) -> None:
        count = loaded.entries[0]
        assert (count.entity_type, count.name, count.entry_id) == (EntityKind.PERSON, COUNT, f"{COUNT} | 14-3-1976")
        assert (count.date_of_birth, count.birth_dates) == ("14-3-1976", ("1976-03-14",))

    def test_a_row_without_first_names_is_an_organization_that_is_not_born(self, loaded: Loaded) -> None:
        foundation = loaded.named(FOUNDATION)
        assert (foundation.entity_type, foundation.date_of_birth) == (EntityKind.ORGANIZATION, None)
        assert foundation.remarks == "Strelsau. Date: founded in 2018. Notice: Stcrt 7"

    def test_several_aliases_stand_behind_semicolons(self, loaded: Loaded) -> None:
        assert loaded.entries[0].aliases == ("The Count", "R. of Zenda")

    def test_the_notice_is_the_address_behind_its_cell(self, loaded: Loaded) -> None:
        assert loaded.entries[0].source_url == "https://zoek.officielebekendmakingen.nl/stcrt-2017-64067.html"

    def test_the_day_of_the_decision_is_that_of_the_listing(self, loaded: Loaded) -> None:
        assert [entry.listing_date for entry in loaded.entries] == ["2017-11-16", "2018-11-16", "2019-02-01"]

    def test_a_place_of_birth_is_no_nationality(self, loaded: Loaded) -> None:
        assert all(entry.countries == () for entry in loaded.entries)

    def test_a_row_that_stands_twice_is_not_lost(self, loaded: Loaded) -> None:
        assert loaded.entries[1].entry_id == f"{COUNT} | 14-3-1976 #2"

    def test_a_row_without_a_name_is_rejected_with_the_number_that_a_person_sees(self, loaded: Loaded) -> None:
        report = loaded.report
        assert (report.rows, report.entries, report.rejected, report.rejections[0].line) == (4, 3, 1, 9)


class TestStrictness:
    def test_a_new_heading_refuses_the_list(self, tmp_path: Path) -> None:
        with pytest.raises(ParseFailed, match=r"list\.ods: .* missing columns: alias; unknown columns: Also known as"):
            load(KEY, changed(tmp_path, ">Alias<", ">Also known as<"))

    def test_the_dutch_edition_is_refused_as_long_as_its_headings_are_not_known(self, tmp_path: Path) -> None:
        with pytest.raises(ParseFailed, match="missing columns: Surname"):
            load(KEY, changed(tmp_path, ">Surname<", ">Achternaam<"))

    def test_an_archive_of_something_else_is_refused(self, tmp_path: Path) -> None:
        with ZipFile(tmp_path / "list.ods", "w") as archive:
            archive.writestr("readme.txt", "nothing")
        with pytest.raises(ParseFailed, match=r"not an OpenDocument spreadsheet"):
            load(KEY, tmp_path / "list.ods")

    def test_a_list_of_nobody_is_refused(self, tmp_path: Path) -> None:
        with ZipFile(LIST) as archive:
            content = archive.read("content.xml").decode()
        start = content.index('<table:table-row><table:table-cell office:value-type="string"><text:p>Hentzau')
        with pytest.raises(ParseFailed, match="the file contains no listed parties"):
            load(KEY, changed(tmp_path, content[start : content.index("</table:table>")], ""))
