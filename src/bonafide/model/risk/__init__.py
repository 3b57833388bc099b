"""Risk rating: facts about a business, the rules that rate them, and ratings."""
