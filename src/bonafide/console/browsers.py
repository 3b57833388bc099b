"""What a browser calls itself, as a person would call it: so that users know their sessions again. Nothing else hangs on it."""

# In this order: what stands first calls itself by the later names as well.
_PROGRAMS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def described(browser: str | None) -> str | None:
    """`Firefox, Linux`; None where it says nothing that is known."""
    text = browser if browser is not None else ""
    found = [next((name for word, name in known if word in text), None) for known in (_PROGRAMS, _SYSTEMS)]
    words = [name for name in found if name is not None]
    return ", ".join(words) if words else None
