"""Ownership as CSV: what people write in sheets, what is refused where, and exports that are read again."""

from datetime import date
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.ownership.file_format import OwnershipFileOptions
from bonafide.model.ownership.statement import Claimant, OwnershipStatement, ShareBand
from bonafide.services.ownership.formats.csv_columns import EXPORTED
from bonafide.services.ownership.formats.csv_interests import read_csv, write_csv
from bonafide.services.ownership.formats.csv_shares import format_share, parse_share
from tests.support.ownership_files import BUSINESS_ID, SUBJECT, build_answer, build_statement, statements
from tests.support.sampling import examples

OPTIONS = OwnershipFileOptions(as_of=date(2026, 11, 1))


def read(*lines: str, options: OwnershipFileOptions = OPTIONS) -> OwnershipStatement:
    return read_csv("\r\n".join(lines).encode(), SUBJECT, options).to_statement()


def list_problems(*lines: str) -> list[str]:
    with pytest.raises(ValidationFailed) as refused:
        read(*lines)
    return [problem.path for problem in refused.value.details]


def test_a_small_sheet() -> None:
    statement = read(
        "Owner,Owner kind,Owned,Share",
        "Holding Ltd.,company,,57 %",
        "Jane Doe,person,HOLDING LTD.,25%-50%",
    )
    assert [(party.id, party.kind, party.name) for party in statement.parties] == [
        ("business", "business", "Sandbox Bakery Inc."),
        ("Holding Ltd.", "business", "Holding Ltd."),
        ("Jane Doe", "person", "Jane Doe"),
    ]
    assert statement.parties[0].business_id == BUSINESS_ID
    first, second = statement.interests
    assert (first.owner, first.owned, first.kind, first.share) == ("Holding Ltd.", "business", "shares", ShareBand(exact=0.57))
    assert (second.owner, second.owned, second.share) == ("Jane Doe", "Holding Ltd.", ShareBand(min=0.25, max=0.5))
    assert (statement.claimed_by, statement.as_of) == (Claimant.DECLARED, date(2026, 11, 1))


def test_a_french_sheet_with_semicolons() -> None:
    statement = read(
        "\ufeffPropriétaire;Genre;Type de propriétaire;Date de naissance du propriétaire;Part;De;Preuve".replace(
            "Genre;", ""
        ).replace("Date de naissance du propriétaire", "propriétaire date de naissance"),
        "Zoé Tremblay;personne;1975-06-20;33,5 %;2021;Registre, page 2",
    )
    (interest,) = statement.interests
    assert (interest.share, interest.from_, interest.evidence) == (ShareBand(exact=0.335), "2021", "Registre, page 2")
    assert statement.parties[1].date_of_birth == "1975-06-20"


def test_one_party_has_its_details_in_any_row() -> None:
    header = "owner,ownerId,ownerKind,ownerDateOfBirth,ownerCountries,owned,kind,share"
    statement = read(
        header,
        "Jane Doe,,,,,,votes,10%",
        "Jane Doe,j1,person,1975,CA; FR,,shares,10%",
        "Jane  DOE,j1,,,,,director,",
    )
    assert [party.id for party in statement.parties] == ["business", "j1"]
    assert (statement.parties[1].date_of_birth, statement.parties[1].countries) == ("1975", ("CA", "FR"))
    assert {interest.owner for interest in statement.interests} == {"j1"}


def test_unknown_owners_need_no_name() -> None:
    statement = read("owner,ownerKind,share", ",unknown,<25%", ",unknown,", "Minority,unknown,10%")
    assert [party.name for party in statement.parties[1:]] == [None, None, "Minority"]


