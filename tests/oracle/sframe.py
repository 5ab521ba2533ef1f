"""SFrame beside `readelf --sframe`, and beside the .eh_frame of the same file: `sframe.py FILE...`.

$READELF is the readelf to ask. Rows are compared one by one with readelf's; where an FDE of .eh_frame covers
the code too, also the rules of the CFA, the return address and the frame pointer at each address.

In PLTs, the linker writes the CFA as an expression of the address into .eh_frame, which is computed here.
"""

import bisect
import json
import os
import re
import subprocess
import sys

import compare

FDE = re.compile(r"\s*func idx \[\d+\]: pc = (0x[0-9a-f]+), size = (\d+) bytes")
ROW = re.compile(r"\s+([0-9a-f]{16})  (.*)")
PLT = re.compile(r"DW_OP_breg7 rsp\+8, DW_OP_breg16 rip\+0, DW_OP_lit15, DW_OP_and, DW_OP_lit(\d+), DW_OP_ge, "
                 r"DW_OP_lit3, DW_OP_shl, DW_OP_plus")
EXPRESSION = re.compile(r"\[?DW_OP_breg\d+ (\w+)([+-]\d+)(?:, DW_OP_deref|\])")
NAMES = {"rip": {"rsp": "sp", "rbp": "fp"}, "x30": {"sp": "sp", "x29": "fp"},
         "r14": {"r15": "sp", "r11": "fp", "f0": "r16", "f2": "r17", "f4": "r18", "f6": "r19", "f1": "r20",
                 "f3": "r21", "f5": "r22", "f7": "r23"}}  # as readelf writes them
FRAME_POINTERS = {"rip": "rbp", "x30": "x29", "r14": "r11"}  # by the register of the return address


def ours(path):
    """{table: [FDE, ...]}, each the rows in order."""
    result = subprocess.run([compare.program(), "cfi", "--json", str(path)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    tables = {}
    for row in map(json.loads, result.stdout.splitlines()):
        row["start"], row["end"] = int(row["start"], 16), int(row["end"], 16)
        tables.setdefault(row["table"], {}).setdefault(int(row["fde"], 16), []).append(row)
    return {table: [fdes[off] for off in sorted(fdes)] for table, fdes in tables.items()}


def readelf_fdes(path):
    """[(start, size, is_repeated, [(start, words of the row), ...]), ...]"""
    text = subprocess.run([os.environ.get("READELF", "readelf"), "--sframe", str(path)],
                          capture_output=True, text=True, check=True).stdout
    fdes = []
    for line in text.splitlines():
        if found := FDE.match(line):
            fdes.append([int(found[1], 16), int(found[2]), False, []])
        elif "STARTPC" in line:
            fdes[-1][2] = "[m]" in line
        elif found := ROW.match(line):
            # f: fixed, which old ones write as u; U: a word of padding instead of a rule.
            words = [{"f": "u", "U": "u"}.get(word, word) for word in found[2].replace("[s]", " [s]").split()]
            fdes[-1][3].append((int(found[1], 16), words))
    return fdes


def rule_of(row, register):
    return next((rule for rule in row["registers"] if rule["register"] == register), None)


def saved(rule, names=None):
    """As readelf writes where a register is saved."""
    if rule is None:
        return "u"
    if rule["kind"] == "register":
        return rule["from"] if names is None else f"{names.get(rule['from'], rule['from'])}+0"
    if names is not None and (found := EXPRESSION.fullmatch(rule["text"])):
        return f"({names[found[1]]}{found[2]})"
    return f"c{rule['offset']:+d}" if rule["kind"] == "memory" else rule["text"]


def words_of(row):
    """As readelf writes a row: the CFA, the frame pointer, the return address, its signature."""
    ra, cfa = row["return_register"], row["cfa"]
    if cfa["kind"] == "undefined":
        return ["RA", "undefined"]
    if found := EXPRESSION.fullmatch(cfa["text"]):
        text = f"({NAMES[ra][found[1]]}{found[2]})"
    else:
        text = f"{NAMES[ra].get(cfa['from'], cfa['from'])}{cfa['offset']:+d}"
    words = [text, saved(rule_of(row, FRAME_POINTERS[ra]), NAMES[ra]), saved(rule_of(row, ra), NAMES[ra])]
    if words[2] == "c-8" and ra == "rip":
        words[2] = "u"
    return words + ["[s]"] * (rule_of(row, "ra_sign_state") is not None)


def readelf_differences(path, fdes):
    """Lines of text, and the number of rows compared."""
    expected = [fde for fde in readelf_fdes(path) if fde[1] > 0 and fde[3]]
    differences, count = [], 0
    if len(expected) != len(fdes):
        differences.append(f"{len(fdes)} FDEs, not {len(expected)}")
    for (start, size, is_repeated, wanted), rows in zip(expected, fdes):
        base = start if is_repeated else 0  # rows of a block are offsets
        wanted = [(base + addr, words) for addr, words in wanted]
        made = [(row["start"], words_of(row)) for row in rows]
        if is_repeated:
            made = made[:len(wanted)]
        count += len(wanted)
        if wanted != made or rows[-1]["end"] != start + size:
            differences.append(f"{start:#x}: {made} is {wanted}")
    return differences, count


def cfa_text(row, address):
    if found := PLT.fullmatch(row["cfa"]["text"]):
        return f"%rsp+{16 if address % 16 >= int(found[1]) else 8}"
    return row["cfa"]["text"]


def is_plt_got(row, made, wanted):
    """Whether the linker is wrong (docs/dwarf-notes.md)."""
    return row["function"] is None and (made[0], wanted[0]) == ("%rsp+16", "%rsp+8") and made[1:] == wanted[1:]


def eh_frame_differences(tables):
    """Lines of text, and the number of ranges of addresses compared."""
    rows = sorted((row for fde in tables.get(".eh_frame", []) for row in fde), key=lambda row: row["start"])
    starts = [row["start"] for row in rows]
    differences, count = [], 0
    for row in (row for fde in tables[".sframe"] for row in fde):
        ra = row["return_register"]
        for other in rows[max(bisect.bisect_right(starts, row["start"]) - 1, 0):]:
            if other["start"] >= row["end"]:
                break
            if other["end"] <= row["start"]:
                continue
            count += 1
            names = (FRAME_POINTERS[ra], ra, "ra_sign_state")
            made = [row["cfa"]["text"], *(saved(rule_of(row, name)) for name in names)]
            wanted = [cfa_text(other, row["start"]), *(saved(rule_of(other, name)) for name in names)]
            wanted = [{"same": "u", "0": "u"}.get(word, word) for word in wanted]
            if made != wanted and not is_plt_got(row, made, wanted):
                differences.append(f"{row['start']:#x}: {made} is {wanted}")
    return differences, count


def main(paths):
    for path in paths:
        tables = ours(path)
        for name, (differences, count) in (("readelf", readelf_differences(path, tables[".sframe"])),
                                           (".eh_frame", eh_frame_differences(tables))):
            print(f"{path}: {name}: {count} compared, {len(differences)} differences")
            print("".join(f"  {line}\n" for line in differences[:10]), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
