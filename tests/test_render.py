"""What is shown: text, HTML that is safe and scrolls, and plain data, from one value."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from syncsql.render import Report, grid

REPORT = Report(
    'views of <me> & "you"',
    ("view", "verdict", "query", "rows"),
    (("A<b>", "match", "SELECT a FROM R(S) WHERE a < 3", 7), ("B", "no match", None, None)),
    ("B: to share, add <a>", "  indented"),
)


def parsed(report: Report) -> ElementTree.Element:
    return ElementTree.fromstring(report._repr_html_())


def test_text() -> None:
    assert str(REPORT).splitlines()[1:3] == [
        "view  verdict   query                           rows",
        "----  --------  ------------------------------  ----",
    ]
    assert str(Report("dropped view V")) == "dropped view V"
    assert str(Report("", ("why",), (("word " * 20,),))).splitlines()[2:] == [
        "word " * 10 + "word",
        "  " + "word " * 8 + "word",
    ]
    assert grid(("a",), ()) == "a\n-"
    assert grid(("a", "b"), [("1\n2", "x")]) == "a  b\n-  -\n1  x\n2"


def test_html_is_well_formed_and_shows_what_the_text_shows() -> None:
    html = parsed(REPORT)
    assert [c.text for c in html.iter("th")] == list(REPORT.columns)
    assert ["".join(c.itertext()) for c in html.iter("td")] == [
        "A<b>", "match", "SELECT a FROM R(S) WHERE a < 3", "7", "B", "no match", "", "",
    ]  # fmt: skip
    assert [p.text for p in html.iter("pre")] == ["B: to share, add <a>\n  indented"]
    assert "".join(next(html.iter("p")).itertext()) == REPORT.title


def test_verdicts_are_marked_and_sql_is_code() -> None:
    html = parsed(REPORT)
    assert [(s.get("class"), s.text) for s in html.iter("span")] == [("mark yes", "match"), ("mark no", "no match")]
    assert [c.text for c in html.iter("code")] == ["SELECT a FROM R(S) WHERE a < 3"]
    # A word of the data is not a verdict, wherever it stands.
    assert not list(parsed(Report("", ("name",), (("match",),))).iter("span"))


def test_the_style_sheet_stays_in_its_own_boxes() -> None:
    style = next(parsed(REPORT).iter("style")).text
    assert style is not None
    selectors = [s.strip() for rule in re.findall(r"([^{}]+)\{", style) for s in rule.split(",")]
    assert selectors
    assert all(s.startswith("div.syncsql.report") for s in selectors)


def test_long_tables_scroll_in_a_box() -> None:
    long = Report("long", ("n",), tuple((n,) for n in range(1000)))
    box = next(d for d in parsed(long).iter("div") if d.get("class") == "scroll")
    assert len(list(box.iter("tr"))) == 1001


def test_plain_data() -> None:
    assert REPORT.to_dict()["rows"][1] == {"view": "B", "verdict": "no match", "query": None, "rows": None}
