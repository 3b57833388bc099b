"""OFAC's CSV set: four files without headers that are one list, and the remarks in which half of it stands."""

from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind
from bonafide.sources.shared.ofac.csv_files import add_remarks
from bonafide.sources.shared.ofac.party import OfacPartyRecord
from tests.support.sources.ofac_files import SDN, SET
from tests.support.sources.sanctions_files import load

NULL = "-0- "


def remarks(text: str) -> OfacPartyRecord:
    party = OfacPartyRecord("1", EntityKind.PERSON, "HENTZAU, Rupert")
    add_remarks(party, text)
    return party


def copied(folder: Path, place: int, content: bytes) -> list[Path]:
    """The set with one file replaced."""
    files = list(SET)
    files[place] = folder / SET[place].name
    files[place].write_bytes(content)
    return files


class TestTheSet:
    def test_every_row_of_every_file_is_an_entry_or_part_of_one(self) -> None:
        report = load(SDN, *SET).report
        assert (report.rows, report.entries, report.merged, report.rejected) == (20, 7, 13, 0)

    def test_the_files_are_known_by_their_columns_whatever_they_are_called(self, tmp_path: Path) -> None:
        files = [tmp_path / f"download ({place}).dat" for place in range(len(SET))]
        for file, original in zip(files, reversed(SET), strict=True):
            file.write_bytes(original.read_bytes())
        assert load(SDN, *files).entries == load(SDN, *SET).entries

    @pytest.mark.parametrize(
        ("place", "missing"),
        [(0, "parties"), (1, "alternate names"), (2, "addresses"), (3, "comments")],
        ids=str,
    )
    def test_a_set_that_is_not_whole_is_refused(self, place: int, missing: str) -> None:
        with pytest.raises(ParseFailed, match=rf"incomplete set of files; missing: {missing}"):
            load(SDN, *SET[:place], *SET[place + 1 :])

    def test_two_files_of_one_kind_are_refused(self, tmp_path: Path) -> None:
        (tmp_path / "again.csv").write_bytes(SET[1].read_bytes())
        with pytest.raises(ParseFailed, match=r"alt\.csv and again\.csv contain the same table \(alternate names\)"):
            load(SDN, *SET, tmp_path / "again.csv")

    def test_a_file_with_other_columns_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ParseFailed, match=r"alt\.csv: not a file of the list; its first row has 3 columns"):
            load(SDN, *copied(tmp_path, 1, b"1,2,3\r\n"))

    def test_what_overflowed_into_the_comments_is_read_where_it_broke_off(self) -> None:
        mills = load(SDN, *SET).named("ZENDA STEEL MILLS")
        assert "MILLS OF ZENDA AND STRELSAU" in mills.weak_aliases
        assert "Phone Number 0010 555 0100" in (mills.remarks or "")

    def test_rows_of_a_party_that_is_not_there_are_rejected_with_their_lines(self, tmp_path: Path) -> None:
        files = copied(tmp_path, 1, SET[1].read_bytes().rstrip(b"\x1a") + b'900999,1,"aka","NOBODY",-0- \r\n')
        report = load(SDN, *files).report
        assert dict(report.reasons) == {"the row belongs to no party of the set": 1}
        assert (report.rejections[0].resource, report.rejections[0].line) == ("alt.csv", 7)

    @pytest.mark.parametrize(
        ("row", "reason"),
        [
            (f'900101,"AGAIN",{",".join([NULL] * 10)}', "the number is not unique"),
            (f"900200,{','.join([NULL] * 11)}", "the party has no number or no name"),
            (f'900200,"A","submarine",{",".join([NULL] * 9)}', "unknown type of party “submarine”"),
            ('900200,"A",individual', "3 cells where the file has 12 columns"),
        ],
    )
    def test_a_party_that_cannot_be_read_is_rejected(self, tmp_path: Path, row: str, reason: str) -> None:
        report = load(SDN, *copied(tmp_path, 0, SET[0].read_bytes().rstrip(b"\x1a") + row.encode() + b"\r\n")).report
        assert dict(report.reasons) == {reason: 1}

    def test_a_cell_without_end_is_rejected_and_with_it_what_hangs_on_the_parties_behind(self, tmp_path: Path) -> None:
        head, _, rest = SET[0].read_bytes().partition(b"\r\n")
        report = load(SDN, *copied(tmp_path, 0, head + b'\r\n900102,"' + b"A" * 1_100_000 + rest)).report
        assert report.rejected > 0
        assert any("not valid CSV" in reason for reason in report.reasons)

    def test_another_encoding_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ParseFailed, match=r"sdn\.csv: not utf-8"):
            load(SDN, *copied(tmp_path, 0, SET[0].read_bytes().replace(b"Hentzau", b"H\xe9ntzau")))


