"""The numbers that only screening uses; shared ones are in `score_parameters`.

Scores are 0 to 1. Factors are multiplied, caps limit the product, and changes are added afterwards. Changes never raise a score
below 0.7.
"""

# How similar two unequal words are
FIRST_OF_FIVE = 0.72  # a five-letter word with another first letter
SOUND = 0.88  # another spelling with the same sounds
CONSONANTS = 0.86  # equal consonants in a script without vowels
ARTICLE = 0.97  # "zawahiri", "alzawahiri"
SHORT_TYPO = 0.75  # one letter of three or four, where other parts of the name agree
COMMON_FAMILY_NAME = 50  # bearers among 100,000 people from which two names that differ in a letter are two names
GLUED_FORM = 0.97  # "argument", "jscargument"
SOUND_SIMILARITY = 0.6  # lowest similarity of letters for words that sound alike

# Weights of words in names of organizations, in addition to the word classes
ARTICLE_WEIGHT = 0.1  # "al", "el"
GENERIC_WEIGHT = 0.4  # "movement", "zavod"
PLACE_WEIGHT = 0.35  # "tehran"

# Kinds of listed names
PART_OF_NAME = 0.99  # the part of a name outside brackets, or on one side of a slash
WEAK_SINGLE_CAP = 0.69  # a weak alias of one word

# Evidence beside the name
BORN_SAME_DAY = 0.05
BORN_SAME_YEAR = 0.02
BORN_NEAR = -0.04  # a year apart, or another day of the same year
BORN_OTHER = -0.2
COUNTRY_SAME = 0.02
COUNTRY_OTHER = -0.08
TYPE_OTHER_CAP = 0.69  # a person is no ship
NUMBER_OTHER = -0.1  # another IMO number
BORN_SAME_DAY_FROM = 0.68  # the same date of birth also raises what a cap holds just below
EVIDENCE_FROM = 0.7  # evidence never raises a name score below this
EVIDENCE_CAP = 0.99  # highest score with evidence: only equal names and numbers score 1
