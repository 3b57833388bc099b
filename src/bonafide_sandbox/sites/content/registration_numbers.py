"""The registration numbers shown on a site: taxes, registers and licensed trades.

Business Numbers have a valid check digit. Numbers are not checked for collisions with real ones.
"""

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import FIRM_KINDS, SandboxBusiness
from bonafide_sandbox.sites.content.seeded_choice import SeededChoice
from bonafide_sandbox.sites.content.shop import ShownNumber
from bonafide_sandbox.sites.content.trades import Trade

BUILDERS = frozenset({"plumbing", "electric", "roofing", "flooring", "painting"})
"""Trades that require a licence from the Régie du bâtiment in Quebec."""


def choose_numbers(business: SandboxBusiness, trade: Trade, chance: SeededChoice, *, french: bool) -> tuple[ShownNumber, ...]:
    """Choose the numbers that the site shows. Almost half of the sites show none."""
    shown: list[ShownNumber] = []
    if chance.happens("tax numbers", 0.3):
        shown += _taxes(business, chance, french=french)
    if chance.happens("register number", 0.22):
        shown += _register(business, french=french)
    if chance.happens("trade licence", 0.75):
        shown += _licences(business, trade, chance, french=french)
    return tuple(shown)


def _taxes(business: SandboxBusiness, chance: SeededChoice, *, french: bool) -> list[ShownNumber]:
    plain = business.business_number
    account = chance.pick("account form", (f"{plain} RT0001", f"{plain}RT0001", f"{plain[:3]} {plain[3:6]} {plain[6:]} RT 0001"))
    labels = (
        ("TPS", "N° de TPS", "No TPS :")
        if french
        else ("GST/HST No.", "HST #", "GST/HST Registration Number:", "GST:", "HST Reg. No.")
    )
    taxes = [ShownNumber("gst", chance.pick("tax label", labels), account)]
    if chance.happens("plain business number", 0.25):
        label = "Numéro d'entreprise (NE)" if french else chance.pick("number label", ("Business Number", "BN:", "Business No."))
        taxes = [ShownNumber("bn", label, plain)]
    if business.address.province == "QC":
        quebec = f"10{chance.below('quebec tax', 10**8):08d} TQ0001"
        taxes.append(ShownNumber("qst", "TVQ" if french else "QST", quebec))
    return taxes


def _register(business: SandboxBusiness, *, french: bool) -> list[ShownNumber]:
    number = business.number
    if business.register is Jurisdiction.QC:
        return [ShownNumber("neq", "NEQ", number)]
    if business.kind in FIRM_KINDS:
        return []
    if business.register is Jurisdiction.FED:
        label = "No de société" if french else "Corporation No."
        return [ShownNumber("corporation", label, f"{number[:-1]}-{number[-1]}")]
    if business.register is Jurisdiction.ON:
        return [ShownNumber("corporation", "Numéro de société de l'Ontario" if french else "Ontario Corporation No.", number)]
    return []


def _licences(business: SandboxBusiness, trade: Trade, chance: SeededChoice, *, french: bool) -> list[ShownNumber]:
    province = business.address.province
    if province == "QC" and trade.key in BUILDERS:
        label = chance.pick("licence label", ("RBQ :", "Licence RBQ", "R.B.Q.") if french else ("RBQ Licence", "RBQ #"))
        return [ShownNumber("rbq", label, f"5{chance.below('rbq', 900) + 100}-{chance.below('rbq middle', 9000) + 1000}-01")]
    if province == "ON" and trade.key == "electric":
        return [ShownNumber("ecra", "ECRA/ESA Licence #", f"70{chance.below('ecra', 10**5):05d}")]
    if province == "ON" and trade.key == "travel":
        return [ShownNumber("tico", "TICO Registration No.", f"500{chance.below('tico', 10**5):05d}")]
    return []
