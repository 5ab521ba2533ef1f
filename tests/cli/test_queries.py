"""Several functions in a call, and only what is in the code of some functions."""

import json

import pytest

import building


def rows(result):
    return [json.loads(line) for line in result.out.splitlines()]


def test_several_functions_are_answered_in_one_call(run, elf):
    both = run("--json", "-o", "--function=clamp", "--function", "scale", elf("c"))
    assert both.status == 0
    every = rows(run("--json", "-o", "-g", "*", elf("c")))
    assert rows(both) == [row for row in every if row["function"] in ("clamp", "scale")]
    assert {row["function"] for row in rows(both)} == {"clamp", "scale"}


def test_one_function_may_be_given_either_way(run, elf):
    assert run("--function=clamp", elf("c")) == run("clamp", elf("c"))
    assert run("tree", "--function=main", elf("c")) == run("tree", "main", elf("c"))


def test_patterns_may_be_several(run, elf):
    both = rows(run("--json", "-g", "--function=cl*", "--function=sc*", elf("c")))
    assert {row["function"] for row in both} == {"clamp", "scale"}


def test_all_operands_are_files_then(run, elf):
    result = run("--function=clamp", "--function=scale", elf("c"), elf("object"))
    assert {heading for heading in result.headings if heading.endswith("c:")} == {f"{elf('c')}:"}
    assert f"{elf('object')}:" in result.headings
    assert run("--function=clamp").status == 64


def test_each_function_that_is_not_found_is_explained(run, elf):
    result = run("--function=clmap", "--function=scale", "--function=outside", elf("c"))
    assert (result.status, result.out) == (0, run("scale", elf("c")).out)
    unknown, never = result.err.splitlines()
    assert "no function named 'clmap'; similar name: clamp" in unknown
    assert "outside: never inlined" in never
    result = run("--function=clmap", "--function=main", elf("c"))
    assert (result.status, result.out) == (1, "")


def test_each_function_that_is_in_no_file_is_named(run, elf):
    result = run("--function=clmap", "--function=scale", elf("c"), elf("object"))
    assert result.status == 0
    assert result.err.splitlines() == ["inlinecall: clmap: no call site in any of 2 files"]


def test_trees_of_several_functions(run, elf):
    both = run("tree", "--json", "--function=main", "--function=loops", "--function=lops", elf("c"))
    assert {row["function"] for row in rows(both) if row["depth"] == 0} == {"main", "loops"}
    assert "no function named 'lops'" in both.err


@pytest.mark.parametrize("options", [(), ("-o", "-c"), ("-f", "shapes.h"), ("-a",)])
def test_only_what_is_in_a_host_is_listed(run, elf, options):
    names = () if "-a" in options else ("clamp",)
    every = rows(run("--json", *options, *names, elf("c")))
    some = rows(run("--json", *options, "--in=main", *names, elf("c")))
    assert some == [row for row in every if row["host"] == "main"]
    assert 0 < len(some) < len(every)


def test_hosts_may_be_several_or_patterns(run, elf):
    every = rows(run("--json", "clamp", elf("c")))
    several = rows(run("--json", "--in=main", "--in", "second_entry", "clamp", elf("c")))
    assert several == [row for row in every if row["host"] in ("main", "second_entry")]
    assert len({row["host"] for row in several}) == 2
    assert rows(run("--json", "-g", "--in=*ai*", "clamp", elf("c"))) == [
        row for row in every if "ai" in row["host"]]
    assert run("-a", "-r", "--in=^main$", elf("c")) == run("-a", "--in=main", elf("c"))


def test_counts_are_of_what_is_in_the_host(run, elf):
    count, = rows(run("--count", "--json", "--in=main", "clamp", elf("c")))
    found = rows(run("--json", "--in=main", "clamp", elf("c")))
    assert count["inlined"] == len([row for row in found if row["ranges"]])


def test_a_host_that_does_not_exist_is_what_is_said(run, elf):
    result = run("--in=mian", "clamp", elf("c"))
    assert (result.status, result.out) == (1, "")
    message, = result.err.splitlines()
    assert "no function named 'mian'; similar name: main" in message
    assert "no function named 'mian'" in run("-a", "--in=mian", elf("c")).err


def test_a_function_that_is_not_in_the_host_was_inlined_elsewhere(run, elf):
    result = run("--in=splits", "clamp", elf("c"))
    assert (result.status, result.out) == (1, "")
    assert "clamp: inlined" in result.err and "but never in the code of 'splits'" in result.err
    result = run("--in=splits", "-f", "first.c", "clamp", elf("c"))
    assert "never in the code of 'splits' and in source files that match 'first.c'" in result.err


@pytest.mark.parametrize("options, complaint", [
    (("-a", "--function=clamp"), "-a selects every function"),
    (("-a", "-g"), "-g and -r have no effect"),
    (tuple(f"--function=f{number}" for number in range(65)), "more than 64 --function options"),
    (tuple(f"--in=f{number}" for number in range(65)), "more than 64 --in options"),
])
def test_wrong_usage(run, elf, options, complaint):
    result = run(*options, elf("c"))
    assert (result.status, result.out) == (64, "") and complaint in result.err


def test_members_of_an_archive_have_one_explanation(run, elf, tmp_path):
    building.command("ar", "rc", tmp_path / "lib.a", elf("object"), elf("sections"))
    result = run("--function=clamp", "--function=clmap", "--in=main", tmp_path / "lib.a")
    assert result.status == 0 and result.out.count("lib.a(") == 2
    message, = result.err.splitlines()
    assert "no function named 'clmap'; similar name: clamp" in message
