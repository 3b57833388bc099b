"""What is marked as different within two texts."""

from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.addresses.word_differences import DiffSegment, DiffSegmentKind, WordDiff, diff_field, diff_words


def drawn(segments: tuple[DiffSegment, ...]) -> str:
    """`[-missing-]` and `[+added+]` within the text."""
    marks = {DiffSegmentKind.SAME: "{}", DiffSegmentKind.MISSING: "[-{}-]", DiffSegmentKind.ADDED: "[+{}+]"}
    return "".join(marks[segment.kind].format(segment.text) for segment in segments)


def is_unmarked(diff: WordDiff) -> bool:
    return all(segment.kind is DiffSegmentKind.SAME for segment in (*diff.submitted, *diff.found))


def test_equal_texts_have_no_marks() -> None:
    assert is_unmarked(diff_words("Acme Bakery Inc.", "Acme Bakery Inc."))


def test_upper_case_is_no_difference_and_each_text_is_shown_as_it_is_written() -> None:
    diff = diff_words("acme bakery", "ACME Bakery")
    assert is_unmarked(diff)
    assert (drawn(diff.submitted), drawn(diff.found)) == ("acme bakery", "ACME Bakery")


def test_a_comma_at_the_end_of_a_word_is_no_difference() -> None:
    diff = diff_words("12 Queen Street, Toronto", "12 Queen Street West, Toronto")
    assert drawn(diff.submitted) == "12 Queen Street, Toronto"
    assert drawn(diff.found) == "12 Queen Street [+West,+] Toronto"
    assert is_unmarked(diff_words("Acme Inc", "ACME Inc."))


def test_a_changed_letter_is_marked_within_its_word() -> None:
    diff = diff_words("Acme Bakery Inc.", "Acme Bekery Inc.")
    assert drawn(diff.submitted) == "Acme B[-a-]kery Inc."
    assert drawn(diff.found) == "Acme B[+e+]kery Inc."


def test_an_accent_is_marked() -> None:
    diff = diff_words("Boulangerie Ltee", "Boulangerie Ltée")
    assert drawn(diff.found) == "Boulangerie Lt[+é+]e"


def test_words_that_are_nothing_alike_are_marked_whole_and_neighbours_together() -> None:
    diff = diff_words("Acme Bakery Inc.", "Acme Motor Works Inc.")
    assert drawn(diff.submitted) == "Acme [-Bakery-] Inc."
    assert drawn(diff.found) == "Acme [+Motor Works+] Inc."


def test_a_word_that_only_one_text_has_does_not_shift_the_rest() -> None:
    diff = diff_words("North Acme Bakery", "Acme Bakery Ltd.")
    assert drawn(diff.submitted) == "[-North-] Acme Bakery"
    assert drawn(diff.found) == "Acme Bakery [+Ltd.+]"


def test_of_an_empty_text_all_of_the_other_is_marked() -> None:
    diff = diff_words("", "12 Main Street")
    assert diff.submitted == ()
    assert drawn(diff.found) == "[+12 Main Street+]"


def test_the_spellings_of_a_word_in_an_address_are_no_difference() -> None:
    diff = diff_field("street", "100 Main St. W", "100 King Street West")
    assert drawn(diff.submitted) == "100 [-Main-] St. W"
    assert drawn(diff.found) == "100 [+King+] Street West"
    assert drawn(diff_words("Main St", "Main Street").found) == "Main [+Street+]"


def test_a_letter_that_folds_to_two_keeps_its_place() -> None:
    diff = diff_words("Straße 1", "Straßen 1")
    assert drawn(diff.found) == "Straße[+n+] 1"


@given(st.text(max_size=60), st.text(max_size=60))
def test_nothing_is_lost_or_made_up(submitted: str, found: str) -> None:
    diff = diff_words(submitted, found)
    assert "".join(segment.text for segment in diff.submitted) == " ".join(submitted.split())
    assert "".join(segment.text for segment in diff.found) == " ".join(found.split())
    assert all(segment.kind is not DiffSegmentKind.ADDED for segment in diff.submitted)
    assert all(segment.kind is not DiffSegmentKind.MISSING for segment in diff.found)
