// Live processes as targets: stops their threads with ptrace(2), and copies registers and stacks.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/workers.h"
#include "unwind/targets/goroutine_threads.h"

enum {
	NOTE_PRSTATUS = 1, // NT_PRSTATUS
	NOTE_FPREGSET = 2, // NT_FPREGSET
	PAGE = 4096,
	FIRST_CHUNK = 4 * PAGE,
	MOST_CHUNK = 128 * PAGE,
	ROOM = 256 * PAGE, // initial room for copies
	RED_ZONE = 128,    // bytes below the stack pointer that functions on x86-64 may use
	MOST_REGISTERS = 1024,
	MOST_ROUNDS = 100, // of searching for threads started meanwhile
	NAME_SIZE = 64,
	YIELDS = 200, // before waiting for a thread by sleeping
};

#define DEFAULT_STACK (8ull << 20)
#define MOST_COPIED   (1ull << 30)  // for all threads; memory beyond is read on demand
#define PATIENCE      1000000000ull // nanoseconds in which all threads must stop

struct thread {
	int tid;
	bool is_stopped, is_gone, is_stuck;
	int signal; // to be delivered when it continues: it was pending
	struct ic_unwind_registers registers;
	bool has_registers;
	char name[NAME_SIZE];
};

struct process {
	struct ic_target *target;
	int pid;
	int alive; // a thread that has not ended: the kernel shows memory and files only for such
	int tid;   // 0 for all
	IC_ARRAY(struct thread) threads;
	uint64_t max_stack;
	uint64_t copied;   // bytes of all stacks so far
	uint64_t deadline; // for threads to stop, in terms of now()
	struct ic_goroutine_source goroutines;
	struct ic_error *err;
	bool ok;
};

// ---- Stopping and continuing

// Reads the start of a file in /proc, as text. False if there is nothing.
static bool read_text(const char *path, char *text, size_t size)
{
	IC_AUTO(ic_close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, text, size - 1) : -1;

	text[got > 0 ? got : 0] = 0;
	return got > 0;
}

static bool is_known(const struct process *process, int tid)
{
	for (uint32_t i = 0; i < process->threads.count; i++)
		if (process->threads.items[i].tid == tid)
			return true;
	return false;
}

// Whether a thread has ended, although it is still listed: the first thread is listed until the
// others have ended.
static bool is_ended(const struct process *process, int tid)
{
	char path[64], line[512];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", process->pid, tid);
	const char *name_end = read_text(path, line, sizeof(line)) ? strrchr(line, ')') : NULL;
	return !name_end || name_end[1] != ' ' || name_end[2] == 'Z' || name_end[2] == 'X';
}

static bool fail_to_trace(int pid, int os_error, struct ic_error *err)
{
	bool is_denied = os_error == EPERM || os_error == EACCES;
	char text[IC_ERROR_TEXT_SIZE];

	ic_fail(err, IC_ERROR_SYSTEM, "process %d: cannot trace: %s%s", pid,
		ic_error_text(os_error, text),
		pid == getpid() ? " (a process cannot trace itself)"
		: is_denied ? " (already traced, or not permitted: this requires CAP_SYS_PTRACE or "
			      "kernel.yama.ptrace_scope=0)"
			    : "");
	err->os_error = os_error;
	return false;
}

// No ptrace request is needed for that, so Yama does not apply.
static bool fail_open_program(int pid, int os_error, struct ic_error *err)
{
	bool is_denied = os_error == EPERM || os_error == EACCES;
	char text[IC_ERROR_TEXT_SIZE];

	ic_fail(err, IC_ERROR_SYSTEM, "process %d: cannot open its program: %s%s", pid,
		ic_error_text(os_error, text),
		is_denied ? " (this requires the same user, or CAP_SYS_PTRACE)" : "");
	err->os_error = os_error;
	return false;
}

