"""Under whose name a change that a person makes in the console stands in the trail."""

from fastapi import Request

from bonafide.model.accounts.users import SignedIn
from bonafide.model.records.business_record import Author
from bonafide.web.exchange import exchange_of


def author_of(request: Request, signed_in: SignedIn) -> Author:
    """The person by e-mail, and the request."""
    return Author(signed_in.user.email, exchange_of(request.scope).request_id)
