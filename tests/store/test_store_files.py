"""The file store, in a local folder and on a real S3 server: `north` keeps files, and `south` can have none of them."""

import asyncio
import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from uuid import UUID, uuid4

import obstore
import pytest
import structlog

from bonafide.errors import ConfigurationError, InternalFailure, NotFound, ServerBusy
from bonafide.store.blobs.file_store import MAX_NAME_CHARACTERS, FileStore, StoredFile
from tests.support.servers.s3 import SECRET_KEY, S3Server, running_server

pytestmark = pytest.mark.anyio
NORTH, SOUTH = uuid4(), uuid4()
NAME = "reports/6b1f/report.pdf"
CONTENT = b"%PDF-1.7 Sandbox Bakery Inc.\r\n\x00\xff\n"
PDF = "application/pdf"
LARGE = 12 * 1024**2
"""More than the 5 MB from which obstore would send a file in parts."""
BAD_NAMES = {
    "nothing": "",
    "the folder itself": ".",
    "the folder above": "..",
    "a file above": "../report.pdf",
    "out and in again": "reports/../../report.pdf",
    "another organization's": f"../{NORTH}/report.pdf",
    "from the root": "/etc/report.pdf",
    "a drive": "c:/report.pdf",
    "backwards": "reports\\report.pdf",
    "an empty part": "reports//report.pdf",
    "hidden": ".report.pdf",
    "a folder's": "reports/report",
    "a file under a file": "report.pdf/page.pdf",
    "a part that is only dots": "reports/.../report.pdf",
    "capitals": "Report.pdf",
    "accents": "rapport-économique.pdf",
    "a space": "my report.pdf",
    "a line's end": "report.pdf\n",
    "an end of text": "report\0.pdf",
    "encoded": "%2e%2e/report.pdf",
    "a query": "report.pdf?version=1",
    "obstore's own draft": "report.pdf#1",
    "too long": "r" * MAX_NAME_CHARACTERS + ".pdf",
}
TWO_CONTENTS = tuple(letter * (1 << 18) for letter in (b"a", b"b"))


