"""Mails about events: what they say in both languages, and the page that turns them off."""
