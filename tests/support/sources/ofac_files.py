"""The saved files of OFAC's lists in a test: the same invented parties in each of the three forms."""

from pathlib import Path

from tests.support.paths import SOURCE_TESTS

SDN, CONSOLIDATED = "us-sanctions-ofac-sdn", "us-sanctions-ofac-consolidated"
FOLDER = SOURCE_TESTS / "sanctions"
SET = tuple(FOLDER / SDN / "set" / name for name in ("sdn.csv", "alt.csv", "add.csv", "sdn_comments.csv"))
CONSOLIDATED_SET = tuple(
    FOLDER / CONSOLIDATED / "set" / name for name in ("cons_prim.csv", "cons_alt.csv", "cons_add.csv", "cons_comments.csv")
)
FORMS: dict[str, tuple[str, tuple[Path, ...]]] = {
    "sdn set": (SDN, SET),
    "sdn enhanced": (SDN, (FOLDER / SDN / "enhanced.xml",)),
    "sdn advanced": (SDN, (FOLDER / SDN / "advanced.xml",)),
    "consolidated set": (CONSOLIDATED, CONSOLIDATED_SET),
    "consolidated enhanced": (CONSOLIDATED, (FOLDER / CONSOLIDATED / "enhanced.xml",)),
}
"""Each form of each list: whose it is, and its files."""
SDN_FORMS = [form for form, (key, _) in FORMS.items() if key == SDN]


def golden(form: str) -> Path:
    """The entries that a form must give."""
    return FOLDER / FORMS[form][0] / f"{form.partition(' ')[2]}.golden.json"


def altered(form: str, folder: Path, *changes: tuple[str, str]) -> Path:
    """A copy of an XML file with texts put in place of others, which must be in it."""
    (original,) = FORMS[form][1]
    text = original.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / original.name).write_text(text, encoding="utf-8")
    return folder / original.name
