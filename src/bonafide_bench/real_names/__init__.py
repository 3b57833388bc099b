"""Sets of real names: pairs that are the same party or not, split by source into training, test and control parts."""
