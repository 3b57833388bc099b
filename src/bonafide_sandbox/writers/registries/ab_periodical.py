"""One issue of Alberta's Registrar's Periodical: plain text in sections."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from html import escape

from bonafide_sandbox.generator.business import BusinessKind, OfficeAddress, SandboxBusiness


class PeriodicalHeading(StrEnum):
    """The heading of a section."""

    REGISTERED = "Corporate Registrations, Incorporations, and Continuations"
    RENAMED = "Corporate Name Changes"
    INTENT = "Certificate of Intent to Dissolve"
    LIABLE = "Corporations Liable for Dissolution/Strike-Off/"
    STRUCK = "Corporations Dissolved/Struck Off/Registration Cancelled"
    REVIVED = "Corporations Revived/Reinstated/Restored"
    AMALGAMATED = "Notices of Amalgamation"


PROVINCES = {"AB": "ALBERTA", "BC": "BRITISH COLUMBIA", "SK": "SASKATCHEWAN", "ON": "ONTARIO"}
MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUNE", "JULY", "AUG", "SEPT", "OCT", "NOV", "DEC")
STRUCK_BEFORE = timedelta(days=300)
"""The interval between a corporation's strike-off and its revival."""
_SECOND_LINES = {PeriodicalHeading.LIABLE: "Cancellation of Registration\n"}
_ACTS = "(Business Corporations Act, Cooperatives Act, Societies Act)"


@dataclass(frozen=True, slots=True)
class PrintedPeriodical:
    """The notices of one issue by section."""

    day: date
    _notices: dict[PeriodicalHeading, list[str]] = field(default_factory=dict)

    def add(self, section: PeriodicalHeading, business: SandboxBusiness, kind: str, day: date) -> None:
        """Add a notice of an event on that date."""
        self._put(section, _line(section, business, kind, day))

    def add_amalgamation(self, gone: SandboxBusiness, into: SandboxBusiness) -> None:
        """Add a notice that a business amalgamated into another on the latter's registration date."""
        self._put(
            PeriodicalHeading.AMALGAMATED,
            f"Notice is hereby given that\n\t{gone.name.upper()}\n"
            f"were on {_day(into.registered_on)} amalgamated as one corporation under the name\n"
            f"\t{into.name.upper()}\n\tNo. {into.number}\n"
            f"The registered office of the corporation shall be\n\t{_street(into.address)}\n\t{_city(into.address)}\n",
        )

    def text(self) -> str:
        """Return the text of the issue."""
        notices = {PeriodicalHeading.REGISTERED: [], **self._notices}
        parts = [
            f"{section}\n{_SECOND_LINES.get(section, '')}{_ACTS}\n\n" + "\n".join(notices[section])
            for section in PeriodicalHeading
            if section in notices
        ]
        body = escape("\n\n_______________________\n\n".join(parts), quote=False)
        return (
            f"<html>\n<body>\n<p>Copyright and Disclaimer Print</p>\n<PRE>\nSERVICE ALBERTA\n\n{body}\n</PRE>\n</body>\n</html>\n"
        )

    def _put(self, section: PeriodicalHeading, text: str) -> None:
        self._notices.setdefault(section, []).append(text)


def _line(section: PeriodicalHeading, business: SandboxBusiness, kind: str, day: date) -> str:
    name, number = business.name.upper(), business.number
    how = "Registered" if business.kind is BusinessKind.EXTRA_PROVINCIAL else "Incorporated"
    born = f"{kind} {how} {_day(business.registered_on)}"
    if section is PeriodicalHeading.REGISTERED:
        return f"{name} {born} Registered Address: {_street(business.address)}, {_city(business.address)}. No: {number}."
    if section is PeriodicalHeading.RENAMED:
        former = business.former_names[0].name.upper()
        return f"{former} {born}. New Name: {name.removesuffix('.')}. Effective Date: {_day(day)}. No: {number}."
    if section is PeriodicalHeading.INTENT:
        return f"{number} {name} {_day(day)}."
    if section is PeriodicalHeading.REVIVED:
        struck = _day(day - STRUCK_BEFORE)
        return f"{name} {born}. Struck-Off The Alberta Register {struck}. Revived {_day(day)}. No: {number}."
    return f"{name} {_day(day)}."


def _day(day: date) -> str:
    return f"{day.year} {MONTHS[day.month - 1]} {day.day:02d}"


def _street(address: OfficeAddress) -> str:
    unit = f"{address.unit}, " if address.unit is not None else ""
    return f"{unit}{address.street.upper()}"


def _city(address: OfficeAddress) -> str:
    province = PROVINCES.get(address.province, address.province)
    return f"{address.city.upper()} {province}, {address.postal_code.replace(' ', '')}"
