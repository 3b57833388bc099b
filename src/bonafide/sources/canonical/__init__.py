"""The canonical layout in which an operator imports a file."""
