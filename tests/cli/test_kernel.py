"""Addresses of a running kernel and of its modules: where /proc and /sys say that they are."""

import os
import re
import struct
import subprocess

import pytest

import kernels
from building import command, need
from kernels import LINKED, MOVED

MODULE = 0xffffffffc0a00000


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    return kernels.build_kernel(tmp_path_factory.mktemp("kernel"))


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    return kernels.build_module(tmp_path_factory.mktemp("module"))


def kallsyms(directory, rows, name="kallsyms"):
    path = directory / name
    path.write_text("".join(f"{address:016x} {kind} {text}\n" for address, kind, text in rows))
    return path


def moved_kernel(path, offset=MOVED, only=None):
    return [(start + offset, "T", name) for name, places in kernels.symbols(path).items()
            for start, _ in places if only is None or name in only]


def module_rows(path, bases, module="my_module"):
    """The rows of a module's symbols, given where its sections are loaded."""
    rows = []
    for section, base in bases.items():
        text = command("objdump", "-t", "-j", section, path)
        for offset, name in re.findall(r"^([0-9a-f]{16}) .* F \S+\t[0-9a-f]+ (\S+)$", text, re.M):
            rows.append((base + int(offset, 16), "t", f"{name}\t[{module}]"))
    return rows


def sysfs(directory, bases, module="my_module"):
    sections = directory / "sys" / "module" / module / "sections"
    sections.mkdir(parents=True)
    for name, text in bases.items():
        (sections / name).write_text(text if isinstance(text, str) else f"{text:#018x}\n")
    return directory / "sys"


# Kernels.

def test_the_offset_of_a_kernel_is_that_of_its_first_symbol(run, kernel, tmp_path):
    path = kallsyms(tmp_path, moved_kernel(kernel))
    start, _ = kernels.symbol(kernel, "do_syscall")
    result = run("addr", "-s", f"--kallsyms={path}", kernel, f"{start + MOVED:x}")
    assert result.out == f"{start + MOVED:#x}\t{kernels.stack(run, kernel, hex(start))}"
    assert (result.status, result.err) == (0, "")
    assert "do_syscall()" in result.out


@pytest.mark.parametrize("only", [("_text",), ("_stext",)])
def test_one_of_the_two_symbols_is_enough(run, kernel, tmp_path, only):
    path = kallsyms(tmp_path, moved_kernel(kernel, only=only))
    assert "\twork()\t" in run("addr", f"--kallsyms={path}", kernel, f"{LINKED + MOVED:x}").out


def test_what_modules_and_programs_of_the_kernel_call_their_own_does_not_count(run, kernel,
                                                                               tmp_path):
    rows = [(0xffffffffc0000000, "t", "_text\t[bpf]"), *moved_kernel(kernel)]
    path = kallsyms(tmp_path, rows)
    assert "\twork()\t" in run("addr", f"--kallsyms={path}", kernel, f"{LINKED + MOVED:x}").out


def test_addresses_that_the_file_has_are_not_those_of_a_kernel_that_was_moved(run, kernel,
                                                                             tmp_path):
    path = kallsyms(tmp_path, moved_kernel(kernel))
    result = run("addr", f"--kallsyms={path}", kernel, f"{LINKED:x}", f"{MOVED - 0x1000:x}", "5")
    assert [line.split("\t")[1] for line in result.out.splitlines()] == ["??"] * 3
    assert result.status == 1


def test_return_addresses_are_looked_up_one_byte_before(run, kernel, tmp_path):
    path = kallsyms(tmp_path, moved_kernel(kernel))
    start, _ = kernels.symbol(kernel, "follower")  # the call at the end of the one before
    result = run("addr", "-R", f"--kallsyms={path}", kernel, f"{start + MOVED:x}")
    assert "\tfatal()\t" in result.out and "follower" not in result.out


def test_symbols_need_no_offset(run, kernel, tmp_path):
    path = kallsyms(tmp_path, moved_kernel(kernel))
    assert "\treader()\t" in run("addr", f"--kallsyms={path}", kernel, "reader+0x0").out


