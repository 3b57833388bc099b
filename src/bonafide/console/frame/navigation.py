"""The navigation of the console, by permissions of the signed-in person."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bonafide.model.accounts.users import Permission, SignedIn


@dataclass(frozen=True, slots=True)
class NavigationItem:
    """One entry of the navigation: English text, address, the icon's name in `web/icons.html`."""

    text: str
    address: str
    icon: str
    permission: Permission = Permission.READ
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class NavigationGroup:
    """Places that belong together."""

    text: str
    places: tuple[NavigationItem, ...]


_GROUPS = (
    NavigationGroup(
        "Work",
        (
            NavigationItem("Search", "/console/search", "search", Permission.WORK),
            NavigationItem("Searches", "/console/searches", "history"),
            NavigationItem("Review", "/console/review", "review"),
            NavigationItem("Verifications", "/console/verifications", "verify"),
            NavigationItem("Sanctions", "/console/sanctions", "shield"),
            NavigationItem("Businesses", "/console/businesses", "business"),
        ),
    ),
    NavigationGroup(
        "Account",
        (
            NavigationItem("Sources", "/console/sources", "map"),
            NavigationItem("API keys", "/console/keys", "key", Permission.MANAGE),
            NavigationItem("Settings", "/console/settings", "settings", Permission.MANAGE),
            NavigationItem("Members", "/console/members", "people", Permission.MANAGE),
        ),
    ),
)


def build_navigation(signed_in: SignedIn, path: str) -> Sequence[NavigationGroup]:
    """The groups as this person sees them, with the item that `path` belongs to marked."""

    def marked(items: Sequence[NavigationItem]) -> tuple[NavigationItem, ...]:
        seen = (item for item in items if signed_in.may(item.permission))
        return tuple(replace(item, is_current=f"{path}/".startswith(f"{item.address}/")) for item in seen)

    return [NavigationGroup(group.text, marked(group.places)) for group in _GROUPS]
