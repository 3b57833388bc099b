"""Compare the entries of a generation with those of an earlier one, of which only the hashes are left.

Hashes of keys are signed 64-bit numbers where they leave this module, as databases store them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bonafide.index.format.hash_table import Hashes, hash_texts, mix_bits
from bonafide.index.search.name_index import DocumentHashes


@dataclass(frozen=True, slots=True)
class EntryChanges:
    """The documents of new and changed entries, and the hashes of the keys of all new, changed and removed ones."""

    documents: tuple[int, ...]
    keys: frozenset[int]

    def __len__(self) -> int:
        return len(self.keys)


def pack_hashes(hashes: DocumentHashes) -> bytes:
    """The hashes of all entries as bytes, 16 for each."""
    return np.stack([hashes.keys, hashes.contents]).astype("<u8").tobytes()


def find_entry_changes(earlier: bytes | None, current: DocumentHashes) -> EntryChanges:
    """What has changed since the packed hashes; every entry without any."""
    packed = np.frombuffer(earlier if earlier is not None else b"", "<u8")
    old_keys, old_contents = packed.reshape(2, -1)
    old, new = _combine(old_keys, old_contents), _combine(current.keys, current.contents)
    is_changed, is_gone = ~np.isin(new, old), ~np.isin(old, new)
    keys = np.concatenate([current.keys[is_changed], old_keys[is_gone]]).astype(np.uint64).view(np.int64)
    return EntryChanges(tuple(current.documents[is_changed].tolist()), frozenset(keys.tolist()))


def hash_entry_id(entry_id: str) -> int:
    """The hash by which an entry is found among changed ones."""
    return int(hash_texts([entry_id]).view(np.int64)[0])


def find_documents(current: DocumentHashes, entry_ids: Sequence[str]) -> list[int]:
    """The documents of the entries that have one of the IDs, in ascending order."""
    found: list[int] = current.documents[np.isin(current.keys, hash_texts(entry_ids))].tolist()
    return found


def _combine(keys: Hashes, contents: Hashes) -> Hashes:
    combined: Hashes = mix_bits(keys.astype(np.uint64)) + contents.astype(np.uint64)
    return combined
