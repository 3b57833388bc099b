"""Abbreviations of time zones in each language: `EST`, `HNE`."""

from datetime import datetime, timedelta

from bonafide.i18n.language import Language

UTC_NAME = "UTC"
_LOCALES = {Language.ENGLISH: "en_CA", Language.FRENCH: "fr_CA"}
_names: dict[tuple[str, timedelta | None, Language], str] = {}
"""The names by time zone, offset and language: to find one takes longer than to write an instant."""


def name_zone(local: datetime, language: Language) -> str:
    """The abbreviation of an instant's time zone or, if the language has none, its offset: `EST`, `HNE`, `UTC-07:00`."""
    if str(local.tzinfo) == UTC_NAME:
        return UTC_NAME
    key = (str(local.tzinfo), local.utcoffset(), language)
    if key not in _names:
        # Imported here: commands that print no local time do without.
        from babel.dates import get_timezone_name  # noqa: PLC0415

        name = get_timezone_name(local, width="short", locale=_LOCALES[language])
        offset = f"{local:%z}"
        _names[key] = name if name.isalpha() else f"UTC{offset[:3]}:{offset[3:5]}"
    return _names[key]
