"""Profiles of OpenTelemetry, made field by field as version 1.11 of its protocol has them: what is in them is known."""

import struct

from pprof_messages import message, number, numbers, varint


def text(field, value):
    return message(field, value.encode()) if value else b""


def times(field, values):
    return message(field, struct.pack(f"<{len(values)}Q", *values)) if values else b""


def framed(*messages):
    """As the file exporter of the Collector writes them."""
    return b"".join(struct.pack(">I", len(each)) + each for each in messages)


class Data:
    """ProfilesData, or a request to export it. What is added to samples is in the last profile of the last
    resource."""

    def __init__(self, references=True):
        """`references`: attributes of resources have strings of the dictionary, as the Collector writes them."""
        self.references = references
        self.strings = {"": 0}
        self.tables = {kind: [b""] for kind in (1, 2, 3, 4, 6, 7)}
        self.resources = []

    def string(self, value):
        return self.strings.setdefault(value, len(self.strings))

    def add(self, kind, *parts):
        """The number of what is in a table."""
        body = b"".join(parts)
        if body not in self.tables[kind]:
            self.tables[kind].append(body)
        return self.tables[kind].index(body)

    def value(self, value, reference):
        if isinstance(value, str):
            return number(8, self.string(value)) if reference else text(1, value)
        return varint(3 << 3) + varint(value)

    def attributes(self, field, values):
        found = [self.add(6, number(1, self.string(key)), message(2, self.value(value, False)))
                 for key, value in values.items()]
        return numbers(field, found) if found else b""

    def mapping(self, path, start=0, limit=0, offset=0, **attributes):
        names = {f"process.executable.build_id.{kind}": value for kind, value in attributes.items()}
        return self.add(1, number(1, start), number(2, limit), number(3, offset), number(4, self.string(path)),
                        self.attributes(5, names))

    def function(self, name, system_name="", path="", line=0):
        return self.add(3, number(1, self.string(name)), number(2, self.string(system_name)),
                        number(3, self.string(path)), number(4, line))

    def location(self, mapping, address, lines=(), kind=None):
        """`lines` is of (function, line), the innermost first."""
        return self.add(2, number(1, mapping), number(2, address),
                        *(message(3, number(1, function), number(2, line)) for function, line in lines),
                        self.attributes(4, {"profile.frame.type": kind} if kind else {}))

    def resource(self, **attributes):
        """Names have _ instead of dots."""
        parts = b""
        for key, value in attributes.items():
            key = key.replace("_", ".")
            value = message(2, self.value(value, self.references))
            parts += message(1, value, number(3, self.string(key))) if self.references else message(
                1, text(1, key), value)
        self.resources.append((message(1, parts) if parts else b"", []))

    def profile(self, kind, unit):
        if not self.resources:
            self.resource()
        self.resources[-1][1].append([message(1, number(1, self.string(kind)), number(2, self.string(unit)))])

    def sample(self, locations, values=(), at=(), attributes=None):
        """`locations` the innermost first; `attributes` by their names."""
        stack = self.add(7, numbers(1, locations) if locations else b"")
        self.resources[-1][1][-1].append(message(
            2, number(1, stack), self.attributes(2, attributes or {}), numbers(4, values) if values else b"",
            times(5, at)))

    def dictionary(self):
        tables = {kind: b"".join(message(kind, body) for body in table) for kind, table in self.tables.items()}
        tables[5] = b"".join(message(5, each.encode()) for each in self.strings)
        return b"".join(tables[kind] for kind in sorted(tables))

    def bytes(self):
        scope = message(1, text(1, "profiler"))
        return b"".join(
            message(1, resource, message(2, scope, *(message(2, *parts) for parts in profiles)))
            for resource, profiles in self.resources) + message(2, self.dictionary())
