"""Render documents as archivable, accessible PDFs.

The pages are Typst templates in `templates/`. Their labels are in `templates/labels*.yml`, and translated by the catalogue.
"""
