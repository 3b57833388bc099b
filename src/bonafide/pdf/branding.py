"""Whether a logo can be drawn: tried out when it is set, so that no document fails for it later.

What else a branding must be is checked where it is defined (`model/branding`).
"""

from functools import lru_cache

import typst

from bonafide.pdf.render import STANDARDS

_DRAWING = b"""
#set document(title: "logo")
#image(bytes(json(bytes(sys.inputs.logo))), height: 10mm, alt: "logo")
"""


@lru_cache(maxsize=64)
def can_be_drawn(logo: bytes) -> bool:
    """Whether the image is whole, as far as it takes to draw it."""
    compiler = typst.Compiler(ignore_system_fonts=True)
    try:
        compiler.compile(_DRAWING, format="pdf", pdf_standards=STANDARDS, sys_inputs={"logo": str(list(logo))})
    except typst.TypstError:
        return False
    return True
