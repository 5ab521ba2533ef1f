"""C sources in which each function has an instruction of its own at its start. The compiler copies it
with the function, so that the disassembly shows which functions contain code of it."""

import collections
import re
import subprocess

MARK = '__asm__ volatile("nopl %%c0(%%%%rax)" :: "i"(%d));'
FIRST = 0x5a0000
# A definition begins in the first column, and its body at the end of a line, or in the next one.
DEFINITION = re.compile(r"^(?![#}/*]|typedef\b|struct\b[^()]*$|enum\b[^()]*$)([A-Za-z_][^;{}#]*?\))\s*\n?\{[ \t]*(?=\n)",
                        re.MULTILINE)
NOT_NAMES = {"if", "for", "while", "switch", "do", "else", "defined", "sizeof", "__attribute__"}


def name_of(head):
    """The name of the function that a definition's text before its body declares; None if unclear."""
    names = [name for name in re.findall(r"([A-Za-z_]\w*)\s*\(", re.sub(r"__attribute__\s*\(\(.*?\)\)", "", head))
             if name not in NOT_NAMES]
    return names[0] if names else None


class Marks:
    """The numbers of functions, by name: static functions of several files may share one."""

    def __init__(self):
        self.names = {}
        self.unclear = set()  # other definitions have no mark, or the preprocessor renames them

    def functions(self):
        return sorted(set(self.names.values()) - self.unclear)

    def mark(self, text):
        def add(match):
            name = name_of(match[1])
            if not name or name.isupper():
                return match[0]
            number = FIRST + len(self.names)
            self.names[number] = name
            return match[0] + MARK % number

        self.unclear.update(re.findall(r"(\w+)[ \t]*\([^;{}()]*\)[ \t]*\{[^\n]*\}", text))
        self.unclear.update(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.MULTILINE))
        return DEFINITION.sub(add, text)

    def hosts(self, path):
        """{function: the symbols whose code contains its mark}, of an object or a program."""
        text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(path)], check=True,
                              capture_output=True, text=True).stdout
        hosts, symbol = collections.defaultdict(set), None
        for line in text.splitlines():
            if found := re.match(r"[0-9a-f]+ <(.*)>:$", line):
                symbol = found[1]
            elif found := re.search(r"\bnopl\s+0x([0-9a-f]+)\(%rax\)", line):
                name = self.names.get(int(found[1], 16))
                if name:
                    hosts[name].add(without_cold(symbol))
        return hosts


def without_cold(symbol):
    """A function's rarely executed code has a symbol of its own."""
    return re.sub(r"\.cold(\.\d+)?$", "", symbol)
