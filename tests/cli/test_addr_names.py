"""The names that inlinecall addr takes, besides those of symbols."""

import pytest

import building

SOURCE = """
namespace ns {
template<class T> struct Circle { T r; T area(T k) const; };
template<class T> __attribute__((noinline)) T Circle<T>::area(T k) const { return r * r * k; }
template struct Circle<int>;
template struct Circle<double>;
int plain(int x) { return x + 1; }
int plain(char x) { return x - 1; }
}
extern "C" int shouted(int x) { return ns::plain(x) + ns::plain('a'); }
int main(int c, char **) { return ns::Circle<int>{c}.area(2) + shouted(c); }
"""


@pytest.fixture(scope="module")
def shapes(tmp_path_factory):
    building.need("g++")
    folder = tmp_path_factory.mktemp("names")
    (folder / "shapes.cpp").write_text(SOURCE)
    building.command("g++", "-g", "-O1", folder / "shapes.cpp", "-o", folder / "shapes")
    return folder / "shapes"


@pytest.mark.parametrize("name, symbol", [
    ("ns::plain(int)", "_ZN2ns5plainEi"),
    ("plain(char)", "_ZN2ns5plainEc"),
    ("Circle<int>::area", "_ZNK2ns6CircleIiE4areaEi"),
    ("ns::Circle<double>::area(double) const", "_ZNK2ns6CircleIdE4areaEd"),
    ("area(double)", "_ZNK2ns6CircleIdE4areaEd"),
])
def test_a_name_of_the_source_is_that_of_its_symbol(run, shapes, name, symbol):
    addr = building.symbol_addr(shapes, symbol)
    for offset in "", "+0x1":
        result = run("addr", shapes, name + offset)
        assert (result.status, result.err) == (0, "")
        assert result.out == run("addr", shapes, f"{int(addr, 16) + int(offset or '0', 16):#x}").out
    assert run("addr", shapes, stdin=f"{name}\n" * 40).out == 40 * run("addr", shapes, name).out


def test_a_name_of_several_functions_is_not_guessed(run, shapes):
    result = run("addr", shapes, "plain")
    assert result.out == "plain\t??\n"
    assert "ambiguous symbol: " in result.err
    for symbol in "_ZN2ns5plainEi", "_ZN2ns5plainEc":
        assert f"{symbol} at 0x{int(building.symbol_addr(shapes, symbol), 16):x} (" in result.err


def test_that_a_debug_file_cannot_be_used_is_said_of_names_too(run, shapes, tmp_path):
    """The symbols may all be in it: that there is no such name cannot be known."""
    program, debug = tmp_path / "program", tmp_path / "program.debug"
    building.command("objcopy", "--only-keep-debug", shapes, debug)
    building.command("objcopy", "--strip-all", f"--add-gnu-debuglink={debug}", shapes, program)
    assert run("addr", program, "main").status == 0
    debug.write_bytes(debug.read_bytes()[:-1] + b"x")
    result = run("addr", program, "main")
    assert (result.status, result.out) == (2, "main\t??\n")
    assert "cannot tell whether a symbol or section is called main" in result.err
    assert f"{debug}: its checksum differs from" in result.err


@pytest.mark.parametrize("name, nearest", [("shouetd", "shouted"), ("mian", "main"),
                                           ("ns::Circle::aera", "area")])
def test_a_name_that_is_not_there_gets_the_nearest(run, shapes, name, nearest):
    result = run("addr", shapes, name)
    assert (result.status, result.out) == (1, f"{name}\t??\n")
    assert f"no symbol or section is called {name}; similar name" in result.err
    assert nearest in result.err.split("similar name")[1]


def test_a_name_that_is_not_there_may_have_been_inlined(run, shapes):
    hint = "; if it was inlined, 'inlinecall sites' lists its copies"
    assert hint in run("addr", shapes, "nowhere").err
    assert hint not in run("addr", shapes, ".nowhere").err
    assert run("addr", shapes, *(f"nowhere{i}" for i in range(20))).err.count(hint) == 8


def test_a_clone_is_found_by_its_functions_name(run, tmp_path):
    (tmp_path / "clone.s").write_text("""
        .globl work.isra.0
        .type work.isra.0, @function
work.isra.0:
        nop
        ret
        .size work.isra.0, .-work.isra.0
    """)
    building.command("gcc", "-c", tmp_path / "clone.s", "-o", tmp_path / "clone.o")
    result = run("addr", tmp_path / "clone.o", "work+0x1")
    assert result.out == run("addr", tmp_path / "clone.o", "work.isra.0+0x1").out
    assert result.out.startswith(".text+0x1\t")
    assert "no symbol or section is called wor" in run("addr", tmp_path / "clone.o", "wor+0x1").err
