"""Write a PDF with positioned plain text on Letter pages, using the standard fonts.

Supports only what a printed list needs: no images, no embedded fonts, Latin characters only.
"""

import zlib
from dataclasses import dataclass
from pathlib import Path

WIDTH, HEIGHT = 612, 792
"""The Letter page size in points."""
FONTS = ("Helvetica", "Helvetica-Bold")


@dataclass(frozen=True, slots=True)
class PlacedPdfText:
    """A run of text. `x` and `y` are in points from the lower left corner of the page."""

    x: float
    y: float
    text: str
    bold: bool = False


def write_pdf(path: Path, pages: list[list[PlacedPdfText]], *, size: int = 9) -> None:
    """Write the pages. The output is deterministic."""
    first_page = 3 + len(FONTS)
    kids = " ".join(f"{first_page + 2 * number} 0 R" for number in range(len(pages)))
    fonts = " ".join(f"/F{number} {3 + number} 0 R" for number in range(len(FONTS)))
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()]
    objects += [f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding >>".encode() for font in FONTS]
    for number, page in enumerate(pages):
        content = first_page + 2 * number + 1
        box = f"/MediaBox [0 0 {WIDTH} {HEIGHT}] /Resources << /Font << {fonts} >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R {box} /Contents {content} 0 R >>".encode())
        objects.append(_stream(page, size))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_file(objects))


def _stream(page: list[PlacedPdfText], size: int) -> bytes:
    shown = [f"BT /F{int(text.bold)} {size} Tf {text.x:g} {text.y:g} Td ({_escaped(text.text)}) Tj ET" for text in page]
    packed = zlib.compress("\n".join(shown).encode("cp1252", "replace"))
    return b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed)


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _file(objects: list[bytes]) -> bytes:
    """Return the file: header, objects, cross-reference table and trailer."""
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    starts = []
    for number, content in enumerate(objects, start=1):
        starts.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(out)
    rows = "".join(f"{start:010d} 00000 n \n" for start in starts)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{rows}".encode()
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)
