"""Style sheet and scripts of all pages, under addresses that change with their content, so that browsers may keep them for good.

The style sheet is put together from the files of `styles/` in the order of their names. Scripts are served as they are, our own and
htmx (`scripts/LICENCES.md`). Nothing is built.
"""

import gzip
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.errors import NotFound
from bonafide.web.headers import SECURITY_HEADERS

STYLE_SHEET = "bonafide.css"
ICON = "icon.svg"
PREFIX = "/assets"
FOR_GOOD = "public, max-age=31536000, immutable"
_DIGEST_CHARACTERS = 12
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Asset:
    """A file that pages refer to, plain and compressed."""

    name: str
    content: bytes
    zipped: bytes
    digest: str

    @property
    def address(self) -> str:
        """Where it is served."""
        return f"{PREFIX}/{self.digest}/{self.name}"

    @property
    def media_type(self) -> str:
        """By its name's ending."""
        return next(kind for ending, kind in _TYPES.items() if self.name.endswith(ending))


def asset_address(name: str) -> str:
    """Where the asset of this name is served. Raises `KeyError` for an unknown one."""
    return _assets()[name].address


@router.get(PREFIX + "/{digest}/{name}")
async def asset(request: Request, digest: str, name: str) -> Response:
    """One asset. Raises `NotFound` for a name, or a state of it, that this release does not have."""
    found = _assets().get(name)
    if found is None or found.digest != digest:
        raise NotFound("there is no such file")
    headers = {**SECURITY_HEADERS, "Cache-Control": FOR_GOOD, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(found.zipped, headers={**headers, "Content-Encoding": "gzip"}, media_type=found.media_type)
    return Response(found.content, headers=headers, media_type=found.media_type)


@cache
def _assets() -> dict[str, Asset]:
    here = files(__package__)
    sheets = sorted(_named(here / "styles", ".css"), key=lambda file: file.name)
    plain = {STYLE_SHEET: b"\n".join(sheet.read_bytes() for sheet in sheets), ICON: (here / "styles" / ICON).read_bytes()}
    plain |= {script.name: script.read_bytes() for script in _named(here / "scripts", ".js")}
    return {name: _asset(name, content) for name, content in plain.items()}


def _named(folder: Traversable, ending: str) -> list[Traversable]:
    return [file for file in folder.iterdir() if file.name.endswith(ending)]


def _asset(name: str, content: bytes) -> Asset:
    return Asset(name, content, gzip.compress(content, mtime=0), sha256(content).hexdigest()[:_DIGEST_CHARACTERS])
