"""What the rules about other tools' answers (address_rules.py) look at: one address of one file."""

import bisect
import re
from pathlib import Path
from typing import NamedTuple

import compare
from address_peers import Peer, PeerFrame
from address_searches import TOMBSTONE
from instances import Sections, run_readelf


class Symbol(NamedTuple):
    start: int
    size: int
    type: str
    section: str
    name: str
    file: str  # of the STT_FILE symbol before a local one, or of the only one of all


class SymbolTable:
    """All symbols, as other tools use them: not only functions."""

    ROW = re.compile(r"\s*\d+: ([0-9a-f]+)\s+(\d+|0x[0-9a-f]+) (\w+)\s+(\w+)\s+\S+\s+"
                     r"(?:\[.*?\]\s+)?(\w+)(?: (.*))?$")

    def __init__(self, path, sections):
        self.by_section, file, files = {}, None, []
        for line in run_readelf("-sW", path).partition("'.symtab'")[2].splitlines():
            match = self.ROW.match(line)
            if not match:
                continue
            start, size, kind, bind, index, name = match.groups()
            if kind == "FILE":
                file = name or None
                files.append(file)
            elif index.isdigit() and kind not in ("SECTION", "TLS"):
                symbol = Symbol(int(start, 16), int(size, 0), kind,
                                sections.names.get(int(index)), name or None,
                                file if bind == "LOCAL" else None)
                found = self.by_section.setdefault(symbol.section, [])
                found.append(symbol)
                if sections.machine == "ARM" and symbol.start & 1:
                    # Thumb code; not all tools take the bit away, nor do it everywhere.
                    found.append(symbol._replace(start=symbol.start - 1))
        for section, symbols in self.by_section.items():
            if len(files) == 1:
                symbols = [symbol._replace(file=file) for symbol in symbols]
            self.by_section[section] = sorted(symbols, key=lambda symbol: symbol.start)


def container_facts(path):
    """What is special about how its DWARF is kept: words that rules ask for."""
    facts = set()
    path = Path(path)
    files = [path, *path.parent.glob("*.debug")]
    for file in files:
        text = run_readelf("-hStW", file)
        facts.update(word for word, sign in SIGNS.items() if re.search(sign, text))
        if re.search(r"DW_AT_(GNU_)?dwo_name", run_readelf("-wi", file)):
            facts.add("split")
        if "DW_TAG_partial_unit" in run_readelf("-wi", file):
            facts.add("partial units")
    if " .debug_info" not in run_readelf("-SW", path) and "zlib-gnu" not in facts:
        facts.add("apart")
    return facts


SIGNS = {"zstd": "ZSTD", "zlib-gnu": r"\.zdebug_info", "supplementary": r"\.gnu_debugaltlink",
         "debug_sup": r"\.debug_sup", "CUDA": "Machine: .*CUDA",
         "descriptors": r" \.opd\n"}


class View:
    """What is known of one file, for all rules."""

    def __init__(self, truth, path):
        self.truth = truth
        self.path = path
        self.facts = container_facts(path)
        # Of a stripped file there are none left; of a twin some are called by other hashes.
        tables = [SymbolTable(path, Sections(path)), SymbolTable(truth.path, truth.sections)]
        self.has_symbols = bool(tables[0].by_section)
        self.symbols = {}  # section -> symbols by start
        for section in {section for table in tables for section in table.by_section}:
            found = {symbol for table in tables for symbol in table.by_section.get(section, ())}
            self.symbols[section] = sorted(found, key=lambda symbol: symbol.start)
        self.everywhere = sorted((symbol for symbols in self.symbols.values()
                                  for symbol in symbols), key=lambda symbol: symbol.start)
        self.longest = max((symbol.size for symbol in self.everywhere), default=0)
        self.named = [symbol for symbol in self.everywhere if symbol.name]
        self.unit_of_table = {unit.attrs.get("stmt_list"): unit for unit in reversed(truth.units)
                              if unit.tag == "compile_unit"}
        self.has_type_units = any(unit.tag == "type_unit" for unit in truth.units)
        # By a range list with an address that a linker put there for code that it threw away.
        self.is_ruined = any(start >= TOMBSTONE for unit in truth.units
                             for scope in unit.scopes for start, _, _ in scope.ranges)
        self.strings = Path(path).read_bytes() if "debug_sup" in self.facts else b""
        self.searches = {}

    def search(self, kind):
        if kind not in self.searches:
            self.searches[kind] = kind(self.truth)
        return self.searches[kind]

    def symbols_of(self, section, addr):
        """Those of the section that the address is in, or of the one before."""
        if section is None:
            section = self.truth.sections.name_before(addr)
        return self.symbols.get(section, [])


