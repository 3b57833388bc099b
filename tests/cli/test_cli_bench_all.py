"""`bonafide bench all`: what it can't measure is wrong usage."""

from tests.support.cli_commands import Command


def test_a_size_is_in_whole_thousands(bonafide: Command) -> None:
    found = bonafide("bench", "all", "--size", "1500")
    assert found.status == 2
    assert "whole thousands" in " ".join(found.said.replace("│", " ").split())
