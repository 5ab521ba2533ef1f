// step_unwind [--from-start] [--no-frames] PROGRAM: runs a program instruction by instruction
// between its first SIGUSR1 and its first SIGUSR2, and unwinds its stack at each. The frames must
// be those of a shadow stack, which is kept by watching calls, returns and signals. It begins with
// what is unwound at the first signal or, with --from-start, is kept from the first instruction of
// the program on. With --no-frames, no call frame information is used. For
// tests/oracle/test_backtraces.py; x86 only.
//	wrong PC: WANTED... but GOT... (why it ended)
//	steps COUNT wrong COUNT short COUNT guessed COUNT program COUNT signals COUNT
// "short" instead of "wrong" if only the outermost frames are missing, and "guessed" if the first
// wrong frame was reached by a guess.
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inlinecall/call_frames.h>
#include <inlinecall/extra/unwind.h>
#include <inlinecall/image.h>

#if defined(__x86_64__)
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	MOST_FRAMES = 512,
	MOST_MAPPINGS = 256,
	MOST_SHOWN = 1000,
	MACHINE_386 = 3,
	MACHINE_X86_64 = 62
};

struct mapping { // of code
	uint64_t start, end, off;
	struct ic_image *image;
	struct ic_call_frames *frames;
	char path[PATH_MAX];
};

struct caller {
	uint64_t addr; // where it goes on
	uint64_t slot; // where that is on the stack; UINT64_MAX if a signal interrupted it
	bool is_guess; // in an unwound frame
};

enum verdict { RIGHT, WRONG, SHORT, GUESSED, VERDICT_COUNT };

static const char *const words[] = { "right", "wrong", "short", "guessed" };

struct stepper {
	pid_t pid;
	bool is_32_bit, has_no_frames;
	struct user_regs_struct regs;
	struct mapping mappings[MOST_MAPPINGS];
	size_t mapping_count;
	struct caller shadow[MOST_FRAMES]; // the outermost first
	size_t depth;
	struct ic_unwinder *unwinder;
	uint64_t steps, in_program, signals;
	uint64_t verdicts[VERDICT_COUNT];
};

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size)
{
	const struct stepper *stepper = context;
	struct iovec local = { bytes, size }, remote = { (void *)(uintptr_t)addr, size };

	return process_vm_readv(stepper->pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static uint64_t read_word(const struct stepper *stepper, uint64_t addr)
{
	uint64_t value = 0;

	(void)read_memory((void *)stepper, addr, &value, stepper->is_32_bit ? 4 : 8);
	return value;
}

static _Noreturn void die(const char *what)
{
	perror(what);
	exit(2);
}

// ---- Code

// A path that leads to a copy of the vDSO.
static void copy_vdso(const struct stepper *stepper, uint64_t start, uint64_t size, char *path)
{
	int file = memfd_create("vdso", 0);
	uint8_t *bytes = malloc(size);

	if (file < 0 || !bytes || !read_memory((void *)stepper, start, bytes, size) ||
	    write(file, bytes, size) != (ssize_t)size)
		die("the vDSO");
	free(bytes);
	snprintf(path, PATH_MAX, "/proc/self/fd/%d", file);
}

static void add_mapping(struct stepper *stepper, const char *line)
{
	struct mapping *mapping = &stepper->mappings[stepper->mapping_count];
	const struct ic_image_options options = { .allow_no_debug = true };
	uint64_t start, end, off;
	char mode[8], path[PATH_MAX] = "";

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %4095s", &start, &end,
		   mode, &off, path) < 4 ||
	    mode[2] != 'x' || stepper->mapping_count == MOST_MAPPINGS)
		return;
	*mapping = (struct mapping){ .start = start, .end = end, .off = off };
	memcpy(mapping->path, path, sizeof(path));
	stepper->mapping_count++;
	if (strcmp(path, "[vdso]") == 0)
		copy_vdso(stepper, start, end - start, path);
	if (path[0] != '/' || !(mapping->image = ic_image_open(path, &options, NULL)))
		return;
	if (!stepper->has_no_frames)
		mapping->frames = ic_call_frames_open(mapping->image, NULL);
}

