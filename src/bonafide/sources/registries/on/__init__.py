"""Ontario's register of corporations and of business names, from extracts that an operator holds."""
