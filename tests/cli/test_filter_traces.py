"""`inlinecall addr --filter`: which places of a kernel's traces are return addresses, and what else its
log says."""

import re
import subprocess

import pytest

import kernels
from kernels import LINKED, MOVED, mention


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    return kernels.build_kernel(tmp_path_factory.mktemp("kernel"))


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    return kernels.build_module(tmp_path_factory.mktemp("module"))


def only(filtered, text, *args, **options):
    """What follows the only line of which something is known."""
    return [plain(follow) for follow in filtered(text, *args, **options) if follow]


def plain(lines):
    """Without discriminators, which some versions of GCC set and others do not."""
    return [re.sub(r" \(discriminator \d+\)", "", line) for line in lines]


# Return addresses.

def trace(kernel, *entries):
    return "".join(f" {mention(kernel, *entry)}\n" for entry in entries)


def test_entries_of_a_call_trace_are_return_addresses(filtered, kernel):
    offset = kernels.return_offset(kernel, "reader", "work")
    text = mention(kernel, "reader", offset)
    exact, call = ["count() at kernel.c:9:8 (inlined)"], ["reader() at kernel.c:20:2"]
    assert filtered(text, kernel)[0][:1] == exact
    assert filtered(text, "-R", kernel) == [call]
    for heading in ("Call Trace:", "Call trace:", "[  1.5] Call Trace:", "Backtrace: ",
                    "stack backtrace:", "Allocated by task 12:", "Stack trace:"):
        assert filtered(f"{heading}\n {text}\n", kernel)[1] == call
        assert filtered(f"x\n{heading}\n <TASK>\n ? {text}\n </TASK>\n <IRQ>\n {text}\n",
                        kernel)[3:] == [call, [], [], call]


def test_addresses_of_a_call_trace_are_return_addresses(filtered, kernel):
    address = (kernels.symbol(kernel, "reader")[0]
               + kernels.return_offset(kernel, "reader", "work"))
    call = ["reader() at kernel.c:20:2"]
    assert filtered(f"[<{address:x}>]", kernel)[0][0] == "count() at kernel.c:9:8 (inlined)"
    assert filtered(f"[<{address:x}>]", "-R", kernel) == [call]
    assert filtered(f"Call Trace:\n [<{address:x}>]\n", kernel) == [[], call]


@pytest.mark.parametrize("lead", ["RIP: 0010:", "pc : ", "PC is at ", "EIP: ", "epc : ",
                                  "NIP [c000000000012345] ", "[ 1.0] RIP: 0010:", "IP: ",
                                  "--- interrupt: 300 at ", "Krnl PSW : 0404c00180000000 ("])
def test_program_counters_are_exact_wherever_they_stand(filtered, kernel, lead):
    text = mention(kernel, "reader", kernels.return_offset(kernel, "reader", "work"))
    follow = filtered(f"Call Trace:\n {text}\n{lead}{text}\n {text}\n", "-R", kernel)
    assert follow[2][0] == "count() at kernel.c:9:8 (inlined)"
    assert follow[1] == follow[3] == ["reader() at kernel.c:20:2"]


def test_callers_of_what_is_traced_are_return_addresses(filtered, kernel):
    text = mention(kernel, "reader", kernels.return_offset(kernel, "reader", "work"))
    follow = filtered(f" cat-123 [000] d..2. 5.0: {text} <-vfs_read\n => {text}\n", kernel)
    assert follow == [["count() at kernel.c:9:8 (inlined)", "reader() at kernel.c:21:2"],
                      ["reader() at kernel.c:20:2"]]


@pytest.mark.parametrize("lead", ["lr : ", "LR is at ", " ra : ", "LR [c000000000012345] "])
def test_link_registers_are_return_addresses(filtered, kernel, lead):
    text = mention(kernel, "reader", kernels.return_offset(kernel, "reader", "work"))
    assert filtered(f"{lead}{text}", kernel) == [["reader() at kernel.c:20:2"]]


def test_a_call_trace_ends_where_it_ends(filtered, kernel):
    text = mention(kernel, "reader", kernels.return_offset(kernel, "reader", "work"))
    follow = filtered(f"Call Trace:\n {text}\nModules linked in: xfs\n {text}\n", kernel)
    assert follow[1] == ["reader() at kernel.c:20:2"]
    assert follow[3][0] == "count() at kernel.c:9:8 (inlined)"


