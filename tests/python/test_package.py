"""The Python package: what it says is what the command says, and its errors are exceptions."""

import copy
import doctest
import gc
import json
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import threading
import warnings
import weakref
from array import array
from pathlib import Path

import pytest

SOURCES = {
    "c": ("gcc", "ring.c", """
static inline __attribute__((always_inline)) int square(int a) { return a * a; }
static inline __attribute__((always_inline)) int twice(int a, char *name) { return name[a] + square(a); }
int one(int a, char *name) { return twice(a, name) + square(a + 1); }
__attribute__((noinline)) int shared(int a) { return square(a) - 1; }
int main(int argc, char **argv) { return one(argc, argv[0]) + shared(argc); }
"""),
    "c++": ("g++", "shapes.cc", """
#include <vector>
#include <string>
namespace shapes { template <class T> struct Box { T a; T area() const { return a * a; } }; }
int main(int argc, char **argv) {
    std::vector<int> all; std::string name(argv[0]);
    for (int i = 0; i < argc; i++) all.push_back(shapes::Box<int>{i}.area() + (int)name.size());
    return all.back();
}
"""),
}


@pytest.fixture(scope="session", name="programs")
def fixture_programs(tmp_path_factory, ring, command, request):
    """Programs by name; those whose compiler is missing are left out."""
    folder = tmp_path_factory.mktemp("programs")
    built = {"ring": ring, "object": ring.parent / "ring.o"}
    if request.config.getoption("--long"):
        built["inlinecall"] = command
    for name, (compiler, file, text) in SOURCES.items():
        if shutil.which(compiler):
            (folder / file).write_text(text, encoding="utf-8")
            built[name] = folder / name
            subprocess.run([compiler, "-g", "-O2", folder / file, "-o", folder / name], check=True)
    return built


def ours(command, *arguments):
    """The rows that the command prints."""
    done = subprocess.run([command, *arguments, "--json"], capture_output=True, text=True,
                          check=False)
    assert done.returncode in (0, 1), done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return [row for row in rows if row["type"] != "limit"]


def as_json(value, printed):
    """A value as in JSON, where addresses are text."""
    if isinstance(value, dict):
        assert isinstance(printed, dict) and list(value) == list(printed)
        return {key: as_json(item, printed[key]) for key, item in value.items()}
    if isinstance(value, list | tuple) and isinstance(printed, list):
        assert len(value) == len(printed)
        return [as_json(item, other) for item, other in zip(value, printed)]
    if isinstance(value, int) and isinstance(printed, str):
        return hex(value)
    return value


KINDS = [
    ("sites", {"parts": True}, ["sites", "-a"]),
    ("sites", {"out_of_line": True, "calls": True, "parts": True},
     ["sites", "-a", "-o", "-c", "--parts"]),
    ("sites", {"parts": True, "parameters": True, "lists": True, "entries": True},
     ["sites", "-a", "-pp", "-e"]),
    ("sites", {"parts": True, "demangle": True, "base_names": True}, ["sites", "-a", "-C", "-s"]),
    ("counts", {"parts": True}, ["sites", "-a", "--count", "--parts"]),
    ("trees", {"parameters": True}, ["tree", "-a", "-p", "--min-bytes=0"]),
    ("statistics", {}, ["stats", "--limit=all"]),
    ("statistics", {"by": "caller", "order": "bytes"},
     ["stats", "--limit=all", "--by=caller", "--sort=bytes"]),
    ("arguments", {}, ["stats", "-p"]),
    ("sizes", {}, ["sizes", "--limit=all"]),
    ("sizes", {"by": "source", "order": "name", "limit": 2},
     ["sizes", "--limit=2", "--by=source", "--sort=name"]),
    ("lint", {}, ["lint", "--limit=all", "--severity=note"]),
    ("call_frames", {}, ["cfi"]),
]


@pytest.mark.parametrize("kind, options, arguments", KINDS, ids=str)
def test_rows_are_those_of_the_command(kind, options, arguments, programs, command, inlinecall):
    for name, path in programs.items():
        printed = ours(command, *arguments, path)
        with inlinecall.open(path) as file:
            rows = list(file.rows(kind, **options))
            assert file.problems == []
        assert len(rows) == len(printed), name
        for row, other in zip(rows, printed):
            assert as_json(row, other) == other, name
        assert rows or kind == "lint", name


