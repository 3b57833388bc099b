"""Which of two kinds of answer a caller prefers, by `Accept` (RFC 9110, section 12.5.1): a description of a file, or the file.

No other content is negotiated: every other answer is JSON, whatever is asked for.
"""

import re
from typing import Annotated

from fastapi import Depends, Request

from bonafide.model.pdf_documents import PDF

JSON = "application/json"
_RANGE = re.compile(r"\s*([\w.+*-]+/[\w.+*-]+)\s*(?:;[^,]*?)??(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?", re.ASCII)


def prefers_pdf(header: str) -> bool:
    """Whether the header names PDF and likes nothing better; a browser that takes anything is given JSON."""
    weights = {
        found[1].lower(): float(found[2] if found[2] is not None else 1)
        for found in map(_RANGE.fullmatch, header.split(","))
        if found
    }
    wanted = weights.get(PDF, 0.0)
    return wanted > 0 and wanted >= weights.get(JSON, 0.0)


async def _prefers_pdf(request: Request) -> bool:
    return prefers_pdf(",".join(request.headers.getlist("accept")))


PrefersPdf = Annotated[bool, Depends(_prefers_pdf)]
"""A parameter: whether the answer is to be the file itself."""
