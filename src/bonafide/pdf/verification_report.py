"""The sheet of a verification report: the stored document as it is, and the register's data as a profile.

What is compared, and what that means in words, stands in the document; nothing is judged here.
"""

from typing import ClassVar

from bonafide.model.verification import VerifyResponse
from bonafide.pdf.business_report import Evidence
from bonafide.pdf.printable import Printable
from bonafide.pdf.profile import Profile


class VerificationReportSheet(Printable):
    """All that a verification report prints. Sentences of the document are in the sheet's language already."""

    template: ClassVar[str] = "verification_report"
    verification: VerifyResponse
    profile: Profile | None
    """Null when the register has no such number."""
    evidence: tuple[Evidence, ...] = ()