def test_the_claimant_is_the_one_of_the_rows() -> None:
    lines = ("owner,ownerKind,claimedBy", "Jane Doe,person,registry")
    assert read(*lines).claimed_by is Claimant.REGISTRY
    assert read(*lines, options=OwnershipFileOptions(as_of=date(2026, 1, 1), claimed_by=Claimant.LEI)).claimed_by is Claimant.LEI
    assert list_problems(*lines, "John Doe,person,declared") == ["lines.3.claimedBy"]


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("40", {"exact": 0.4}),
        ("40 %", {"exact": 0.4}),
        ("33,33%", {"exact": 0.3333}),
        ("0.4%", {"exact": 0.004}),
        ("0", {"exact": 0.0}),
        ("1-25", {"min": 0.01, "max": 0.25, "exclusiveMin": False, "exclusiveMax": False}),
        ("0.5%-50", {"min": 0.005, "max": 0.5, "exclusiveMin": False, "exclusiveMax": False}),
        ("25-50", {"min": 0.25, "max": 0.5, "exclusiveMin": False, "exclusiveMax": False}),
        ("25 % – 50 %", {"min": 0.25, "max": 0.5, "exclusiveMin": False, "exclusiveMax": False}),
        (">25% to <50%", {"min": 0.25, "max": 0.5, "exclusiveMin": True, "exclusiveMax": True}),
        ("plus de 25 % à 50 %", {"min": 0.25, "max": 0.5, "exclusiveMin": True, "exclusiveMax": False}),
        ("≥ 25", {"min": 0.25, "exclusiveMin": False}),
        ("at most 10%", {"max": 0.1, "exclusiveMax": False}),
        ("less than 10%", {"max": 0.1, "exclusiveMax": True}),
    ],
)
def test_shares_as_people_write_them(text: str, share: dict[str, Any]) -> None:
    assert parse_share(text) == share


@pytest.mark.parametrize(
    "text",
    [
        "0.4",
        "1",
        "0.25-0.5",
        "0.25-1",
        "0.5-50",
        "< 0.5",
        "half",
        "101%",
        "40%%",
        "10-20-30",
        "<10-20",
        "10 - >20",
        "-5",
        "4e1",
        "",
    ],
)
def test_an_unclear_share_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_share(text)


@given(st.floats(0, 1), st.floats(0, 1), st.booleans(), st.booleans())
@example(1 / 3, 2 / 3, False, True)  # noqa: FBT003 - a case
@example(5e-324, 1.0, True, True)  # noqa: FBT003 - a case
@examples(100)
def test_every_share_is_read_as_it_is_written(one: float, other: float, is_open: bool, is_band: bool) -> None:  # noqa: FBT001 - drawn
    low, high = sorted((one, other))
    is_proper = is_band and low < high
    share = ShareBand(min=low, max=high, exclusive_min=is_open, exclusive_max=not is_open) if is_proper else ShareBand(exact=low)
    assert ShareBand.model_validate(parse_share(format_share(share))) == share


def test_every_term_survives() -> None:
    statement = build_statement(declaredBy=None)
    read_again = read_csv(write_csv(build_answer([statement])), SUBJECT, OPTIONS).to_statement()
    assert {party.id: party for party in read_again.parties} == {party.id: party for party in statement.parties}
    assert read_again.interests == statement.interests


@given(statements(Claimant.DOCUMENT))
@examples(60)
def test_arbitrary_interests_survive(statement: OwnershipStatement) -> None:
    assume(any(interest.owned == statement.parties[0].id for interest in statement.interests))
    read_again = read_csv(write_csv(build_answer([statement])), SUBJECT, OPTIONS).to_statement()
    assert read_again.interests == statement.interests
    assert read_again.claimed_by is Claimant.DOCUMENT
    used = {end for interest in statement.interests for end in (interest.owner, interest.owned)}
    known = {party.id: party for party in read_again.parties}
    assert all(known[party.id] == party for party in statement.parties if party.id in used)


def test_an_export_has_no_formula() -> None:
    parties = [
        {"id": "business", "kind": "business", "name": "Sandbox Bakery Inc.", "businessId": str(BUSINESS_ID)},
        {"id": "=1+1", "kind": "person", "name": "=HYPERLINK(1)"},
    ]
    statement = build_statement(parties=parties, interests=[{"id": "1", "owner": "=1+1", "owned": "business", "kind": "director"}])
    written = write_csv(build_answer([statement]))
    assert b"'=HYPERLINK(1),'=1+1" in written
    assert read_csv(written, SUBJECT, OPTIONS).to_statement().parties[1].name == "=HYPERLINK(1)"


