"""`inlinecall addr --filter`: which addresses of a text are return addresses, as the code says it, and
the frame that they are below (docs/decisions/0033)."""

import re
import subprocess

import pytest

import calls
from building import command, need

HANDLER = r"""
#include <execinfo.h>
#include <signal.h>
#include <unistd.h>
static void handle(int number)
{
	void *frames[32];
	backtrace_symbols_fd(frames, backtrace(frames, 32), 1);
	_exit(number);
}
__attribute__((constructor)) static void begin(void)
{
	signal(SIGSEGV, handle);
}
"""
FIRST = r"""
extern int *volatile nowhere;
static inline __attribute__((always_inline)) int first(int *p)
{
	return *p;
}
__attribute__((noipa, aligned(1))) int begins(int *p)
{
	return first(p) * 2;
}
int main(void)
{
	return begins(nowhere) + 1;
}
int *volatile nowhere;
"""


@pytest.fixture(scope="module")
def crashed(tmp_path_factory):
    """A program that faults, and what its handler prints: (path, [line, ...])."""
    need("gcc")
    directory = tmp_path_factory.mktemp("crashed")
    (directory / "handler.c").write_text(HANDLER)
    (directory / "first.c").write_text(FIRST)

    def build(source, *options):
        path = directory / "-".join(("crash", source.stem, *(text.strip("-") for text in options)))
        command("gcc", "-g", "-O1", *options, source, directory / "handler.c", "-o", path)
        text = subprocess.run([path], capture_output=True, text=True, check=False).stdout
        return path, text.splitlines()

    return lambda source, *options: build(source or directory / "first.c", *options)


def functions(follow):
    return [line.split("()")[0] for line in follow]


@pytest.mark.parametrize("link", ["-pie", "-no-pie", "-rdynamic"])
def test_what_a_signal_interrupted_is_a_program_counter(filtered, crashed, link):
    """The code says that there is no call before it, whether the C library is known or not."""
    path, lines = crashed(calls.SOURCE, link)
    follow = filtered("\n".join(lines), path)
    at = next(i for i, one in enumerate(follow) if functions(one)[-1:] == ["callee"])
    assert functions(follow[at]) == ["fault", "callee"]
    assert f"calls.c:{calls.line_of('return *p + 1')}:" in follow[at][0]
    assert functions(follow[at + 1]) == ["caller"]
    assert f"calls.c:{calls.line_of('int result = callee')}:" in follow[at + 1][0]
    assert functions(follow[at + 2]) == ["outer"]
    assert f"calls.c:{calls.line_of('int result = caller')}:" in follow[at + 2][0]


def test_the_first_instruction_of_a_function_belongs_to_it(filtered, crashed):
    """Even if the code is not known: what ends before it is another function."""
    path, lines = crashed(None, "-rdynamic")
    debug = path.with_suffix(".debug")
    command("objcopy", "--only-keep-debug", path, debug)
    for file in (path, debug):
        follow = filtered("\n".join(lines).replace(str(path), str(file)), file)
        at = next(i for i, line in enumerate(lines) if "(begins+" in line)
        assert "(begins+0x0)" in lines[at]
        assert functions(follow[at])[-1:] == ["begins"]
        assert functions(follow[at + 1]) == ["main"]


def test_the_frame_of_a_signal_is_known_by_its_call_frames(filtered, run, tmp_path):
    """A fault right after a call: the code is that of a return address, too."""
    need("gcc")
    source, path = tmp_path / "after.s", tmp_path / "after"
    source.write_text("""
	.file 1 "after.c"
	.globl _start
_start:	.cfi_startproc
	.loc 1 1
	call leaf
	.loc 1 2
	mov (%rax),%rax
	hlt
	.cfi_endproc
leaf:	.cfi_startproc
	.loc 1 4
	ret
	.cfi_endproc
	.cfi_startproc
	.cfi_signal_frame
	nop
back:	.loc 1 6
	mov $15,%eax
	syscall
	.cfi_endproc
""")
    command("gcc", "-g", "-nostdlib", "-static", source, "-o", path)
    symbols = {name: int(address, 16) for address, name in
               re.findall(r"^(\w+) \w (\w+)$", command("nm", path), re.M)}
    after = symbols["_start"] + 5
    text = f"{path}[{symbols['back']:#x}]\n{path}[{after:#x}]\n{path}[{after:#x}]\n"
    assert [one[0].split(" at ")[1] for one in filtered(text, path)] == [
        "after.c:6", "after.c:2", "after.c:1"]


