"""inlinecall addr: what addresses may be, and what is printed of them."""

import json
import re
import shutil

import pytest

import building


def answers(result):
    """[(address, [(function, place, inlined), ...]), ...]; no frames if it is unknown."""
    found = []
    for line in result.out.splitlines():
        first, *fields = line.split("\t")
        if first:
            found.append((first, []))
        if fields != ["??"]:
            assert fields[2:] in ([], ["inlined"]), line
            found[-1][1].append((fields[0], fields[1], len(fields) == 3))
    return found


def functions(result):
    return [[function for function, *_ in frames] for _, frames in answers(result)]


@pytest.fixture(scope="session")
def symbols():
    """{name: (start, size)} of the functions that nm knows."""

    def read(path):
        rows = (line.split() for line in building.command("nm", "-S", path).splitlines())
        return {row[3]: (int(row[0], 16), int(row[1], 16)) for row in rows
                if len(row) == 4 and row[2] in "tTwW"}

    return read


@pytest.fixture(scope="session")
def text_section():
    """(address, size) of .text."""

    def read(path):
        row = re.search(r" \.text +\S+ +(\w+) \w+ (\w+)", building.command("readelf", "-SW", path))
        return int(row[1], 16), int(row[2], 16)

    return read


@pytest.fixture(scope="session")
def clones(tmp_path_factory):
    """A program with a clone, and a function with a part that was split off."""
    path = tmp_path_factory.mktemp("clones") / "clones"
    building.command("gcc", "-g", "-O2", building.OURS / "clones.c", "-o", path)
    return path


@pytest.fixture(scope="session")
def one_name(tmp_path_factory):
    """A program with two functions called helper()."""
    folder = tmp_path_factory.mktemp("one_name")
    source = building.OURS / "one_name.c"
    for name, options in ("small.o", ()), ("large.o", ("-DLARGE", "-Dsink=other")):
        building.command("gcc", "-g", "-O2", *options, "-c", source, "-o", folder / name)
    building.command("gcc", folder / "small.o", folder / "large.o", "-o", folder / "program")
    return folder / "program"


@pytest.fixture(scope="session")
def helpers(one_name):
    """(start, size) of the small one, and of the large one."""
    rows = (line.split() for line in building.command("nm", "-S", one_name).splitlines())
    found = [(int(row[0], 16), int(row[1], 16)) for row in rows if row[-1] == "helper"]
    return sorted(found, key=lambda symbol: symbol[1])


# What an address may be.

def test_all_forms_of_an_address_are_answered_alike(run, elf, symbols, text_section):
    path = elf("c")
    start, size = symbols(path)["loops"]
    addr = start + 0x20
    forms = [f"{addr:#x}", f"{addr:x}", f"{addr:X}", f"0X{addr:016x}", "loops+0x20",
             f"loops+0x20/{size:#x}", f" \t{addr:#x} ",
             f".text+{addr - text_section(path)[0]:#x}"]
    result = run("addr", path, *forms)
    assert (result.status, result.err) == (0, "")
    found = answers(result)
    assert {address for address, _ in found[:-1]} == {f"{addr:#x}"}
    assert found[-1][0] == forms[-1]  # as it was given
    assert len({str(frames) for _, frames in found}) == 1
    assert found[0][1][-1][0] == "loops()"


def test_a_symbol_alone_is_its_first_byte(run, elf):
    assert run("addr", elf("c"), "loops") == run("addr", elf("c"), "loops+0x0")
    assert run("addr", elf("object"), "loops") == run("addr", elf("object"), "loops+0x0")


def test_what_can_be_a_number_is_one(run, one_name, symbols):
    """`add` is a function here, and three digits."""
    number, symbol = answers(run("addr", one_name, "add", "add+0x0"))
    assert number == ("0xadd", [])
    assert symbol[0] == f"{symbols(one_name)['add'][0]:#x}"
    assert symbol[1][-1][0] == "add()"


INLINED = "; if it was inlined, 'inlinecall sites' lists its copies"