@pytest.fixture(scope="session")
def s3_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    """A running S3 server; skips the test, and says so, where there is none."""
    with running_server(tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture(params=["folder", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[FileStore, Path]:
    """Empty files, and the folder on disk in which they lie in the end, on each of the two storages in turn."""
    if request.param == "folder":
        folder = tmp_path / "the files"
        return FileStore.open(folder.as_uri()), folder
    server: S3Server = request.getfixturevalue("s3_server")
    prefix = server.empty_prefix()
    return FileStore.open(f"s3://{server.bucket}/{prefix}", server.options), server.folder / prefix


@pytest.fixture
def files(place: tuple[FileStore, Path]) -> FileStore:
    return place[0]


def on_disk(folder: Path, organization: UUID, name: str) -> Path:
    return folder / str(organization) / name


async def test_the_files_of_all_organizations_are_listed_and_what_else_lies_there_is_not(files: FileStore) -> None:
    assert [name async for name in files.list_all()] == []
    kept = {(NORTH, NAME), (SOUTH, NAME), (SOUTH, "imports/1-a.csv")}
    for organization, name in kept:
        await files.put(organization, name, CONTENT, PDF)
    for strange in ("strange/report.pdf", f"{NORTH}/Report.pdf", "report.pdf"):
        await obstore.put_async(files._storage, strange, CONTENT)
    assert {name async for name in files.list_all()} == kept


class TestAFile:
    async def test_comes_back_as_it_was_kept(self, files: FileStore) -> None:
        kept = await files.put(NORTH, NAME, CONTENT, PDF)
        assert kept == StoredFile(NAME, len(CONTENT), hashlib.sha256(CONTENT).hexdigest(), PDF)
        assert await files.get(NORTH, NAME) == CONTENT
        assert await files.get(NORTH, NAME, kept.sha256) == CONTENT

    @pytest.mark.parametrize("size", [0, LARGE], ids=["empty", "large"])
    async def test_may_be_empty_or_large(self, files: FileStore, size: int) -> None:
        content = b"x" * size
        kept = await files.put(NORTH, NAME, content, PDF)
        assert await files.get(NORTH, NAME, kept.sha256) == content

    async def test_lies_below_its_organization(self, place: tuple[FileStore, Path]) -> None:
        files, folder = place
        await files.put(NORTH, NAME, CONTENT, PDF)
        assert on_disk(folder, NORTH, NAME).read_bytes() == CONTENT
        assert [path for path in folder.rglob("*") if path.is_file()] == [on_disk(folder, NORTH, NAME)]

    async def test_replaces_the_one_of_its_name(self, files: FileStore) -> None:
        await files.put(NORTH, NAME, CONTENT * 2, PDF)
        await files.put(NORTH, NAME, CONTENT, PDF)
        assert await files.get(NORTH, NAME) == CONTENT

    async def test_that_was_never_kept_is_not_found(self, files: FileStore) -> None:
        assert not await files.exists(NORTH, NAME)
        with pytest.raises(NotFound):
            await files.get(NORTH, NAME)

    async def test_is_gone_when_it_was_deleted_and_can_be_deleted_again(self, files: FileStore) -> None:
        await files.put(NORTH, NAME, CONTENT, PDF)
        assert await files.exists(NORTH, NAME)
        await files.delete(NORTH, NAME)
        await files.delete(NORTH, NAME)
        assert not await files.exists(NORTH, NAME)
        with pytest.raises(NotFound):
            await files.get(NORTH, NAME)

    async def test_that_was_damaged_is_not_handed_out_as_what_was_kept(self, place: tuple[FileStore, Path]) -> None:
        files, folder = place
        kept = await files.put(NORTH, NAME, CONTENT, PDF)
        on_disk(folder, NORTH, NAME).write_bytes(CONTENT[:-1] + b"!")
        with pytest.raises(InternalFailure, match="damaged"):
            await files.get(NORTH, NAME, kept.sha256)


class TestAnotherOrganization:
    async def test_has_no_file_of_norths(self, files: FileStore) -> None:
        await files.put(NORTH, NAME, CONTENT, PDF)
        assert not await files.exists(SOUTH, NAME)
        with pytest.raises(NotFound):
            await files.get(SOUTH, NAME)

    async def test_can_neither_delete_nor_replace_a_file_of_norths(self, files: FileStore) -> None:
        await files.put(NORTH, NAME, CONTENT, PDF)
        await files.delete(SOUTH, NAME)
        await files.put(SOUTH, NAME, b"south's", PDF)
        assert await files.get(NORTH, NAME) == CONTENT
        assert await files.get(SOUTH, NAME) == b"south's"

    async def test_reaches_no_file_of_norths_by_a_name(self, files: FileStore) -> None:
        await files.put(NORTH, "report.pdf", CONTENT, PDF)
        for name in (f"../{NORTH}/report.pdf", f"{SOUTH}/../../{NORTH}/report.pdf", f"/{NORTH}/report.pdf"):
            with pytest.raises(ValueError, match="not a file's name"):
                await files.get(SOUTH, name)
        with pytest.raises(NotFound):
            await files.get(SOUTH, f"{NORTH}/report.pdf")


async def test_of_many_who_make_a_file_the_first_counts(tmp_path: Path) -> None:
    files = FileStore.open(tmp_path.as_uri())
    contents = [f"content {number}".encode() for number in range(8)]
    await asyncio.gather(*(files.put_new(NORTH, NAME, content, PDF) for content in contents))
    kept = await files.get(NORTH, NAME)
    await files.put_new(NORTH, NAME, b"later", PDF)
    assert kept in contents
    assert await files.get(NORTH, NAME) == kept


async def test_a_file_that_is_made_once_is_there(files: FileStore) -> None:
    await files.put_new(NORTH, NAME, CONTENT, PDF)
    assert await files.get(NORTH, NAME) == CONTENT


@pytest.mark.parametrize("name", BAD_NAMES.values(), ids=BAD_NAMES)
async def test_a_name_of_another_form_is_refused_before_anything_is_touched(place: tuple[FileStore, Path], name: str) -> None:
    files, folder = place
    for asked in (
        files.put(NORTH, name, CONTENT, PDF),
        files.get(NORTH, name),
        files.exists(NORTH, name),
        files.delete(NORTH, name),
    ):
        with pytest.raises(ValueError, match="not a file's name"):
            await asked
    assert not [path for path in folder.parent.rglob("*") if path.is_file()]


class TestHalfAFile:
    async def test_is_never_read_while_others_write(self, files: FileStore) -> None:
        await files.put(NORTH, NAME, TWO_CONTENTS[0], PDF)
        done = asyncio.Event()

        async def write() -> None:
            for turn in range(8):
                await files.put(NORTH, NAME, TWO_CONTENTS[turn % 2], PDF)
            done.set()

        async def read() -> int:
            reads = 0
            while not done.is_set():
                assert await files.get(NORTH, NAME) in TWO_CONTENTS
                reads += 1
            return reads

        _, *reads = await asyncio.gather(write(), read(), read())
        assert sum(reads) > 0

    @pytest.mark.parametrize("after_ms", [0, 1, 3, 10])
    async def test_is_not_left_by_a_write_that_was_cut_off(self, files: FileStore, after_ms: int) -> None:
        await files.put(NORTH, NAME, CONTENT, PDF)
        writing = asyncio.create_task(files.put(NORTH, NAME, b"n" * LARGE, PDF))
        await asyncio.sleep(after_ms / 1000)
        writing.cancel()
        with suppress(asyncio.CancelledError):
            await writing
        assert await files.get(NORTH, NAME) in {CONTENT, b"n" * LARGE}


class TestOnS3:
    async def test_the_content_type_goes_along(self, s3_server: S3Server) -> None:
        files = FileStore.open(f"s3://{s3_server.bucket}", s3_server.options)
        await files.put(NORTH, NAME, CONTENT, PDF)
        found = await obstore.get_async(files._storage, f"{NORTH}/{NAME}")
        assert found.attributes["Content-Type"] == PDF

    async def test_a_bucket_that_is_not_there_is_never_an_empty_one(self, s3_server: S3Server) -> None:
        files = FileStore.open("s3://no-such-bucket", s3_server.options)
        for asked in (files.put(NORTH, NAME, CONTENT, PDF), files.get(NORTH, NAME)):
            with pytest.raises(ServerBusy):
                await asked

    async def test_refused_credentials_are_the_storages_trouble_and_are_told_to_nobody(self, s3_server: S3Server) -> None:
        wrong = f"{SECRET_KEY}-wrong"
        files = FileStore.open(f"s3://{s3_server.bucket}", {**s3_server.options, "secret_access_key": wrong})
        with structlog.testing.capture_logs() as logs:
            for asked in (files.put(NORTH, NAME, CONTENT, PDF), files.get(NORTH, NAME), files.exists(NORTH, NAME)):
                with pytest.raises(ServerBusy) as refused:
                    await asked
                assert SECRET_KEY not in refused.value.message
        assert logs
        assert SECRET_KEY not in str(logs)

    async def test_a_server_that_is_gone_is_the_storages_trouble(self, tmp_path: Path) -> None:
        with running_server(tmp_path / "s3") as server:
            files = FileStore.open(f"s3://{server.bucket}", server.options)
            await files.put(NORTH, NAME, CONTENT, PDF)
        for asked in (files.get(NORTH, NAME), files.exists(NORTH, NAME), files.delete(NORTH, NAME)):
            with pytest.raises(ServerBusy):
                await asked

    async def test_an_endpoint_that_does_not_speak_tls_is_the_storages_trouble(self, s3_server: S3Server) -> None:
        options = {**s3_server.options, "endpoint": s3_server.endpoint.replace("http://", "https://")}
        with pytest.raises(ServerBusy):
            await FileStore.open("s3://bucket", options).get(NORTH, NAME)


async def test_a_folder_that_can_not_be_written_to_is_the_storages_trouble(tmp_path: Path) -> None:
    files = FileStore.open(tmp_path.as_uri())
    (tmp_path / str(NORTH)).write_text("a file in the folder's place")
    for asked in (files.put(NORTH, NAME, CONTENT, PDF), files.get(NORTH, NAME)):
        with pytest.raises(ServerBusy):
            await asked


class TestAnAddress:
    @pytest.mark.parametrize(
        "address",
        ["", "files", "/var/files", "ftp://host/files", "file://host/files", "file://", "file:///", "s3://", "s3:///prefix"],
    )
    def test_of_no_storage_that_is_known_is_refused(self, address: str) -> None:
        with pytest.raises(ConfigurationError):
            FileStore.open(address)

    def test_whose_folder_can_not_be_made_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "taken").write_text("a file")
        with pytest.raises(ConfigurationError):
            FileStore.open((tmp_path / "taken" / "files").as_uri())

    @pytest.mark.parametrize("option", ["allow_http", "bucket", "timeout", "access_key"])
    def test_with_an_option_that_is_not_of_s3_is_refused_by_its_name(self, option: str) -> None:
        with pytest.raises(ConfigurationError, match=option) as refused:
            FileStore.open("s3://bucket", {option: "hush"})
        assert "hush" not in refused.value.message
