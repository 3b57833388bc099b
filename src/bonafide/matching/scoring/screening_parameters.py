"""Every number that only screening uses; shared ones are in `score_parameters`.

Scores are 0 to 1. Factors are multiplied, caps limit the product, changes are added afterwards and never lift a score over 0.7.
"""

# How alike two unequal words are
FIRST_OF_FIVE = 0.72  # a five-letter word with another first letter
SOUND = 0.88  # another spelling of the same sounds
CONSONANTS = 0.86  # equal in the consonants that its script writes
ARTICLE = 0.97  # "zawahiri", "alzawahiri"
GLUED_FORM = 0.97  # "argument", "jscargument"
SOUND_SIMILARITY = 0.6  # of the letters of two words that sound alike

# How much a word of an organization's name tells, beside the classes of `features`
ARTICLE_WEIGHT = 0.1  # "al", "el"
GENERIC_WEIGHT = 0.4  # "movement", "zavod"
PLACE_WEIGHT = 0.35  # "tehran"

# What a name of the list is worth
PART_OF_NAME = 0.99  # what stands outside of brackets in a name, or on one side of a slash
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
EVIDENCE_FROM = 0.7  # below this nothing lifts a name
EVIDENCE_CAP = 0.99  # that evidence may lift to: only an equal name or number is 1
