"""Programs with a counter in each function, and the same ones without, by several compilers."""

import concurrent.futures
import json
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path
from typing import Callable, NamedTuple

import calling_program
import counter_source
from packages import fetched
from source_packages import NotThere, fetched_source

PROGRAMS = Path(__file__).resolve().parent / "programs"
DRIVERS = {("gcc", "c"): "gcc", ("gcc", "c++"): "g++",
           ("clang", "c"): "clang", ("clang", "c++"): "clang++"}
C_BUILDS = ("gcc -O2", "gcc -O3", "gcc -Os", "clang -O2", "clang -O3")
RUST_BUILDS = ("rustc -O",)


class Source(NamedTuple):
    """What is compiled, and how it is run."""

    root: Path  # functions of files below this are counted
    files: list
    arguments: tuple  # of the program
    flags: tuple = ()
    libraries: tuple = ()
    main: str = ""  # of Rust: what makes a program of a library


class Program(NamedTuple):
    name: str
    language: str
    source: Callable  # of a folder for what is made, the Source
    functions: tuple = ("-g", "*")  # those that are traced
    is_long: bool = True

    def builds(self):
        return RUST_BUILDS if self.language == "rust" else C_BUILDS


class Made(NamedTuple):
    """A program with counters, in a folder of its own."""

    folder: Path
    arguments: list
    functions: list  # how inlinecall is asked for them
    counters: list  # by number: counter_source.Function

    @property
    def program(self):
        return self.folder / "counted"

    @property
    def plain(self):
        return self.folder / "plain"


def opened(folder):
    text = json.loads((Path(folder) / "counters.json").read_text())
    return Made(Path(folder), text["arguments"], text["functions"],
                [counter_source.Function(*item) for item in text["counters"]])


def run(*words, cwd=None):
    words = [str(word) for word in words]
    result = subprocess.run(words, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"{' '.join(words)}\n{result.stdout[-4000:]}")
    return result.stdout


def make(program, build, folder):
    """The program with and without counters, made in the folder unless it is there."""
    if (folder / "counters.json").exists():
        return opened(folder)
    if platform.machine() != "x86_64":
        raise NotThere("the counters are for x86-64")
    tool = build.split()[0]
    tool = DRIVERS.get((tool, program.language), tool)
    if not shutil.which(tool):
        raise NotThere(f"no {tool}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    source = program.source(folder)
    numbers = {}
    compile_all = make_rust if program.language == "rust" else make_c
    compile_all(source, [tool, *build.split()[1:], "-g"], folder, numbers)
    (folder / "counters.json").write_text(json.dumps({
        "arguments": [str(word) for word in source.arguments], "functions": program.functions,
        "counters": list(numbers)}))
    return opened(folder)


def make_c(source, compiler, folder, numbers):
    def is_ours(file):
        return file.startswith(str(source.root))

    units = []
    for number, path in enumerate(source.files):
        suffix = ".i" if path.suffix == ".c" else ".ii"
        text = run(*compiler, *source.flags, "-E", path)
        found = list(counter_source.c_definitions(text, is_ours))
        counted = counter_source.insert(text, found, numbers, counter_source.C_COUNTER)
        for kind, content in ("counted", counted), ("plain", text):
            units.append(folder / f"{kind}-{number}{suffix}")
            units[-1].write_text(content)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda unit: run(*compiler, *source.flags, "-w", "-c", unit.name, "-o",
                                       unit.with_suffix(".o"), cwd=folder), units))
    for kind in "counted", "plain":
        objects = [unit.with_suffix(".o") for unit in units if unit.name.startswith(kind)]
        link = [*compiler, *objects, *source.libraries, "-o", folder / kind]
        run(*link, *([counters_object(folder, len(numbers))] if kind == "counted" else []))
        for path in objects:
            path.unlink()


def make_rust(source, compiler, folder, numbers):
    """The files are those of a crate: the first one is its root."""
    for kind in "plain", "counted":
        for path in source.files:
            text = path.read_text()
            if path == source.files[0]:
                text = text.replace("#![forbid(unsafe_code)]", "") + source.main
            # The path that debug information has is that of the copy.
            copy = folder / f"{kind}-crate" / path.relative_to(source.root)
            if kind == "counted":
                found = counter_source.rust_definitions(text, str(copy))
                text = counter_source.insert(text, found, numbers, counter_source.RUST_COUNTER)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text)
    for kind in "plain", "counted":
        root = folder / f"{kind}-crate" / source.files[0].relative_to(source.root)
        link = ["-C", f"link-arg={counters_object(folder, len(numbers))}"]
        run(*compiler, *source.flags, "--crate-type", "bin", "--cap-lints", "allow", "-o",
            folder / kind, *(link if kind == "counted" else []), root)


def counters_object(folder, count):
    path = folder / "counters.o"
    run("gcc", "-O1", f"-DCOUNTED={count}", "-c", PROGRAMS / "count_calls.c", "-o", path)
    return path


def own(name, *arguments):
    """A program of our own, in one file."""
    return lambda folder: Source(PROGRAMS, [PROGRAMS / name], arguments)