def test_a_program_below_the_kernel_is_where_it_entered_that(filtered, run, crashed):
    path, _ = crashed(calls.SOURCE, "-no-pie")
    _, after = calls.call_of(path, "caller", "callee")
    start = calls.start_of(path, "caller")
    frame = f"\t{after:16x} caller+{after - start:#x} ({path})\n"
    kernel = "\tffffffff81000082 entry_SYSCALL_64_after_hwframe+0x6e ([kernel.kallsyms])\n"
    follow = filtered("prog 1 2.5: 1 cycles:\n" + kernel + frame + frame, path)
    assert functions(follow[2]) == ["after", "caller"]
    assert functions(follow[3]) == ["caller"]
    for other in ("[unknown]", "[vdso]"):
        follow = filtered(kernel.replace("[kernel.kallsyms]", other) + frame, path)
        assert functions(follow[1]) == ["caller"], other


def test_no_option_makes_a_return_address_of_what_follows_no_call(filtered, crashed):
    path, _ = crashed(calls.SOURCE, "-no-pie")
    _, after = calls.call_of(path, "caller", "callee")
    start = calls.start_of(path, "callee")
    assert functions(filtered(f"{after:#x}", path)[0]) == ["after", "caller"]
    assert functions(filtered(f"{after:#x}", "-R", path)[0]) == ["caller"]
    assert functions(filtered(f"{start:#x}", "-R", path)[0]) == ["callee"]


# 32-bit ARM.

@pytest.fixture(scope="module")
def arm(tmp_path_factory):
    directory = tmp_path_factory.mktemp("arm")

    def build(name):
        path = calls.build_bare(name, directory)
        kernel = directory / f"vmlinux-{name}"
        command("llvm-objcopy", "--add-symbol", "_text=.text:0,global", path, kernel)
        return kernel

    need("llvm-objcopy")
    return build


def places(path):
    """{function: (where its call returns to, as a number and as in text)}"""
    found = {}
    for function, callee in (("caller", "callee"), ("outer", "caller"), ("_start", "outer")):
        after = calls.call_of(path, function, callee).after
        found[function] = after, f"{function}+{after - calls.start_of(path, function):#x}/0x40"
    return found


@pytest.mark.parametrize("heading", ["", "Backtrace: \n"])
def test_what_follows_from_is_a_return_address_on_arm(filtered, arm, heading):
    """Also without a heading; and the first address of a line is what the one before returns to."""
    path = arm("arm")
    found, start = places(path), calls.start_of(path, "callee")
    lines = [f"[<{start:08x}>] (callee) from [<{found['caller'][0]:08x}>] ({found['caller'][1]})"]
    for callee, caller in (("caller", "outer"), ("outer", "_start")):
        lines.append(f"[<{found[callee][0]:08x}>] ({callee}) from "
                     f"[<{found[caller][0]:08x}>] ({found[caller][1]})")
    text = "".join(f"[    1.000000] {line.replace('/0x40', '')}\n" for line in lines)
    follow = [functions(one) for one in filtered(heading + text, path)]
    assert follow[-3:] == [["callee", "caller"], ["caller", "outer"], ["outer", "_start"]]
    follow = filtered(text, path)
    assert [line for one in follow for line in one if f":{calls.line_of('return after(result);')}" in
            line] == []


@pytest.mark.parametrize("machine", ["arm", "thumb"])
def test_newer_kernels_of_arm_print_only_names(filtered, arm, machine):
    path = arm(machine)
    bit = machine == "thumb"
    text = "".join(f" {callee} from {name}+{after - calls.start_of(path, name) + bit:#x}\n"
                   for callee, (name, after) in zip(
                       ("callee", "caller"),
                       ((name, places(path)[name][0]) for name in ("caller", "outer"))))
    follow = filtered(text, path)
    assert [functions(one) for one in follow] == [["caller"], ["outer"]]
    assert f"calls.c:{calls.line_of('int result = callee')}:" in follow[0][0]


@pytest.mark.parametrize("callee", ["(__irq_svc)", "(__dabt_svc)", "(__und_svc)"])
def test_what_an_exception_of_arm_interrupted_is_a_program_counter(filtered, arm, callee):
    path = arm("arm")
    after, name = places(path)["caller"]
    name = name.replace("/0x40", "")
    text = f"[<c0100ab8>] {callee} from [<{after:08x}>] ({name})\n"
    assert functions(filtered(text, path)[0]) == ["after", "caller"]
    text = f" {callee.strip('()')} from {name}\n"
    assert functions(filtered(text, path)[0]) == ["after", "caller"]
