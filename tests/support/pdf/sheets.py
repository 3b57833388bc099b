"""Invented sheets to print, and ways to look into what was printed."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from io import BytesIO
from typing import Any
from uuid import UUID

from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, PdfObject, StreamObject

from bonafide.i18n.language import Language
from bonafide.model.entity import (
    Address,
    EntityTypeCode,
    NaicsClass,
    NameHistoryItem,
    Part,
    Person,
    RegistrationNumber,
    RoleCategory,
    RoleDetail,
    StatusCode,
)
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route
from bonafide.pdf.print_models import (
    GoodStandingStatus,
    PrintedBusinessReport,
    PrintedEvidence,
    PrintedGoodStanding,
    PrintedProvenance,
)

DOCUMENT_ID = UUID("0190a5f2-7c1e-7d54-9a3b-5f0c2f7e8d11")
ISSUED_AT = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)
RETRIEVED_AT = datetime(2026, 11, 20, 14, 32, 51, tzinfo=UTC)
SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
DIRECTOR = RoleDetail(category=RoleCategory.DIRECTOR, label="Director")
PRESIDENT = RoleDetail(category=RoleCategory.OFFICER, label="President")


def former(name: str, since: date | None, until: date | None) -> NameHistoryItem:
    return NameHistoryItem(type="former", name=name, effective_date=since, end_date=until)


def person(name: str, **given: Any) -> Person:
    return Person(**({"name": name, "roles": ("Director",), "role_details": (DIRECTOR,)} | given))


def bare_sheet(**given: Any) -> PrintedBusinessReport:
    """A sheet of which the register states nothing but the name."""
    values: dict[str, Any] = {
        "language": Language.ENGLISH,
        "document_id": DOCUMENT_ID,
        "issued_at": ISSUED_AT,
        "jurisdiction": Jurisdiction.PE,
        "legal_name": "Dunes & Dories Inc.",
        "good_standing": PrintedGoodStanding(answer=GoodStandingStatus.NOT_KNOWN, reason="Annual returns are not published."),
        "provenance": PrintedProvenance(
            source="The island's register of companies", url=None, as_of=None, retrieved_at=RETRIEVED_AT, route=Route.BULK
        ),
    }
    return PrintedBusinessReport(**(values | given))


def full_sheet(**given: Any) -> PrintedBusinessReport:
    """A sheet with every value stated."""
    values: dict[str, Any] = {
        "jurisdiction": Jurisdiction.ON,
        "legal_name": "Rye & Barley Bakery Inc.",
        "alternate_names": ("The Golden Crust", "Boulangerie du Sable"),
        "registration_numbers": (
            RegistrationNumber(label="Ontario Corporation Number", value="1000017"),
            RegistrationNumber(label="Business Number (BN)", value="123456782"),
        ),
        "entity_type": "Ontario Business Corporation",
        "entity_type_code": EntityTypeCode.CORPORATION,
        "status": "Active",
        "status_code": StatusCode.ACTIVE,
        "incorporation_date": date(2009, 3, 2),
        "home_jurisdiction": "NB",
        "home_number": "059123",
        "good_standing": PrintedGoodStanding(
            answer=GoodStandingStatus.GOOD, reason="The last annual return that was due is filed."
        ),
        "addresses": (
            Address(street="12-480 Oven Street", city="Toronto", province="ON", postal_code="M5V 1A1", country="Canada"),
            Address(raw="P.O. Box 17, Station B, Ottawa"),
        ),
        "people": (
            person(
                "Anneliese Roggenbrot", role_details=(DIRECTOR, PRESIDENT), addresses=(Address(raw="9 Rye Lane"),), ownership=33.5
            ),
            person("Étienne Lévesque-Dubé", shares_held="1,200 Class A"),
        ),
        "name_history": (
            former("Crumb Inc.", None, date(2009, 3, 1)),
            former("Rye Bread Company Ltd.", date(2009, 3, 2), date(2015, 6, 30)),
            former("Dough Works Ltd.", date(2015, 6, 30), None),
            former("Loaf Ltd.", None, None),
        ),
        "naics_classification": (NaicsClass(code="311811", description="Retail bakeries"), NaicsClass(code="445291")),
        "unpublished": (Part.INDUSTRY,),
        "limits": ("Holdings come from the annual return.",),
        "provenance": PrintedProvenance(
            source="Ontario's register",
            url="https://register.example/1000017",
            as_of=date(2026, 11, 1),
            retrieved_at=RETRIEVED_AT,
            route=Route.LIVE,
        ),
        "evidence": (PrintedEvidence(asked="Profile of 1000017", retrieved_at=RETRIEVED_AT, size=48213, sha256=SHA256),),
    }
    return bare_sheet(**(values | given))


def pages_of(pdf: bytes) -> list[str]:
    """The text of each page, its lines joined and its spaces made plain."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(pdf)).pages]


def text_of(pdf: bytes) -> str:
    return " ".join(pages_of(pdf))


def object_at(start: PdfObject, *keys: str) -> PdfObject:
    """The object that these keys lead to, one dictionary after the other."""
    found: PdfObject | None = start
    for key in keys:
        assert isinstance(found, DictionaryObject), key
        found = found[key].get_object()
    assert found is not None
    return found


def root_object(pdf: bytes, *keys: str) -> PdfObject:
    """The object that these keys lead to from the root of the document."""
    return object_at(PdfReader(BytesIO(pdf)).root_object, *keys)


def metadata_of(pdf: bytes) -> str:
    """The XMP metadata of the document."""
    stream = root_object(pdf, "/Metadata")
    assert isinstance(stream, StreamObject)
    return stream.get_data().decode()


def structure_of(pdf: bytes) -> Iterator[str]:
    """The tags of the logical structure, in reading order."""
    return _tags(root_object(pdf, "/StructTreeRoot", "/K"))


def _tags(node: PdfObject | None) -> Iterator[str]:
    if isinstance(node, IndirectObject):
        node = node.get_object()
    if isinstance(node, ArrayObject):
        for child in node:
            yield from _tags(child)
    elif isinstance(node, DictionaryObject):
        if "/S" in node:
            yield str(node["/S"])
        yield from _tags(node.get("/K"))
