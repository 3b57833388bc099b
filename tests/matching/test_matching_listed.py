"""Names and parties of sanctions lists against subjects: what users of other tools complain of, and every rule of the score."""

import pytest

from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.matching.screening.party_matching import ScreenedParty, compare_subject_name, parse_listed_names
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import FieldStatus
from tests.support.matching.ranked_listings import rank_listed

PERSON, ORGANIZATION, VESSEL = EntityKind.PERSON, EntityKind.ORGANIZATION, EntityKind.VESSEL


def score(asked: ScreeningSubject | str, listed: str, kind: EntityKind = ORGANIZATION) -> float:
    """The score of a name against one listed name."""
    subject = ScreeningSubject(asked) if isinstance(asked, str) else asked
    read = parse_subject(subject)
    return max(compare_subject_name(read, name, kind).score for name in parse_listed_names(kind, [listed]))


def party(name: str, kind: EntityKind = PERSON, entry_id: str = "1", **fields: object) -> ListedEntity:
    return ListedEntity.model_validate({"entry_id": entry_id, "entity_type": kind, "name": name, **fields})


def found(subject: ScreeningSubject, entry: ListedEntity, floor: float = 0.0) -> ScreenedParty:
    (match,) = rank_listed(subject, [entry], floor=floor)
    return match


# ------------------------------------------------------------------------------------------------ what others get wrong


@pytest.mark.parametrize(
    ("asked", "listed", "kind"),
    [
        # only a legal form is left when numbers and forms are taken out
        ("CORP", "11420 CORP.", ORGANIZATION),
        ("11420 CORP.", "CORP", ORGANIZATION),
        ("12345 Corp.", "11420 CORP.", ORGANIZATION),
        ("Trading Company Limited", "Zephyrine Trading Company Limited", ORGANIZATION),
        # a single given name
        ("Emma Daniels", "EMMA LLC", ORGANIZATION),
        ("EMMA LLC", "Emma Daniels", PERSON),
        ("Emma LLC", "Emma", PERSON),
        ("Mohammed", "Mohammed Orlovi", PERSON),
        ("Orlovi", "ORLOVI, Mohammed", PERSON),
        # family names that begin alike
        ("George Bush", "George Habbash", PERSON),
        ("George Bush", "HABBASH, George", PERSON),
        # a direction, a place, a number that differs
        ("Bank of the West", "Bank of the East", ORGANIZATION),
        ("Zephyrine Bank of Iran", "Zephyrine Bank of Iraq", ORGANIZATION),
        ("Bank Zephyrine Tehran", "Bank Zephyrine Damascus", ORGANIZATION),
        ("Zephyrine Unit 61398", "Zephyrine Unit 61486", ORGANIZATION),
        ("Northern Zephyrine Front", "Southern Zephyrine Front", ORGANIZATION),
        ("Zephyrine 2", "Zephyrine 3", VESSEL),
        # generic words alone
        ("National Liberation Front", "National Islamic Front", ORGANIZATION),
        ("General Trading Company", "Orlovska General Trading LLC", ORGANIZATION),
        ("Islamic Charity Foundation", "Zephyrine Islamic Charity", ORGANIZATION),
        # what one family does elsewhere, or a ship of a common name
        ("Ocean Construction", "Ocean", VESSEL),
        ("Horizon Bookkeeping Ltd.", "HORIZON", VESSEL),
    ],
)
def test_what_is_another_party_stays_below_every_threshold(asked: str, listed: str, kind: EntityKind) -> None:
    assert score(asked, listed, kind) < 0.7


