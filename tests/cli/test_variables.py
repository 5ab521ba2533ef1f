"""The variables of backtraces (-vv), against those that GDB prints."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import building

PROGRAM = Path(__file__).resolve().parent / "programs/variables.c"


def gdb_variables(pid):
    """{function: [(name, value), ...]}, sorted; None for a value that is optimised out."""
    text = subprocess.run(["gdb", "-q", "-batch", "-nx", "-p", str(pid), "-ex", "bt full"], capture_output=True,
                          text=True, check=False).stdout
    found = {}
    for frame in re.split(r"(?m)^#\d+ +", text)[1:]:
        function = re.match(r"(?:0x\w+ in )?(\w+)", frame)[1]
        variables = re.findall(r"(?m)^ {8}(\w+) = (.*)$", frame)
        found[function] = [(name, None if "optimized out" in value else value) for name, value in variables]
    return found


@pytest.mark.skipif(not shutil.which("gdb"), reason="no gdb")
@pytest.mark.parametrize("flags", ["gcc -O0", "gcc -O2", "gcc -O2 -gdwarf-4", "clang -O0", "clang -O2"])
def test_variables_in_scope_have_the_values_that_gdb_prints(run, tmp_path, flags):
    path = tmp_path / "variables"
    building.command(*flags.split(), "-g", "-o", path, PROGRAM)
    with subprocess.Popen([path], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "sleeps\n"
            result = run("backtrace", "-vv", "--json", "--pid", str(process.pid))
            text = run("backtrace", "-vv", "--pid", str(process.pid))
            plain = run("backtrace", "-v", "--json", "--pid", str(process.pid))
            told = gdb_variables(process.pid)
        finally:
            process.kill()
    frames = {frame["function"]: frame for frame in json.loads(result.out)["frames"]}
    known = 0
    for function in ("leaf", "middle", "main"):
        ours = [(one["name"], one["value"]) for one in frames[function]["variables"]]
        for name, value in ours:
            values = [of for other, of in told.get(function, []) if other == name]
            assert values or function == "middle", name  # GDB may lack the frame of a copy
            if value and not value.startswith("{...}") and any(values):
                assert value in values, name
                known += 1
            if flags.endswith("-O0"):
                assert value and None not in values
    names = [one["name"] for one in frames["leaf"]["variables"]]
    assert names.count("twice") == 2 and "not_in_scope" not in names and "environ" not in names
    assert known >= 7
    assert re.search(r"^ {8}calls = 1$", text.out, re.MULTILINE)
    assert "variables" not in json.loads(plain.out)["frames"][0]
