"""inlinecall affected: which functions contain code of others, in one file and in many."""

import json
import shutil

import pytest

import building

HEADER = """\
static inline int add(int a, int b)
{
	int c = a * 3;
	if (c > 100)
		c -= b;
	return c + b;
}

#define TWICE(x) ((x) * 2)

static inline int
twice_add(int a)
{
	int r = add(a, TWICE(a));

	return r + 1;
}
"""
ONE = """\
#include "add.h"
int gone(int x) { return x; }
int one(int x)
{
	return add(x, 4);
}
int two(int x)
{
	return twice_add(x);
}
"""
TWO = """\
#include "add.h"
int one(int), two(int);
int (*pointer)(int, int) = add;
int main(int argc, char **argv) { return one(argc) + two(argc) + add(argc, argc); }
"""
COMPILERS = pytest.mark.parametrize("compiler", ["gcc", "clang"])


@pytest.fixture(name="folder")
def fixture_folder(tmp_path):
    for name, text in (("add.h", HEADER), ("one.c", ONE), ("two.c", TWO)):
        (tmp_path / name).write_text(text)
    return tmp_path


def compile_program(folder, compiler="gcc", output="program", flags=("-O2",), sources=("one.c", "two.c")):
    building.need(compiler)
    building.command(compiler, "-g", *flags, *sources, "-o", output, cwd=folder)
    return folder / output


def rows_of(result):
    return [json.loads(line) for line in result.out.splitlines()]


def hosts(rows, function="add"):
    return {row["host"] for row in rows if row["of"] == "host" and row["function"] == function}


def states(rows):
    return {row["function"]: row["state"] for row in rows if row["of"] == "function"}


@COMPILERS
def test_all_functions_with_code_of_it_are_found(run, folder, compiler):
    path = compile_program(folder, compiler)
    rows = rows_of(run("affected", "--json", "add", path))
    assert hosts(rows) == {"one", "two", "main", "add"} and states(rows) == {"add": "present"}
    assert [row["host"] for row in rows if row["own"]] == ["add"]
    symbols = building.command("nm", path)
    for row in rows[1:]:
        assert f"{int(row['address'], 16):016x}" in symbols and row["symbols"] == [{"name": row["host"]}]
        assert row["in_section"].startswith(".text") and row["bytes"] > 0
    rows = rows_of(run("affected", "--json", "twice_add", path))
    assert hosts(rows, "twice_add") == {"two"} and states(rows) == {"twice_add": "inlined_only"}


def test_what_a_file_does_not_have(run, folder):
    path = compile_program(folder)
    result = run("affected", "nothing", path)
    assert (result.status, result.err) == (1, "")
    assert result.out == "nothing(): absent: it is neither defined nor called here\n"
    object_file = compile_program(folder, output="two.o", flags=("-O2", "-c"), sources=("two.c",))
    result = run("affected", "one", object_file)
    assert result.status == 1 and "one() " in result.out
    assert "absent: it is called, but not defined here\n" in result.out


def test_a_folded_function_is_named(run, folder):
    (folder / "same.c").write_text(
        "int f(int x) { return x * 5 + 3; }\nint g(int x) __attribute__((alias(\"f\")));\n"
        "int main(void) { return f(1) + g(2); }\n")
    path = compile_program(folder, flags=("-O2", "-fno-inline"), sources=("same.c",))
    rows = rows_of(run("affected", "--json", "--function=f", "--function=g", path))
    assert sorted(states(rows).values()) == ["folded", "present"]
    assert next(row["reason"] for row in rows if row["state"] == "folded") == \
        "its symbol is at the code of another function"


def test_the_other_direction(run, folder):
    path = compile_program(folder)
    rows = rows_of(run("affected", "--json", "--reverse=two", path))
    assert states(rows) == {"add": "present", "twice_add": "inlined_only"}
    assert {row["host"] for row in rows if row["of"] == "host"} == {"two"}
    for name in ("add", "nosuch"):
        result = run("affected", f"--reverse={name}", path)
        assert (result.status, result.out) == (1, "")
        assert result.err == f"inlinecall: no code was inlined into a function named '{name}'\n"


# Lines and patches.

