"""Text in lines: no line is too wide, nothing is lost, and what has no room ends in an ellipsis."""

from hypothesis import given
from hypothesis import strategies as st

from bonafide.diagrams.text_lines import ELLIPSIS, estimate_width, wrap_text

WIDTH, SIZE = 120.0, 12.0


@given(st.text(min_size=1).filter(lambda text: text.split()))
def test_no_line_is_too_wide_and_nothing_is_lost(text: str) -> None:
    lines = wrap_text(text, SIZE, WIDTH, len(text))
    assert all(estimate_width(line, SIZE) <= WIDTH for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_words_stay_whole_where_they_fit() -> None:
    assert wrap_text("Okafor Holdings International", SIZE, WIDTH, 3) == ["Okafor Holdings", "International"]


def test_what_has_no_room_is_replaced_by_an_ellipsis() -> None:
    lines = wrap_text("Okafor Holdings International Limited Partnership", SIZE, WIDTH, 2)
    assert len(lines) == 2
    assert lines[1].endswith(ELLIPSIS)
    assert estimate_width(lines[1], SIZE) <= WIDTH


def test_bold_and_wide_letters_need_more_room() -> None:
    assert estimate_width("Name", SIZE) < estimate_width("Name", SIZE, is_bold=True)
    assert estimate_width("ill", SIZE) < estimate_width("WWW", SIZE) <= estimate_width("東京都", SIZE)
