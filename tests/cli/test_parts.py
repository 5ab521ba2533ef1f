"""Parts that GCC splits off functions, and clones: every command counts the same copies."""

import json
import re
import subprocess

import pytest

import building


@pytest.fixture(scope="module", name="program_of_parts")
def fixture_program_of_parts(tmp_path_factory):
    path = building.build("parts", tmp_path_factory.mktemp("parts"))
    symbols = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    if "far_off.part.0" not in symbols:
        pytest.skip("this compiler splits no part off")
    return path


def numbers(line):
    return [int(number) for number in re.findall(r"\d+", line.split("\t", 4)[0])]


def rows(run, *words):
    return [json.loads(line) for line in run(*words).out.splitlines()]


def copies(lines):
    """Without further entries of them."""
    return [line for line in lines if not line[-1].endswith("same copy")]


def probed(run, *words):
    return {row["event"].split("_entry_")[0] for row in rows(run, "probe", "--json", *words)}


@pytest.mark.parametrize("function", ["near_by", "far_off"])
def test_all_commands_count_the_same_copies(run, program_of_parts, function):
    path = program_of_parts
    count, = rows(run, "--count", "--json", function, path)
    assert (count["inlined"], count["out_of_line"], count["calls"]) == (3, 0, 0)
    _, group = rows(run, "stats", "--json", f"--function={function}", path)
    verdict, = rows(run, "why", "--json", function, path)
    for row in group, verdict:
        assert (row["copies"], row["bytes"], row["inlined"]) == (3, count["bytes"], "fully")
    assert len(copies(run("-e", "-o", "-c", function, path).sites)) == 3
    assert len(probed(run, function, path)) == 3
    assert [row["function"] for host in "ab" for row in rows(run, "tree", "--json", host, path)
            ].count(function) == 3


def test_parts_are_shown_if_asked_for(run, program_of_parts):
    path = program_of_parts
    sites = [line[-1] for line in run("-e", "-o", "-c", "--parts", "far_off", path).sites]
    assert sites.count("out of line, part") == 1
    assert sum(line.startswith("call, part, returns to ") for line in sites) == 3
    assert [line[-1] for line in run("-e", "--parts", "near_by", path).sites].count("part") == 3
    assert run("tree", "--parts", "a", path).out.count("\tpart\n") == 2
    assert len(probed(run, "--parts", "near_by", path)) == 6
    whole, with_parts = (rows(run, "--count", "--json", *more, "far_off", path)[0]
                         for more in ([], ["--parts"]))
    assert with_parts["out_of_line"] == whole["out_of_line"] + 1
    assert with_parts["calls"] == whole["calls"] + 3


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_sites_have_what_the_file_has(run, program_of_parts, form):
    path = program_of_parts
    out = run("-o", "-c", form, "near_by", path).out
    assert out == run("-o", "-c", form, "--parts", "near_by", path).out
    if form == "--json":
        assert [json.loads(line)["part"] for line in out.splitlines()].count(True) == 3


def test_what_is_in_a_part_is_in_the_function(run, program_of_parts):
    nodes = rows(run, "tree", "--json", "a", program_of_parts)
    known = {node["die"] for node in nodes}
    assert all(node["parent"] in known for node in nodes[1:])
    assert sum(node["own_bytes"] for node in nodes) == nodes[0]["bytes"]
    parts = rows(run, "tree", "--json", "--parts", "a", program_of_parts)
    assert len(parts) == len(nodes) + 2 and parts[0]["bytes"] == nodes[0]["bytes"]


def test_a_piece_does_not_compete_for_the_name(run, program_of_parts, tmp_path):
    renamed = tmp_path / "renamed"
    subprocess.run(["objcopy", "--redefine-sym", "a=work.lto_priv.0", "--redefine-sym",
                    "b=work.lto_priv.0.cold", program_of_parts, renamed], check=True)
    address = run("addr", renamed, "work")
    assert (address.status, address.err) == (0, "")
    assert address.out == run("addr", renamed, "work.lto_priv.0").out
    frames = run("cfi", renamed, "work").out
    assert frames == run("cfi", renamed, "work.lto_priv.0").out and frames.count("\n") > 2