@pytest.mark.parametrize("text, why", [
    ("nowhere", f"no symbol or section is called nowhere{INLINED}"),
    ("nowhere+0x1", f"no symbol or section is called nowhere{INLINED}"),
    ("loops+12", "no symbol or section is called loops+12 (offsets begin with 0x)"),
    ("loops+", "no symbol or section is called loops+ (offsets begin with 0x)"),
    ("loops+0x", "no symbol or section is called loops+0x (offsets begin with 0x)"),
    ("loops+0x1/2", "no symbol or section is called loops+0x1/2 (offsets begin with 0x)"),
    ("loops+0x1/0x", "no symbol or section is called loops+0x1/0x (offsets begin with 0x)"),
    ("12 34", "no symbol or section is called 12 34"),
    ("-1", "no symbol or section is called -1"),
    ("0x", "no symbol or section is called 0x"),
    ("0x10000000000000000", "number does not fit in 64 bits"),
    ("loops+0x10000000000000000", "number does not fit in 64 bits"),
    ("_edata+0xffffffffffffffff", "number does not fit in 64 bits"),
    ("", "empty line"),
])
def test_what_is_no_address_is_explained_and_keeps_its_place(run, elf, text, why):
    result = run("addr", elf("c"), "--", "main", text, "main")
    assert result.status == (0 if why.startswith("no symbol") else 2)
    first, bad, last = answers(result)
    assert first == last and first[1]
    assert bad == (text or "??", [])
    assert result.err == f"inlinecall: {elf('c')}: '{text}': {why}\n"
    rows = [json.loads(line) for line in run("addr", "--json", elf("c"), "--", text).out.splitlines()]
    assert [(row["address"], row["section"], row["frames"]) for row in rows] == [(None, None, [])]


def test_a_file_full_of_what_is_no_address_is_not_listed_in_full(run, elf):
    result = run("addr", elf("c"), stdin="worse\n" * 100)
    assert result.out == "worse\t??\n" * 100
    lines = result.err.splitlines()
    assert len(lines) == 9
    assert lines[-1] == f"inlinecall: {elf('c')}: 92 more are not addresses"


def test_control_characters_of_the_input_do_not_reach_the_output(run, elf):
    result = run("addr", elf("c"), "a\033[2J\tb")
    assert result.out == "a?[2J?b\t??\n" and "\033" not in result.err


# Symbols of one name, and their sizes.

def test_a_name_that_several_symbols_have_is_refused_with_a_list(run, one_name, helpers):
    result = run("addr", one_name, "helper+0x1")
    assert (result.status, result.out) == (2, "helper+0x1\t??\n")
    for start, size in helpers:
        assert f"{start:#x} ({size:#x} bytes)" in result.err


def test_one_address_that_is_there_twice_is_one(run, elf, symbols, text_section, tmp_path):
    offset = symbols(elf("c"))["loops"][0] - text_section(elf("c"))[0]
    twice = tmp_path / "twice"
    building.command("objcopy", f"--add-symbol=loops=.text:{offset:#x},function,local", elf("c"),
                     twice)
    assert building.command("nm", twice).count(" loops\n") == 2
    assert run("addr", twice, "loops+0x4") == run("addr", elf("c"), "loops+0x4")


def test_the_size_says_which_is_meant(run, one_name, helpers):
    result = run("addr", one_name, *(f"helper+0x1/{size:#x}" for _, size in helpers))
    assert result.status == 0
    assert [address for address, _ in answers(result)] == [
        f"{start + 1:#x}" for start, _ in helpers]


def test_an_offset_that_only_one_symbol_has_says_which_is_meant(run, one_name, helpers):
    (_, small), (start, large) = helpers
    assert small < large
    result = run("addr", one_name, f"helper+{large - 1:#x}")
    assert answers(result)[0][0] == f"{start + large - 1:#x}"


def test_the_size_may_be_that_up_to_the_next_symbol(run, elf, symbols):
    """As kernels have it."""
    _, size = symbols(elf("c"))["loops"]
    plain = run("addr", elf("c"), "loops+0x4")
    assert run("addr", elf("c"), f"loops+0x4/{size + 127:#x}") == plain
    for wrong in size + 128, size - 1:
        result = run("addr", elf("c"), f"loops+0x4/{wrong:#x}")
        assert result.status == 2 and "loops has a different size: " in result.err


def test_an_offset_behind_the_symbol_is_refused(run, elf, symbols):
    """It would be given the name of a neighbour."""
    _, size = symbols(elf("c"))["loops"]
    assert run("addr", elf("c"), f"loops+{size - 1:#x}").status == 0
    result = run("addr", elf("c"), f"loops+{size:#x}")
    assert (result.status, result.out) == (2, f"loops+{size:#x}\t??\n")
    assert "loops ends before that offset: " in result.err
    assert functions(run("addr", "-R", elf("c"), f"loops+{size:#x}"))[0][-1] == "loops()"