def test_addresses_of_standard_input_are_those_of_the_running_kernel_too(run, kernel, tmp_path):
    path = kallsyms(tmp_path, moved_kernel(kernel))
    result = run("addr", f"--kallsyms={path}", kernel, stdin=f"{LINKED + MOVED:x}\n")
    assert result.out.startswith(f"{LINKED + MOVED:#x}\twork()\t")


def test_hidden_addresses_are_called_so(run, kernel, tmp_path):
    path = kallsyms(tmp_path, [(0, "T", name) for _, _, name in moved_kernel(kernel)])
    result = run("addr", f"--kallsyms={path}", kernel, f"{LINKED:x}")
    assert (result.status, result.out) == (2, "")
    for word in (str(path), "kptr_restrict", "root", "--base"):
        assert word in result.err


def test_another_kernel_is_refused(run, kernel, tmp_path):
    rows = [(LINKED, "T", "_text"), (LINKED + 0x1000, "T", "_stext")]
    path = kallsyms(tmp_path, rows)
    result = run("addr", f"--kallsyms={path}", kernel, f"{LINKED:x}")
    assert (result.status, result.out) == (2, "")
    assert "_text and _stext are 0x1000 bytes apart, but 0x0 in" in result.err


def test_another_build_is_told_by_functions_in_it(run, kernel, tmp_path):
    rows = [(address + 0x40 * (name == "do_exit"), kind, name)
            for address, kind, name in moved_kernel(kernel)]
    path = kallsyms(tmp_path, rows)
    result = run("addr", f"--kallsyms={path}", kernel, f"{LINKED:x}")
    assert (result.status, result.out) == (2, "")
    assert re.search(r"_text and do_exit are 0x\w+ bytes apart, but 0x\w+ in", result.err)


@pytest.mark.parametrize("text", ["", "nonsense\n", "ffffffff81000000 T start_kernel\n",
                                  "zzzz T _text\n", "ffffffff81000000 T"])
def test_a_list_without_these_symbols_is_refused(run, kernel, tmp_path, text):
    path = tmp_path / "kallsyms"
    path.write_text(text)
    result = run("addr", f"--kallsyms={path}", kernel, f"{LINKED:x}")
    assert (result.status, result.out) == (2, "")
    assert "neither _text nor _stext" in result.err


def test_a_list_that_cannot_be_read_is_named(run, kernel, tmp_path):
    for path, why in ((tmp_path / "gone", "No such file"), (tmp_path, "Is a directory")):
        result = run("addr", f"--kallsyms={path}", kernel, f"{LINKED:x}")
        assert result.status == 2
        assert str(path) in result.err and why in result.err


def test_a_list_that_ends_without_a_newline_is_read_to_its_end(run, kernel, tmp_path):
    path = tmp_path / "kallsyms"
    path.write_text(f"{'0' * 20} T x\n" * 100000 + f"{LINKED + MOVED:x} T _text")
    assert "\twork()\t" in run("addr", f"--kallsyms={path}", kernel, f"{LINKED + MOVED:x}").out


def test_what_is_no_kernel_has_no_place_in_the_list(run, kernel, elf, tmp_path):
    path = kallsyms(tmp_path, moved_kernel(kernel))
    result = run("addr", f"--kallsyms={path}", elf("c"), "1000")
    assert (result.status, result.out) == (2, "")
    assert "not a kernel: no symbol _text or _stext" in result.err


# The base.

def test_the_base_of_a_kernel_is_where_its_text_is(run, kernel):
    result = run("addr", f"--base={LINKED + MOVED:#x}", kernel, f"{LINKED + MOVED + 7:x}")
    assert result.out.startswith(f"{LINKED + MOVED + 7:#x}\treader()\t")


