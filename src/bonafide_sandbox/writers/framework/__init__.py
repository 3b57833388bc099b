"""The interface of writers, and the manifest of the files that they write."""
