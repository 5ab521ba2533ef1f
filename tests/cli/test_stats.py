"""inlinecall stats. The numbers are compared in tests/oracle/test_statistics.py."""

import json
import re

import pytest

import building

NUMBERS = ("copies", "without_code", "functions", "callers", "self_bytes", "bytes")


def rows(result):
    return [json.loads(line) for line in result.out.splitlines()]


def key_of(row):
    return row["function"], row["linkage_name"], row["decl_file"], row["decl_line"]


@pytest.mark.parametrize("name", ["c", "c++", "object", "templates"])
def test_statistics_by_function_are_the_counts_of_functions(run, elf, name):
    _, *groups = rows(run("stats", "--json", elf(name)))
    counts = rows(run("--count", "-a", "--json", elf(name)))
    assert groups
    assert {key_of(group): (group["copies"], group["bytes"], group["out_of_line"])
            for group in groups} == {
        key_of(count): (count["inlined"], count["bytes"], count["out_of_line"])
        for count in counts}


@pytest.mark.parametrize("order", ["copies", "self", "bytes", "callers", "name"])
@pytest.mark.parametrize("by", ["function", "caller", "file", "unit"])
def test_groups_are_sorted_and_the_first_ones_are_those_of_all(run, elf, by, order):
    total, *groups = rows(run("stats", "--json", f"--by={by}", f"--sort={order}", elf("c++")))
    keys = {"self": "self_bytes", "name": {"file": "decl_file", "unit": "unit"}.get(by, "function")}
    values = [group[keys.get(order, order)] or "" for group in groups if group["copies"]] \
        if order == "name" else [-group[keys.get(order, order)] for group in groups]
    assert values == sorted(values) and values
    first = run("stats", "--json", f"--by={by}", f"--sort={order}", "--limit=2", elf("c++"))
    rest = [{"type": "limit", "file": str(elf("c++")), "left_out": len(groups) - 2}] if len(groups) > 2 else []
    assert rows(first) == [total, *groups[:2], *rest]


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A program with 25 functions that were inlined."""
    folder = tmp_path_factory.mktemp("many")
    functions = "".join(f"static inline __attribute__((always_inline)) int f{i}(int x)"
                        f" {{ return x * {i + 3} + sink; }}\n" for i in range(25))
    calls = " ^ ".join(f"f{i}(argc)" for i in range(25))
    (folder / "many.c").write_text(f"volatile int sink;\n{functions}"
                                   f"int main(int argc, char **argv) {{ (void)argv; return {calls}; }}\n")
    building.command("gcc", "-g", "-O2", "many.c", "-o", "many", cwd=folder)
    return folder / "many"


def test_text_has_twenty_lines_unless_so_said(run, many):
    heading = 4  # lines of sums, and that of the table
    *twenty, rest = run("stats", many).out.splitlines()[heading:]
    every = run("stats", "--limit=all", many).out.splitlines()[heading:]
    assert rest == "... 5 more (--limit=all)"
    assert (len(twenty), len(every)) == (20, 25) and twenty == every[:20]
    total, *groups = rows(run("stats", "--json", many))
    assert (total["functions"], len(groups)) == (25, 25)


def test_the_text_has_the_numbers_of_json(run, elf):
    total, *groups = rows(run("stats", "--json", elf("c")))
    inlined, code, functions, _, *lines = run("stats", "--limit=all", elf("c")).out.splitlines()
    assert [int(number) for number in re.findall(r"\d+", inlined)][:3] == [
        total["functions"], total["copies"], total["callers"]]
    size, whole, share, tenths = map(int, re.findall(r"\d+", code))
    assert (size, whole) == (total["bytes"], total["code_bytes"])
    assert share * 10 + tenths == 1000 * size // whole
    assert list(map(int, re.findall(r"\d+", functions))) == [
        total["never"], total["partly"], total["fully"]]
    assert [line.split("\t") for line in lines] == [
        [f"{group['copies']:7}", f"{group['self_bytes']:7}", f"{group['bytes']:7}",
         f"{group['callers']:7}", group["inlined"], f"{group['function']}()",
         f"{group['decl_file']}:{group['decl_line']}"] for group in groups if group["copies"]]


ALIAS = """\
int sink;
static inline __attribute__((always_inline)) int only(int value) { return value * 3 + sink; }
static __attribute__((noinline)) int never(int value) { return value ^ sink; }
int both(int value) { sink += value; return value + 1; }
int main(int argc, char **argv) { (void)argv; return only(argc) + both(argc) + never(argc); }
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stats")
    (folder / "one.c").write_text(ALIAS)
    building.command("gcc", "-g", "-O2", "one.c", "-o", "one", cwd=folder)
    # As of assembly: a symbol that nothing describes.
    (folder / "only.s").write_text(
        ".globl only\n.type only, @function\nonly: ret\n.size only, .-only\n")
    building.command("gcc", "-g", "-O2", "-c", "one.c", "-o", "one.o", cwd=folder)
    building.command("gcc", "one.o", "only.s", "-o", "two", cwd=folder)
    return folder