def test_registers_of_arm_do_not_end_a_call_trace(filtered, kernel):
    text = mention(kernel, "reader", kernels.return_offset(kernel, "reader", "work"))
    follow = filtered(f"Backtrace: \n {text}\nException stack(0xbb935fa8 to 0xbb935ff0)\n"
                      "[  352.697597] 5fc0: 74fd72e8 7ec0e0d0 7ec0e0c6 00000078\n"
                      f"5fe0: 003d0f00 7ec0dff0 76b12df4 76b10adc\n {text}\n", kernel)
    assert [one for one in follow if one] == [["reader() at kernel.c:20:2"]] * 2


def test_a_call_that_does_not_return_belongs_to_its_caller(filtered, kernel):
    """In the two ways in which kernels print what follows it."""
    call = ["give_up() at kernel.c:46:2 (inlined)", "fatal() at kernel.c:53:2"]
    size = kernels.symbol(kernel, "fatal")[1]
    for entry in (("fatal", size), ("follower", 0)):
        text = "Call Trace:\n" + trace(kernel, ("reader", 5), entry)
        assert filtered(text, kernel)[2] == call
    assert filtered(mention(kernel, "fatal", size), kernel) == [call]
    assert filtered(mention(kernel, "follower", 0), kernel)[0][-1].startswith("follower() at")


def test_the_first_entry_of_a_trace_may_be_the_program_counter(filtered, kernel):
    text = mention(kernel, "reader", kernels.return_offset(kernel, "reader", "work"))
    exact = "count() at kernel.c:9:8 (inlined)"
    follow = filtered(f"pc : {text}\nCall trace:\n {text}\n {text}\n", kernel)
    assert [one[0] for one in follow if one] == [exact, exact, "reader() at kernel.c:20:2"]
    follow = filtered(f"Call trace:\n {text} (P)\n {text} (PF)\n {text} (C)\n", kernel)
    assert [one[0] for one in follow if one] == [exact, exact, "reader() at kernel.c:20:2"]


def test_a_trace_that_begins_with_a_function_itself_is_exact_there(filtered, kernel):
    text = "Call trace:\n" + trace(kernel, ("follower", 0), ("reader", 5))
    assert filtered(text, kernel)[1][-1].startswith("follower() at")


def test_callees_of_arm_are_no_return_addresses(filtered, kernel):
    """32-bit ARM prints "[<callee>] (name) from [<return address>] (name+0xOFF/0xSIZE)"."""
    follower, reader = (kernels.symbol(kernel, name)[0] for name in ("follower", "reader"))
    text = (f"Backtrace: \n[<{follower:x}>] (follower) from [<{reader + 5:x}>] "
            f"({mention(kernel, 'reader', 5)})\n")
    follow = filtered(text, kernel)[1]
    assert follow[-2].startswith("follower() at") and follow[-1] == "reader() at kernel.c:20:2"
    assert not any(frame.startswith("fatal") for frame in follow)


@pytest.mark.parametrize("entry", ["asm_exc_page_fault", "asm_sysvec_apic_timer_interrupt",
                                   "asm_common_interrupt", "el1h_64_sync", "el1h_64_irq"])
def test_what_an_exception_interrupted_is_exact(filtered, kernel, entry):
    text = mention(kernel, "reader", kernels.return_offset(kernel, "reader", "work"))
    exact = ["count() at kernel.c:9:8 (inlined)", "reader() at kernel.c:21:2"]
    call = ["reader() at kernel.c:20:2"]
    for lead in ("", "? "):
        follow = filtered(f"Call Trace:\n <TASK>\n {lead}{entry}+0x22/0x30\n {lead}{text}\n"
                          f" {text}\n", kernel)
        assert follow == [[], [], [], exact, call]
    # The registers of what was interrupted are printed: its place is not printed again.
    follow = filtered(f"Call Trace:\n {entry}+0x22/0x30\nRIP: 0010:{text}\nRSP: 0018:0 EFLAGS: 1\n"
                      f" {text}\n", kernel)
    assert follow == [[], [], exact, [], call]
    # Elsewhere it is a name as any other.
    assert filtered(f"{entry}+0x22/0x30\nCall Trace:\n a+0x1/0x2\n {text}\n", kernel)[3] == call


