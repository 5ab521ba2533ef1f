"""Names for a function: its symbol if that is a clone's, with a template's arguments; and names of
functions that a linker folded into one."""

import json
import random

import building
import pytest

PROGRAMS = building.HERE / "programs"


def build(tmp_path, *words):
    building.need(words[0])
    output = tmp_path / "program"
    building.command(*words, "-o", output)
    return output


@pytest.fixture
def clones(tmp_path):
    return build(tmp_path, "gcc", "-O2", "-g", PROGRAMS / "clones.c")


def test_a_clone_is_a_copy_of_its_source_function_with_its_own_symbol(run, clones):
    rows = [json.loads(line) for line in run("-o", "--json", "only", clones).out.splitlines()]
    assert [(row["type"], row["function"], row["host"], row["symbol"]) for row in rows] == \
        [("copy", "only", "only", "only.constprop.0")]
    hosts = {(row["host"], row["symbol"])
             for row in map(json.loads, run("--json", "leaf", clones).out.splitlines())}
    assert hosts == {("only", "only.constprop.0")}


def test_a_function_can_be_named_by_the_symbol_of_a_clone(run, clones):
    by_name = run("-o", "only", clones)
    assert by_name.status == 0
    for symbol in ("only.constprop.0", "only.isra.0", "only.cold", "only.constprop.0.isra.12",
                   "only.cold.1", "only.llvm.123456", "only.part.3.lto_priv.0"):
        assert run("-o", symbol, clones) == by_name
    for name in ("only.", "only.x", ".constprop.0", "onl.constprop.0", "only_constprop.0",
                 "only.coldStart", "only.localaliases"):
        assert run("-o", name, clones).status == 1


@pytest.mark.parametrize("linker", ["gold", "lld", "mold"])
def test_every_owner_of_folded_code_that_is_left_is_named_by_its_own_symbol(run, tmp_path, linker):
    """gold leaves both trees; lld and mold mark one as thrown away."""
    building.need({"gold": "ld.gold", "lld": "ld.lld", "mold": "mold"}[linker])
    program = build(tmp_path, "g++", "-O2", "-g", "-ffunction-sections", f"-fuse-ld={linker}",
                    "-Wl,--icf=all", PROGRAMS / "folded.cpp")
    rows = [json.loads(line) for line in run("--json", "hop", program).out.splitlines()]
    hosts = {(row["host"], row["symbol"]) for row in rows if row["ranges"]}
    both = {("first", "_Z5firsti"), ("second", "_Z6secondi")}
    assert hosts == both if linker == "gold" else len(hosts) == 1 and hosts < both
    ranges = {str(row["ranges"]) for row in rows if row["ranges"]}
    assert len(ranges) == 1, "of which the code is the same"


def test_a_template_without_arguments_in_its_name_is_found_by_them(run, tmp_path):
    building.need("clang++")
    plain = build(tmp_path, "clang++", "-O2", "-g", "-c", PROGRAMS / "simple_names.cpp")
    wanted = {name: run(name, plain).out for name in
              ("twice<int>", "math::twice<int>", "math::twice<double>", "math::twice<double>(double)")}
    assert all(wanted.values())
    simple = build(tmp_path, "clang++", "-O2", "-g", "-gsimple-template-names", "-c",
                   PROGRAMS / "simple_names.cpp")
    for name, out in wanted.items():
        assert run(name, simple).out == out
    assert run("twice<long>", simple).status == 1
    assert run("-a", simple).out.count(".text+") == 4


GENERIC = """
#include <vector>
namespace shop {
template <class T, int N = 3> inline __attribute__((always_inline)) T clampv(T v)
{
	return v > N ? N : v;
}
struct money {
	int v;
	bool operator<(const money &other) const { return v < other.v; }
};
} // namespace shop
static __attribute__((noinline)) int fib(int n)
{
	return n < 2 ? n : shop::clampv(n) + fib(n - 1);
}
int fill(std::vector<int> &v, shop::money *m)
{
	v.push_back(fib(v.size()) + shop::clampv(long(v.size()) * 7));
	return m[0] < m[1];
}
"""


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_arguments_and_parameters_may_be_left_out(run, tmp_path, compiler):
    building.need(compiler)
    (tmp_path / "generic.cpp").write_text(GENERIC)
    program = build(tmp_path, compiler, "-O2", "-g", "-c", tmp_path / "generic.cpp")

    def functions(*words):
        found = run("--json", *words, program)
        return {json.loads(line)["function"] for line in found.out.splitlines()}

    both = functions("-g", "clampv*")
    assert len(both) == 2
    assert functions("clampv") == functions("shop::clampv") == both
    one = min(both)
    assert functions(one) == functions(f"shop::{one}") == {one}
    assert functions("std::vector::push_back") == {"push_back"}
    assert functions("push_back") == {"push_back"}
    assert functions("shop::money::operator<") == functions("operator<") == {"operator<"}
    assert functions("clam") == functions("operator") == functions("shop::clampv<char>") == set()
    assert run("-o", "fib(int)", program) == run("-o", "fib", program)


