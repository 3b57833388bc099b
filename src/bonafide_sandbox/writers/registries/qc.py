"""Quebec's open data, as downloaded by hand: a ZIP of six CSV files, each sorted by NEQ.

The files contain no people. Sole proprietors appear only by trade name, and some of their addresses are withheld.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import chain, repeat
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import LIVE_STATUSES, BusinessKind, LifecycleStatus, OfficeAddress, SandboxBusiness
from bonafide_sandbox.generator.registers import BY_JURISDICTION
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.formats.sorted_zip import SortedZip
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import RegisterWriterFactory, TargetFile

FILES = {
    "Entreprise.csv": (
        "NEQ", "IND_FAIL", "DAT_IMMAT", "COD_REGIM_JURI", "COD_INTVAL_EMPLO_QUE", "DAT_CESS_PREVU", "COD_STAT_IMMAT",
        "COD_FORME_JURI", "DAT_STAT_IMMAT", "COD_REGIM_JURI_CONSTI", "DAT_DEPO_DECLR", "AN_DECL", "AN_PROD", "DAT_LIMIT_PROD",
        "AN_PROD_PRE", "DAT_LIMIT_PROD_PRE", "DAT_MAJ_INDEX_NOM", "COD_ACT_ECON_CAE", "NO_ACT_ECON_ASSUJ", "DESC_ACT_ECON_ASSUJ",
        "COD_ACT_ECON_CAE2", "NO_ACT_ECON_ASSUJ2", "DESC_ACT_ECON_ASSUJ2", "NOM_LOCLT_CONSTI", "DAT_CONSTI",
        "IND_CONVEN_UNMN_ACTNR", "IND_RET_TOUT_POUVR", "IND_LIMIT_RESP", "DAT_DEB_RESP", "DAT_FIN_RESP", "OBJET_SOC",
        "NO_MTR_VOLONT", "ADR_DOMCL_ADR_DISP", "ADR_DOMCL_LIGN1_ADR", "ADR_DOMCL_LIGN2_ADR", "ADR_DOMCL_LIGN3_ADR",
        "ADR_DOMCL_LIGN4_ADR",
    ),
    "Nom.csv": ("NEQ", "NOM_ASSUJ", "NOM_ASSUJ_LANG_ETRNG", "STAT_NOM", "TYP_NOM_ASSUJ", "DAT_INIT_NOM_ASSUJ", "DAT_FIN_NOM_ASSUJ"),
    "Etablissements.csv": (
        "NEQ", "NO_SUF_ETAB", "IND_ETAB_PRINC", "IND_SALON_BRONZ", "IND_VENTE_TABAC_DETL", "IND_DISP", "LIGN1_ADR", "LIGN2_ADR",
        "LIGN3_ADR", "LIGN4_ADR", "COD_ACT_ECON", "DESC_ACT_ECON_ETAB", "NO_ACT_ECON_ETAB", "COD_ACT_ECON2", "DESC_ACT_ECON_ETAB2",
        "NO_ACT_ECON_ETAB2", "NOM_ETAB",
    ),
    "FusionScissions.csv": (
        "NEQ", "NEQ_ASSUJ_REL", "DENOMN_SOC", "COD_RELA_ASSUJ", "DAT_EFCTVT", "IND_DISP",
        "LIGN1_ADR", "LIGN2_ADR", "LIGN3_ADR", "LIGN4_ADR",
    ),
    "ContinuationsTransformations.csv": ("NEQ", "COD_TYP_CHANG", "COD_REGIM_JURI", "AUTR_REGIM_JURI", "NOM_LOCLT", "DAT_EFCTVT"),
    "DomaineValeur.csv": ("TYP_DOM_VAL", "COD_DOM_VAL", "VAL_DOM_FRAN"),
}  # fmt: skip
"""The columns of each file."""
ENTERPRISES, NAMES, ESTABLISHMENTS, MERGERS, CONTINUATIONS, CODES = FILES

FORMS = {
    BusinessKind.COMPANY: "CIE",
    BusinessKind.EXTRA_PROVINCIAL: "CIE",
    BusinessKind.NONPROFIT: "APE",
    BusinessKind.COOPERATIVE: "COP",
    BusinessKind.FIRM: "IND",
    BusinessKind.PARTNERSHIP: "SENC",
    BusinessKind.LIMITED_PARTNERSHIP: "SEC",
}
STATES = {"Immatriculée": "IM", "Radiée d'office": "RO", "Radiée sur demande": "RD"}
EMPLOYEES = "ABCDEFGHIJKLONP"

_QUEBEC = BY_JURISDICTION[Jurisdiction.QC]
_LIMIT = (12, 15)
"""The month and day of the annual filing deadline."""
_MEANINGS = (
    *(("FORM_JURI", FORMS[kind], label) for kind, label in _QUEBEC.types.items()),
    *(("STAT_IMMAT", code, label) for label, code in STATES.items()),
    ("STAT_IMMAT", "RX", "Radiée d'office (art. 59)"),
    ("STAT_NOM", "A", "Antérieur"),
    ("STAT_NOM", "V", "En vigueur"),
    ("TYP_CHANG", "CON", "Continuation"),
)


class QuebecWriter:
    """Writes Quebec's register as one archive."""

    targets = (TargetFile("qc", "archive", "qc/JeuxDonnees.zip", DeliveryRoute.FILE),)

    def __init__(self, folder: Path) -> None:
        self._zip = SortedZip(folder / self.targets[0].path, FILES, TODAY)
        self._survivor: str | None = None
        for meaning in _MEANINGS:
            self._zip.add(CODES, meaning)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business to each file that contains data about it."""
        self._zip.add(ENTERPRISES, _enterprise(business))
        for row in _names(business):
            self._zip.add(NAMES, row)
        for row in _establishments(business):
            self._zip.add(ESTABLISHMENTS, row)
        if business.kind is BusinessKind.COMPANY:
            self._take_changes(business)

    def close(self) -> None:
        """Finish the archive."""
        self._zip.close()

    def _take_changes(self, company: SandboxBusiness) -> None:
        """Record an amalgamation with the preceding live company, or a continuance to another jurisdiction."""
        if company.standing in LIVE_STATUSES:
            self._survivor = company.number
        elif company.standing is LifecycleStatus.AMALGAMATED and self._survivor is not None:
            place = ("O", *_lines(company.address))
            self._zip.add(MERGERS, (self._survivor, company.number, company.name, "FO", _ended(company), *place))
        elif company.standing is LifecycleStatus.CONTINUED_OUT:
            self._zip.add(
                CONTINUATIONS, (company.number, "CON", "", "Loi canadienne sur les sociétés par actions", "", _ended(company))
            )


def _enterprise(business: SandboxBusiness) -> Iterator[object]:
    """Return an enterprise row. Most cells are empty."""
    form, live = FORMS[business.kind], business.standing in LIVE_STATUSES
    since, year = business.registered_on, TODAY.year
    cells = {
        "NEQ": business.number,
        "IND_FAIL": "N",
        "DAT_IMMAT": since,
        "COD_INTVAL_EMPLO_QUE": EMPLOYEES[business.random_bits % len(EMPLOYEES)],
        "COD_STAT_IMMAT": STATES[_QUEBEC.status(business.kind, business.standing)],
        "COD_FORME_JURI": form,
        "DAT_STAT_IMMAT": since if live else _ended(business),
        "AN_DECL": _declared(business),
        "AN_PROD": year if live else "",
        "DAT_LIMIT_PROD": date(year, *_LIMIT) if live else "",
        "AN_PROD_PRE": year - 1 if live else "",
        "DAT_LIMIT_PROD_PRE": date(year - 1, *_LIMIT) if live else "",
        "COD_ACT_ECON_CAE": 6000 + business.random_bits % 3000,
        "DESC_ACT_ECON_ASSUJ": "-",
        # The constitution date equals the registration date. Sole proprietors have none.
        "DAT_CONSTI": "" if business.kind is BusinessKind.FIRM else since,
        "ADR_DOMCL_ADR_DISP": "N" if _is_hidden(business) else "O",
    }
    if not _is_hidden(business):
        cells |= zip(FILES[ENTERPRISES][-4:], _lines(business.address), strict=True)
    return (cells.get(column, "") for column in FILES[ENTERPRISES])


def _names(business: SandboxBusiness) -> Iterator[tuple[object, ...]]:
    """Yield the legal, other and former names. All names of a struck-off enterprise are marked as former."""
    live, number = business.standing in LIVE_STATUSES, business.number
    since = business.former_names[-1].until if business.former_names else business.registered_on
    state = ("V", "", "") if live else ("A", "", _ended(business))
    own = "A" if business.kind is BusinessKind.FIRM else "M" if business.name[0].isdigit() else "N"
    # The version in another language is either in the same row or a name of its own.
    beside = business.other_names[:1] if business.random_bits % 2 == 0 and own == "N" else ()
    yield number, business.name, *(beside or ("",)), state[0], own, since, state[2]
    for name in business.other_names[len(beside) :]:
        yield number, name, "", state[0], "A", business.registered_on, state[2]
    for former in business.former_names:
        yield number, former.name, "", "A", own, business.registered_on, former.until


def _establishments(business: SandboxBusiness) -> Iterator[tuple[object, ...]]:
    """Yield the main establishment at the domicile and, for one in ten enterprises, a second one."""
    if _is_hidden(business) or business.random_bits % 5 == 4:  # noqa: PLR2004 - one in five has none
        return
    nothing = tuple(repeat("", 6))
    trade = business.other_names[-1] if business.other_names and business.random_bits % 2 else ""
    yield business.number, 1, "O", "N", "N", "O", *_lines(business.address), *nothing, trade
    if business.random_bits % 10 == 0:
        line, *others = _lines(business.address)
        yield business.number, 2, "N", "N", "N", "O", f"1{line}", *others, *nothing, ""


def _is_hidden(business: SandboxBusiness) -> bool:
    return business.kind is BusinessKind.FIRM and business.random_bits % 3 == 0


def _lines(address: OfficeAddress) -> tuple[str, ...]:
    """Return the street, the unit if there is one, the city, and the postal code without its space."""
    city, code = f"{address.city} (Québec)", address.postal_code.replace(" ", "")
    return (address.street, city, "", code) if address.unit is None else (address.street, f"bureau {address.unit}", city, code)


def _declared(business: SandboxBusiness) -> int:
    """Return the last year declared: this year or last year, or some years ago if the enterprise is in default or struck off."""
    if business.standing in LIVE_STATUSES - {LifecycleStatus.DEFAULT}:
        return TODAY.year - business.random_bits % 2
    return TODAY.year - 3 - business.random_bits % 9


def _ended(business: SandboxBusiness) -> date:
    """Return the date of the strike-off, which is later than the registration and the last name change."""
    ended = date(TODAY.year - business.random_bits % 12, 4, 4)
    last = max(chain((business.registered_on,), (former.until for former in business.former_names)))
    return ended if ended > last else min(last + timedelta(days=1), TODAY)


WRITERS = (RegisterWriterFactory(Jurisdiction.QC, QuebecWriter),)
