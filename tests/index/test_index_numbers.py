"""Registration numbers are found in any spelling, and only they."""

import pytest

from bonafide.index import IndexSegment
from tests.support.index.registers import built, document


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> IndexSegment:
    documents = [
        document("Acme", numbers=["BC0772006", "12345 6789 RC0001"]),
        document("Bora", numbers=["9123-4567"]),
        document("Cora", numbers=["1000017"]),
        document("Dora", numbers=["1000017", "1000025"]),
        document("Fora"),
    ]
    return built(tmp_path_factory.mktemp("register"), documents)


@pytest.mark.parametrize(
    ("number", "documents"),
    [
        ("BC0772006", [0]),
        ("bc 772006", [0]),
        ("123456789RC0001", [0]),
        ("123456789", [0]),
        ("9123 4567", [1]),
        ("91234567", [1]),
        ("01000017", [2, 3]),
        ("1000025", [3]),
        ("1000018", []),
        ("", []),
        ("Acme", []),
        ("\ud800", []),
    ],
)
def test_a_number_finds_the_documents_that_bear_it(register: IndexSegment, number: str, documents: list[int]) -> None:
    assert register.lookup(number) == documents
