"""Dates of tables are read as `strptime` reads them."""

from datetime import datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import ISO_DATE, parse_date

DAYS = st.builds("{:04d}-{:02d}-{:02d}".format, st.integers(0, 9999), st.integers(0, 13), st.integers(0, 32))


@given(DAYS | st.text("0123456789- ", max_size=11))
@example("2001-02-28")
@example("2001-02-29")
@example("0000-01-01")
@example("2001-1-2")
def test_iso_dates(text: str) -> None:
    try:
        expected = datetime.strptime(text, ISO_DATE).date()  # noqa: DTZ007 - a calendar day has no zone
    except ValueError:
        with pytest.raises(ValueError, match="is not a date") as raised:
            parse_date(text, ISO_DATE)
        assert isinstance(raised.value.args[0], Message)
    else:
        assert parse_date(text, ISO_DATE) == expected
