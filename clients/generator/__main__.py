"""Generate the client libraries: `python -m clients.generator`, or `make clients`."""

import json
import sys
from pathlib import Path

from clients.generator.description import simplify_description
from clients.generator.python_client import write_python_client
from clients.generator.typescript_client import write_typescript_client

ROOT = Path(__file__).parents[2]
DESCRIPTION = ROOT / "docs" / "openapi.json"


def main(target: Path) -> None:
    """Write what is generated into a folder that has the structure of `clients`."""
    description = simplify_description(json.loads(DESCRIPTION.read_text(encoding="utf-8")))
    write_python_client(description, target / "python" / "src" / "bonafide_client")
    write_typescript_client(description, target / "typescript")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "clients")