@pytest.mark.parametrize(
    ("asked", "listed", "kind"),
    [
        # order
        ("Zofia Kwiatek", "KWIATEK, Zofia", PERSON),
        ("Kwiatek Zofia", "Zofia Kwiatek", PERSON),
        ("Trading Zephyrine House", "Zephyrine Trading House", ORGANIZATION),
        ("Company Zephyrine Stock Joint", "Joint Stock Company Zephyrine", ORGANIZATION),
        # legal forms, wherever they stand and however they are glued
        ("JSCARGUMENT", "JSC Argument", ORGANIZATION),
        ("Argument JSC", "JSCARGUMENT", ORGANIZATION),
        ("Zephyrine OOO", "Obshchestvo s ogranichennoy otvetstvennostyu Zephyrine", ORGANIZATION),
        ("Zephyrine", "ZEPHYRINE FZE", ORGANIZATION),
        ("Zephyrine Compnay", "ZEPHYRINE COMPANY", ORGANIZATION),
        # joined and split words
        ("Zephy Rine Export", "Zephyrine Export", ORGANIZATION),
        ("ZephyrineExport", "Zephyrine Export", ORGANIZATION),
        ("Jin Ping Orlov", "ORLOV, Jinping", PERSON),
        # titles, before, between and behind
        ("Haji Zofia Kwiatek", "Zofia Kwiatek", PERSON),
        ("Zofia Kwiatek", "General Zofia KWIATEK", PERSON),
        ("M/V Zephyrine", "ZEPHYRINE", VESSEL),
        # Arabic names in the ways of writing them
        ("Abdul Rahman Orlovi", "ORLOVI, Abd al-Rahman", PERSON),
        ("Abdurrahman al-Orlovi", "Abdel Rahman Orlovi", PERSON),
        ("Abdullah Orlovi", "Abd Allah ORLOVI", PERSON),
        ("Saif al-Din Orlovi", "Saifuddin ORLOVI", PERSON),
        ("Alorlovi Zofia", "Zofia Orlovi", PERSON),
        # other forms of one given name
        ("Mohamed Orlovi", "MUHAMMAD Orlovi", PERSON),
        ("Oleksandr Orlovi", "Aleksandr Orlovi", PERSON),
        ("Bob Orlovi", "Robert Orlovi", PERSON),
        # other scripts
        ("Зофия Орлова", "Zofiya Orlova", PERSON),
        ("Zofiya Orlova", "Зофия Орлова", PERSON),
        ("Общество с ограниченной ответственностью «Зефирин»", "Zefirin LLC", ORGANIZATION),
        ("Ζωή Ορλόβα", "Zoi Orlova", PERSON),
        ("王晓明", "Wang Xiaoming", PERSON),
        ("محمد حسن", "Mohammed Hassan", PERSON),
        # several names in one
        ("Orlovska Drilling Company", "Orlovska Drilling Company (ODC)", ORGANIZATION),
        ("Zofia Kwiatek", "Zofia (a.k.a. Zosia) KWIATEK", PERSON),
        ("Zosia Kwiatek", "Zofia Kwiatek / Zosia Kwiatek", PERSON),
        ("KIM Orlov", "KIM Orlov 김오를로", PERSON),
    ],
)
def test_one_party_in_another_spelling_is_the_same_to_a_reader(asked: str, listed: str, kind: EntityKind) -> None:
    assert score(asked, listed, kind) >= 0.95


@pytest.mark.parametrize(
    ("asked", "listed", "kind"),
    [
        ("Zofia Kwiatekk", "KWIATEK, Zofia", PERSON),
        ("Zephirine Trading House", "Zephyrine Trading House", ORGANIZATION),
        ("Zephyrinee", "ZEPHYRINE", ORGANIZATION),
        ("Khaled Zhukovi", "Khalid Joukovi", PERSON),
        ("Zofia Kwiatek", "Zofia Maria Berta KWIATEK", PERSON),
        ("Orlovska Zavod", "Orlovska Plant", ORGANIZATION),
        ("Ryazan Zephyrine", "Ryazanskii Zephyrine", ORGANIZATION),
    ],
)
def test_a_likely_variant_reaches_the_default_threshold(asked: str, listed: str, kind: EntityKind) -> None:
    assert 0.85 <= score(asked, listed, kind) < 1