# Sections.

def test_in_an_object_an_address_is_an_offset_in_its_section(run, elf):
    result = run("addr", elf("sections"), ".text.loops+0x4", "loops+0x4", ".text.recursion+0x1")
    assert result.status == 0
    assert [address for address, _ in answers(result)] == [
        ".text.loops+0x4", ".text.loops+0x4", ".text.recursion+0x1"]
    assert [frames[-1] for frames in functions(result)] == ["loops()", "loops()", "recursion()"]


def test_a_number_in_an_object_with_several_sections_is_refused(run, elf):
    result = run("addr", elf("sections"), "0x4")
    assert (result.status, result.out) == (2, "0x4\t??\n")
    assert re.search(r"'0x4': ambiguous offset: there are \d+ sections; use \.text\S*\+0x4 "
                     r"or --section=\.text", result.err)


def test_a_number_in_an_object_with_one_section_of_code_is_an_offset_in_it(run, tmp_path):
    (tmp_path / "one.c").write_text("int one(int n) { return n + 1; }\nint data = 3;\n")
    building.command("gcc", "-g", "-O2", "-c", "one.c", cwd=tmp_path)
    result = run("addr", "one.o", "0x1", "5000", cwd=tmp_path)
    assert answers(result)[0] == (".text+0x1", answers(result)[0][1])
    assert functions(result) == [["one()"], []]


def test_section_makes_numbers_offsets(run, elf, text_section):
    expected = run("addr", elf("sections"), ".text.loops+0x4")
    assert run("addr", "--section=.text.loops", elf("sections"), "4") == expected
    assert run("addr", elf("sections"), "0x4", "--section", ".text.loops") == expected
    offset = 0x40
    linked = run("addr", "--section=.text", elf("c"), f"{offset:#x}")
    assert linked == run("addr", elf("c"), f".text+{offset:#x}")
    absolute = run("addr", elf("c"), f"{text_section(elf('c'))[0] + offset:#x}")
    assert answers(linked)[0][1] == answers(absolute)[0][1]


def test_section_leaves_named_addresses_alone(run, elf):
    assert run("addr", "--section=.text.loops", elf("sections"), "recursion") == run(
        "addr", elf("sections"), "recursion")


@pytest.mark.parametrize("name", ["sections", "c"])
def test_a_section_that_does_not_exist_is_named(run, elf, name):
    result = run("addr", "--section=.nowhere", elf(name), "0x1")
    assert (result.status, result.out) == (2, "")
    assert result.err == (f"inlinecall: {elf(name)}: no allocated section '.nowhere'\n")


def test_an_empty_section_is_none_to_be_meant(run, tmp_path):
    (tmp_path / "one.c").write_text("int one(int n) { return n + 1; }\n")
    building.command("gcc", "-g", "-O2", "-ffunction-sections", "-c", "one.c", cwd=tmp_path)
    assert ".text " in building.command("readelf", "-SW", tmp_path / "one.o")
    assert answers(run("addr", "one.o", "0x1", cwd=tmp_path))[0][0] == ".text.one+0x1"


def test_a_symbol_of_data_in_an_object_is_refused(run, elf):
    result = run("addr", elf("object"), "pointer+0x1")
    assert (result.status, result.out) == (2, "pointer+0x1\t??\n")
    assert "'pointer+0x1': pointer is not in a code section" in result.err


def test_an_offset_does_not_reach_into_the_next_section(run, tmp_path):
    (tmp_path / "two.s").write_text('''
        .section .first,"ax"
        .globl _start
        .type _start, @function
_start: nop
        ret
        .size _start, 2
        .section .second,"ax"
        .type second, @function
second: ret
        .size second, 1
''')
    building.command("as", "-g", "two.s", "-o", "two.o", cwd=tmp_path)
    building.command("ld", "two.o", "-o", "two", cwd=tmp_path)
    inside, behind = answers(run("addr", "two", ".first+0x1", ".first+0x2", cwd=tmp_path))
    assert [frame[0] for frame in inside[1]] == ["_start()"] and behind == (".first+0x2", [])
    numbered = answers(run("addr", "two", "--section=.first", "0x1", "0x2", cwd=tmp_path))
    assert numbered == [inside, behind]
    first = int(re.search(r"(\w+) T _start", building.command("nm", tmp_path / "two"))[1], 16)
    assert functions(run("addr", "two", f"{first + 2:#x}", cwd=tmp_path)) == [["second()"]]


