"""Listed terrorist entities (Criminal Code): Public Safety Canada."""