def test_equal_consonants_of_a_script_without_vowels_are_only_worth_a_look() -> None:
    assert 0.7 <= score("محمد الاورلوفي", "Mohammed al-Orlofi", PERSON) < 0.8


def test_initials_stand_for_names_but_never_alone() -> None:
    assert 0.7 <= score("Z. Kwiatek", "KWIATEK, Zofia", PERSON) < 0.95
    assert score("Z. K.", "KWIATEK, Zofia", PERSON) < 0.7
    assert score("P. Orlov Marta Berta", "‘Orlov-P’", PERSON) < 0.7


def test_common_given_names_alone_stay_below_the_default_threshold() -> None:
    assert score("Mohammed Ali", "Mohammed Ali Orlovi", PERSON) <= 0.8


def test_a_single_name_that_is_all_that_is_listed_is_found_as_it_stands() -> None:
    assert score("Orlovi", "Orlovi", PERSON) == 1
    assert score("Orlivo", "Orlovi", PERSON) < 0.95
    assert score("Mira", "Mirta", PERSON) < 0.7


def test_a_business_that_bears_a_persons_name_finds_the_person() -> None:
    assert score("Zofia Kwiatek Inc.", "KWIATEK, Zofia", PERSON) >= 0.95
    assert 0.7 <= score("Zofia Kwiatek Construction Ltd.", "KWIATEK, Zofia", PERSON) < 0.8
    assert score("Zofia Kwiatek Construction", "KWIATEK, Sofia Maria", PERSON) < 0.7


def test_a_business_of_a_ships_name_is_shown_at_low_thresholds_only() -> None:
    assert 0.7 <= score("Zephyrine Star Ltd.", "ZEPHYRINE STAR", VESSEL) < 0.8
    assert score("Zephyrine Star", "ZEPHYRINE STAR", VESSEL) == 1


def test_a_family_name_that_looks_like_a_legal_form_is_kept() -> None:
    assert score("Zofia de Sá", "SÁ, Zofia de", PERSON) >= 0.95


def test_people_are_compared_as_people_and_others_as_organizations() -> None:
    assert score("Zephyrine Trading Ltd.", "ZEPHYRINE TRADING LIMITED") == 1
    assert score("Zofia Kwiatek", "KWIATEK, Zofia", PERSON) == 1


# -------------------------------------------------------------------------------------------------------- what is asked


def test_no_typo_is_forgiven_one_or_two_as_is_asked() -> None:
    for asked, least in (("Zofia Kwiatexk", 1), ("Zofia Kviatexk", 2)):
        for typos in (0, 1, 2):
            subject = ScreeningSubject(asked, typo_tolerance=typos, name_variants=False)
            assert (score(subject, "Zofia Kwiatek", PERSON) >= 0.85) is (typos >= least), (asked, typos)


def test_typos_in_the_names_of_organizations_are_counted_the_same() -> None:
    for asked, least in (("Zephyrin Trading House", 1), ("Zephirin Trading House", 2)):
        for typos in (0, 1, 2):
            subject = ScreeningSubject(asked, typo_tolerance=typos, name_variants=False)
            assert (score(subject, "Zephyrine Trading House") >= 0.85) is (typos >= least), (asked, typos)


@pytest.mark.parametrize(
    ("asked", "listed", "kind"),
    [
        ("Bob Orlovi", "Robert Orlovi", PERSON),
        ("Z. Kwiatek", "Zofia Kwiatek", PERSON),
        ("Khaled Zhukovi", "Halid Joukovi", PERSON),
        ("Banque Zephyrine", "Bank Zephyrine", ORGANIZATION),
    ],
)
def test_variants_of_names_are_read_for_each_other_only_when_they_are_asked_for(asked: str, listed: str, kind: EntityKind) -> None:
    with_variants = score(ScreeningSubject(asked, name_variants=True), listed, kind)
    assert score(ScreeningSubject(asked, name_variants=False), listed, kind) < 0.7 <= with_variants


