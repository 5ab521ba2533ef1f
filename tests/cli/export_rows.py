"""The rows of `sites --json`, put together again from the tables of an export."""

import json
import sqlite3
from collections import defaultdict

TABLES = ("files", "units", "sources", "functions", "instances", "ranges", "arguments", "calls",
          "problems")
SITES = ("--json", "--out-of-line", "--calls", "--parts", "--parameters", "--glob", "*")


def from_sqlite(path):
    """{table: [row as a dict, ...]}"""
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    try:
        return {table: [dict(row) for row in database.execute(f"SELECT * FROM {table}")]
                for table in (*TABLES, "paths")}
    finally:
        database.close()


def _address(number):
    return None if number is None else hex(number % 2**64)


class Export:
    """The tables of one file."""

    def __init__(self, tables):
        self.tables = tables
        by_id = {table: {row["id"]: row for row in tables[table]}
                 for table in ("units", "sources", "functions", "instances")}
        self.units, self.sources, self.functions, self.instances = by_id.values()
        self.ranges, self.arguments = defaultdict(list), defaultdict(list)
        for row in sorted(tables["ranges"], key=lambda row: row["number"]):
            self.ranges[row["instance"]].append(row)
        for row in sorted(tables["arguments"], key=lambda row: row["number"]):
            self.arguments[row["instance"]].append(row)

    def source(self, number):
        return self.sources[number]["path"] if number else None

    def function(self, number):
        return self.functions[number] if number else defaultdict(lambda: None)

    def host(self, instance):
        number = self.instances[instance]["host"] if instance else None
        return self.function(self.instances[number]["function"] if number else None)

    def chain(self, instance):
        """The inlined functions from this instance outwards."""
        while instance and self.instances[instance]["inlined"]:
            row = self.instances[instance]
            yield {"function": self.function(row["function"])["name"], "call_file": self.source(row["call_source"]),
                   "call_line": row["call_line"], "call_column": row["call_column"]}
            instance = row["parent"]

    def _common(self, row, inside):
        """What sites and calls have; `inside`: the instance around it."""
        function, unit = self.function(row["function"]), self.units[row["unit"]]
        return {"function": function["name"], "linkage_name": function["linkage_name"],
                "decl_file": self.source(function["decl_source"]),
                "decl_line": function["decl_line"],
                "call_file": self.source(row["call_source"]), "call_line": row["call_line"],
                "call_column": row["call_column"], "section": row["section"],
                "symbol": row["symbol"], "chain": list(self.chain(inside)),
                "unit": unit["name"], "die": _address(row["die"]), "die_file": unit["die_file"],
                "part": bool(row["part"])}

    def _ranges(self, row):
        for item in self.ranges[row["id"]]:
            start = _address(item["start"])
            end = _address(item["start"] + item["bytes"])
            other = item["section"] != row["section"]
            yield [start, end, item["section"]] if other else [start, end]

    def _arguments(self, row):
        for item in self.arguments[row["id"]]:
            yield {"name": item["name"], "type": item["value_type"], "size": item["bytes"],
                   "encoding": item["encoding"], "signed": bool(item["signed"]),
                   "artificial": bool(item["artificial"]), "result": bool(item["result"]),
                   "location": {"kind": item["kind"], "text": item["location"],
                                "reason": item["reason"], "register": item["register"],
                                "offset": item["register_offset"], "value": item["value"],
                                "known_from": _address(item["known_from"])}}

    def sites(self):
        """What `sites` prints with the options SITES, without what is not exported."""
        for row in self.instances.values():
            if row["inlined"]:
                kind, inside = "site", row["parent"]
            elif self.ranges[row["id"]]:
                kind, inside = "copy", None
            else:
                continue
            site = {"type": kind, **self._common(row, inside),
                    "ranges": list(self._ranges(row)), "entry": _address(row["entry"]),
                    "host": self.host(row["id"])["name"]}
            if row["arguments"] is not None:
                site |= {"variadic": bool(row["variadic"]), "params": list(self._arguments(row))}
            assert row["arguments"] in (None, len(self.arguments[row["id"]]))
            yield site
        for row in self.tables["calls"]:
            yield {"type": "call", **self._common(row, row["instance"]), "ranges": [],
                   "entry": _address(row["address"]), "host": self.host(row["instance"])["name"],
                   "return": _address(row["return_address"]), "tail": bool(row["tail"])}


def _without(row, *keys):
    return {key: value for key, value in row.items() if key not in keys}


def printed_sites(lines):
    """The rows of `sites` with the options SITES, without what is not exported."""
    for line in lines.splitlines():
        row = _without(json.loads(line), "file", "entry_symbol", "entry_offset")
        for parameter in row.get("params", ()):
            parameter["location"].pop("known_section", None)
        yield row


def as_texts(rows):
    """Rows that can be compared, in one order."""
    return sorted(json.dumps(row, sort_keys=True) for row in rows)
