"""Who owns and controls a business: what is claimed, by whom, and what it adds up to."""
