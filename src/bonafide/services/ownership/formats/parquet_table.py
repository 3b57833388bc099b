"""Write the ownership of a business as Apache Parquet: the table of `interest_rows`.

A Parquet file has one table. The parties are columns of their interests, so that a query of one file needs no join.
"""

import io

from bonafide.model.ownership.answer import OwnershipAnswer
from bonafide.services.ownership.formats.interest_rows import COLUMNS, list_interest_rows

PARQUET_MEDIA_TYPE = "application/vnd.apache.parquet"
_NUMBERS = frozenset({"share_exact", "share_min", "share_max"})
_FLAGS = frozenset({"share_exclusive_min", "share_exclusive_max"})
_LISTS = frozenset({"owner_countries", "owned_countries"})


def write_parquet(answer: OwnershipAnswer) -> bytes:
    """The file. Its metadata has the ID of the business and the ID of the party that is the business."""
    import pyarrow as pa  # noqa: PLC0415 - takes a quarter of a second, and few processes export tables
    import pyarrow.parquet as pq  # noqa: PLC0415

    def choose_type(column: str) -> pa.DataType:
        if column in _NUMBERS:
            return pa.float64()
        if column in _FLAGS:
            return pa.bool_()
        return pa.list_(pa.string()) if column in _LISTS else pa.string()

    metadata = {"businessId": str(answer.business_id), "party": answer.party or ""}
    schema = pa.schema([(column, choose_type(column)) for column in COLUMNS], metadata=metadata)
    table = pa.Table.from_pylist(list(list_interest_rows(answer)), schema=schema)
    written = io.BytesIO()
    pq.write_table(table, written)
    return written.getvalue()
