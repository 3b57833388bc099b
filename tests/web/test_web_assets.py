"""Style and scripts: kept by browsers for good, because another content has another address."""

import gzip
import re
from importlib.resources import files

import httpx2
import pytest

from bonafide.web.assets import STYLE_SHEET, get_asset_url

pytestmark = pytest.mark.anyio
NAMES = {STYLE_SHEET: "text/css", "htmx.min.js": "text/javascript", "icon.svg": "image/svg+xml"}


@pytest.mark.parametrize(("name", "kind"), NAMES.items())
async def test_an_asset_may_be_kept_for_good(browser: httpx2.AsyncClient, name: str, kind: str) -> None:
    answer = await browser.get(get_asset_url(name))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].split(";")[0] == kind
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("name", NAMES)
async def test_an_asset_goes_out_compressed_to_whoever_can_read_that(browser: httpx2.AsyncClient, name: str) -> None:
    plain = await browser.get(get_asset_url(name), headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    async with browser.stream("GET", get_asset_url(name), headers={"Accept-Encoding": "gzip, br"}) as answer:
        zipped = b"".join([piece async for piece in answer.aiter_raw()])
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped) == plain.content
    assert len(zipped) < len(plain.content)


async def test_the_style_sheet_is_put_together_in_the_order_of_the_names(browser: httpx2.AsyncClient) -> None:
    written = (await browser.get(get_asset_url(STYLE_SHEET))).text
    sheets = sorted((files("bonafide.web") / "styles").iterdir(), key=lambda file: file.name)
    parts = [written.find(sheet.read_text("utf-8")) for sheet in sheets if sheet.name.endswith(".css")]
    assert parts == sorted(parts)
    assert parts[0] == 0
    assert -1 not in parts


@pytest.mark.parametrize("address", ["/assets/000000000000/bonafide.css", "/assets/000000000000/no-such.js", "/assets/x/../y"])
async def test_another_state_of_an_asset_or_an_unknown_one_is_not_there(browser: httpx2.AsyncClient, address: str) -> None:
    answer = await browser.get(address)
    assert answer.status_code == 404
    assert answer.headers.get("Cache-Control") == "no-store"


def test_a_template_can_not_name_an_asset_that_does_not_exist() -> None:
    with pytest.raises(KeyError):
        get_asset_url("no-such.js")


def test_an_address_says_which_content_it_stands_for() -> None:
    assert re.fullmatch(r"/assets/[0-9a-f]{12}/bonafide\.css", get_asset_url(STYLE_SHEET)) is not None
    assert get_asset_url(STYLE_SHEET) == get_asset_url(STYLE_SHEET)


def test_no_style_or_script_is_fetched_from_elsewhere() -> None:
    """The content security policy would refuse it, and so would an installation without the internet."""
    here = files("bonafide.web")
    texts = {file.name: file.read_text("utf-8") for folder in ("styles", "scripts") for file in (here / folder).iterdir()}
    elsewhere = re.compile(r"@import|url\(\s*[\"']?(?:https?:)?//|(?:src|href)=[\"']https?:")
    assert [name for name, text in texts.items() if name.endswith((".css", ".js")) and elsewhere.search(text)] == []
