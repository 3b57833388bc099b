"""Build the pages of a shop's site from content blocks.

Pages are sequences of blocks. Rendering is done by `clean` and `dialects`.
"""

from dataclasses import replace

from bonafide_sandbox.sites.content.formatting import (
    format_address,
    format_copyright,
    format_legal_name,
    format_operator,
    format_person,
    format_phone,
    format_privacy_opening,
    format_terms_opening,
)
from bonafide_sandbox.sites.content.shop import LegalNamePlacement, Shop, SiteLayout
from bonafide_sandbox.sites.markup import third_parties
from bonafide_sandbox.sites.markup.content_blocks import (
    AddressBlock,
    ContactBlock,
    ContentBlock,
    FinePrintBlock,
    HeadingBlock,
    ListBlock,
    ParagraphBlock,
    ShopPage,
    TeamBlock,
)

PageTitles = dict[str, tuple[str, ...]]
ENGLISH: PageTitles = {
    "home": ("Home", "Welcome"),
    "about": ("About Us", "About", "Our Story", "Who We Are"),
    "team": ("Our Team", "Meet the Team", "Our People"),
    "contact": ("Contact Us", "Contact", "Get in Touch", "Find Us"),
    "privacy": ("Privacy Policy", "Privacy"),
    "terms": ("Terms of Use", "Terms & Conditions", "Terms of Service"),
    "services": ("Services", "What We Do"),
    "news": ("News", "Blog"),
}
FRENCH: PageTitles = {
    "home": ("Accueil",),
    "about": ("À propos", "Qui sommes-nous", "Notre histoire"),
    "team": ("Notre équipe", "L'équipe"),
    "contact": ("Nous joindre", "Contact", "Contactez-nous", "Coordonnées"),
    "privacy": ("Politique de confidentialité", "Confidentialité"),
    "terms": ("Conditions d'utilisation", "Mentions légales"),
    "services": ("Services", "Nos services"),
    "news": ("Nouvelles", "Blogue"),
}
PATHS = {
    "about": ("about", "a-propos"),
    "team": ("our-team", "notre-equipe"),
    "contact": ("contact", "nous-joindre"),
    "privacy": ("privacy-policy", "politique-de-confidentialite"),
    "terms": ("terms", "mentions-legales"),
    "services": ("services", "nos-services"),
    "news": ("blog", "blogue"),
}
OPEN = frozenset({LegalNamePlacement.COPYRIGHT, LegalNamePlacement.OPERATED})
"""Placements for which the privacy policy may repeat the legal name."""
PATH_FORMS = ("/{}", "/{}/", "/{}.html", "/pages/{}", "/{}.php")


def build_pages(shop: Shop) -> tuple[ShopPage, ...]:
    """Build all pages, the home page first. Some sites have everything except their policies on one page."""
    pages = _pages(shop)
    if shop.layout is SiteLayout.ONE_PAGE:
        pages = [replace(pages[0], parts=tuple(part for page in pages for part in (HeadingBlock(page.link), *page.parts)))]
    for policy, text in (("privacy", _privacy), ("terms", _terms)):
        if policy in shop.policies:
            pages.append(_build_page(shop, policy, text(shop), in_menu=False))
    return tuple(pages)


def _pages(shop: Shop) -> list[ShopPage]:
    pages = [
        _build_page(shop, "home", (*_welcome(shop), *third_parties.build_testimonials(shop))),
        _build_page(
            shop, "about", (*_story(shop), *(() if _team_apart(shop) else _team(shop)), *third_parties.build_clients(shop))
        ),
        _build_page(shop, "services", (ParagraphBlock(shop.text.about), ListBlock(shop.text.does))),
        _build_page(shop, "news", _news(shop)),
        _build_page(shop, "contact", (*_contact(shop), *third_parties.build_map_credit(shop))),
    ]
    if _team_apart(shop):
        pages.insert(2, _build_page(shop, "team", _team(shop)))
    return pages


