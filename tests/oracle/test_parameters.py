"""The parameters of every instance of every build, beside llvm-dwarfdump: names, types, order, and
the location lists with what holds at the entry, and at other addresses for the frames there.

The texts of expressions are compared elsewhere; here only their ranges and choice matter.
"""

import json
import re
import subprocess
from typing import NamedTuple

import pytest

import argument_kinds
import builds
import compare

DIE = re.compile(r"0x([0-9a-f]+):( +)DW_TAG_(\w+)$")
ATTR = re.compile(r" +DW_AT_(\w+)\t\((.*)$")
ENTRY = re.compile(r' +\[0x([0-9a-f]+), 0x([0-9a-f]+)\)(?: "[^"]*")?: (.*?)\)?$')
REFERENCE = re.compile(r"0x([0-9a-f]+)")
TYPE = re.compile(r'0x[0-9a-f]+ "(.*)"')


class Node(NamedTuple):
    offset: int
    tag: str
    attrs: dict
    entries: list  # of the location list: (start, end)
    children: list


def forest(path):
    """Every DIE by its offset, as llvm-dwarfdump has it."""
    text = subprocess.run(["llvm-dwarfdump", "--debug-info", str(path)], capture_output=True,
                          text=True, errors="replace", check=True).stdout
    nodes, stack, attr = {}, [], None
    for line in text.splitlines():
        if match := DIE.match(line):
            node = Node(int(match[1], 16), match[3], {}, [], [])
            del stack[(len(match[2]) - 1) // 2:]
            if stack:
                stack[-1].children.append(node)
            stack.append(node)
            nodes[node.offset] = node
        elif match := ATTR.match(line):
            attr = match[1]
            if stack:
                stack[-1].attrs[attr] = match[2].removesuffix(")")
        elif stack and attr == "location" and (match := ENTRY.match(line)):
            stack[-1].entries.append((int(match[1], 16), int(match[2], 16)))
    return nodes


def reference(node, name):
    match = REFERENCE.match(node.attrs.get(name, ""))
    return int(match[1], 16) if match else None


def formals(nodes, function):
    """The parameters that a function declares, those in a pack of GCC's too."""
    for child in nodes[function].children if function in nodes else ():
        if child.tag == "formal_parameter":
            yield child
        elif child.tag == "GNU_formal_parameter_pack":
            yield from (inner for inner in child.children if inner.tag == "formal_parameter")


def root_of(nodes, node):
    """The abstract instance that a copy stands for, or itself."""
    while (origin := reference(node, "abstract_origin")) in nodes:
        node = nodes[origin]
    return node


def said(nodes, node, name):
    """An attribute of a DIE or of what it stands for."""
    while name not in node.attrs and reference(node, "abstract_origin") in nodes:
        node = nodes[reference(node, "abstract_origin")]
    return node.attrs.get(name)


def wanted_of(nodes, instance):
    """(name, type, the DIE in the instance or None) of each parameter."""
    own = [child for child in instance.children if child.tag == "formal_parameter"]
    root = root_of(nodes, instance)
    if root is instance:
        own = []
    by_formal = {}
    for child in own:
        by_formal.setdefault(root_of(nodes, child).offset, []).append(child)
    for formal in formals(nodes, root.offset):
        found = by_formal.pop(formal.offset, [])
        located = [child for child in found if {"location", "const_value"} & child.attrs.keys()]
        yield formal, (located or found or [formal if root is instance else None])[0]
    for found in by_formal.values():
        yield from ((child, child) for child in found)


def plain_type(text):
    """Without what one of the two writes otherwise; None if that is too much."""
    if text is None or "{" in text or "anonymous" in text or "unnamed" in text:
        return None
    text = re.sub(r"(\w+::)+const ", "const ", text)  # LLVM 14 puts the scopes before
    text = re.sub(r"\b(struct|union|enum|class) ", "", text).replace("(void)", "()")
    return re.sub(r"\s*([*&])\s*", r"\1", text)


def check_name_and_type(nodes, formal, found):
    name, kind = said(nodes, formal, "name"), said(nodes, formal, "type")
    assert found["name"] == (name and name.strip('"'))
    match = TYPE.match(kind or "")
    wanted, got = plain_type(match and match[1]), plain_type(found["type"])
    if wanted is not None and got is not None:
        assert got == wanted


def check_location(found, node, entry, is_linked):
    location = found["location"]
    if node is None or not {"location", "const_value"} & node.attrs.keys():
        assert location["reason"] == "optimised out" and not found["list"]
        return "missing"
    if not node.entries:
        assert location["kind"] != "unavailable" or location["reason"] == "optimised out"
        return "everywhere"
    if not is_linked or entry is None:
        return "list"
    ranges = [(int(item["start"], 16), int(item["end"], 16)) for item in found["list"]]
    assert ranges == node.entries
    held = [item for item, (start, end) in zip(found["list"], ranges)
            if start <= entry < end or start == entry == end]
    if not held:
        assert location["kind"] == "unavailable"
    elif len(held) == 1 and location["kind"] != "unavailable":
        assert location["text"] == held[0]["location"]["text"]
    elif all(item["start_view"] == item["end_view"] == 0 for item in held):
        whole = [item for item in held if item["start"] != item["end"]]
        assert location["text"] == whole[0]["location"]["text"] if whole else location["reason"]
    return "list"


# What llvm-dwarfdump shows of a unit by itself; it fails for some objects of `ld -r`, and with -g1
# there are no parameters.
MATRIX = [build for build in builds.matrix()
          if not re.search("split|dwo|dwp|dwz|types|lto|32|merged|g1", build.name)]


@pytest.mark.parametrize("build", builds.params(MATRIX))
def test_parameters_are_those_of_llvm_dwarfdump(build, built, inlinecall):
    path = built(build)
    nodes = forest(path)
    output = subprocess.run([compare.program(), "sites", "-ppo", "-a", "--json", path],
                            capture_output=True, text=True, check=False).stdout
    seen = {"missing": 0, "everywhere": 0, "list": 0}
    for row in map(json.loads, output.splitlines()):
        wanted = list(wanted_of(nodes, nodes[int(row["die"], 16)]))
        assert len(row["params"]) == len(wanted), row
        entry = int(row["entry"], 16) if row["entry"] else None
        for found, (formal, node) in zip(row["params"], wanted):
            check_name_and_type(nodes, formal, found)
            seen[check_location(found, node, entry, row["section"] is None)] += 1
    assert sum(seen.values()) > 0


def json_of(*args, **options):
    return [json.loads(line) for line in
            subprocess.run([compare.program(), *args], capture_output=True, text=True, check=False,
                           **options).stdout.splitlines()]


def stack_of(instances, addr):
    """The offsets of the instances at an address, innermost first; None if it is not certain."""
    held = [row for row in instances.values()
            if any(int(start, 16) <= addr < int(end, 16) for start, end, *_ in row["ranges"])]
    held.sort(key=lambda row: -row["depth"])
    for inner, outer in zip(held, held[1:]):
        if inner["parent"] != outer["die"]:
            return None
    return held if held and held[-1]["depth"] == 0 else None


def addresses_of(nodes, instances):
    """Where entries of the lists of arguments begin, where they end, and between."""
    for row in instances.values():
        for child in nodes[int(row["die"], 16)].children:
            if child.tag == "formal_parameter":
                for start, end in child.entries:
                    yield from {start, (start + end) // 2, max(start, end - 1)}


def check_frame(nodes, row, frame, addr):
    """Returns whether an entry certainly holds, which begins before the address."""
    wanted = list(wanted_of(nodes, nodes[int(row["die"], 16)]))
    certain = 0
    assert frame["function"] == row["function"] and len(frame["params"]) == len(wanted)
    for found, (formal, node) in zip(frame["params"], wanted):
        check_name_and_type(nodes, formal, found)
        check_location(found, node, addr, is_linked=True)
        for item in found["list"]:
            if item["start"] and int(item["start"], 16) < addr < int(item["end"], 16):
                text = item["location"]["text"]
                assert found["location"]["text"] == text or not item["expression"]
                certain += 1
    return certain


MOST_ADDRESSES = 2000


@pytest.mark.parametrize("build", builds.params(MATRIX))
def test_parameters_of_frames_are_those_that_hold_there(build, built, inlinecall):
    path = built(build)
    instances = {row["die"]: row for row in json_of("tree", "-a", "--json", path)}
    if any(row["section"] for row in instances.values()):
        pytest.skip("llvm-dwarfdump does not relocate all of it")
    nodes = forest(path)
    asked = sorted(set(addresses_of(nodes, instances)))[:MOST_ADDRESSES]
    text = "".join(f"{addr:#x}\n" for addr in asked)
    certain = compared = 0
    for addr, stack in zip(asked, json_of("addr", "-pp", "--json", path, input=text), strict=True):
        rows = stack_of(instances, addr)
        if not rows or len(rows) != len(stack["frames"]):
            continue  # in none of them, or in several that are not in one another
        compared += 1
        for row, frame in zip(rows, stack["frames"]):
            certain += check_frame(nodes, row, frame, addr)
    # Without DW_AT_ranges, which DWARF 2 does not have, few copies have code.
    if asked and "dwarf2-strict" not in builds.Build.id(build):
        assert certain > 0 and compared > len(asked) / 2


# readelf, which has the views, confuses the lists of two versions of DWARF in one file.
PROGRAMS = [build for build in MATRIX if build.kind == "program" and not build.dwarf_of_second]


@pytest.mark.parametrize("build", builds.params(PROGRAMS))
def test_the_kinds_of_arguments_are_those_of_llvm_dwarfdump(build, built, inlinecall):
    path = built(build)
    wanted = argument_kinds.counted(path, forest(path), wanted_of)
    assert argument_kinds.printed(path) == wanted
    assert sum(wanted[0].values()) > 0
