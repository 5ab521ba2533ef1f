"""Why another tool's frames are not those of the standard.

A rule is a function with the name that known_differences.txt gives a reason for. It is given a
Case and the right answer, or what other rules have made of it, and yields what the tool would say
if it did as the rule says. A difference is explained if, by the fewest rules that do, exactly the
tool's answer comes out. Rules of BASES make a new answer, and one of them is tried at a time;
rules of CHANGES change some of what an answer says. Only those are tried that hold for the tool's
version.
"""

import bisect
import functools

from address_case import NOTHING, Answer, by_symbols, says_nothing
from address_peers import PeerFrame
from address_searches import (Binutils, BinutilsWithoutIndexes, Elfutils, ElfutilsByIndex, Llvm,
                              LlvmInObjects, LlvmSplit, holds)
from compare import known_rules, one_slash
from instances import raw_ranges


def by_lines(case, standard):
    """The nearest symbol with the place of the row, as of code without functions."""
    if standard.row is not None:
        for symbol in case.nearest():
            yield standard._replace(frames=(standard.frames[0]._replace(name=symbol.name),))


def relative_directory(case, answer):
    """Before directory 0 of a table of version 5, which is the compilation directory, that of the
    unit once more, if it is relative."""
    directory = answer.unit.attrs.get("comp_dir") if answer.unit else None
    if directory and not directory.startswith("/") and len(answer.frames) == len(case.got):
        yield answer._replace(frames=tuple(
            frame._replace(file=got.file)
            if frame.file and got.file == one_slash(f"{directory}/{frame.file}") else frame
            for frame, got in zip(answer.frames, case.got)))


# addr2line

def addr2line_split(case, standard):
    if "split" in case.view.facts:
        yield from by_lines(case, standard)
        yield from by_symbols(case.nearest())


def addr2line_partial_units(case, standard):
    if case.view.facts & {"partial units", "supplementary", "debug_sup"}:
        yield from by_lines(case, standard)
        yield from by_symbols(case.nearest())


def addr2line_build_id(case, _):
    if "apart" in case.view.facts:
        yield from by_symbols(case.nearest())


def addr2line_zdebug(case, _):
    if "zlib-gnu" in case.view.facts:
        yield from by_symbols(case.nearest())


def addr2line_shortest_range(case, _):
    for instance in case.view.search(Binutils).find(case.section, case.addr):
        yield case.answer_of(instance)


def addr2line_index_lists(case, standard):
    """Where no function is left there is a symbol's name and the line table's place."""
    found = case.view.search(BinutilsWithoutIndexes).find(case.section, case.addr)
    for instance in found:
        yield case.answer_of(instance)
    if standard.has_instance and not found:
        for symbol in case.nearest():
            yield standard._replace(frames=(standard.frames[0]._replace(name=symbol.name),))


def addr2line_unit_ranges(case, standard):
    if standard.unit and not holds(raw_ranges(standard.unit.attrs), case.section, case.addr):
        yield from by_symbols(case.nearest())


def addr2line_dwarf64(case, standard):
    if standard.unit and standard.unit.attrs.get("format") == 64:
        yield from by_symbols(case.nearest())


def addr2line_type_units(case, standard):
    """No frames but the symbol's, and of type units, which share the line table, the lack of a
    compilation directory."""
    if not case.view.has_type_units or standard.row is None:
        return
    table = case.view.truth.rows.tables[standard.unit.attrs["stmt_list"]][0]
    for file in {one_slash(table.path(standard.row.file, directory))
                 for directory in (None, standard.unit.attrs.get("comp_dir"))}:
        for symbol in case.nearest():
            frame = standard.frames[0]._replace(name=symbol.name, file=file)
            yield standard._replace(frames=(frame,))


def addr2line_sequences(case, standard):
    """A unit whose rows were read claims all that they cover."""
    if standard.has_instance or standard.row is not None:
        return
    search = case.view.search(Binutils)
    for table in case.view.truth.rows.tables:
        row = search.row(table, case.section, case.addr)
        if row is not None:
            place = case.place(case.view.truth.place(table, row))
            for symbol in case.nearest():
                yield Answer((PeerFrame(symbol.name, *place),), case.view.unit_of_table[table], row)


def addr2line_nearest_symbol(case, answer):
    if says_nothing(answer) or (not answer.has_instance and answer.row is None):
        yield from by_symbols(case.nearest())
    elif not answer.has_instance:
        for symbol in case.nearest():
            yield answer._replace(frames=(answer.frames[0]._replace(name=symbol.name),))


def addr2line_without_rows(case, standard):
    if standard.has_instance and standard.row is None:
        yield from by_symbols(case.nearest())