@pytest.mark.parametrize("name", ["object", "c"])
def test_what_is_behind_a_section_is_unknown(run, elf, text_section, name):
    _, size = text_section(elf(name))
    inside, outside, far = answers(run("addr", elf(name), f".text+{size - 1:#x}",
                                       f".text+{size:#x}", ".text+0xffffffffffffffff"))
    assert not outside[1] and not far[1]
    assert (outside[0], far[0]) == (f".text+{size:#x}", ".text+0xffffffffffffffff")
    assert answers(run("addr", "-R", elf(name), f".text+{size:#x}"))[0][1] == inside[1]


def test_sections_of_one_name_are_told_apart_by_number(run, tmp_path):
    building.command("gcc", "-g", "-c", building.OURS / "same_sections.s", "-o", tmp_path / "same.o")
    result = run("addr", "same.o", "one", "two+0x1", cwd=tmp_path)
    names = [address.split("+")[0] for address, _ in answers(result)]
    assert all(re.fullmatch(r"\.text\.both\[\d+\]", name) for name in names)
    assert names[0] != names[1]
    assert functions(result) == [["one()"], ["two()"]]
    again = run("addr", "same.o", f"{names[0]}+0x0", f"{names[1]}+0x1", cwd=tmp_path)
    assert again == result
    both = run("addr", "same.o", ".text.both+0x1", cwd=tmp_path)
    assert both.status == 2
    assert "several sections are called .text.both; select one by its number, as in " + (
        ".text.both[") in both.err
    assert run("addr", "--section=.text.both", "same.o", "0x1", cwd=tmp_path).status == 2


# What is printed.

def test_frames_are_innermost_first_and_the_host_is_last(run, elf):
    """At the start of every copy of clamp() there is this copy, in what it was inlined into."""
    sites = [json.loads(line) for line in run("--json", "clamp", elf("c")).out.splitlines()]
    sites = [site for site in sites if site["ranges"]]
    assert len(sites) > 5
    starts = [site["ranges"][0][0] for site in sites]
    found = answers(run("addr", elf("c"), *starts))
    assert [address for address, _ in found] == starts
    for site, (_, frames) in zip(sites, found):
        chain = [f"{link['function']}()" for link in site["chain"]]
        names = [function for function, *_ in frames]
        at = names.index("clamp()")  # others may have been inlined into it
        assert names[at + 1:] == [*chain, f"{site['host']}()"]
        assert frames[at + 1][1].startswith(f"{site['call_file']}:{site['call_line']}")
        assert [inlined for *_, inlined in frames] == [True] * (len(frames) - 1) + [False]


def test_an_unknown_address_is_never_given_a_neighbours_name(run, elf, symbols):
    known = sorted(symbols(elf("c")).values())
    gaps = [start + size for (start, size), (following, _) in zip(known, known[1:])
            if size > 0 and start + size < following]
    assert len(gaps) > 3
    result = run("addr", elf("c"), "0x0", "0xffffffffffffffff", *(f"{gap:#x}" for gap in gaps))
    assert result.err == ""
    # The padding between functions belongs to a row of the line table, and to no function.
    assert {name for frames in functions(result) for name in frames} <= {"??"}
    assert functions(result)[:2] == [[], []]


def test_a_return_address_is_that_of_the_call(run, elf):
    rows = [json.loads(line) for line in run("-a", "-c", "--json", elf("c")).out.splitlines()]
    calls = [row for row in rows if row["type"] == "call" and row["return"]]
    assert calls
    for row in calls:
        before = f"{int(row['return'], 16) - 1:#x}"
        plain, behind = (answers(run("addr", *options, elf("c"), addr))[0]
                         for options, addr in (((), before), (("-R",), row["return"])))
        assert behind == (row["return"], plain[1]) and plain[1]
    assert run("addr", "--return-addresses", elf("c"), row["return"]).out == run(
        "addr", "-R", elf("c"), row["return"]).out


