"""A statement that Open Ownership published of the Global LEI Index is read as it is."""

from pathlib import Path
from uuid import UUID

import pytest

from bonafide.model.ownership.file_format import OwnershipFileOptions
from bonafide.model.ownership.statement import Claimant
from bonafide.services.ownership.formats.bods_import import read_bods
from bonafide.services.ownership.formats.statement_draft import StatementSubject

pytestmark = pytest.mark.realdata
BUSINESS_ID = UUID("6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11")


def test_an_entity_of_the_lei_index_is_read(shared_data: Path) -> None:
    content = (shared_data / "regulatory" / "gleif" / "gleif_canadian_entities_bods04.jsonl").read_bytes()
    statement = read_bods(content, StatementSubject(BUSINESS_ID, None), OwnershipFileOptions()).to_statement()
    (party,) = statement.parties
    assert (statement.claimed_by, party.business_id, party.countries) == (Claimant.LEI, BUSINESS_ID, ("CA",))