def test_the_base_of_a_program_is_its_first_mapping(run, tmp_path):
    need("gcc")
    source, program = tmp_path / "p.c", tmp_path / "p"
    source.write_text("#include <stdio.h>\nint main(void)\n{\n"
                      "\tprintf(\"%p\\n\", (void *)main);\n\tfflush(stdout);\n"
                      "\treturn getchar();\n}\n")
    command("gcc", "-g", "-pie", "-fPIE", source, "-o", program)
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as process:
        address = process.stdout.readline().strip()
        with open(f"/proc/{process.pid}/maps", encoding="utf-8") as maps:
            base = maps.readline().split("-")[0]
        process.communicate("")
    assert f"{address}\tmain()\t" in run("addr", f"--base={base}", program, address).out


@pytest.mark.parametrize("base", ["", "text", "0x", "-1", " 1", "0x1ffffffffffffffff"])
def test_a_base_is_an_address(run, kernel, base):
    result = run("addr", f"--base={base}", kernel, "1")
    assert result.status == 64
    assert "--base must be an address" in result.err


# Modules.

def first_word(result):
    return [line.split("\t")[1] for line in result.out.splitlines() if line[0] != "\t"]


def test_sections_of_a_module_are_where_sysfs_says(run, module, tmp_path):
    root = sysfs(tmp_path, {".text": MODULE, ".text.unlikely": MODULE + 0x2000,
                            ".exit.text": MODULE + 0x800, ".data": MODULE + 0x8000,
                            "note.Linux": 5})
    result = run("addr", "-s", f"--sysfs={root}", module, f"{MODULE:x}", f"{MODULE + 0x2005:x}",
                 f"{MODULE + 0x800:x}", f"{MODULE + 0x1000:x}")
    assert [re.findall(r"(module_\w+)", line) for line in result.out.splitlines()
            if "module_" in line] == [["module_read"], ["module_warn"], ["module_stop"]]
    assert result.out.endswith(f"{MODULE + 0x1000:#x}\t??\n")
    warn = kernels.stack(run, module, ".text.unlikely+0x5")
    assert f"{MODULE + 0x2005:#x}\t{warn}" in result.out
    assert (result.status, result.err) == (0, "")


def test_the_byte_behind_a_section_is_a_return_address_in_it(run, module, tmp_path):
    root = sysfs(tmp_path, {".text": MODULE})
    size = kernels.symbol(module, "module_read")[1] or 0x15
    assert first_word(run("addr", f"--sysfs={root}", module, f"{MODULE + size:x}")) == ["??"]
    assert first_word(run("addr", "-R", f"--sysfs={root}", module,
                          f"{MODULE + size:x}")) == ["module_read()"]
    assert first_word(run("addr", "-R", f"--sysfs={root}", module, f"{MODULE:x}")) == ["??"]


def test_code_that_was_freed_is_not_taken_for_what_is_there_now(run, module, tmp_path):
    root = sysfs(tmp_path, {".text": MODULE, ".init.text": MODULE + 0x4000})
    assert first_word(run("addr", f"--sysfs={root}", module, f"{MODULE + 0x4000:x}")) == ["??"]


@pytest.mark.parametrize("text", ["0x0000000000000000\n", "", "words\n"])
def test_sections_that_are_hidden_are_called_so(run, module, tmp_path, text):
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    root = sysfs(folder, {".text": text})
    result = run("addr", f"--sysfs={root}", module, f"{MODULE:x}")
    assert (result.status, result.out) == (2, "")
    assert f"reading the files in {folder}/sys/module/my_module/sections requires privileges" in result.err


def test_a_module_of_another_build_id_is_refused(run, module, tmp_path):
    root = sysfs(tmp_path, {".text": MODULE})
    path = tmp_path / "my_module.ko"
    need("ld")
    command("ld", "-r", "--build-id=0xabcd", module, "-o", path)
    note = root / "module" / "my_module" / "notes" / ".note.gnu.build-id"
    note.parent.mkdir()
    note.write_bytes(struct.pack("<III4s", 4, 2, 3, b"GNU") + b"\xab\xcd\0\0")
    assert first_word(run("addr", f"--sysfs={root}", path, f"{MODULE:x}")) == ["count()"]
    result = run("addr", f"--sysfs={root}", module, f"{MODULE:x}")
    assert (result.status, result.out) == (2, "")
    assert "build ID is none, but module my_module in" in result.err
    assert "a different build of the module" in result.err


