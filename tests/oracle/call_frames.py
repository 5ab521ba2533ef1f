"""Call frame information beside readelf and llvm-dwarfdump: `call_frames.py FILE...`.

readelf is asked for every row: offsets and registers, but not what expressions are, and not whether
a register is undefined or just not listed. What is an expression llvm-dwarfdump is asked for, and
for every instruction.

Known differences, in which we are right:
- LLVM 14 does not restore the CFA with DW_CFA_restore_state; LLVM 22 does. Producers rely on it. FDEs with that instruction are left out of the rows.
- readelf and LLVM print rows of no address, or at the end of the code: no instruction has them.
- LLVM writes the offset of DW_CFA_offset without a sign, unless it is negative, and the size of
  DW_CFA_GNU_args_size with one. It has its own names of registers, those of x86 in capitals.
- Since version 15 LLVM prints the address that an instruction advances to. Ours has it too; it is
  not compared, since the rows have it.
"""

import json
import re
import subprocess
import sys

import compare
from dwarfdump import lines_of

TABLE = re.compile(rb"Contents of the (\.eh_frame|\.z?debug_frame) section")
ENTRY = re.compile(rb"([0-9a-f]{8,}) [0-9a-f]{8,} [0-9a-f]{8,} (CIE|FDE)(?: cie=([0-9a-f]+) "
                   rb"pc=(?:\[without DW_AT_segment\] )?([0-9a-f]+)\.\.([0-9a-f]+))?")
ROW = re.compile(rb"([0-9a-f]{8,}) (?!ZERO)\S")
NAMED = re.compile(rb"r\d+ \((\w+)\)")
LLVM_TABLE = re.compile(rb"(\.eh_frame|\.debug_frame) contents:")
LLVM_ENTRY = re.compile(rb"([0-9a-f]{8,}) (?:[0-9a-f]{8,} [0-9a-f]{8,} (?:CIE|FDE)|ZERO)")
LLVM_ROW = re.compile(rb"  0x([0-9a-f]+): CFA=(.*)\n")
EXPRESSION = re.compile(r"DW_OP_")