def test_a_cell_with_any_delimiter_is_in_quotes() -> None:
    parties = [
        {"id": "business", "kind": "business", "name": "Sandbox Bakery Inc.", "businessId": str(BUSINESS_ID)},
        {"id": "j", "kind": "person", "name": "Jane; =1+1", "countries": ["Here; there", "CA"]},
    ]
    statement = build_statement(parties=parties, interests=[{"id": "1", "owner": "j", "owned": "business", "kind": "director"}])
    written = write_csv(build_answer([statement]))
    assert b'"Jane; =1+1",j,' in written
    assert read_csv(written, SUBJECT, OPTIONS).to_statement().parties[1].countries == ("Here; there", "CA")


def test_an_export_begins_with_a_byte_order_mark() -> None:
    assert write_csv(build_answer([build_statement()])).startswith(b"\xef\xbb\xbfowner,")


# ------------------------------------------------------------------------------------------------------------ the business

OTHER_ID = "11111111-1111-1111-1111-111111111111"
WITH_OWNED = "owner,ownerKind,owned,ownedId,ownedBusinessId,share"


@pytest.mark.parametrize(
    "owned",
    [",,", "SANDBOX  bakery inc.,,", "Sandbox Bakery Inc.,B1,", f",{BUSINESS_ID},", f"Bakery,B1,{str(BUSINESS_ID).upper()}"],
)
def test_the_business_is_recognized_by_id_or_name(owned: str) -> None:
    statement = read(WITH_OWNED, f"Jane,person,{owned},60%")
    assert [party.business_id for party in statement.parties] == [BUSINESS_ID, None]
    assert [interest.owned for interest in statement.interests] == [statement.parties[0].id]


def test_the_business_is_one_party_however_it_is_written() -> None:
    rows = ("Jane,person,,,,10%", "Joe,person,Sandbox Bakery Inc.,,,10%", f"Ann,person,Sandbox Bakery Inc.,B1,{BUSINESS_ID},10%")
    statement = read(WITH_OWNED, *rows)
    assert [(party.id, party.business_id) for party in statement.parties[:2]] == [("B1", BUSINESS_ID), ("Jane", None)]
    assert {interest.owned for interest in statement.interests} == {"B1"}


def test_another_business_of_the_same_name_is_another_party() -> None:
    rows = (f"Jane,person,Sandbox Bakery Inc.,B1,{BUSINESS_ID},60%", f"Joe,person,Sandbox Bakery Inc.,B2,{OTHER_ID},60%")
    assert [party.id for party in read(WITH_OWNED, *rows).parties] == ["B1", "Jane", "Joe", "B2"]


def test_the_id_of_the_business_overwrites_no_party() -> None:
    statement = read("owner,ownerId,ownerKind,share", "Holding Ltd.,business,company,60%", "Jane,,person,40%")
    assert [(party.id, party.name) for party in statement.parties] == [
        ("business 2", "Sandbox Bakery Inc."),
        ("business", "Holding Ltd."),
        ("Jane", "Jane"),
    ]


@pytest.mark.parametrize(
    ("rows", "path"),
    [
        (("Jane,person,Sandbox Bakery Incorporated,,,60%",), "lines.2.owned"),
        ((f"Jane,person,Other Ltd.,business,{OTHER_ID},60%",), "lines.2.owned"),
        ((f"Jane,person,Sandbox Bakery Inc.,,{OTHER_ID},60%",), "lines.2.ownedBusinessId"),
        ((f"Jane,person,,,{OTHER_ID},60%",), "lines.2.ownedBusinessId"),
        ((f"Jane,person,,B1,{BUSINESS_ID},60%", f"Joe,person,,B2,{BUSINESS_ID},40%"), "lines.3.ownedId"),
    ],
)
def test_a_file_about_another_business_is_refused(rows: tuple[str, ...], path: str) -> None:
    assert list_problems(WITH_OWNED, *rows) == [path]


