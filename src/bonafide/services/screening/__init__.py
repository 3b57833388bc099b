"""Screen a subject, or a file of names, against sanctions lists."""