static void read_mappings(struct stepper *stepper)
{
	char path[64], line[PATH_MAX + 256];

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)stepper->pid);
	FILE *file = fopen(path, "re");
	if (!file)
		die(path);
	while (fgets(line, sizeof(line), file))
		add_mapping(stepper, line);
	fclose(file);
}

static const struct mapping *find_mapping(const struct stepper *stepper, uint64_t addr)
{
	for (size_t i = 0; i < stepper->mapping_count; i++)
		if (addr >= stepper->mappings[i].start && addr < stepper->mappings[i].end)
			return &stepper->mappings[i];
	return NULL;
}

// A mapping may begin before the code in it.
static uint64_t bias_of(const struct mapping *mapping, uint64_t addr)
{
	uint64_t in_file;

	return mapping->image && ic_image_addr_of_offset(mapping->image,
							 mapping->off + (addr - mapping->start),
							 &in_file)
		       ? addr - in_file
		       : 0;
}

static bool find_module(void *context, uint64_t addr, struct ic_unwind_module *module)
{
	const struct mapping *mapping = find_mapping(context, addr);

	if (mapping)
		*module = (struct ic_unwind_module){ .bias = bias_of(mapping, addr),
						     .frames = mapping->frames,
						     .image = mapping->image };
	return mapping;
}

// ---- Unwinding

static void get_registers(const struct stepper *stepper, struct ic_unwind_registers *registers)
{
	const struct user_regs_struct *regs = &stepper->regs;
	const uint64_t of_64[] = { regs->rax, regs->rdx, regs->rcx, regs->rbx, regs->rsi, regs->rdi,
				   regs->rbp, regs->rsp, regs->r8,  regs->r9,  regs->r10, regs->r11,
				   regs->r12, regs->r13, regs->r14, regs->r15 };
	const uint64_t of_32[] = { regs->rax, regs->rcx, regs->rdx, regs->rbx,
				   regs->rsp, regs->rbp, regs->rsi, regs->rdi };

	*registers = (struct ic_unwind_registers){ .pc = regs->rip };
	if (stepper->is_32_bit)
		for (uint32_t i = 0; i < 8; i++)
			ic_unwind_register_set(registers, i, (uint32_t)of_32[i]);
	else
		for (uint32_t i = 0; i < 16; i++)
			ic_unwind_register_set(registers, i, of_64[i]);
}

// The frames, with the stack pointer of each.
static size_t unwind(struct stepper *stepper, struct caller *frames)
{
	struct ic_unwind_registers registers;
	const struct ic_unwind_frame *frame;
	size_t count = 0;

	get_registers(stepper, &registers);
	ic_unwinder_begin(stepper->unwinder, &registers);
	while (count < MOST_FRAMES && (frame = ic_unwinder_next(stepper->unwinder))) {
		frames[count].addr = frame->registers.pc;
		frames[count].is_guess = frame->how == IC_UNWIND_FRAME_POINTER ||
					 frame->how == IC_UNWIND_CALL;
		(void)ic_unwind_register_get(&frame->registers, stepper->is_32_bit ? 4 : 7,
					     &frames[count++].slot);
	}
	return count;
}

static enum verdict judge(const struct stepper *stepper, const struct caller *got, size_t count)
{
	bool is_guess = false;

	for (size_t i = 1; i < count; i++) {
		is_guess |= got[i].is_guess;
		if (i > stepper->depth || got[i].addr != stepper->shadow[stepper->depth - i].addr)
			return is_guess ? GUESSED : WRONG;
	}
	return count == stepper->depth + 1 ? RIGHT : SHORT;
}

