"""Create a shop from a business: brand, locations, people, contact details and placement of the legal name.

The result depends only on the business and the seed. This module contains no wording or markup.
"""

import re
import unicodedata
from dataclasses import replace

import numpy as np

from bonafide_sandbox.generator import invented_words
from bonafide_sandbox.generator.business import FIRM_KINDS, BusinessKind, OfficeAddress, SandboxBusiness
from bonafide_sandbox.generator.data_tables import read_table, to_word_array
from bonafide_sandbox.sites.content.formatting import to_mixed_case
from bonafide_sandbox.sites.content.registration_numbers import choose_numbers
from bonafide_sandbox.sites.content.seeded_choice import SeededChoice
from bonafide_sandbox.sites.content.shop import SITES_DOMAIN, LegalNamePlacement, Shop, ShopLocation, ShopTeamMember, SiteLayout
from bonafide_sandbox.sites.content.trades import NUMBER, TABLE, Trade, choose_trade

FIRST_LINE, LINES = 100, 100
"""With the exchange 555, line numbers 0100 to 0199 are reserved for fictional use."""
MAX_LABEL = 40
AREA_CODES = {
    "ON": ("416", "647", "905", "613", "519", "705"),
    "QC": ("514", "438", "450", "418", "819"),
    "BC": ("604", "778", "250"),
    "AB": ("403", "587", "780"),
    "MB": ("204", "431"),
    "SK": ("306", "639"),
    "NS": ("902",),
    "PE": ("902",),
    "NB": ("506",),
    "NL": ("709",),
}
NORTHERN_AREA_CODE = ("867",)
FREE_AREA_CODES = ("800", "888", "877", "866")
NAME_WEIGHTS = (
    *(LegalNamePlacement.COPYRIGHT,) * 8,
    *(LegalNamePlacement.OPERATED,) * 5,
    *(LegalNamePlacement.PRIVACY,) * 3,
    *(LegalNamePlacement.TERMS,) * 2,
    *(LegalNamePlacement.STRUCTURED,) * 2,
    LegalNamePlacement.NOWHERE,
)
"""The approximate frequency of each placement on real sites."""
LEGAL_FORM = re.compile(
    r",?\s+(?:inc|incorporated|incorporée|ltd|ltée|limited|limitée|corp|corporation|co\. ltd|ulc|unlimited liability company|llp|"
    r"s\.?e\.?n\.?c\.?(?:r\.?l\.?)?|professional corporation)\.?$",
    re.IGNORECASE,
)
_STREETS = read_table("places")["streets"]


def create_shop(business: SandboxBusiness, seed: int) -> Shop | None:
    """Create the shop of a business, or None if its trade has no shops. Hosts derive from the brand and can collide."""
    chance = SeededChoice(f"{seed}/{business.register}/{business.number}")
    trade = choose_trade(business, chance)
    if trade is None:
        return None
    french = business.french and business.address.province in {"QC", "NB", "ON"}
    brand, shown = _brand(business, trade, chance, french=french), _name_shown(business, chance)
    shop = Shop(
        host=_host(brand),
        business=business,
        trade=trade,
        brand=brand,
        french=french,
        name_shown=shown,
        places=_places(business, chance, french=french),
        people=_people(business, chance, french=french),
        numbers=choose_numbers(business, trade, chance, french=french),
        emails=(),
        free_phone=_phone(chance, "free phone", FREE_AREA_CODES) if chance.happens("free phone", 0.2) else None,
        fax=_phone(chance, "fax", _area_codes(business.address)) if chance.happens("fax", 0.2) else None,
        privacy_officer=None,
        shows_postal_codes=not chance.happens("no postal codes", 0.07),
        layout=_layout(chance),
        policies=_policies(shown, chance),
        chance=chance,
    )
    return replace(shop, emails=create_emails(shop), privacy_officer=_privacy_officer(shop))


def _host(brand: str) -> str:
    plain = unicodedata.normalize("NFKD", brand).encode("ascii", "ignore").decode().lower()
    return f"{re.sub(r'[^a-z0-9]+', '-', plain)[:MAX_LABEL].strip('-')}.{SITES_DOMAIN}"


def _privacy_officer(shop: Shop) -> ShopTeamMember | None:
    """Return a person who does not appear elsewhere on the site."""
    if "privacy" not in shop.policies or not shop.chance.happens("privacy officer", 0.3):
        return None
    role = "Responsable de la protection des renseignements personnels" if shop.french else "Privacy Officer"
    return ShopTeamMember(shop.chance.pick("officer", TABLE["officers"]), role)


def _layout(chance: SeededChoice) -> SiteLayout:
    if chance.happens("one page", 0.12):
        return SiteLayout.ONE_PAGE
    return SiteLayout.TEAM_APART if chance.happens("team page", 0.5) else SiteLayout.PAGES


