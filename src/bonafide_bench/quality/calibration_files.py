"""Write a measured calibration to the repository: the table of the bands, the picture, and the table in the documentation."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from bonafide.matching.scoring_reference import render_bands, render_page
from bonafide_bench.quality.calibration import CalibrationCurve
from bonafide_bench.quality.calibration_picture import describe_curves, draw_calibration

TABLE = Path("src/bonafide/matching/data/calibration.yml")
PICTURE = Path("docs/images/calibration.svg")
REFERENCE = Path("docs/reference/scoring.md")
PAGE = Path("docs/discussions/understanding-scores.md")
HEADING = "## Measured shares"
_LOWEST_BAND = 0.7
_COMMENT = """# The share of true matches in each band of the score, by kind of name, among pairs that no number was fitted on.
# Written by `bonafide bench match --real-data FOLDER --write-calibration`. `bonafide_bench/real_names/name_sets.py` has the sets.
"""


def write_calibration(root: Path, curves: Sequence[CalibrationCurve]) -> list[Path]:
    """Write all files below the folder of the repository; returns their paths.

    Raises `FileNotFoundError` if it is no checkout, and `ValueError` if the page has no table of measured shares.
    """
    document = to_document(curves)
    page = replace_table((root / PAGE).read_text("utf-8"), "\n".join(render_bands(document["kinds"])), describe_curves(curves))
    (root / TABLE).write_text(_COMMENT + yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=128), "utf-8")
    (root / PICTURE).write_text(draw_calibration(curves), "utf-8")
    (root / PAGE).write_text(page, "utf-8")
    (root / REFERENCE).write_text(render_page(), "utf-8")
    return [TABLE, PICTURE, PAGE, REFERENCE]


def to_document(curves: Sequence[CalibrationCurve]) -> dict[str, Any]:
    """The bands from 0.7 of each kind, shares with three decimals, and the alternative text of the picture."""
    kinds = {
        curve.kind.value: [
            {"low": band.low, "high": min(band.high, 1.0), "pairs": band.pairs, "share": round(band.share or 0.0, 3)}
            for band in curve.bands
            if band.low >= _LOWEST_BAND
        ]
        for curve in curves
    }
    return {"alternative": describe_curves(curves), "kinds": kinds}


def replace_table(page: str, table: str, alternative: str) -> str:
    """The page with another table and alternative text below its heading of measured shares. Raises `ValueError` without one."""
    before, heading, rest = page.partition(f"{HEADING}\n")
    paragraphs = rest.split("\n\n")
    places = [place for place, text in enumerate(paragraphs) if text.startswith("|")]
    pictures = [place for place, text in enumerate(paragraphs) if text.lstrip().startswith("![")]
    if not heading or not places or not pictures:
        raise ValueError(f"{PAGE}: no picture and table below “{HEADING}”")
    indent = "\n" if paragraphs[pictures[0]].startswith("\n") else ""
    paragraphs[pictures[0]] = f"{indent}![{alternative}](../images/calibration.svg)"
    paragraphs[places[0]] = table
    return before + heading + "\n\n".join(paragraphs)
