"""The conflict of a user or a group that exists already, which SCIM tells apart from other conflicts."""

from bonafide.errors import Conflict
from bonafide.i18n.message import Message


class AlreadyExists(Conflict):
    """A user or a group with this identity exists already."""

    default_message = Message("A user or a group with this identity exists already.")
