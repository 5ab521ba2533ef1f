"""That a difference is seen at all: the comparison itself, without any program."""

import re

import pytest

import compare
from instances import Call, Site

SITE = Site(type="site", die=0x40, unit="a.c", function="f", linkage_name=None,
            decl_file="/a.h", decl_line=3, call_file="/a.c", call_line=9, call_column=2,
            ranges=((0x10, 0x20, None), (0x80, 0x84, None)), entry=0x10, return_pc=None,
            host="main", chain=(Call("g", "/a.c", 7, 1),), host_linkage_name=None, origin=0x30)
ROW = {"type": "site", "die": "0x40", "unit": "a.c", "function": "f", "linkage_name": None,
       "decl_file": "/a.h", "decl_line": 3, "call_file": "/a.c", "call_line": 9,
       "call_column": 2, "ranges": [["0x10", "0x20"], ["0x80", "0x84"]], "section": None,
       "entry": "0x10", "host": "main", "symbol": "main",
       "chain": [{"function": "g", "call_file": "/a.c", "call_line": 7, "call_column": 1}]}


def differences(sites, rows):
    return compare.Comparison("test").run(sites, rows).counts["different"]


def test_equal_sites_are_equal_in_any_order():
    other = SITE._replace(die=0x50)
    assert differences([SITE, other], [dict(ROW, die="0x50"), ROW]) == 0


@pytest.mark.parametrize("key, value", [
    ("function", "F"), ("linkage_name", "_Z1f"), ("decl_file", "/b.h"), ("decl_line", None),
    ("call_file", None), ("call_line", 8), ("call_column", None), ("entry", None),
    ("type", "copy"), ("return", "0x14"), ("host", "g"), ("chain", []), ("unit", "b.c"),
    ("ranges", []),
    ("ranges", [["0x80", "0x84"], ["0x10", "0x20"]]), ("section", ".text"),
    ("ranges", [["0x10", "0x20"], ["0x80", "0x84", ".text.unlikely"]])])
def test_one_other_value_is_a_difference(key, value):
    assert differences([SITE], [dict(ROW, **{key: value})]) == 1


@pytest.mark.parametrize("sites, rows", [
    ([SITE], []), ([], [ROW]), ([SITE], [ROW, ROW]), ([SITE, SITE], [ROW])])
def test_a_site_too_many_is_a_difference(sites, rows):
    assert differences(sites, rows) == 1


def test_a_known_difference_is_counted_apart():
    comparison = compare.Comparison("test")
    comparison.known = [compare.Known(re.compile("call_column"), "a reason", "the program")]
    comparison.run([SITE], [dict(ROW, call_column=5)])
    assert comparison.counts["known"] == 1
    assert comparison.counts["different"] == 0
