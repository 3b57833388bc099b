"""Print stored searches and verifications as PDF."""
