"""Generate the businesses, people and sanctioned parties of the sandbox world."""