@COMPILERS
@pytest.mark.parametrize("place, functions", [
    ("add.h:1", {"add"}), ("add.h:2", {"add"}), ("add.h:3", {"add"}), ("add.h:5-6", {"add"}), ("add.h:13", {"twice_add"}),
    ("add.h:15", {"twice_add"}), ("add.h:16", {"twice_add"}), ("add.h:1-17", {"add", "twice_add"}), ("one.c:5", {"one"}),
    ("one.c:9", {"two"})])
def test_lines_belong_to_functions(run, folder, compiler, place, functions):
    path = compile_program(folder, compiler)
    rows = rows_of(run("affected", "--json", f"--line={place}", path))
    assert set(states(rows)) == functions


def test_a_line_of_no_function_is_reported(run, folder):
    path = compile_program(folder)
    result = run("affected", "--line=add.h:9", path)
    assert result.status == 2
    assert "add.h:9: this line is in no function with code" in result.err


def test_code_of_a_line_outside_of_any_copy_is_found(run, folder):
    """As if it were of a copy that the compiler does not describe."""
    (folder / "two.c").write_text(TWO.replace("return one(argc)", '\n#line 4 "add.h"\nargc *= 7;\n#line 9 "two.c"\nreturn one(argc)'))
    path = compile_program(folder)
    rows = rows_of(run("affected", "--json", "--line=add.h:4", path))
    assert states(rows) == {"add": "present", "main": "present"}
    reasons = {row["function"]: row["reason"] for row in rows if row["of"] == "function"}
    assert reasons == {"add": None, "main": "it has code of these lines, in no copy that is described"}


def patch_of(folder, name, old, new, words="-u"):
    """The patch that replaces a text in a file."""
    text = (folder / name).read_text()
    assert text.count(old) == 1
    for side, content in (("a", text), ("b", text.replace(old, new))):
        (folder / side).mkdir(exist_ok=True)
        (folder / side / name).write_text(content)
    return building.subprocess.run(["diff", words, f"a/{name}", f"b/{name}"], cwd=folder, capture_output=True,
                                   text=True, check=False).stdout


@COMPILERS
@pytest.mark.parametrize("name, old, new, functions", [
    ("add.h", "> 100", "> 101", {"add"}),
    ("add.h", "int b)\n{", "int b)\n{\n\tb++;", {"add"}),
    ("add.h", "\treturn c + b;\n", "\treturn c + b;\n\t/* unreachable */\n", {"add"}),
    ("add.h", "\tint c = a * 3;\n", "", {"add"}),
    ("add.h", "\n\treturn r + 1;", "\n\tr++;\n\treturn r;", {"twice_add"}),
    ("add.h", "static inline int\ntwice", "static int\ntwice", {"twice_add"}),
    ("add.h", "static inline int add", "int add", {"add"}),
    ("add.h", "\n#define", "\nstatic inline int more(int a)\n{\n\treturn a;\n}\n\n#define", set()),
    ("one.c", "int two(int x)\n", "int three(int x)\n{\n\treturn x;\n}\nint two(int x)\n", set()),
    ("one.c", "add(x, 4);\n", "add(x, 4) +\n\t       5;\n", {"one"}),
    ("one.c", "twice_add(x);\n}\n", "twice_add(x);\n}\n\nint last;\n", set()),
])
def test_patches_change_functions(run, folder, compiler, name, old, new, functions):
    path = compile_program(folder, compiler)
    (folder / "patch").write_text("From: somebody\nSubject: a change\n\n---\n\n" + patch_of(folder, name, old, new))
    result = run("affected", "--json", f"--patch={folder / 'patch'}", path)
    assert set(states(rows_of(result))) == functions
    assert (result.status, result.err) == ((0, "") if functions else
                                           (1, "inlinecall: no function has code for these lines\n"))


def test_a_patch_that_changes_a_macro_is_reported(run, folder):
    path = compile_program(folder)
    patch = patch_of(folder, "add.h", "((x) * 2)", "((x) + (x))")
    result = run("affected", "--patch=-", path, stdin=patch)
    assert result.status == 2 and "add.h:9: this line is in no function with code" in result.err
    comment = patch_of(folder, "add.h", "\n#define", "\n/* no change */\n#define")
    assert run("affected", "--patch=-", path, stdin=comment).status == 1


