"""Extract facts about a business from the pages of its website, each with its evidence. Pure functions."""