def test_order_and_script_are_no_variants() -> None:
    assert score(ScreeningSubject("Kwiatek Zofia", name_variants=False, typo_tolerance=0), "Zofia Kwiatek", PERSON) >= 0.95
    assert score(ScreeningSubject("Зофия Орлова", name_variants=False, typo_tolerance=0), "Zofiya Orlova", PERSON) >= 0.95


def test_weak_aliases_are_capped_and_one_weak_word_is_no_match() -> None:
    weak = party("ORLOVSKA, Marta", weak_aliases=("Zofia Kwiatek", "Motor"))
    assert found(ScreeningSubject("Zofia Kwiatek"), weak).score == 0.9
    assert found(ScreeningSubject("Motor"), weak).score < 0.7


# ----------------------------------------------------------------------------------------------------------- evidence

BORN = party("Zofia Kwiatek", birth_dates=("1960-05-12", "1955/1957"), date_of_birth="12 May 1960; 1955 to 1957")


@pytest.mark.parametrize(
    ("asked", "status", "expected"),
    [
        ("1960-05-12", FieldStatus.MATCHED, 1.0),
        ("1960-05", FieldStatus.MATCHED, 1.0),
        ("1960", FieldStatus.MATCHED, 1.0),
        ("1956-01-01", FieldStatus.MATCHED, 1.0),
        ("1960-05-13", FieldStatus.PARTIAL, 0.96),
        ("1961", FieldStatus.PARTIAL, 0.96),
        ("1958", FieldStatus.PARTIAL, 0.96),
        ("1990-05-12", FieldStatus.MISMATCHED, 0.8),
    ],
)
def test_a_date_of_birth_lowers_a_name_as_far_as_it_differs(asked: str, status: FieldStatus, expected: float) -> None:
    match = found(ScreeningSubject("Zofia Kwiatek", date_of_birth=asked), BORN)
    assert match.score == expected
    assert next(field.status for field in match.fields if field.field == "dateOfBirth") is status


def test_a_date_of_birth_lifts_a_name_that_is_nearly_the_same() -> None:
    plain = found(ScreeningSubject("Zofia Kwiatexk"), BORN).score
    born = found(ScreeningSubject("Zofia Kwiatexk", date_of_birth="1960-05-12"), BORN)
    assert plain < born.score <= 0.99
    assert [lift.feature for lift in born.lifts] == ["dateOfBirth"]


def test_evidence_never_lifts_a_single_given_name() -> None:
    asked = ScreeningSubject("Zofia", date_of_birth="1960-05-12", countries=("IQ",))
    assert found(asked, BORN.model_copy(update={"countries": ("IQ",)})).score < 0.7


def test_a_date_of_birth_that_is_only_printed_counts_by_its_years() -> None:
    printed = party("Zofia Kwiatek", date_of_birth="born in the early 1960s, perhaps 1961")
    assert found(ScreeningSubject("Zofia Kwiatek", date_of_birth="1961-02-03"), printed).score == 1
    assert found(ScreeningSubject("Zofia Kwiatek", date_of_birth="1990"), printed).score == 0.8
    assert found(ScreeningSubject("Zofia Kwiatek", date_of_birth="1990"), party("Zofia Kwiatek")).score == 1


def test_countries_lift_and_lower_a_little() -> None:
    entry = party("Zofia Maria Kwiatek", countries=("IQ", "SY"))
    plain = found(ScreeningSubject("Zofia Kwiatek"), entry).score
    same = found(ScreeningSubject("Zofia Kwiatek", countries=("sy",)), entry)
    other = found(ScreeningSubject("Zofia Kwiatek", countries=("FR",)), entry)
    assert other.score < plain < same.score
    assert found(ScreeningSubject("Zofia Kwiatek", countries=("FR",)), party("Zofia Kwiatek")).score == 1


