"""What a robots.txt allows us, by the rules and the examples of RFC 9309."""

import pytest

from bonafide.website.crawling.site_files import DISALLOW_ALL, RobotsTxt


def allowed(text: str, path: str, product: str = "bonafide") -> bool:
    return RobotsTxt.parse(text, product).is_allowed(path)


# The table of section 2.2.3 and of Google's description, which says the same with more examples.
MATCHES = [
    ("/", "/any", True),
    ("/*", "/any", True),
    ("/$", "/", True),
    ("/$", "/any", False),
    ("/fish", "/fish", True),
    ("/fish", "/fish.html", True),
    ("/fish", "/fish/salmon.html", True),
    ("/fish", "/fishheads?id=1", True),
    ("/fish", "/Fish.asp", False),
    ("/fish", "/catfish", False),
    ("/fish", "/desert/fish", False),
    ("/fish*", "/fishheads/yummy.html", True),
    ("/fish/", "/fish", False),
    ("/fish/", "/fish/?id=1", True),
    ("/*.php", "/folder/filename.php?parameters", True),
    ("/*.php", "/windows.PHP", False),
    ("/*.php$", "/folder/filename.php", True),
    ("/*.php$", "/filename.php?parameters", False),
    ("/*.php$", "/filename.php5", False),
    ("/fish*.php", "/fishheads/catfish.php?parameters", True),
    ("/fish*.php", "/Fish.PHP", False),
    ("/a*b*c$", "/abbbc", True),
    ("/a*b*c$", "/abcb", False),
    ("/a*a$", "/a", False),
    ("/path/file-with-a-%2A.html", "/path/file-with-a-%2A.html", True),
    ("/foo/bar/ツ", "/foo/bar/%E3%83%84", True),
    ("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84", True),
    ("/%7ejoe/", "/~joe/index.html", True),
    ("/a%2fb", "/a/b", False),
]


@pytest.mark.parametrize(("pattern", "path", "matches"), MATCHES)
def test_a_pattern_matches_the_beginning_of_a_path(pattern: str, path: str, matches: bool) -> None:  # noqa: FBT001 - of a table
    assert allowed(f"User-agent: *\nDisallow: {pattern}\n", path) is not matches


def test_the_longest_rule_decides_whatever_the_order() -> None:
    text = "User-agent: *\nDisallow: /shop\nAllow: /shop/about\nDisallow: /shop/about/private\n"
    assert [allowed(text, path) for path in ("/shop", "/shop/about", "/shop/about/private/x", "/")] == [False, True, False, True]


def test_a_path_of_two_slashes_is_a_path() -> None:
    assert not allowed("User-agent: *\nDisallow: /x\nDisallow: //y\n", "//y/z")
    assert allowed("User-agent: *\nDisallow: /z\n", "//y/z")


def test_of_two_equal_rules_the_allowing_one_decides() -> None:
    assert allowed("User-agent: *\nDisallow: /page\nAllow: /page\n", "/page")


def test_our_own_group_counts_instead_of_the_one_for_everybody() -> None:
    text = "User-agent: *\nDisallow: /\n\nUser-agent: BonaFide\nDisallow: /private\n"
    assert (allowed(text, "/about"), allowed(text, "/private"), allowed(text, "/about", "other")) == (True, False, False)


def test_groups_with_our_name_are_one_and_names_may_share_a_group() -> None:
    text = "User-agent: bonafide/2.0\nDisallow: /a\nUser-agent: x\nUser-agent: bonafide\n# a comment\nDisallow: /b # and one more\n"
    assert [allowed(text, path) for path in ("/a", "/b", "/c")] == [False, False, True]


def test_another_programs_group_is_not_ours() -> None:
    assert allowed("User-agent: bonafide-images\nDisallow: /\n", "/")
    assert allowed("User-agent: bona\nDisallow: /\n", "/")
    assert allowed("Disallow: /\nUser-agent: other\nDisallow: /\n", "/")


def test_an_empty_disallow_forbids_nothing_and_unknown_lines_break_no_group() -> None:
    assert allowed("User-agent: *\nDisallow:\n", "/any")
    text = "User-agent: *\nCrawl-delay: 10\nSitemap: https://a.example/map.xml\nDisallow: /x\n"
    assert not allowed("User-agent: bonafide\nCrawl-delay: 10\nUser-agent: other\nDisallow: /x\n", "/x")
    assert (allowed(text, "/x"), RobotsTxt.parse(text, "bonafide").sitemaps) == (False, ("https://a.example/map.xml",))


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_way_and_a_mark_at_the_beginning_is_passed_over(ends: str) -> None:
    assert not allowed("\ufeff" + ends.join(["USER-AGENT : *", "  disallow  :  /x  "]), "/x/y")


def test_robots_txt_itself_may_always_be_read() -> None:
    assert allowed("User-agent: *\nDisallow: /\n", "/robots.txt")
    assert not DISALLOW_ALL.is_allowed("/")


@pytest.mark.parametrize(
    "text", ["", "<!doctype html><title>Shop</title>", "\0\xff" * 50, "User-agent\nDisallow /\n:::", "User-agent: *"]
)
def test_what_is_no_robots_txt_forbids_nothing(text: str) -> None:
    assert allowed(text, "/about")


@pytest.mark.parametrize(
    "text",
    [
        "User-agent: *\n" + "Disallow: /x\n" * 40_000,
        "User-agent: *\nDisallow: /" + "*a" * 250_000 + "$",
        "User-agent: *\nDisallow:" + " " * 500_000 + "x",
        "User-agent: a\n" * 35_000 + "Disallow: /",
        "".join(f"User-agent: a{number}\n" for number in range(15_000)) + "Disallow: /x\n" * 15_000,
        "".join(f"User agent a{number}\x0b" for number in range(15_000)) + "Disallow: /x\n" * 15_000,
        "Disallow: /" + "%41" * 160_000,
    ],
)
def test_a_hostile_file_is_got_through(text: str) -> None:
    # In square time the worst of them would take minutes.
    assert allowed(text, "/" + "a" * 2_000)


@pytest.mark.parametrize(("target", "permitted"), [("[x", True), ("//[x", True), ("private", False), ("", True)])
def test_a_target_is_never_read_as_a_host(target: str, permitted: bool) -> None:  # noqa: FBT001
    assert allowed("User-agent: *\nDisallow: /private", target) is permitted
