"""The preview of a registration: a small page that other tools show in a frame."""

from html import escape

from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.services.lookup.registration_lookup import RegistrationResult
from bonafide.services.reconciliation.entity_properties import PROPERTIES_BY_ID
from bonafide.services.reconciliation.registrations import RegistrationId

SHOWN = ("status", "entityType", "incorporationDate", "address", "alternateNames", "formerNames", "people", "asOf")
"""The properties that are shown, if the register has values of them."""
MAX_SHOWN = 3
HEADERS = {
    # Any site may show the page in a frame: it has only public data and nothing to press but a link to the register.
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors *",
    # The address of the page may contain a key.
    "Referrer-Policy": "no-referrer",
}
UNKNOWN = Message("The loaded data of the register has no such registration.")


def write_preview(identifier: RegistrationId | None, found: RegistrationResult | None, language: Language) -> str:
    """The page of a registration, or a page that says that it is unknown."""
    if identifier is None or found is None:
        return _write_page(translate(UNKNOWN, language), f"<p>{escape(translate(UNKNOWN, language))}</p>", language)
    rows = []
    for name in SHOWN:
        one = PROPERTIES_BY_ID[name]
        values = [str(value) for value in one.list_values(found)[:MAX_SHOWN]]
        if values:
            rows.append(f"<dt>{escape(translate(one.name, language))}</dt><dd>{escape('; '.join(values))}</dd>")
    place = escape(f"{translate(Message(identifier.jurisdiction.label), language)} · {identifier.number}")
    page = found.entry.source_url or found.source.metadata.page
    label = escape(translate(Message("Page of the register"), language))
    link = f'<p><a href="{escape(page)}" target="_blank" rel="noopener noreferrer">{label}</a></p>'
    name = found.entry.legal_name
    return _write_page(name, f"<h1>{escape(name)}</h1><p>{place}</p><dl>{''.join(rows)}</dl>{link}", language)


def _write_page(title: str, body: str, language: Language) -> str:
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    return f'<!doctype html><html lang="{language.value}"><head>{head}</head><body>{body}</body></html>'
