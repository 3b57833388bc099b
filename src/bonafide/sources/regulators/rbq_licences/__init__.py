"""Licences actives: Régie du bâtiment du Québec."""
