"""`inlinecall diff` beside what the DIEs of two files, as llvm-dwarfdump printed them, add up to."""

import collections
import json
import re
import subprocess

import compare
import dwarfdump
import instances
import linetable
import parts
import trees

SUFFIX = re.compile(r"\.(isra|constprop|part|cold|lto_priv|localalias|llvm|__uniq|specialized|Tgm)\b.*")


class WithCalls(trees.Nested):
    """Remembers the scopes of calls too."""

    def __init__(self, sections, places):
        super().__init__(sections, places)
        self.calls = []

    def _call(self, scope, at_end=False):
        call = super()._call(scope, at_end)
        self.calls.append((scope.parent, call))
        return call


class Path:
    def __init__(self):
        self.copies = self.emptied = self.calls = 0

    def count(self):
        return self.copies + self.emptied


class Build:
    """{path: Path}; a path is a tuple of symbols, from an out-of-line function inwards."""

    def __init__(self, path):
        self.sections = instances.Sections(path)
        self.forest = WithCalls(self.sections, linetable.Places(path, self.sections))
        self.parts = parts.Parts()
        sites, self.names = {}, {}
        for record in self.forest.records(self.parts.noted(dwarfdump.dies(path, self.sections))):
            if record.type != "call":
                sites[record.die] = record
        # Of a destructor, the copies have the name of the abstract instance.
        for site in sorted(sites.values(), key=lambda site: site.type != "site"):
            self.names.setdefault(site.origin or site.die, symbol(site.linkage_name or site.function))
        self.sites = sites
        self.parts_out_of_line = {(entry.start, entry.section)
                                  for entry in instances.function_symbols(path, self.sections)
                                  if re.search(r"\.(part|cold)(\.|$)", entry.name)}
        self.paths = collections.defaultdict(Path)
        for scopes in self.forest.inside.values():
            for scope in scopes:
                self._add_copy(scope)
        for site in sites.values():
            if site.type == "copy" and site.ranges and (
                    site.entry, site.entry_section) not in self.parts_out_of_line:
                self.paths[self.names[site.origin or site.die],].copies += 1
        for scope, call in self.forest.calls:
            around = self._path(self._caller(scope, call))
            if around:
                self.paths[(*around, symbol(call.linkage_name or call.function))].calls += 1
        self.has_calls = bool(self.forest.calls)

    def _name(self, scope):
        site = self.sites.get(scope.die.offset)
        origin = site and (site.origin or site.die) or scope.die.attrs.get("abstract_origin") or scope.die.offset
        return self.names.get(origin)

    def _caller(self, scope, call):
        """The copy that a call is in, which Clang describes at the function itself."""
        if scope is None or not scope.is_host() or not (call.return_pc or call.entry is not None):
            return scope
        address = call.return_pc[0] - 1 if call.return_pc else call.entry
        section = call.return_pc[1] if call.return_pc else call.entry_section
        inner = scope
        while inner is not None:
            scope = inner
            inner = next((copy for copy in self.forest.inside.get(id(scope), ()) if any(
                start <= address < end and section == of for start, end, of in copy.ranges)), None)
        return scope

    def _path(self, scope):
        """From its host; None in a host without code."""
        names = []
        while scope is not None and not scope.is_host():
            if not self.parts.has(scope):
                names.append(self._name(scope))
            scope = scope.parent
        if scope is None or not scope.ranges:
            return None
        return (self._name(scope), *reversed(names))

    def _add_copy(self, scope):
        path = self._path(scope)
        if path is None or self.parts.has(scope):
            return
        if scope.ranges:
            self.paths[path].copies += 1
        else:
            self.paths[path].emptied += 1


def symbol(name):
    return SUFFIX.sub("", name) if name else name


def without_scope(name):
    """The part of a qualified name after the last "::" that is in no brackets."""
    depth, start = 0, 0
    for at, letter in enumerate(name or ""):
        depth += (letter in "<(") - (letter in ">)")
        if depth == 0 and name[at:at + 2] == "::":
            start = at + 2
    return name and name[start:]


