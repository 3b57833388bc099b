"""The pages of a shop's site: which there are, what they are called, and which fact stands on which.

Markup is none of its business: a page is a sequence of parts.
"""

from dataclasses import replace

from bonafide.sandbox.sites import asides
from bonafide.sandbox.sites.parts import FinePrint, Heading, Leaf, Listing, Part, Prose, Reach, Team, Where
from bonafide.sandbox.sites.shop import Layout, NameShown, Shop
from bonafide.sandbox.sites.wording import (
    address_lines,
    copyright_line,
    legal_shown,
    operated_line,
    person_shown,
    phone_shown,
    privacy_sentence,
    terms_sentence,
)

Words = dict[str, tuple[str, ...]]
ENGLISH: Words = {
    "home": ("Home", "Welcome"),
    "about": ("About Us", "About", "Our Story", "Who We Are"),
    "team": ("Our Team", "Meet the Team", "Our People"),
    "contact": ("Contact Us", "Contact", "Get in Touch", "Find Us"),
    "privacy": ("Privacy Policy", "Privacy"),
    "terms": ("Terms of Use", "Terms & Conditions", "Terms of Service"),
    "services": ("Services", "What We Do"),
    "news": ("News", "Blog"),
}
FRENCH: Words = {
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
OPEN = frozenset({NameShown.COPYRIGHT, NameShown.OPERATED})
"""Where sites say it that may say it again in their policy."""
PATH_FORMS = ("/{}", "/{}/", "/{}.html", "/pages/{}", "/{}.php")


def leaves_of(shop: Shop) -> tuple[Leaf, ...]:
    """All pages, the home page first. Some sites have all but their policies on one page."""
    pages = _pages(shop)
    if shop.layout is Layout.ONE_PAGE:
        pages = [replace(pages[0], parts=tuple(part for page in pages for part in (Heading(page.link), *page.parts)))]
    for policy, text in (("privacy", _privacy), ("terms", _terms)):
        if policy in shop.policies:
            pages.append(_leaf(shop, policy, text(shop), in_menu=False))
    return tuple(pages)


def _pages(shop: Shop) -> list[Leaf]:
    pages = [
        _leaf(shop, "home", (*_welcome(shop), *asides.testimonials(shop))),
        _leaf(shop, "about", (*_story(shop), *(() if _team_apart(shop) else _team(shop)), *asides.clients(shop))),
        _leaf(shop, "services", (Prose(shop.text.about), Listing(shop.text.does))),
        _leaf(shop, "news", _news(shop)),
        _leaf(shop, "contact", (*_contact(shop), *asides.map_credit(shop))),
    ]
    if _team_apart(shop):
        pages.insert(2, _leaf(shop, "team", _team(shop)))
    return pages


def _leaf(shop: Shop, key: str, parts: tuple[Part, ...], *, in_menu: bool = True) -> Leaf:
    link = shop.chance.pick(f"{key} link", (FRENCH if shop.french else ENGLISH)[key])
    title = f"{shop.brand} | {shop.text.line}" if key == "home" else f"{link} - {shop.brand}"
    path = "/" if key == "home" else shop.chance.pick("path form", PATH_FORMS).format(PATHS[key][shop.french])
    return Leaf(path, link, title, parts, _bottom(shop), in_menu)


# ---------------------------------------------------------------------------------------------------------------- parts


def _welcome(shop: Shop) -> tuple[Part, ...]:
    city = shop.business.address.city
    since = f"Depuis {shop.year}, au service de {city}." if shop.french else f"Serving {city} since {shop.year}."
    return (Heading(shop.text.line), Prose(f"{shop.text.about} {since}"), Listing(shop.text.does), *_invitation(shop))


def _invitation(shop: Shop) -> tuple[Part, ...]:
    """Where to come and what to call, in a sentence."""
    place, french = shop.places[0], shop.french
    parts: list[Part] = []
    if shop.chance.happens("come", 0.15):
        line = ", ".join(address_lines(shop, place))
        parts.append(Prose(f"Passez nous voir au {line}." if french else f"Come and see us at {line}."))
    if shop.chance.happens("call", 0.25):
        number = phone_shown(shop, place.phone)
        parts.append(Prose(f"Appelez-nous dès aujourd'hui au {number}!" if french else f"Call {number} today for a free quote!"))
    return tuple(parts)


def _story(shop: Shop) -> tuple[Part, ...]:
    city = shop.business.address.city
    if shop.french:
        return (
            Prose(shop.text.about),
            Prose(f"L'entreprise a ouvert ses portes à {city} en {shop.year} et n'a jamais déménagé bien loin."),
        )
    return (Prose(shop.text.about), Prose(f"We opened our doors in {city} in {shop.year} and have never moved far."))


def _team_apart(shop: Shop) -> bool:
    return len(shop.people) > 1 and shop.layout is Layout.TEAM_APART


def _team(shop: Shop) -> tuple[Part, ...]:
    if not shop.people:
        return ()
    if len(shop.people) == 1 and shop.chance.happens("person in prose", 0.4):
        return (Prose(_person_in_prose(shop)),)
    return (
        Heading("Notre équipe" if shop.french else "Meet the team"),
        Team(tuple(replace(member, name=person_shown(shop, member)) for member in shop.people)),
    )


def _person_in_prose(shop: Shop) -> str:
    name, role = person_shown(shop, shop.people[0]), shop.people[0].role
    if shop.french:
        forms: tuple[str, ...] = (f"{name}, {role.lower()}, répond encore au téléphone.", f"{role} : {name}")
    else:
        forms = (
            f"{name}, {role}, still answers the phone.",
            f"{role}: {name}",
            f"Our {role.lower()}, {name}, still answers the phone.",
        )
    return shop.chance.pick("person form", forms)


def _news(shop: Shop) -> tuple[Part, ...]:
    if shop.french:
        return (
            Heading("Horaire des fêtes"),
            FinePrint("Publié par admin le 1er décembre 2025"),
            Prose("Nous serons fermés du 24 décembre au 2 janvier. Joyeuses fêtes!"),
        )
    return (
        Heading("Holiday hours"),
        Prose("Closed December 24, 2025 to January 2, 2026. Order no. 2025-1143 was our busiest day, at $4,310.25."),
    )


def _contact(shop: Shop) -> tuple[Part, ...]:
    parts: list[Part] = []
    for place in shop.places:
        if place.label is not None:
            parts.append(Heading(place.label))
        parts += [Where(place, address_lines(shop, place)), _phone(shop, place.phone)]
    if shop.free_phone is not None:
        parts.append(Reach("Sans frais" if shop.french else "Toll-free", phone_shown(shop, shop.free_phone), None))
    if shop.fax is not None:
        parts.append(Reach("Téléc." if shop.french else "Fax", phone_shown(shop, shop.fax), None))
    parts += [*(_mail(shop, address) for address in shop.emails), _hours(shop)]
    if shop.chance.happens("numbers on contact", 0.5):
        parts += _numbers(shop)
    return tuple(parts)


def _hours(shop: Shop) -> Prose:
    return Prose(
        "Lundi au vendredi, 8 h à 17 h 30. Samedi sur rendez-vous."
        if shop.french
        else "Monday to Friday 8:00-17:30, Saturday by appointment."
    )


def _phone(shop: Shop, number: str) -> Reach:
    label = shop.chance.pick(
        "phone label", ("Téléphone", "Tél.", "T") if shop.french else ("Phone", "Tel", "Call us", "Telephone", "T", "P", "Office")
    )
    return Reach(label, phone_shown(shop, number), f"tel:{number}" if shop.chance.happens("phone links", 0.6) else None)


def _mail(shop: Shop, address: str) -> Reach:
    label = "Courriel" if shop.french else shop.chance.pick("mail label", ("Email", "E-mail", "E"))
    return Reach(label, address, f"mailto:{address}" if shop.chance.happens("mail links", 0.7) else None)


def _numbers(shop: Shop) -> list[Part]:
    return [FinePrint(f"{number.label} {number.value}") for number in shop.numbers]


def _privacy(shop: Shop) -> tuple[Part, ...]:
    if shop.name_shown is NameShown.PRIVACY or (shop.name_shown in OPEN and shop.chance.happens("named in policy", 0.5)):
        first = privacy_sentence(shop)
    else:
        first = "Nous respectons votre vie privée." if shop.french else "We respect your privacy and collect as little as we can."
    rest = (
        "Vous pouvez demander en tout temps l'accès à vos renseignements ou leur correction."
        if shop.french
        else "You may ask at any time to see or correct the information that we hold about you."
    )
    return (Prose(first), *asides.processors(shop), Prose(rest), *_officer(shop))


def _officer(shop: Shop) -> tuple[Part, ...]:
    """Who answers for the policy."""
    if shop.privacy_officer is None:
        return ()
    name, role = shop.privacy_officer.name, shop.privacy_officer.role
    forms = (f"{role} : {name}",) if shop.french else (f"{role}: {name}", f"Our {role} is {name}.", f"{name}, {role}")
    return (Prose(shop.chance.pick("officer form", forms)),)


def _terms(shop: Shop) -> tuple[Part, ...]:
    generic = (
        "En utilisant ce site, vous acceptez ces conditions." if shop.french else "By using this website you accept these terms."
    )
    law = (
        "Ces conditions sont régies par les lois de la province."
        if shop.french
        else "These terms are governed by the laws of Canada applicable in this province."
    )
    return (Prose(terms_sentence(shop) if shop.name_shown is NameShown.TERMS else generic), Prose(law))


def _bottom(shop: Shop) -> tuple[Part, ...]:
    """What stands at the bottom of every page."""
    parts: list[Part] = []
    if shop.chance.happens("contact below", 0.5):
        place = shop.places[0]
        parts += [Where(place, address_lines(shop, place)), _phone(shop, place.phone)]
    if not shop.chance.happens("numbers on contact", 0.5):
        parts += _numbers(shop)
    owner = legal_shown(shop) if shop.name_shown is NameShown.COPYRIGHT else shop.brand
    parts.append(FinePrint(copyright_line(shop, owner)))
    if shop.name_shown is NameShown.OPERATED:
        parts.append(FinePrint(operated_line(shop)))
    return (*parts, *asides.credit(shop))