@pytest.mark.parametrize(("one", "other"), [("कि", "की"), ("Group 1 2 Ltd", "Group 12 Ltd"), ("José", "Jose")])
def test_names_that_differ_in_a_sign_are_different_parties(one: str, other: str) -> None:
    assert [party.name for party in read("owner,ownerKind", f"{one},person", f"{other},person").parties[1:]] == [one, other]


def test_width_case_and_spaces_are_no_difference() -> None:
    statement = read("owner,ownerKind,kind", "Acme Ltd.,business,votes", "ＡＣＭＥ  ltd.,,control")
    assert [party.name for party in statement.parties[1:]] == ["Acme Ltd."]


def test_at_most_twenty_problems_are_listed() -> None:
    assert len(list_problems("owner,ownerKind", *["Jane"] * 1000)) == 20


def test_an_unclosed_quote_is_named() -> None:
    for lines in (('owner,"ownerKind', "Jane,person"), ("owner,ownerKind", 'Jane,"person')):
        with pytest.raises(ValidationFailed) as refused:
            read(*lines)
        assert refused.value.details[0].message == Message("a quote is not closed")


@pytest.mark.parametrize(
    ("lines", "path"),
    [
        ((), "lines.1"),
        (("name,share", "Jane,5%"), "lines.1.name"),
        (("owner,owner", "Jane,Jane"), "lines.1.owner"),
        (("share", "5%"), "lines.1"),
        (("owner,ownerKind,share", "Jane,person,0.4"), "lines.2.share"),
        (("owner,ownerKind", "Jane,human"), "lines.2.ownerKind"),
        (("owner,ownerKind,kind", "Jane,person,love"), "lines.2.kind"),
        (("owner,share", "Jane,5%"), "lines.2.ownerKind"),
        (("owner,ownerKind,share", ",person,5%"), "lines.2.owner"),
        (("owner,ownerKind,share", "Jane,person"), "lines.2"),
        (("owner,ownerKind", 'Jane,"person'), "lines.2"),
        (
            ("owner,ownerKind,ownerDateOfBirth,kind", "Jane,person,1975,director", "Jane,person,1980,shares"),
            "lines.3.ownerDateOfBirth",
        ),
        (("owner,ownerKind,Depuis", "Jane,person,someday"), "lines.2.Depuis"),
        (("owner,ownerKind,ownerBusinessId", "Acme,business,17"), "lines.2.ownerBusinessId"),
        (("owner,ownerKind,owned,ownedKind", "Jane,person,,", "Jane,person,Joe,person"), "lines.3.owned"),
        (("owner,ownerKind,share", "Jane,person,60%", "Joe,person,60%"), "lines.3.share"),
        (("owner,ownerKind,share",), ""),
        (("owner,ownerKind,share", "Jane,person,0.5-50"), "lines.2.share"),
        (('owner,"ownerKind', "Jane,person"), "lines.1"),
        (("owner,ownerKind\rJane,person\r",), "lines.1"),
        (("owner,ownerId,ownerKind,kind", "Jane,1,person,votes", "Jane,2,person,votes", "Jane,,person,shares"), "lines.4.owner"),
    ],
)
def test_a_refusal_names_line_and_column(lines: tuple[str, ...], path: str) -> None:
    assert path in list_problems(*lines)


def test_bytes_that_are_not_utf8_are_refused() -> None:
    with pytest.raises(ValidationFailed) as refused:
        read_csv("owner,ownerKind\r\nZoé,person".encode("latin-1"), SUBJECT, OPTIONS)
    assert refused.value.details[0].path == "lines.2"


def test_the_day_is_required() -> None:
    with pytest.raises(ValidationFailed) as refused:
        read("owner,ownerKind", "Jane,person", options=OwnershipFileOptions())
    assert refused.value.details[0].path == "asOf"


def test_too_many_rows_are_refused() -> None:
    assert list_problems("owner,ownerKind,kind", *(f"Jane {number},person,director" for number in range(2001))) == ["lines.2002"]


def test_the_columns_of_an_export_are_known() -> None:
    assert read(",".join(EXPORTED), ",".join(["Jane Doe", "", "person", *[""] * (len(EXPORTED) - 3)])).interests
