"""Licensed cannabis retail stores: Liquor and Cannabis Regulation Branch (British Columbia)."""
