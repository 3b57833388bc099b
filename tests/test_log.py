"""Secrets and personal data never reach a log line."""

from bonafide.log import redact

KEY = "bf_live_0123456789abcdefghij"


def test_values_under_secret_and_personal_names_are_masked() -> None:
    event = {
        "event": "x",
        "Authorization": f"Bearer {KEY}",
        "x-api-key": KEY,
        "email": "a@b.example",
        "people": ["A B"],
        "status": 200,
    }
    assert redact(None, "", dict(event)) == {
        "event": "x",
        "Authorization": "***",
        "x-api-key": "***",
        "email": "***",
        "people": "***",
        "status": 200,
    }


def test_a_key_is_masked_wherever_it_stands() -> None:
    masked = redact(None, "", {"event": f"refused {KEY}!", "deep": {"list": [f"key={KEY}", 1], "owner": "a@b.example"}})
    assert masked == {"event": "refused bf_live_***!", "deep": {"list": ["key=bf_live_***", 1], "owner": "***"}}
