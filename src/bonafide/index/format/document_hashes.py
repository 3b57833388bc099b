"""Hashes of the key and of the content of each document, by which two loads of a source are compared.

    document_keys       the hash of each document's key (u8)
    document_digests    the hash of all that a document says: texts, payload, activity, facets (u8)

Two of ten million keys share a hash with a chance of one in 300,000. What follows from a change is decided in `comparison`.
"""

from collections.abc import Iterable
from hashlib import blake2b
from operator import attrgetter

import numpy as np

from bonafide.index.format.documents import IndexDocument
from bonafide.index.format.hashing import Hashes, hash_texts
from bonafide.index.format.segment_files import SegmentWriter

_KEY = attrgetter("key")
_DIGEST_BYTES = 8
_TEXT_END, _LIST_END = "\0", "\1"
"""End a text and a list of texts. No register has texts that hold them."""


def hash_keys(documents: Iterable[IndexDocument]) -> Hashes:
    """The hash of each document's key."""
    return hash_texts(list(map(_KEY, documents)))


def hash_contents(documents: Iterable[IndexDocument]) -> Hashes:
    """The hash of all that each document says; another order of its names is another document."""
    return np.frombuffer(b"".join(map(_hash_content, documents)), "<u8")


def _hash_content(document: IndexDocument) -> bytes:
    facets = document.facets
    activity = "active" if document.active else "inactive"
    fields = (*document.names, _LIST_END, *document.people, _LIST_END, *document.addresses, _LIST_END, *document.numbers, _LIST_END)
    texts = _TEXT_END.join((activity, facets.jurisdiction, facets.status, facets.kind, *fields))
    digest = blake2b(texts.encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES)
    digest.update(document.payload)
    return digest.digest()


def write_document_hashes(writer: SegmentWriter, keys: Hashes, contents: Hashes) -> None:
    """Write the hashes of all documents, in their order."""
    writer.save("document_keys", keys, "<u8")
    writer.save("document_digests", contents, "<u8")
