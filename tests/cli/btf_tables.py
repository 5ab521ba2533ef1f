"""Tables of inlined calls, and types for them, made by tests."""

import struct

from btf_types import Types


def table(calls, locations=b"\0", order="<"):
    """.BTF.inline in the RFC's form, of (callee, caller, offset, places of the parameters)."""
    records = b"".join(struct.pack(f"{order}IIIH{len(places)}I", callee, caller, offset & 0xffffffff,
                                   len(places), *places)
                       for callee, caller, offset, places in calls)
    return (struct.pack(f"{order}HBB5I", 0xeb9f, 1, 0, 24, 0, len(records), len(records),
                        len(locations)) + records + locations)


def types_of(rows):
    """A .BTF with the functions of what `sites -p --json` prints. All parameters are of the type
    long."""
    types, functions = Types(), {}
    long_type = types.integer("long", 8, True)
    for row in rows:
        functions.setdefault(row["function"], [param["name"] for param in row["params"]])
    for name, params in functions.items():
        types.function(name, [(param, long_type) for param in params])
    return types.section()