// Fails with the reason why a process has no program that can be opened.
static bool fail_without_program(const struct process *process, int os_error, struct ic_error *err)
{
	char path[64], line[512];

	snprintf(path, sizeof(path), "/proc/%d/stat", process->pid);
	if (os_error != ENOENT)
		return fail_open_program(process->pid, os_error, err);
	ic_fail(err, IC_ERROR_SYSTEM, "process %d: %s", process->pid,
		!read_text(path, line, sizeof(line)) ? "no such process"
		: is_ended(process, process->pid)
			? "is a zombie: it has exited, but its parent has not waited for it"
			: "is a kernel thread, whose stack cannot be read");
	err->os_error = os_error;
	return false;
}

// A thread that has not ended; the process itself if there is none.
static int find_alive(const struct process *process)
{
	char path[64];
	int found = process->pid;

	snprintf(path, sizeof(path), "/proc/%d/task", process->pid);
	DIR *folder = is_ended(process, found) ? opendir(path) : NULL;
	if (!folder)
		return found;
	for (const struct dirent *entry; (entry = readdir(folder));) {
		int tid = atoi(entry->d_name);

		if (tid > 0 && !is_ended(process, tid)) {
			found = tid;
			break;
		}
	}
	closedir(folder);
	return found;
}

// Seizes a thread, and requests that it stop. It is not an error if the thread has ended.
static bool seize_thread(struct process *process, int tid, struct ic_error *err)
{
	struct thread *thread = IC_ARRAY_PUSH(&process->threads);

	if (!thread)
		return ic_fail_memory(err);
	*thread = (struct thread){ .tid = tid };
	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) == 0 &&
	    ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) == 0)
		return true;
	int os_error = errno;
	process->threads.items[process->threads.count - 1].is_gone = true;
	if (os_error == ESRCH || is_ended(process, tid))
		return true;
	return fail_to_trace(process->pid, os_error, err);
}

// Seizes the threads that have not been seized; *any is set if there were any.
static bool seize_new(struct process *process, bool *any, struct ic_error *err)
{
	char path[64];
	bool ok = true;

	*any = false;
	snprintf(path, sizeof(path), "/proc/%d/task", process->pid);
	DIR *folder = opendir(path);
	if (!folder)
		return ic_fail_system(err, "open", path);
	for (const struct dirent *entry; ok && (entry = readdir(folder));) {
		int tid = atoi(entry->d_name);

		if (tid <= 0 || is_known(process, tid))
			continue;
		*any = true;
		ok = seize_thread(process, tid, err);
	}
	closedir(folder);
	return ok;
}

// Waits for an event of a thread, until the deadline. A thread in uninterruptible sleep stops only
// when it wakes up.
static int wait_until(const struct process *process, int tid, int *status)
{
	const struct timespec pause = { .tv_nsec = 100000 };
	int waited;

	// Most threads stop within microseconds; sleeping would take longer.
	for (int i = 0; (waited = waitpid(tid, status, __WALL | WNOHANG)) == 0; i++) {
		if (ic_clock_now() >= process->deadline)
			return 0;
		if (i < YIELDS)
			sched_yield();
		else
			nanosleep(&pause, NULL);
	}
	return waited;
}

static void wait_for(const struct process *process, struct thread *thread)
{
	int status;

	if (thread->is_stopped || thread->is_gone || thread->is_stuck)
		return;
	int waited = wait_until(process, thread->tid, &status);
	thread->is_stuck = waited == 0;
	thread->is_gone = waited < 0 || (waited > 0 && !WIFSTOPPED(status));
	if (thread->is_stuck || thread->is_gone)
		return;
	thread->is_stopped = true;
	// If it is not an event, it is a signal about to be delivered, which must not be lost.
	if (status >> 16 == 0)
		thread->signal = WSTOPSIG(status);
}

// A thread ID may have been reused by another process: it must belong to this one.
static bool has_thread(const struct process *process, int tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d", process->pid, tid);
	return access(path, F_OK) == 0;
}

