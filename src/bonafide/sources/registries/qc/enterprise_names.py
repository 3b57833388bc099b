"""What an enterprise is called and was called, from its rows of Nom.csv.

An individual's own name is the name of a person. The register says that it publishes none; should one be in the file all the same,
it stops here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from bonafide.i18n.message import Message
from bonafide.model.entity import NameHistoryItem
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.registries.qc.archive import QuebecRow, QuebecTable

NAMES = QuebecTable(
    "names",
    "Nom.csv",
    ("NEQ", "NOM_ASSUJ", "NOM_ASSUJ_LANG_ETRNG", "STAT_NOM", "TYP_NOM_ASSUJ", "DAT_INIT_NOM_ASSUJ", "DAT_FIN_NOM_ASSUJ"),
)
CURRENT, FORMER, FUTURE, RESERVED = "V", "A", "F", "R"
LEGAL, NUMBERED, OTHER = "N", "M", "A"
_RANKS = {LEGAL: 0, NUMBERED: 1, OTHER: 2}
"""Which type of name goes before which as the legal one."""
_LAST_RANK = 3
_NEVER = date.min


@dataclass(frozen=True, slots=True)
class EnterpriseName:
    """A row of Nom.csv, as it is used."""

    text: str
    foreign: str | None
    """Its form in another language than French."""
    status: str
    type: str
    start: date | None
    end: date | None

    @property
    def forms(self) -> tuple[str, ...]:
        """The name and its form in another language."""
        return (self.text,) if self.foreign is None else (self.text, self.foreign)


@dataclass(frozen=True, slots=True)
class EnterpriseNames:
    """The names of an enterprise. `legal` is None without a published name."""

    legal: str | None
    alternate: tuple[str, ...]
    history: tuple[NameHistoryItem, ...]


def build_names(
    records: Sequence[QuebecRow], establishments: Sequence[str], context: ParseContext, *, individual: bool
) -> EnterpriseNames:
    """The names of an enterprise, with those of its establishments. Raises `ValueError` for an invalid date.

    The register lists the name of a struck-off enterprise as a former one, so its latest name is used as the legal name.
    """
    names = [name for record in records if (name := _parse_name(record, context)) is not None]
    if individual:
        names = [name for name in names if name.type != LEGAL]
    current = sorted((name for name in names if name.status == CURRENT), key=_rank_name)
    former = [name for name in names if name.status == FORMER]
    if not current and former:
        last = min(former, key=lambda name: (-(name.end or _NEVER).toordinal(), _rank_name(name)))
        former.remove(last)
        current = [last]
    if not current:
        return EnterpriseNames(None, (), tuple(_build_history(former)))
    legal = current[0].text
    others = dict.fromkeys([*(form for name in current for form in name.forms), *establishments])
    others.pop(legal, None)
    return EnterpriseNames(legal, tuple(others), tuple(_build_history(former)))


def _rank_name(name: EnterpriseName) -> int:
    return _RANKS.get(name.type, _LAST_RANK)


def _parse_name(record: QuebecRow, context: ParseContext) -> EnterpriseName | None:
    """The name; None for a row without one, and for a name that is reserved or not yet in force."""
    _, name, foreign, status, kind, start, end = record.cells
    text = normalize_whitespace(name)
    status, kind = status.strip(), kind.strip()
    if status not in {CURRENT, FORMER}:
        if status not in {FUTURE, RESERVED}:
            context.term(f"STAT_NOM {status}")
        return None
    if kind not in _RANKS:
        context.term(f"TYP_NOM_ASSUJ {kind}")
    if text is None:
        return None
    return EnterpriseName(
        text,
        normalize_whitespace(foreign),
        status,
        kind,
        parse_day(start, "DAT_INIT_NOM_ASSUJ"),
        parse_day(end, "DAT_FIN_NOM_ASSUJ"),
    )


def _build_history(former: Sequence[EnterpriseName]) -> Iterator[NameHistoryItem]:
    for name in former:
        for form in name.forms:
            yield NameHistoryItem(type="former", name=form, effective_date=name.start, end_date=name.end)


def parse_day(cell: str, column: str) -> date | None:
    """The day of a cell, `2004-09-08` with or without a time; None when it is blank. Raises `ValueError` for anything else."""
    text = cell.strip()
    if text == "":
        return None
    try:
        return date.fromisoformat(text[:10].replace("/", "-"))
    except ValueError:
        raise ValueError(Message("{column} is not a date", column=column)) from None
