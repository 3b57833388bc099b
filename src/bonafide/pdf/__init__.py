"""Documents as PDF: a frozen value in, the bytes of an archivable, accessible file out.

The pages are Typst templates in `templates/`, with the words of both languages in `labels.yml`.
"""
