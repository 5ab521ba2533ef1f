"""Each option does what the manual says. Whole texts are compared in test_golden.py."""

import json
import os
import re

import pytest

import building


def callers(result):
    return {site[2] for site in result.sites}


# Which sites.

def test_all_names_no_function_and_lists_those_of_every_function(run, elf):
    every = run("-a", elf("c"))
    one = run("clamp", elf("c"))
    assert every.status == 0
    assert set(one.sites) < set(every.sites)
    assert run("--all", elf("c")) == every


def test_a_function_is_not_a_pattern_unless_so_said(run, elf):
    assert run("cla*", elf("c")).status == 1
    assert run("cl.mp", elf("c")).status == 1


@pytest.mark.parametrize("option", ["-g", "--glob"])
def test_a_glob_must_match_the_whole_name(run, elf, option):
    assert run(option, "c?am[op]", elf("c")).out == run("clamp", elf("c")).out
    assert run(option, "lam", elf("c")).status == 1
    assert run(option, "*lam*", elf("c")).sites


@pytest.mark.parametrize("option", ["-r", "--regex"])
def test_a_regular_expression_is_extended_and_matches_a_part(run, elf, option):
    assert run(option, "^(clamp|zzz)$", elf("c")).out == run("clamp", elf("c")).out
    assert run(option, "lam", elf("c")).out == run("clamp", elf("c")).out


def test_a_bad_regular_expression_is_named(run, elf):
    result = run("-r", "clamp(", elf("c"))
    assert result.status in (2, 64)
    assert "clamp(" in result.err and not result.out


@pytest.mark.parametrize("option", ["-f", "--call-file"])
def test_call_file_keeps_the_calls_in_these_files(run, elf, option):
    result = run(option, "second.c", "clamp", elf("c"))
    assert {os.path.basename(site[1].split(":")[0]) for site in result.sites} == {"second.c"}
    assert set(result.sites) < set(run("clamp", elf("c")).sites)


def test_call_file_with_a_slash_is_compared_with_the_path(run, elf):
    assert run("-f", "*/programs/second.c", "clamp", elf("c")).sites
    assert run("-f", "programs/second.c", "clamp", elf("c")).sites
    assert run("-f", "grams/second.c", "clamp", elf("c")).status == 1
    assert run("-f", "/programs/second.c", "clamp", elf("c")).status == 1


def test_names_put_the_function_in_each_heading(run, elf):
    headings = [line for line in run("-a", "--names", elf("c")).out.splitlines() if line[0] != "\t"]
    assert len(headings) > 5
    assert all(re.fullmatch(r".+:\d+\t\w+\(\)", heading) for heading in headings)
    assert {heading.split("\t")[0] for heading in headings} == set(run("-a", elf("c")).headings)


def test_call_file_leaves_out_of_line_copies_alone(run, elf):
    """They are in no call's file."""
    result = run("-o", "-f", "second.c", "kept_out_of_line", elf("c"))
    assert {site[3:] for site in result.sites} == {("out of line",), ("out of line, same copy",)}


@pytest.mark.parametrize("option", ["-o", "--out-of-line"])
def test_out_of_line_adds_the_copies_with_code_of_their_own(run, elf, option):
    before, after = run("kept_out_of_line", elf("c")), run(option, "kept_out_of_line", elf("c"))
    added = set(after.sites) - set(before.sites)
    assert set(before.sites) < set(after.sites)
    assert {site[1:] for site in added} == {
        ("-", "kept_out_of_line()", "out of line"),
        ("-", "kept_out_of_line.cold()", "out of line, same copy")}


def test_out_of_line_finds_functions_that_were_never_inlined(run, elf):
    assert run("main", elf("c")).status == 1
    assert run("-o", "main", elf("c")).sites[0][1:] == ("-", "main()", "out of line")


@pytest.mark.parametrize("option", ["-c", "--calls"])
def test_calls_adds_the_calls_that_were_not_inlined(run, elf, option):
    assert run("outside", elf("c")).status == 1
    result = run(option, "outside", elf("c"))
    assert result.status == 0
    assert {site[3] for site in result.sites} == {"call"}
    assert callers(result) == {"splits()", "second_entry()"}


def test_calls_are_as_many_as_the_call_instructions(run, elf):
    """objdump counts those that are not jumps."""
    instructions = building.command("objdump", "-d", elf("c")).count("<outside>\n")
    assert len(run("-c", "outside", elf("c")).sites) == instructions > 0


# What is printed.

