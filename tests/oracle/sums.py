"""What `inlinecall stats` says, counted once more from the DIEs that llvm-dwarfdump printed."""

import collections
import json
import posixpath
import re
import subprocess

import compare
import dwarfdump
import instances
import linetable
import parts
import trees


class Bytes:
    """Ranges of one thing, of which each byte counts once."""

    def __init__(self):
        self.ranges = []  # (section or "", start, end)

    def add(self, ranges):
        self.ranges.extend((section or "", start, end) for start, end, section in ranges)

    def merged(self):
        found = []
        for section, start, end in sorted(self.ranges):
            if found and found[-1][0] == section and start <= found[-1][2]:
                found[-1][2] = max(found[-1][2], end)
            elif start < end:
                found.append([section, start, end])
        return found

    def size(self):
        return sum(end - start for _, start, end in self.merged())


def without(ranges, inner):
    """What of the ranges is in none of the inner ones."""
    cut = Bytes()
    cut.add(inner)
    cuts = cut.merged()
    found = []
    for start, end, section in ranges:
        for where, first, last in cuts:
            if where == (section or "") and first < end and start < last:
                if start < first:
                    found.append((start, first, section))
                start = max(start, last)
        if start < end:
            found.append((start, end, section))
    return found


class Group:
    def __init__(self):
        self.copies = self.without_code = self.out_of_line = 0
        self.self_bytes, self.bytes, self.out_of_line_bytes = Bytes(), Bytes(), Bytes()
        self.callers, self.functions = set(), set()

    def told(self):
        """In the words of JSON."""
        return {"copies": self.copies, "without_code": self.without_code,
                "functions": len(self.functions), "callers": len(self.callers),
                "self_bytes": self.self_bytes.size(), "bytes": self.bytes.size(),
                "out_of_line": self.out_of_line,
                "out_of_line_bytes": self.out_of_line_bytes.size()}


def plain(path):
    return posixpath.normpath(compare.one_slash(path)) if path else None


def path_of(key):
    return key[1]


class Oracle:
    """All groups of a file: {by: {key: Group}}, and how each function was inlined."""

    def __init__(self, path):
        self.sections = instances.Sections(path)
        forest = trees.Nested(self.sections, linetable.Places(path, self.sections))
        self.sites = {}
        self.parts = parts.Parts()
        for record in forest.records(self.parts.noted(dwarfdump.dies(path, self.sections))):
            if record.type != "call":
                self.sites[record.die] = record
        self.forest = forest
        self.parts_out_of_line = {
            (symbol.start, symbol.section)
            for symbol in instances.function_symbols(path, self.sections)
            if re.search(r"\.(part|cold)(\.|$)", symbol.name)}
        self.keys = {}  # of functions by the DIE that copies refer to
        for site in sorted(self.sites.values(), key=lambda site: site.type != "site"):
            key = (site.linkage_name or site.function, plain(site.decl_file), site.decl_line)
            self.keys.setdefault(site.origin or site.die, key)
        self.groups = {by: collections.defaultdict(Group)
                       for by in ("all", "function", "caller", "file", "unit")}
        self.groups["all"][None] = Group()  # there is one in a file without functions too
        self._count()
        self.inlined = self._inlined(self._symbols(path))

    def _key(self, site):
        return self.keys[site.origin or site.die] if site else (None, None, None)

    def _caller(self, host):
        if host is None:
            return None, None, None
        origin = host.die.attrs.get("abstract_origin") or host.die.offset
        if origin not in self.keys:  # of which no code is left: no record has it
            facts = self.forest._facts_of(host.die, True)  # pylint: disable=protected-access
            self.keys[origin] = (facts.linkage_name or facts.name, plain(facts.decl_file),
                                 facts.decl_line)
        return self.keys[origin]

    def _inside(self, scope):
        """The ranges that are inlined into a scope: those of copies without code are inside them, and
        those of parts of it are its own."""
        for copy in self.forest.inside.get(id(scope), ()):
            if copy.ranges and not self.parts.has(copy):
                yield from copy.ranges
            else:
                yield from self._inside(copy)

    def _count(self):
        for scopes in self.forest.inside.values():
            for scope in scopes:
                if not self.parts.has(scope):
                    self._add_copy(scope)
        for site in self.sites.values():
            if site.type == "copy" and site.ranges:
                self._add_host(site)

    def _add_copy(self, scope):
        site = self.sites[scope.die.offset]
        host = scope
        while host is not None and not host.is_host():
            host = host.parent
        caller = self._caller(host)
        key = self._key(site)
        own = without(scope.ranges, self._inside(scope))
        for group in (self.groups["all"][None], self.groups["function"][key],
                      self.groups["caller"][caller], self.groups["file"][path_of(key)],
                      self.groups["unit"][site.unit]):
            if not scope.ranges:
                group.without_code += 1
                continue
            group.copies += 1
            group.functions.add(key)
            group.callers.add(caller)
            group.bytes.add(scope.ranges)
            group.self_bytes.add(own)

    def _add_host(self, site):
        key = self._key(site)
        is_part = (site.entry, site.entry_section) in self.parts_out_of_line
        for group in (self.groups["all"][None], self.groups["function"][key],
                      self.groups["caller"][key], self.groups["file"][path_of(key)],
                      self.groups["unit"][site.unit]):
            group.out_of_line += not is_part
            group.out_of_line_bytes.add(site.ranges)

    def _symbols(self, path):
        names = set()
        for addr, _, _, _, _, index, name in instances.LABEL.findall(
                instances.run_readelf("-sW", path)):
            section = self.sections.names.get(int(index))
            start = int(addr, 16)
            if section in self.sections.executable and (
                    self.sections.relocatable or self.sections.holds_code(start, section)):
                names.add(name.split("@")[0])
        return names

    def _inlined(self, symbols):
        """{key: never, partly or fully}"""
        has_code = collections.defaultdict(bool)
        for key, group in self.groups["function"].items():
            has_code[key[0]] |= group.out_of_line > 0
        said = {}
        for key, group in self.groups["function"].items():
            by_symbol = not has_code[key[0]] and key[0] in symbols
            is_out = group.out_of_line > 0 or by_symbol
            if group.copies:
                said[key] = "partly" if is_out else "fully"
            elif is_out:
                said[key] = "never"
        return said

    def counts(self, keys):
        found = collections.Counter(self.inlined.get(key) for key in keys)
        return {word: found[word] for word in ("never", "partly", "fully")}