def test_symbols_of_a_module_say_where_its_sections_are(run, module, tmp_path):
    bases = {".text": MODULE, ".text.unlikely": MODULE + 0x2000}
    path = kallsyms(tmp_path, module_rows(module, bases))
    result = run("addr", f"--kallsyms={path}", module, f"{MODULE + 1:x}", f"{MODULE + 0x2000:x}")
    assert "module_read()" in result.out and "module_warn()" in result.out
    assert result.status == 0


def test_every_symbol_of_a_module_is_looked_at(run, tmp_path):
    """The first one of a section may come late."""
    need("gcc")
    source, path = tmp_path / "m.c", tmp_path / "my_module.ko"
    source.write_text("int a;\n" + "".join(f"void f{n}(void) {{ a = {n}; }}\n" for n in range(999))
                      + "__attribute__((section(\".late\"))) void late(void) { a = 1; }\n")
    command("gcc", "-g", "-O1", "-c", source, "-o", path)
    rows = module_rows(path, {".text": MODULE, ".late": MODULE + 0x100000})
    result = run("addr", f"--kallsyms={kallsyms(tmp_path, rows)}", path, f"{MODULE + 0x100000:x}")
    assert "late()" in result.out


def test_another_build_of_a_module_is_refused(run, tmp_path):
    source, path = tmp_path / "m.c", tmp_path / "m.ko"
    source.write_text("int a;\nvoid one(void) { a = 1; }\nvoid two(void) { a = 2; }\n")
    need("gcc")
    command("gcc", "-g", "-O2", "-c", source, "-o", path)
    rows = [(MODULE, "t", "one\t[m]"), (MODULE + 0x100, "t", "two\t[m]")]
    result = run("addr", f"--kallsyms={kallsyms(tmp_path, rows)}", path, f"{MODULE:x}")
    assert (result.status, result.out) == (2, "")
    assert "a different build of the module" in result.err


def test_a_file_that_is_no_list_of_symbols_is_called_so(run, module, tmp_path):
    path = proc_modules(tmp_path, MODULE)
    result = run("addr", f"--kallsyms={path}", module, f"{MODULE:x}")
    assert (result.status, result.out) == (2, "")
    assert f"{path}: no line has the format of /proc/kallsyms" in result.err


def test_hidden_addresses_of_a_module_are_called_so(run, module, tmp_path):
    path = kallsyms(tmp_path, [(0, "t", "module_read\t[my_module]")])
    result = run("addr", f"--kallsyms={path}", module, f"{MODULE:x}")
    assert result.status == 2
    assert "kptr_restrict" in result.err


def proc_modules(directory, address, name="my_module"):
    path = directory / "modules"
    path.write_text(f"other 16384 0 - Live 0xffffffffc0000000\n"
                    f"{name} 20480 2 other,third, Live {address:#018x} (E)\n")
    return path


def test_the_address_of_a_module_is_that_of_its_text(run, module, tmp_path):
    path = proc_modules(tmp_path, MODULE)
    warn = 0x15  # .text.unlikely is behind .text, by its alignment: that is the kernel's to know
    result = run("addr", f"--modules={path}", module, f"{MODULE + 3:x}", f"{MODULE + warn:x}")
    assert first_word(result) == ["count()", "??"]


def test_the_hidden_address_of_a_module_is_called_so(run, module, tmp_path):
    result = run("addr", f"--modules={proc_modules(tmp_path, 0)}", module, f"{MODULE:x}")
    assert (result.status, result.out) == (2, "")
    assert "kptr_restrict" in result.err and "--section-addr" in result.err


def test_a_module_that_is_not_loaded_is_called_so(run, module, tmp_path):
    path = proc_modules(tmp_path, MODULE, name="third")
    symbols = kallsyms(tmp_path, [(MODULE, "t", "f\t[third]")])
    for option in (f"--modules={path}", f"--sysfs={tmp_path}", f"--kallsyms={symbols}"):
        result = run("addr", option, module, f"{MODULE:x}")
        assert (result.status, result.out) == (2, "")
        assert "module my_module is not in the list of loaded modules" in result.err


