#!/usr/bin/env python3
"""Makes C of a page: the bytes before its data, and those behind.

usage: embed.py PAGE.html STYLE.css SCRIPT.js... OUT.c
"""

import pathlib
import sys

page, style, *scripts, out = map(pathlib.Path, sys.argv[1:])
text = page.read_text().replace("@STYLE@", style.read_text().rstrip())
text = text.replace("@SCRIPT@", "\n".join(script.read_text().rstrip() for script in scripts))
parts = text.split("@DATA@")
assert len(parts) == 2

lines = ['#include "pages/page.h"', ""]
for name, part in zip(("before", "behind"), parts):
    data = part.encode()
    lines.append(f"const unsigned char ic_page_{name}[] = {{")
    lines += ["\t" + " ".join(f"{byte}," for byte in data[i:i + 20]) for i in range(0, len(data), 20)]
    lines += ["};", f"const size_t ic_page_{name}_size = sizeof(ic_page_{name});", ""]
out.write_text("\n".join(lines))