static void check(struct stepper *stepper)
{
	struct caller got[MOST_FRAMES];
	size_t count = unwind(stepper, got);
	enum verdict verdict = judge(stepper, got, count);
	const struct mapping *mapping = find_mapping(stepper, stepper->regs.rip);

	stepper->steps++;
	stepper->in_program += mapping == &stepper->mappings[0];
	if (++stepper->verdicts[verdict] > MOST_SHOWN || verdict == RIGHT)
		return;
	printf("%s %s+%" PRIx64 ":", words[verdict], mapping ? mapping->path : "?",
	       (uint64_t)stepper->regs.rip - (mapping ? bias_of(mapping, stepper->regs.rip) : 0));
	for (size_t i = stepper->depth; i > 0; i--)
		printf(" %" PRIx64, stepper->shadow[i - 1].addr);
	printf(" but");
	for (size_t i = 1; i < count; i++)
		printf(" %s%" PRIx64, got[i].is_guess ? "?" : "", got[i].addr);
	printf(" (%s)\n", ic_unwinder_end_text(stepper->unwinder));
}

// ---- The shadow stack

static void push(struct stepper *stepper, uint64_t addr, uint64_t slot)
{
	if (stepper->depth < MOST_FRAMES - 1)
		stepper->shadow[stepper->depth++] = (struct caller){ addr, slot, false };
}

static void push_called(struct stepper *stepper)
{
	push(stepper, read_word(stepper, stepper->regs.rsp), stepper->regs.rsp);
}

static void pop(struct stepper *stepper)
{
	stepper->depth -= stepper->depth > 0;
}

enum instruction { OTHER, CALL, RETURN, SYSTEM };

static bool is_prefix(uint8_t byte, bool is_32_bit)
{
	return byte == 0xf2 || byte == 0xf3 || byte == 0x66 || byte == 0x67 || byte == 0x3e ||
	       byte == 0x2e || byte == 0x65 || (!is_32_bit && (byte & 0xf0) == 0x40);
}

static enum instruction classify(const struct stepper *stepper)
{
	uint8_t bytes[12] = { 0 }, *at = bytes;

	if (!read_memory((void *)stepper, stepper->regs.rip, bytes, sizeof(bytes)))
		(void)read_memory((void *)stepper, stepper->regs.rip, bytes, 2);
	while (at < bytes + 6 && is_prefix(*at, stepper->is_32_bit))
		at++;
	// A call of what follows only gets the address, if that is popped.
	if (at[0] == 0xe8 && memcmp(at + 1, "\0\0\0", 4) == 0 && at[5] >> 3 == 0x58 >> 3)
		return OTHER;
	if (at[0] == 0xe8 || (at[0] == 0xff && (at[1] >> 3 & 7) == 2))
		return CALL;
	if (at[0] == 0xc3 || at[0] == 0xc2)
		return RETURN;
	if ((at[0] == 0x0f && (at[1] == 0x05 || at[1] == 0x34)) || (at[0] == 0xcd && at[1] == 0x80))
		return SYSTEM;
	return OTHER;
}

static void follow(struct stepper *stepper, enum instruction was,
		   const struct user_regs_struct *before)
{
	const struct user_regs_struct *now = &stepper->regs;

	if (now->rip == before->rip && now->rsp == before->rsp)
		return; // the trap of the step that a signal has interrupted
	if (was == CALL)
		push_called(stepper);
	// The dynamic linker for i386 returns to where it pushed the address of the function.
	else if (was == RETURN && stepper->depth > 0 &&
		 stepper->shadow[stepper->depth - 1].slot == before->rsp)
		pop(stepper);
	else if (was == SYSTEM && stepper->depth > 0 &&
		 stepper->shadow[stepper->depth - 1].slot == UINT64_MAX &&
		 stepper->shadow[stepper->depth - 1].addr == now->rip)
		pop(stepper); // it returned from a signal
}

// A signal begins a handler, whose return address is that of the code that returns from signals.
static void follow_signal(struct stepper *stepper, const struct user_regs_struct *before)
{
	push(stepper, before->rip, UINT64_MAX);
	push_called(stepper);
	stepper->signals++;
}

// ---- Running

static int wait_for(const struct stepper *stepper)
{
	int status;

	if (waitpid(stepper->pid, &status, 0) < 0)
		die("waitpid");
	return status;
}

static void resume(const struct stepper *stepper, enum __ptrace_request how, int signal)
{
	if (ptrace(how, stepper->pid, NULL, (void *)(intptr_t)signal) != 0)
		die("ptrace");
}

