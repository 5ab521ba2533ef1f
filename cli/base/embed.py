#!/usr/bin/env python3
"""Makes C of a text.

usage: embed.py TEXT HEADER NAME OUT.c
"""

import pathlib
import sys

text, header, name, out = sys.argv[1:]
data = pathlib.Path(text).read_bytes() + b"\0"
lines = [f'#include "{header}"', "", f"const char {name}[] = {{"]
lines += ["\t" + " ".join(f"{byte}," for byte in data[i:i + 20]) for i in range(0, len(data), 20)]
pathlib.Path(out).write_text("\n".join([*lines, "};", ""]))
