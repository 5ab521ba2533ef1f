#!/usr/bin/env python3
"""Holds the law of layers: a folder of lib/ includes only from the folders that LAYERS names.

Also: an outside library is reached from one folder only, no files include each other in a circle,
no name occurs twice in lib/, no file or function is too long to be read, and lib/ calls nothing
that several threads cannot.

usage: check_layers.py [ROOT]

Prints FILE:LINE: what, why. Exit status 1 where it found anything.
"""

import pathlib
import re
import sys

LAYERS = {  # folder of lib/: the folders that it may include from, besides its own
    "base": "",
    "elf": "base go",
    "dwarf": "base",
    "go": "base",
    "model": "base",
    "scan": "base btf elf dwarf go model",
    "symbolize": "base elf dwarf model scan query",
    "code": "base elf model",
    "query": "base model",
    "btf": "base model",
    "lint": "base elf dwarf model scan",
    "emit": "base elf dwarf go model scan",
    "encode": "base elf dwarf model scan btf",
    "process": "base elf",
    "unwind": "base elf dwarf process",
    "pages": "base",
    "profile": "base elf pages process",
    "recording": "base elf process profile unwind",
    "probe": "base model query",
    "report": "base model pages query probe",
    "text": "base",
    "trace": "base elf model query probe process unwind",
}

OUTSIDE = [  # headers of outside libraries, and the only place that may include them
    (r"(libelf|gelf|elf)\.h", "lib/elf/", "libelf is reached from lib/elf/ only"),
    (r"(libdeflate|zstd.*|lz4.*|zlib|lzma)\.h", "lib/elf/", "sections are decompressed in lib/elf/ only"),
    (r"elfutils/debuginfod\.h", "lib/elf/debuginfod.c",
     "libdebuginfod is reached from lib/elf/debuginfod.c only"),
    (r"capstone/.*\.h", "lib/code/disassembler.c",
     "libcapstone is reached from lib/code/disassembler.c only"),
    (r"(libiberty/)?(demangle|libiberty)\.h", "lib/base/demangle.c",
     "libiberty is reached from lib/base/demangle.c only"),
]

MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 80
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes(path):
    """The includes of a file: (line number, is it quoted?, what is named)."""
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1] == '"', match[2]


def wrong_include(where, quoted, name):
    """Why the file `where` ("lib/elf/image.c") may not include `name`; None if it may."""
    top, folder = where.split("/")[0], where.split("/")[1]
    for pattern, place, why in OUTSIDE:
        outside = not quoted or "/" in name  # "elf.h" would be a file of the same folder
        if outside and re.fullmatch(pattern, name) and not where.startswith(place):
            return why
    if name.startswith("inlinecall/") or not quoted:
        return None
    if top == "cli":
        return "cli/ sees its own folder and <inlinecall/...> only" if "/" in name else None
    target = name.split("/")[0]
    if top == "include":
        return "public headers include <inlinecall/...> only" if target in LAYERS else None
    if "/" not in name:
        return f'includes are written from lib/ on: "{folder}/{name}"'
    if target != folder and target not in LAYERS[folder].split():
        allowed = LAYERS[folder].replace(" ", ", ") or "no other folder"
        return f"{folder}/ may include from {allowed}"
    return None


def check_folders(root, files):
    for path in files:
        where = path.relative_to(root).as_posix()
        if where.startswith("lib/") and (where.count("/") != 2 or path.parent.name not in LAYERS):
            yield where, 1, "is in no layer", "lib/ has one folder a layer, named in LAYERS"
            continue
        for number, quoted, name in includes(path):
            if why := wrong_include(where, quoted, name):
                yield where, number, f"includes {name}", why


def check_calls(root, files):
    """The library may be used by several threads; the program's own code has one."""
    for path in files:
        where = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if where.startswith("lib/") and re.search(r"\bstrerror *\(", line.split("//")[0]):
                yield where, number, "calls strerror()", "base/error.h has ic_error_text()"


def check_names(root, files):
    first = {}
    for path in files:
        if path.is_relative_to(root / "lib"):
            other = first.setdefault(path.stem, path)
            if other.parent != path.parent:
                what = f"shares its name with {other.relative_to(root)}"
                yield path.relative_to(root), 1, what, "no name occurs twice in lib/"


def check_circles(root, files):
    """A module is what shares a stem: x.h, x.c and x.def. Modules must not include in a circle."""
    graph = {}  # module: {module it includes: (file, line)}
    for path in files:
        folder = next((root / name for name in ("lib", "cli") if path.is_relative_to(root / name)),
                      None)
        if folder:
            module = path.relative_to(folder).with_suffix("").as_posix()
            edges = graph.setdefault(module, {})
            for number, quoted, name in includes(path):
                target = str(pathlib.PurePosixPath(name).with_suffix(""))
                if quoted and target != module:
                    edges.setdefault(target, (path.relative_to(root), number))
    done, trail = set(), []

    def visit(module):
        if module in trail:
            circle = trail[trail.index(module):] + [module]
            where, number = graph[circle[-2]][module]
            what = "closes a circle: " + " -> ".join(circle)
            yield where, number, what, "dependencies point one way"
        elif module in graph and module not in done:
            trail.append(module)
            for target in graph[module]:
                yield from visit(target)
            done.add(trail.pop())

    for module in graph:
        yield from visit(module)


def check_lengths(root, files):
    for path in files:
        where, lines = path.relative_to(root), path.read_text(errors="replace").splitlines()
        if len(lines) > MAX_FILE_LINES:
            what = f"the file has {len(lines)} lines"
            yield where, MAX_FILE_LINES, what, f"at most {MAX_FILE_LINES} can be read"
        start = None
        for number, line in enumerate(lines, 1):
            if line.rstrip() == "{":
                start = number
            elif line.startswith("}") and start:
                size = number - start + 1
                if size > MAX_FUNCTION_LINES:
                    what = f"the function has {size} lines"
                    yield where, start, what, f"at most {MAX_FUNCTION_LINES} can be read"
                start = None


def sources(root, *folders):
    paths = (path for folder in folders for path in (root / folder).rglob("*"))
    return sorted(path for path in paths if path.suffix in (".c", ".h", ".def"))


def check(root):
    product = sources(root, "lib", "cli", "include")
    everything = product + sources(root, "tests", "bench", "examples")
    findings = []
    for find in check_folders, check_calls, check_names, check_circles:
        findings += find(root, product)
    findings += check_lengths(root, [path for path in everything if path.suffix != ".def"])
    return findings, len(everything)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]
    findings, count = check(pathlib.Path(root).resolve())
    for where, number, what, why in findings:
        print(f"{where}:{number}: {what}, {why}")
    print(f"{count} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
