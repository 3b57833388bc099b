"""Mails about events: their text in both languages, and the page that turns them off."""