def random_calls(first, last):
    """Random programs in one, a unit for each seed."""
    def source(folder):
        units = [calling_program.Program(seed) for seed in range(first, last + 1)]
        files = [folder / "main.c", *(folder / f"{unit.name}.c" for unit in units)]
        for path, text in zip(files, (calling_program.main_of(units), *(unit.text() for unit in units))):
            path.write_text(text)
        return Source(folder, files, ())

    return source


def from_package(package):
    return fetched_source(package, f"source-{package}").resolve()


def lua(folder):
    root = from_package("lua5.4") / "src"
    files = [path for path in sorted(root.glob("*.c")) if path.name != "luac.c"]
    return Source(root, files, (PROGRAMS / "counted.lua",), ("-DLUA_USE_POSIX",), ("-lm",))


def zstd(folder):
    root = from_package("zstd")
    files = [path for part in ("lib/common", "lib/compress", "lib/decompress", "lib/dictBuilder",
                               "programs") for path in sorted((root / part).glob("*.c"))]
    flags = ["-DZSTD_DISABLE_ASM", "-DXXH_NAMESPACE=ZSTD_", "-DZSTD_LEGACY_SUPPORT=0",
             *(f"-I{root / part}" for part in ("lib", "lib/common", "lib/dictBuilder"))]
    data = folder / "data"
    data.write_bytes((root / "lib/compress/zstd_compress.c").read_bytes()[:1500])
    return Source(root, files, ("-b1", "-e19", "-i0", "-q", data), tuple(flags))


def ninja(folder):
    root = from_package("ninja-build") / "src"
    files = [path for path in sorted(root.glob("*.cc")) if not re.search(
        r"test|win32|browse|getopt|\.in\.|bench|helper_main", path.name)]
    build = folder / "build"
    build.mkdir()
    lines = ["rule cc", "  command = cc -c $in -o $out", "  depfile = $out.d", "  deps = gcc",
             "rule link", "  command = cc $in -o $out", "  description = LINK $out"]
    for number in range(40):
        (build / f"unit{number}.c").write_text("")
        lines += [f"build out/unit{number}.o: cc unit{number}.c | unit{number % 7}.c", "  pool = few"]
    objects = " ".join(f"out/unit{number}.o" for number in range(40))
    lines += [f"build program: link {objects}", "build everything: phony program",
              "default everything"]
    (build / "build.ninja").write_text("\n".join(["pool few", "  depth = 3", *lines, ""]))
    return Source(root, files, ("-C", build, "-n", "-v", "-d", "explain", "-d", "stats"))


def sqlite(folder):
    root = from_package("sqlite3")
    amalgamation = folder.parent / "amalgamation"
    if not (amalgamation / "shell.c").exists():
        if not shutil.which("tclsh"):
            raise NotThere("no tclsh")
        amalgamation.mkdir(exist_ok=True)
        run(root / "configure", "--disable-readline", cwd=amalgamation)
        run("make", "sqlite3.c", "shell.c", cwd=amalgamation)
    flags = ("-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-DSQLITE_ENABLE_FTS5",
             f"-I{amalgamation}")
    return Source(amalgamation, [amalgamation / "sqlite3.c", amalgamation / "shell.c"],
                  ("-batch", ":memory:", f".read {PROGRAMS / 'counted.sql'}"), flags, ("-lm",))


RUST_MAIN = """
fn main() {
    for pattern in include_str!(%r).lines() {
        match Parser::new().parse(pattern) {
            Ok(found) => println!("{:?} {}", found, found),
            Err(error) => println!("{}", error),
        }
    }
}
"""


def regex_syntax(folder):
    package = fetched("librust-regex-syntax-dev").resolve()
    root = next(package.glob("usr/share/cargo/registry/regex-syntax-*")) / "src"
    files = [root / "lib.rs", *(path for path in sorted(root.rglob("*.rs")) if path.name != "lib.rs")]
    features = [word for name in ("unicode", "unicode-age", "unicode-bool", "unicode-case",
                                  "unicode-gencat", "unicode-perl", "unicode-script",
                                  "unicode-segment") for word in ("--cfg", f'feature="{name}"')]
    return Source(root, files, (), ("--edition", "2018", "--crate-name", "regex_syntax", *features),
                  main=(RUST_MAIN % str(PROGRAMS / "counted.regex")).replace("'", '"'))


ALL = {program.name: program for program in (
    Program("counted.c", "c", own("counted.c"), is_long=False),
    Program("counted.cpp", "c++", own("counted.cpp"), is_long=False),
    Program("counted.rs", "rust", own("counted.rs"), ("-r", "^counted::"), is_long=False),
    Program("random", "c", random_calls(1, 8), is_long=False),
    Program("more random", "c", random_calls(9, 60)),
    Program("lua", "c", lua), Program("zstd", "c", zstd), Program("sqlite", "c", sqlite),
    Program("ninja", "c++", ninja),
    Program("regex-syntax", "rust", regex_syntax, ("-r", "^regex_syntax::")))}