def test_nothing_is_before_the_first_address(run, elf):
    assert run("addr", "-R", elf("c"), "0").out == "0x0\t??\n"
    assert run("addr", "-R", elf("sections"), ".text.loops+0x0").out == ".text.loops+0x0\t??\n"


@pytest.mark.parametrize("option", ["-C", "--demangle"])
def test_demangle_prints_names_as_the_source_has_them(run, elf, symbols, option):
    addrs = [f"{start:#x}" for name, (start, size) in symbols(elf("c++")).items()
             if name.startswith("_Z") and size > 0]
    plain, demangled = (run("addr", *options, elf("c++"), *addrs) for options in ((), (option,)))
    assert plain.status == demangled.status == 0
    names = {name for frames in functions(demangled) for name in frames}
    assert "dies_by_gc(int)" in names and "dies_by_gc(int)" not in plain.out
    assert "dies_by_gc()" in {name for frames in functions(plain) for name in frames}


@pytest.mark.parametrize("option", ["-s", "--basenames"])
def test_basenames_leaves_out_directories(run, elf, option):
    assert "/" in run("addr", elf("c"), "loops").out
    result = run("addr", option, elf("c"), "loops")
    assert "/" not in result.out and "first.c:" in result.out


def test_colours_are_for_text_and_change_nothing_else(run, elf):
    plain = run("addr", elf("c"), "loops+0x20", "0x1")
    colored = run("addr", "--color=always", elf("c"), "loops+0x20", "0x1")
    assert "\033" in colored.out and "\033" not in plain.out
    assert re.sub(r"\033\[[0-9;]*m", "", colored.out) == plain.out
    assert all(line.count("\033[m") * 2 == line.count("\033") for line in colored.out.splitlines())
    assert "\033" not in run("addr", "--json", "--color=always", elf("c"), "loops").out


@pytest.mark.parametrize("form", [(), ("--json",)])
@pytest.mark.parametrize("name", ["c", "c++"])
def test_the_number_of_threads_does_not_show(run, elf, symbols, name, form):
    addrs = "".join(f"{start + offset:#x}\n" for start, size in symbols(elf(name)).values()
                    for offset in range(size))
    outputs = {run("addr", *form, *jobs, elf(name), stdin=addrs)
               for jobs in ((), ("-j", "1"), ("-j4",), ("--jobs=3",))}
    assert len(outputs) == 1
    assert outputs.pop().status == 0


# Which file.

def test_one_member_of_an_archive_is_a_file(run, elf, tmp_path):
    shutil.copy(elf("sections"), tmp_path / "s.o")
    shutil.copy(elf("object"), tmp_path / "o.o")
    building.command("ar", "qc", "lib.a", "s.o", "o.o", cwd=tmp_path)
    result = run("addr", "lib.a(s.o)", "loops+0x4", cwd=tmp_path)
    assert result == run("addr", "s.o", "loops+0x4", cwd=tmp_path)
    row = json.loads(run("addr", "--json", "lib.a(s.o)", "loops", cwd=tmp_path).out)
    assert row["file"] == "lib.a(s.o)"


@pytest.mark.parametrize("name, said", [
    ("lib.a", "lib.a is an archive; name one member, as in 'lib.a(member.o)'"),
    ("lib.a(none.o)", "lib.a: no member 'none.o'"),
    ("lib.a(s.o)", "lib.a(s.o): more than one member has this name"),
    ("gone", "gone: cannot open: No such file or directory")])
def test_a_file_that_cannot_be_meant_is_named(run, elf, tmp_path, name, said):
    shutil.copy(elf("sections"), tmp_path / "s.o")
    building.command("ar", "qc", "lib.a", "s.o", "s.o", cwd=tmp_path)
    result = run("addr", name, "0x1", cwd=tmp_path)
    assert (result.status, result.out, result.err) == (2, "", f"inlinecall: {said}\n")


def inlined_address(run, path):
    """Where the file has an inlined function."""
    row = json.loads(run("sites", "--json", "clamp", path).out.splitlines()[0])
    return row["ranges"][0][0]


