"""Create the files of a new source in a checkout: `make source KIND=regulator KEY=osfi`.

The generated files work together: the source reads its fixture and the sandbox writer's output. Values that must be looked up
contain the text `CHANGE ME`, and the contract test lists every file that still contains it.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from string import Template

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide.sources.framework.discovery import discover_sources

KINDS = {"regulator": "regulators"}
"""The kinds that have templates, mapped to their package names."""
PLACEHOLDER = "CHANGE ME"


def main(arguments: list[str] | None = None) -> int:
    """Create the files and print the next steps. Returns the process's exit code."""
    parser = argparse.ArgumentParser(prog="make source", description="Create the files of a new source.")
    parser.add_argument("--kind", required=True, help=f"one of: {', '.join(KINDS)}")
    parser.add_argument("--key", required=True, help="the key in camelCase, such as osfi or agcoCannabis")
    parser.add_argument("--root", type=Path, default=Path(), help="the checkout (default: the current folder)")
    chosen = parser.parse_args(arguments)
    try:
        created = create_source(chosen.root, chosen.kind, chosen.key)
    except ConfigurationError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    listed = "".join(f"  {path.relative_to(chosen.root)}\n" for path in created)
    sys.stdout.write(
        f"Created:\n{listed}"
        f"Next: replace {PLACEHOLDER!r} in these files with the publisher's values, then run `make test-source KEY={chosen.key}`.\n"
        "See docs/howto/add-a-source.md for all steps.\n"
    )
    return 0


def create_source(root: Path, kind: str, key: str) -> list[Path]:
    """Create the files of a source and return their paths. Existing files are never overwritten.

    Raises `ConfigurationError` if the kind has no templates, the key is invalid or taken, the folder is not a checkout of this
    repository, or a file already exists.
    """
    files = dict(_render_files(root, kind, key))
    existing = [str(path.relative_to(root)) for path in files if path.exists()]
    if existing:
        raise ConfigurationError(Message.untranslated(f"already exists: {', '.join(existing)}"))
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(files)


def to_folder_name(key: str) -> str:
    """Return the name of a source's folder: its key in snake_case."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)


def _render_files(root: Path, kind: str, key: str) -> Iterator[tuple[Path, str]]:
    if kind not in KINDS:
        raise ConfigurationError(
            Message.untranslated(
                f"no templates of kind {kind!r} (available: {', '.join(KINDS)}): copy an existing source of that kind"
            )
        )
    if re.fullmatch(r"[a-z][a-zA-Z0-9]+", key) is None:
        raise ConfigurationError(Message.untranslated(f"{key!r} is not a valid key: use camelCase, such as osfi or agcoCannabis"))
    if key.casefold() in {known.casefold() for known in discover_sources()}:
        raise ConfigurationError(Message.untranslated(f"source {key!r} already exists"))
    package, folder = KINDS[kind], to_folder_name(key)
    if not (root / "src/bonafide/sources" / package).is_dir():
        raise ConfigurationError(Message.untranslated(f"{root.resolve()} is not a checkout of this repository"))
    source, tests = root / "src/bonafide/sources" / package / folder, root / "tests/sources" / package
    targets = {
        "__init__.py": source / "__init__.py",
        "source.yml": source / "source.yml",
        "source.py": source / "source.py",
        "register.csv": tests / key / "register.csv",
        "register.golden.json": tests / key / "register.golden.json",
        "test.py": tests / f"test_{folder}.py",
        "writer.py": root / "src/bonafide_sandbox/writers" / package / f"{folder}.py",
    }
    templates = resources.files("bonafide_sandbox.source_templates") / kind
    for name, target in targets.items():
        template = Template((templates / f"{name}.txt").read_text(encoding="utf-8"))
        yield target, template.substitute(key=key, title=key[0].upper() + key[1:])


if __name__ == "__main__":
    sys.exit(main())