def _policies(shown: LegalNamePlacement, chance: SeededChoice) -> frozenset[str]:
    privacy = shown is LegalNamePlacement.PRIVACY or chance.happens("privacy page", 0.5)
    terms = shown is LegalNamePlacement.TERMS or chance.happens("terms page", 0.2)
    return frozenset(name for name, there in (("privacy", privacy), ("terms", terms)) if there)


def _brand(business: SandboxBusiness, trade: Trade, chance: SeededChoice, *, french: bool) -> str:
    """Return the trade name or the legal name without its legal form. Numbered companies get an invented brand."""
    traded = [name for name in business.other_names if not LEGAL_FORM.search(name) and not NUMBER.search(name)]
    name = traded[0] if traded else LEGAL_FORM.sub("", business.name)
    if NUMBER.search(name):
        ranks = np.array([chance.below("brand", 200_000)], dtype=np.int64)
        coin, label = str(invented_words.create_brands(ranks)[0]), trade.text(french=french).name
        return f"{label} {coin}" if french else f"{coin} {label}"
    return to_mixed_case(name)


def _name_shown(business: SandboxBusiness, chance: SeededChoice) -> LegalNamePlacement:
    """Choose where the legal name appears. The name of a firm without a legal form is its brand, so it appears nowhere else."""
    if business.kind in FIRM_KINDS and LEGAL_FORM.search(business.name) is None:
        return LegalNamePlacement.NOWHERE
    return chance.pick("name shown", NAME_WEIGHTS)


# ---------------------------------------------------------------------------------------------------- places and people


def _places(business: SandboxBusiness, chance: SeededChoice, *, french: bool) -> tuple[ShopLocation, ...]:
    """Return the locations: usually one, sometimes two. The first one sometimes has a post office box."""
    area = _area_codes(business.address)
    box = str(10 + chance.below("box", 6_000)) if chance.happens("boxed", 0.08) else None
    first = ShopLocation(business.address, _phone(chance, "phone", area), box)
    if not chance.happens("second place", 0.14):
        return (first,)
    labels = ("Centre-ville", "Succursale") if french else ("Downtown", "East End")
    second = ShopLocation(_elsewhere(business.address, chance), _phone(chance, "second phone", area), label=labels[1])
    return (replace(first, label=labels[0]), second)


def _elsewhere(address: OfficeAddress, chance: SeededChoice) -> OfficeAddress:
    """Return another address in the same city."""
    kind = "french" if address.province == "QC" else "english"
    street, suffix = (chance.pick(f"second {part}", to_word_array(_STREETS[part]).tolist()) for part in (kind, f"{kind}_types"))
    letters = "ABCEGHJKLMNPRSTVWXYZ"
    ending = f"{1 + chance.below('postal digit', 9)}{chance.pick('postal letter', letters)}{1 + chance.below('last digit', 9)}"
    return OfficeAddress(
        unit=None,
        street_number=str(2 + chance.below("second door", 8_000)),
        street_name=f"{suffix} {street}" if kind == "french" else f"{street} {suffix}",
        city=address.city,
        province=address.province,
        postal_code=f"{address.postal_code[:3]} {ending}",
    )


def _people(business: SandboxBusiness, chance: SeededChoice, *, french: bool) -> tuple[ShopTeamMember, ...]:
    """Return up to three people from the register, with shop roles. About a third of the sites name no people."""
    if not chance.happens("people", 0.66):
        return ()
    roles = chance.some("roles", TABLE["roles"]["fr" if french else "en"], 3)
    names = [officer.name for officer in business.people[:3]]
    return tuple(ShopTeamMember(name, role) for name, role in zip(names, roles, strict=False))


# ---------------------------------------------------------------------------------------------------- contact details


def _area_codes(address: OfficeAddress) -> tuple[str, ...]:
    return AREA_CODES.get(address.province, NORTHERN_AREA_CODE)


def _phone(chance: SeededChoice, purpose: str, areas: tuple[str, ...]) -> str:
    return f"+1{chance.pick(f'{purpose} area', areas)}5550{FIRST_LINE + chance.below(purpose, LINES)}"


def create_emails(shop: Shop) -> tuple[str, ...]:
    """Return addresses at the site's own host or at a mail provider, sometimes two."""
    chance, plain = shop.chance, re.sub(r"[^a-z0-9]", "", shop.host.partition(".")[0])
    boxes = ("info", "bonjour", "reception") if shop.french else ("info", "hello", "office", "contact", "sales")
    first, second = chance.some("mailbox", boxes, 2)
    own = f"{plain}@mail.example" if chance.happens("free mail", 0.25) else f"{first}@{shop.host}"
    return (own, f"{second}@{shop.host}") if chance.happens("second mail", 0.2) else (own,)


SHOPKEEPERS = frozenset({BusinessKind.COMPANY, BusinessKind.EXTRA_PROVINCIAL, BusinessKind.FIRM, BusinessKind.PARTNERSHIP})
"""Kinds of businesses that can have a site."""
