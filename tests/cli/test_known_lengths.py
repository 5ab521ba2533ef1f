"""Strings that know their length, of C++, Rust and Go: what traces and backtraces show, against what the program
prints."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import building

PROGRAMS = Path(__file__).resolve().parent / "programs"
BUILDS = {"g++ -O2": "cc", "g++ -O0": "cc", "clang++ -O2": "cc", "clang++ -O1 -fstandalone-debug": "cc",
          "rustc -O": "rs", "rustc": "rs", "go": "go"}


def build(words, path, extension):
    source = PROGRAMS / f"lengths.{extension}"
    if not shutil.which(words[0]):
        pytest.skip(f"no {words[0]}")
    if words == ["go"]:
        building.command("go", "build", "-o", path, source)
    else:
        standard = ["-std=c++17"] if extension == "cc" else []
        building.command(*words, "-g", *standard, "-o", path, source)


@pytest.fixture(name="strings", scope="module", params=BUILDS)
def fixture_strings(request, run, tmp_path_factory):
    """(program, its extension)"""
    path = tmp_path_factory.mktemp("strings") / "strings"
    build(request.param.split(), path, BUILDS[request.param])
    result = run("trace", "--count", "plain", path, "--", path)
    if result.status == 2 and re.search("requires root|too old|without support", result.err):
        pytest.skip(f"tracing needs root and BPF: {result.err}")
    return path, BUILDS[request.param]


def spelt(string, most=128):
    """As GDB prints it."""
    text = "".join(f"\\{byte:03o}" if not 0x20 <= byte < 0x7f else "\\" * (chr(byte) in '"\\') + chr(byte)
                   for byte in string[:most])
    return f'"{text}"' + "..." * (len(string) > most)


def printed(result, function):
    lines = [line.split(" =") for line in result.err.splitlines()]
    return [[bytes.fromhex(string) for string in strings]
            for name, *strings in lines if name == function]


def rows_of(result):
    return [json.loads(line) for line in result.out.splitlines()]


# The names of the strings that are printed.
STRINGS = {"cc": {"plain": ["value", "reference", "pointer", "view"],
                  "inner": ["of.name", "of.path", "view"]},
           "rs": {"plain": ["value", "reference", "slice", "boxed"],
                  "inner": ["of.name", "of.path", "slice"]},
           "go": {"main.plain": ["value", "named", "pointer"],
                  "main.outer": ["of.name", "of.path", "value"]}}
# Compilers do not say where these are when an inlined copy is entered, or store them later.
UNAVAILABLE = {"view", "slice", "boxed", "of.name", "of.path"}


@pytest.mark.parametrize("which", [0, 1], ids=["plain", "inlined"])
def test_strings_are_those_that_the_program_prints(run, strings, which):
    program, extension = strings
    function, names = list(STRINGS[extension].items())[which]
    fields = ["--fields=name,path"] * which
    result = run("trace", "--json", *fields, function, program, "--", program)
    truth, hits = printed(result, function), rows_of(result)
    assert len(hits) == len(truth) >= 7
    for hit, told in zip(hits, truth):
        arguments = {argument["name"].replace("->", "."): argument for argument in hit["arguments"]}
        for name, string in zip(names, told):
            argument = arguments[name]
            if argument["text"] is None:
                assert name in UNAVAILABLE, name
                assert which == 1 or argument["why"] == "not stored yet", name
            else:
                assert re.sub(r"^0x[0-9a-f]+ ", "", argument["text"]) == spelt(string), name


def test_bpftrace_prints_them(run, strings, tmp_path):
    program, extension = strings
    if not shutil.which("bpftrace") or extension == "go":  # it cannot probe inside of functions
        pytest.skip("no bpftrace for this program")
    script = tmp_path / "probes.bt"
    script.write_text(run("probe", "--for=bpftrace", "plain", program).out)
    result = subprocess.run(["bpftrace", script, "-c", program], capture_output=True, check=True,
                            timeout=100)
    for name in STRINGS[extension]["plain"]:
        if name != "reference" and f"{name}: " in script.read_text():
            continue  # left out
        for text in "", "short", "gr\u00fc\u00df", "x" * 63:  # bpftrace cuts them
            assert f' {name}="{text}"'.encode() in result.stdout, name


def test_conditions_and_groups_have_the_whole_strings(run, strings):
    program, extension = strings
    function = list(STRINGS[extension])[0]
    for condition, wanted in (('value == "short"', 1), ('value ~ "a *"', 1), ('value ~ "y*" || value ~ "z*"', 2),
                              ('value != "short"', 6 + (extension == "cc")), ('value == ""', 1), ('value == "ab"', 0)):
        counted = run("trace", "--count", "--json", f"--where={condition}", function, program, "--", program)
        assert sum(row["hits"] for row in rows_of(counted)) == wanted, condition
    result = run("trace", "--json", "--by=value", function, program, "--", program)
    truth = sorted(spelt(told[0].split(b"\0")[0]).replace('"...', '"') for told in printed(result, function))
    groups = [row for row in rows_of(result) if row["type"] == "group"]
    assert sorted(group["keys"][0]["text"].replace('"...', '"') for group in groups
                  for _ in range(group["count"])) == truth


@pytest.mark.parametrize("words", ["g++ -O2", "clang++ -O2 -fstandalone-debug",
                                   "clang++ -O0 -fstandalone-debug -gsimple-template-names"])
def test_strings_may_be_anywhere_and_many(run, tmp_path, words):
    path = tmp_path / "strings"
    build(words.split(), path, "cc")

    def texts(function, **more):
        result = run("trace", "--json", function, path, "--", path)
        told = [spelt(string, **more) for strings in printed(result, function) for string in strings]
        found = [argument["text"] and re.sub(r"^0x[0-9a-f]+ ?", "", argument["text"])
                 for row in rows_of(result) for argument in row["arguments"]]
        assert len(found) == len(told) > 0
        return found, told

    found, told = texts("ends")
    assert found == told or words.endswith("names") and set(found) == {None}  # not stored yet
    found, told = texts("literal")
    assert found == told or not words.startswith("g++")
    found, told = texts("many")
    assert found == told[:21] + [""]  # an address is left of what has no room


@pytest.mark.parametrize("words", ["g++ -O0", "clang++ -O0 -fstandalone-debug"])
def test_a_backtrace_has_strings(run, tmp_path, words):
    path = tmp_path / "strings"
    build(words.split(), path, "cc")
    with subprocess.Popen([path, "sleeps"], stderr=subprocess.PIPE, text=True) as process:
        try:
            while process.stderr.readline().strip() != "plain" + " =73686f7274" * 4:
                assert process.poll() is None
            result = run("backtrace", "-v", "--json", "--pid", str(process.pid))
        finally:
            process.kill()
    frames = [frame for row in rows_of(result) for frame in row.get("frames", [row])]
    frame = next(frame for frame in frames if frame.get("function") == "plain")
    values = {argument["name"]: argument["value"] for argument in frame["arguments"]}
    assert values["view"] == '"short"'
    assert values["value"] == ('"short"' if words == "g++ -O0" else None)  # Clang: in a register that was reused
    assert re.fullmatch('0x[0-9a-f]+ "short"', values["reference"])
    assert re.fullmatch('0x[0-9a-f]+ "short"', values["pointer"])
