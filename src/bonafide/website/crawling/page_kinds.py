"""Words in links and paths that identify the relevant pages of a site, in English and French.

All are folded: lower case without accents, with single spaces between words.
"""

import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum

_BETWEEN = re.compile(r"[^a-z0-9]+")


class PageKind(StrEnum):
    """The purpose of a page, by priority."""

    CONTACT = "contact"
    ABOUT = "about"
    LEGAL = "legal"
    TERMS = "terms"
    PRIVACY = "privacy"
    TEAM = "team"
    LANGUAGE = "language"
    """The home page in another language, or after a language selection."""


KIND_WORDS: Mapping[PageKind, tuple[str, ...]] = {
    PageKind.CONTACT: (
        *("contact", "contacts", "contact us", "contact info", "contact information", "get in touch", "reach us", "find us"),
        *(
            "contactez nous",
            "contacter",
            "nous contacter",
            "nous joindre",
            "joindre",
            "joignez nous",
            "coordonnees",
            "nous trouver",
        ),
        *("our location", "our locations", "our offices", "nos bureaux", "nos succursales"),
    ),
    PageKind.ABOUT: (
        *("about", "about us", "aboutus", "about our company", "our company", "the company", "company", "our story", "our history"),
        *("who we are", "a propos", "apropos", "a propos de nous", "qui sommes nous", "notre entreprise", "l entreprise"),
        *("entreprise", "notre histoire", "la compagnie", "notre compagnie"),
    ),
    PageKind.LEGAL: (
        *(
            "legal",
            "legal notice",
            "legal notices",
            "legal information",
            "imprint",
            "impressum",
            "disclaimer",
            "licences",
            "licenses",
        ),
        *("mentions legales", "mention legale", "mentions", "avis legal", "avis juridique", "informations legales", "legales"),
        *("avis de non responsabilite", "permis et licences"),
    ),
    PageKind.TERMS: (
        *("terms", "terms of service", "terms of use", "terms of sale", "terms and conditions", "terms conditions", "tos"),
        *("conditions", "conditions of sale", "conditions of use", "conditions d utilisation", "conditions de vente", "cgu", "cgv"),
        *(
            "conditions generales",
            "conditions generales de vente",
            "modalites",
            "modalites d utilisation",
            "modalites et conditions",
        ),
    ),
    PageKind.PRIVACY: (
        *("privacy", "privacy policy", "privacy notice", "privacy statement", "confidentialite", "politique de confidentialite"),
        *("vie privee", "politique de vie privee", "renseignements personnels", "protection des renseignements personnels"),
    ),
    PageKind.TEAM: (
        *("team", "our team", "the team", "meet the team", "meet our team", "our people", "people", "staff", "our staff"),
        *("leadership", "management", "management team", "board of directors", "directors", "equipe", "notre equipe", "l equipe"),
        *("direction", "la direction", "conseil d administration", "nos gens"),
        *(
            "meet us",
            "our lawyers",
            "lawyers",
            "our doctors",
            "doctors",
            "our dentists",
            "our agents",
            "our brokers",
            "our partners",
        ),
        *("our professionals", "professionals", "nos avocats", "avocats", "nos professionnels", "professionnels", "nos dentistes"),
        *("nos medecins", "nos courtiers", "nos associes"),
    ),
    PageKind.LANGUAGE: ("en", "fr", "english", "francais", "en ca", "fr ca", "anglais", "french", "enter", "entrer", "entrez"),
}


def normalize_words(text: str) -> str:
    """`Qui sommes-nous ?` as `qui sommes nous`."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(char))
    return _BETWEEN.sub(" ", plain).strip()