WORDS = ("inlined", "outlined", "added", "removed", "came", "went", "emptied", "filled")


def fate(old, new, path, has_calls):
    """What became of the copies of a path: {word: number}."""
    before, after = old.paths.get(path, Path()), new.paths.get(path, Path())
    found = collections.Counter()
    gained, lost = max(after.copies - before.copies, 0), max(before.copies - after.copies, 0)
    found["filled"] = min(gained, max(before.emptied - after.emptied, 0))
    found["emptied"] = min(lost, max(after.emptied - before.emptied, 0))
    gained -= found["filled"]
    lost -= found["emptied"]
    around_before = old.paths.get(path[:-1], Path()).count()
    around_after = new.paths.get(path[:-1], Path()).count()
    for word, changed, copies, fewer, more in (("came", gained, after.copies, around_before, around_after),
                                               ("went", lost, before.copies, around_after, around_before)):
        in_each = -(-copies // more) if more else 0
        found[word] = changed if fewer == 0 else min(changed, in_each * max(more - fewer, 0))
    gained -= found["came"]
    lost -= found["went"]
    if has_calls:
        found["inlined"] = min(gained, max(before.calls - after.calls, 0))
        found["outlined"] = min(lost, max(after.calls - before.calls, 0))
    found["added"] = gained - found["inlined"]
    found["removed"] = lost - found["outlined"]
    return found


def expected(old, new):
    """{function: (how many copies more it has, {word: number}, the numbers of each path that changed)}"""
    sums = collections.defaultdict(lambda: [[0, 0], collections.Counter(), []])
    has_calls = old.has_calls and new.has_calls
    for path in {*old.paths, *new.paths}:
        if len(path) == 1:
            continue
        copies, words, paths = sums[path[-1]]
        before, after = old.paths.get(path, Path()), new.paths.get(path, Path())
        copies[0] += before.copies
        copies[1] += after.copies
        found = fate(old, new, path, has_calls)
        words.update(found)
        if any(found[word] for word in ("inlined", "outlined", "added", "removed")):
            paths.append((before.copies, after.copies, before.calls, after.calls, len(path) - 2))
    return {name: (copies[1] - copies[0], {word: words[word] for word in WORDS}, sorted(paths))
            for name, (copies, words, paths) in sums.items()}


def printed(old_path, new_path):
    """The same of what the program prints, and the row for all functions."""
    result = subprocess.run([compare.program(), "diff", "--json", "--min-bytes=0", str(old_path), str(new_path)],
                            capture_output=True, text=True, check=False)
    assert result.returncode in (0, 1) and not result.stderr, result.stderr
    total, *rows = map(json.loads, result.stdout.splitlines())
    sums = collections.defaultdict(lambda: [[0, 0], collections.Counter(), []])
    for row in rows:
        copies, words, paths = sums[symbol(row["linkage_name"] or without_scope(row["function"]))]
        copies[0] += row["old_copies"]
        copies[1] += row["new_copies"]
        words.update({word: row[word] for word in WORDS})
        paths.extend((path["old_copies"], path["new_copies"], path["old_calls"], path["new_calls"],
                      len(path["callers"])) for path in row["paths"])
    return {name: (copies[1] - copies[0], {word: words[word] for word in WORDS}, sorted(paths))
            for name, (copies, words, paths) in sums.items()}, total


def differences(old_path, new_path):
    """Lines that say what the program prints else, and how many functions were compared."""
    old, new = Build(old_path), Build(new_path)
    wanted = expected(old, new)
    found, total = printed(old_path, new_path)
    lines = []
    for name in sorted({*wanted, *found}, key=str):
        nothing = (0, dict.fromkeys(WORDS, 0), [])  # so it is if it is not listed
        want, have = wanted.get(name, nothing), found.get(name, nothing)
        if want != have:
            lines.append(f"{name}: {have}, but the DIEs say {want}")
    for word in WORDS:
        if total[word] != sum(words[word] for _, words, _ in wanted.values()):
            lines.append(f"all: {word} {total[word]}")
    return lines, len(wanted)
