"""A question without an answer: standard error says why, and the exit status is 1."""

import json

import pytest

import building


def verdict(result):
    """The one line that says why."""
    assert (result.status, result.out) == (1, "")
    assert result.err.count("\n") == 1
    return result.err


def test_an_unknown_function_is_answered_with_the_nearest_names(run, elf):
    said = verdict(run("clmap", elf("c")))
    assert "no function named 'clmap'" in said
    assert "clamp" in said


def test_names_that_are_not_alike_are_not_offered(run, elf):
    assert "nearest" not in verdict(run("nothing_is_called_like_that", elf("c")))


def test_the_nearest_name_comes_first_and_only_once(run, elf):
    said = verdict(run("kept_out_of_lime", elf("c")))
    assert said.count("kept_out_of_line") == 1
    assert said.index("kept_out_of_line") > said.index("kept_out_of_lime")


@pytest.mark.parametrize("option", ["-g", "-r"])
def test_a_pattern_that_matches_nothing_says_so(run, elf, option):
    assert "no function matches '^zzz$'" in verdict(run(option, "^zzz$", elf("c")))


def test_a_function_that_was_never_inlined_says_where_it_is_declared(run, elf):
    said = verdict(run("outside", elf("c")))
    assert "never inlined" in said
    assert "first.c:13" in said and "-o" in said


def test_a_function_of_another_file_is_known_if_it_is_declared(run, elf):
    assert "second_entry: never inlined" in verdict(run("second_entry", elf("object")))


def test_the_advice_in_a_verdict_works(run, elf):
    assert "-o lists" in verdict(run("outside", elf("c")))
    assert run("-o", "outside", elf("c")).status == 0


def test_copies_without_code_are_said_to_be_optimised_away(run, elf):
    """GCC leaves instances without ranges, each version those of other functions."""
    ranges = {}
    for line in run("-a", "--json", elf("c++")).out.splitlines():
        row = json.loads(line)
        ranges.setdefault(row["linkage_name"], []).extend(row["ranges"])
    gone = [name for name, found in ranges.items() if name and not found]
    assert gone
    for name in gone:
        assert "every copy was optimised away" in verdict(run(name, elf("c++")))


def test_a_function_marked_as_inlined_without_copies_was_optimised_away(run, elf):
    """GCC leaves DW_AT_inline alone: it was inlined, and nothing is left of it."""
    said = verdict(run("nothing", elf("c")))
    assert "never inlined" not in said
    assert "optimised away" in said


def test_sites_in_other_source_files_are_said_to_be_there(run, elf):
    said = verdict(run("-f", "third.c", "clamp", elf("c")))
    assert "inlined" in said and "'third.c'" in said


def test_a_file_without_inlining_says_so(run, elf):
    assert "nothing was inlined" in verdict(run("-a", elf("nothing-inlined")))


def test_a_missing_answer_is_status_1_in_every_form(run, elf):
    assert run("--json", "clmap", elf("c"))[:2] == (1, "")
    header_only = run("--csv", "clmap", elf("c"))
    assert header_only.status == 1
    assert header_only.out.count("\n") == 1


def test_several_files_without_an_answer_get_one_line(run, elf):
    said = verdict(run("clmap", elf("c"), elf("c++")))
    assert "clmap" in said and "2 files" in said


def test_one_answer_among_several_files_is_an_answer(run, elf):
    for files in (("c++", "c"), ("c", "c++")):
        result = run("clamp", *map(elf, files))
        assert (result.status, result.err) == (0, "")
        assert result.out == f"{elf('c')}:\n" + run("clamp", elf("c")).out


def test_the_place_is_where_a_function_is_defined(run, tmp_path):
    """Not that of the prototype, which other units know, and one of them comes first."""
    (tmp_path / "f.h").write_text("int defined(int);\nint only_declared(int);\n")
    (tmp_path / "a.c").write_text('#include "f.h"\nint a(int n) { return defined(n) + only_declared(n); }\n')
    (tmp_path / "b.c").write_text('#include "f.h"\n\n\nint defined(int n) { return n * n; }\n')
    building.command("gcc", "-g", "-O2", "-shared", "-fPIC", "a.c", "b.c", "-o", "lib.so", cwd=tmp_path)
    assert "b.c:4)" in verdict(run("defined", tmp_path / "lib.so"))
    assert "f.h:2)" in verdict(run("only_declared", tmp_path / "lib.so"))
    building.command("gcc", "-g", "-O2", "-c", "a.c", "b.c", cwd=tmp_path)
    building.command("ar", "rc", "lib.a", "a.o", "b.o", cwd=tmp_path)
    assert "b.c:4)" in verdict(run("defined", tmp_path / "lib.a"))


# Symbols of functions that the debug information does not have under that name.

@pytest.fixture(scope="module", params=[(), ("-c",)], ids=["program", "object"])
def aliases(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("aliases") / "aliases"
    source = building.OURS / "aliases.c"
    building.command("gcc", "-g", "-O2", *request.param, source, "-o", path)
    return path


def place_of(run, path, name):
    """As addr prints the address."""
    return run("addr", path, name).out.split("\t")[0]


@pytest.mark.parametrize("command", [(), ("-o",), ("tree",)])
def test_an_alias_is_said_to_be_one(run, aliases, command):
    place = place_of(run, aliases, "other_name")
    assert place.endswith(place_of(run, aliases, "real_entry"))
    assert verdict(run(*command, "other_name", aliases)).endswith(
        f": other_name: symbol at {place}, not described in the debug information; "
        "an alias of real_entry\n")


def test_a_function_that_was_inlined_and_is_otherwise_an_alias_is_said_to_be_both(run, tmp_path):
    """As functions are that were inlined, and then folded into one that is alike."""
    path = tmp_path / "folded"
    building.command("gcc", "-g", "-O2", building.OURS / "folded.c", "-o", path)
    said = verdict(run("tree", "folded", path))
    assert ": folded: inlined once (declared at " in said
    assert (f"; symbol at {place_of(run, path, 'kept')}, not described in the debug information; "
            "an alias of kept; 'inlinecall sites'") in said
    assert run("folded", path).status == 0


@pytest.mark.parametrize("command", [(), ("-o",), ("tree",)])
def test_a_symbol_without_debug_information_is_said_to_be_one(run, aliases, command):
    assert verdict(run(*command, "bare", aliases)).endswith(
        f": bare: symbol at {place_of(run, aliases, 'bare')}, not described in the debug "
        "information\n")


def test_what_the_debug_information_describes_is_explained_by_it(run, aliases):
    assert "real_entry: never inlined" in verdict(run("real_entry", aliases))


def test_a_variable_is_no_function(run, aliases):
    assert "no function named 'sink'" in verdict(run("sink", aliases))


def test_a_host_without_debug_information_is_said_to_be_a_symbol(run, aliases):
    said = verdict(run("-a", "--in", "bare", aliases))
    assert ": bare: symbol at " in said


def test_a_pattern_is_no_name_of_a_symbol(run, aliases):
    assert "no function matches 'other_name'" in verdict(run("-g", "other_name", aliases))
