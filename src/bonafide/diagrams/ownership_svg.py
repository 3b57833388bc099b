"""Draw the ownership of a business as SVG: owners above, the business below, every interest with its share and its claimant.

The drawing has one colour, that of the surrounding text (`currentColor`): kinds of parties differ by the shape and the outline of
their boxes, claimants by the pattern of the line, control by a hollow arrowhead, and all of them by words. It has no style sheet
and no script, so that it can stand in a page whose policy forbids both.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from markupsafe import Markup

from bonafide.diagrams.drawn_ownership import DrawnLine, DrawnOwnership, select_drawn
from bonafide.diagrams.layered_layout import LayeredLayout, LayoutEdge, Line, PlacedBox, PlacedEdge, compute_layout
from bonafide.diagrams.text_lines import BOLD, estimate_width, wrap_text
from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, join_sentences, plural_message
from bonafide.model.ownership.answer import ClaimedParty, OwnershipAnswer
from bonafide.model.ownership.roll_up import describe_range
from bonafide.model.ownership.statement import MEASURED, Claimant, OwnershipInterest, PartyKind
from bonafide.model.ownership.wording import (
    CLAIMANT,
    CLAIMANT_SHORT,
    INTEREST_KIND,
    NOT_SCREENED,
    PARTY_KIND,
    describe_share,
    get_party_name,
)

MARGIN = 14.0
NAME_SIZE, SMALL_SIZE = 13.0, 11.0
NAME_LINE, SMALL_LINE = 17.0, 14.0
NAME_WIDTH = 168.0
"""Of a line of text in a box."""
NAME_LINES = 5
MIN_WIDTH = 90.0
PADDING = 10.0
INSET = 4.0
"""Of the inner outline of a government."""
LABEL_WIDTH = 150.0
MAX_INTERESTS = 4
"""The most interests that a label or a box names. Further ones are counted."""
LEGEND_WIDTH = 560.0
"""The least width of a drawing, for its legend."""
ARROW = 8.0
DASHES = MappingProxyType({Claimant.DECLARED: "", Claimant.REGISTRY: "9 4", Claimant.LEI: "2 4", Claimant.DOCUMENT: "10 3 2 3"})
_UNKNOWN_DASHES = "4 4"
_NOT_IN_XML = str.maketrans(dict.fromkeys((0xFFFE, 0xFFFF), "\ufffd"))
"""The characters of a name that XML forbids. Names have no control characters and no surrogates."""
_TITLE, _DESCRIPTION = "ownership-title", "ownership-description"
_LIGHT_AND_DARK = Markup(
    "<style>svg{color:#16202a;background:#fff}@media(prefers-color-scheme:dark){svg{color:#e6ebef;background:#182026}}</style>"
)


@dataclass(frozen=True, slots=True)
class _TextLine:
    """A line of text in the drawing's language."""

    text: str
    size: float = SMALL_SIZE
    is_strong: bool = False

    @property
    def height(self) -> float:
        """The height of the line."""
        return NAME_LINE if self.size == NAME_SIZE else SMALL_LINE


def draw_ownership(
    answer: OwnershipAnswer, language: Language, *, font: str = "system-ui, sans-serif", has_own_colours: bool = False
) -> Markup:
    """The diagram as an SVG element, whose texts are in the language.

    It describes itself to screen readers, which read it as one picture; show a table of the parties and interests beside it. With
    `has_own_colours` it is a file of its own, light or dark as the reader prefers. The same answer always gives the same text.
    """
    written = _OwnershipDrawing(answer, select_drawn(answer), language, font).write(has_own_colours=has_own_colours)
    return Markup(written.translate(_NOT_IN_XML))  # noqa: S704 - what the translation adds is no markup