def test_the_parentheses_that_are_printed_do_no_harm(run, clones):
    for name in ("leaf", "only"):
        assert run("-o", f"{name}()", clones) == run("-o", name, clones)


def test_a_source_glob_is_given_once(run, clones):
    result = run("-f", "a.c", "-f", "b.c", "leaf", clones)
    assert result.status == 64 and "-f can be given only once" in result.err


def test_methods_of_go_are_named_as_go_does(run, tmp_path, monkeypatch):
    building.need("go")
    monkeypatch.setenv("GOCACHE", str(tmp_path / "cache"))
    (tmp_path / "m.go").write_text(
        "package main\n"
        "type T struct{ n int }\n"
        "func (t *T) add(x int) int { t.n += x; return t.n }\n"
        "//go:noinline\n"
        "func (t *T) host(x int) int { return t.add(x) }\n"
        "func main() { println((&T{1}).host(2)) }\n")
    building.command("go", "build", "-o", "m", "m.go", cwd=tmp_path)
    result = run("-s", "main.(*T).add", tmp_path / "m")
    assert result.status == 0
    assert {line.split("\t")[-1] for line in result.out.splitlines()[1:]} == {"main.(*T).host()"}


GO = """package main

type Number interface{ ~int | ~float64 }

type List[T any] struct{ items []T }

func (l *List[T]) Push(item T) { l.items = append(l.items, item) }

func Map[T Number](items []T, change func(T) T) []T {
	var changed List[T]
	for _, item := range items {
		changed.Push(change(item))
	}
	return changed.items
}

//go:noinline
func ints(items []int) []int { return Map(items, func(n int) int { return n + 1 }) }

//go:noinline
func floats(items []float64) []float64 { return Map(items, func(n float64) float64 { return n / 2 }) }

func main() { println(len(ints([]int{1})), len(floats([]float64{2}))) }
"""

RUST = """
use std::collections::BTreeMap;
struct Counter { seen: BTreeMap<String, Vec<u32>> }
impl Counter {
    fn add<T: Into<String>>(&mut self, name: T) -> usize {
        let all = self.seen.entry(name.into()).or_default();
        all.push(7);
        all.len()
    }
}
fn main() {
    let mut counter = Counter { seen: BTreeMap::new() };
    let total: usize = std::env::args().map(|name| counter.add(name)).sum();
    let most = counter.seen.values().map(|all| all.len()).max();
    println!("{} {}", total, most.unwrap());
}
"""


@pytest.fixture(scope="session")
def go(tmp_path_factory):
    building.need("go")
    folder = tmp_path_factory.mktemp("go")
    (folder / "generic.go").write_text(GO)
    building.command("env", f"GOCACHE={folder}/cache", "go", "build", "-o", "program", "generic.go",
                     cwd=folder)
    return folder / "program"


@pytest.fixture(scope="session")
def rust(tmp_path_factory):
    building.need("rustc")
    folder = tmp_path_factory.mktemp("rust")
    (folder / "generic.rs").write_text(RUST)
    building.command("rustc", "-O", "-g", "generic.rs", "-o", "program", cwd=folder)
    return folder / "program"


def is_printed_name_accepted(run, path, name, dies):
    found = run("--json", "-o", name, path)
    if not dies:  # of a host, whose own code may be gone: then it is known, but not listed
        return "no function is called" not in found.err
    return dies <= {json.loads(line)["die"] for line in found.out.splitlines()}


@pytest.mark.parametrize("options", [(), ("-C",)])
@pytest.mark.parametrize("build", ["c", "c++", "templates", "lto", "generic", "rust", "go"])
def test_every_name_that_is_printed_is_accepted(run, elf, request, tmp_path, build, options):
    if build == "generic":
        (tmp_path / "generic.cpp").write_text(GENERIC)
        building.command("g++", "-O2", "-g", "-c", "generic.cpp", "-o", "program", cwd=tmp_path)
        path = tmp_path / "program"
    else:
        path = request.getfixturevalue(build) if build in ("rust", "go") else elf(build)
    names = {}
    for row in map(json.loads, run("-a", "-o", "--json", *options, path).out.splitlines()):
        names.setdefault(row["function"], set()).add(row["die"])
        names.setdefault(row["host"], set())
        for link in row["chain"]:
            names.setdefault(link["function"], set())
    names = sorted((name, dies) for name, dies in names.items() if name)
    some = random.Random(1).sample(names, min(len(names), 60))
    assert len(some) > 1
    assert [name for name, dies in some
            if not is_printed_name_accepted(run, path, name, dies)] == []


