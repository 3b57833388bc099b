"""The map and the charts as numbers: all that is drawn stands on its sheet, and says what the values say."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from bonafide.console.frame.charts import build_bars, build_step_chart
from bonafide.console.sources.canada_map import build_canada_map
from bonafide.model.jurisdiction import Jurisdiction

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def days(*ago: float) -> list[datetime]:
    return [NOW - timedelta(days=number) for number in ago]


def test_every_province_and_territory_is_on_the_sheet_once() -> None:
    drawn = build_canada_map()
    assert sorted(place.jurisdiction for place in drawn.places) == sorted(set(Jurisdiction) - {Jurisdiction.FED})
    for place in drawn.places:
        numbers = [float(text) for text in re.findall(r"-?[\d.]+", place.path)]
        assert all(0 <= x <= drawn.width for x in numbers[::2])
        assert all(0 <= y <= drawn.height for y in numbers[1::2])
        assert 0 < place.label[0] < drawn.width
        assert 0 < place.label[1] < drawn.height


def test_the_map_has_west_on_the_left_and_north_above() -> None:
    inside = {place.jurisdiction: place.inside for place in build_canada_map().places}
    west_to_east = [Jurisdiction.BC, Jurisdiction.AB, Jurisdiction.SK, Jurisdiction.MB, Jurisdiction.ON, Jurisdiction.QC]
    assert [inside[place][0] for place in west_to_east] == sorted(inside[place][0] for place in west_to_east)
    assert inside[Jurisdiction.NU][1] < inside[Jurisdiction.MB][1]


def test_bars_are_as_high_as_their_share_of_the_highest() -> None:
    first, second, third = build_bars([(100, 25), (50, 0), (0, 0)], 90, 40)
    assert (first.height, first.y, first.second_height) == (40, 0, 10)
    assert (second.height, second.y) == (20, 20)
    assert third.height == 0
    assert third.x + third.width < 90


def test_a_day_with_a_single_request_is_seen_beside_a_day_with_many() -> None:
    assert build_bars([(1, 0), (1_000_000, 0)], 90, 40)[0].height == pytest.approx(1.5)
    assert build_bars([], 90, 40) == ()


def test_a_value_holds_until_the_next_one_and_the_last_until_now() -> None:
    drawn = build_step_chart([(days(4)[0], 100), (days(2)[0], 200)], days(1), NOW, width=400, height=100)
    assert drawn.line == "M0 50H200V0H400"
    assert drawn.marks == (300,)
    assert [tick.value for tick in drawn.ticks] == [0, 50, 100, 150, 200]
    assert (drawn.ticks[0].y, drawn.ticks[-1].y) == (100, 0)


@pytest.mark.parametrize(
    ("value", "top"), [(0, 4), (3, 4), (294, 400), (23_400, 25_000), (1_000_000, 1_000_000), (10_000_001, 20_000_000)]
)
def test_the_scale_ends_at_a_round_number_not_below_the_highest_value(value: int, top: int) -> None:
    assert build_step_chart([(NOW, value)], [], NOW).ticks[-1].value == top


def test_a_chart_of_one_instant_is_drawn() -> None:
    drawn = build_step_chart([(NOW, 7)], [], NOW, width=400, height=100)
    assert drawn.line.startswith("M0 ")
    assert drawn.line.endswith("H400")
