"""Serve the style sheet and scripts under URLs that change with their content.

The style sheet is concatenated from the files of `styles/` in the order of their names. Scripts are served unchanged, our own and
htmx (`scripts/LICENCES.md`). There is no build step.
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
from bonafide.web.default_headers import SECURITY_HEADERS

STYLE_SHEET = "bonafide.css"
ICON = "icon.svg"
PREFIX = "/assets"
CACHE_FOREVER = "public, max-age=31536000, immutable"
_DIGEST_CHARACTERS = 12
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file, plain and compressed."""

    name: str
    content: bytes
    zipped: bytes
    digest: str

    @property
    def address(self) -> str:
        """The URL path of the file."""
        return f"{PREFIX}/{self.digest}/{self.name}"

    @property
    def media_type(self) -> str:
        """The media type, by file extension."""
        return next(kind for ending, kind in _TYPES.items() if self.name.endswith(ending))


def get_asset_url(name: str) -> str:
    """The URL path of the asset of this name. Raises `KeyError` for an unknown one."""
    return _load_assets()[name].address


@router.get(PREFIX + "/{digest}/{name}")
async def serve_asset(request: Request, digest: str, name: str) -> Response:
    """One asset. Raises `NotFound` for a name or version that this release doesn't have."""
    found = _load_assets().get(name)
    if found is None or found.digest != digest:
        raise NotFound
    headers = {**SECURITY_HEADERS, "Cache-Control": CACHE_FOREVER, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(found.zipped, headers={**headers, "Content-Encoding": "gzip"}, media_type=found.media_type)
    return Response(found.content, headers=headers, media_type=found.media_type)


@cache
def _load_assets() -> dict[str, Asset]:
    here = files(__package__)
    sheets = sorted(_list_files(here / "styles", ".css"), key=lambda file: file.name)
    plain = {STYLE_SHEET: b"\n".join(sheet.read_bytes() for sheet in sheets), ICON: (here / "styles" / ICON).read_bytes()}
    plain |= {script.name: script.read_bytes() for script in _list_files(here / "scripts", ".js")}
    return {name: _build_asset(name, content) for name, content in plain.items()}


def _list_files(folder: Traversable, ending: str) -> list[Traversable]:
    return [file for file in folder.iterdir() if file.name.endswith(ending)]


def _build_asset(name: str, content: bytes) -> Asset:
    return Asset(name, content, gzip.compress(content, mtime=0), sha256(content).hexdigest()[:_DIGEST_CHARACTERS])