def ours(path):
    """{(table, offset of the FDE): {start of a row: row}}"""
    frames = {}
    command = [compare.program(), "cfi", "--json", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            row = json.loads(line)
            rows = frames.setdefault((row["table"], int(row["fde"], 16)), {})
            assert not rows or next(reversed(rows.values()))["end"] == row["start"], row
            rows[int(row["start"], 16)] = row
    assert process.returncode == 0, command
    return frames


def readelf_frames(path):
    """{(table, offset): (start, end, [(address, {column: cell}), ...])}; names of columns are
    those of the FDE or, if it has no instructions, of its CIE."""
    frames, rows = {}, []
    table, columns, cies = None, (), {}
    # N: not from the debug file once more.
    with lines_of(["readelf", "-W", "-wNF", str(path)]) as lines:
        for line in lines:
            if found := TABLE.match(line):
                table = found[1].decode().replace(".z", ".")
                cies = {}
            elif found := ENTRY.match(line):
                rows = []
                if found[2] == b"CIE":
                    cies[int(found[1], 16)] = rows
                else:
                    start, end = int(found[4], 16), int(found[5], 16)
                    initial = cies[int(found[3], 16)]
                    frames[table, int(found[1], 16)] = (start, end, rows, initial)
            elif line.startswith(b"   LOC"):
                columns = [name.decode() for name in line.split()[1:]]
            elif ROW.match(line):
                address, *cells = NAMED.sub(rb"\1", line).decode().split()
                rows.append((int(address, 16), dict(zip(columns, cells))))
    return {key: (start, end, rows or [(start, cells) for _, cells in initial])
            for key, (start, end, rows, initial) in frames.items() if start < end}


def last_of_each(rows, end):
    """Without rows of no address: those that the next one replaces."""
    return {address: cells for address, cells in rows if address < end}


def readelf_cell(rule):
    """A rule as readelf writes it."""
    kind = rule["kind"]
    if kind in ("memory", "value"):
        return f"{'c' if kind == 'memory' else 'v'}{rule['offset']:+d}"
    return {"undefined": "u", "same": "s", "expression": "exp", "value_expression": "vexp",
            "register": rule["from"]}[kind]


def readelf_cfa(cfa):
    return f"{cfa['from']}{cfa['offset']:+d}" if cfa["kind"] == "register" else "exp"


def readelf_differences(path, frames):
    """Lines of text; the number of rows."""
    expected = readelf_frames(path)
    differences = [f"{key[0]}+{key[1]:#x}: {'not ours' if key in expected else 'only ours'}"
                   for key in frames.keys() ^ expected.keys()]
    for key in frames.keys() & expected.keys():
        _, end, rows = expected[key]
        rows = last_of_each(rows, end)
        if list(rows) != list(frames[key]):
            differences.append(f"{key}: rows at {[hex(row) for row in rows]}")
            continue
        for address, cells in rows.items():
            row = frames[key][address]
            made = {"ra" if rule["register"] == row["return_register"] else rule["register"]:
                    readelf_cell(rule) for rule in row["registers"]}
            made = {name: cell for name, cell in made.items() if cell != "u"}
            wanted = {name: cell for name, cell in cells.items() if name != "CFA" and cell != "u"}
            if made != wanted or readelf_cfa(row["cfa"]) != cells["CFA"]:
                differences.append(f"{key} {address:#x}: {row['cfa']['text']} {made} is {cells}")
    return differences, sum(map(len, frames.values()))


def llvm_rows(path):
    """{(table, offset): {address: (CFA, {register: text})}} of FDEs with expressions.

    LLVM 14 does not restore the CFA with DW_CFA_restore_state, so FDEs with that are left out.
    """
    frames = {}
    table = key = None
    with lines_of(["llvm-dwarfdump", "--debug-frame", str(path)]) as lines:
        for line in lines:
            if found := LLVM_TABLE.match(line):
                table = found[1].decode()
            elif found := ENTRY.match(line):
                key = (table, int(found[1], 16)) if found[2] == b"FDE" else None
                frames[key] = {}
            elif b"DW_CFA_restore_state" in line:
                frames.pop(key, None)
                key = None
            elif key and (found := LLVM_ROW.match(line)):
                cfa, _, rules = found[2].decode().partition(": ")
                frames[key].setdefault(int(found[1], 16), (cfa, rules))
    return {key: rows for key, rows in frames.items()
            if any(EXPRESSION.search(cfa + rules) for cfa, rules in rows.values())}


def llvm_text(row):
    """A row as LLVM writes it: its names of registers are those of x86 in capitals, and a register
    has no offset of 0."""
    rules = ", ".join(f"{rule['register'].upper()}={spelt(rule)}" for rule in row["registers"])
    return (re.sub(r"^(\w+)\+0$", r"\1", spelt(row["cfa"])), rules)


def spelt(rule):
    text = rule["text"].replace("%", "")
    names = re.sub(r"\bDW_OP_(breg|reg)(\d+) (\w+)", lambda m: f"DW_OP_{m[1]}{m[2]} {m[3].upper()}",
                   text)
    return names if EXPRESSION.search(text) else text.upper()


def llvm_differences(path, frames):
    differences, count = [], 0
    for key, rows in llvm_rows(path).items():
        for address, row in frames.get(key, {}).items():
            count += 1
            if llvm_text(row) != rows.get(address):
                differences.append(f"{key} {address:#x}: {llvm_text(row)} is {rows.get(address)}")
    return differences, count


def alike(instruction):
    """An instruction in one spelling: without signs before operands, and in capitals."""
    text = instruction.replace("%", "").removesuffix(":").upper()
    return re.sub(r" \+(?=\d)", " ", re.sub(r" TO 0X.*", "", text))


def our_instructions(path):
    """{(table, offset of an entry): [instruction, ...]}"""
    entries = {}
    command = [compare.program(), "cfi", "--raw", "--json", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            row = json.loads(line)
            if row["type"] == "instruction":
                entries[key].append(alike(row["text"]))
            else:
                key = row["table"], int(row["offset"], 16)
                entries[key] = []
    assert process.returncode == 0, command
    return entries


def llvm_instructions(path):
    """Likewise."""
    entries = {}
    with lines_of(["llvm-dwarfdump", "--debug-frame", str(path)]) as lines:
        for line in lines:
            if found := LLVM_TABLE.match(line):
                table = found[1].decode()
            elif found := LLVM_ENTRY.match(line):
                key = table, int(found[1], 16)
                entries[key] = []
            elif line.startswith(b"  DW_CFA_"):
                entries[key].append(alike(line.decode().strip()))
    return entries


def instruction_differences(path):
    wanted, made = llvm_instructions(path), our_instructions(path)
    differences = [f"{key}: {made.get(key)} is {wanted.get(key)}"
                   for key in sorted(wanted.keys() | made.keys())
                   if made.get(key) != wanted.get(key)]
    return differences, sum(map(len, made.values()))


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        read = ours(argument)
        for which, function in (("readelf", readelf_differences), ("llvm", llvm_differences)):
            lines, rows = function(argument, read)
            print(f"{argument}: {rows} rows, {len(lines)} differ from {which}")
            print("\n".join(lines[:10]))
        lines, rows = instruction_differences(argument)
        print(f"{argument}: {rows} instructions, {len(lines)} entries differ from llvm")
        print("\n".join(lines[:10]))
