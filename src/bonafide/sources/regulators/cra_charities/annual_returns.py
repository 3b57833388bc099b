"""Data that annual returns add to the list, held by number until the list's row is read: one row for each charity and kind.

A return has no status, so a charity that is only in the returns has none either.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from bonafide.i18n.message import Message
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.regulators.cra_charities.charity import build_entry
from bonafide.sources.regulators.cra_charities.files import CharityFile

_WEBSITES = "websites"


@dataclass(frozen=True, slots=True)
class _ReturnRow:
    """One row and its position."""

    resource: Resource
    line: int
    cells: Mapping[str, str | None]


@dataclass(slots=True)
class AnnualReturns:
    """The rows that have not been joined to a charity yet."""

    none_read: bool = True
    _identifications: dict[str, _ReturnRow] = field(default_factory=dict)
    _websites: dict[str, _ReturnRow] = field(default_factory=dict)

    @classmethod
    def read(cls, files: Sequence[CharityFile], context: ParseContext) -> Self:
        """Read all rows, the newest year first. If a charity filed in several years, its last return is used."""
        returns = cls()
        for file in sorted(files, key=lambda file: file.year or "", reverse=True):
            rows = returns._websites if file.layout == _WEBSITES else returns._identifications
            returns.none_read = returns.none_read and rows is returns._websites
            for line, cells in file.rows(context):
                number = cells["number"]
                if number is None:
                    context.reject(file.resource, line, Message("{column} is empty", column="BN"))
                elif number in rows:
                    context.merge()
                else:
                    year = {} if rows is returns._websites else {"filing_year": file.year}
                    rows[number] = _ReturnRow(file.resource, line, cells | year)
        return returns

    def of(self, number: str | None, context: ParseContext) -> dict[str, str | None]:
        """Remove and return what the returns add to the list's row of a charity."""
        return self._take(self._identifications, number, context, ("account_name", "sub_category", "filing_year")) | self._take(
            self._websites, number, context, ("website",)
        )

    def rest(self, context: ParseContext) -> Iterator[RegulatoryEntry]:
        """Yield the charities that are not in the list. The website of an unknown charity is rejected."""
        for number in list(self._identifications):
            filed = self._identifications.pop(number)
            try:
                yield build_entry({**filed.cells, **self._take(self._websites, number, context, ("website",))}, context)
            except ValueError as error:
                context.reject(filed.resource, filed.line, error)
        for filed in self._websites.values():
            context.reject(filed.resource, filed.line, Message("the website belongs to no charity that was read"))

    @staticmethod
    def _take(
        rows: dict[str, _ReturnRow], number: str | None, context: ParseContext, names: tuple[str, ...]
    ) -> dict[str, str | None]:
        filed = rows.pop(number, None) if number is not None else None
        if filed is None:
            return {}
        context.merge()
        return {name: filed.cells[name] for name in names}
