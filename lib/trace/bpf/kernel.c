#include "trace/bpf/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	LOG_SIZE = 1 << 16,      // of the verifier's log
	TRACE_UPROBE_MULTI = 48, // BPF_TRACE_UPROBE_MULTI
	MULTI_RETURN = 1,        // BPF_F_UPROBE_MULTI_RETURN
};

struct link_create { // the start of bpf_attr.link_create, with the fields of uprobe_multi
	uint32_t program, target, attach_type, flags;
	uint64_t path, offsets, reference_counters, cookies;
	uint32_t count, multi_flags, pid;
};

static int call_bpf(enum bpf_cmd command, const void *attr, size_t size)
{
	int descriptor = (int)syscall(SYS_bpf, command, attr, size);

	if (descriptor >= 0)
		fcntl(descriptor, F_SETFD, FD_CLOEXEC);
	return descriptor;
}

static uint64_t address_of(const void *memory)
{
	return (uint64_t)(uintptr_t)memory;
}

// Says why the kernel refused a call, as far as its error number tells. Returns that number
// negated.
static int fail_call(struct ic_error *err, int number, const char *what)
{
	char text[IC_ERROR_TEXT_SIZE];
	const char *why = "";

	if (number == EPERM || number == EACCES)
		why = "; tracing requires root, or the capabilities CAP_BPF and CAP_PERFMON";
	else if (number == ENOSYS || number == EINVAL)
		why = "; the kernel may be too old, or built without support for it";
	ic_fail(err, IC_ERROR_SYSTEM, "%s: %s%s", what, ic_error_text(number, text), why);
	err->os_error = number;
	return -number;
}

static int new_map(enum bpf_map_type type, uint32_t key_size, uint32_t value_size, uint32_t count,
		   uint32_t flags, struct ic_error *err)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = type;
	attr.key_size = key_size;
	attr.value_size = value_size;
	attr.max_entries = count;
	attr.map_flags = flags;
	int map = call_bpf(BPF_MAP_CREATE, &attr, sizeof(attr));
	return map >= 0 ? map
			: fail_call(err, errno,
				    type == BPF_MAP_TYPE_RINGBUF ? "cannot create a BPF ring buffer"
				    : type == BPF_MAP_TYPE_HASH  ? "cannot create a BPF hash table"
								 : "cannot create a BPF array");
}

int ic_bpf_array_new(uint32_t value_size, uint32_t count, struct ic_error *err)
{
	return new_map(BPF_MAP_TYPE_ARRAY, sizeof(uint32_t), value_size, count, BPF_F_MMAPABLE,
		       err);
}

int ic_bpf_slots_new(uint32_t value_size, uint32_t count, struct ic_error *err)
{
	return new_map(BPF_MAP_TYPE_ARRAY, sizeof(uint32_t), value_size, count, 0, err);
}

int ic_bpf_ring_new(uint32_t size, struct ic_error *err)
{
	return new_map(BPF_MAP_TYPE_RINGBUF, 0, 0, size, 0, err);
}

int ic_bpf_table_new(uint32_t key_size, uint32_t value_size, uint32_t most, struct ic_error *err)
{
	return new_map(BPF_MAP_TYPE_HASH, key_size, value_size, most, 0, err);
}

static int call_table(enum bpf_cmd command, int table, const void *key, void *value)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)table;
	attr.key = address_of(key);
	attr.value = address_of(value); // or `next_key`
	return (int)syscall(SYS_bpf, command, &attr, sizeof(attr));
}

bool ic_bpf_table_next(int table, const void *key, void *next)
{
	return call_table(BPF_MAP_GET_NEXT_KEY, table, key, next) == 0;
}

bool ic_bpf_table_get(int table, const void *key, void *value)
{
	return call_table(BPF_MAP_LOOKUP_ELEM, table, key, value) == 0;
}

void ic_bpf_table_remove(int table, const void *key)
{
	call_table(BPF_MAP_DELETE_ELEM, table, key, NULL);
}

bool ic_bpf_table_put(int table, const void *key, const void *value, struct ic_error *err)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)table;
	attr.key = address_of(key);
	attr.value = address_of(value);
	return syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr)) == 0 ||
	       fail_call(err, errno, "cannot add to a BPF hash table") == 0;
}

static int load_program(const struct ic_bpf_program *program, char *log)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = program->is_of_tracepoint ? BPF_PROG_TYPE_RAW_TRACEPOINT
						   : BPF_PROG_TYPE_KPROBE;
	attr.insns = address_of(program->code);
	attr.insn_cnt = program->count;
	attr.prog_flags = program->can_sleep ? BPF_F_SLEEPABLE : 0;
	attr.license = address_of("GPL"); // the helpers that read memory are only for such programs
	attr.expected_attach_type = program->is_multi ? TRACE_UPROBE_MULTI : 0;
	if (log) {
		attr.log_buf = address_of(log);
		attr.log_size = LOG_SIZE;
		attr.log_level = 1;
	}
	return call_bpf(BPF_PROG_LOAD, &attr, sizeof(attr));
}

// The line before the verifier's last one has the reason; the last one has statistics.
static const char *last_words(char *log)
{
	char *line = log, *last = log;

	for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = '\0';
		if (*line && strncmp(line, "processed ", 10) != 0)
			last = line;
	}
	return last;
}