def test_what_is_inserted_outside_of_functions_is_reported(run, folder):
    """Unless it is new: nothing uses it."""
    (folder / "add.h").write_text("/* first */\nstruct pair {\n\tint a;\n};\n\n" + HEADER)
    path = compile_program(folder)
    for old, new, place in [
            ("pair {\n", "pair {\n\tint b;\n", "add.h:3: what is inserted here is"),
            ("};\n\n", "};\n\n#include <time.h>\n", "add.h:6: what is inserted here is"),
            ("/* first */\n", "/* first\n */\n#define FIRST\n", "add.h:1: this line is"),
            ("/* first */", "#define FIRST\n/* first */", "add.h:1: what is inserted here is"),
            ("};\n\n", "};\n\nint more(int a)\n{\n\treturn a;\n}\n\n", None), ("pair {\n", "pair {\n\t// no member\n\n", None)]:
        for words in ("-u", "-U0"):
            patch = patch_of(folder, "add.h", old, new, words)
            result = run("affected", "--patch=-", path, stdin=patch)
            assert result.status == (2 if place else 1), (new, result.err)
            assert not place or f"{place} in no function with code" in result.err, (new, result.err)


def test_lines_before_the_first_one_are_in_no_function(run, folder):
    path = compile_program(folder)
    text = (folder / "add.h").read_text()
    (folder / "new.h").write_text("int first;\n" + text)
    patch = building.subprocess.run(["diff", "-U0", "add.h", "new.h"], cwd=folder, capture_output=True, text=True,
                                    check=False).stdout
    result = run("affected", "--patch=-", path, stdin=patch)
    assert (result.status, result.out, result.err) == (1, "", "inlinecall: no function has code for these lines\n")


@pytest.mark.parametrize("text, message", [
    ("", "it changes no line of an old file"), ("some text\n", "it changes no line of an old file"),
    ("--- a/a.c\n+++ b/a.c\n@@ -1,3 +1 @@\n-one\n", "the patch ends in the middle of a hunk"),
    ("--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n!one\n", "not as long as its first line says"),
    ("--- a/a.c\n+++ b/a.c\n@@ one @@\n", "must be followed by"),
    ("--- a/a.c\n+++ b/a.c\n@@@ -1 -1 +1 @@@\n", "several old files"),
    ("--- /dev/null\n+++ b/a.c\n@@ -0,0 +1 @@\n+one\n", "it changes no line of an old file")])
def test_wrong_patches_are_refused(run, folder, elf, text, message):
    (folder / "patch").write_text(text)
    result = run("affected", f"--patch={folder / 'patch'}", elf("c"))
    assert result.status == 2 and message in result.err


@pytest.mark.parametrize("name", ["c", "clang", "c++", "templates", "lto", "split", "sections", "parts", "m32"])
def test_the_copies_are_those_of_sites(run, elf, name):
    """For every function."""
    copies, found = {}, {}
    for row in rows_of(run("-a", "--json", elf(name))):
        if row["type"] == "site" and row["ranges"] and not row["part"]:
            key = row["linkage_name"] or row["function"], row["host"]
            copies[key] = copies.get(key, 0) + 1
    names = sorted({function for function, _ in copies})
    assert names and len(names) <= 64
    for row in rows_of(run("affected", "--json", *(f"--function={function}" for function in names), elf(name))):
        if row["of"] == "host" and row["copies"]:
            key = row["linkage_name"] or row["function"], row["host"]
            found[key] = found.get(key, 0) + row["copies"]
    assert found == copies


def test_names_may_be_demangled(run, elf):
    mangled = next(row["linkage_name"] for row in rows_of(run("-a", "--json", elf("templates"))) if row["linkage_name"])
    plain, demangled = (run("affected", *words, mangled, elf("templates")).out.splitlines()[0] for words in ((), ("-C",)))
    assert "<" in demangled and demangled != plain and "_Z" not in demangled


# Many files.

