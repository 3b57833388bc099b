"""Rate the risk of a business: facts of search results, the language of the rules, and their evaluation."""
