"""The sentences of schedules: name, other names, date of birth, and what else they say."""

import pytest

from bonafide.sources.shared.lists.regulations import RegulationParty, parse_party, split_names


@pytest.mark.parametrize(
    ("text", "party"),
    [
        ("Ana EXAMPLE", RegulationParty("Ana EXAMPLE", ())),
        ("Ana Example, born May 4, 1944", RegulationParty("Ana Example", (), birth="May 4, 1944")),
        ("Ana Example (date of birth: circa 1969)", RegulationParty("Ana Example", (), birth="circa 1969")),
        (
            "Ana Example (born in the early 1970s) (also known as Anna)",
            RegulationParty("Ana Example", ("Anna",), birth="the early 1970s"),
        ),
        (
            "Example Co. (also known among other names as E Co., Ltd. and F Ltd.)",
            RegulationParty("Example Co.", ("E Co., Ltd.", "F Ltd.")),
        ),
        ("Example (formerly ELA)", RegulationParty("Example", ("ELA",))),
        (
            "Ana EXAMPLE (also known as Anna EXEMPLE), born on May 4, 1944, in Tunis, daughter of Ada EXAMPLE",
            RegulationParty("Ana EXAMPLE", ("Anna EXEMPLE",), birth="May 4, 1944", remark="in Tunis, daughter of Ada EXAMPLE"),
        ),
        ("Ana EXAMPLE, former Minister", RegulationParty("Ana EXAMPLE", (), remark="former Minister")),
        ("Example Works, JSC", RegulationParty("Example Works, JSC", ())),
        ("Ana EXAMPLE (also known as Ana SHK or PUT)", RegulationParty("Ana EXAMPLE", ("Ana SHK", "Ana PUT"))),
        ("Ana EXAMPLE also known as “Batya” or “Kazak”", RegulationParty("Ana EXAMPLE", ("Batya", "Kazak"))),
        ("Example (GU) (Unit 74455)", RegulationParty("Example (GU) (Unit 74455)", ())),
    ],
)
def test_a_sentence_is_taken_apart(text: str, party: RegulationParty) -> None:
    assert parse_party(text) == party


class TestAnd:
    def test_a_lone_and_may_be_within_a_name(self) -> None:
        party = parse_party("Zenda Bloc (also known as Zenda Works and Bloc of Strelsau)")
        assert party.aliases == ("Zenda Works and Bloc of Strelsau",)
        assert party.unsure == ("Zenda Works", "Bloc of Strelsau")

    def test_a_name_that_joins_words_so_itself_is_not_halved(self) -> None:
        party = parse_party("Institute of Supply and Trading, FSUE (also known as Federal Institute of Supply and Trading)")
        assert (party.aliases, party.unsure) == (("Federal Institute of Supply and Trading",), ())

    def test_a_single_common_word_is_no_half(self) -> None:
        assert parse_party("Zenda Complex (also known as Research and Zenda Complex)").unsure == ()

    def test_between_names_of_a_person_it_always_separates(self) -> None:
        assert parse_party("Ana EXAMPLE (also known as Anna ONE and Anne TWO)", person=True).aliases == ("Anna ONE", "Anne TWO")

    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ("A, B and C", ["A", "B", "C"]),
            ("A, B, and C and D", ["A", "B", "C and D"]),
            ("A, C and D and E", ["A", "C and D", "E"]),
            ("A, B (C, D and E) and F", ["A", "B (C, D and E)", "F"]),
            ("Trade and Bank of A and Trade and Bank of B", ["Trade and Bank of A", "Trade and Bank of B"]),
            ("the A, the B", ["A", "B"]),
            ("A, B et C", ["A", "B", "C"]),
            ("", []),
        ],
    )
    def test_a_list_of_names_is_split(self, text: str, names: list[str]) -> None:
        assert split_names(text) == names
