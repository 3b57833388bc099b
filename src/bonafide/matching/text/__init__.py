"""Characters and words: folding, transliteration and word tables."""
