"""`inlinecall affected` beside compilers: a constant in a function is changed, and the functions whose code differs
afterwards are those that contain code of it, or call or are called by such a function."""

import re
import shutil

import pytest

import counted_programs
import counter_source
import counters
from source_packages import NotThere

pytestmark = [pytest.mark.usefixtures("inlinecall"), pytest.mark.long]
FLAGS = ("-g", "-w", "-ffunction-sections", "-fdata-sections", "-c")
CHANGES = {"lua": 14, "zstd": 13, "sqlite": 3}  # functions of each program; of sqlite each takes a minute


def body(text, offset):
    """The end of a function whose body starts at the offset."""
    depth = 1
    for match in re.finditer(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[{}]', text[offset:]):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return offset + match.start()
    return offset


def constants(text, definition):
    """(start, end) of the numbers in a function, without those of labels, types and shifts."""
    end = body(text, definition.offset)
    code = re.sub(r'(?m)^#.*$|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', lambda match: " " * len(match[0]),
                  text[definition.offset:end])
    for match in re.finditer(r"(?<![\w.])\d+(?![\w.])", code):
        before = code[:match.start()].rstrip()
        if not before.endswith(("[", "<<", ">>", "case", "/", "%", ":")):
            yield definition.offset + match.start(), definition.offset + match.end()


class Code:
    """The functions of an object, each with its own section, as their bytes and relocations."""

    def __init__(self, path):
        self.text, self.calls = {}, {}
        for part in counted_programs.run("objdump", "-dr", path).split("\nDisassembly of section ")[1:]:
            section, _, lines = part.partition(":\n")
            name = re.sub(r"^\.text(\.unlikely|\.startup|\.hot|\.exit)?\.", "", section)
            relocations = re.findall(r"(?m)^\t+([0-9a-f]+: R_\S+)\t(\S+)", lines)
            code = re.findall(r"(?m)^ +([0-9a-f]+:\t[0-9a-f ]+)", lines)
            # Data that is shared moves with the data of other functions.
            self.text[name] = (code, [(at, re.sub(r"^(\.LC\d+|\.rodata\S*?)[+-].*", "data", to))
                                      for at, to in relocations])
            self.calls[name] = {re.sub(r"[-+]0x[0-9a-f]+$", "", to).removeprefix(".text.") for _, to in relocations}

    def differs_from(self, other):
        return {name for name in self.text.keys() | other.text.keys() if self.text.get(name) != other.text.get(name)}


def affected(path, definition):
    """The functions that contain code of a function, by their symbols."""
    rows, result = counters.printed("affected", "--json", f"--function={definition.name}", path)
    assert result.stderr == ""
    return {symbol["name"] for row in rows if row["of"] == "host" and row["decl_line"] == definition.line
            for symbol in row["symbols"]}


class Changer:
    """Compiles a source with other constants."""

    def __init__(self, compiler, source, path, folder):
        self.command, self.folder = (*compiler, *source.flags), folder
        self.source = source
        self.text = counted_programs.run(*self.command, "-E", path)
        self.base = folder / "base.o"
        self._compile(self.text, self.base)
        self.code = Code(self.base)
        self.definitions = [found for found in counter_source.c_definitions(
            self.text, lambda file: file.startswith(str(source.root))) if found.name]

    def _compile(self, text, output):
        (self.folder / "source.i").write_text(text)
        counted_programs.run(*self.command, *FLAGS, "source.i", "-o", output, cwd=self.folder)

    def change(self, definition):
        """(functions that differ, functions that are affected), of the first constant whose change makes another
        program; None if there is none."""
        for start, end in list(constants(self.text, definition))[:3]:
            changed = self.text[:start] + str(int(self.text[start:end]) + 1) + self.text[end:]
            try:
                self._compile(changed, self.folder / "changed.o")
            except RuntimeError:
                continue  # such as the size of an array
            other = Code(self.folder / "changed.o")
            differ = self.code.differs_from(other)
            if differ:
                return differ, affected(self.base, definition), other
        return None

    def unexplained(self, differ, found, other):
        """Functions that differ without containing code of the function, and that neither call a function that
        differs nor are called by one."""
        neighbours, more = set(found), True
        while more:
            more = {name for name in differ - neighbours if any(
                code.calls.get(name, set()) & neighbours or any(name in code.calls.get(host, ()) for host in neighbours)
                for code in (self.code, other))}
            neighbours |= more
        return differ - neighbours


@pytest.mark.parametrize("build", ["gcc -O2", "clang -O2"])
@pytest.mark.parametrize("name", CHANGES)
def test_functions_whose_code_a_constant_changes_are_affected(name, build, tmp_path):
    compiler = build.split()
    if not shutil.which(compiler[0]):
        pytest.skip(f"no {compiler[0]}")
    if name == "sqlite" and compiler[0] != "gcc":
        pytest.skip("its one source takes long to compile")
    try:
        source = counted_programs.ALL[name].source(tmp_path)
    except NotThere as why:
        pytest.skip(str(why))
    files = source.files if name != "sqlite" else source.files[:1]
    equal = more = fewer = tried = 0
    unexplained = []
    for number, path in enumerate(files[:CHANGES[name]] if len(files) > 1 else files):
        folder = tmp_path / str(number)
        folder.mkdir()
        changer = Changer(compiler, source, path, folder)
        wanted = CHANGES[name] if len(files) == 1 else 1
        step = max(1, len(changer.definitions) // (3 * wanted))
        for definition in changer.definitions[::step]:
            result = changer.change(definition) if wanted > 0 else None
            if not result:
                continue
            differ, found, other = result
            wanted -= 1
            tried += 1
            unexplained += [(definition.name, name) for name in changer.unexplained(differ, found, other)]
            equal += differ == found
            more += bool(differ - found)
            fewer += bool(found - differ)
    print(f"{name} {build}: {tried} constants; equal {equal}, also callers or callees {more}, not all copies {fewer}; {unexplained}")
    # Clang describes no copy all of whose instructions it merged with others, as that of currentpc() in
    # luaG_runerror().
    assert len(unexplained) <= (2 if compiler[0] == "clang" else 0), unexplained
    assert tried >= CHANGES[name] // 2 and equal > 0
