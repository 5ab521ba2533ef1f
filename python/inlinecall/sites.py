"""Copies of inlined functions, their callers and their arguments."""

from __future__ import annotations

from typing import Any, NamedTuple


class Place(NamedTuple):
    """A position in a source file; unknown parts are None."""
    file: str | None
    line: int | None
    column: int | None

    def __str__(self) -> str:
        parts = [self.file or "?", *(str(part) for part in self[1:] if part is not None)]
        return ":".join(parts)


class Caller(NamedTuple):
    """A function that a copy was inlined into, and where this function was itself called."""
    function: str | None
    call: Place


class Location(NamedTuple):
    """Where an argument is; printed as in assembly: "%rdi", "%rsp+8", "5"."""
    kind: str
    text: str | None
    reason: str | None
    register: str | None
    offset: int | None
    value: int | None
    known_from: int | None

    def __str__(self) -> str:
        return self.text if self.text is not None else self.reason or self.kind


class LocationRange(NamedTuple):
    """Where an argument is in a range of addresses, or everywhere if these are None."""
    start: int | None
    end: int | None
    location: Location
    expression: str | None


class Parameter(NamedTuple):
    """A parameter of a copy. `location` is where the copy is entered; `ranges` has all of them, if
    they were asked for."""
    name: str | None
    type: str | None
    size: int | None
    encoding: str | None
    is_signed: bool
    artificial: bool
    result: bool
    location: Location
    ranges: list[LocationRange]

    def __str__(self) -> str:
        return f"{self.name or '?'} {self.location}"


class Site(NamedTuple):
    """A copy of a function, or a call of it.

    `kind` is "site" for a call that was inlined, "copy" for code of its own, and "call" for a call
    that was not inlined. In a relocatable file addresses are offsets in `section`, and a range of
    another section has its name as a third item. `parameters` is None if they were not asked for,
    or are unknown. `row` has all keys of docs/formats/json.md.
    """
    kind: str
    function: str | None
    linkage_name: str | None
    declared: Place
    call: Place
    ranges: list[tuple[Any, ...]]
    section: str | None
    entry: int | None
    host: str | None
    symbol: str | None
    chain: list[Caller]
    unit: str | None
    die: int
    parameters: list[Parameter] | None
    row: dict[str, Any]

    def __repr__(self) -> str:
        return f"<inlinecall.Site {self.kind} of {self.function} in {self.host}, called at {self.call}>"


def location_of(row: dict[str, Any]) -> Location:
    value = row["value"]
    return Location(row["kind"], row["text"], row["reason"], row["register"], row["offset"],
                    int(value, 16) if value is not None else None, row.get("known_from"))


def parameter_of(row: dict[str, Any]) -> Parameter:
    ranges = [LocationRange(item["start"], item["end"], location_of(item["location"]),
                            item["expression"])
              for item in row.get("list", [])]
    return Parameter(row["name"], row["type"], row["size"], row["encoding"], row["signed"],
                     row["artificial"], row["result"], location_of(row["location"]), ranges)


def site_of(row: dict[str, Any]) -> Site:
    chain = [Caller(item["function"],
                    Place(item["call_file"], item["call_line"], item["call_column"]))
             for item in row["chain"] or []]
    parameters = row.get("params")
    return Site(row["type"], row["function"], row["linkage_name"],
                Place(row["decl_file"], row["decl_line"], None),
                Place(row["call_file"], row["call_line"], row["call_column"]), row["ranges"],
                row["section"], row["entry"], row["host"], row["symbol"], chain, row["unit"],
                row["die"], None if parameters is None else [parameter_of(p) for p in parameters],
                row)
