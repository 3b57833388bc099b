"""What a document says is told apart by its digest, whichever part of it changes; its key finds it again."""

from pathlib import Path

import pytest

from bonafide.index import Facets, IndexDocument, build_segment
from bonafide.index.format.documents import hash_contents, hash_keys
from bonafide.index.format.segment_files import open_segment_files
from tests.support.index.registers import DocumentChange

DOCUMENT = IndexDocument(
    "1", b"payload", ("Acme", "Bora"), ("Zoë Ng",), ("1 Main St",), ("7",), active=True, facets=Facets("CA-BC", "active", "company")
)


@pytest.mark.parametrize(
    "change",
    [
        {"payload": b"payloae"},
        {"names": ("Bora", "Acme")},
        {"names": ("Acme", "Bora", "")},
        {"names": ("AcmeB", "ora")},
        {"names": ("Acme",), "people": ("Bora", "Zoë Ng")},
        {"people": ()},
        {"addresses": ("7",), "numbers": ("1 Main St",)},
        {"active": False},
        {"facets": Facets("CA-BC", "company", "active")},
    ],
)
def test_any_change_changes_the_digest(change: DocumentChange) -> None:
    before, after = hash_contents([DOCUMENT, DOCUMENT._replace(**change)])
    assert before != after


def test_a_digest_does_not_depend_on_the_documents_beside() -> None:
    others = [DOCUMENT._replace(names=(f"Name {place}" * place,), payload=b"") for place in range(300)]
    assert hash_contents([DOCUMENT]) == hash_contents([*others, DOCUMENT])[-1:]


def test_documents_have_the_hash_of_their_key_whatever_else_they_say() -> None:
    documents = [DOCUMENT._replace(key=key, payload=key.encode()) for key in ("b", "a", "c", "b", "")]
    hashes = hash_keys(documents).tolist()
    assert hashes[0] == hashes[3]
    assert len(set(hashes)) == len(documents) - 1


def test_a_segment_keeps_the_hashes_of_its_documents(tmp_path: Path) -> None:
    documents = [DOCUMENT._replace(key=key) for key in ("b", "a")]
    build_segment(tmp_path, documents)
    arrays = open_segment_files(tmp_path).arrays
    assert arrays["document_keys"].tolist() == hash_keys(documents).tolist()
    assert arrays["document_digests"].tolist() == hash_contents(documents).tolist()
