"""The columns of the canonical layout: the one table from which files are read and the reference page is checked.

It says what a column is called and what it holds; how a value is read is in `canonical_fields`.
"""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, what it means, the form of its values and an example, as the reference page prints them."""

    name: str
    meaning: str
    form: str
    example: str
    required: bool = False


COLUMNS = (
    Column("registration_number", "The number that the register gave", "text", "`1000017`", required=True),
    Column(
        "number_label",
        "What that number is called, where it is not the register's usual one",
        "text",
        "`Business Identification Number`",
    ),
    Column("legal_name", "The legal name", "text", "`Sample Bakery Inc.`", required=True),
    Column(
        "alternate_names",
        "Names in use beside it: the other language's form, trade names",
        "list",
        "`Boulangerie Sample inc.; The Oven`",
    ),
    Column(
        "former_names",
        "Names borne before",
        "list of `Name` or `Name (date to date)`, either date or both",
        "`Old Bakery Ltd. (2001-02-03 to 2010-01-31)`",
    ),
    Column("business_number", "The CRA business number", "text", "`123456782`"),
    Column("other_numbers", "Other numbers, each with what it is called", "list of `label=number`", "`NEQ=1160000017`"),
    Column("entity_type", "The legal form, in the register's words", "text", "`Business corporation`"),
    Column("status", "The status, in the register's words", "text", "`In Compliance`"),
    Column("status_code", "The common status, where you know better than the words", "a status code", "`active`"),
    Column("incorporation_date", "The day of incorporation or first registration", "date", "`2001-02-03`"),
    Column("good_standing", "Whether the register calls it in good standing; empty when it doesn't say", "yes or no", "`yes`"),
    Column(
        "home_jurisdiction",
        "Where it was formed, if that is elsewhere; a Canadian jurisdiction by code or name",
        "text",
        "`FED`",
    ),
    Column("home_number", "Its number there", "text", "`426160-7`"),
    Column("street", "Street of the registered office", "text", "`100 Bay St`"),
    Column("unit", "Unit, suite or floor", "text", "`200`"),
    Column("city", "City", "text", "`Toronto`"),
    Column("province", "Province, territory or state", "text", "`ON`"),
    Column("postal_code", "Postal code, with or without its space", "text", "`M5J 2N8`"),
    Column("country", "Country", "text", "`CA`"),
    Column("directors", "Directors", "list of names", "`Ann Sample; Luc Exemple`"),
    Column(
        "people",
        "Anyone whom the register names, with their roles",
        "list of `Name` or `Name [Role, Role]`",
        "`Ann Sample [Director, President]`",
    ),
    Column("source_url", "The register's page of this business", "web address", "`https://register.example/1000017`"),
)
NAMES = tuple(column.name for column in COLUMNS)
REQUIRED = tuple(column.name for column in COLUMNS if column.required)


def snake_case(name: str) -> str:
    """`legalName` as `legal_name`; a name in snake case is left as it is."""
    return _CAMEL.sub("_", name.strip()).lower()


def nearest(word: str, known: Iterable[str]) -> str:
    """The one of the known words that is most like a word that is not among them."""
    return difflib.get_close_matches(snake_case(word), list(known), n=1, cutoff=0.0)[0]