def _build_page(shop: Shop, key: str, parts: tuple[ContentBlock, ...], *, in_menu: bool = True) -> ShopPage:
    link = shop.chance.pick(f"{key} link", (FRENCH if shop.french else ENGLISH)[key])
    title = f"{shop.brand} | {shop.text.line}" if key == "home" else f"{link} - {shop.brand}"
    path = "/" if key == "home" else shop.chance.pick("path form", PATH_FORMS).format(PATHS[key][shop.french])
    return ShopPage(path, link, title, parts, _bottom(shop), in_menu)


# ---------------------------------------------------------------------------------------------------------------- parts


def _welcome(shop: Shop) -> tuple[ContentBlock, ...]:
    city = shop.business.address.city
    since = f"Depuis {shop.year}, au service de {city}." if shop.french else f"Serving {city} since {shop.year}."
    return (
        HeadingBlock(shop.text.line),
        ParagraphBlock(f"{shop.text.about} {since}"),
        ListBlock(shop.text.does),
        *_invitation(shop),
    )


def _invitation(shop: Shop) -> tuple[ContentBlock, ...]:
    """Return sentences that invite the reader to visit or to call."""
    place, french = shop.places[0], shop.french
    parts: list[ContentBlock] = []
    if shop.chance.happens("come", 0.15):
        line = ", ".join(format_address(shop, place))
        parts.append(ParagraphBlock(f"Passez nous voir au {line}." if french else f"Come and see us at {line}."))
    if shop.chance.happens("call", 0.25):
        number = format_phone(shop, place.phone)
        parts.append(
            ParagraphBlock(f"Appelez-nous dès aujourd'hui au {number}!" if french else f"Call {number} today for a free quote!")
        )
    return tuple(parts)


def _story(shop: Shop) -> tuple[ContentBlock, ...]:
    city = shop.business.address.city
    if shop.french:
        return (
            ParagraphBlock(shop.text.about),
            ParagraphBlock(f"L'entreprise a ouvert ses portes à {city} en {shop.year} et n'a jamais déménagé bien loin."),
        )
    return (
        ParagraphBlock(shop.text.about),
        ParagraphBlock(f"We opened our doors in {city} in {shop.year} and have never moved far."),
    )


def _team_apart(shop: Shop) -> bool:
    return len(shop.people) > 1 and shop.layout is SiteLayout.TEAM_APART


def _team(shop: Shop) -> tuple[ContentBlock, ...]:
    if not shop.people:
        return ()
    if len(shop.people) == 1 and shop.chance.happens("person in prose", 0.4):
        return (ParagraphBlock(_person_in_prose(shop)),)
    return (
        HeadingBlock("Notre équipe" if shop.french else "Meet the team"),
        TeamBlock(tuple(replace(member, name=format_person(shop, member)) for member in shop.people)),
    )


def _person_in_prose(shop: Shop) -> str:
    name, role = format_person(shop, shop.people[0]), shop.people[0].role
    if shop.french:
        forms: tuple[str, ...] = (f"{name}, {role.lower()}, répond encore au téléphone.", f"{role} : {name}")
    else:
        forms = (
            f"{name}, {role}, still answers the phone.",
            f"{role}: {name}",
            f"Our {role.lower()}, {name}, still answers the phone.",
        )
    return shop.chance.pick("person form", forms)


def _news(shop: Shop) -> tuple[ContentBlock, ...]:
    if shop.french:
        return (
            HeadingBlock("Horaire des fêtes"),
            FinePrintBlock("Publié par admin le 1er décembre 2025"),
            ParagraphBlock("Nous serons fermés du 24 décembre au 2 janvier. Joyeuses fêtes!"),
        )
    return (
        HeadingBlock("Holiday hours"),
        ParagraphBlock("Closed December 24, 2025 to January 2, 2026. Order no. 2025-1143 was our busiest day, at $4,310.25."),
    )