static void get_regs(struct stepper *stepper)
{
	if (ptrace(PTRACE_GETREGS, stepper->pid, NULL, &stepper->regs) != 0)
		die("PTRACE_GETREGS");
}

// Runs the program up to the signal.
static void skip_start(struct stepper *stepper)
{
	for (;;) {
		int status = wait_for(stepper);
		if (!WIFSTOPPED(status))
			die("the program ended");
		if (WSTOPSIG(status) == SIGUSR1)
			return;
		resume(stepper, PTRACE_CONT, 0);
	}
}

// The same, instruction by instruction.
static void follow_start(struct stepper *stepper)
{
	int status = wait_for(stepper); // it was started

	get_regs(stepper);
	stepper->is_32_bit = stepper->regs.cs == 0x23;
	while (WIFSTOPPED(status) && WSTOPSIG(status) != SIGUSR1) {
		struct user_regs_struct before = stepper->regs;
		enum instruction what = classify(stepper);

		resume(stepper, PTRACE_SINGLESTEP, 0);
		status = wait_for(stepper);
		get_regs(stepper);
		follow(stepper, what, &before);
	}
	if (!WIFSTOPPED(status))
		die("the program ended");
}

static void open_unwinder(struct stepper *stepper)
{
	const struct ic_unwind_options options = {
		.machine = stepper->is_32_bit ? MACHINE_386 : MACHINE_X86_64,
		.is_32_bit = stepper->is_32_bit,
		.read_memory = read_memory,
		.find_module = find_module,
		.context = stepper,
	};

	stepper->unwinder = ic_unwinder_new(&options, NULL);
	if (!stepper->unwinder)
		die("ic_unwinder_new");
}

static void begin(struct stepper *stepper, bool from_start)
{
	struct caller frames[MOST_FRAMES];

	if (from_start)
		follow_start(stepper);
	else
		skip_start(stepper);
	get_regs(stepper);
	stepper->is_32_bit = stepper->regs.cs == 0x23;
	read_mappings(stepper);
	open_unwinder(stepper);
	for (size_t i = from_start ? 0 : unwind(stepper, frames); i > 1; i--)
		push(stepper, frames[i - 1].addr,
		     frames[i - 1].slot - (stepper->is_32_bit ? 4 : 8));
}

static void run(struct stepper *stepper)
{
	int signal = 0;

	for (;;) {
		struct user_regs_struct before = stepper->regs;
		enum instruction what = classify(stepper);

		check(stepper);
		resume(stepper, PTRACE_SINGLESTEP, signal);
		int status = wait_for(stepper);
		if (!WIFSTOPPED(status) || WSTOPSIG(status) == SIGUSR2)
			return;
		get_regs(stepper);
		if (signal)
			follow_signal(stepper, &before);
		else
			follow(stepper, what, &before);
		signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	}
}

int main(int argc, char **argv)
{
	static struct stepper stepper;

	bool from_start = false;

	for (; argc > 1 && argv[1][0] == '-'; argv++, argc--) {
		from_start |= strcmp(argv[1], "--from-start") == 0;
		stepper.has_no_frames |= strcmp(argv[1], "--no-frames") == 0;
	}
	if (argc < 2)
		return 64;
	stepper.pid = fork();
	if (stepper.pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		personality(ADDR_NO_RANDOMIZE);
		execv(argv[1], argv + 1);
		_exit(127);
	}
	begin(&stepper, from_start);
	run(&stepper);
	kill(stepper.pid, SIGKILL);
	printf("steps %" PRIu64 " wrong %" PRIu64 " short %" PRIu64 " guessed %" PRIu64
	       " program %" PRIu64 " signals %" PRIu64 "\n",
	       stepper.steps, stepper.verdicts[WRONG], stepper.verdicts[SHORT],
	       stepper.verdicts[GUESSED], stepper.in_program, stepper.signals);
	ic_unwinder_free(stepper.unwinder);
	for (size_t i = 0; i < stepper.mapping_count; i++) {
		ic_call_frames_free(stepper.mappings[i].frames);
		ic_image_free(stepper.mappings[i].image);
	}
	return 0;
}

#else
int main(void)
{
	puts("x86 only");
	return 77;
}
#endif
