"""Registration numbers in text: label, form and check digit."""

import pytest

from bonafide.website.extraction.registration_numbers import find_registration_numbers, parse_registration_number
from tests.support.website.html_pages import read_page

FOUND = [
    ("GST/HST: 123456782 RT0001", "GST/HST number", "123456782 RT0001"),
    ("GST # 12345 6782 RT 0001", "GST/HST number", "12345 6782 RT 0001"),
    ("N° TPS 123456782RT0001", "GST/HST number", "123456782RT0001"),
    ("GST 123456782", "GST/HST number", "123456782"),
    ("123456782RT0001", "GST/HST number", "123456782RT0001"),
    ("QST No. 1234567890 TQ 0001", "QST number", "1234567890 TQ 0001"),
    ("TVQ : 1012345678 TQ0001", "QST number", "1012345678 TQ0001"),
    ("Business Number: 123-456-782", "Business Number (BN)", "123-456-782"),
    ("No d'entreprise (NE) : 123456782", "Business Number (BN)", "123456782"),
    ("Numéro d'entreprise 123456782 RC 0001", "Business Number (BN)", "123456782 RC 0001"),
    ("NEQ : 1171234567", "NEQ", "1171234567"),
    ("NEQ 11 7123 4567", "NEQ", "11 7123 4567"),
    ("<dl><dt>NEQ</dt><dd>1171234567</dd></dl>", "NEQ", "1171234567"),
    ("<table><tr><td>GST</td><td>123456782 RT0001</td></tr></table>", "GST/HST number", "123456782 RT0001"),
    ("Numéro d'entreprise du Québec (NEQ) : 1171234567", "NEQ", "1171234567"),
    ("RBQ : 1234-5678-01", "RBQ licence", "1234-5678-01"),
    ("Licence RBQ 1234-5678-01", "RBQ licence", "1234-5678-01"),
    ("Licence R.B.Q. : 1234-5678-01", "RBQ licence", "1234-5678-01"),
    ("FINTRAC MSB registration number M12345678", "MSB registration number", "M12345678"),
    ("inscrite à CANAFE sous le numéro M12345678", "MSB registration number", "M12345678"),
    ("Ontario Corporation No. 1234567", "Ontario Corporation Number", "1234567"),
    ("Corporation number: 426160-7", "Corporation Number", "426160-7"),
    ("No de société 322726-0", "Corporation Number", "322726-0"),
    ("BC Incorporation Number BC0772006", "BC Registration Number", "BC0772006"),
    ("Corporate Access Number 2012345674", "Corporate Access Number", "2012345674"),
    ("ECRA/ESA licence # 7001234", "ECRA/ESA licence", "7001234"),
    ("Charitable registration number 123456782 RR0001", "Charitable registration number", "123456782 RR0001"),
    ("FSRA Brokerage Lic. #13102", "FSRA licence", "13102"),
    ("APEGS Permit to Practice No. C1184", "Permit to practice", "C1184"),
    ("PEO Certificate of Authorization # 100123456", "Permit to practice", "100123456"),
    ("DLI # O19347712345", "DLI number", "O19347712345"),
    ("Lic. #12345", "Licence number", "12345"),
    ("Licence #12345", "Licence number", "12345"),
]
NONE = [
    "123456783 RT0001",
    "GST: 123456783 RT0001",
    "Business Number 123456783",
    "NEQ 4171234567",
    "RBQ 1234-567-01",
    "Order number 123456782",
    "in 2024 we sold 123456782 loaves",
    "Call us at 416-555-0123",
    "you can 2012345674",
    "© Maple Tires Corporation 2013-2026",
    "1234567890",
    "<blockquote>GST 123456782 RT0001</blockquote>",
]


@pytest.mark.parametrize(("text", "label", "value"), FOUND)
def test_a_labelled_number_is_found(text: str, label: str, value: str) -> None:
    assert [(number.value.label, number.value.value) for number in find_registration_numbers(read_page(text))] == [(label, value)]


@pytest.mark.parametrize("text", NONE)
def test_what_has_no_label_or_fails_its_check_is_no_registration(text: str) -> None:
    assert list(find_registration_numbers(read_page(text))) == []


def test_each_number_of_a_line_has_its_own_label() -> None:
    found = find_registration_numbers(read_page("TPS : 123 456 782 RT0001 TVQ : 1012345678 TQ0001; RBQ 5678-1234-01"))
    assert [number.value.label for number in found] == ["GST/HST number", "QST number", "RBQ licence"]


def test_the_name_of_a_property_is_a_label() -> None:
    number = parse_registration_number("taxID GST", "123456782RT0001")
    assert number is not None
    assert number.label == "GST/HST number"
    assert parse_registration_number("sku", "123456782") is None