static bool stop_threads(struct process *process, struct ic_error *err)
{
	bool any = true;

	if (process->tid && !has_thread(process, process->tid))
		return ic_fail(err, IC_ERROR_ARGUMENT, "process %d: no thread %d", process->pid,
			       process->tid);
	if (process->tid)
		return seize_thread(process, process->tid, err);
	for (int round = 0; any && round < MOST_ROUNDS; round++) {
		if (!seize_new(process, &any, err))
			return false;
		for (uint32_t i = 0; i < process->threads.count; i++)
			wait_for(process, &process->threads.items[i]);
	}
	return true;
}

static void run_again(struct process *process)
{
	for (uint32_t i = 0; i < process->threads.count; i++) {
		struct thread *thread = &process->threads.items[i];

		wait_for(process, thread);
		if (thread->is_stopped)
			ptrace(PTRACE_DETACH, thread->tid, NULL, (void *)(intptr_t)thread->signal);
	}
}

// ---- Copies

static bool read_registers(const struct process *process, struct thread *thread)
{
	uint8_t bytes[MOST_REGISTERS];
	struct iovec vector = { bytes, sizeof(bytes) };

	if (ptrace(PTRACE_GETREGSET, thread->tid, (void *)NOTE_PRSTATUS, &vector) != 0)
		return false;
	const struct ic_bytes all = { bytes, vector.iov_len };
	ic_thread_registers_read(process->target->layout,
				 ic_cursor_at(all, "registers", 0, all.size, false),
				 &thread->registers);
	if (!ic_thread_floats_matter(process->target->layout))
		return true;
	vector.iov_len = sizeof(bytes);
	if (ptrace(PTRACE_GETREGSET, thread->tid, (void *)NOTE_FPREGSET, &vector) == 0) {
		const struct ic_bytes floats = { bytes, vector.iov_len };
		ic_thread_floats_read(process->target->layout,
				      ic_cursor_at(floats, "registers", 0, floats.size, false),
				      &thread->registers);
	}
	return true;
}

// Reads pages from `addr` on, up to one that is missing; returns the number of bytes.
static size_t read_pages(int pid, uint64_t addr, uint8_t *bytes, size_t size)
{
	struct iovec local = { bytes, size }, remote[MOST_CHUNK / PAGE + 1];
	unsigned long count = 0;

	// Partial reads only happen between vectors.
	for (size_t off = 0; off < size && count <= MOST_CHUNK / PAGE;) {
		size_t part = PAGE - (addr + off) % PAGE;

		if (part > size - off)
			part = size - off;
		remote[count++] = (struct iovec){ (void *)(uintptr_t)(addr + off), part };
		off += part;
	}
	ssize_t got = process_vm_readv(pid, &local, 1, remote, count, 0);
	return got > 0 ? (size_t)got : 0;
}

// Makes room for more bytes, after those already copied. False if memory runs out.
static bool make_room(struct process *process, size_t size)
{
	struct ic_target *target = process->target;
	size_t room = target->copies_size;

	if (size <= room - process->copied)
		return true;
	room += room + size;
	void *grown = mremap(target->copies, target->copies_size, room, MREMAP_MAYMOVE);
	if (grown == MAP_FAILED)
		return false;
	target->copies = grown;
	target->copies_size = room;
	return true;
}

// Copies the stack from below its pointer to its end, or that of the memory, in growing parts: most
// threads use a few pages.
static bool copy_stack(struct process *process, uint64_t sp, uint64_t end)
{
	struct ic_target *target = process->target;
	uint64_t start = sp > RED_ZONE ? sp - RED_ZONE : 0, size = 0;
	size_t chunk = FIRST_CHUNK, got = chunk;

	while (got == chunk && size < process->max_stack && process->copied < MOST_COPIED &&
	       start + size < end) {
		if (size > 0 && chunk < MOST_CHUNK)
			chunk *= 2;
		if (chunk > end - start - size)
			chunk = (size_t)(end - start - size);
		if (!make_room(process, chunk))
			return false;
		got = read_pages(process->alive, start + size, target->copies + process->copied,
				 chunk);
		size += got;
		process->copied += got;
	}
	struct ic_target_stack *stack = size > 0 ? IC_ARRAY_PUSH(&target->stacks) : NULL;
	if (stack)
		*stack = (struct ic_target_stack){ .start = start, .size = size };
	return stack || size == 0;
}

