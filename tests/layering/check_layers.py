#!/usr/bin/env python3
"""Holds the law of layers: a room includes from, and calls, only the rooms that its README.md names.

A room is a folder of lib/ or cli/ with code in it. Its README.md has a line "Uses: base, elf/files."
with the rooms that it needs, all of them and no others; "Uses: nothing." if it needs none. Rooms do
not need each other in a circle, and neither do files, by what they include or by what they call.

Also: an outside library is reached from one place only, no room, file, function, list of parameters or
struct is too long to be read, static functions have a verb and a noun, and lib/ calls nothing that several
threads cannot.

usage: check_layers.py [ROOT]

Prints FILE:LINE: what, why. Exit status 1 if it found anything.
"""

import functools
import pathlib
import re
import sys

OUTSIDE = [  # headers of outside libraries, and the only place that may include them
    (r"(libelf|gelf|elf)\.h", "lib/elf/", "libelf is reached from lib/elf/ only"),
    (r"(libdeflate|zstd.*|lz4.*|zlib|lzma)\.h", "lib/elf/", "sections are decompressed in lib/elf/ only"),
    (r"elfutils/debuginfod\.h", "lib/elf/finding/debuginfod.c",
     "libdebuginfod is reached from lib/elf/finding/debuginfod.c only"),
    (r"capstone/.*\.h", "lib/instructions/disassembler.c",
     "libcapstone is reached from lib/instructions/disassembler.c only"),
    (r"(libiberty/)?(demangle|libiberty)\.h", "lib/text/demangle.c",
     "libiberty is reached from lib/text/demangle.c only"),
]

MAX_ROOM_FILES = 25  # .c files
MAX_ROOM_LINES = 3500
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 60
MAX_PARAMETERS = 6
MAX_MEMBERS = 25  # of a struct that is neither a row nor a table of the model
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
COMMENTS_AND_TEXTS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
# What begins in the first column and is not static: a function, or a table.
FUNCTION = re.compile(r"^(?!static|extern|typedef)[A-Za-z][^\n;{}]*?\b(\w+)\(", re.MULTILINE)
TABLE = re.compile(r"^(?!static|extern|typedef)[A-Za-z][^\n;{}()]*?\b(\w+)(?:\[[^\]]*\])* =", re.MULTILINE)
STATIC_FUNCTION = re.compile(r"^static [^=;{}()]*?\b(\w+)\(", re.MULTILINE)
NAME = re.compile(r"(?<!struct )(?<!enum )\b(?:ic|cli)_\w+")


class File:
    """A source file: where it is below ROOT, its lines, and the text without comments and strings."""

    def __init__(self, root, path):
        self.where = path.relative_to(root).as_posix()
        self.top, _, self.name = self.where.partition("/")  # "lib", "elf/files/elf_file.c"
        self.room = self.name.rpartition("/")[0]
        self.module = self.name.rsplit(".", 1)[0]  # x.h, x.c and x.def are one module
        self.lines = path.read_text(errors="replace").splitlines()

    @functools.cached_property
    def code(self):
        return COMMENTS_AND_TEXTS.sub(" ", "\n".join(self.lines))

    def includes(self):
        """The includes of the file: (line number, is it quoted?, what is named)."""
        for number, line in enumerate(self.lines, 1):
            if match := INCLUDE.match(line):
                yield number, match[1] == '"', match[2]

    def definitions(self):
        """The names of functions and tables that other files can use."""
        for match in FUNCTION.finditer(self.code):
            body, end = (self.code.find(mark, match.end()) for mark in ("\n{", ";"))
            if body != -1 and (end == -1 or body < end):
                yield match[1]
        yield from (match[1] for match in TABLE.finditer(self.code))

    def line_of(self, name):
        return next((number for number, line in enumerate(self.lines, 1)
                     if re.search(rf"\b{name}\b", line.split("//")[0])), 1)