NUMBERS = tuple(Group().told()) + ("never", "partly", "fully")


def functions_of(oracle, by):
    """{key of a group: the functions that it counts}, of groups that are not places."""
    found = collections.defaultdict(list)
    for function in oracle.groups["function"]:
        found[{"all": None, "file": path_of(function)}.get(by, function)].append(function)
    return found


def wanted(oracle, by):
    """{key: numbers} of the groups that have copies."""
    functions = functions_of(oracle, by)
    rows = {}
    for key, group in oracle.groups[by].items():
        if not group.copies and not group.without_code and by != "all":
            continue
        if by in ("caller", "unit"):
            classes = {**oracle.counts(group.functions), "never": None}
        else:
            classes = oracle.counts(functions[key])
        rows[key] = {**group.told(), **classes}
    return rows


def printed(path, by):
    """{by: {key: numbers}} for that of all and for the groups; and {key: inlined}."""
    result = subprocess.run([compare.program(), "stats", "--json", f"--by={by}", str(path)],
                            capture_output=True, text=True, check=False)
    found, inlined = {by: {}, "all": {}}, {}
    for line in result.stdout.splitlines():
        row = json.loads(line)
        function = (row["linkage_name"] or row["function"], plain(row["decl_file"]),
                    row["decl_line"])
        key = {"all": None, "file": plain(row["decl_file"]), "unit": row["unit"]}.get(
            row["by"], function)
        assert key not in found[row["by"]], "a group is listed once"
        found[row["by"]][key] = {name: row[name] for name in NUMBERS}
        if row["by"] == "function":
            inlined[key] = row["inlined"]
    return found, inlined


def differences(path):
    """A line for each group that is not as it should be, and the number of copies."""
    oracle = Oracle(str(path))
    lines = []
    for by in ("function", "caller", "file", "unit"):
        found, inlined = printed(path, by)
        for kind in ("all", by):
            rows = wanted(oracle, kind)
            for key in sorted(rows.keys() | found[kind].keys(), key=str):
                if rows.get(key) != found[kind].get(key):
                    lines.append(f"{path}: {kind} {key}:\n  oracle  {rows.get(key)}\n"
                                 f"  program {found[kind].get(key)}")
        for key, word in inlined.items():
            if key[0] is not None and oracle.inlined.get(key) != word:
                lines.append(f"{path}: {key}: {word}, not {oracle.inlined.get(key)}")
    return lines, oracle.groups["all"][None].copies
