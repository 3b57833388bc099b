"""Secrets are compared in a time that tells nothing of them: no `==` stands between a secret and what somebody has sent.

What is looked up by a digest in an index or a dictionary is not compared: the digest of a guess tells nothing of the next guess.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "bonafide"
PACKAGES = ("api", "console", "services", "store", "web", "app", "runtime.py", "cli")
SECRET_WORDS = frozenset(
    {"token", "digest", "signature", "secret", "password", "csrf", "nonce", "verifier", "hmac", "mac", "apikey"}
)
NO_SECRETS = {
    # The digest of what a list publishes of a party: it says that a hit has changed.
    ("services/screening/dismissals.py", "match.digest != wanted.digest"),
    ("services/screening/comparison.py", "old.digest != new.digest"),
    (
        "services/screening/dismissals.py",
        "(one.hit.digest, one.reason, one.until is None) != (other.hit.digest, other.reason, other.until is None)",
    ),
    # Of public files: a table of classes, a style sheet in its own address.
    ("services/loading/naics.py", "NaicsLoad.model_validate(index.about).digest == load.digest"),
    ("web/assets.py", "found.digest != digest"),
    # Of files of a backup, and of what stands in its manifest beside them: whether they were damaged.
    ("store/backup/folder.py", "digest != written.sha256"),
    ("services/backup/integrity_check.py", "hashlib.sha256(path.read_bytes()).hexdigest() != digest"),
    ("services/backup/creation.py", "hashlib.sha256(existing).hexdigest() != digest"),
    # Of public formats, and of the content of a file that is verified with what the file itself says of it.
    ("services/packs/zip_reader.py", "signature == _LOCAL_SIGNATURE"),
    ("services/packs/zip_reader.py", "signature == _END_SIGNATURE"),
    ("services/packs/zip_reader.py", "signature != _DIRECTORY_SIGNATURE"),
    ("services/packs/zip_reader.py", "compute_digest(self._file, self._end) == self._digest"),
    ("services/packs/verification.py", "_compute_content_digest(reader, member) != expected.sha256"),
    # Of entries of the audit log, which both come from the database.
    ("services/records/audit_check.py", "check.unlisted.pop(listed, digest) != digest"),
    # Of rules that the caller may read: whether somebody else has changed them meanwhile.
    ("services/risk/rule_versions.py", "expected != rules.digest"),
    ("services/risk/draft_editing.py", "known.digest != expected"),
    # Of what an index consists of, which names the same thing on all machines.
    ("services/indexing/distribution.py", "previous == inventory.digest"),
    # Hashes that both come from the database, to see whether the password has changed meanwhile; nobody has sent either.
    (
        "services/accounts/sign_in.py",
        "(found.password_hash, found.disabled_at) != (proven.password_hash, None)",
    ),
}


def test_no_secret_is_compared_with_an_equals_sign() -> None:
    found = {(path.relative_to(SOURCE).as_posix(), text) for path in modules() for text in comparisons(path)}
    assert found - NO_SECRETS == set(), "use hmac.compare_digest, or say above why this is no secret"
    assert NO_SECRETS - found == set()


def test_the_check_sees_what_it_is_for(tmp_path: Path) -> None:
    module = tmp_path / "bad.py"
    module.write_text(
        "a = sign_on.browser_digest == given\n"
        "b = presented['token'] != kept\n"
        "c = row.digest == digest_of(token)\n"
        "d = len(token) == 3\n"
        "e = rows.c.digest == digest\n"
        "f = token is None or token == ''\n",
        encoding="utf-8",
    )
    assert list(comparisons(module)) == [
        "sign_on.browser_digest == given",
        "presented['token'] != kept",
        "row.digest == digest_of(token)",
    ]


def modules() -> Iterator[Path]:
    for name in PACKAGES:
        place = SOURCE / name
        yield from sorted(place.rglob("*.py")) if place.is_dir() else [place]


def comparisons(path: Path) -> Iterator[str]:
    """What compares, for being equal or not, something that is named like a secret."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Compare) or not any(isinstance(operator, ast.Eq | ast.NotEq) for operator in node.ops):
            continue
        sides = [node.left, *node.comparators]
        if any(map(_is_secret, sides)) and not any(map(_tells_nothing, sides)):
            yield ast.unparse(node)


def _is_secret(side: ast.expr) -> bool:
    if isinstance(side, ast.Tuple):
        return any(_is_secret(item) for item in side.elts)
    return not SECRET_WORDS.isdisjoint(_name(side).lower().replace("api_key", "apikey").split("_"))


def _name(side: ast.expr) -> str:
    if isinstance(side, ast.Call):
        return _name(side.func)
    if isinstance(side, ast.Subscript):
        return side.slice.value if isinstance(side.slice, ast.Constant) and isinstance(side.slice.value, str) else ""
    return side.attr if isinstance(side, ast.Attribute) else side.id if isinstance(side, ast.Name) else ""


def _tells_nothing(side: ast.expr) -> bool:
    """Whether it is a column of a table (`sessions.c.digest`), which the database compares in an index; or no secret's value."""
    is_column = isinstance(side, ast.Attribute) and isinstance(side.value, ast.Attribute) and side.value.attr == "c"
    is_length = isinstance(side, ast.Call) and isinstance(side.func, ast.Name) and side.func.id == "len"
    return is_column or is_length or isinstance(side, ast.Constant)