def test_a_separate_debug_file_is_found(run, elf, tmp_path):
    address = inlined_address(run, elf("build-id"))
    debug = tmp_path / "store/.build-id/ab/12cd34ef.debug"
    debug.parent.mkdir(parents=True)
    building.command("objcopy", "--only-keep-debug", elf("build-id"), debug)
    building.command("objcopy", "--strip-all", elf("build-id"), tmp_path / "program")
    result = run("addr", "--debug-dir", tmp_path / "store", tmp_path / "program", address)
    assert result == run("addr", elf("build-id"), address)
    assert "inlined" in result.out


def test_a_dwo_file_is_found(run, tmp_path):
    building.command("gcc", "-g", "-O2", "-gsplit-dwarf", building.PROGRAMS / "first.c",
                     building.PROGRAMS / "second.c", "-o", "program", cwd=tmp_path)
    address = inlined_address(run, tmp_path / "program")
    expected = run("addr", tmp_path / "program", address)
    assert (expected.status, expected.err) == (0, "")
    assert "inlined" in expected.out
    (tmp_path / "dwos").mkdir()
    for path in tmp_path.glob("*.dwo"):
        path.rename(tmp_path / "dwos" / path.name)
    gone = run("addr", tmp_path / "program", address)
    assert gone.status == 2 and ".dwo" in gone.err and "inlined" not in gone.out
    assert run("addr", "--dwo-dir", tmp_path / "dwos", tmp_path / "program", address) == expected


def test_a_dwo_file_that_no_address_needs_may_be_missing(run, tmp_path):
    building.command("gcc", "-g", "-O2", "-gsplit-dwarf", building.PROGRAMS / "first.c",
                     building.PROGRAMS / "second.c", "-o", "program", cwd=tmp_path)
    expected = run("addr", tmp_path / "program", "loops+0x20")
    missing, = tmp_path.glob("*second*.dwo")
    missing.unlink()
    assert run("addr", tmp_path / "program", "loops+0x20") == expected
    other = run("addr", tmp_path / "program", "second_entry")
    assert other.status == 2 and missing.name in other.err


@pytest.mark.parametrize("name", ["plain.o", "lib.a(plain.o)"])
def test_without_debug_information_symbols_answer_and_it_is_said(run, tmp_path, name):
    (tmp_path / "plain.c").write_text("int plain(int n) { return n + 1; }\n")
    building.command("gcc", "-O2", "-c", "plain.c", cwd=tmp_path)
    building.command("ar", "qc", "lib.a", "plain.o", cwd=tmp_path)
    result = run("addr", name, "plain+0x1", "0x2", ".text+0x5000", cwd=tmp_path)
    assert (result.status, result.out) == (
        2, ".text+0x1\tplain()\t??:0\n.text+0x2\tplain()\t??:0\n.text+0x5000\t??\n")
    assert result.err.startswith(f"inlinecall: {name}: no .debug_info")
    assert result.err.count("inlinecall:") == 1


# Statuses and usage.

def test_one_known_address_is_an_answer(run, elf):
    assert run("addr", elf("c"), "0x1", "loops", "0x2").status == 0
    assert run("addr", elf("c"), "0x1").status == 1
    assert run("addr", elf("c"), "loops", "nowhere").status == 0
    assert run("addr", elf("c"), "nowhere").status == 1


@pytest.mark.parametrize("args, complaint", [
    (("addr",), "no FILE given"),
    (("addr", "--frobnicate", "FILE"), "--frobnicate"),
    (("addr", "-x", "FILE"), "'x'"),
    (("addr", "FILE", "--section"), "--section"),
    (("addr", "--color=sometimes", "FILE"), "'sometimes'"),
    (("addr", "-j", "many", "FILE"), "--jobs"),
])
def test_wrong_usage_says_what_is_wrong_and_where_help_is(run, elf, args, complaint):
    result = run(*(elf("c") if arg == "FILE" else arg for arg in args))
    assert (result.status, result.out) == (64, "")
    assert complaint in result.err.splitlines()[0]
    assert result.err.endswith("Try 'inlinecall addr --help' for the options.\n")


def test_help_and_version_need_no_operands(run):
    result = run("addr", "--help")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("Usage: inlinecall addr [OPTION]... FILE [ADDRESS]...\n")
    assert all(len(line) <= 80 for line in result.out.splitlines())
    assert run("addr", "-h") == result
    assert run("addr", "-V") == run("-V")


