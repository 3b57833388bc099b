"""Write mails about events in English and French: the subject, a text and an HTML part with links into the console."""

import re

from bonafide.console.events.event_view import EVENTS_PAGE
from bonafide.console.frame import code_labels
from bonafide.console.mail.event_text import EventText, build_event_text
from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, plural_message
from bonafide.model.accounts.branding import Branding
from bonafide.model.accounts.notifications import MailKind
from bonafide.model.events.event import EventSeverity
from bonafide.model.mail import ComposedMail, MailDraft
from bonafide.web.templates import Templates, write_day

MAX_SUBJECT_CHARACTERS = 120
PROFILE_PATH = "/console/profile"
_RULE = "-" * 60
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_templates = Templates("bonafide.console")


def compose_mail(draft: MailDraft) -> ComposedMail:
    """A mail about events."""
    texts = tuple(build_event_text(event, draft) for event in draft.events)
    paragraphs = tuple(translate(message, draft.language) for message in _list_introduction(draft))
    footer = tuple(translate(message, draft.language) for message in _list_footer(draft))
    more = draft.total - len(texts)
    counts = _write_counts(draft) if draft.kind is MailKind.DIGEST else ()
    subject = _clean_subject(_write_subject(draft, texts))
    context = {
        "draft": draft,
        "subject": subject,
        "heading": translate(_get_heading(draft.kind), draft.language),
        "introduction": paragraphs,
        "counts": counts,
        "events": texts,
        "more": more,
        "events_url": f"{draft.base_url}{EVENTS_PAGE}",
        "profile_url": f"{draft.base_url}{PROFILE_PATH}",
        "footer": footer,
    }
    return ComposedMail(
        subject=subject,
        text=_write_text(draft, texts, [*paragraphs, *counts], footer, more),
        html=_templates.render("mail/events.html", draft.language, context),
    )


def compose_test_mail() -> ComposedMail:
    """The mail of `bonafide mail test`, in both languages."""
    branding, languages = Branding(), (Language.ENGLISH, Language.FRENCH)
    message = Message("This is a test mail. The mail server accepts mail from this service.")
    paragraphs = [translate(message, language) for language in languages]
    html = _templates.render("mail/test.html", Language.ENGLISH, {"branding": branding, "paragraphs": paragraphs})
    subject = " / ".join(translate(Message("Test mail"), language) for language in languages)
    return ComposedMail(_clean_subject(f"[{branding.name}] {subject}"), "\n\n".join(paragraphs) + "\n", html)


def _clean_subject(text: str) -> str:
    """A subject without line breaks and control characters, which could add headers, and not too long."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line if len(line) <= MAX_SUBJECT_CHARACTERS else f"{line[: MAX_SUBJECT_CHARACTERS - 1]}…"


def _get_heading(kind: MailKind) -> Message:
    return {
        MailKind.ALERT: Message("Alerts"),
        MailKind.DIGEST: Message("Digest of events"),
        MailKind.WARNING: Message("Webhook endpoints"),
    }[kind]


def _write_subject(draft: MailDraft, texts: tuple[EventText, ...]) -> str:
    """The subject names the business of a single event, and no other person or party."""
    language, title, business = draft.language, texts[0].title, draft.events[0].business
    name = business.name if business is not None else None
    if draft.kind is MailKind.DIGEST and draft.period_until is not None:
        message = plural_message(
            "Digest of {day}: {n} event", "Digest of {day}: {n} events", draft.total, day=write_day(draft.period_until, language)
        )
        text = translate(message, language)
    elif draft.total == 1:
        text = translate(Message("{title}: {name}", title=title, name=name), language) if name is not None else title
    else:
        text = translate(
            plural_message("{n} event, first: {title}", "{n} events, first: {title}", draft.total, title=title), language
        )
    return f"[{draft.branding.name}] {text}"


def _list_introduction(draft: MailDraft) -> list[Message]:
    organization, language = draft.organization, draft.language
    if draft.kind is MailKind.DIGEST and draft.period_from is not None and draft.period_until is not None:
        return [
            Message(
                "Events of {organization} from {start} to {end}.",
                organization=organization,
                start=write_day(draft.period_from, language),
                end=write_day(draft.period_until, language),
            )
        ]
    if draft.kind is MailKind.WARNING:
        return [Message("A webhook endpoint of {organization} does not receive events.", organization=organization)]
    return [
        plural_message(
            "{n} new event of {organization}.", "{n} new events of {organization}.", draft.total, organization=organization
        )
    ]


def _list_footer(draft: MailDraft) -> list[Message]:
    """Why the recipient receives this mail."""
    if draft.kind is MailKind.WARNING:
        return [Message("All owners of {organization} receive warnings about webhook endpoints.", organization=draft.organization)]
    return [
        Message(
            "You receive this mail as a member of {organization}. An owner chooses in the settings which events are sent.",
            organization=draft.organization,
        )
    ]


def _write_counts(draft: MailDraft) -> tuple[str, ...]:
    """The number of events of each severity, the most severe first."""
    language = draft.language
    return tuple(
        translate(
            Message("{severity}: {n}", severity=translate(code_labels.SEVERITY[severity], language), n=draft.counts[severity]),
            language,
        )
        for severity in reversed(EventSeverity)
        if draft.counts.get(severity, 0) > 0
    )


def _write_text(draft: MailDraft, texts: tuple[EventText, ...], paragraphs: list[str], footer: tuple[str, ...], more: int) -> str:
    """The text part: the same content as the HTML part."""
    language = draft.language
    lines = [draft.branding.name, "", *paragraphs]
    for item in texts:
        lines += ["", _RULE, f"{item.title} ({item.severity_text})"]
        lines += [name for name in (item.business, item.subject) if name is not None]
        lines.append(item.at)
        lines += [translate(Message("{label}: {value}", label=label, value=value), language) for label, value in item.lines]
        lines += [text for text in (item.according_to,) if text is not None]
        lines.append(item.url)
    lines += ["", _RULE]
    if more > 0:
        lines.append(translate(plural_message("{n} more event.", "{n} more events.", more), language))
    lines += [translate(Message("All events: {url}", url=f"{draft.base_url}{EVENTS_PAGE}"), language), "", *footer]
    lines.append(translate(Message("Your choice of mail: {url}", url=f"{draft.base_url}{PROFILE_PATH}"), language))
    if draft.unsubscribe_url is not None:
        lines.append(translate(Message("Unsubscribe: {url}", url=draft.unsubscribe_url), language))
    # A name may contain line breaks; it must not look like a line of its own.
    return "\n".join(_CONTROLS.sub(" ", line) for line in lines) + "\n"