def test_another_kind_of_party_is_no_match() -> None:
    ship = party("Zofia Kwiatek", VESSEL)
    assert found(ScreeningSubject("Zofia Kwiatek", entity_type=PERSON), ship).score < 0.7
    assert found(ScreeningSubject("Zofia Kwiatek", entity_type=VESSEL), ship).score == 1
    assert found(ScreeningSubject("Zofia Kwiatek"), ship).score == 1


NUMBERED = party("ZEPHYRINE", VESSEL, identifiers=(RegistrationNumber(label="IMO number", value="9187629"),))
COMPANY = party(
    "Zephyrine LLC", ORGANIZATION, identifiers=(RegistrationNumber(label="Registration number", value="1027700132195"),)
)


@pytest.mark.parametrize("asked", ["9187629", "IMO 9187629", "IMO9187629", "imo no. 9187629", "Orlovska Star (IMO: 9187629)"])
def test_a_name_that_is_a_ships_number_finds_the_ship(asked: str) -> None:
    match = found(ScreeningSubject(asked), NUMBERED)
    assert match.score == 1
    assert "same IMO number" in match.reasons


@pytest.mark.parametrize("asked", ["1027700132195", "OGRN 1027700132195", "1 027 700 132 195"])
def test_a_name_that_is_a_registration_number_finds_the_party(asked: str) -> None:
    assert found(ScreeningSubject(asked), COMPANY).score == 1


def test_another_imo_number_lowers_a_ships_name() -> None:
    assert found(ScreeningSubject("Zephyrine IMO 9074729"), NUMBERED).score == 0.9


def test_a_numbered_company_is_no_identifier() -> None:
    other = party("Orlovska", ORGANIZATION, identifiers=(RegistrationNumber(label="Tax number", value="5367541"),))
    assert found(ScreeningSubject("5367541 Yukon Inc."), other).score < 0.7


# --------------------------------------------------------------------------------------------------------- explanation


def test_a_score_explains_itself_to_the_last_hundredth() -> None:
    entry = party("ORLOVSKA, Marta", aliases=("KWIATEK, Orlovi Maria",), countries=("SY",), birth_dates=("1960",))
    match = found(ScreeningSubject("Orlovi Kwiatekk", countries=("FR",), date_of_birth="1961"), entry)
    assert match.matched_name == "KWIATEK, Orlovi Maria"
    changes = [*match.penalties, *match.lifts]
    assert 1 + sum(change.change for change in changes) == pytest.approx(match.score, abs=2e-4)
    assert {change.feature for change in match.penalties} == {"person_parts", "dateOfBirth", "countries"}
    assert match.reasons[0].startswith("listed alias: ")
    assert len(match.reasons) == len(match.fields) == 3
    assert match.fields[0].breakdown is not None
    assert [pair.difference for pair in match.fields[0].breakdown.matched] == ["equal", "slip"]
    assert [word.word for word in match.fields[0].breakdown.added] == ["maria"]
    assert [item.name for item in match.name_scores] == ["KWIATEK, Orlovi Maria", "ORLOVSKA, Marta"]


def test_parties_come_best_first_and_equals_by_their_id() -> None:
    entries = [party("Zofia Kwiatek", entry_id="b"), party("Zofia Kwiatek", entry_id="a"), party("Zofia M. Kwiatek", entry_id="0")]
    ranked = rank_listed(ScreeningSubject("Zofia Kwiatek"), entries, floor=0.7)
    assert [match.entry.entry_id for match in ranked] == ["a", "b", "0"]


@pytest.mark.parametrize("asked", ["?", "-", "«»", "()", "的", "ـ", "Mr.", "The", "123", "a" * 300])
def test_any_text_can_be_screened(asked: str) -> None:
    entries = [party("Zofia Kwiatek"), party("?", ORGANIZATION), party("Dr", entry_id="2"), party("M/V", VESSEL)]
    for match in rank_listed(ScreeningSubject(asked), entries, floor=0.0):
        assert 0 <= match.score <= 1