def addr2line_last_of_page(case, _):
    if case.addr & 0xff == 0xff:
        yield from by_symbols(case.nearest())


def addr2line_first_sequence(case, answer):
    if answer.unit:
        row = case.view.search(Binutils).row(answer.unit.attrs.get("stmt_list"), case.section,
                                             case.addr)
        yield case.with_row(answer, row)


def addr2line_first_file(case, answer):
    """File 0 instead of 1, which a sequence of version 5 begins with."""
    if not answer.row or not answer.unit or answer.row.file != 1:
        return
    table = case.view.truth.rows.tables[answer.unit.attrs["stmt_list"]][0]
    if table.version >= 5:
        yield case.with_row(answer, answer.row._replace(file=0))


def addr2line_discriminator(case, answer):
    """That of the first frame again."""
    frames = answer.frames
    if frames:
        yield answer._replace(frames=tuple(
            frame._replace(discriminator=frames[0].discriminator) for frame in frames))


def addr2line_symbol_names(case, answer):
    """A function without a linkage name is named by the nearest symbol, once; and from then on,
    if it begins where that symbol does."""
    if len(answer.frames) == len(case.got):
        names = {symbol.name for symbol in case.nearest()}
        yield answer._replace(frames=tuple(
            frame._replace(name=got.name) if got.name in names else frame
            for frame, got in zip(answer.frames, case.got)))


# eu-addr2line

def elfutils_machine(case, _):
    if "CUDA" in case.view.facts:
        yield NOTHING


def elfutils_tombstone(case, standard):
    """-1 in .debug_ranges selects a base; what is behind it is nowhere, and of units, which later
    versions find by such lists, it is not known what they have."""
    if case.view.is_ruined and case.peer.version >= BY_UNITS:
        for name in elfutils_symbols(case):
            yield Answer((PeerFrame(name, None, None, None, None),))
    if case.view.is_ruined and standard.has_instance:
        for at, frame in enumerate(standard.frames):
            for name in {frame.name, *elfutils_symbols(case)}:
                first = standard.frames[0]._replace(name=name)
                yield standard._replace(frames=(first, *standard.frames[at + 1:]))


def elfutils_zstd(case, _):
    if "zstd" in case.view.facts:
        for name in elfutils_symbols(case):
            yield Answer((PeerFrame(name, None, None, None, None),))


BY_UNITS = (0, 191)


def elfutils(case):
    return case.view.search(Elfutils if case.peer.version >= BY_UNITS else ElfutilsByIndex)


def elfutils_lines_only(case, _):
    """As of a file without functions, in split units and with a .debug_sup."""
    search = elfutils(case)
    unit = search.unit_at(case.section, case.addr)
    if case.view.facts & {"split", "debug_sup"} and unit is not None:
        row = search.row(unit, case.section, case.addr)
        place = case.place(case.view.truth.place(unit.attrs.get("stmt_list"), row))
        # The name of a function that is found but lies in the other file is missing.
        for name in {*elfutils_symbols(case), None}:
            yield Answer((PeerFrame(name, *place),), unit, row)


def elfutils_debug_sup(case, standard):
    """No names if they are in the file that a .debug_sup names."""
    if "debug_sup" in case.view.facts:
        for answer in elfutils_search(case, standard):
            yield without_names(case, answer)._replace(rules=())


def elfutils_aranges(case, _):
    """What its search for units does not find has no more than a symbol."""
    if elfutils(case).unit_at(case.section, case.addr) is None:
        for name in elfutils_symbols(case):
            yield Answer((PeerFrame(name, None, None, None, None),))


def elfutils_unit_ranges(case, standard):
    yield from elfutils_aranges(case, standard)


def elfutils_search(case, standard):
    """What it makes of its way down the tree, of its rows and of symbols; an answer has the names
    of the rules that made it another one."""
    search = elfutils(case)
    for unit in search.units_at(case.section, case.addr):
        yield from elfutils_search_in(case, standard, unit, search)


def elfutils_search_in(case, standard, unit, search):
    row = search.row(unit, case.section, case.addr)
    place = case.place(case.view.truth.place(unit.attrs.get("stmt_list"), row))
    way = search.way(unit, case.section, case.addr)
    # The address is overwritten by the row's before the frames are looked for.
    outer_way = search.way(unit, case.section, row.addr) if row else way
    function = next((scope for scope in way if scope.tag in FUNCTIONS), None)
    rules = elfutils_rules(case, standard, (unit, row, function))
    if elfutils_outer(case, outer_way) != elfutils_outer(case, way):
        rules = (*rules, "elfutils_row_address")
    for name in elfutils_symbols(case) if function is None else [elfutils_name(case, function)]:
        frames = PeerFrame(name, *place), *elfutils_outer(case, outer_way)
        yield Answer(frames, unit, row, True, rules)


