"""Provisioning: identity providers create, change and deactivate the people of an organization, and give them roles."""