def test_the_layout_of_other_machines_is_not_guessed(run, tmp_path):
    need("clang")
    source, path = tmp_path / "m.c", tmp_path / "my_module.ko"
    source.write_text("int a;\nvoid one(void) { a = 1; }\n")
    command("clang", "--target=aarch64-linux-gnu", "-g", "-O2", "-c", source, "-o", path)
    result = run("addr", f"--modules={proc_modules(tmp_path, MODULE)}", path, f"{MODULE:x}")
    assert (result.status, result.out) == (2, "")
    assert "but not of its sections" in result.err
    root = sysfs(tmp_path, {".text": MODULE})
    assert first_word(run("addr", f"--modules={proc_modules(tmp_path, MODULE)}",
                          f"--sysfs={root}", path, f"{MODULE:x}")) == ["one()"]


def test_code_in_front_of_the_text_makes_its_place_unknown(run, tmp_path):
    need("gcc")
    source, script, path = tmp_path / "m.s", tmp_path / "order", tmp_path / "my_module.ko"
    source.write_text('.section .first,"ax"\nnop\n.text\n.globl f\n.type f,@function\nf: nop\n'
                      ".size f,.-f\n")
    script.write_text("SECTIONS { .first 0 : { *(.first) } .text 0 : { *(.text) } }")
    command("gcc", "-g", "-c", source, "-o", tmp_path / "m.o")
    command("ld", "-r", "-T", script, tmp_path / "m.o", "-o", path)
    result = run("addr", f"--modules={proc_modules(tmp_path, MODULE)}", path, f"{MODULE:x}")
    assert (result.status, result.out) == (2, "")
    assert "but not of its sections" in result.err


# Sections by hand.

def test_sections_are_where_the_user_says(run, module):
    result = run("addr", f"--section-addr=.text={MODULE:x}",
                 f"--section-addr=.init.text=0x{MODULE + 0x1000:x}", module, f"{MODULE + 0x15:x}",
                 f"{MODULE + 2:#x}", f"{MODULE + 0x1002:#x}")
    assert first_word(result)[0] == "??"
    assert "module_read()" in result.out and "module_start()" in result.out
    assert "module_warn()" not in result.out


@pytest.mark.parametrize("text", [".text", ".text=", "=0x1000", ".text=0xg", ".text=-1", ""])
def test_a_section_and_its_address_have_a_form(run, module, text):
    result = run("addr", f"--section-addr={text}", module, "1")
    assert result.status == 64
    assert "--section-addr expects SECTION=ADDR" in result.err


def test_a_section_that_is_not_there_is_refused(run, module):
    for name in (".texts", ".comment"):
        result = run("addr", f"--section-addr={name}=1000", module, "1000")
        assert (result.status, result.out) == (2, "")
        assert f"no loaded section {name}" in result.err


def test_several_sections_of_one_name_are_refused(run, tmp_path):
    need("gcc")
    source, path = tmp_path / "m.s", tmp_path / "m.ko"
    source.write_text('.section .a,"ax",@progbits,unique,1\nnop\n'
                      '.section .a,"ax",@progbits,unique,2\nnop\n')
    command("gcc", "-g", "-c", source, "-o", path)
    result = run("addr", "--section-addr=.a=1000", path, "1000")
    assert result.status == 2
    assert "several sections named .a" in result.err


@pytest.mark.parametrize("option", ["--section-addr=.text=1000", "--modules=/dev/null",
                                    "--sysfs=/nowhere"])
def test_what_is_said_of_modules_says_nothing_of_linked_files(run, kernel, option):
    result = run("addr", option, kernel, f"{LINKED:x}")
    assert (result.status, result.out) == (2, "")
    assert "the file is linked" in result.err


def test_what_is_said_of_linked_files_says_nothing_of_modules(run, module):
    result = run("addr", "--base=1000", module, "1000")
    assert (result.status, result.out) == (2, "")
    assert "give --section-addr instead of --base" in result.err