def test_tables_are_those_of_an_export(programs, command, inlinecall):
    for name, path in programs.items():
        printed = ours(command, "export", path)
        for table in ("files", "units", "sources", "functions", "instances", "ranges", "arguments", "calls",
                      "problems"):
            expected = [row for row in printed if row["type"] == table[:-1]]
            with inlinecall.open(path) as file:
                rows = list(file.rows("table", by=table, parameters=True))
            assert len(rows) == len(expected), (name, table)
            for row, other in zip(rows, expected):
                assert as_json(row, other) == other, (name, table)
            assert rows or table in ("calls", "problems"), (name, table)


def test_rows_of_functions_are_those_of_the_command(ring, command, inlinecall):
    with inlinecall.open(ring) as file:
        for rows, arguments in [
                (file.rows("sites", "ring_*", match="glob"), ["sites", "-g", "ring_*"]),
                (file.rows("sites", "^check|put$", match="regex"), ["sites", "-r", "^check|put$"]),
                (file.rows("sites", "checksum", "ring_put", hosts=["queue_send"]),
                 ["sites", "--function=checksum", "--function=ring_put", "--in=queue_send"]),
                (file.rows("sites", "critical_enter", call_file="ring.h"),
                 ["sites", "-f", "ring.h", "critical_enter"]),
                (file.rows("trees", "queue_send", limit=2), ["tree", "-L1", "queue_send"]),
                (file.rows("verdicts", "checksum", "nobody", parameters=True, entries=True),
                 ["why", "--function=checksum", "--function=nobody"]),
                (file.rows("affected", "checksum"), ["affected", "checksum"]),
                (file.rows("affected", hosts=["queue_send"]), ["affected", "--reverse=queue_send"]),
        ]:
            printed = [row for row in ours(command, *arguments, ring) if row.get("of") != "all"]
            rows = list(rows)
            assert [as_json(row, other) for row, other in zip(rows, printed)] == printed
            assert len(rows) == len(printed) > 0