def wrong_include(file, quoted, name, names):
    """Why a file may not include `name` whatever its room uses; None if it may. `names`: cli/'s."""
    for pattern, place, why in OUTSIDE:
        outside = not quoted or "/" in name  # "elf.h" would be a file of the same folder
        if outside and re.fullmatch(pattern, name) and not file.where.startswith(place):
            return why
    if name.startswith("inlinecall/") or not quoted:
        return None
    if file.top == "include":
        return "public headers include <inlinecall/...> only"
    if "/" not in name and file.room:
        return f'includes are written from {file.top}/ on: "{file.room}/{name}"'
    if file.top == "cli" and name not in names:
        return "cli/ sees its own rooms and <inlinecall/...> only"
    return None


def check_includes(files):
    names = {file.name for file in files if file.top == "cli"}
    for file in files:
        for number, quoted, name in file.includes():
            if why := wrong_include(file, quoted, name, names):
                yield file.where, number, f"includes {name}", why


def find_needs(files):
    """What each module of lib/ and cli/ needs: {kind: {module: {other: (file, line, what)}}}."""
    needs = {"include": {}, "call": {}}
    owners, modules = {}, {(file.top, file.module) for file in files}
    for file in files:
        if file.where.endswith(".c"):
            for name in file.definitions():
                owners.setdefault(name, (file.top, file.module))
    for file in files:
        here = (file.top, file.module)
        for kind in needs:
            needs[kind].setdefault(here, {})
        for number, quoted, name in file.includes():
            other = (file.top, name.rsplit(".", 1)[0])
            if quoted and other != here and other in modules:
                needs["include"][here].setdefault(other, (file, number, f"includes {name}"))
        if not file.where.endswith(".c"):
            continue
        for name in sorted(set(NAME.findall(file.code))):
            other = owners.get(name, here)
            if other != here and other[0] == file.top:
                needs["call"][here].setdefault(other, (file, None, name))
    return needs


def place_of(need):
    file, number, what = need
    if number is None:
        return file.where, file.line_of(what), f"calls {what}()"
    return file.where, number, what


def circles(graph, why):
    """Each circle of a graph {node: {other: need}}, once."""
    done, trail = set(), []

    def visit(node):
        if node in trail:
            circle = trail[trail.index(node):] + [node]
            where, number, _ = place_of(graph[circle[-2]][node])
            names = " -> ".join(name for _, name in circle)
            yield where, number, "closes a circle: " + names, why
        elif node in graph and node not in done:
            trail.append(node)
            for other in graph[node]:
                yield from visit(other)
            done.add(trail.pop())

    for node in graph:
        yield from visit(node)


def check_files(needs):
    """Files need each other in one direction."""
    yield from circles(needs["include"], "files include in one direction")
    yield from circles(needs["call"], "files call in one direction")


def read_uses(root, top, room):
    """The rooms that a room's README.md names, and the number of that line; None without one."""
    path = root / top / room / "README.md"
    lines = path.read_text().splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        if line.startswith("Uses: "):
            names = line.removeprefix("Uses: ").rstrip(".")
            return set() if names == "nothing" else set(re.split(r", ", names)), number
    return None, len(lines)


def check_rooms(root, files, needs):
    rooms = {}  # (top, room): {room that it needs: a need}
    for file in files:
        rooms.setdefault((file.top, file.room), {})
    for kind in needs.values():
        for (top, module), others in kind.items():
            room = module.rpartition("/")[0]
            for (_, other), need in others.items():
                other_room = other.rpartition("/")[0]
                if other_room != room:
                    rooms[(top, room)].setdefault((top, other_room), need)
    for (top, room), others in sorted(rooms.items()):
        readme = f"{top}/{room}/README.md" if room else f"{top}/README.md"
        uses, number = read_uses(root, top, room)
        if uses is None:
            yield readme, number or 1, "does not say what the room uses", 'a line "Uses: ..." is its law'
            continue
        needed = {other: need for (_, other), need in others.items()}
        for other in sorted(needed.keys() - uses):
            where, line, what = place_of(needed[other])
            yield where, line, what, f"{other or top}/ is not among what {readme} names"
        for other in sorted(uses - needed.keys()):
            yield readme, number, f"names {other}", "the room does not need it"
    yield from circles(rooms, "rooms need each other in one direction")


