"""Rows as tables and trees, which notebooks show as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

MOST_SHOWN = 200


def escaped(text: str) -> str:
    """Text in HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def shown(value: Any) -> str:
    """A value of a row as in a table."""
    if value is None:
        return ""
    if isinstance(value, list):
        return f"{len(value)} items" if len(value) != 1 else "1 item"
    return str(value)


class Table(list[dict[str, Any]]):
    """A list of rows: dicts with the same keys. pandas.DataFrame() takes it as it is."""

    def _repr_html_(self) -> str:
        keys = list(self[0]) if self else []
        head = "".join(f"<th>{escaped(key)}</th>" for key in keys)
        lines = []
        for row in self[:MOST_SHOWN]:
            cells = (f"<td>{escaped(shown(row.get(key)))}</td>" for key in keys)
            lines.append(f"<tr>{''.join(cells)}</tr>")
        more = len(self) - MOST_SHOWN
        note = f"<p>and {more} more rows</p>" if more > 0 else ""
        return f"<table><tr>{head}</tr>{''.join(lines)}</table>{note}"


class Tree:
    """A copy of a function with the copies inlined into it. Iterating gives all of them, each before
    those inside it; `row` has all keys of docs/formats/json.md."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.row = row
        self.children: list[Tree] = []

    @property
    def function(self) -> str | None:
        """Its name; None if it has none."""
        name: str | None = self.row["function"]
        return name

    @property
    def bytes(self) -> int | None:
        """Its bytes, including everything inside it; None if unknown."""
        size: int | None = self.row["bytes"]
        return size

    def __iter__(self) -> Iterator[Tree]:
        waiting = [self]
        while waiting:
            tree = waiting.pop()
            yield tree
            waiting.extend(reversed(tree.children))

    def _title(self) -> str:
        line = self.row["call_line"]
        called = f", called at line {line}" if line is not None else ""
        size = f", {self.bytes} bytes" if self.bytes is not None else ""
        return f"{self.function or '?'}{called}{size}"

    def __repr__(self) -> str:
        return f"<inlinecall.Tree {self._title()}, {len(self.children)} inside>"

    def __str__(self) -> str:
        least = self.row["depth"]
        return "\n".join("  " * (tree.row["depth"] - least) + tree._title() for tree in self)

    def _repr_html_(self) -> str:
        parts: list[str] = []
        waiting: list[Tree | str] = [self]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                parts.append(item)
                continue
            title = escaped(item._title())
            if not item.children:
                parts.append(f"<div style='margin-left:1em'>{title}</div>")
                continue
            parts.append(f"<details open style='margin-left:1em'><summary>{title}</summary>")
            waiting.append("</details>")
            waiting.extend(reversed(item.children))
        return "".join(parts)


def trees_of(rows: Iterable[dict[str, Any]]) -> list[Tree]:
    """The trees of rows that are in the order of the trees."""
    roots: list[Tree] = []
    above: list[Tree] = []
    for row in rows:
        tree = Tree(row)
        del above[row["depth"]:]
        (above[-1].children if above else roots).append(tree)
        above.append(tree)
    return roots
