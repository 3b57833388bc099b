"""Format addresses, phone numbers, names and fine print in the various ways that sites use.

The output is plain text. `markup` renders it as HTML, and `markup.pages` decides where each fact appears.
"""

import re

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.sites.content.shop import Shop, ShopLocation, ShopTeamMember

_LOWER_CASE_WORDS = frozenset({"and", "of", "the", "et", "de", "des", "du", "la", "le", "les", "en", "chez"})
_VOWELS = frozenset("AEIOUYÉÈ")
_WORD = re.compile(r"\w+(?:'S\b)?")


def to_mixed_case(name: str) -> str:
    """Convert an upper-case name to mixed case: `FRASER AND SONS CNC LTD.` to `Fraser and Sons CNC Ltd.`. Keeps initials."""
    if not name.isupper():
        return name
    written = _WORD.sub(lambda word: _to_mixed_case_word(word[0]), name)
    return written[0].upper() + written[1:]


def _to_mixed_case_word(word: str) -> str:
    if word.lower() in _LOWER_CASE_WORDS:
        return word.lower()
    # A short word without vowels, or a single letter, is an initialism.
    initials = word not in {"LTD", "CORP"} and len(word) <= 4 and (_VOWELS.isdisjoint(word) or len(word) == 1)  # noqa: PLR2004
    return word if initials else word.capitalize()


PROVINCES_IN_FRENCH = {"QC": "Québec", "NB": "Nouveau-Brunswick", "ON": "Ontario"}
SHORT_TYPES = {
    "Street": "St.",
    "Avenue": "Ave",
    "Road": "Rd.",
    "Drive": "Dr.",
    "Boulevard": "Blvd.",
    "Crescent": "Cres.",
    "Lane": "Ln",
}
NO_BREAK = "\N{NO-BREAK SPACE}"
CURRENT_YEAR = 2026


def format_address(shop: Shop, place: ShopLocation) -> tuple[str, ...]:
    """Return the lines of an address. Each site uses a single format."""
    return (*_door(shop, place), *(_french_town(shop, place) if shop.french else _english_town(shop, place)))


def _door(shop: Shop, place: ShopLocation) -> tuple[str, ...]:
    if place.box is not None:
        return (_boxed(shop, place.box),)
    unit, street = place.address.unit, _street(shop, place)
    if unit is None:
        return (street,)
    if shop.french:
        forms: tuple[tuple[str, ...], ...] = ((f"{street}, bureau {unit}",), (f"{street}, local {unit}",), (f"{unit}-{street}",))
    else:
        forms = (
            (f"{street}, Suite {unit}",),
            (f"{street}, Unit {unit}",),
            (f"{unit}-{street}",),
            (f"{street} #{unit}",),
            (f"Suite {unit}, {street}",),
            (f"Unit {unit}", street),
        )
    return shop.chance.pick("unit form", forms)


def _street(shop: Shop, place: ShopLocation) -> str:
    address = place.address
    if shop.french or not shop.chance.happens("short streets", 0.3):
        return address.street if shop.french else f"{address.street_number} {address.street_name}"
    named, _, last = address.street_name.rpartition(" ")
    return f"{address.street_number} {named} {SHORT_TYPES.get(last, last)}"


def _boxed(shop: Shop, box: str) -> str:
    forms = (
        (f"C.P. {box}", f"Case postale {box}") if shop.french else (f"P.O. Box {box}", f"PO Box {box}", f"Box {box}, Station Main")
    )
    return shop.chance.pick("box form", forms)


def _english_town(shop: Shop, place: ShopLocation) -> tuple[str, ...]:
    city, province, code = place.address.city, place.address.province, place.address.postal_code
    full = Jurisdiction(province).label
    if not shop.shows_postal_codes:
        return (f"{city}, {full}",)
    forms: tuple[tuple[str, ...], ...] = (
        (f"{city}, {province} {code}",),
        (f"{city}, {province}  {code}",),
        (f"{city}, {full} {code}",),
        (f"{city}, {full}", code),
        (f"{city} {province} {code}",),
        (f"{city}, {province}", code, "Canada"),
        (f"{city}, {province}, {code}",),
        (f"{city}, {province} {code.replace(' ', '')}",),
        (f"{city}, {full}, Canada {code}",),
    )
    return shop.chance.pick("town form", forms)


def _french_town(shop: Shop, place: ShopLocation) -> tuple[str, ...]:
    city, province, code = place.address.city, place.address.province, place.address.postal_code
    full = PROVINCES_IN_FRENCH[province]
    if not shop.shows_postal_codes:
        return (f"{city} ({full})",)
    forms: tuple[tuple[str, ...], ...] = (
        (f"{city} ({full}) {code}",),
        (f"{city} ({full})  {code}",),
        (f"{city}, {province} {code}",),
        (f"{city} ({province})", code),
        (f"{city}, {full}, {code}",),
        (f"{city} ({full}) {code.replace(' ', NO_BREAK)}", "Canada"),
    )
    return shop.chance.pick("town form", forms)