def _contact(shop: Shop) -> tuple[ContentBlock, ...]:
    parts: list[ContentBlock] = []
    for place in shop.places:
        if place.label is not None:
            parts.append(HeadingBlock(place.label))
        parts += [AddressBlock(place, format_address(shop, place)), _phone(shop, place.phone)]
    if shop.free_phone is not None:
        parts.append(ContactBlock("Sans frais" if shop.french else "Toll-free", format_phone(shop, shop.free_phone), None))
    if shop.fax is not None:
        parts.append(ContactBlock("Téléc." if shop.french else "Fax", format_phone(shop, shop.fax), None))
    parts += [*(_mail(shop, address) for address in shop.emails), _hours(shop)]
    if shop.chance.happens("numbers on contact", 0.5):
        parts += _numbers(shop)
    return tuple(parts)


def _hours(shop: Shop) -> ParagraphBlock:
    return ParagraphBlock(
        "Lundi au vendredi, 8 h à 17 h 30. Samedi sur rendez-vous."
        if shop.french
        else "Monday to Friday 8:00-17:30, Saturday by appointment."
    )


def _phone(shop: Shop, number: str) -> ContactBlock:
    label = shop.chance.pick(
        "phone label", ("Téléphone", "Tél.", "T") if shop.french else ("Phone", "Tel", "Call us", "Telephone", "T", "P", "Office")
    )
    return ContactBlock(label, format_phone(shop, number), f"tel:{number}" if shop.chance.happens("phone links", 0.6) else None)


def _mail(shop: Shop, address: str) -> ContactBlock:
    label = "Courriel" if shop.french else shop.chance.pick("mail label", ("Email", "E-mail", "E"))
    return ContactBlock(label, address, f"mailto:{address}" if shop.chance.happens("mail links", 0.7) else None)


def _numbers(shop: Shop) -> list[ContentBlock]:
    return [FinePrintBlock(f"{number.label} {number.value}") for number in shop.numbers]


def _privacy(shop: Shop) -> tuple[ContentBlock, ...]:
    if shop.name_shown is LegalNamePlacement.PRIVACY or (shop.name_shown in OPEN and shop.chance.happens("named in policy", 0.5)):
        first = format_privacy_opening(shop)
    else:
        first = "Nous respectons votre vie privée." if shop.french else "We respect your privacy and collect as little as we can."
    rest = (
        "Vous pouvez demander en tout temps l'accès à vos renseignements ou leur correction."
        if shop.french
        else "You may ask at any time to see or correct the information that we hold about you."
    )
    return (ParagraphBlock(first), *third_parties.build_data_processors(shop), ParagraphBlock(rest), *_officer(shop))


def _officer(shop: Shop) -> tuple[ContentBlock, ...]:
    """Return a paragraph that names the privacy officer, if there is one."""
    if shop.privacy_officer is None:
        return ()
    name, role = shop.privacy_officer.name, shop.privacy_officer.role
    forms = (f"{role} : {name}",) if shop.french else (f"{role}: {name}", f"Our {role} is {name}.", f"{name}, {role}")
    return (ParagraphBlock(shop.chance.pick("officer form", forms)),)


def _terms(shop: Shop) -> tuple[ContentBlock, ...]:
    generic = (
        "En utilisant ce site, vous acceptez ces conditions." if shop.french else "By using this website you accept these terms."
    )
    law = (
        "Ces conditions sont régies par les lois de la province."
        if shop.french
        else "These terms are governed by the laws of Canada applicable in this province."
    )
    return (
        ParagraphBlock(format_terms_opening(shop) if shop.name_shown is LegalNamePlacement.TERMS else generic),
        ParagraphBlock(law),
    )


def _bottom(shop: Shop) -> tuple[ContentBlock, ...]:
    """Return the footer of every page."""
    parts: list[ContentBlock] = []
    if shop.chance.happens("contact below", 0.5):
        place = shop.places[0]
        parts += [AddressBlock(place, format_address(shop, place)), _phone(shop, place.phone)]
    if not shop.chance.happens("numbers on contact", 0.5):
        parts += _numbers(shop)
    owner = format_legal_name(shop) if shop.name_shown is LegalNamePlacement.COPYRIGHT else shop.brand
    parts.append(FinePrintBlock(format_copyright(shop, owner)))
    if shop.name_shown is LegalNamePlacement.OPERATED:
        parts.append(FinePrintBlock(format_operator(shop)))
    return (*parts, *third_parties.build_site_credit(shop))
