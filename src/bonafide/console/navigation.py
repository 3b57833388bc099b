"""Where one can go from every page, by what the person who is signed in may do."""

from collections.abc import Sequence
from dataclasses import dataclass

from bonafide.model.accounts.users import Permission, SignedIn


@dataclass(frozen=True, slots=True)
class Place:
    """One entry of the navigation: English text, address, the icon's name in `web/icons.html`."""

    text: str
    address: str
    icon: str
    permission: Permission = Permission.READ
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Places that belong together."""

    text: str
    places: tuple[Place, ...]


_GROUPS = (
    Group(
        "Work",
        (
            Place("Search", "/console/search", "search", Permission.WORK),
            Place("Searches", "/console/searches", "history"),
            Place("Review", "/console/review", "review"),
            Place("Verifications", "/console/verifications", "verify"),
            Place("Sanctions", "/console/sanctions", "shield"),
            Place("Businesses", "/console/businesses", "business"),
        ),
    ),
    Group(
        "Account",
        (
            Place("Sources", "/console/sources", "map"),
            Place("API keys", "/console/keys", "key", Permission.MANAGE),
            Place("Settings", "/console/settings", "settings", Permission.MANAGE),
            Place("Members", "/console/members", "people", Permission.MANAGE),
        ),
    ),
)


def navigation(signed_in: SignedIn, path: str) -> Sequence[Group]:
    """The groups as this person sees them, with the place that `path` belongs to marked."""
    return [
        Group(group.text, tuple(_seen(place, path) for place in group.places if signed_in.may(place.permission)))
        for group in _GROUPS
    ]


def _seen(place: Place, path: str) -> Place:
    is_current = path == place.address or path.startswith(f"{place.address}/")
    return Place(place.text, place.address, place.icon, place.permission, is_current)