// Sets the addresses of the copies, which are consecutive, once they no longer move.
static void place_copies(struct ic_target *target)
{
	const uint8_t *bytes = target->copies;

	for (uint32_t i = 0; i < target->stacks.count; i++) {
		target->stacks.items[i].bytes = bytes;
		bytes += target->stacks.items[i].size;
	}
}

static bool copy_thread(struct process *process, struct thread *thread)
{
	uint64_t sp;

	thread->has_registers = thread->is_stopped && read_registers(process, thread);
	return !thread->has_registers || !ic_target_sp(process->target, &thread->registers, &sp) ||
	       copy_stack(process, sp, UINT64_MAX);
}

static bool read_now(void *context, uint64_t addr, void *bytes, size_t size)
{
	const struct process *process = context;
	struct iovec local = { bytes, size }, remote = { (void *)(uintptr_t)addr, size };

	return process_vm_readv(process->alive, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static bool find_sp(void *context, uint64_t tid, uint64_t *sp)
{
	const struct process *process = context;

	for (uint32_t i = 0; i < process->threads.count; i++)
		if ((uint64_t)process->threads.items[i].tid == tid)
			return process->threads.items[i].has_registers &&
			       ic_target_sp(process->target, &process->threads.items[i].registers,
					    sp);
	return false;
}

static bool copy_goroutine(void *context, uint64_t sp, uint64_t end)
{
	return copy_stack(context, sp, end);
}

static int compare_stacks(const void *left, const void *right)
{
	const struct ic_target_stack *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

// ---- The process

static void read_name(const struct process *process, struct thread *thread)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", process->pid, thread->tid);
	if (read_text(path, thread->name, sizeof(thread->name)))
		thread->name[strcspn(thread->name, "\n")] = 0;
}

static bool fail_stuck(const struct thread *thread, struct ic_error *err)
{
	return ic_fail(
		err, IC_ERROR_SYSTEM,
		"thread %d: did not stop within a second; it may be in uninterruptible sleep",
		thread->tid);
}

static void complain_of_stuck(struct process *process, const struct thread *thread)
{
	struct ic_error err;

	(void)fail_stuck(thread, &err);
	ic_problems_add(&process->target->problems, &err, NULL, 0);
}

// Fails with the reason why no thread was read.
static bool fail_empty(const struct process *process, struct ic_error *err)
{
	for (uint32_t i = 0; i < process->threads.count; i++)
		if (process->threads.items[i].is_stuck)
			return fail_stuck(&process->threads.items[i], err);
	return ic_fail(err, IC_ERROR_SYSTEM, "process %d: no thread could be read", process->pid);
}

static bool add_threads(struct process *process, struct ic_error *err)
{
	struct ic_target *target = process->target;

	for (uint32_t i = 0; i < process->threads.count; i++) {
		struct thread *from = &process->threads.items[i];

		if (from->is_stuck)
			complain_of_stuck(process, from);
		if (!from->has_registers)
			continue;
		read_name(process, from);
		struct ic_target_thread *thread = IC_ARRAY_PUSH(&target->threads);
		if (!thread)
			return ic_fail_memory(err);
		*thread = (struct ic_target_thread){
			.pid = (uint32_t)process->pid,
			.tid = (uint32_t)from->tid,
			.name = ic_target_text(target, from->name[0] ? from->name : NULL),
			.registers = from->registers
		};
	}
	place_copies(target);
	if (target->stacks.count > 0)
		qsort(target->stacks.items, target->stacks.count, sizeof(*target->stacks.items),
		      compare_stacks);
	return target->threads.count > 0 || fail_empty(process, err);
}

static bool copy_process(struct process *process, struct ic_error *err)
{
	uint64_t began = ic_clock_now();

	process->deadline = began + PATIENCE;
	bool ok = stop_threads(process, err), has_memory = true;
	for (uint32_t i = 0; i < process->threads.count; i++)
		wait_for(process, &process->threads.items[i]);
	for (uint32_t i = 0; ok && has_memory && i < process->threads.count; i++)
		has_memory = copy_thread(process, &process->threads.items[i]);
	const struct ic_goroutine_reader goroutines = {
		.read = read_now, .find_sp = find_sp, .copy = copy_goroutine, .context = process
	};
	if (ok && has_memory)
		has_memory = ic_goroutine_threads_add(process->target, &process->goroutines,
						      &goroutines);
	// The list of its mappings matches the stacks only while it is stopped.
	ok = ok && (has_memory || ic_fail_memory(err)) &&
	     ic_space_read_process(process->target->space, process->alive, err);
	run_again(process);
	process->target->stop_time = ic_clock_now() - began;
	return ok && add_threads(process, err);
}

static void *trace_process(void *context)
{
	struct process *process = context;

	process->ok = copy_process(process, process->err);
	return NULL;
}

// Runs in a thread of its own: when that ends, the kernel detaches it from threads that have not
// stopped, which would otherwise stop later, and stay stopped.
static bool copy_in_thread(struct process *process, struct ic_error *err)
{
	pthread_t tracer;
	sigset_t before;

	process->err = err;
	ic_workers_block_signals(&before); // inherited by the thread
	int os_error = pthread_create(&tracer, NULL, trace_process, process);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (os_error != 0)
		return ic_fail_memory(err);
	pthread_join(tracer, NULL);
	return process->ok;
}

// Gets memory for the copies while the threads are still running: faulting in new pages takes
// longer than copying.
static bool begin_copies(struct ic_target *target)
{
	void *copies = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (copies == MAP_FAILED)
		return false;
	target->copies = copies;
	target->copies_size = ROOM;
	return true;
}

// The machine of a process, from its program, which may be 32-bit on a 64-bit machine.
static bool find_machine(const struct process *process, unsigned *machine, bool *is_32_bit,
			 struct ic_error *err)
{
	unsigned char header[20];
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/exe", process->alive);
	FILE *file = fopen(path, "re");
	if (!file)
		return fail_without_program(process, errno, err);
	bool ok = fread(header, sizeof(header), 1, file) == 1 && memcmp(header, "\177ELF", 4) == 0;
	fclose(file);
	if (!ok)
		return ic_fail(err, IC_ERROR_NOT_ELF, "%s: not an ELF file", path);
	*machine = ic_load16(header + 18, false);
	*is_32_bit = header[4] == 1;
	return true;
}

struct ic_target *ic_target_copy_process(struct ic_modules *modules, int pid,
					 const struct ic_target_process_options *options,
					 struct ic_error *err)
{
	struct process process = { .pid = pid, .max_stack = DEFAULT_STACK };
	struct ic_error unwanted;
	unsigned machine = 0;
	bool is_32_bit = false;

	if (!err)
		err = &unwanted;
	if (options && options->max_stack)
		process.max_stack = options->max_stack;
	process.tid = options ? options->tid : 0;
	process.alive = find_alive(&process);
	if (!find_machine(&process, &machine, &is_32_bit, err))
		return NULL;
	struct ic_target *target = ic_target_alloc(modules, machine, is_32_bit, err);
	if (!target)
		return NULL;
	process.target = target;
	target->pid = process.alive;
	target->is_big_endian = IC_HOST_IS_BIG_ENDIAN;
	target->goroutines.are_missed = process.tid == 0 && !(options && options->no_goroutines);
	if (target->goroutines.are_missed)
		ic_goroutine_source_of_process(target, process.alive, &process.goroutines);
	bool ok = begin_copies(target) ? copy_in_thread(&process, err) : ic_fail_memory(err);
	IC_ARRAY_FREE(&process.threads);
	if (ok)
		return target;
	ic_target_free(target);
	return NULL;
}