def inlined_of(run, path, name):
    return rows(run("stats", "--json", f"--function={name}", path))[1]["inlined"]


def test_functions_are_inlined_never_partly_or_fully(run, made):
    assert {name: inlined_of(run, made / "one", name) for name in ("only", "never", "both")} == {
        "only": "fully", "never": "never", "both": "partly"}


def test_a_symbol_that_nothing_describes_is_code_of_its_own(run, made):
    assert inlined_of(run, made / "two", "only") == "partly"


SPLIT = """\
extern int g(int), h(int, int);
extern void put(const char *);
struct file { int count; int a[20]; };
void release(struct file *f)
{
	if (__builtin_expect(--f->count == 0, 0)) {
		put("one"); put("two"); put("three");
		f->a[0] = g(f->a[1]); f->a[2] = h(f->a[3], f->a[4]);
		put("four"); f->a[5] = g(f->a[6]); put("five");
	}
}
ATTRIBUTE void user(struct file *f) { g(1); release(f); }
"""


def test_a_part_that_is_inlined_back_into_its_function_is_no_copy(run, tmp_path):
    """GCC splits release(); with -O3 the part ends up in it again."""
    (tmp_path / "split.c").write_text(SPLIT)
    for name, attribute in (("never", "__attribute__((optimize(0)))"), ("partly", "")):
        building.command("gcc", "-g", "-O3", f"-DATTRIBUTE={attribute}", "-c", "split.c",
                         "-o", f"{name}.o", cwd=tmp_path)
    total, *groups = rows(run("stats", "--json", "--function=release", tmp_path / "never.o"))
    sites = rows(run("--json", "release", tmp_path / "never.o"))
    assert [(site["call_line"], site["host"]) for site in sites] == [(4, "release")]
    assert [(group["inlined"], group["copies"]) for group in groups] == [("never", 0)]
    assert (total["never"], total["copies"], total["bytes"]) == (1, 0, 0)
    _, group = rows(run("stats", "--json", "--function=release", tmp_path / "partly.o"))
    sites = rows(run("--json", "release", tmp_path / "partly.o"))
    assert len(sites) == 3 and {site["call_line"] for site in sites} == {4, 12}
    copy, = (site for site in sites if site["call_line"] == 12)
    size = sum(int(end, 16) - int(start, 16) for start, end, *_ in copy["ranges"])
    assert (group["inlined"], group["copies"]) == ("partly", 1)
    assert (group["self_bytes"], group["bytes"]) == (size, size)


def test_a_function_that_calls_itself_in_the_line_of_its_declaration_is_inlined(run, tmp_path):
    (tmp_path / "a.c").write_text(
        "int g(int);\nstatic int f(int n) { return n > 1 ? f(n - 1) + f(n - 2) : g(n); }\n"
        "int main(int argc, char **argv) { (void)argv; return f(argc); }\n")
    building.command("gcc", "-g", "-O3", "-c", "a.c", cwd=tmp_path)
    sites = rows(run("--json", "f", tmp_path / "a.o"))
    assert {site["call_line"] for site in sites if site["host"] == "f"} == {2}
    _, group = rows(run("stats", "--json", "--function=f", tmp_path / "a.o"))
    assert group["copies"] == len(sites) > 1