@pytest.mark.parametrize("option", ["-i", "--chain"])
def test_chain_is_innermost_first_and_ends_with_the_symbol(run, elf, option):
    result = run(option, "clamp", elf("c"))
    chains = {re.sub(r" \S+/(\w+\.[ch]:\d+):\d+", r" \1", chain) for chain in callers(result)}
    sources = {name: (building.PROGRAMS / name).read_text().splitlines()
               for name in ("first.c", "shapes.h")}

    def place(name, text):
        numbers = [number for number, line in enumerate(sources[name], 1) if text in line]
        assert len(numbers) == 1
        return f"{name}:{numbers[0]}"

    inner, outer = place("shapes.h", "scale(width"), place("first.c", "return area(argc")
    assert f"scale() < area() {inner} < main() {outer}" in chains
    assert f"area() < main.cold() {outer}" in chains
    assert {re.sub(r" \S+$", "", chain.split(" < ")[-1]) for chain in chains} == callers(
        run("clamp", elf("c")))


@pytest.mark.parametrize("option", ["-C", "--demangle"])
def test_demangle_prints_names_as_the_source_has_them(run, elf, option):
    assert "_Z10dies_by_gci()" in callers(run("norm", elf("c++")))
    assert "dies_by_gc(int)" in callers(run(option, "norm", elf("c++")))


def test_every_function_in_the_output_has_parentheses_behind_its_name(run, elf):
    """Its own, as in "f(int) const", or two that say no more than that it is a function."""
    for options in (("-i",), ("-i", "-C")):
        for caller in callers(run("-a", "-o", "-c", *options, elf("c++"))):
            for name in re.sub(r" \S+:\d+(:\d+)?(?= < |$)", "", caller).split(" < "):
                assert re.search(r"\)( const)?( \[clone \S+\])*$", name), name
                assert not re.search(r"\boperator\(\)$", name), name


def test_a_closure_is_not_taken_for_a_namespace(run, elf):
    names = callers(run("-a", "-i", "-C", elf("c++")))
    assert any("(anonymous namespace)::Local::get" in name for name in names)
    assert not any("(anonymous namespace)::operator()" in name for name in names)


@pytest.mark.parametrize("option", ["-s", "--basenames"])
def test_basenames_leaves_out_directories(run, elf, option):
    assert "/" in run("clamp", elf("c")).out
    result = run(option, "clamp", elf("c"))
    assert "/" not in result.out
    assert result.headings == ["shapes.h:13"] * 2


def test_options_may_be_joined_and_mixed(run, elf):
    assert run("-is", "clamp", elf("c")) == run("-i", "--basenames", "clamp", elf("c"))
    assert run("-fsecond.c", "clamp", elf("c")) == run("--call-file", "second.c", "clamp",
                                                        elf("c"))


# How.

@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)])
@pytest.mark.parametrize("name", ["c", "c++", "object"])
def test_the_number_of_threads_does_not_show(run, elf, form, name):
    outputs = {run("-a", "-o", "-c", "-i", *form, *jobs, elf(name))
               for jobs in ((), ("-j", "1"), ("-j4",), ("--jobs=3",), ("-j0",))}
    assert len(outputs) == 1
    assert outputs.pop().status == 0