def check_sizes(files):
    rooms = {}
    for file in files:
        rooms.setdefault((file.top, file.room), []).append(file)
    for (top, room), inside in sorted(rooms.items()):
        count = sum(file.where.endswith(".c") for file in inside)
        lines = sum(len(file.lines) for file in inside)
        where = f"{top}/{room}"
        if count > MAX_ROOM_FILES:
            yield where, 1, f"the room has {count} files", f"at most {MAX_ROOM_FILES} can be overlooked"
        if lines > MAX_ROOM_LINES:
            yield where, 1, f"the room has {lines} lines", f"at most {MAX_ROOM_LINES} can be read"


def check_calls(files):
    """The library may be used by several threads; the program's own code has one."""
    for file in files:
        for number, line in enumerate(file.lines, 1):
            if file.top == "lib" and re.search(r"\bstrerror *\(", line.split("//")[0]):
                yield file.where, number, "calls strerror()", "base/error.h has ic_error_text()"


def check_names(files):
    """Static functions have a verb and a noun: they appear in profiles and stacks."""
    for file in files:
        for match in STATIC_FUNCTION.finditer(file.code):
            if "_" not in match[1]:
                number = file.code.count("\n", 0, match.start()) + 1
                yield file.where, number, f"defines {match[1]}()", "a static function has a verb and a noun"


def check_lengths(files):
    for file in files:
        if len(file.lines) > MAX_FILE_LINES:
            what = f"the file has {len(file.lines)} lines"
            yield file.where, MAX_FILE_LINES, what, f"at most {MAX_FILE_LINES} can be read"
        start = None
        for number, line in enumerate(file.lines, 1):
            if line.rstrip() == "{":
                start = number
            elif line.startswith("}") and start:
                size = number - start + 1
                if size > MAX_FUNCTION_LINES:
                    what = f"the function has {size} lines"
                    yield file.where, start, what, f"at most {MAX_FUNCTION_LINES} can be read"
                start = None


def count_parts(text, mark):
    """How many parts a text has, with a mark between them that is in no brackets."""
    depth, count = 0, 1
    for letter in text:
        depth += letter in "([{"
        depth -= letter in ")]}"
        count += letter == mark and depth == 0
    return count


def check_widths(files):
    """Functions have few parameters, and structs few members."""
    for file in files:
        for match in re.finditer(r"^[A-Za-z][\w \*]*?\b(\w+)(\((?:[^()]|\([^()]*\))*\))[^;{]*[;{]", file.code,
                                 re.MULTILINE):
            count = count_parts(match[2][1:-1], ",")
            if count > MAX_PARAMETERS:
                what = f"{match[1]}() has {count} parameters"
                yield file.where, file.line_of(match[1]), what, f"at most {MAX_PARAMETERS} can be told apart"
        for match in re.finditer(r"^struct (\w+) \{(.*?)^\}", file.code, re.MULTILINE | re.DOTALL):
            members = (part for part in re.split(r";", match[2]) if part.strip())
            count = sum(count_parts(part, ",") for part in members)
            if count > MAX_MEMBERS and not match[1].endswith("_row") and not file.name.startswith("model/"):
                what = f"struct {match[1]} has {count} members"
                yield file.where, file.line_of(match[1]), what, f"at most {MAX_MEMBERS} can be overlooked"


def sources(root, *folders):
    paths = sorted(path for folder in folders for path in (root / folder).rglob("*"))
    return [File(root, path) for path in paths if path.suffix in (".c", ".h", ".def")]


def check(root):
    inside = sources(root, "lib", "cli")
    product = inside + sources(root, "include")
    everything = product + sources(root, "tests", "bench", "examples")
    needs = find_needs(inside)
    findings = [*check_includes(product), *check_files(needs), *check_rooms(root, inside, needs),
                *check_sizes(inside), *check_calls(product), *check_names(product), *check_widths(product),
                *check_lengths([file for file in everything if not file.where.endswith(".def")])]
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