ELFUTILS = ("elfutils_rows", "elfutils_origins", "elfutils_first_scope", "elfutils_symbol_names",
            "elfutils_row_address")


def elfutils_rules(case, standard, found):
    unit, row, function = found
    rules = ["elfutils_rows"] if row != standard.row else []
    instance = case.instance()
    search = elfutils(case)
    if instance and (function is None or function.offset != instance.record.die):
        way = search.whole_way(unit, case.section, case.addr)
        seen = instance.record.die in [scope.offset for scope in way]
        rules.append("elfutils_origins" if seen else "elfutils_first_scope")
    if function is None:
        rules.append("elfutils_symbol_names")
    return tuple(rules)


FUNCTIONS = ("inlined_subroutine", "subprogram")


def elfutils_name(case, scope):
    record = case.view.truth.by_die[scope.offset].record
    return record.linkage_name or record.function


def elfutils_outer(case, way):
    frames = []
    for at, scope in enumerate(way):
        if scope.tag != "inlined_subroutine":
            continue
        around = next((outer for outer in way[at + 1:] if outer.tag in FUNCTIONS), None)
        record = case.view.truth.by_die[scope.offset].record
        frames.append(PeerFrame(elfutils_name(case, around) if around else None,
                                *case.place((record.call_file, record.call_line,
                                             record.call_column, None), False)))
    return frames


def elfutils_symbols(case):
    """A symbol that holds the address; else one without a size before it."""
    symbols = case.view.symbols_of(case.section, case.addr)
    at = bisect.bisect_right(symbols, case.addr, key=lambda symbol: symbol.start)
    first = bisect.bisect_left(symbols, case.addr - case.view.longest,
                               key=lambda symbol: symbol.start)
    names = {symbol.name for symbol in symbols[first:at] if symbol.name and
             (case.addr < symbol.start + symbol.size or symbol.start == case.addr)}
    if "descriptors" in case.view.facts:  # in programs it knows which function one is of
        names.update(frame.name for frame in (*case.standard().frames[-1:], *NOTHING.frames,
                                              *case.descriptors()))
    if case.view.truth.sections.machine == "ARM":  # of Thumb code we have each symbol twice
        names.add(None)
    return names or {symbol.name for symbol in symbols[:at] if not symbol.size} | {None}


# llvm-symbolizer

def llvm_machine(case, _):
    if "CUDA" in case.view.facts:
        yield NOTHING


def llvm_unit_ranges(case, standard):
    """It asks only a unit that claims the address, and -1 in .debug_ranges selects a base."""
    if standard.unit and (standard.unit.attrs.get("stmt_list") not in
                          case.view.truth.claims.tables(case.section, case.addr)):
        yield NOTHING
        yield from by_symbols(case.nearest_anywhere())


def llvm_zstd(case, _):
    if "zstd" in case.view.facts:
        yield NOTHING
        yield from by_symbols(case.nearest_anywhere())


def llvm_split(case, standard):
    """In split units, instances with a list of ranges are not seen, or none at all."""
    if "split" not in case.view.facts or not standard.has_instance:
        return
    search = case.view.search(LlvmSplit)
    for unit in case.view.truth.units:
        instance = search.find(unit, case.section, case.addr)
        if instance is not None:
            yield case.answer_of(instance)
    yield standard._replace(frames=(standard.frames[0]._replace(name=None),))


def llvm_supplementary(case, standard):
    """No names if they are in the supplementary file, or others of its own strings."""
    if case.view.facts & {"supplementary", "debug_sup"}:
        yield without_names(case, standard, case.view.strings)


def without_names(case, answer, others=b""):
    """The tool's names if it has none, or what is in `others`."""
    if len(case.got) != len(answer.frames):
        return answer
    return answer._replace(frames=tuple(
        told._replace(name=got.name) if got.name is None or got.name.encode() in others else told
        for told, got in zip(answer.frames, case.got)))


def llvm_later_wins(case, _):
    yield from llvm_found(case, Llvm)


def llvm_sections(case, standard):
    """It finds a function of another section, or none."""
    if case.section is None:
        return
    found = list(llvm_found(case, LlvmInObjects))
    yield from found
    if standard.has_instance and not found:
        frame = standard.frames[0]._replace(name=None)
        yield standard._replace(frames=(frame,), has_instance=False)


def llvm_found(case, kind):
    for instance in case.view.search(kind).find_all(case.section, case.addr):
        yield case.answer_of(instance)