COUNT_THREADS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>
int pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*run)(void *), void *context)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	*(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
	return write(STDERR_FILENO, "thread\\n", 7) == 7 ? create(id, attr, run, context) : -1;
}
"""


@pytest.mark.parametrize("jobs, threads", [("1", False), ("2", True)])
def test_jobs_is_the_number_of_threads_at_work(run, elf, preload, jobs, threads):
    """Of which one is there already."""
    result = run("-j", jobs, "clamp", elf("c"), **preload(COUNT_THREADS))
    assert result.status == 0
    assert ("thread" in result.err) == threads


@pytest.mark.parametrize("jobs", ["many", "-1", "", "1x", "99999999999999999999"])
def test_a_wrong_number_of_threads_is_wrong_usage(run, elf, jobs):
    result = run("-j", jobs, "clamp", elf("c"))
    assert (result.status, result.out) == (64, "")
    assert "--jobs" in result.err and f"'{jobs}'" in result.err


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_goes_to_standard_output(run, option):
    result = run(option)
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("Usage: inlinecall [sites] [OPTION]... FUNCTION FILE...\n")
    assert all(len(line) <= 80 for line in result.out.splitlines())


def test_help_and_version_need_no_operands_and_ignore_them(run, elf):
    assert run("sites", "--help").out == run("-h").out
    assert run("clamp", elf("c"), "--version").out == run("-V").out


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_version_is_the_name_and_three_numbers(run, option):
    result = run(option)
    assert (result.status, result.err) == (0, "")
    assert re.fullmatch(r"inlinecall \d+\.\d+\.\d+\n", result.out)


# What is operand, command and option.

def test_sites_is_the_command_that_need_not_be_named(run, elf):
    assert run("sites", "clamp", elf("c")) == run("clamp", elf("c"))


def test_options_may_stand_anywhere(run, elf):
    expected = run("-i", "-s", "clamp", elf("c"))
    assert run("-i", "sites", "-s", "clamp", elf("c")) == expected
    assert run("-f", "*", "sites", "-is", "clamp", elf("c")) == expected
    assert run("sites", "clamp", "-i", elf("c"), "-s") == expected
    assert run("clamp", elf("c"), "-i", "-s") == expected


def test_options_end_at_two_dashes(run, elf):
    assert run("-s", "--", "clamp", elf("c")) == run("-s", "clamp", elf("c"))
    assert "'-i'" in run("--", "-i", elf("c")).err  # a function called -i: there is none


def test_a_function_may_have_the_name_of_a_command(run, elf):
    result = run("sites", "sites", elf("c"))
    assert result.status == 1
    assert "no function named 'sites'" in result.err
    assert "'addr'" in run("sites", "addr", elf("c")).err


@pytest.mark.parametrize("name", ["geometry::Point::norm", "geometry::Point::norm() const",
                                  "_ZNK8geometry5Point4normEv"])
def test_a_method_may_be_asked_for_by_any_of_its_names(run, elf, name):
    result = run("-s", name, elf("c++"))
    assert result.headings == ["classes.hpp:18"]  # where it is defined
    assert result == run("-s", "norm", elf("c++"))


@pytest.mark.parametrize("name", ["_ZN4shop5weighIiEET_S1_i", "shop::weigh<int>",
                                  "int shop::weigh<int>(int, int)", "shop::weigh<int>(int, int)"])
def test_a_template_may_be_asked_for_by_any_of_its_names(run, elf, name):
    result = run("--json", name, elf("templates"))
    assert result.out == run("--json", "weigh<int>", elf("templates")).out
    assert result.out.count("\n") == 1


@pytest.mark.parametrize("name", ["(anonymous namespace)::hidden",
                                  "(anonymous namespace)::Local::get"])
def test_a_function_without_a_linkage_name_may_be_asked_for_by_its_scopes(run, elf, name):
    result = run("-C", "-i", name, elf("c++"))
    assert result == run("-C", "-i", name.split("::")[-1], elf("c++"))
    assert result.sites


def test_parameters_tell_overloads_apart(run, elf):
    def lines(name):
        rows = run("--json", name, elf("c++")).out.splitlines()
        return {json.loads(row)["decl_line"] for row in rows}

    assert lines("geometry::measure(geometry::Point const&)") == {38}
    assert lines("geometry::measure(int)") == {36}
    assert lines("geometry::measure") == {36, 38}


def test_scopes_and_patterns_match_qualified_names(run, elf):
    assert run("-C", "-g", "geometry::Point::*", elf("c++")).sites
    assert run("-C", "-r", "^geometry::Point::norm$", elf("c++")).sites
    assert run("geometrie::Point::norm", elf("c++")).status == 1


# Wrong usage.

@pytest.mark.parametrize("args, complaint", [
    ((), "no FUNCTION"),
    (("sites",), "no FUNCTION"),
    (("clamp",), "no FILE"),
    (("-a",), "no FILE"),
    (("-g", "-r", "clamp", "FILE"), "-g and -r cannot be used together"),
    (("-a", "-g", "FILE"), "-a"),
    (("--json", "--csv", "clamp", "FILE"), "--json"),
    (("--color=sometimes", "clamp", "FILE"), "'sometimes'"),
    (("--frobnicate", "clamp", "FILE"), "--frobnicate"),
    (("-x", "clamp", "FILE"), "'x'"),
    (("-r", "(", "FILE"), "invalid regular expression: ("),
    (("-r", "(" * 60000 + "a" + ")" * 60000, "FILE"), "is nested too deeply or repeats too much"),
    (("-r", "(((a{1,255}){1,255}){1,255}){1,255}", "FILE"), "is nested too deeply or repeats too much"),
    (("clamp", "FILE", "--debug-dir"), "--debug-dir"),
])
def test_wrong_usage_says_what_is_wrong_and_where_help_is(run, elf, args, complaint):
    result = run(*(elf("c") if arg == "FILE" else arg for arg in args))
    assert (result.status, result.out) == (64, "")
    assert complaint in result.err.splitlines()[0]
    assert result.err.endswith("Try 'inlinecall --help' for the options.\n")


@pytest.mark.parametrize("args", [(), ("-x",), ("--frobnicate",), ("-j",), ("-a",),
                                  ("nosuch", "FILE"), ("-r", "(", "FILE"), ("clamp", "gone")])
def test_a_complaint_begins_with_the_programs_name(run, elf, args):
    result = run(*(elf("c") if arg == "FILE" else arg for arg in args))
    assert result.err.startswith("inlinecall: ")


@pytest.mark.parametrize("name, command", [
    ("adr", "addr"), ("addrs", "addr"), ("line", "lines"), ("tref", "tree"), ("site", "sites"),
])
def test_a_command_that_was_misspelt_is_named(run, name, command):
    result = run(name, "no/such/file")
    assert result.status == 2
    assert f"'{name}' was taken as a function name" in result.err
    assert f"did you mean the command '{command}'?" in result.err


@pytest.mark.parametrize("arguments", [("main", "no/such/file"), ("sites", "adr", "no/such/file")])
def test_no_command_is_named_for_other_functions(run, arguments):
    assert "did you mean the command" not in run(*arguments).err
