"""Allocations fail in turn, under every command: the answer is whole, or it is said that memory is out."""

import os
import re
import resource
import subprocess
from pathlib import Path

import pytest

import law
import otel_messages
import pprof_messages
import recordings
import samples

HERE = Path(__file__).resolve().parent
POINTS = 40  # of one command, without --long


@pytest.fixture(name="preloaded", scope="module")
def fixture_preloaded(tmp_path_factory, environment):
    path = tmp_path_factory.mktemp("failing") / "failing.so"
    samples.run("gcc", "-O2", "-w", "-shared", "-fPIC", "-o", path, HERE / "failing_malloc.c", cwd=HERE)
    return {**environment, "LD_PRELOAD": str(path), "LC_ALL": "C"}  # trees of ASCII, as without memory


def make_core(folder):
    """The core of a program that was called with arguments."""
    (folder / "crash.c").write_text("__attribute__((noinline)) int leaf(int n, const char *s) { return *s / n; }\n"
                                    "__attribute__((noinline)) int middle(int n) { return leaf(n - 1, \"a\") + 1; }\n"
                                    "int main(int argc, char **argv) { return middle(argc) + argc; }\n")
    samples.run("gcc", "-O2", "-g", "crash.c", "-o", "crash", cwd=folder)
    subprocess.run([folder / "crash"], cwd=folder, check=False, preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)))
    cores = [*folder.glob("core*")]
    if not cores:
        pytest.skip("the kernel leaves no core in the working directory")
    return cores[0]