def test_frames_one_by_one_and_many_are_those_of_the_command(programs, command, inlinecall):
    for path in programs.values():
        with inlinecall.open(path) as file:
            code = [site["ranges"] for site in file.rows("sites", out_of_line=True)]
            addresses = [start + i for ranges in code for start, end, *other in ranges
                         for i in (0, (end - start) // 2) if not other]
            if file.is_relocatable:
                addresses = [start + 0x1000 for start in addresses]  # where its code is laid out
            addresses = random.Random(1).sample(addresses, min(len(addresses), 500)) + [1 << 50]
            found = file.frames_many(array("Q", addresses))
            rows = list(found.rows())
            stdin = "".join(f"{address:#x}\n" for address in addresses)
            done = subprocess.run([command, "addr", "--json", path], input=stdin, text=True,
                                  capture_output=True, check=False)
            printed = [json.loads(line) for line in done.stdout.splitlines()]
            assert len(printed) == len(addresses) == len(found)
            if file.is_relocatable:
                continue  # the command takes addresses as offsets in a section
            for number, (address, stack) in enumerate(zip(addresses, printed)):
                frames, status = file.lookup(address)
                assert frames == file.frames(address)
                assert (status == "found") == bool(stack["frames"])
                assert [(f.function, f.file, f.line, f.column, f.inlined) for f in frames] == [
                    (f["function"], f["file"], f["line"], f["column"], f["inlined"])
                    for f in stack["frames"]]
                assert [(f.function, f.display_name, f.file, f.line, f.column, f.inlined)
                        for f in frames] == [
                    (row["function"], row["display_name"], row["file"], row["line"], row["column"],
                     row["inlined"]) for row in rows if row["address"] == number]


def test_addresses_may_be_in_numpy(ring, inlinecall):
    numpy = pytest.importorskip("numpy")
    with inlinecall.open(ring) as file:
        found = file.frames_many(numpy.array([0x401040, 0x401040], dtype="u8"))
        assert numpy.asarray(found.offsets).tolist() == [0, 2, 4]
        assert numpy.shares_memory(numpy.asarray(found.line), numpy.asarray(found.line))
        assert file.frames(numpy.uint64(0x401040)) == file.frames(0x401040)
        assert inlinecall.Space().find(numpy.array([1], dtype="u8"))[0].status == "none"
        for wrong in (numpy.array([1], dtype="u4"), numpy.array([1.0]), b"12345678", [1],
                      numpy.array([1], dtype=">u8")):
            with pytest.raises(TypeError):
                file.frames_many(wrong)


def test_what_is_printed_in_docstrings_is_what_happens(ring, inlinecall):
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    with inlinecall.open(ring) as file:
        known = {"inlinecall": inlinecall, "file": file, "example": ring}
        tests = [doctest.DocTestParser().get_doctest(inlinecall.__doc__, dict(known), "package",
                                                     None, None)]
        for name in inlinecall.__all__:
            tests += finder.find(getattr(inlinecall, name), name, False, globs=dict(known))
        for test in tests:
            runner.run(test)
    assert (runner.failures, runner.tries > 15) == (0, True)


def test_types_are_checked_strictly(package_folder, tmp_path):
    if not shutil.which("mypy"):
        pytest.skip("no mypy")
    (tmp_path / "user.py").write_text("""
import inlinecall
from array import array

def hosts(path: str) -> list[str | None]:
    with inlinecall.open(path) as file:
        names = [frame.function for frame in file.frames(1)]
        number: int = len(file.frames_many(array("Q", [1])))
        tree: inlinecall.Tree = file.trees("f")[0]
        for parameter in file.sites("f", parameters=True)[0].parameters or []:
            names.append(parameter.location.register)
        for answer in inlinecall.process(1).find([number, tree.bytes or 0]):
            names.append(answer.frames[0].function)
        return names + [thread.frames[0].function for thread in inlinecall.backtrace(pid=1)]
""", encoding="utf-8")
    done = subprocess.run(["mypy", "--strict", "--python-version=3.11", "-p", "inlinecall", "-m",
                           "user"], cwd=tmp_path, capture_output=True, text=True, check=False,
                          env={**os.environ, "MYPYPATH": str(package_folder)})
    assert done.returncode == 0, done.stdout + done.stderr


# ---- Errors and problems

def test_errors_say_what_and_where(tmp_path, ring, inlinecall):
    with pytest.raises(inlinecall.Error) as raised:
        inlinecall.open("/nowhere/at/all")
    assert raised.value.code == "system" and raised.value.errno == 2
    assert "/nowhere/at/all" in str(raised.value)
    (tmp_path / "text").write_text("this is no ELF file")
    with pytest.raises(inlinecall.Error) as raised:
        inlinecall.open(tmp_path / "text")
    assert raised.value.code == "not_elf"
    subprocess.run(["strip", "-o", tmp_path / "stripped", ring], check=True)
    with pytest.raises(inlinecall.Error) as raised:
        inlinecall.open(tmp_path / "stripped")
    assert raised.value.code == "no_debug"
    with inlinecall.open(tmp_path / "stripped", allow_no_debug=True) as file:
        assert file.frames(0x401040) == [] and file.lookup(0x401040).status == "no_debug"
    with inlinecall.open(ring) as file:
        with pytest.raises(inlinecall.Error) as raised:
            file.lines("nothing.c", 1)
        assert raised.value.code == "not_found"
        with pytest.raises(inlinecall.Error) as raised:
            list(file.rows("sites", "(", match="regex"))
        assert raised.value.code == "argument"


def test_arguments_that_make_no_sense_are_refused(ring, inlinecall):
    with inlinecall.open(ring) as file:
        for wrong in (lambda: file.rows("nothing"), lambda: file.rows("sites", match="fuzzy"),
                      lambda: file.rows("statistics", by="weather"), file.why,
                      lambda: file.rows("sites", "a\0b"),
                      lambda: inlinecall.open(ring, source="tea"),
                      lambda: inlinecall.backtrace(), lambda: inlinecall.open("a\0b")):
            with pytest.raises(ValueError):
                wrong()
        for wrong in (lambda: file.rows("sites", inline=True), lambda: file.frames("main"),
                      lambda: file.rows("sites", 7)):
            with pytest.raises(TypeError):
                wrong()
        for wrong in (-1, 1 << 64):
            with pytest.raises(OverflowError):
                file.frames(wrong)


def test_what_could_not_be_read_is_a_warning_unless_it_was_looked_at(tmp_path, ring, inlinecall):
    data = bytearray(ring.read_bytes())
    with inlinecall.open(ring) as file:
        die = next(file.rows("sites", "checksum"))["die"]
    offset = section_offset(ring, ".debug_info")
    data[offset + die] = 0x7f  # no such abbreviation
    (tmp_path / "damaged").write_bytes(data)
    with pytest.warns(inlinecall.ProblemWarning, match=r"\.debug_info\+0x"):
        with inlinecall.open(tmp_path / "damaged") as file:
            list(file.rows("sites"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with inlinecall.open(tmp_path / "damaged") as file:
            list(file.rows("sites"))
            assert file.problems[0].section == ".debug_info"
            assert file.problems[0].offset >= die
    file = inlinecall.open(tmp_path / "damaged")
    list(file.rows("sites"))
    with pytest.warns(inlinecall.ProblemWarning):
        del file
        gc.collect()


def section_offset(path, name):
    lines = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    line = next(line for line in lines if f" {name} " in line)
    return int(line.split("]")[1].split()[3], 16)


def test_a_file_that_is_closed_answers_nothing_and_rows_keep_it_open(ring, inlinecall):
    file = inlinecall.open(ring)
    rows = file.rows("sites")
    frames = file.frames
    file.close()
    file.close()
    for question in (lambda: file.frames(1), lambda: file.lookup(1), lambda: file.rows("sites"),
                     lambda: file.problems):
        with pytest.raises(ValueError, match="closed"):
            question()
    assert len(list(rows)) == 5 and list(rows) == []
    assert frames(0x401040)  # from before
    assert repr(file) and file.path == str(ring)


def test_strings_of_a_file_that_are_not_utf_8_come_back_as_they_are(tmp_path, ring, inlinecall):
    changed = ring.read_bytes().replace(b"checksum\0", b"check\xff\xe9m\0")
    (tmp_path / "changed").write_bytes(changed)
    with inlinecall.open(tmp_path / "changed") as file:
        name = next(row["function"] for row in file.rows("sites") if "check" in row["function"])
        assert os.fsencode(name) == b"check\xff\xe9m"
        assert len(list(file.rows("sites", name))) == 1


def test_nothing_is_left_behind(programs, inlinecall):
    """Memory of the library and of Python: the same after 110 rounds as after 10."""
    def round_of_questions():
        with inlinecall.open(programs["ring"]) as file:
            list(file.rows("sites", parameters=True, lists=True, entries=True))
            file.frames_many(array("Q", [0x401040] * 100))
            file.trees(), file.why("checksum"), file.lint(), file.lines("ring.h", 25)
            rows = file.rows("sites")
            next(rows)
        for wrong in (lambda: file.rows("sites"), lambda: inlinecall.open("/nowhere")):
            with pytest.raises((ValueError, inlinecall.Error)):
                wrong()

    def kilobytes():
        gc.collect()
        return int(next(line for line in Path("/proc/self/status").read_text().splitlines()
                        if line.startswith("VmRSS")).split()[1])

    for _ in range(10):
        round_of_questions()
    before = kilobytes()
    for _ in range(100):
        round_of_questions()
    assert kilobytes() - before < 2000


def test_threads_may_share_a_file(command, inlinecall):
    with inlinecall.open(command) as file:
        wanted, answers, errors = None, [], []

        def ask():
            try:
                answers.append(([site.entry for site in file.sites("ic_cursor_more")],
                                file.frames(file.symbol("main").start)))
            except Exception as error:  # it must reach the test
                errors.append(error)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wanted = ([site.entry for site in file.sites("ic_cursor_more")],
                  file.frames(file.symbol("main").start))
        assert not errors and answers == 8 * [wanted] and wanted[0]


def test_an_exception_in_a_loop_over_rows_with_problems_is_that_exception(tmp_path, ring, inlinecall):
    data = bytearray(ring.read_bytes())
    offset = section_offset(ring, ".eh_frame")
    data[offset + 0x30:offset + 0x60] = b"\xff" * 0x30
    (tmp_path / "damaged").write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", inlinecall.ProblemWarning)
        with inlinecall.open(tmp_path / "damaged") as file:
            total = len(list(file.rows("call_frames")))
            assert file.problems and total
            for last in range(total):
                with pytest.raises(KeyError):
                    for number, _ in enumerate(file.rows("call_frames")):
                        if number == last:
                            raise KeyError(number)


def test_rows_that_outlive_their_file_warn_themselves(tmp_path, ring, inlinecall):
    data = bytearray(ring.read_bytes())
    offset = section_offset(ring, ".eh_frame")
    data[offset + 0x30:offset + 0x60] = b"\xff" * 0x30
    (tmp_path / "damaged").write_bytes(data)
    file = inlinecall.open(tmp_path / "damaged")
    rows = file.rows("call_frames")
    file.close()
    with pytest.warns(inlinecall.ProblemWarning):
        list(rows)


def test_rows_are_read_by_one_at_a_time(ring, inlinecall):
    """Making a row may run other code: of objects that are collected meanwhile."""
    code = f"""
import gc, inlinecall
file = inlinecall.open({str(ring)!r})
rows, refused, taken = file.rows("sites", parameters=True, lists=True, calls=True), 0, 0

class Garbage:
    def __init__(self):
        self.itself = self

    def __del__(self):
        global refused, taken
        try:
            taken += next(rows, None) is not None
        except ValueError:
            refused += 1

gc.set_threshold(2)
for row in rows:
    taken += 1
    Garbage(), Garbage()
gc.set_threshold(700)
print(taken)
"""
    folder = Path(inlinecall.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(folder)})
    with inlinecall.open(ring) as file:
        assert int(done.stdout) == len(list(file.rows("sites", calls=True))), done.stderr


def test_numbers_are_not_cut(ring, inlinecall):
    with inlinecall.open(ring) as file:
        for wrong in (lambda: file.lines("ring.h", (1 << 32) + 25), lambda: file.lines("ring.h", -1),
                      lambda: file.stats(limit=-1), lambda: file.stats(limit=1 << 64),
                      lambda: inlinecall.open(ring, max_memory=-1),
                      lambda: inlinecall.process((1 << 32) + os.getpid()),
                      lambda: inlinecall.backtrace(pid=1 << 40),
                      lambda: inlinecall.Space().add(1 << 64, (1 << 64) + 1, 0, ring)):
            with pytest.raises(OverflowError):
                wrong()
        assert len(file.trees("queue_send", levels=1 << 32)[0].children) == 2
        assert len(file.lint(limit=1 << 32)) == len(file.lint())


def test_what_rows_do_not_depend_on_is_refused(ring, inlinecall):
    with inlinecall.open(ring) as file:
        for wrong in (lambda: file.rows("sizes", "name"), lambda: file.rows("lint", hosts=["x"]),
                      lambda: file.rows("sites", hosts="queue_send"),
                      lambda: inlinecall.open(ring, debug_dirs="/usr"),
                      lambda: inlinecall.Space().find(b"12345678")):
            with pytest.raises(TypeError):
                wrong()
        with pytest.raises(ValueError):
            file.rows("verdicts")
        assert file.sites("checksum", lists=True)[0].parameters[0].ranges


def test_problems_of_a_space_are_told_once(tmp_path, ring, inlinecall):
    data = bytearray(ring.read_bytes())
    with inlinecall.open(ring) as file:
        die = next(file.rows("sites", "checksum"))["die"]
    data[section_offset(ring, ".debug_info") + die] = 0x7f
    (tmp_path / "damaged").write_bytes(data)
    space = inlinecall.Space()
    space.add(0x7000000, 0x7001000, section_offset(ring, ".text"), tmp_path / "damaged")
    for _ in range(3):
        space.find([0x7000040])
    assert len(space.problems) == len(set(space.problems)) > 0
    assert space.problems[0].file == str(tmp_path / "damaged")
    with pytest.warns(inlinecall.ProblemWarning, match="mappings"):
        with inlinecall.Space() as unseen:
            unseen.add(0x7000000, 0x7001000, section_offset(ring, ".text"), tmp_path / "damaged")
            unseen.find([0x7000040])


def test_frames_can_be_sent_to_others_and_files_cannot(ring, inlinecall):
    with inlinecall.open(ring) as file:
        found = file.frames_many(array("Q", [0x401040]))
        again = pickle.loads(pickle.dumps(found))
        assert list(again.rows()) == list(found.rows())
        with pytest.raises(TypeError):
            copy.copy(file)
        reference = weakref.ref(file)
    with pytest.raises(ValueError):
        file.__enter__()
    del file
    assert reference() is None  # without a collection


# ---- Memory and stacks

def test_a_process_and_its_stack_are_known(programs, inlinecall):
    if "c" not in programs:
        pytest.skip("no gcc")
    source = programs["c"].parent / "waits.c"
    source.write_text("""
#include <unistd.h>
static inline __attribute__((always_inline)) void rest(int number) { write(1, "x", 1); pause(); }
__attribute__((noinline)) void waits(int number) { rest(number + 1); write(2, "", 0); }
int main(void) { waits(41); return 0; }
""", encoding="utf-8")
    program = source.with_suffix("")
    subprocess.run(["gcc", "-g", "-O1", source, "-o", program], check=True)
    with subprocess.Popen([program], stdout=subprocess.PIPE) as running:
        assert running.stdout.read(1) == b"x"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", inlinecall.ProblemWarning)  # libc's own, if any
            stacks = inlinecall.backtrace(pid=running.pid, arguments=True)
        names = [frame.function for frame in stacks[0].frames]
        waits = names.index("waits")
        assert names[waits - 1] == "rest" and stacks[0].frames[waits - 1].inlined
        assert names[waits + 1] == "main"
        assert [str(value) for value in stacks[0].frames[waits - 1].arguments] == ["number=42"]
        assert "rest(number=42)" in str(stacks[0])
        space = inlinecall.process(running.pid)
        address = stacks[0].frames[waits].address - 1
        answer, nothing = space.find([address, 1])
        assert [frame.function for frame in answer.frames] == ["rest", "waits"]
        assert (answer.status, answer.path) == ("file", str(program))
        assert (nothing.status, nothing.frames) == ("none", [])
        running.send_signal(signal.SIGKILL)


def test_the_running_kernel_is_known(inlinecall):
    lines = Path("/proc/kallsyms").read_text(encoding="ascii").splitlines()
    addresses = [int(line.split()[0], 16) for line in lines if line.split()[2] == "vfs_read"]
    if not addresses or not addresses[0]:
        pytest.skip("the kernel's symbols may not be read")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", inlinecall.ProblemWarning)
        space = inlinecall.kernel()
        answer = space.find([addresses[0] + 1])[0]
        assert answer.frames[-1].function == "vfs_read" and answer.status in ("symbol", "file")
        assert space.problems or answer.status == "file"  # why there is only a symbol
        del space


def test_a_space_that_is_closed_answers_nothing(ring, inlinecall):
    with inlinecall.Space() as space:
        space.add(0x7000000, 0x7001000, section_offset(ring, ".text"), ring)
        assert space.find([0x7000040])[0].frames
    space.close()
    for asked in (lambda: space.find([0x7000040]), lambda: space.problems, space.__enter__,
                  lambda: space.add(0, 1, 0, ring)):
        with pytest.raises(ValueError, match="the space is closed"):
            asked()


def test_a_space_can_be_described(ring, inlinecall):
    space = inlinecall.Space()
    with inlinecall.open(ring) as file:
        offset = section_offset(ring, ".text")
        space.add(0x7000000, 0x7001000, offset, ring)
        answer = space.find([0x7000040])[0]
        assert answer.frames == file.frames(0x401040) and answer.address == 0x401040
    other = inlinecall.Space()
    other.add(0x7000000, 0x7001000, offset, ring, b"12345678901234567890")
    refused = other.find([0x7000040])[0]
    assert refused.status == "unopened" and "build ID" in refused.reason


def test_a_notebook_shows_tables_and_trees(ring, inlinecall):
    with inlinecall.open(ring) as file:
        table, tree = file.stats()._repr_html_(), file.trees("queue_send")[0]
        assert table.count("<tr>") == 1 + len(file.stats()) and "ring_put" in table
        assert [item.function for item in tree] == ["queue_send", "checksum", "ring_put",
                                                    "critical_enter"]
        assert tree._repr_html_().count("<details") == tree._repr_html_().count("</details>") == 2
        assert str(tree).splitlines()[3].startswith("    critical_enter")
    assert "<td>&lt;b&gt;</td>" in inlinecall.Table([{"name": "<b>"}])._repr_html_()


def test_the_package_is_imported_fast_enough_and_alone(package_folder):
    """It needs nothing that Python does not have."""
    done = subprocess.run([sys.executable, "-S", "-c", "import inlinecall; print(inlinecall.version)"],
                          cwd=package_folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.count(".") == 2
