"""Which inlined copies are parts of the function around them: GCC splits functions, and inlines what it
split off back, as if it were called at the function's declaration. If parts of several functions are the
same, GCC keeps one of them, so that a part may have the name of another function."""

import instances


class Parts:
    def __init__(self):
        self.declared = {}  # of subprograms by DIE: (line, column, the DIE that has the rest)

    def noted(self, dies):
        """The DIEs, as they pass by."""
        for die in dies:
            if die.tag == instances.HOST:
                self.declared[die.offset] = (
                    die.attrs.get("decl_line"), die.attrs.get("decl_column"),
                    die.attrs.get("abstract_origin", die.attrs.get("specification")))
            yield die

    def _declared_at(self, offset):
        line = column = None
        for _ in range(instances.CHAIN_LIMIT):
            more_line, more_column, offset = self.declared.get(offset, (None, None, None))
            line, column = line or more_line, column or more_column
        return line, column

    def has(self, scope):
        """Once all DIEs were noted."""
        around, origin = scope.parent, scope.die.attrs.get("abstract_origin")
        if around is None or origin is None or not around.ranges:
            return False
        caller = around.die.attrs.get("abstract_origin") or around.die.offset
        line, column = self._declared_at(origin)
        if not line or instances.position(scope.die.attrs)[1:] != (line, column or None):
            return False
        # A macro may define a function and its caller at the same position.
        return origin == caller or bool(column) and self._declared_at(caller)[0] != line
