"""`inlinecall backtrace --core` of dumps that QEMU makes of a kernel, beside the stack that the kernel
printed when it panicked: the same addresses, on all of its stacks."""

import pytest

import backtraces
import kernel_dumps

pytestmark = pytest.mark.long
# What the kernel does, its options, the processor, the form of the dump, whether it gets an NMI.
PANICS = {
    "panic": ("panic", "", "qemu64", "", False),
    "not placed at random": ("panic", "nokaslr", "qemu64", "", False),
    "5 levels of page tables": ("panic", "", "max", "", False),
    "with virtual addresses": ("panic", "", "qemu64", "-p", False),
    "NMI in system calls": ("read", "unknown_nmi_panic", "qemu64", "", True),
    "NMI when idle": ("idle", "unknown_nmi_panic", "qemu64", "", True),
    "user page tables": ("panic", "pti=on", "max", "", False),
}


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    try:
        return kernel_dumps.Machine(tmp_path_factory.mktemp("kernel"))
    except kernel_dumps.NoKernel as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="module")
def names(machine):
    return kernel_dumps.symbols(machine.vmlinux)


@pytest.fixture
def dump(machine):
    def make(*words, **options):
        try:
            return machine.dump(*words, **options)
        except kernel_dumps.NoKernel as reason:
            pytest.skip(str(reason))

    return make


def stack(row):
    """The addresses of frames that are on the stack by themselves."""
    return [int(frame["address"], 16) for frame in row["frames"]
            if not frame["inlined"] and frame["found"] != "tail_call"]


@pytest.mark.parametrize("case", PANICS)
def test_a_panic_has_the_stack_that_the_kernel_printed(case, machine, names, dump, inlinecall):
    what, options, processor, form, nmi = PANICS[case]
    core, printed = dump(what, options, processor, form, nmi)
    rows, status, messages = backtraces.ours("--core", core, machine.vmlinux)
    assert status == 0 and not messages
    wanted = kernel_dumps.kernels_stack(printed, names)
    assert len(wanted) > 4
    panicked = [row for row in rows.values()
                if "panic" in [frame["function"] for frame in row["frames"]]]
    assert len(panicked) == 1
    functions = [frame["function"] for frame in panicked[0]["frames"]
                 if not frame["inlined"] and frame["found"] != "tail_call"]
    found = stack(panicked[0])[functions.index("panic") + 1:]
    assert len(found) == len(wanted), (functions, wanted)
    assert all(ours in theirs for ours, theirs in zip(found, wanted)), (functions, wanted)


@pytest.mark.parametrize("device", (True, False), ids=("vmcoreinfo", "no vmcoreinfo"))
@pytest.mark.parametrize("what", ("read", "idle", "user"))
def test_stacks_of_a_running_kernel_are_whole(what, device, machine, dump, inlinecall):
    core, _ = dump(what, device=device)
    rows, status, messages = backtraces.ours("--core", core, machine.vmlinux)
    assert status == 0 and not messages
    assert sorted(rows) == [0, 1]
    for row in rows.values():
        assert row["end"] == "outermost frame"
        last = row["frames"][-1]
        assert last["module"] == "[user mode]" or last["function"].startswith(
            ("entry_SYSCALL_64", "secondary_startup_64", "asm_", "ret_from_fork"))


def test_the_form_of_makedumpfile_is_refused(machine, dump, inlinecall):
    core, _ = dump("idle", form="-z")
    rows, status, messages = backtraces.ours("--core", core, machine.vmlinux)
    assert not rows and status == 2
    assert "flattened form of makedumpfile" in messages
