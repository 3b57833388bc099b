"""Commands of events: print them, manage their webhooks, and forward them to a developer’s machine."""