FOLDED = """\
extern int g(int);
struct task { char *stack; };
static inline long *last(struct task *task)
{
	char *stack = task->stack;
	stack += 64;
	return (long *)stack - 1;
}
static inline __attribute__((always_inline)) int some(int n) { return g(n) * 3; }
int with(int n) { return some(n) + 1; }
long without(struct task *task) { return *last(task); }
"""


def test_callers_without_copies_are_not_in_the_text(run, tmp_path):
    (tmp_path / "a.c").write_text(FOLDED)
    building.command("gcc", "-g", "-O2", "-c", "a.c", cwd=tmp_path)
    _, *groups = rows(run("stats", "--json", "--by=caller", tmp_path / "a.o"))
    assert {group["function"]: (group["copies"], group["without_code"]) for group in groups} == {
        "with": (1, 0), "without": (0, 1)}
    line, = run("stats", "--by=caller", tmp_path / "a.o").out.splitlines()[4:]
    assert "\twith()\t" in line


def test_a_position_that_is_not_known_is_not_made_up(run, tmp_path):
    (tmp_path / "a.c").write_text(ALIAS)
    building.command("clang", "-gline-tables-only", "-O2", "-c", "a.c", cwd=tmp_path)
    *_, line = run("stats", "--function=only", tmp_path / "a.o").out.splitlines()
    assert line.split("\t")[-3:] == ["fully", "only()", "??"]


def test_a_selection_leaves_out_copies_and_not_facts(run, made):
    every, = rows(run("stats", "--json", "--function=both", made / "one"))[1:]
    one, = rows(run("stats", "--json", "--in=main", "--function=both", made / "one"))[1:]
    assert one == every and one["inlined"] == "partly"
    assert rows(run("stats", "--json", "--in=both", made / "one"))[0]["copies"] == 0
    total = rows(run("stats", "--json", "-f", "one.c", made / "one"))[0]
    assert total["copies"] == rows(run("stats", "--json", made / "one"))[0]["copies"]
    total, *groups = rows(run("stats", "--json", "-g", "--function=o*", made / "one"))
    assert [group["function"] for group in groups] == ["only"]
    assert (total["never"], total["partly"], total["fully"]) == (0, 0, 1)


def test_several_files_have_a_total_in_text(run, made):
    one, two = made / "one", made / "two"
    out = run("stats", one, two).out.splitlines()
    assert [line for line in out if line.endswith(":")] == [f"{one}:", f"{two}:", "total:"]
    assert out[-3] == "inlined\t4 functions, in 4 copies and 2 callers"
    assert "total" not in run("stats", one).out
    assert len(rows(run("stats", "--json", one, two))) == 2 * len(rows(run("stats", "--json", one)))


def kinds_of(found):
    """{kind: (arguments, of few)} of what `stats -p --json` printed."""
    return {(row["by"], row["name"]): (row["arguments"], row["few_arguments"]) for row in found}


@pytest.mark.parametrize("name", ["c", "c++", "object", "templates"])
def test_arguments_are_those_of_the_sites(run, elf, name):
    total, *kinds = rows(run("stats", "-p", "--json", elf(name)))
    sites = [row for row in rows(run("sites", "-p", "-a", "--json", elf(name)))
             if row["ranges"] and not row["part"]]
    arguments = [param["location"] for row in sites for param in row["params"]]
    assert (total["copies"], total["arguments"]) == (len(sites), len(arguments)) and arguments
    found = kinds_of(kinds)
    for by in ("category", "shape"):
        assert sum(found[key][0] for key in found if key[0] == by) == len(arguments)
    for reason in ("not here", "optimised out", "unreadable"):
        assert found["shape", reason][0] == sum(where["reason"] == reason for where in arguments)
    *parts, empty = [row for row in kinds if row["by"] == "category"]
    for i, row in enumerate(parts):
        assert row["up_to"] == sum(part["arguments"] for part in parts[:i + 1])
    assert parts[-1]["up_to"] + empty["up_to"] == total["arguments"]


