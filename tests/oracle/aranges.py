""".debug_aranges, read from its bytes: of every unit the ranges that it says are its own."""

from old_lists import Object


def read(path):
    """[(section or None, start, end, offset of the unit's header)], sections in objects only"""
    file = Object(path)
    if ".debug_aranges" not in file.names:
        return []
    index = file.names.index(".debug_aranges")
    data = file.bytes_of(index)
    relocations = file.relocations(index, any_kind=True) if file.relocatable else {}
    return list(parse(data, file.order, relocations))


def parse(data, order, relocations):
    order = "little" if order == "<" else "big"
    at = 0

    def take(size):
        nonlocal at
        at += size
        value = int.from_bytes(data[at - size:at], order)
        for sign, symbol, section, addend in relocations.get(at - size, ()):
            if sign is None:
                return symbol + (value if addend is None else addend), section
        return value, None

    while at < len(data):
        begin = at
        length, offset_size = take(4)[0], 4
        if length == 0xffffffff:
            length, offset_size = take(8)[0], 8
        end = at + length
        take(2)
        unit = take(offset_size)[0]
        addr_size = take(1)[0]
        take(1)
        at += -(at - begin) % (2 * addr_size)
        while at < end:
            (start, section), (size, _) = take(addr_size), take(addr_size)
            if size:
                yield section, start, start + size, unit