int ic_bpf_program_load(const struct ic_bpf_program *program, struct ic_error *err)
{
	int loaded = load_program(program, NULL), reason = errno;

	if (loaded >= 0)
		return loaded;
	// The log takes time, so it is only requested now. Not all rejections come from the
	// verifier.
	char *log = calloc(1, LOG_SIZE);
	if (log && reason != EPERM) {
		loaded = load_program(program, log);
		log[LOG_SIZE - 1] = '\0';
	}
	if (loaded < 0)
		fail_call(err, reason, "cannot load the BPF program");
	if (loaded < 0 && log && *log)
		snprintf(err->message, sizeof(err->message),
			 "the kernel rejected the BPF program: %s", last_words(log));
	free(log);
	return loaded;
}

bool ic_bpf_has_multi(void)
{
	static const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	struct link_create attr = { .attach_type = TRACE_UPROBE_MULTI };
	int program = load_program(
		&(struct ic_bpf_program){ .code = nothing, .count = 2, .is_multi = true }, NULL);

	if (program < 0)
		return false;
	// Attaching to a directory is rejected: with EBADF if such links are supported (as in
	// libbpf's test), otherwise with EINVAL.
	uint64_t offset = 0;
	attr.program = (uint32_t)program;
	attr.path = address_of("/");
	attr.offsets = address_of(&offset);
	attr.count = 1;
	int link = call_bpf(BPF_LINK_CREATE, &attr, sizeof(attr)), reason = errno;
	if (link >= 0)
		close(link);
	close(program);
	return link >= 0 || reason == EBADF; // the path is not a regular file
}

int ic_bpf_attach_multi(int program, const struct ic_bpf_places *places, struct ic_error *err)
{
	const struct link_create attr = {
		.program = (uint32_t)program,
		.attach_type = TRACE_UPROBE_MULTI,
		.path = address_of(places->path),
		.offsets = address_of(places->offsets),
		.cookies = address_of(places->cookies),
		.count = places->count,
		.multi_flags = places->is_returned ? MULTI_RETURN : 0,
		.pid = places->pid,
	};
	int link = call_bpf(BPF_LINK_CREATE, &attr, sizeof(attr));
	if (link >= 0)
		return link;
	int number = errno;
	char text[IC_ERROR_TEXT_SIZE];
	ic_fail(err, IC_ERROR_SYSTEM, "%s: cannot attach probes: %s", places->path,
		number == ESRCH ? "no such process" : ic_error_text(number, text));
	err->os_error = number;
	return -number;
}

int ic_bpf_attach_tracepoint(int program, const char *name, struct ic_error *err)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = address_of(name);
	attr.raw_tracepoint.prog_fd = (uint32_t)program;
	int link = call_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));
	return link >= 0 ? link : fail_call(err, errno, name);
}

// The number after a prefix in one of the kernel's files.
static bool read_number(const char *path, const char *prefix, unsigned *number)
{
	FILE *file = fopen(path, "re");
	size_t length = strlen(prefix);
	char line[64];
	bool ok = file && fgets(line, sizeof(line), file) && strncmp(line, prefix, length) == 0 &&
		  line[length] >= '0' && line[length] <= '9';

	if (ok)
		*number = (unsigned)strtoul(line + length, NULL, 10);
	if (file)
		fclose(file);
	return ok;
}

// Kinds of probe events (perf_event_open(2)).
struct source {
	const char *type, *retprobe, *what;
};

#define DEVICES "/sys/bus/event_source/devices/"

static const struct source user_code = { DEVICES "uprobe/type", DEVICES "uprobe/format/retprobe",
					 "user code (CONFIG_UPROBE_EVENTS)" };
static const struct source kernel_code = { DEVICES "kprobe/type", DEVICES "kprobe/format/retprobe",
					   "kernel code (CONFIG_KPROBE_EVENTS)" };

int ic_bpf_attach_one(int program, const struct ic_bpf_places *places, uint32_t number,
		      struct ic_error *err)
{
	const struct source *source = places->path ? &user_code : &kernel_code;
	unsigned type, return_bit = 0;

	if (!read_number(source->type, "", &type) ||
	    (places->is_returned && !read_number(source->retprobe, "config:", &return_bit))) {
		ic_fail(err, IC_ERROR_SYSTEM,
			"the kernel does not support probes in %s, or /sys is not mounted",
			source->what);
		err->os_error = ENODEV;
		return -ENODEV;
	}
	struct perf_event_attr event = {
		.type = type,
		.size = sizeof(event),
		.config = places->is_returned ? 1ull << (return_bit & 63) : 0,
		.config1 = address_of(places->path),
		.config2 = places->offsets[number],
	};
	// For one process it is on all processors, and for all processes too: the program runs
	// before the event is considered.
	int probe = (int)syscall(SYS_perf_event_open, &event, places->pid ? (pid_t)places->pid : -1,
				 places->pid ? -1 : 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (probe < 0)
		return fail_call(err, errno, places->path ? places->path : "the kernel");
	union bpf_attr attr;
	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = (uint32_t)program;
	attr.link_create.target_fd = (uint32_t)probe;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	attr.link_create.perf_event.bpf_cookie = places->cookies[number];
	int link = call_bpf(BPF_LINK_CREATE, &attr, sizeof(attr));
	if (link < 0)
		link = fail_call(err, errno, "cannot attach the BPF program to a probe");
	close(probe); // the link holds it
	return link;
}