class Answer(NamedTuple):
    """What a tool is expected to say, and what follows of that."""
    frames: tuple          # of PeerFrame
    unit: object = None    # UnitScopes, where one is known
    row: object = None     # of the line table
    has_instance: bool = False
    rules: tuple = ()      # by which it came out, where the function that made it is not its name


class Case(NamedTuple):
    view: View
    peer: Peer
    section: str
    addr: int
    got: tuple      # of PeerFrame

    def expected(self, frames):
        """What the tool should say where these frames are."""
        return tuple(self._frame(at, frame) for at, frame in enumerate(frames))

    def _frame(self, at, frame):
        name = frame.function
        if self.peer.names == "linkage":
            name = frame.linkage_name or name
        return PeerFrame(name, *self.place(frame[2:6], at == 0))

    def place(self, place, is_first=True):
        file, line, column, discriminator = place
        told = self.peer.discriminators == "all" or is_first
        return (compare.one_slash(file), line or None,
                (column or None) if self.peer.columns else None,
                (discriminator or None) if told else None)

    def instance(self):
        return self.view.truth.instance_at(self.section, self.addr)

    def standard(self):
        """The right answer."""
        if not self.view.truth.is_code(self.section, self.addr):
            return NOTHING
        return self.answer_of(self.instance())

    def answer_of(self, instance):
        truth = self.view.truth
        table, row = truth.row_at(self.section, self.addr, instance)
        unit = truth.unit_of(instance) if instance else self.view.unit_of_table.get(table)
        return Answer(self.expected(truth.frames_of(instance, self.section, self.addr)), unit, row,
                      instance is not None)

    def with_row(self, answer, row):
        """The same but with the place of another row."""
        table = answer.unit.attrs.get("stmt_list")
        place = self.place(self.view.truth.place(table, row))
        return answer._replace(
            frames=(PeerFrame(answer.frames[0].name, *place), *answer.frames[1:]), row=row)

    def nearest(self):
        """Symbols at the last address of the section, up to this one, that has any."""
        return (last_of(self.view.symbols_of(self.section, self.addr), self.addr) +
                self.descriptors())

    def nearest_anywhere(self):
        """Those without a name too, and among those with one."""
        return (last_of(self.view.everywhere, self.addr) +
                last_of(self.view.named, self.addr) + self.descriptors())

    def descriptors(self):
        """Where symbols are of function descriptors we do not know whose: those that the tool
        names."""
        if "descriptors" not in self.view.facts:
            return []
        names = {frame.name for frame in self.got}
        return [symbol._replace(size=0) for symbol in self.view.symbols.get(".opd", ())
                if symbol.name in names]


def last_of(symbols, addr):
    at = bisect.bisect_right(symbols, addr, key=lambda symbol: symbol.start)
    if at == 0:
        return []
    first = bisect.bisect_left(symbols, symbols[at - 1].start, key=lambda symbol: symbol.start)
    return symbols[first:at]


def by_symbols(symbols):
    """A symbol, with the file that the symbol table says it is of or without."""
    for symbol in symbols:
        for file in {symbol.file, None}:
            yield Answer((PeerFrame(symbol.name, file, None, None, None),))


NOTHING = Answer((PeerFrame(None, None, None, None, None),))


def says_nothing(answer):
    return all(frame == NOTHING.frames[0] for frame in answer.frames)
