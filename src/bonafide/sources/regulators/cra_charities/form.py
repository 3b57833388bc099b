"""The search form of the list of charities, as far as it takes to be sent the whole list.

It asks for everything: a narrower question would be another list.
"""

from bonafide.errors import ParseFailed
from bonafide.sources.parse_html import read_html

TOKEN = "token"  # noqa: S105 - the name of a field
FIELDS = (
    "q.srchNm",
    "q.bnRtNmbr",
    "q.bnAccntNmbr",
    "q.stts",
    "q.sttsEffctvDt",
    "q.snctnTypCd",
    "q.cty",
    "q.prvncSttCd",
    "q.pstlZpCd",
    "q.dsgntnTyp",
    "q.chrtyTyp",
    "q.chrtyCtgry",
)
"""Left empty: of any name, number, status, place and kind."""


def filled(page: bytes, name: str) -> dict[str, str]:
    """The fields of the form filled in. Raises `ParseFailed` for a page without the form's token."""
    found = read_html(page, name=name).css(f'input[name="{TOKEN}"]')
    value = found[0].attributes.get("value") if found else None
    if not value:
        raise ParseFailed(f"{name} has no form with a token; the site is closed between 2 and 6 a.m. Eastern time")
    return {"struts.token.name": TOKEN, TOKEN: value, **dict.fromkeys(FIELDS, ""), "p": "1"}
