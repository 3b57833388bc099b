"""Which documents of a source are the same from load to load, and which of those have changed.

    document_keys       the hash of each document's key (u8)
    document_digests    the hash of all that a document says: texts, payload, activity, facets (u8)

Two of ten million keys share a hash with a chance of one in 300,000. What follows from a change is decided in `comparison`.
"""

from collections.abc import Iterable
from hashlib import blake2b
from operator import attrgetter

import numpy as np

from bonafide.index.document import IndexDocument
from bonafide.index.files import SegmentWriter
from bonafide.index.hashing import Hashes, hash_texts

_KEY = attrgetter("key")
_DIGEST_BYTES = 8
_END, _NEXT = "\0", "\1"
"""End a text and a list of texts. No register has texts that hold them."""


def key_hashes(documents: Iterable[IndexDocument]) -> Hashes:
    """The hash of each document's key."""
    return hash_texts(list(map(_KEY, documents)))


def digests(documents: Iterable[IndexDocument]) -> Hashes:
    """The hash of all that each document says; another order of its names is another document."""
    return np.frombuffer(b"".join(map(_digest, documents)), "<u8")


def _digest(document: IndexDocument) -> bytes:
    facets = document.facets
    activity = "active" if document.active else "inactive"
    fields = (*document.names, _NEXT, *document.people, _NEXT, *document.addresses, _NEXT, *document.numbers, _NEXT)
    texts = _END.join((activity, facets.jurisdiction, facets.status, facets.kind, *fields))
    digest = blake2b(texts.encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES)
    digest.update(document.payload)
    return digest.digest()


def write_identities(writer: SegmentWriter, keys: Hashes, contents: Hashes) -> None:
    """Write the hashes of all documents, in their order."""
    writer.save("document_keys", keys, "<u8")
    writer.save("document_digests", contents, "<u8")
