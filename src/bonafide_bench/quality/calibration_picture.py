"""Draw calibration curves as an SVG picture with a light background, which is readable on light and dark pages.

The picture uses presentation attributes only: the content security policy of the documentation forbids inline styles.
"""

from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape

from bonafide_bench.quality.calibration import CalibrationCurve
from bonafide_bench.real_names.name_pairs import PairKind

_WIDTH, _HEIGHT = 680, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 660, 52, 360
_LOWEST = 0.5
_EDGES = (0.5, 0.7, 0.8, 0.85, 0.95, 1.0)
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
_COLOURS: Mapping[PairKind, tuple[str, str]] = {
    PairKind.PERSON: ("#0b5cad", ""),
    PairKind.ORGANIZATION: ("#b3261e", "7 4"),
    PairKind.BUSINESS: ("#1b6e3c", "2 4"),
}
"""The colour and the dashes of each curve: dashes distinguish them without colour."""
_LABELS: Mapping[PairKind, str] = {
    PairKind.PERSON: "people",
    PairKind.ORGANIZATION: "listed organizations",
    PairKind.BUSINESS: "businesses",
}
_INK, _GRID, _FONT = "#1f2328", "#d0d7de", "system-ui, sans-serif"
TITLE = "Share of true matches by score"


def draw_calibration(curves: Sequence[CalibrationCurve]) -> str:
    """The picture of the curves with points, from a score of 0.5."""
    shown = [curve for curve in curves if any(score >= _LOWEST for score, _ in curve.points)]
    return "\n".join(
        [*_draw_frame(shown), *(line for curve in shown for line in _draw_curve(curve)), *_draw_legend(shown), "</svg>", ""]
    )


def _draw_frame(curves: Sequence[CalibrationCurve]) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img" '
        f'font-family="{_FONT}" font-size="14" fill="{_INK}">'
    )
    yield f"<title>{TITLE}</title>"
    yield f"<desc>{escape(describe_curves(curves))}</desc>"
    yield f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="6" fill="#ffffff" stroke="{_GRID}"/>'
    for edge in _EDGES:
        x = _to_x(edge)
        yield f'<line x1="{x}" y1="{_TOP}" x2="{x}" y2="{_BOTTOM}" stroke="{_GRID}"/>'
        yield f'<text x="{x}" y="{_BOTTOM + 20}" text-anchor="middle">{edge:g}</text>'
    for share in _SHARES:
        y = _to_y(share)
        yield f'<line x1="{_LEFT}" y1="{y}" x2="{_RIGHT}" y2="{y}" stroke="{_GRID}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 5}" text-anchor="end">{share:.0%}</text>'
    yield f'<text x="{(_LEFT + _RIGHT) // 2}" y="{_HEIGHT - 14}" text-anchor="middle">score</text>'


def describe_curves(curves: Sequence[CalibrationCurve]) -> str:
    """The shares of the bands in words, as the alternative text of the picture."""
    parts = []
    for curve in curves:
        shares = [
            f"{round(band.share, 3):.0%} from {band.low:g}"
            for band in curve.bands
            if band.share is not None and band.low >= 0.7  # noqa: PLR2004 - the lowest band of decisions
        ]
        parts.append(f"{_LABELS[curve.kind]}: {', '.join(shares)}")
    return f"{TITLE}. {'; '.join(parts)}."


def _draw_curve(curve: CalibrationCurve) -> Iterator[str]:
    colour, dashes = _COLOURS[curve.kind]
    points = [(max(score, _LOWEST), share) for score, share in curve.points]
    first = max(place for place, (score, _) in enumerate(points) if score == points[0][0])
    path = " ".join(f"{_to_x(score)},{_to_y(share)}" for score, share in points[first:])
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5" stroke-linejoin="round"{dash}/>'


def _draw_legend(curves: Sequence[CalibrationCurve]) -> Iterator[str]:
    x = _LEFT
    for curve in curves:
        colour, dashes = _COLOURS[curve.kind]
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        yield f'<line x1="{x}" y1="28" x2="{x + 34}" y2="28" stroke="{colour}" stroke-width="2.5"{dash}/>'
        yield f'<text x="{x + 42}" y="33">{_LABELS[curve.kind]}</text>'
        x += 200


def _to_x(score: float) -> float:
    return round(_LEFT + (score - _LOWEST) / (1 - _LOWEST) * (_RIGHT - _LEFT), 1)


def _to_y(share: float) -> float:
    return round(_BOTTOM - share * (_BOTTOM - _TOP), 1)
