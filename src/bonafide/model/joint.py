"""What a joint index was made from: which generation of each of its sources."""

from bonafide.model.base import Document, Instant


class JointRecord(Document):
    """The sources of a joint index by key, each with what tells its generation from every other one (`services/joint`)."""

    made_at: Instant
    generations: dict[str, str]
