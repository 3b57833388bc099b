"""Phone numbers and e-mail addresses."""

import pytest

from bonafide.website.extraction.contacts import FAX, find_emails, find_phones
from bonafide.website.extraction.owner_names import OwnerNames
from tests.support.website.html_pages import read_page

OWN = OwnerNames(frozenset({"maple bakery"}), frozenset({"maple", "bakery"}))
PHONES = [
    ("Tel: (416) 555-0123", ["+14165550123"]),
    ("Call 1-800-555-0199 or 416.555.0124 ext. 5", ["+18005550199", "+14165550124"]),
    ("Tél. : 514 555-0101 | Téléc. : 514 555-0102", ["+15145550101"]),
    ("T 416 555 0123 F 416 555 0125", ["+14165550123"]),
    ("Tel/Fax: 416-555-0126", ["+14165550126"]),
    ("T.416.555.0123 / 416·555·0124", ["+14165550123", "+14165550124"]),
    ("416-555-0123 (fax)", []),
    ("Phone 4165550123", ["+14165550123"]),
    ("+33 1 42 68 53 00", ["+33142685300"]),
    ("<a href='tel:+14165550123'>Call</a>", ["+14165550123"]),
    ("<a href='TEL:416%20555%200123;ext=4'>Call</a>", ["+14165550123"]),
    ("<p>Fax</p><p>416-555-0125</p>", []),
    ("4165550123", []),
    ("NEQ 2271234567", []),
    ("RBQ 5678-1234-01", []),
    ("012-345-6789", []),
    ("Privacy Commissioner of Canada: 1-800-282-1376", []),
    ("Poison centre: 1-800-332-1414, clinic: 416-555-0123", ["+14165550123"]),
    ("In a crisis call 988 or 1-833-456-4566.", []),
    ("24/7 emergency service: 416-555-0123", ["+14165550123"]),
    ("Distributed by Foo Supply LLC, 500 W Elm Street, Chicago, IL 60661, 312-555-0190.", []),
    ("Foo Supply Ltd. <a href='tel:312-555-0190'>Call</a>", []),
    ("We carry Foo Supply Ltd. paints: call us at 416-555-0123", ["+14165550123"]),
    ("Maple Foods Inc. 416-555-0123", ["+14165550123"]),
    ("<h2>Reviews</h2><p>Call me: 416-555-0123</p>", []),
]
EMAILS = [
    ("info@bakery.sandbox.example, or <b>Sales@Bakery.ca</b>.", ["info@bakery.sandbox.example", "sales@bakery.ca"]),
    ("<a href='mailto:info@acme.ca?subject=Hi'>mail</a>", ["info@acme.ca"]),
    ("<a href='mailto:info%40acme.ca,other@acme.ca'>mail</a>", ["info@acme.ca"]),
    ("logo@2x.png you@example.com", []),
    ("a@b a@@b.ca @b.ca x@y..ca", []),
    ("Privacy Commissioner of Canada: info@priv.gc.ca", []),
    ("<a href='mailto:info@priv.gc.ca'>mail</a>", []),
    ("Site by Webco: hello@webco.ca", []),
    ("Website by Webco: hello@webco.ca", []),
    ("Payments by support@stripe.com", []),
    ("<a data-cfemail='422b2c242d02232f212d6c2123'>[email protected]</a>", ["info@amco.ca"]),
    ("<a data-cfemail='zz'>[email protected]</a>", []),
]


@pytest.mark.parametrize(("text", "numbers"), PHONES)
def test_phone_numbers_are_those_that_are_called(text: str, numbers: list[str]) -> None:
    assert [phone.value for phone in find_phones(read_page(text), OWN) if phone.strength != FAX] == numbers


@pytest.mark.parametrize(("text", "addresses"), EMAILS)
def test_email_addresses_are_the_business_s_own(text: str, addresses: list[str]) -> None:
    assert [email.value for email in find_emails(read_page(text))] == addresses