class TestRemarks:
    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ("a.k.a. 'LEFTY'.", ["LEFTY"]),
            ("alt. f.k.a. 'LEFTY'", ["LEFTY"]),
            ("n.k.a. 'LEFTY', 'RIGHTY'", ["LEFTY", "RIGHTY"]),
            ("a.k.a. 'ABU 'ALI'", ["ABU 'ALI"]),
            ('a.k.a. "LEFTY".', ["LEFTY"]),
        ],
    )
    def test_names_in_quotation_marks_are_weak(self, text: str, names: list[str]) -> None:
        assert remarks(f"DOB 1964; {text}").others == [(name, True) for name in names]

    @pytest.mark.parametrize(
        ("clause", "label", "value", "country", "note"),
        [
            ("Passport K5452921 (Belize)", "Passport", "K5452921", "Belize", None),
            ("alt. Passport 12 (Belize) expires 03 Nov 2031", "Passport", "12", "Belize", "expires 03 Nov 2031"),
            ("Passport 12 (Belize) issued 1 May 2001 exp. 2011", "Passport", "12", "Belize", "issued 1 May 2001 exp. 2011"),
            ("NIT # 800120434-2 (Colombia)", "NIT", "800120434-2", "Colombia", None),
            ("Tax ID No. 7744001497", "Tax ID No.", "7744001497", None, None),
            ("Registration ID 05 (Connecticut) (United States)", "Registration ID", "05", "Connecticut, United States", None),
            ("Unified Social Credit Code (USCC) 91110 (China)", "Unified Social Credit Code (USCC)", "91110", "China", None),
            ("BIK (RU) 044525823", "BIK (RU)", "044525823", None, None),
            ("Digital Currency Address - XBT 1Zenda", "Digital Currency Address - XBT", "1Zenda", None, None),
            ("Diplomatic Passport D9004878", "Diplomatic Passport", "D9004878", None, None),
            ("SWIFT/BIC ZENDRRUM", "SWIFT/BIC", "ZENDRRUM", None, None),
        ],
    )  # fmt: skip
    def test_numbers_are_told_from_their_labels_and_countries(
        self, clause: str, label: str, value: str, country: str | None, note: str | None
    ) -> None:
        (number,) = remarks(f"Gender Male; {clause}.").numbers
        assert (number.label, number.value, number.country, number.note) == (label, value, country, note)

    @pytest.mark.parametrize("clause", ["License granted to nobody", "Phone Number 0010 555 0100", "Passport", "POB Zenda"])
    def test_all_else_stays_as_it_is(self, clause: str) -> None:
        party = remarks(f"{clause}.")
        assert (party.numbers, party.others, party.births, party.countries) == ([], [], [], [])
        assert party.remarks[""] == [clause]

    def test_dates_of_birth_and_countries_are_gathered_in_order(self) -> None:
        party = remarks("DOB 28 Jul 1963; alt. DOB circa 1964; nationality Belize; alt. nationality Cuba; citizen Korea, North.")
        assert party.births == ["28 Jul 1963", "circa 1964"]
        assert party.countries == ["Belize", "Cuba", "Korea, North"]
