"""Specially Designated Nationals and Blocked Persons List: Office of Foreign Assets Control, US Department of the Treasury."""
