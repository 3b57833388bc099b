"""Objects: whole or not at all, in parts where they are large, and never what their name does not say."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bonafide.errors import ConfigurationError, NotFound, SegmentCorrupt, ServerBusy
from bonafide.store.blobs.object_store import MAX_SMALL_BYTES, PART_BYTES, ContentAddressedStore
from tests.support.servers.s3 import S3Server, running_server

pytestmark = pytest.mark.anyio
PLACE = "live/qc"
SIZES = {"nothing": 0, "little": 10, "one part": PART_BYTES, "three parts": 2 * PART_BYTES + 7}


@pytest.fixture(scope="session")
def objects_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with running_server(tmp_path_factory.mktemp("objects")) as server:
        yield server


@pytest.fixture(params=["folder", "s3"])
def objects(request: pytest.FixtureRequest, tmp_path: Path) -> ContentAddressedStore:
    if request.param == "folder":
        return ContentAddressedStore.open((tmp_path / "shared").as_uri(), {})
    server: S3Server = request.getfixturevalue("objects_server")
    return ContentAddressedStore.open(f"s3://{server.bucket}/{server.empty_prefix()}", server.options)


def written(folder: Path, content: bytes) -> tuple[Path, str]:
    path = folder / "own"
    path.write_bytes(content)
    return path, hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_a_file_comes_back_as_it_went(objects: ContentAddressedStore, tmp_path: Path, size: int) -> None:
    content = os.urandom(size)
    path, name = written(tmp_path, content)
    await objects.put_file(PLACE, name, path, len(content))
    assert await objects.sizes(PLACE) == {name: len(content)}
    await objects.get_file(PLACE, name, tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == content


async def test_places_are_apart(objects: ContentAddressedStore) -> None:
    name = await objects.put(PLACE, b"one")
    assert await objects.sizes("live/qcx") == await objects.sizes("sandbox/qc") == {}
    with pytest.raises(NotFound):
        await objects.get("live/yt", name)
    assert await objects.get(PLACE, name) == b"one"
    await objects.delete(PLACE, name)
    await objects.delete(PLACE, name)
    assert await objects.sizes(PLACE) == {}


async def test_another_content_than_the_name_says_is_refused(objects: ContentAddressedStore, tmp_path: Path) -> None:
    path, _ = written(tmp_path, b"damaged")
    name = hashlib.sha256(b"genuine").hexdigest()
    await objects.put_file(PLACE, name, path, 7)
    with pytest.raises(SegmentCorrupt, match="damaged"):
        await objects.get(PLACE, name)
    with pytest.raises(SegmentCorrupt, match="damaged"):
        await objects.get_file(PLACE, name, tmp_path / "back")


async def test_an_object_that_is_no_description_is_not_read_into_memory(objects: ContentAddressedStore, tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(MAX_SMALL_BYTES + 1)
    name = hashlib.sha256(path.read_bytes()).hexdigest()
    await objects.put_file(PLACE, name, path, MAX_SMALL_BYTES + 1)
    with pytest.raises(SegmentCorrupt, match="too large"):
        await objects.get(PLACE, name)


async def test_what_a_dead_upload_has_left_in_a_folder_is_swept(tmp_path: Path) -> None:
    objects = ContentAddressedStore.open(tmp_path.as_uri(), {})
    name = await objects.put(PLACE, b"one")
    half = tmp_path / PLACE / f"{'0' * 64}#1"
    half.write_bytes(b"half")
    assert await objects.sizes(PLACE) == {name: 3}
    await objects.sweep(PLACE)
    assert [path.name for path in (tmp_path / PLACE).iterdir()] == [name]


async def test_a_storage_that_is_away_is_said(tmp_path: Path) -> None:
    nobody = {"endpoint": "http://127.0.0.1:9", "region": "ca-central-1", "access_key_id": "none", "secret_access_key": "none"}
    objects = ContentAddressedStore.open("s3://nowhere/at-all", nobody)
    path, name = written(tmp_path, b"one")
    with pytest.raises(ServerBusy):
        await objects.sizes(PLACE)
    with pytest.raises(ServerBusy):
        await objects.put_file(PLACE, name, path, 3)
    with pytest.raises(ServerBusy):
        await objects.get_file(PLACE, name, tmp_path / "back")


@pytest.mark.parametrize("place", ["live", "live/../other", "/live/qc", "live/qc/more", "live/.hidden", "Live/qc", ""])
async def test_no_place_is_outside(tmp_path: Path, place: str) -> None:
    with pytest.raises(ValueError, match="place"):
        await ContentAddressedStore.open(tmp_path.as_uri(), {}).put(place, b"one")


@pytest.mark.parametrize("name", ["", "../x", "0" * 63, "g" * 64])
async def test_no_name_is_anything_else(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        await ContentAddressedStore.open(tmp_path.as_uri(), {}).get(PLACE, name)


def test_an_address_of_another_kind_is_refused() -> None:
    with pytest.raises(ConfigurationError):
        ContentAddressedStore.open("https://bucket.example/", {})