def test_archives_and_directories(run, folder):
    compile_program(folder, output="program")
    building.command("gcc", "-g", "-O2", "-c", "one.c", "two.c", cwd=folder)
    building.command("ar", "rc", "both.a", "one.o", "two.o", cwd=folder)
    rows = rows_of(run("affected", "--json", "twice_add", folder / "both.a"))
    assert [(row["of"], row["state"]) for row in rows] == [
        ("function", "inlined_only"), ("host", "inlined_only"), ("function", "absent"), ("total", "inlined_only")]
    assert [rows[-1][key] for key in ("files", "present", "inlined_only", "hosts", "copies")] == [2, 0, 1, 1, 1]
    building.command("strip", "program", cwd=folder)
    result = run("affected", "--json", "twice_add", folder)
    assert result.status == 2
    rows = rows_of(result)
    assert next(row for row in rows if row["file"] == str(folder / "program"))["reason"] == "no debugging information"
    assert [rows[-1][key] for key in ("files", "inlined_only", "unknown")] == [5, 2, 1]
    text = run("affected", "twice_add", folder).out
    assert text.splitlines()[-1] == "twice_add()\tinlined only\tin 2 of 5 files: 2 inlined only, 1 unknown\t" \
        "2 copies, code in 2 functions"


def test_builds_have_totals_of_their_own(run, folder):
    old, new = folder / "old", folder / "new"
    for build, flags in ((old, ("-O2",)), (new, ("-O2", "-fno-inline"))):
        build.mkdir()
        shutil.move(compile_program(folder, flags=flags), build / "program")
    result = run("affected", f"--build=old={old}", f"--build=new={new}", "--function=add", "--function=twice_add")
    assert (result.status, result.err) == (0, "")
    assert result.out.split("total:\n")[1].splitlines() == [
        "add()\told\tpresent\tin 1 of 1 file: 1 present\t3 copies, code in 4 functions",
        "add()\tnew\tpresent\tin 1 of 1 file: 1 present\t0 copies, code in 2 functions",
        "twice_add()\told\tinlined only\tin 1 of 1 file: 1 inlined only\t1 copy, code in 1 function",
        "twice_add()\tnew\tpresent\tin 1 of 1 file: 1 present\t0 copies, code in 1 function"]


@pytest.mark.parametrize("words, message", [
    ((), "no FUNCTION given"), (("add",), "no FILE given"), (("--line=a.c:1",), "no FILE given"),
    (("--line=a.c", "a"), "--line takes"), (("--line=:1", "a"), "--line takes"), (("--line=a.c:0", "a"), "--line takes"),
    (("--line=a.c:3-2", "a"), "--line takes"), (("--line=a.c:1-9999999", "a"), "--line takes"),
    (("--line=a.c:1", "--function=f", "a"), "only one of"), (("--reverse=f", "--function=f", "a"), "only one of"),
    (("--build=a", "f"), "--build takes"), (("--build==a", "f"), "--build takes")])
def test_wrong_usage(run, words, message):
    result = run("affected", *words)
    assert result.status == 64 and message in result.err


NOTE = """
    .section .note.package, "a", @note
    .balign 4
    .long 4, 1f - 0f, 0xcafe1a7e
    .asciz "FDO"
0:  .asciz "%s"
1:  .balign 4
"""


@pytest.mark.parametrize("text, name, version", [
    (r'{\"type\":\"deb\",\"name\":\"adder\",\"version\":\"1.2-3\"}', "adder", "1.2-3"),
    (r'{\"name\":\"adder\"}', "adder", None), (r'{\"version\":\"1\"}', None, None), (r'{\"name\":', None, None)])
def test_the_package_of_a_file_is_that_of_its_note(run, tmp_path, text, name, version):
    (tmp_path / "note.s").write_text(NOTE % text)
    (tmp_path / "a.c").write_text("static inline int add(int n) { return n + 1; } int one(int n) { return add(n); }")
    building.command("gcc", "-O2", "-g", "-shared", "-fPIC", "a.c", "note.s", "-o", "a.so", cwd=tmp_path)
    rows = [json.loads(line) for line in run("affected", "--json", "add", tmp_path / "a.so").out.splitlines()]
    assert {(row["package"], row["package_version"]) for row in rows} == {(name, version)} and len(rows) == 2
    building.command("objcopy", "--only-keep-debug", "a.so", "a.debug", cwd=tmp_path)
    result = run("affected", "add", tmp_path / "a.so", tmp_path / "a.debug")
    words = " ".join(word for word in (name, version) if word)
    assert result.out.startswith(f"{tmp_path / 'a.so'}{' (' + words + ')' if words else ''}:\n")