def test_what_the_stack_still_has_of_the_counter_is_exact(filtered, kernel):
    """As x86 prints it below the entry of the exception, with registers in between."""
    text = mention(kernel, "reader", kernels.return_offset(kernel, "reader", "work"))
    exact = ["count() at kernel.c:9:8 (inlined)", "reader() at kernel.c:21:2"]
    address = kernels.symbol(kernel, "reader")[0] + kernels.return_offset(kernel, "reader", "work")
    follow = filtered(f"RIP: 0010:{text}\nCall Trace:\n ? asm_exc_page_fault+0x22/0x30\n"
                      f" ? x+0x0/0x10\n ? {text}\n [<{address:x}>] ? {text}\n {text}\n", kernel)
    assert follow == [exact, [], [], [], exact, exact, ["reader() at kernel.c:20:2"]]


# What the log says of its kernel.

OFFSET = "Kernel Offset: 0x1e000000 from 0xffffffff81000000 (relocation range: " \
         "0xffffffff80000000-0xffffffffbfffffff)"


def test_the_offset_of_a_kernel_is_not_a_place_but_where_places_are(filtered, kernel):
    work = ["work() at kernel.c:14:8"]
    registers = f"R12: {LINKED + MOVED:016x} R13: {LINKED:016x}"
    assert filtered(f"[ 1.5] {OFFSET}", kernel, status=1) == [[]]
    assert filtered(f"{OFFSET}\n{registers}", kernel) == [[], work]
    # It is printed at the end of what it is of.
    assert filtered(f"{registers}\n[<{LINKED + MOVED:x}>]\n{OFFSET}\nend", kernel) == [work, work, [], []]
    assert filtered("Kernel Offset: disabled\n" + registers, kernel) == [[], work]


def test_offsets_are_of_one_boot(filtered, kernel):
    work, boot = ["work() at kernel.c:14:8"], "[ 0.0] Linux version 6.1.0-1-amd64 (gcc)"
    one, two = f"[<{LINKED + MOVED:x}>]", f"[<{LINKED + 2 * MOVED:x}>]"
    other = OFFSET.replace("0x1e000000", "0x3c000000")
    text = "\n".join((one, two, OFFSET, boot, one, two, other, boot, one, two))
    assert filtered(text, kernel) == [work, [], [], [], [], work, [], [], [], []]


def test_an_option_says_more_than_the_offset_of_the_text(filtered, kernel):
    text = f"{OFFSET}\n[<{LINKED + MOVED:x}>]\n[<{LINKED + 0x5000:x}>]"
    assert filtered(text, f"--base={LINKED + 0x5000:x}", kernel) == [
        [], [], ["work() at kernel.c:14:8"]]


