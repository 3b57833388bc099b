"""The trade that a site's words speak of, as a class of NAICS Canada: found in the official tables."""