def format_phone(shop: Shop, number: str) -> str:
    """Format `+14165550123` in the site's style."""
    area, exchange, line = number[2:5], number[5:8], number[8:]
    forms = (
        f"({area}) {exchange}-{line}",
        f"{area}-{exchange}-{line}",
        f"{area}.{exchange}.{line}",
        f"{area} {exchange}-{line}",
        f"1-{area}-{exchange}-{line}",
        f"+1 {area} {exchange} {line}",
        f"({area}){NO_BREAK}{exchange}-{line}",
    )
    return shop.chance.pick("phone form", forms)


def format_person(shop: Shop, member: ShopTeamMember) -> str:
    """Return a person's name, with a title or professional designation if the site uses them."""
    if shop.trade.key == "dental":
        return f"{'Dre' if shop.french else 'Dr.'} {member.name}"
    if shop.trade.key == "accounting" and shop.chance.happens("letters", 0.5):
        return f"{member.name}, CPA"
    return member.name


def format_legal_name(shop: Shop) -> str:
    """Return the legal name as the site writes it: in the register's capitalization or in mixed case."""
    return shop.legal_name if shop.chance.happens("as registered", 0.4) else to_mixed_case(shop.legal_name)


def format_copyright(shop: Shop, owner: str) -> str:
    """Return the copyright line at the bottom of every page."""
    # Most templates avoid a double period after `Inc.`; some do not.
    ended = owner.removesuffix(".") if shop.chance.happens("one stop", 0.8) else owner
    span = f"{shop.year}-{CURRENT_YEAR}" if shop.chance.happens("since", 0.3) else str(CURRENT_YEAR)
    if shop.french:
        forms: tuple[str, ...] = (
            f"© {span} {ended}. Tous droits réservés.",
            f"© {owner} {span}",
            f"Tous droits réservés © {owner}",
            f"© {span} {owner}",
        )
    else:
        forms = (
            f"© {span} {ended}. All rights reserved.",
            f"Copyright © {span} {owner}",
            f"© {owner} {span}",
            f"Copyright {span} {owner} | All Rights Reserved",
            f"© {span} by {owner}",
        )
    return shop.chance.pick("copyright form", forms)


def format_operator(shop: Shop) -> str:
    """Return the statement that the company operates the brand."""
    legal, brand = format_legal_name(shop), shop.brand
    ended = legal.removesuffix(".")
    if shop.french:
        forms: tuple[str, ...] = (
            f"{brand} est exploité par {ended}.",
            f"{legal}, faisant affaire sous le nom de {brand}",
            f"{legal} f.a.s. {brand}",
            f"Raison sociale : {legal}",
            f"{brand} est une division de {ended}.",
        )
    else:
        forms = (
            f"{brand} is operated by {ended}.",
            f"{legal} o/a {brand}",
            f"{legal}, doing business as {brand}",
            f"{legal} operating as {brand}",
            f"{brand} is a trade name of {ended}.",
            f"Owned and operated by {legal}",
            f"{brand} is a division of {ended}.",
            f"{legal}, carrying on business as {brand}",
            f"{brand} ({legal})",
        )
    return shop.chance.pick("operated form", forms)


def format_privacy_opening(shop: Shop) -> str:
    """Return the opening of a privacy policy that names the company."""
    legal, brand = format_legal_name(shop), shop.brand
    if shop.french:
        forms: tuple[str, ...] = (
            f"La présente politique de confidentialité décrit comment {legal} (« nous ») recueille et utilise vos renseignements.",
            f"{legal} (ci-après « l'entreprise ») respecte votre vie privée.",
            f"Le site {brand} appartient à {legal}, responsable de la protection des renseignements personnels.",
        )
    else:
        forms = (
            f'This Privacy Policy describes how {legal} ("we", "us" or "our") collects, uses and shares personal information.',
            f'{legal} (the "Company") is committed to protecting your privacy.',
            f"This website is owned by {legal.removesuffix('.')}. This policy explains what we do with your personal information.",
        )
    return shop.chance.pick("privacy form", forms)


def format_terms_opening(shop: Shop) -> str:
    """Return the opening of the terms of use that names the company."""
    legal = format_legal_name(shop)
    ended = legal.removesuffix(".")
    if shop.french:
        forms: tuple[str, ...] = (
            f"Les présentes conditions constituent une entente entre vous et {ended}.",
            f"Ce site est la propriété de {legal} et exploité par celle-ci.",
            f"Éditeur du site : {legal}",
        )
    else:
        forms = (
            f'These Terms of Use are an agreement between you and {legal} ("we", "us").',
            f"Legal name: {legal}",
            f"This site is owned and operated by {ended}. By using it you accept these terms.",
        )
    return shop.chance.pick("terms form", forms)