def make_recording(folder, path):
    """A recording of perf with samples in the code of a program."""
    loads = samples.run("readelf", "-lW", path, cwd=folder)
    off, size = (int(number, 16) for number in re.search(
        r"LOAD +(0x\w+) \S+ \S+ (0x\w+) \S+ R E", loads).groups())
    start = 0x550000000000
    records = [recordings.comm(7, 7, "busy"), recordings.mapping(7, start, size, off, path)]
    records += [recordings.sample(7, 7, at, 100, [start + at, start + at // 2 + 1])
                for at in range(0, size, max(1, size // 50))]
    (folder / "perf.data").write_bytes(recordings.recording(records))
    return folder / "perf.data"


def make_profiles(folder, path):
    """(of pprof, folded, as perf prints it): of addresses, of names, and of both."""
    profile = pprof_messages.Profile(("samples", "count"), ("cpu", "seconds"))
    mapping = profile.mapping(str(path), 0x10000, 0x20000)
    named = [(profile.function(name, f"_ZN1a{name[0]}Ev", "a.cpp", 3), 7) for name in ("inner", "outer")]
    found = [profile.location(mapping, 0x11000 + 16 * i, named[:i % 3]) for i in range(20)]
    named = [profile.location(0, 0, named), profile.location(0, 0x1010, named)]
    for i, place in enumerate(found):
        profile.sample([place, named[i % 2]], [1, i], [("thread", "busy"), ("pid", 7), ("tid", i % 3)])
    (folder / "p").write_bytes(profile.bytes())
    (folder / "folded").write_text("".join(
        f"main;f{i};{path}+{0x1000 + 16 * i:#x};g_[i];read_[k];h_[i] {i}\n" for i in range(20)))
    (folder / "text").write_text(
        f"# os release : 6.1.0\na 7 1.5: PERF_RECORD_MMAP2 7/7: [0x550000000000(0x9000) @ 0 0 0 0]: r-xp {path}\n" +
        "".join(f"a b 7/8 1.6: {i} cycles:\n\t{0x550000001000 + 16 * i:x} g (inlined)\n"
                f"\t{0x550000001000 + 16 * i:x} f{i} ({path})\n\t20 j (//anon)\n\n"
                for i in range(20)))
    return folder / "p", folder / "folded", folder / "text"


def make_otel(folder, path):
    """Two messages of OpenTelemetry, with the same in other words."""
    data = otel_messages.Data()
    data.resource(process_pid=7, process_executable_path=path, process_executable_name="busy")
    mapping = data.mapping(path.rsplit("/", 1)[1], 0x10000, 0x20000)
    named = [(data.function(name, f"_ZN1a{name[0]}Ev", "a.cpp", 3), 7) for name in ("inner", "outer")]
    found = [data.location(mapping, 0x11000 + 16 * i, named[:i % 3], "native") for i in range(20)]
    named = [data.location(0, 0, named, "jvm"), data.location(0, 0x1010, named, "ruby")]
    for kind, unit in ("samples", "count"), ("cpu", "seconds"):
        data.profile(kind, unit)
        for i, place in enumerate(found):
            data.sample([place, named[i % 2]], [1], [5], {"thread.name": "busy", "thread.id": i % 3})
    (folder / "otel").write_bytes(otel_messages.framed(data.bytes(), data.bytes()))
    return folder / "otel"


def make_compiled(folder):
    """A recording with code that a process has compiled itself, and listed."""
    (folder / "tmp").mkdir()
    (folder / "tmp" / "perf-7.map").write_text("".join(f"{0x1000 + 16 * i:x} 10 f{i}->g->h\n" for i in range(20)))
    (folder / "compiled.data").write_bytes(recordings.recording(
        [recordings.comm(7, 7, "vm"), recordings.mapping(7, 0x1000, 0x1000, 0, "//anon")] +
        [recordings.sample(7, 7, i, 5, [0x1000 + 16 * i, 0x1009]) for i in range(30)]))
    return folder / "compiled.data"


def commands(folder, program):
    """[(name, words, input), ...] for the files in the folder."""
    sample = samples.make("gcc-5", folder / "gcc-5")
    split, package, shared, mini, linked, archive, other = (
        samples.make(name, folder / name).asked
        for name in ("dwo-5", "dwp-4", "dwz", "mini", "debug-link", "archive", "riscv64"))
    of_types = samples.make("object-types", folder / "object-types")
    path, function = sample.asked, law.function_of(sample)
    places = law.places_of(program, sample, os.environ)
    out, core = folder / "out", make_core(folder)
    (folder / "words").write_text(" ".join(["-afi", "-e", str(path), *places]))
    recording = make_recording(folder, path)
    of_pprof, folded, text = make_profiles(folder, path)
    words = {
        "sites": ("-p", "-p", "-a", path),
        "sites-json": ("--json", "-e", "-a", "-o", "-c", path),
        "split": ("-p", "-a", split),
        "package": ("-p", "-a", package),
        "shared": ("-a", "-o", shared),
        "archive": ("-a", archive),
        "listed": ("-a", "-"),
        "types": ("-p", "-p", "-a", of_types.asked),
        "other-machine": ("-e", "-a", other),
        "globs": ("-g", "c*", "-g", "*n", path),
        "count": ("--count", "-a", path),
        "tree": ("tree", "-a", path),
        "why": ("why", function, path),
        "stats": ("stats", "-p", path),
        "lines": ("lines", path, "shapes.h:16"),
        "addr": ("addr", "-p", path, *places),
        "addr-scopes": ("addr", "-C", of_types.asked,
                        *law.places_of(program, of_types, os.environ)),
        "addr-symbols": ("addr", path, "main"),
        "addr-mini": ("addr", mini, "main", "loops"),
        "addr-linked": ("addr", linked, *places),
        "gnu": ("addr", "--style=gnu", "-afi", "-e", path, *places),
        "gnu-file": ("addr", "--style=gnu", f"@{folder / 'words'}"),
        "llvm": ("addr", "--style=llvm", f"--obj={path}", *places),
        "filter": ("addr", "--filter", path),
        "filter-named": ("addr", "--filter"),
        "probe": ("probe", "--exit", function, path),
        "probe-gdb": ("probe", "--for=gdb", function, path),
        "probe-line": ("probe", "--line=shapes.h:16", path),
        "backtrace": ("backtrace", "-v", "--core", core),
        "backtrace-group": ("backtrace", "--group", "--core", core, "--core", core),
        "stats-by": ("stats", "--by=file", path),
        "sizes": ("sizes", "--json", path),
        "check": ("check", "--init", of_types.asked),
        "affected": ("affected", "leaf", of_types.asked),
        "diff": ("diff", path, of_types.asked),
        "diff-by": ("diff", "--by=directory", path, of_types.asked),
        "diff-page": ("diff", "--html=-", path, of_types.asked),
        "sizes-page": ("sizes", "--html=-", path),
        "tree-page": ("tree", "-a", f"--html={out}", path),
        "sizes-by": ("sizes", "--by=template", of_types.asked),
        "cfi": ("cfi", path),
        "cfi-raw": ("cfi", "--raw", path),
        "export": ("export", path),
        "export-sqlite": ("export", f"--sqlite={out}", path),
        "export-csv": ("export", f"--csv-dir={folder / 'csv'}", path),
        "lint": ("lint", path),
        "profile": ("profile", recording),
        "profile-calls": ("profile", "--by=call", "--csv", recording),
        "profile-folded": ("profile", "--folded", recording),
        "profile-forms": ("profile", f"--pprof={out}", "--speedscope=-", recording),
        "profile-page": ("profile", "--html=-", recording),
        "profile-firefox": ("profile", "--firefox=-", recording),
        "profile-of-pprof": ("profile", "--by=call", of_pprof),
        "profile-of-otel": ("profile", "--by=thread", make_otel(folder, path)),
        "profile-of-folded": ("profile", folded),
        "profile-of-text": ("profile", text),
        "profile-of-compiled": ("profile", f"--sysroot={folder}", make_compiled(folder)),
        "emit": ("emit", f"--output={out}", path),
        "encode": ("btf", "encode", "--missing=extend", f"--output={out}", path),
    }
    inputs = {"filter": f"{path}(+{places[0]})\n", "listed": f"{path}\n{archive}\n",
              "filter-named": f"    Executable: {path}\n{Path(path).name}(+{places[0]})\n{linked}(+{places[0]})\n"}
    return {name: ([program, *words_, "-j1"], inputs.get(name, ""))
            for name, words_ in words.items()}, out


def ask(words, text, out, environment, **more):
    out.unlink(missing_ok=True)
    result = subprocess.run(words, input=text.encode(), capture_output=True, timeout=60, check=False,
                            env={**environment, **more})
    written = out.read_bytes() if out.exists() else b""
    return result.returncode, result.stdout, result.stderr, written


def test_an_allocation_that_fails_is_said(tmp_path, program, preloaded, request):
    if "asan" in program:
        pytest.skip("ASan has its own allocator")
    asked, out = commands(tmp_path, program)
    found = []
    for name, (words, text) in asked.items():
        sound = ask(words, text, out, preloaded, COUNT_INTO=str(tmp_path / "count"))
        count = int((tmp_path / "count").read_text())
        step = max(1, count // (10 * POINTS if request.config.getoption("--long") else POINTS))
        for at in range(1, count + 1, step):
            for once in ({"FAIL_ONCE": "1"}, {}):
                answer = ask(words, text, out, preloaded, FAIL_AT=str(at), **once)
                told = answer[2] and (answer[0] == (1 if name in ("gnu", "gnu-file", "llvm") else 2) or
                                      b"cannot load " in answer[2])
                if answer[0] < 0 or answer[0] > 64 or not (told or answer == sound):
                    found.append((name, at, "once" if once else "on", answer[0], answer[2][:200]))
    assert not found, "\n".join(map(str, found))
