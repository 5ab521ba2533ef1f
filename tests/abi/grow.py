#!/usr/bin/env python3
"""Copies public headers, with two structs that have grown in a version 99.0 by the steps of
CONTRIBUTING.md, "The public interface".

usage: grow.py FOLDER HEADER...
"""

import pathlib
import sys

# A header: the struct, what is added at its end, and the functions that reach it.
GROWN = {
    "index.h": ("ic_index_options", "uint64_t least_functions; /**< fewer are IC_ERROR_NO_DEBUG */",
                ["ic_index_build"]),
    "symbolizer.h": ("ic_symbolizer_symbol", "uint64_t size; /**< from its start to its end */",
                     ["ic_symbolizer_symbol_at", "ic_symbolizer_symbols_at",
                      "ic_symbolizer_symbol_find", "ic_symbolizer_symbols_match"]),
}
BEGIN = 'extern "C" {\n#endif\n'


def grow(text, struct, field, functions):
    """A header's text with one field more, and new names for these functions."""
    begin = text.index(f"struct {struct} {{\n")
    end = text.index("\n};", begin) + 1
    text = text[:end] + f"\t{field}\n" + text[end:]
    renamed = "".join(f"#define {name} {name}_99_0\n" for name in functions)
    place = text.index(BEGIN) + len(BEGIN)
    return f"{text[:place]}\n{renamed}{text[place:]}"


def main():
    folder, *paths = map(pathlib.Path, sys.argv[1:])
    for path in paths:
        text = path.read_text()
        if path.name in GROWN:
            text = grow(text, *GROWN[path.name])
        (folder / path.name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
