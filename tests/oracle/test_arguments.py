"""Arguments by execution: what programs say that each inlined call received, beside where
inlinecall says that the arguments are when the copy is entered.

gdb stops the programs at every entry; what is in the registers and in memory there must be what
the call received. No argument may have another value. (`arguments.py SEED` shows one program.)
"""

import shutil

import pytest

import arguments

COMPILERS = ["gcc", "clang"]
LEVELS = ["-O1", "-O2", "-O3"]
TRACED = ["inside", "outside"]


def compare(tmp_path, compiler, level, traced, seed):
    for tool in (compiler, "gdb"):
        if not shutil.which(tool):
            pytest.skip(f"no {tool}")
    result = arguments.run(tmp_path, compiler, level, traced, seed)
    assert not result.wrong, "\n".join(result.wrong[:20])
    return result


@pytest.mark.parametrize("traced", TRACED)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_arguments_are_what_the_calls_received(compiler, level, traced, tmp_path, inlinecall):
    result = compare(tmp_path, compiler, level, traced, seed=9)
    assert result.right >= 20, result


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 50))
def test_arguments_of_more_programs(seed, tmp_path, inlinecall):
    compiler, level, traced = COMPILERS[seed % 2], LEVELS[seed % 3], TRACED[seed // 2 % 2]
    compare(tmp_path, compiler, level, traced, seed)