class _OwnershipDrawing:
    """Writes the elements of one diagram."""

    def __init__(self, answer: OwnershipAnswer, drawn: DrawnOwnership, language: Language, font: str) -> None:
        self._answer, self._drawn, self._language, self._font = answer, drawn, language, font
        self._names = {party.id: self._say(get_party_name(party)) for party in drawn.parties}

    def _say(self, message: str) -> str:
        return translate(message, self._language)

    def write(self, *, has_own_colours: bool) -> Markup:
        """The whole SVG element."""
        texts = {party.id: list(self._list_box_lines(party)) for party in self._drawn.parties}
        labels = [self._list_label_lines(line) for line in self._drawn.lines]
        layout = compute_layout(
            {party.id: _measure_box(texts[party.id], party.kind) for party in self._drawn.parties},
            [
                LayoutEdge(line.owner, line.owned, _measure_lines(label))
                for line, label in zip(self._drawn.lines, labels, strict=True)
            ],
            self._answer.party,
        )
        width = max(layout.width, LEGEND_WIDTH) + 2 * MARGIN
        legend, legend_height = self._draw_legend(layout.height + 2 * MARGIN)
        height = layout.height + legend_height + 3 * MARGIN
        shift = (width - layout.width) / 2
        drawing = [*self._draw_edges(layout, labels), *self._draw_boxes(layout, texts)]
        return Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" '
            'role="img" aria-labelledby="{title_id} {description_id}" lang="{language}" '
            'font-family="{font}" fill="none" stroke="currentColor">'
            '{style}<title id="{title_id}">{title}</title><desc id="{description_id}">{description}</desc>'
            '<g transform="translate({x:g} {y:g})">{drawing}</g>{legend}</svg>'
        ).format(
            width=width,
            height=height,
            language=self._language.value,
            font=self._font,
            style=_LIGHT_AND_DARK if has_own_colours else "",
            title_id=_TITLE,
            description_id=_DESCRIPTION,
            title=self._say(self._describe_title()),
            description=self._say(self._describe()),
            x=round(shift, 1),
            y=MARGIN,
            drawing=Markup("").join(drawing),
            legend=Markup("").join(legend),
        )

    # ------------------------------------------------------------------------------------------------------------ words

    def _describe_title(self) -> Message:
        subject = next((party for party in self._drawn.parties if party.id == self._answer.party), None)
        if subject is None:
            return Message("Nobody has stated who owns this business")
        return Message("Ownership of {name}", name=get_party_name(subject))

    def _describe(self) -> Message:
        """The summary for screen readers."""
        count = len(self._drawn.parties)
        sentence = plural_message("A diagram of {n} party.", "A diagram of {n} parties, owners above what they own.", count)
        for owner in self._answer.beneficial_owners:
            if owner.party in self._names:
                what = Message("{name}: {share}.", name=self._names[owner.party], share=describe_range(owner.share))
                sentence = join_sentences(sentence, what)
        for note in self._list_notes():
            sentence = join_sentences(sentence, note)
        return sentence

    def _list_notes(self) -> Iterator[Message]:
        """What a reader must know who sees the diagram only."""
        yield Message("Share without an identified owner: {share}", share=describe_range(self._answer.unknown_share))
        if self._answer.deemed_sanctioned is None:
            yield NOT_SCREENED
        if self._drawn.left_out > 0:
            yield plural_message(
                "{n} party isn’t drawn. The drawing shows those on the way from owners who may reach 25%.",
                "{n} parties aren’t drawn. The drawing shows those on the way from owners who may reach 25%.",
                self._drawn.left_out,
            )
        if self._drawn.left_out_lines > 0:
            yield plural_message(
                "{n} line isn’t drawn. Lines on the way from owners who may reach 25% are drawn first.",
                "{n} lines aren’t drawn. Lines on the way from owners who may reach 25% are drawn first.",
                self._drawn.left_out_lines,
            )

    def _list_box_lines(self, party: ClaimedParty) -> Iterator[_TextLine]:
        is_subject = party.id == self._answer.party
        yield _TextLine(self._say(Message("This business") if is_subject else PARTY_KIND[party.kind]))
        if party.name is not None:
            lines = wrap_text(party.name, NAME_SIZE, NAME_WIDTH / BOLD, NAME_LINES)
            yield from (_TextLine(line, NAME_SIZE, is_strong=True) for line in lines)
        details = " ".join(part for part in (party.jurisdiction, party.registration_number) if part is not None)
        if details:
            yield from map(_TextLine, wrap_text(details, SMALL_SIZE, NAME_WIDTH, 2))
        if party.id in self._drawn.listed:
            yield _TextLine(self._say(Message("Open sanctions hit")).upper(), is_strong=True)
        own = [
            Message(
                "Holds of itself: {interest} ({claimant})",
                interest=_describe_interest(interest),
                claimant=CLAIMANT_SHORT[interest.claimed_by],
            )
            for interest in self._drawn.own_interests.get(party.id, ())
        ]
        for words in _limit_interests(own):
            yield from map(_TextLine, wrap_text(self._say(words), SMALL_SIZE, NAME_WIDTH, 3))

    def _list_label_lines(self, line: DrawnLine) -> list[_TextLine]:
        """What stands on a line: each interest, and who claims it."""
        said = _limit_interests([_describe_interest(interest) for interest in line.interests])
        lines = [part for words in said for part in wrap_text(self._say(words), SMALL_SIZE, LABEL_WIDTH, 3)]
        return [*map(_TextLine, lines), _TextLine(f"({self._say(CLAIMANT_SHORT[line.claimed_by])})")]

    # ---------------------------------------------------------------------------------------------------------- drawing

    def _draw_boxes(self, layout: LayeredLayout, texts: dict[str, list[_TextLine]]) -> Iterator[Markup]:
        for party in self._drawn.parties:
            box = layout.boxes[party.id]
            is_strong = party.id == self._answer.party or party.id in self._drawn.listed
            yield Markup("<g><title>{}</title>{}{}</g>").format(
                self._names[party.id], _draw_outline(party.kind, box, is_strong=is_strong), _draw_text(texts[party.id], box)
            )

    def _draw_edges(self, layout: LayeredLayout, labels: Sequence[Sequence[_TextLine]]) -> Iterator[Markup]:
        for line, label, edge in zip(self._drawn.lines, labels, layout.edges, strict=True):
            yield _draw_edge(edge, line.claimed_by, is_control=line.is_control) + _draw_text(label, edge.label)

    def _draw_legend(self, top: float) -> tuple[list[Markup], float]:
        """What the lines mean that the diagram has, below it, and the height of that."""
        claimants = [one for one in Claimant if any(line.claimed_by is one for line in self._drawn.lines)]
        rows = [(_draw_sample(one, is_control=False), self._say(CLAIMANT[one])) for one in claimants]
        if any(line.is_control for line in self._drawn.lines):
            rows.append(
                (_draw_sample(None, is_control=True), self._say(Message("Hollow arrowhead: control, or a role without a share")))
            )
        rows += [
            (Markup(""), line) for note in self._list_notes() for line in wrap_text(self._say(note), SMALL_SIZE, LEGEND_WIDTH, 4)
        ]
        drawn = []
        for number, (sample, text) in enumerate(rows):
            y = top + (number + 0.5) * NAME_LINE
            written = _write_text(text, (52 if sample else 0, SMALL_SIZE * 0.35), SMALL_SIZE, "start")
            drawn.append(Markup('<g transform="translate({:g} {:g})">{}{}</g>').format(MARGIN, y, sample, written))
        return drawn, len(rows) * NAME_LINE