def test_calls_of_clones_are_calls_of_the_function(run, tmp_path):
    path = building.build("partitions", tmp_path)
    clones = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    if "work.constprop" not in clones:
        pytest.skip("this compiler makes no clone")
    for name in "work", "work.constprop.0":
        assert len(run("-c", name, path).sites) == 2
    count, = rows(run, "--count", "--json", "-g", "work*", path)
    assert (count["function"], count["out_of_line"], count["calls"]) == ("work", 1, 2)
    verdict, = rows(run, "why", "--json", "work", path)
    assert verdict["calls"] == 2


def test_what_has_only_parts_in_a_unit_is_the_function_of_other_units(run, tmp_path):
    """Of its destructors one has another inlined, as a part; in the other unit there is a copy."""
    objects = [tmp_path / "table.o", tmp_path / "main.o"]
    for path, more in zip(objects, (["-DTABLE"], [])):
        building.command("g++", "-g", "-O2", *more, "-c", building.OURS / "destroyed.cpp", "-o", path)
    building.command("g++", *objects, "-o", tmp_path / "destroyed")
    count, = rows(run, "--count", "--json", "~Derived", tmp_path / "destroyed")
    _, group = rows(run, "stats", "--json", "--function=~Derived", tmp_path / "destroyed")
    assert (count["inlined"], count["out_of_line"]) == (group["copies"], group["out_of_line"])
    assert count["inlined"] in (1, 2) and count["out_of_line"] == 2  # GCC 16 has another in main.cold
    assert count["bytes"] == group["bytes"] > 0


def test_a_function_of_which_there_are_only_parts_is_not_counted(run, tmp_path):
    path = building.build("parts", tmp_path)
    for row in rows(run, "--count", "--json", "-g", "*", path):
        assert any(row[key] for key in ("inlined", "without_code", "out_of_line", "calls"))


CLONED = """
volatile int sink;
static __attribute__((noinline)) int f(int a, int b)
{
	for (int i = 0; i < b; i++)
		sink += i * a;
	return sink;
}
int main(int count, char **words)
{
	(void)words;
	return f(count, 7) & 1;
}
"""


def test_clones_are_told_apart_by_their_symbols(run, tmp_path):
    building.need("gcc")
    (tmp_path / "cloned.c").write_text(CLONED)
    building.command("gcc", "-O3", "-g", "-o", tmp_path / "cloned", tmp_path / "cloned.c")
    assert "# f, out of line, f.constprop.0\n" in run("probe", "f", tmp_path / "cloned").out
    traced = run("trace", "--count", "f", tmp_path / "cloned", "--", tmp_path / "cloned")
    if traced.status == 0:
        assert "f() out of line, f.constprop.0\n" in traced.out
    else:
        assert "needs root" in traced.err or "too old" in traced.err or "without it" in traced.err


def test_what_emit_writes_has_the_same_parts(run, tmp_path):
    """Also those in code out of line, which is known to be of the same function."""
    text = (building.OURS / "parts.c").read_text().replace("static void near_by", "void near_by")
    (tmp_path / "kept.c").write_text(text)
    path, output = tmp_path / "kept", tmp_path / "emitted"
    building.command("gcc", "-g", "-O2", tmp_path / "kept.c", "-o", path)
    run("emit", f"--output={output}", path)
    parts = [sorted((row["host"], row["ranges"]) for row in rows(run, "-a", "--json", file)
                    if row["part"]) for file in (path, output)]
    assert any(host == "near_by" for host, _ in parts[0])
    assert parts[0] == parts[1]


def test_a_part_that_was_folded_is_no_copy_of_the_other_function(run, tmp_path):
    building.command("gcc", "-g", "-O2", "-c", building.OURS / "folded_parts.c", cwd=tmp_path)
    path = tmp_path / "folded_parts.o"
    parts = {(row["function"], row["host"]) for row in rows(run, "-a", "--parts", "--json", path) if row["part"]}
    if not parts & {("two", "calls_one"), ("one", "calls_two")}:
        pytest.skip("this compiler folds no parts")
    hosts = {"one": {"one", "calls_one"}, "two": {"calls_two", "calls_two_too"}}
    for name, wanted in hosts.items():
        assert {row["host"] for row in rows(run, "--json", name, path) if not row["part"]} <= wanted
        assert {row["host"] for row in rows(run, "affected", "--json", name, path) if row["of"] == "host"} == wanted
        assert {row["host"] for row in rows(run, "probe", "--json", name, path)} <= wanted