def test_a_fault_costs_what_it_is_about_and_is_said_at_the_end(run, elf, tmp_path):
    path = building.with_broken_unit(elf("c"), tmp_path)
    result = run("addr", path, "loops", "second_entry", "0x1")
    assert result.status == 2
    assert f"inlinecall: {path}: .debug_info+" in result.err and "version 99" in result.err
    sound = run("addr", elf("c"), "loops")
    assert result.out.startswith(sound.out)
    assert "second_entry()\t??:0\n" in result.out  # its symbol says as much
    assert run("addr", path, "loops") == sound  # it is not about this


def only_clone(names, function):
    """The symbol of the only clone or part of a function."""
    name, = (name for name in names if name.startswith(f"{function}."))
    return name


@pytest.mark.parametrize("options", [(), ("-C",), ("-R",)])
def test_json_has_the_symbol_and_the_offset_in_it(run, clones, symbols, options):
    name = only_clone(symbols(clones), "only")
    start, size = symbols(clones)[name]
    row = json.loads(run("addr", "--json", *options, clones, hex(start + 3)).out)
    assert [frame["function"] for frame in row["frames"]][-1] == "only"
    assert (row["symbol"], row["symbol_offset"], row["symbol_size"]) == (name, 3, size)


def test_json_has_the_symbols_of_many_addresses(run, clones, symbols):
    known = {name: place for name, place in symbols(clones).items()
             if name.split(".")[0] in ("only", "split", "main")}
    asked = [(name, offset) for name, (_, size) in known.items() for offset in range(size)]
    texts = [hex(known[name][0] + offset) for name, offset in asked]
    rows = [json.loads(line) for line in run("addr", "--json", clones, *texts, "1").out.splitlines()]
    assert len(asked) > 16
    assert [(row["symbol"], row["symbol_offset"]) for row in rows] == [*asked, (None, None)]


@pytest.mark.parametrize("options", [(), ("-R",)])
def test_text_has_the_symbol_of_a_clone_if_it_is_asked_for(run, clones, symbols, options):
    name = only_clone(symbols(clones), "only")
    start = symbols(clones)[name][0]
    without, line = (run("addr", *options, *more, clones, hex(start + 3)).out.splitlines()
                     for more in ((), ("--symbols",)))
    assert line == [*without[:-1], f"{without[-1]}\t[{name}+0x3]"]


def test_text_has_no_symbol_that_is_called_as_its_function(run, elf, clones):
    for path, name in ((clones, "main"), (elf("c"), "outside")):
        assert run("addr", "--symbols", path, name, "1").out == run("addr", path, name, "1").out


def test_symbols_are_not_for_filtered_text(run, clones):
    assert run("addr", "--symbols", "--filter", clones).status == 64


COLD = """
volatile long sink, other;
__attribute__((noinline, cold, noclone)) long rare(void) { sink = 3; return other; }
static inline __attribute__((always_inline)) long put(long item)
{
	sink = item;
	if (__builtin_expect(other != 0, 0)) {
		sink = rare();
		return sink = rare();
	}
	return 5;
}
long top(void) { long r = put(other * 3); sink = 2; return r; }
"""


def test_an_argument_may_be_known_in_another_section(run, tmp_path):
    building.need("gcc")
    (tmp_path / "cold.c").write_text(COLD)
    building.command("gcc", "-g", "-O2", "-c", "cold.c", "-o", "cold.o", cwd=tmp_path)
    row = json.loads(run("--json", "put", tmp_path / "cold.o").out)
    elsewhere = [parts for parts in row["ranges"] if len(parts) > 2]
    if not elsewhere:
        pytest.skip("this compiler leaves the code together")
    start, end, section = elsewhere[0]
    asked = [f"{section}+{addr:#x}" for addr in range(int(start, 16), int(end, 16))]
    stacks = [json.loads(line) for line in
              run("addr", "-p", "--json", tmp_path / "cold.o", *asked).out.splitlines()]
    places = [stack["frames"][0]["params"][0]["location"] for stack in stacks
              if stack["frames"][0]["function"] == "put"]
    away = {(place["known_section"], place["known_from"]) for place in places
            if place["known_section"]}
    text = run("addr", "-p", tmp_path / "cold.o", *asked).out
    for name, addr in away:
        assert any(int(first, 16) <= int(addr, 16) < int(last, 16)
                   for first, last, *other in row["ranges"] if (other or [row["section"]]) == [name])
        assert f"item=unavailable (known from {name}+{addr})" in text
    assert away
