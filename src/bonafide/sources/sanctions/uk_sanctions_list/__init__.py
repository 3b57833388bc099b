"""UK Sanctions List: Foreign, Commonwealth and Development Office."""
