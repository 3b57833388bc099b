"""Parse one of OFAC's two lists in any of its three formats: CSV set, enhanced XML, advanced XML.

All three yield the same entries with the same IDs; the XML files have more data. A load uses one format. Each format has its own
module, and the folder of each list defines which files are downloaded.
"""

import re
from collections.abc import Iterator, Sequence

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import ListedEntity
from bonafide.sources.formats.xml_elements import is_xml
from bonafide.sources.formats.zip_archive import extract_only_member, is_zip
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.ofac.advanced_xml import parse_advanced
from bonafide.sources.shared.ofac.csv_files import parse_csv_set
from bonafide.sources.shared.ofac.enhanced_xml import parse_enhanced

_ROOT_WITHIN = 4096
"""The root element must begin within this number of bytes."""
_ROOT = re.compile(rb"<(?:\w+:)?([A-Za-z]\w*)[\s>]")
_READERS = {b"sanctionsData": parse_enhanced, b"Sanctions": parse_advanced}


def parse_list(resources: Sequence[Resource], context: ParseContext, listed_as: str) -> Iterator[ListedEntity]:
    """Yield the entries of one list. `listed_as` is its name in the XML files; files of the other list are refused.

    Raises `ParseFailed` for other files, files in several formats, or an incomplete set.
    """
    if len(resources) == 1 and is_zip(resources[0]):
        with extract_only_member(resources[0], context.metadata.limits) as member:
            yield from parse_list([member], context, listed_as)
        return
    if not any(is_xml(resource) for resource in resources):
        yield from parse_csv_set(resources, context)
        return
    if len(resources) > 1:
        raise ParseFailed(Message("{source}: the list is one XML file or a set of four CSV files", source=context.metadata.key))
    with resources[0].path.open("rb") as file:
        root = _ROOT.search(file.read(_ROOT_WITHIN))
    if root is None:
        raise ParseFailed(Message("{file}: neither enhanced nor advanced XML", file=resources[0].name))
    if root[1] not in _READERS:
        sentence = Message(
            "{file}: neither enhanced nor advanced XML; the root element is {root}", file=resources[0].name, root=root[1].decode()
        )
        raise ParseFailed(sentence)
    yield from _READERS[root[1]](resources[0], context, listed_as)
