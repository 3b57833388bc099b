"""Maintain the catalogues: `python -m bonafide.i18n update` after a change of messages, `check` in `make lint`."""

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

import bonafide
from bonafide.i18n.catalog import DOMAIN, get_catalog_path
from bonafide.i18n.catalog_check import list_problems
from bonafide.i18n.extraction import extract_messages
from bonafide.i18n.language import Language

_TRANSLATED = [language for language in Language if language is not Language.ENGLISH]


def main(arguments: list[str]) -> int:
    """Run the command; the exit code is 1 where a check fails, 2 for an unknown command."""
    if arguments not in (["update"], ["check"]):
        sys.stderr.write("usage: python -m bonafide.i18n update|check\n")
        return 2
    template = extract_messages(Path(bonafide.__file__).parent)
    problems = []
    for language in _TRANSLATED:
        path = Path(str(get_catalog_path(language)))
        if arguments == ["update"]:
            _update(path, template, language)
        else:
            problems += [f"{path.name} ({language}): {problem}" for problem in list_problems(_read(path, language), template)]
    sys.stderr.writelines(f"{problem}\n" for problem in problems)
    if problems:
        sys.stderr.write("Run `make messages`, then translate the entries that are empty or marked fuzzy.\n")
    return 1 if problems else 0


def _read(path: Path, language: Language) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=language.value, domain=DOMAIN)


def _update(path: Path, template: Catalog, language: Language) -> None:
    """Add new messages, drop those that are gone. A reworded one keeps its translation, marked fuzzy."""
    catalog = _read(path, language)
    catalog.update(template, update_creation_date=False)
    catalog.obsolete.clear()
    with path.open("wb") as file:
        write_po(file, catalog, width=120, include_lineno=False, sort_by_file=True, omit_header=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