def test_an_offset_that_comes_through_a_pipe_is_used_from_then_on(program, kernel):
    """Lines are not held back for what may come."""
    line = f"[<{LINKED + MOVED:x}>]\n"
    with subprocess.Popen([program, "addr", "-s", "--filter", str(kernel)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as process:
        def send(text):
            process.stdin.write(text)
            process.stdin.flush()
            return process.stdout.readline()
        assert send(line) == line
        assert send(OFFSET + "\n") == OFFSET + "\n"
        assert send(line) == line
        assert process.stdout.readline() == "    work() at kernel.c:14:8\n"
        process.stdin.close()
        assert process.wait(timeout=20) == 0


def test_an_offset_far_below_is_found_in_a_file(program, kernel, tmp_path):
    path = tmp_path / "log"
    path.write_text(f"[<{LINKED + MOVED:x}>]\n" + "x\n" * 200000 + OFFSET + "\n")
    with open(path, "rb") as log:
        out = subprocess.run([program, "addr", "-s", "--filter", str(kernel)], stdin=log,
                             capture_output=True, text=True, timeout=20, check=False).stdout
    assert out.splitlines()[1] == "    work() at kernel.c:14:8"


# Oopses.

def test_an_oops_of_x86(run, kernel, module):
    ret = kernels.return_offset
    size = kernels.symbol(kernel, "fatal")[1]
    text = f"""\
[  147.601033] BUG: kernel NULL pointer dereference, address: 0000000000000010
[  147.601071] #PF: supervisor read access in kernel mode
[  147.601132] Oops: 0000 [#1] PREEMPT SMP PTI
[  147.601151] CPU: 1 PID: 512 Comm: cat Tainted: G           OE      6.1.0-56-amd64 #1  Debian
[  147.601177] Hardware name: QEMU Standard PC (i440FX + PIIX, 1996), BIOS 1.16.2-1 04/01/2014
[  147.601207] RIP: 0010:{mention(module, "module_read", 3, "my_module")}
[  147.601232] Code: 89 3d ce 00 00 00 c3 e8 f4 ff ff ff 8b 05 c2 <00> 00 00 8d 44 38 03
[  147.601288] RSP: 0018:ffffb1c0c0a47e10 EFLAGS: 00010246
[  147.601309] RAX: 0000000000000000 RBX: ffff9e1a43b7a000 RCX: 0000000000000001
[  147.601335] FS:  00007f0d4f4f5740(0000) GS:ffff9e1abdd00000(0000) knlGS:0000000000000000
[  147.601366] Call Trace:
[  147.601379]  <TASK>
[  147.601391]  ? {mention(kernel, "do_syscall", ret(kernel, "do_syscall", "reader"))}
[  147.601409]  {mention(kernel, "reader", ret(kernel, "reader", "work"))}
[  147.601426]  {mention(kernel, "do_syscall", ret(kernel, "do_syscall", "reader", 1))}
[  147.601441]  {mention(kernel, "fatal", size)}
[  147.601462] RIP: 0033:0x7f0d4f5f1a1d
[  147.601481] Code: Unable to access opcode bytes at 0x7f0d4f5f19f3.
[  147.601503] RSP: 002b:00007ffd1c6c1c68 EFLAGS: 00000246 ORIG_RAX: 0000000000000000
[  147.601541]  </TASK>
[  147.601550] Modules linked in: my_module(OE) intel_rapl_msr intel_rapl_common
[  147.601612] ---[ end trace 0000000000000000 ]---
[  147.601630] RIP: 0010:{mention(module, "module_read", 3, "my_module")}
"""
    result = run("addr", "-s", "--filter", kernel, module, stdin=text)
    added = [line for line in result.out.splitlines() if line not in text.splitlines()]
    read = [" " * 29 + "count() at module.c:9:8 (inlined)",
            " " * 29 + "module_read() at module.c:14:2"]
    assert plain(added) == read + [
        " " * 22 + "read_twice() at kernel.c:27:9 (inlined)",
        " " * 22 + "do_syscall() at kernel.c:32:12",
        " " * 20 + "reader() at kernel.c:20:2",
        " " * 20 + "read_twice() at kernel.c:27:26 (inlined)",
        " " * 20 + "do_syscall() at kernel.c:32:12",
        " " * 20 + "give_up() at kernel.c:46:2 (inlined)",
        " " * 20 + "fatal() at kernel.c:53:2",
    ] + read
    assert [line for line in result.out.splitlines() if line not in added] == text.splitlines()
    assert (result.status, result.err) == (0, "")


def test_an_oops_of_arm64(filtered, kernel):
    ret = kernels.return_offset
    pc = mention(kernel, "reader", ret(kernel, "reader", "work"))
    text = f"""\
[   31.034471] Unable to handle kernel NULL pointer dereference at virtual address 0000000000000000
[   31.036107] Internal error: Oops: 0000000096000004 [#1] SMP
[   31.036470] CPU: 3 PID: 300 Comm: sh Not tainted 6.6.0 #1
[   31.036870] Hardware name: linux,dummy-virt (DT)
[   31.037210] pstate: 60400005 (nZCv daif +PAN -UAO -TCO -DIT -SSBS BTYPE=--)
[   31.037628] pc : {pc}
[   31.037940] lr : {mention(kernel, "do_syscall", ret(kernel, "do_syscall", "reader"))}
[   31.038206] sp : ffff800080c3bd10
[   31.038403] x29: ffff800080c3bd10 x28: ffff0000c4b6a040 x27: 0000000000000000
[   31.038824] Call trace:
[   31.039004]  {pc}
[   31.039209]  {mention(kernel, "do_syscall", ret(kernel, "do_syscall", "reader", 1))}
[   31.039467]  {mention(kernel, "follower", 0)}
[   31.039700] Code: d503201f d503233f a9bf7bfd 910003fd (b9000000)
[   31.040077] ---[ end trace 0000000000000000 ]---
"""
    exact = ["count() at kernel.c:9:8 (inlined)", "reader() at kernel.c:21:2"]
    assert only(filtered, text, kernel) == [
        exact, ["read_twice() at kernel.c:27:9 (inlined)", "do_syscall() at kernel.c:32:12"],
        exact, ["read_twice() at kernel.c:27:26 (inlined)", "do_syscall() at kernel.c:32:12"],
        ["give_up() at kernel.c:46:2 (inlined)", "fatal() at kernel.c:53:2"]]
