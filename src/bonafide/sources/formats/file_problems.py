"""Messages about files, shared by the readers of several formats."""

from bonafide.i18n.message import Message

UNREADABLE_FILE = Message("{file}: not a readable {format} file: {error}")
TOO_LARGE = Message("{file}: the file has {size:,} bytes; the limit is {limit:,}")
EMPTY_SHEET = Message("{file}: the sheet '{sheet}' is empty")