def test_parts_of_scopes_may_be_left_out(run, rust, elf):
    def functions(name, path):
        found = run("--json", "-C", "-o", name, path).out.splitlines()
        return {json.loads(line)["function"] for line in found}

    assert all("Counter" in name and "::add" in name for name in functions("Counter::add", rust))
    assert functions("Counter::add", rust)
    assert any("Option<usize>" in name or "Option<T>" in name or "option" in name
               for name in functions("Option::unwrap", rust))
    assert not functions("Ption::unwrap", rust)
    assert functions("Point::norm", elf("c++")) == functions("geometry::Point::norm", elf("c++"))
    assert functions("Point::norm", elf("c++"))


def test_generics_of_go_are_found_without_their_arguments(run, go):
    def functions(name):
        found = run("--json", "-o", name, go).out.splitlines()
        return {json.loads(line)["function"] for line in found}

    assert functions("main.Map") == functions("main.Map[go.shape.int_0]") | functions(
        "main.Map[go.shape.float64_0]") and len(functions("main.Map")) == 2
    assert len(functions("main.(*List).Push")) == 2
    for name in ("Map", "Push", "Mapp"):
        result = run(name, go)
        assert result.status == 1 and f"main.{'(*List' if name == 'Push' else 'Map'}[" in result.err


SCOPES = (["g++"], ["g++", "-flto"], ["g++", "-fdebug-types-section"], ["g++", "-gsplit-dwarf"],
          ["clang++"], ["clang++", "-fdebug-types-section"])


@pytest.mark.parametrize("compiler", SCOPES, ids=" ".join)
def test_frames_have_the_names_of_copies(run, tmp_path, compiler):
    """Also those without a linkage name, as GCC has them: behind their namespaces and classes."""
    program = build(tmp_path, *compiler, "-O2", "-g", PROGRAMS / "scopes.cpp")
    copies = [(row["function"], row["ranges"][0][0]) for row in map(
        json.loads, run("-a", "-C", "--json", program).out.splitlines()) if row["ranges"]]

    def names_at(*places):
        rows = map(json.loads, run("addr", "-C", "--json", program, *places).out.splitlines())
        return [[frame["function"] for frame in row["frames"]] for row in rows]

    frames = names_at(*(at for _, at in copies))
    assert [names_at(at) for _, at in copies] == [[names] for names in frames]
    assert [(name, names) for (name, _), names in zip(copies, frames) if name not in names] == []
    shown = {name for name, _ in copies}
    for end in ("deep::er::(anonymous namespace)::hidden", "(anonymous namespace)::Unseen::get",
                "Local::flip", "deep::er::Box<int>::twice", "::operator()"):
        assert [name for name in shown if end in name], (end, shown)


@pytest.mark.parametrize("compiler", SCOPES, ids=" ".join)
def test_closures_are_told_apart(run, tmp_path, compiler):
    """GCC says of their classes where they are, which have no names, and not of their functions."""
    program = build(tmp_path, *compiler, "-O2", "-g", PROGRAMS / "scopes.cpp")
    rows = [row for row in map(json.loads, run("--count", "-a", "-C", "--json", program).out.splitlines())
            if "operator()" in row["function"]]
    lines = [number for number, line in enumerate((PROGRAMS / "scopes.cpp").read_text().splitlines(), 1)
             if "auto " in line]
    assert sorted((row["decl_line"], row["inlined"]) for row in rows) == [(line, 1) for line in lines]
    assert len({row["function"] for row in rows}) == len(lines) == 2
    for row in rows:
        assert run("--count", "--json", "-C", row["function"], program).out == json.dumps(
            row, separators=(",", ":")) + "\n"


def test_names_that_are_less_than_two_thirds_alike_are_not_suggested(run, elf):
    assert run("mian", elf("c")).err.endswith("no function named 'mian'; similar name: main\n")
    assert run("maze", elf("c")).err.endswith("no function named 'maze'\n")


def test_lines_and_stacks_have_these_names_too(run, tmp_path):
    building.need("g++")
    (tmp_path / "deep.cpp").write_text(
        "namespace deep { namespace {\n"
        "__attribute__((noinline)) int hidden(int n) { return n ? __builtin_trap(), n : 1; }\n"
        "} }\nint main(int argc, char **) { return deep::hidden(argc) + 1; }\n")
    program = build(tmp_path, "g++", "-O1", "-g", tmp_path / "deep.cpp")
    name = "deep::(anonymous namespace)::hidden"
    assert name in run("lines", "-C", program, "deep.cpp:2").out
    assert name not in run("lines", program, "deep.cpp:2").out
    assert name in run("probe", "--for=bpftrace", "--line=deep.cpp:2", "-C", program).out
    core = building.make_core(tmp_path, program)
    assert name in run("backtrace", "-C", "--core", core).out
    assert name not in run("backtrace", "--core", core).out
