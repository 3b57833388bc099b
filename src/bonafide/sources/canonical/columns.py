"""The columns of the canonical layout: their names, meanings and forms.

It says what a column is called and what it holds; how a value is read is in `fields`.
"""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class CanonicalColumn:
    """One column: its name, what it means, the form of its values and an example, as the reference page prints them."""

    name: str
    meaning: str
    form: str
    example: str
    required: bool = False


COLUMNS = (
    CanonicalColumn("registration_number", "The number that the register gave", "text", "`1000017`", required=True),
    CanonicalColumn(
        "number_label",
        "What that number is called, where it is not the register's usual one",
        "text",
        "`Business Identification Number`",
    ),
    CanonicalColumn("legal_name", "The legal name", "text", "`Sample Bakery Inc.`", required=True),
    CanonicalColumn(
        "alternate_names",
        "Names in use beside it: the other language's form, trade names",
        "list",
        "`Boulangerie Sample inc.; The Oven`",
    ),
    CanonicalColumn(
        "former_names",
        "Names borne before",
        "list of `Name` or `Name (date to date)`, either date or both",
        "`Old Bakery Ltd. (2001-02-03 to 2010-01-31)`",
    ),
    CanonicalColumn("business_number", "The CRA business number", "text", "`123456782`"),
    CanonicalColumn("other_numbers", "Other numbers, each with what it is called", "list of `label=number`", "`NEQ=1160000017`"),
    CanonicalColumn("entity_type", "The legal form, in the register's words", "text", "`Business corporation`"),
    CanonicalColumn("status", "The status, in the register's words", "text", "`In Compliance`"),
    CanonicalColumn("status_code", "The common status, where you know better than the words", "a status code", "`active`"),
    CanonicalColumn("incorporation_date", "The day of incorporation or first registration", "date", "`2001-02-03`"),
    CanonicalColumn(
        "good_standing", "Whether the register calls it in good standing; empty when it doesn't say", "yes or no", "`yes`"
    ),
    CanonicalColumn(
        "home_jurisdiction",
        "Where it was formed, if that is elsewhere; a Canadian jurisdiction by code or name",
        "text",
        "`FED`",
    ),
    CanonicalColumn("home_number", "Its number there", "text", "`426160-7`"),
    CanonicalColumn("street", "Street of the registered office", "text", "`100 Bay St`"),
    CanonicalColumn("unit", "Unit, suite or floor", "text", "`200`"),
    CanonicalColumn("city", "City", "text", "`Toronto`"),
    CanonicalColumn("province", "Province, territory or state", "text", "`ON`"),
    CanonicalColumn("postal_code", "Postal code, with or without its space", "text", "`M5J 2N8`"),
    CanonicalColumn("country", "Country", "text", "`CA`"),
    CanonicalColumn("directors", "Directors", "list of names", "`Ann Sample; Luc Exemple`"),
    CanonicalColumn(
        "people",
        "Anyone whom the register names, with their roles",
        "list of `Name` or `Name [Role, Role]`",
        "`Ann Sample [Director, President]`",
    ),
    CanonicalColumn("source_url", "The register's page of this business", "web address", "`https://register.example/1000017`"),
)
COLUMN_NAMES = tuple(column.name for column in COLUMNS)
REQUIRED_COLUMNS = tuple(column.name for column in COLUMNS if column.required)


def to_snake_case(name: str) -> str:
    """`legalName` as `legal_name`; a name in snake case is left as it is."""
    return _CAMEL.sub("_", name.strip()).lower()


def find_nearest(word: str, known: Iterable[str]) -> str:
    """The one of the known words that is most like a word that is not among them."""
    return difflib.get_close_matches(to_snake_case(word), list(known), n=1, cutoff=0.0)[0]
