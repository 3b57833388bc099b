"""The databases that tests run on: each in turn, unless a test says otherwise."""

import pytest

ON_SQLITE_ONLY = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""For tests of what does not depend on the database, such as parsers, refused input, HTTP, signatures and scores."""
