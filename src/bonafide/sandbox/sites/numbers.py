"""The numbers of registration that a site shows: of taxes, of registers, of trades that need a licence.

Business numbers pass their check; whether a number is anybody's is not looked into.
"""

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sandbox.business import FIRMS, Business
from bonafide.sandbox.sites.chance import Chance
from bonafide.sandbox.sites.shop import Number
from bonafide.sandbox.sites.trades import Trade

BUILDERS = frozenset({"plumbing", "electric", "roofing", "flooring", "painting"})
"""Trades that need a licence of the Régie du bâtiment in Quebec."""


def numbers_of(business: Business, trade: Trade, chance: Chance, *, french: bool) -> tuple[Number, ...]:
    """What the site shows; nothing for nearly half of sites."""
    shown: list[Number] = []
    if chance.happens("tax numbers", 0.3):
        shown += _taxes(business, chance, french=french)
    if chance.happens("register number", 0.22):
        shown += _register(business, french=french)
    if chance.happens("trade licence", 0.75):
        shown += _licences(business, trade, chance, french=french)
    return tuple(shown)


def _taxes(business: Business, chance: Chance, *, french: bool) -> list[Number]:
    plain = business.business_number
    account = chance.pick("account form", (f"{plain} RT0001", f"{plain}RT0001", f"{plain[:3]} {plain[3:6]} {plain[6:]} RT 0001"))
    labels = (
        ("TPS", "N° de TPS", "No TPS :")
        if french
        else ("GST/HST No.", "HST #", "GST/HST Registration Number:", "GST:", "HST Reg. No.")
    )
    taxes = [Number("gst", chance.pick("tax label", labels), account)]
    if chance.happens("plain business number", 0.25):
        label = "Numéro d'entreprise (NE)" if french else chance.pick("number label", ("Business Number", "BN:", "Business No."))
        taxes = [Number("bn", label, plain)]
    if business.address.province == "QC":
        quebec = f"10{chance.below('quebec tax', 10**8):08d} TQ0001"
        taxes.append(Number("qst", "TVQ" if french else "QST", quebec))
    return taxes


def _register(business: Business, *, french: bool) -> list[Number]:
    number = business.number
    if business.register is Jurisdiction.QC:
        return [Number("neq", "NEQ", number)]
    if business.kind in FIRMS:
        return []
    if business.register is Jurisdiction.FED:
        label = "No de société" if french else "Corporation No."
        return [Number("corporation", label, f"{number[:-1]}-{number[-1]}")]
    if business.register is Jurisdiction.ON:
        return [Number("corporation", "Numéro de société de l'Ontario" if french else "Ontario Corporation No.", number)]
    return []


def _licences(business: Business, trade: Trade, chance: Chance, *, french: bool) -> list[Number]:
    province = business.address.province
    if province == "QC" and trade.key in BUILDERS:
        label = chance.pick("licence label", ("RBQ :", "Licence RBQ", "R.B.Q.") if french else ("RBQ Licence", "RBQ #"))
        return [Number("rbq", label, f"5{chance.below('rbq', 900) + 100}-{chance.below('rbq middle', 9000) + 1000}-01")]
    if province == "ON" and trade.key == "electric":
        return [Number("ecra", "ECRA/ESA Licence #", f"70{chance.below('ecra', 10**5):05d}")]
    if province == "ON" and trade.key == "travel":
        return [Number("tico", "TICO Registration No.", f"500{chance.below('tico', 10**5):05d}")]
    return []
