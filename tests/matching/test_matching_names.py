"""The normal form of names, rule by rule."""

import pytest

from bonafide.matching.names.normalization import NORMALISER_VERSION, normalise


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("ZÉPHYRINE", "zephyrine"),
        ("zéphyrine", "zephyrine"),
        ("Œuvre Ægis Straße Bjørn Łódź Đorđe", "oeuvre aegis strasse bjorn lodz dorde"),
        ("ﬁne Ｆｕｌｌ", "fine full"),
        ("Zephyrine Orlovska", "zephyrine orlovska"),
        ("Pop’s ‘Zephyrine’ O'Brien", "pops zephyrine obrien"),
        ("L'Oie d’Or", "oie or"),
        ("La Maison de la Zéphyrine", "maison zephyrine"),
        ("Qu'Importe du Nord", "importe nord"),
        ("The House of Zephyrine", "house zephyrine"),
        ("Zephyrine, The", "zephyrine"),
        ("A.B.C. Motors", "abc motors"),
        ("A. B. Motors", "ab motors"),
        ("N C Motors", "nc motors"),
        ("A & B Motors", "a b motors"),
        ("Zephyrine+Orlovska", "zephyrine orlovska"),
        ("Fish 'n' Chips", "fish chips"),
        ("#1008 Zephyrine", "1008 zephyrine"),
        ("24/7 Zephyrine", "247 zephyrine"),
        ("1,234,567 Canada", "1234567 canada"),
        ("1 234 567 Canada", "1234567 canada"),
        ("Highway 400 401", "highway 400 401"),
        ("9558-9321 Québec", "95589321 quebec"),
        ("9558 9321 Qc", "95589321 quebec"),
        ("St-Jean Mfg Intl", "saint jean manufacturing international"),
        ("Zephyrine™ (Canada)", "zephyrine canada"),
        ("Зефирина", "зефирина"),
        ("中国银行", "中国银行"),
        ("٣ Zephyrine", "3 zephyrine"),
        ("Zephyrine—Orlovska", "zephyrine orlovska"),
        ("", ""),
        ("&", "and"),
        ("!!!", ""),
        ("The", "the"),
    ],
)
def test_the_core_of_a_name(text: str, core: str) -> None:
    assert normalise(text).core == tuple(core.split())


@pytest.mark.parametrize(
    ("text", "core", "forms"),
    [
        ("Zephyrine Inc.", "zephyrine", "inc"),
        ("Zephyrine Incorporée", "zephyrine", "inc"),
        ("Zephyrine Ltd", "zephyrine", "ltd"),
        ("Zephyrine Ltée", "zephyrine", "ltd"),
        ("Zephyrine Inc./Ltée", "zephyrine", "inc ltd"),
        ("Zephyrine Co. Ltd.", "zephyrine", "co ltd"),
        ("Zephyrine & Co.", "zephyrine", "co"),
        ("Zephyrine Company Limited, The", "zephyrine", "co ltd"),
        ("Zephyrine, S.E.N.C.R.L., s.r.l.", "zephyrine", "llp"),
        ("Zephyrine s.e.n.c.r.l./LLP", "zephyrine", "llp"),
        ("Zephyrine s.e.n.c.", "zephyrine", "gp"),
        ("Zephyrine S.E.C.", "zephyrine", "lp"),
        ("Zephyrine société en commandite", "zephyrine", "lp"),
        ("Société en commandite Zephyrine", "zephyrine", "lp"),
        ("Compagnie Zephyrine", "zephyrine", "co"),
        ("Zephyrine société par actions", "zephyrine", "sarf"),
        ("Zephyrine ULC", "zephyrine", "ulc"),
        ("Zephyrine Dentistry Professional Corporation", "zephyrine dentistry", "pc"),
        ("Zephyrine enr.", "zephyrine", "regd"),
        ("Zephyrine Co-op", "zephyrine cooperative", "coop"),
        ("Coopérative de Zephyrine", "cooperative zephyrine", "coop"),
        ("Zephyrine Co-operative Ltd.", "zephyrine cooperative", "coop ltd"),
        ("Zephyrine (Ltd.) Canada", "zephyrine canada", "ltd"),
        ("Zephyrine L.L.C.", "zephyrine", "llc"),
        ("Zephyrine Pty Ltd", "zephyrine", "llc"),
        ("OOO Zephyrine", "zephyrine", "llc"),
        ("ПАО Зефирина", "зефирина", "jsc"),
        ("Zephyrine Public Joint Stock Company", "zephyrine", "jsc"),
        # Never inside a name, and never everything.
        ("Company Kitchen", "company kitchen", ""),
        ("Limited Edition Art Inc.", "limited edition art", "inc"),
        ("Zephyrine GP Inc.", "zephyrine gp", "inc"),
        ("The Company", "company", ""),
        ("Corp.", "corp", ""),
        ("The Limited Company Inc.", "limited", "co inc"),
        ("Compagnie", "compagnie", ""),
    ],
)
def test_legal_forms_are_set_aside(text: str, core: str, forms: str) -> None:
    name = normalise(text)
    assert (" ".join(name.core), " ".join(name.legal_forms)) == (core, forms)


def test_tokens_keep_legal_forms_articles_and_connectors() -> None:
    assert normalise("The Zephyrine & Fils Ltée").tokens == ("the", "zephyrine", "and", "fils", "ltee")


def test_the_text_is_kept_as_given() -> None:
    assert normalise(" Zéphyrine  INC ").text == " Zéphyrine  INC "


def test_the_version_is_a_number_that_can_only_rise() -> None:
    assert NORMALISER_VERSION >= 1


def test_a_mining_company_without_personal_liability_is_one_form_more() -> None:
    assert normalise("Zephyrine Mines Ltd. (N. P. L.)").legal_forms == ("ltd", "npl")
