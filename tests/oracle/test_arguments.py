"""Arguments by execution: what programs say that each inlined call received, beside what the library
evaluates where inlinecall says that the arguments are when the copy is entered.

gdb stops the programs at every entry; what is in the registers and in memory there must be what
the call received. No argument may have another value. (`arguments.py SEED...` shows how many of each
class can be read.)
"""

import itertools
import shutil

import pytest

import arguments
from arguments import COMPILERS, LEVELS, TRACED

SHORT = [(compiler, level, traced)
         for compiler, level, traced in itertools.product(COMPILERS, LEVELS, TRACED)
         if compiler in ("gcc", "clang") or traced == "inside"]


def compare(tmp_path, compiler, level, traced, seed):
    for tool in (compiler, "gdb", "llvm-dwarfdump"):
        if not shutil.which(tool):
            pytest.skip(f"no {tool}")
    result = arguments.run(tmp_path, compiler, level, traced, seed)
    assert not result.wrong, "\n".join(result.wrong[:20])
    return result


@pytest.mark.parametrize("compiler, level, traced", SHORT)
def test_arguments_are_what_the_calls_received(compiler, level, traced, tmp_path, inlinecall):
    result = compare(tmp_path, compiler, level, traced, seed=9)
    assert result.count("read") >= 20, result


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 70))
def test_arguments_of_more_programs(seed, tmp_path, inlinecall):
    compiler, level, traced = COMPILERS[seed % 5], LEVELS[seed % 3], TRACED[seed // 2 % 2]
    compare(tmp_path, compiler, level, traced, seed)
