"""The files that are damaged: a folder each, in which one file is changed and another is read."""

import lzma
import os
import resource
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

import kernel_dump

PROGRAMS = Path(__file__).resolve().parents[1] / "oracle" / "programs"


class Sample(NamedTuple):
    name: str
    asked: str    # what the commands are given: a path, or 'lib.a(first.o)'
    damaged: Path  # the file that is changed
    base: int = 0  # where the ELF file in it begins
    member: str = ""  # of an archive: what the commands are given that take one file
    asks: str = "sites"  # of which of law.py's lists of commands
    kernel: tuple = ()  # of a dump: its file

    @property
    def path(self):
        """The file that is opened."""
        return self.asked.partition("(")[0]


def _need(tool):
    if not shutil.which(tool):
        pytest.skip(f"no {tool}")


def run(*words, cwd):
    _need(str(words[0]))
    result = subprocess.run([str(word) for word in words], cwd=cwd, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode:
        if "unsupported" in result.stdout or "unrecognized" in result.stdout:
            pytest.skip(result.stdout)
        raise RuntimeError(f"{' '.join(map(str, words))}\n{result.stdout}")
    return result.stdout


def _objects(folder, compiler, *flags, sources=("first.c", "second.c")):
    for source in sources:
        run(compiler, "-g", "-O2", *flags, "-c", PROGRAMS / source, cwd=folder)
    return [f"{Path(source).stem}.o" for source in sources]


def _link(folder, compiler, *flags, link=()):
    run(compiler, *_objects(folder, compiler, *flags), *link, "-Wl,--build-id=none", "-o", "prog",
        cwd=folder)
    return folder / "prog"


def _plain(name, path):
    return Sample(name, str(path), path)


def program(compiler, *flags, link=()):
    return lambda name, folder: _plain(name, _link(folder, compiler, *flags, link=link))


def without_aranges(name, folder):
    path = _link(folder, "gcc")
    run("objcopy", "-R", ".debug_aranges", path, cwd=folder)
    return _plain(name, path)


def compressed(how):
    def make(name, folder):
        path = _link(folder, "gcc")
        run("objcopy", f"--compress-debug-sections={how}", path, cwd=folder)
        return _plain(name, path)
    return make


def one_object(compiler, *flags, source="first.c"):
    def make(name, folder):
        _objects(folder, compiler, *flags, sources=(source,))
        return _plain(name, folder / f"{Path(source).stem}.o")
    return make


def module(name, folder):
    """As a kernel's: relocatable, of two objects, every function in a section of its own."""
    objects = _objects(folder, "gcc", "-ffunction-sections", "-fno-pie", "-mcmodel=kernel")
    run("ld", "-r", *objects, "-o", "module.ko", cwd=folder)
    return _plain(name, folder / "module.ko")


def split(compiler, version, package, of):
    """A program with its .dwo files, or a package of them; `of` is what is damaged."""
    def make(name, folder):
        path = _link(folder, compiler, "-gsplit-dwarf", f"-gdwarf-{version}")
        if package:
            run(package, "-e", "prog", "-o", "prog.dwp", cwd=folder)
            for dwo in folder.glob("*.dwo"):
                dwo.unlink()
        return Sample(name, str(path), folder / of)
    return make


def shared(of):
    """Programs of which dwz has moved to one file what they share."""
    def make(name, folder):
        path = _link(folder, "gcc", "-flto", link=("-flto", "-O2"))
        copies = [shutil.copy(path, folder / copy) for copy in ("one", "two", "three", "four")]
        run("dwz", "-m", folder / "common", *copies, cwd=folder)
        if not (folder / "common").exists():
            pytest.skip("dwz found nothing to share")
        return Sample(name, str(folder / "one"), folder / of)
    return make


def archive(name, folder):
    objects = _objects(folder, "gcc")
    run("ar", "rc", "lib.a", *objects, cwd=folder)
    data = (folder / "lib.a").read_bytes()
    return Sample(name, str(folder / "lib.a"), folder / "lib.a", data.index(b"\x7fELF"),
                  f"{folder / 'lib.a'}(first.o)")


def linked_to(of):
    """A stripped program and its debug file."""
    def make(name, folder):
        path = _link(folder, "gcc")
        run("objcopy", "--only-keep-debug", path, "prog.debug", cwd=folder)
        run("objcopy", "--strip-all", "--add-gnu-debuglink=prog.debug", path, cwd=folder)
        return Sample(name, str(path), folder / of)
    return make


def mini(name, folder):
    """A program without .symtab, but with .gnu_debugdata."""
    path = _link(folder, "gcc")
    run("objcopy", "--only-keep-debug", path, "debug", cwd=folder)
    run("objcopy", "-S", "--keep-symbol=main", "--keep-symbol=loops", "debug", "content",
        cwd=folder)
    (folder / "mini.xz").write_bytes(lzma.compress((folder / "content").read_bytes()))
    run("objcopy", "--strip-all", "--keep-section=.debug*",
        f"--add-section=.gnu_debugdata={folder / 'mini.xz'}", path, cwd=folder)
    return _plain(name, path)


def lines_only(name, folder):
    """A program with .debug_line and no .debug_info."""
    path = _link(folder, "gcc")
    removed = [f"--remove-section=.debug_{part}"
               for part in ("info", "abbrev", "aranges", "str", "rnglists", "loclists")]
    run("objcopy", *removed, path, cwd=folder)
    return _plain(name, path)


def target(triple, *flags, link=False):
    """For another machine, freestanding."""
    flags = (f"--target={triple}", "-ffreestanding", "-fintegrated-as", *flags)

    def make(name, folder):
        objects = _objects(folder, "clang", *flags)
        if not link:
            return _plain(name, folder / objects[0])
        run("ld.lld", "-e", "main", *objects, "-o", "prog", cwd=folder)
        return _plain(name, folder / "prog")
    return make


CRASH = """
#include <stdlib.h>
__attribute__((noinline)) int leaf(int n, const char *s) { if (n) abort(); return *s / n; }
static inline int inlined(int n, const char *s) { return leaf(n - 1, s) + 1; }
__attribute__((noinline)) int middle(int n) { return inlined(n, "a") + 1; }
int main(int argc, char **argv) { return middle(argc + 4) + argc; }
"""


def make_core(folder, program_):
    """The core of a program in the folder."""
    def set_limits():
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        Path("/proc/self/coredump_filter").write_text("0x33", encoding="ascii")

    subprocess.run([folder / program_], cwd=folder, check=False, preexec_fn=set_limits)
    cores = [*folder.glob("core*")]
    if not cores:
        pytest.skip("the kernel leaves no core in the working directory")
    return cores[0]


def crashed(of, *flags):
    """A program and its core."""
    def make(name, folder):
        (folder / "crash.c").write_text(CRASH, encoding="ascii")
        run("gcc", "-g", "-O2", "-Wl,--build-id", *flags, "crash.c", "-o", "prog", cwd=folder)
        if of == "prog.debug":
            run("objcopy", "--only-keep-debug", "prog", "prog.debug", cwd=folder)
            run("objcopy", "--strip-debug", "--add-gnu-debuglink=prog.debug", "prog", cwd=folder)
        core = make_core(folder, "prog")
        return Sample(name, str(core), core if of == "core" else folder / of, asks="stacks")
    return make


def dumped(of):
    """A kernel's dump, and the kernel."""
    def make(name, folder):
        kernel_dump.build(run, folder)
        core, kernel = make_core(folder, "low"), folder / "vmlinux"
        (folder / "vmcore").write_bytes(kernel_dump.dump_of(core.read_bytes(), kernel.read_bytes()))
        return Sample(name, str(folder / "vmcore"), folder / of, asks="stacks", kernel=(str(kernel),))
    return make


def table(form):
    """An object with a table of inlined calls, and without DWARF; beside it the object that has it."""
    def make(name, folder):
        program_ = os.environ.get("INLINECALL", str(PROGRAMS.parents[2] / "build/cli/inlinecall"))
        run("gcc", "-g", "-gbtf", "-O2", "-c", PROGRAMS / "first.c", "-o", "dwarf.o", cwd=folder)
        run(os.path.abspath(program_), "btf", "encode", "--missing=extend", f"--format={form}",
            "--into", "--output=table.o", "dwarf.o", cwd=folder)
        run("objcopy", "--strip-debug", "table.o", cwd=folder)
        return Sample(name, str(folder / "table.o"), folder / "table.o", asks="tables")
    return make


def go(*flags):
    """A program of Go; stripped, it is read from the tables of Go's runtime."""
    def make(name, folder):
        _need("go")
        env = {**os.environ, "GOFLAGS": "", "GO111MODULE": "off", "CGO_ENABLED": "0"}
        env.setdefault("GOCACHE", str(folder / "cache"))
        subprocess.run(["go", "build", *flags, "-trimpath", "-o", folder / "prog",
                        PROGRAMS.parent / "go" / "inlined.go"], env=env, check=True)
        return _plain(name, folder / "prog")._replace(asks="go")
    return make


SAMPLES = {
    "gcc-5": program("gcc", "-gdwarf-5"),
    "gcc-4": program("gcc", "-gdwarf-4"),
    "gcc-3": program("gcc", "-gdwarf-3", "-gstrict-dwarf"),
    "gcc-no-aranges": without_aranges,
    "clang-5": program("clang", "-gdwarf-5"),
    "clang-4": program("clang", "-gdwarf-4"),
    "clang-aranges": program("clang", "-gdwarf-aranges"),
    "emit-relocs": program("gcc", link=("-Wl,--emit-relocs",)),
    "sframe": program("gcc", "-Wa,--gsframe"),
    "static": program("gcc", "-fno-pie", link=("-static", "-no-pie")),
    "object-gcc": one_object("gcc"),
    "object-clang": one_object("clang"),
    "object-compressed": one_object("gcc", "-gz"),
    "object-types": one_object("g++", "-fdebug-types-section", source="third.cpp"),
    "module": module,
    "dwo-5": split("gcc", 5, None, "first.dwo"),
    "dwo-4": split("gcc", 4, None, "first.dwo"),
    "skeleton-5": split("clang", 5, None, "prog"),
    "skeleton-4": split("gcc", 4, None, "prog"),
    "dwp-5": split("clang", 5, "llvm-dwp", "prog.dwp"),
    "dwp-4": split("gcc", 4, "dwp", "prog.dwp"),
    "dwz": shared("one"),
    "dwz-common": shared("common"),
    "zlib": compressed("zlib"),
    "zlib-gnu": compressed("zlib-gnu"),
    "zstd": compressed("zstd"),
    "archive": archive,
    "debug-link": linked_to("prog.debug"),
    "debug-link-program": linked_to("prog"),
    "mini": mini,
    "lines-only": lines_only,
    "line-tables": program("clang", "-gline-tables-only"),
    "i386": target("i386-linux-gnu"),
    "i386-linked": target("i386-linux-gnu", link=True),
    "ppc64": target("powerpc64-linux-gnu"),
    "mips": target("mips-linux-gnu"),
    "riscv64": target("riscv64-linux-gnu", "-mrelax"),
    "s390x": target("s390x-linux-gnu"),
    "aarch64-be": target("aarch64_be-linux-gnu", link=True),
    "crash": crashed("prog"),
    "crash-debug": crashed("prog.debug"),
    "crash-static": crashed("prog", "-static"),
    "core": crashed("core"),
    "core-static": crashed("core", "-static"),
    "dump": dumped("vmcore"),
    "dump-kernel": dumped("vmlinux"),
    "go": go(),
    "go-tables": go("-ldflags=-s -w"),
    "btf-rfc": table("rfc"),
    "btf-loc": table("loc"),
}


def make(name, folder):
    folder.mkdir(parents=True)
    return SAMPLES[name](name, folder)
