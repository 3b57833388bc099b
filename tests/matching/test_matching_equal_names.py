"""Which names are equal and which must never be: pair by pair, and as properties of any name."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.names.normalization import NormalName, normalise
from bonafide.matching.text.folding import fold
from bonafide.matching.text.tables import read_table


def same(one: str, other: str) -> bool:
    a, b = normalise(one), normalise(other)
    return (a.core, a.legal_forms) == (b.core, b.legal_forms)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # characters
        ("Zéphyrine Ltée", "ZEPHYRINE LTEE"),
        ("Ze\u0301phyrine", "Z\u00e9phyrine"),
        ("\uff3aｅｐｈｙｒｉｎｅ", "Zephyrine"),
        ("Ze\u00adphy\u200brine", "Zephyrine"),
        ("\u202bZephyrine\u202c", "Zephyrine"),
        ("\ufeffZephyrine\ufe0f", "Zephyrine"),
        ("Zephyrine\u00a0\u202fOrlovska", "Zephyrine Orlovska"),
        ("ﬁlle d’Œuvre", "fille d'oeuvre"),
        ("Zephyrine®", "Zephyrine"),
        ("“Zephyrine” Orlovska", "Zephyrine Orlovska"),
        ("Pop´s Zephyrine", "Pop's Zephyrine"),
        ("ʻOhana Zephyrine", "'Ohana Zephyrine"),
        ("Tłı̨chǫ Zephyrine", "Tlicho Zephyrine"),
        ("ʔaq̓am Zephyrine", "aqam Zephyrine"),
        # articles, elisions, connectors
        ("L'Étoile du Nord", "Etoile Nord"),
        ("L’Étoile d’Or inc.", "ETOILE OR INC"),
        ("The Zephyrine", "Zephyrine, The"),
        ("Zephyrine & Orlovska", "Zephyrine and Orlovska"),
        ("Zephyrine et Orlovska", "Zephyrine + Orlovska"),
        ("Fish 'n' Chips Zephyrine", "Fish & Chips Zephyrine"),
        ("Zephyrine Rock'n'Roll", "Zephyrine Rock and Roll"),
        ("Stop 'n Go Zephyrine", "Stop N Go Zephyrine"),
        # initials
        ("A.B.C. Zephyrine", "ABC Zephyrine"),
        ("A. B. C. Zephyrine", "A B C Zephyrine"),
        ("J.P. Zephyrine", "J P Zephyrine"),
        ("J.-P. Zephyrine", "JP Zephyrine"),
        ("A-B-C Zephyrine", "ABC Zephyrine"),
        # numbers and numbered companies
        ("9123-4567 Québec inc.", "91234567 QUEBEC INC"),
        ("9123 4567 Québec inc.", "9123-4567 Qc Inc."),
        ("9123‑4567 Québec inc.", "9123 - 4567 Que. inc."),
        ("1234567 Ontario Limited", "1,234,567 ONTARIO LTD."),
        ("1 234 567 Canada inc.", "1234567 Canada Inc"),
        ("1.234.567 Canada inc.", "1234567 Canada Inc"),
        ("0912345 B.C. Ltd.", "912345 BC LTD"),
        ("0912345 B. C. Ltd.", "912345 British Columbia Ltd."),
        ("1234567 Alta. Ltd.", "1234567 Alberta Ltd."),
        ("654321 N.B. Inc.", "654321 New Brunswick Inc."),
        ("3012345 Nova Scotia Limited", "3012345 N.S. Ltd."),
        ("12345 Newfoundland & Labrador Inc.", "12345 NL Inc."),
        ("Local No. 123", "Local #123"),
        ("Local N° 123", "Local № 123"),
        ("Local nº123", "Local 123"),
        ("1st Zephyrine", "First Zephyrine"),
        ("1er Zephyrine", "Premier Zephyrine"),
        ("2ième Zephyrine", "Deuxième Zephyrine"),
        ("21ème Zephyrine", "21e Zephyrine"),
        ("Zephyrine 24/7", "Zephyrine 247"),
        ("101-1st Zephyrine", "101 First Zephyrine"),
        # abbreviations and spellings
        ("Zephyrine Mfg. Int'l", "Zephyrine Manufacturing International"),
        ("Ste-Zephyrine", "Sainte Zéphyrine"),
        ("Zephyrine Co-operative", "Zephyrine Coop"),
        ("Zephyrine Co.  Op.", "Zephyrine Co-op"),
        ("Zephyrine Theater Center", "Zephyrine Theatre Centre"),
        # legal forms
        ("Zephyrine L.T.D.", "Zephyrine Limitée"),
        ("Zephyrine I N C", "Zephyrine incorporée"),
        ("Zephyrine Cie Ltée", "Zephyrine Company Limited"),
        ("Zephyrine S.E.N.C.R.L./s.r.l.", "Zephyrine LLP"),
        ("Zephyrine, S. E. N. C. R. L.", "Zephyrine L.L.P."),
        ("Zephyrine (Ltd.) Canada", "Zephyrine Canada Ltd."),
        ("La Compagnie Zephyrine", "Compagnie Zephyrine"),
        ("Zephyrine N.S.U.L.C.", "Zephyrine Unlimited Liability Company"),
        ("Zephyrine Prof. Corp.", "Zephyrine P.C."),
        ("Zephyrine C.C.C.", "Zephyrine Community Contribution Company"),
        ("Zephyrine (Non-Personal Liability)", "Zephyrine N.P.L."),
        ("Zephyrine Reg'd", "Zephyrine enregistrée"),
    ],
)
def test_the_same_name(one: str, other: str) -> None:
    assert normalise(one).core == normalise(other).core
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zephyrine Inc.", "Zephyrine Ltd."),
        ("Zephyrine Holdings Inc.", "Zephyrine Inc."),
        ("Zephyrine (2010) Ltd.", "Zephyrine Ltd."),
        ("Zephyrine East Inc.", "Zephyrine West Inc."),
        ("Zephyrine Nord", "Zephyrine Sud"),
        ("1234567 Ontario Inc.", "1234568 Ontario Inc."),
        ("1234567 Ontario Inc.", "1234567 Canada Inc."),
        ("9123-4567 Québec inc.", "9123-4576 Québec inc."),
        ("Store No. 12", "Store No. 21"),
        ("007 Zephyrine", "7 Zephyrine"),
        ("First Zephyrine", "Second Zephyrine"),
        ("1st Zephyrine", "2nd Zephyrine"),
        ("First Homes", "Premier Homes"),
        ("21e Zephyrine", "22e Zephyrine"),
        ("Zephyrine & Fils", "Zephyrine Fille"),
        ("Zephyrine II", "Zephyrine III"),
        ("Alta Zephyrine", "Alberta Zephyrine"),
        ("No Zephyrine", "Zephyrine"),
        ("Zephyrine No Frills", "Zephyrine Frills"),
        ("Zephyrine GP Inc.", "Zephyrine Inc."),
        ("Zephyrine ULC", "Zephyrine Ltd."),
        ("Zephyrine Unlimited", "Zephyrine ULC"),
        ("Zephyrine Society", "Zephyrine"),
        ("Zephyrine Credit Union", "Zephyrine"),
        ("Syndicat de copropriété Zephyrine", "Zephyrine"),
        ("Zephyrine Dentistry Professional Corporation", "Zephyrine Law Professional Corporation"),
        ("Limited Edition Zephyrine", "Edition Zephyrine"),
        ("A & B Zephyrine", "AB Zephyrine"),
        ("D Angelo Zephyrine", "Angelo Zephyrine"),
    ],
)
def test_two_names(one: str, other: str) -> None:
    assert not same(one, other)


WORDS = [
    "Zéphyrine",
    "L'Oie",
    "d’Or",
    "A.B.",
    "Mfg",
    "1st",
    "No.",
    "12",
    "9123-4567",
    "Québec",
    "the",
    "of",
    "&",
    "N",
    "co-op",
    "B.C.",
]
FORMS = [spelling for row in read_table("legal_forms") for key in ("en", "fr", "other", "front") for spelling in row.get(key, ())]
names = st.lists(st.sampled_from([*WORDS, *FORMS, "(Ltd.)", "-", "/", "1", "234", "567", "(2010)", "St."]), max_size=7).map(
    " ".join
)


def equal_but_for_text(one: NormalName, other: NormalName) -> bool:
    return (one.tokens, one.core, one.legal_forms) == (other.tokens, other.core, other.legal_forms)


@given(names)
def test_the_words_of_a_normal_form_are_in_normal_form(name: str) -> None:
    once = normalise(name)
    assert equal_but_for_text(normalise(" ".join(once.tokens)), once)


@given(names)
def test_case_accents_and_keyboards_make_no_difference(name: str) -> None:
    plain = normalise(name)
    for variant in (name.upper(), name.lower(), unicodedata.normalize("NFD", name), fold(name), name.replace(" ", "\u00a0 ")):
        assert equal_but_for_text(normalise(variant), plain)


@given(names)
def test_marks_that_show_nothing_make_no_difference(name: str) -> None:
    assert equal_but_for_text(normalise("\u200b".join(name)), normalise(name))
    assert equal_but_for_text(normalise(f"\u202a{name}\u202c\ufeff"), normalise(name))


@given(st.lists(st.sampled_from(["Zéphyrine", "Orlovska", "Kwiatek", "Brzoza"]), min_size=1, max_size=4), st.sampled_from(" ,;.!*"))
def test_punctuation_between_words_makes_no_difference(words: list[str], mark: str) -> None:
    assert normalise(f"{mark} ".join(words) + mark).core == normalise(" ".join(words)).core


@given(st.text())
def test_a_name_with_words_has_a_core_out_of_them(name: str) -> None:
    normal = normalise(name)
    assert bool(normal.core) == bool(normal.tokens)
    assert set(normal.core) <= set(normal.tokens)


@pytest.mark.parametrize(
    "name", ["The", "La", "of the", "No. 1", "No", "N°", "#7", "A", "1er", "Ltd.", "Inc. Ltd.", "Society", "First Nation"]
)
def test_a_name_of_little_words_keeps_some(name: str) -> None:
    assert normalise(name).core != ()


@pytest.mark.parametrize(
    ("text", "core", "forms"),
    [
        ("Zephyrine Medicine Professional Corporation", "zephyrine medicine", "pc"),
        ("Dr Zephyrine Personal Real Estate Corporation", "dr zephyrine", "pc"),
        ("Zephyrine société professionnelle inc.", "zephyrine", "pc inc"),
        ("Zephyrine Credit Union Limited", "zephyrine credit union", "credit_union ltd"),
        ("Caisse populaire de Zephyrine", "caisse populaire zephyrine", "credit_union"),
        ("Caisse d'économie Zephyrine", "caisse economie zephyrine", "credit_union"),
        ("Zephyrine Real Estate Investment Trust", "zephyrine real estate investment trust", "trust"),
        ("Fiducie familiale Zephyrine", "fiducie familiale zephyrine", "trust"),
        ("Syndicat des copropriétaires du Zephyrine", "syndicat coproprietaires zephyrine", "condominium"),
        ("The Owners, Strata Plan EPS 1234", "owners strata plan eps 1234", "condominium"),
        ("Zephyrine First Nation", "zephyrine first nation", "first_nation"),
        ("Première Nation de Zephyrine", "premiere nation zephyrine", "first_nation"),
        ("The Zephyrine Society", "zephyrine society", "society"),
        ("Zephyrine Non-Profit Corporation", "zephyrine non profit corporation", "nonprofit"),
        ("Zephyrine (OBNL)", "zephyrine obnl", "nonprofit"),
        ("Zephyrine Community Interest Company", "zephyrine", "cic"),
        ("Zephyrine, société en nom collectif", "zephyrine", "gp"),
        ("Zephyrine LP/s.e.c.", "zephyrine", "lp"),
        ("S.E.C. Zephyrine", "zephyrine", "lp"),
        ("Zephyrine (sole proprietorship)", "zephyrine", "proprietorship"),
        ("Zephyrine Extra-Provincial", "zephyrine", "extraprovincial"),
        ("The Corporation of the City of Zephyrine", "corporation city zephyrine", ""),
        ("Corporation Services Inc.", "corporation services", "inc"),
        ("Zephyrine Joint Venture", "zephyrine joint venture", "joint_venture"),
        ("Zephyrine Trust", "zephyrine trust", ""),
        ("Zephyrine Trust Company", "zephyrine trust", "co"),
    ],
)
def test_the_forms_of_every_statute(text: str, core: str, forms: str) -> None:
    name = normalise(text)
    assert (" ".join(name.core), " ".join(name.legal_forms)) == (core, forms)