def _limit_interests(said: Sequence[Message]) -> list[Message]:
    """The interests in words, and the number of those beyond `MAX_INTERESTS`."""
    left_out = len(said) - MAX_INTERESTS
    return [*said[:MAX_INTERESTS], Message("and {n} more", n=left_out)] if left_out > 0 else list(said)


def _describe_interest(interest: OwnershipInterest) -> Message:
    """`Shares 60%`; the kind alone where there is no share to state."""
    kind = INTEREST_KIND[interest.kind]
    if interest.kind not in MEASURED:
        return kind
    return (
        Message("{kind} {share}", kind=kind, share=describe_share(interest.share))
        if interest.share
        else Message("{kind}, share not stated", kind=kind)
    )


def _measure_lines(lines: Sequence[_TextLine]) -> tuple[float, float]:
    width = max(estimate_width(line.text, line.size, is_bold=line.is_strong) for line in lines)
    return round(width, 1), sum(line.height for line in lines) + 4


def _measure_box(lines: Sequence[_TextLine], kind: PartyKind) -> tuple[float, float]:
    width, height = _measure_lines(lines)
    frame = 2 * INSET if kind is PartyKind.GOVERNMENT else 0.0
    return round(max(width, MIN_WIDTH) + 2 * PADDING + frame, 1), height + PADDING + frame


def _draw_text(lines: Sequence[_TextLine], box: PlacedBox) -> Markup:
    """The lines, centred in a box."""
    y = box.y - sum(line.height for line in lines) / 2
    written = []
    for line in lines:
        written.append(_write_text(line.text, (box.x, y + line.height * 0.74), line.size, "middle", is_strong=line.is_strong))
        y += line.height
    return Markup("").join(written)