def llvm_nearest_symbol(case, answer):
    """Of any section; if that is one that ends before the address, nothing."""
    if answer.has_instance:
        return
    for symbol in case.nearest_anywhere():
        if symbol.size and case.addr >= symbol.start + symbol.size:
            yield NOTHING
        elif says_nothing(answer) or answer.row is None:
            yield from by_symbols([symbol])
        else:
            yield answer._replace(frames=(answer.frames[0]._replace(name=symbol.name),))


def llvm_own_symbols(case, answer):
    """None if they are all in the debug file."""
    if not answer.has_instance and not case.view.has_symbols:
        yield answer._replace(frames=(answer.frames[0]._replace(name=None),))


def llvm_symbol_names(case, answer):
    """Asked for linkage names, it takes that of the last frame from the symbol table, and its
    file if there is none yet."""
    for symbol, last in last_by_symbols(case, answer):
        yield with_last(answer, last._replace(file=last.file or symbol.file))


def llvm_symbol_names_without_files(case, answer):
    """The same, but the file stays missing."""
    for _, last in last_by_symbols(case, answer):
        yield with_last(answer, last)


def last_by_symbols(case, answer):
    """(symbol, the last frame with its name), if linkage names are asked for"""
    if case.peer.names == "linkage" and answer.has_instance:
        for symbol in case.nearest_anywhere():
            yield symbol, answer.frames[-1]._replace(name=symbol.name)


def with_last(answer, frame):
    return answer._replace(frames=(*answer.frames[:-1], frame))


def llvm_only_linkage_names(case, answer):
    """Asked for short names, it gives none if there is only a linkage name."""
    if case.peer.names == "short":
        frames = case.view.truth.frames(case.section, case.addr)
        if len(frames) == len(answer.frames):
            yield answer._replace(frames=tuple(
                told._replace(name=None) if frame.function == frame.linkage_name else told
                for told, frame in zip(answer.frames, frames)))


BASES = {
    "addr2line": (addr2line_split, addr2line_partial_units, addr2line_build_id, addr2line_zdebug,
                  addr2line_shortest_range, addr2line_index_lists,
                  addr2line_unit_ranges, addr2line_dwarf64, addr2line_type_units,
                  addr2line_sequences, addr2line_without_rows, addr2line_last_of_page),
    "eu-addr2line": (elfutils_machine, elfutils_zstd, elfutils_tombstone, elfutils_debug_sup,
                     elfutils_lines_only, elfutils_aranges, elfutils_unit_ranges,
                     elfutils_search),
    "llvm-symbolizer": (llvm_machine, llvm_unit_ranges, llvm_zstd, llvm_split,
                        llvm_supplementary, llvm_later_wins, llvm_sections),
}
CHANGES = {
    "addr2line": (addr2line_nearest_symbol, addr2line_first_sequence, addr2line_first_file,
                  addr2line_discriminator, addr2line_symbol_names, relative_directory),
    "eu-addr2line": (relative_directory,),
    "llvm-symbolizer": (llvm_nearest_symbol, llvm_own_symbols, llvm_symbol_names,
                        llvm_symbol_names_without_files,
                        llvm_only_linkage_names, relative_directory),
}


@functools.cache
def held(tool, version):
    """(BASES, CHANGES) of the tool, in this version"""
    known = known_rules()
    unlimited = {elfutils_search.__name__}  # which says itself by what rules
    return [[rule for rule in some[tool]
             if rule.__name__ in unlimited or known[rule.__name__].holds(version)]
            for some in (BASES, CHANGES)]


def explain(case):
    """The names of the rules by which the tool's answer follows: none if it is right. None
    if it does not follow."""
    standard = case.standard()
    if same(standard, case.got):
        return ()
    more, changes = held(case.peer.tool, case.peer.version)
    found = by_changes(case, changes, (), standard, 1)  # most often one is enough
    if found is not None:
        return found
    bases = [((), standard)]
    bases += [(base.rules or (rule.__name__,), base) for rule in more
              for base in rule(case, standard)]
    for limit in range(len(changes) + 1):  # the fewest rules
        for names, base in bases:
            found = by_changes(case, changes, names, base, limit)
            if found is not None:
                return found
    return None


def by_changes(case, rules, names, answer, limit):
    if same(answer, case.got):
        return names
    if limit == 0:
        return None
    for at, rule in enumerate(rules):
        for changed in rule(case, answer):
            if changed.frames != answer.frames:
                found = by_changes(case, rules[at + 1:], (*names, rule.__name__), changed,
                                   limit - 1)
                if found is not None:
                    return found
    return None


def same(answer, got):
    return answer.frames == got or says_nothing(answer) and says_nothing(Answer(got))


def names():
    """Of all rules."""
    rules = [rule.__name__ for some in (BASES, CHANGES) for tool in some.values() for rule in tool]
    return {*rules, *ELFUTILS} - {elfutils_search.__name__}
