"""Write Statistics Canada's NAICS Canada tables, two per language, with the classes that the sandbox uses.

The tables are the same in every world. All five levels of a class are derived from its code.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bonafide_sandbox.generator.data_tables import read_table
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import CsvFile, TargetFile

SOURCE = "naics"
STRUCTURE = {
    "en": ("Level", "Hierarchical structure", "Code", "Class title", "Superscript", "Class definition"),
    "fr": ("Niveau", "Structure hiérarchique", "Code", "Titres de classes", "Exposant", "Définitions de la classe"),
}
ELEMENTS = {
    "en": ("Level", "Code", "Class title", "Element Type Label", "Element Description"),
    "fr": ("Niveau", "Code", "Titres de classes", "Étiquette de type d'élément", "Description de l'élément"),
}
LEVELS = {
    "en": ("Sector", "Subsector", "Industry group", "Industry", "Canadian industry"),
    "fr": ("Secteur", "Sous-secteur", "Groupe", "Classe", "Classe canadienne"),
}
ALL_EXAMPLES = {"en": "All examples", "fr": "Tous les exemples"}
DEFINED = {
    "en": "This made-up industry comprises establishments whose trade is: {}.",
    "fr": "Cette classe inventée comprend les établissements dont le métier est : {}.",
}
LEAF = 5


def write_naics(folder: Path) -> list[TargetFile]:
    """Write the four tables to a world's folder. Returns the files written."""
    table = read_table(SOURCE)
    targets = []
    for place, language in enumerate(STRUCTURE):
        for name, header, rows in (
            ("structure", STRUCTURE[language], _classes(table, language, place)),
            ("elements", ELEMENTS[language], _phrases(table, language)),
        ):
            resource = f"{language}-{name}"
            path = f"{SOURCE}/{resource}.csv"
            file = CsvFile(folder / path, header)
            for row in rows:
                file.write(row)
            file.close()
            targets.append(TargetFile(SOURCE, resource, path, DeliveryRoute.DOWNLOAD))
    return targets


def _classes(table: Any, language: str, place: int) -> Iterator[tuple[object, ...]]:
    """Yield each class of every level once, parents before children."""
    seen: set[str] = set()
    for code, texts in sorted(table["classes"].items()):
        title, *phrases = texts[language]
        sector = next(key for key in table["sectors"] if key[:2] <= code[:2] <= key[-2:])
        named = table["sectors"][sector][place]
        for level, own in enumerate([sector, *(code[:digits] for digits in (3, 4, 5, 6))], start=1):
            if own not in seen:
                seen.add(own)
                # A parent of several classes has its own name, not that of one of its children.
                name = title if sum(other.startswith(own) for other in table["classes"]) == 1 else named
                text = DEFINED[language].format(", ".join(phrases)) if level == LEAF else ""
                yield level, LEVELS[language][level - 1], own, name, "", text


def _phrases(table: Any, language: str) -> Iterator[tuple[object, ...]]:
    for code, texts in sorted(table["classes"].items()):
        title, *phrases = texts[language]
        for phrase in phrases:
            yield LEAF, code, title, ALL_EXAMPLES[language], phrase
