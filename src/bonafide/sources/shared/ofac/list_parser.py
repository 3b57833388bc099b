"""Parse one of OFAC's two lists in any of its three forms: CSV set, enhanced XML, advanced XML.

All three give the same entries under the same ids; the XML files know more. A load is of one form. What the forms state is read in
the modules beside this one, and which files are downloaded stands in each list's folder.
"""

import re
from collections.abc import Iterator, Sequence

from bonafide.errors import ParseFailed
from bonafide.model.entry import ListedEntity
from bonafide.sources.formats.xml_elements import is_xml
from bonafide.sources.formats.zip_archive import extract_only_member, is_zip
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.ofac.advanced_xml import parse_advanced
from bonafide.sources.shared.ofac.csv_files import parse_csv_set
from bonafide.sources.shared.ofac.enhanced_xml import parse_enhanced

MAX_UNPACKED_BYTES = 1 << 30
"""The SDN List as enhanced XML has some 120 MB."""
_ROOT_WITHIN = 4096
"""Bytes in which the first element must stand."""
_ROOT = re.compile(rb"<(?:\w+:)?([A-Za-z]\w*)[\s>]")
_READERS = {b"sanctionsData": parse_enhanced, b"Sanctions": parse_advanced}


def parse_list(resources: Sequence[Resource], context: ParseContext, listed_as: str) -> Iterator[ListedEntity]:
    """The entries of one list; `listed_as` is its name in the XML files, where those of the other list are refused by it.

    Raises `ParseFailed` for files of another kind, of several forms, or of a set that is not whole.
    """
    if len(resources) == 1 and is_zip(resources[0]):
        with extract_only_member(resources[0], MAX_UNPACKED_BYTES) as member:
            yield from parse_list([member], context, listed_as)
        return
    if not any(is_xml(resource) for resource in resources):
        yield from parse_csv_set(resources, context)
        return
    if len(resources) > 1:
        given = ", ".join(resource.name for resource in resources)
        raise ParseFailed(f"{context.metadata.key}: {given}: the list is one XML file, or a set of four CSV files")
    with resources[0].path.open("rb") as file:
        root = _ROOT.search(file.read(_ROOT_WITHIN))
    if root is None or root[1] not in _READERS:
        found = f"its first element is {root[1].decode()}" if root is not None else "it has no element"
        raise ParseFailed(f"{resources[0].name}: neither enhanced nor advanced XML: {found}")
    yield from _READERS[root[1]](resources[0], context, listed_as)