def test_arguments_of_a_selection_are_those_of_its_copies(run, elf):
    one, = (row for row in rows(run("stats", "--json", "--limit=1", elf("c"))) if row.get("function"))
    total, *_ = rows(run("stats", "-p", "--json", f"--function={one['function']}", elf("c")))
    assert (total["copies"], total["functions"]) == (one["copies"], 1)


def test_arguments_of_several_files_have_a_total_in_text(run, made):
    one, two = made / "one", made / "two"
    out = run("stats", "-p", one, two).out
    alone = run("stats", "-p", one).out
    assert out.startswith(f"{one}:\n{alone}{two}:\n{alone}total:\n")
    count = int(re.match(r"all\t(\d+) arg", alone)[1])
    assert f"total:\nall\t{2 * count} arguments of" in out and count > 0


def test_csv_of_arguments_holds_what_json_holds(run, elf):
    heading, *lines = run("stats", "-p", "--csv", elf("c")).out.splitlines()
    found = rows(run("stats", "-p", "--json", elf("c")))
    assert heading.split(",") == list(found[0])
    assert [line.split(",") for line in lines] == [
        ["" if value is None else str(value) for value in row.values()] for row in found]


@pytest.mark.parametrize("option", ["--limit=1", "--by=file", "--sort=name"])
def test_options_of_groups_are_refused_with_arguments(run, made, option):
    result = run("stats", "-p", option, made / "one")
    assert (result.status, result.out) == (64, "")
    assert f"so {option.split('=')[0]} has no effect" in result.err


@pytest.mark.parametrize("options, message", [
    ((), "nothing was inlined\n"),
    (("-f", "x.c"), "nothing was inlined in matching source files\n"),
    (("--in=main",), "nothing was inlined into matching functions\n"),
    (("--function=mian",), "no function named 'mian'; similar name: main\n"),
    (("--function=main", "--in=main"), "main: never inlined into matching functions\n"),
])
def test_nothing_has_a_reason(run, tmp_path, options, message):
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    building.command("gcc", "-g", "a.c", "-o", "a", cwd=tmp_path)
    result = run("stats", *options, tmp_path / "a")
    assert (result.status, result.err) == (1, f"inlinecall: {tmp_path}/a: {message}")
    assert bool(result.out) == (not options)  # that nothing is inlined is an answer


@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)])
@pytest.mark.parametrize("by", ["function", "caller", "file", "unit"])
def test_the_number_of_threads_does_not_show(run, elf, form, by):
    outputs = {run("stats", f"--by={by}", *form, *jobs, elf("c++"))
               for jobs in ((), ("-j1",), ("-j3",))}
    assert len(outputs) == 1 and outputs.pop().status == 0


def test_csv_holds_what_json_holds(run, elf):
    heading, *lines = run("stats", "--csv", elf("c")).out.splitlines()
    found = rows(run("stats", "--json", elf("c")))
    assert heading.split(",") == list(found[0])
    assert [line.split(",") for line in lines] == [
        ["" if value is None else str(value) for value in row.values()] for row in found]


def test_names_are_demangled(run, elf):
    assert "\tgeometry::Point::norm() const\t" in run("stats", "-C", "--function=norm",
                                                      elf("c++")).out


def test_members_of_an_archive_are_files(run, made):
    building.command("ar", "rc", "lib.a", "one.o", cwd=made)
    building.command("gcc", "-g", "-O2", "-c", "one.c", "-o", "other.o", cwd=made)
    building.command("ar", "rc", "lib.a", "other.o", cwd=made)
    out = run("stats", made / "lib.a").out.splitlines()
    assert [line for line in out if line.endswith(":")] == [
        f"{made}/lib.a(one.o):", f"{made}/lib.a(other.o):", "total:"]
