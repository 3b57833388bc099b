"""Made-up names in another script, letter for letter: near enough for names that no language has."""

_CYRILLIC = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "АБКДЕФГХИЖКЛМНОПКРСТУВВКЫЗабкдефгхижклмнопкрстуввкыз"
)


def cyrillic(name: str) -> str:
    """The name in Cyrillic letters; what is no Latin letter stays."""
    return name.translate(_CYRILLIC)