def test_an_object_has_no_place_by_its_name(run, elf, tmp_path):
    result = run("addr", f"--sysfs={tmp_path}", elf("object"), "1000")
    assert result.status == 2
    assert "--section-addr" in result.err


def test_the_running_kernel_is_asked_where_nothing_else_is_named(run, kernel, tmp_path):
    """Whatever this machine hides: it is /proc/kallsyms that is read."""
    if not os.access("/proc/kallsyms", os.R_OK):
        pytest.skip("no /proc/kallsyms")
    result = run("addr", "-k", f"--sysfs={tmp_path}", kernel, "1000")
    assert result.status in (1, 2)
    assert "/proc/kallsyms" in result.err or result.out == "0x1000\t??\n"


def test_a_kernel_of_another_build_id_than_the_running_one_is_refused(run, kernel):
    if not os.access("/sys/kernel/notes", os.R_OK) or b"GNU\0" not in open("/sys/kernel/notes", "rb").read():
        pytest.skip("no build ID in /sys/kernel/notes")
    result = run("addr", "-k", kernel, "1000")
    assert (result.status, result.out) == (2, "")
    assert "but the kernel in /sys has" in result.err


def test_an_address_is_an_offset_or_in_memory(run, module):
    result = run("addr", "--section=.text", "--section-addr=.text=1000", module, "1000")
    assert result.status == 64


OTHER_SYS = """
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
DIR *opendir(const char *name)
{
	DIR *(*next)(const char *) = (DIR *(*)(const char *))dlsym(RTLD_NEXT, "opendir");
	char path[4096];
	snprintf(path, sizeof(path), "%s%s", getenv("OTHER_SYS"), name + strlen("/sys"));
	return next(strncmp(name, "/sys/", 5) == 0 ? path : name);
}
"""


def test_sections_of_the_running_kernel_are_not_those_of_a_copy(program, module, preload, tmp_path):
    """/sys is looked at where /proc is, too."""
    environment = {**preload(OTHER_SYS), "OTHER_SYS": str(sysfs(tmp_path, {".text": MODULE}))}
    path = kallsyms(tmp_path, [])
    for option, status in (("-k", 0), ("--modules", 0), (f"--kallsyms={path}", 2),
                           (f"--modules={path}", 2)):
        result = subprocess.run([program, "addr", option, module, f"{MODULE:x}"], env=environment,
                                capture_output=True, text=True, timeout=20, check=False)
        assert result.returncode == status, result.stderr
        assert ("module_read()" in result.stdout) == (status == 0)


@pytest.mark.parametrize("form", [["-k=ks.txt"], ["-kks.txt"], ["--kallsyms", "ks.txt"],
                                  ["-k", "ks.txt"], ["-sk", "ks.txt"], ["-sk=ks.txt"]])
@pytest.mark.parametrize("behind", [False, True])
def test_a_list_of_symbols_is_joined_to_its_option(run, kernel, tmp_path, form, behind):
    (tmp_path / "ks.txt").write_text(f"{LINKED:x} T _text\n")
    arguments = [kernel, *form] if behind else [*form, kernel]
    result = run("addr", *arguments, cwd=tmp_path)
    assert (result.status, result.out) == (64, "")
    assert result.err.splitlines()[0] == ("inlinecall: the FILE of --kallsyms must be attached, as in "
                                          "--kallsyms=ks.txt")


def test_a_list_of_modules_is_joined_to_its_option(run, kernel, tmp_path):
    (tmp_path / "modules").write_text("xfs 1957888 2 libcrc32c, Live 0xffffffffc0a00000 (E)\n")
    result = run("addr", "--modules", "modules", kernel, cwd=tmp_path)
    assert result.status == 64 and "--modules=modules\n" in result.err


def test_other_arguments_are_no_lists(run, kernel, tmp_path):
    (tmp_path / "ks.txt").write_text(f"{LINKED:x} T _text\n")
    for arguments in (["--kallsyms=ks.txt", kernel, f"{LINKED:x}"], ["-s", "--kallsyms=ks.txt", "-C", kernel, "work"]):
        assert run("addr", *arguments, cwd=tmp_path).status == 0