def _write_text(text: str, place: tuple[float, float], size: float, anchor: str, *, is_strong: bool = False) -> Markup:
    return Markup('<text x="{:g}" y="{:g}" font-size="{:g}"{}{} fill="currentColor" stroke="none">{}</text>').format(
        place[0],
        round(place[1], 1),
        size,
        Markup(' text-anchor="middle"') if anchor == "middle" else "",
        Markup(' font-weight="bold"') if is_strong else "",
        text,
    )


def _draw_outline(kind: PartyKind, box: PlacedBox, *, is_strong: bool) -> Markup:
    """A rectangle: round for persons, with cut corners for trusts, double for governments, dashed for unknown owners."""
    left, right, cut = box.x - box.width / 2, box.x + box.width / 2, 10.0
    if kind is PartyKind.TRUST:
        top, bottom = box.top, box.bottom
        shape = (
            f"M{left + cut:g} {top:g}H{right - cut:g}L{right:g} {top + cut:g}V{bottom - cut:g}L{right - cut:g} {bottom:g}"
            f"H{left + cut:g}L{left:g} {bottom - cut:g}V{top + cut:g}Z"
        )
        return Markup('<path d="{}" stroke-width="{:g}"/>').format(shape, 3 if is_strong else 1.5)
    radius = {PartyKind.PERSON: 18.0, PartyKind.UNKNOWN: 6.0}.get(kind, 0.0)
    outline = _draw_rectangle(box, 0, radius, f' stroke-width="{3 if is_strong else 1.5:g}"')
    if kind is PartyKind.GOVERNMENT:
        return outline + _draw_rectangle(box, INSET, 0, "")
    if kind is PartyKind.UNKNOWN:
        return _draw_rectangle(box, 0, radius, f' stroke-width="1.5" stroke-dasharray="{_UNKNOWN_DASHES}"')
    return outline


def _draw_rectangle(box: PlacedBox, inset: float, radius: float, attributes: str) -> Markup:
    return Markup('<rect x="{:g}" y="{:g}" width="{:g}" height="{:g}"{}{}/>').format(
        round(box.x - box.width / 2 + inset, 1),
        round(box.top + inset, 1),
        box.width - 2 * inset,
        box.height - 2 * inset,
        Markup(' rx="{:g}"').format(radius) if radius else "",
        Markup(attributes),  # noqa: S704 - written here
    )


def _draw_edge(edge: PlacedEdge, claimant: Claimant, *, is_control: bool) -> Markup:
    """A line in the claimant's pattern, with an arrowhead at the party that is owned."""
    before, behind = edge.lines
    x, y = behind[-1]
    back = -ARROW if before[0][1] < y else ARROW
    path = _trace(before) + _trace((*behind[:-1], (x, y + back)))
    head = Markup('<path d="M{:g} {:g}l{:g} {:g}h{:g}Z"{}/>').format(
        x, y, -ARROW / 2, back, ARROW, "" if is_control else Markup(' fill="currentColor"')
    )
    return Markup('<path d="{}"{}/>{}').format(path, _write_dashes(claimant), head)


def _write_dashes(claimant: Claimant | None) -> Markup:
    dashes = DASHES[claimant] if claimant is not None else ""
    return Markup(' stroke-dasharray="{}"').format(dashes) if dashes else Markup("")


def _trace(line: Line) -> str:
    """A line through points; where it goes sideways it leaves and arrives vertically."""
    (x, y), *others = line
    path = f"M{x:g} {y:g}"
    for next_x, next_y in others:
        if next_x == x:
            path += f"V{next_y:g}"
        else:
            middle = round((y + next_y) / 2, 1)
            path += f"C{x:g} {middle:g} {next_x:g} {middle:g} {next_x:g} {next_y:g}"
        x, y = next_x, next_y
    return path


def _draw_sample(claimant: Claimant | None, *, is_control: bool) -> Markup:
    """A line of the legend."""
    head = Markup('<path d="M42 0l{:g} {:g}v{:g}Z"{}/>').format(
        -ARROW, -ARROW / 2, ARROW, "" if is_control else Markup(' fill="currentColor"')
    )
    return Markup('<path d="M0 0H{:g}"{}/>{}').format(42 - ARROW, _write_dashes(claimant), head)
