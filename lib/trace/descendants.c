#include "trace/descendants.h"

#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "btf/types.h"
#include "trace/bpf/code.h"
#include "trace/bpf/kernel.h"

// The inode of the first namespace of process IDs (PROC_PID_INIT_INO of the kernel).
#define FIRST_SPACE 0xEFFFFFFCu

enum {
	MOST_PROCESSES = 1 << 16,
	LEFT_OUT = 0 // the key of their number: not a process
};

static const char types_path[] = "/sys/kernel/btf/vmlinux";

struct fields {           // offsets in the kernel's structures
	uint32_t process; // task_struct.tgid
	uint32_t signal;  // task_struct.signal
	uint32_t live;    // signal_struct.live: the number of threads that have not ended
};

// ---- The kernel's structures

static void *read_types(size_t *size, struct ic_error *err)
{
	int file = open(types_path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	uint8_t *bytes = NULL;
	ssize_t got = 0;

	*size = 0;
	if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0)
		bytes = malloc((size_t)status.st_size);
	while (bytes && *size < (size_t)status.st_size &&
	       (got = read(file, bytes + *size, (size_t)status.st_size - *size)) > 0)
		*size += (size_t)got;
	if (file >= 0)
		close(file);
	if (bytes && *size == (size_t)status.st_size)
		return bytes;
	free(bytes);
	ic_fail(err, IC_ERROR_UNSUPPORTED,
		"%s, which is needed to know the processes that are started, cannot be read",
		types_path);
	return NULL;
}

// Finds the offset of a member in bytes. False if the type is not this structure.
static bool find_member(const struct ic_btf_type *type, const char *structure, const char *name,
			uint32_t *offset)
{
	enum { WORDS = 3 }; // of a member: its name, type and offset in bits
	const char *text;

	if (type->kind != IC_BTF_STRUCT || !(text = ic_btf_string(type->btf, type->name_off)) ||
	    strcmp(text, structure) != 0)
		return false;
	for (uint32_t i = 0; i < type->item_count; i++) {
		text = ic_btf_string(type->btf, ic_btf_type_word(type, i * WORDS));
		if (text && strcmp(text, name) == 0) {
			*offset = (ic_btf_type_word(type, i * WORDS + 2) & 0xffffff) / 8;
			return true;
		}
	}
	return false;
}

static bool find_fields(struct fields *fields, struct ic_error *err)
{
	unsigned found = 0;
	size_t size;
	void *bytes = read_types(&size, err);
	struct ic_btf *btf = bytes ? ic_btf_parse(bytes, size, NULL, err) : NULL;
	struct ic_btf_type type;

	for (uint32_t id = 1; btf && found != 7 && id < btf->first_id + btf->type_count; id++) {
		if (!ic_btf_type_find(btf, id, &type))
			continue;
		found |= find_member(&type, "task_struct", "tgid", &fields->process) << 0;
		found |= find_member(&type, "task_struct", "signal", &fields->signal) << 1;
		found |= find_member(&type, "signal_struct", "live", &fields->live) << 2;
	}
	bool has_types = btf != NULL;
	ic_btf_free(btf);
	free(bytes);
	return found == 7 ||
	       (has_types && ic_fail(err, IC_ERROR_UNSUPPORTED,
				     "%s does not have the kernel's processes", types_path));
}

// ---- The programs

// Places on the stack.
enum { SELF_AT = -8, CHILD_AT = -16, VALUE_AT = -24, POINTER_AT = -32 };

// Reads memory of the kernel at `from` + offset to the stack. Returns the jump if that fails.
static uint32_t write_read(struct ic_bpf_code *code, unsigned from, uint32_t offset, int32_t size,
			   int16_t to)
{
	ic_bpf_copy(code, BPF_REG_1, BPF_REG_10);
	ic_bpf_do(code, BPF_ADD, BPF_REG_1, to);
	ic_bpf_set(code, BPF_REG_2, size);
	ic_bpf_copy(code, BPF_REG_3, from);
	ic_bpf_do(code, BPF_ADD, BPF_REG_3, (int32_t)offset);
	ic_bpf_call(code, BPF_FUNC_probe_read_kernel);
	return ic_bpf_jump(code, BPF_JNE, BPF_REG_0, 0);
}

static void write_self(struct ic_bpf_code *code)
{
	ic_bpf_call(code, BPF_FUNC_get_current_pid_tgid);
	ic_bpf_do(code, BPF_RSH, BPF_REG_0, 32);
	ic_bpf_store(code, IC_BPF_4, BPF_REG_10, SELF_AT, BPF_REG_0);
}

static void write_end(struct ic_bpf_code *code)
{
	ic_bpf_set(code, BPF_REG_0, 0);
	ic_bpf_exit(code);
}

// At the tracepoint sched_process_fork, whose arguments are the process that makes another, and
// that other one, or a new thread.
static void write_fork(int table, const struct fields *fields, struct ic_bpf_code *code)
{
	uint32_t ends[5];

	ic_bpf_load(code, IC_BPF_8, BPF_REG_6, BPF_REG_1, sizeof(uint64_t));
	write_self(code);
	ends[0] = write_read(code, BPF_REG_6, fields->process, sizeof(uint32_t), CHILD_AT);
	ic_bpf_load(code, IC_BPF_4, BPF_REG_1, BPF_REG_10, CHILD_AT);
	ic_bpf_load(code, IC_BPF_4, BPF_REG_2, BPF_REG_10, SELF_AT);
	ends[1] = ic_bpf_jump_register(code, BPF_JEQ, BPF_REG_1, BPF_REG_2);
	ic_bpf_key(code, table, BPF_REG_10, SELF_AT);
	ic_bpf_call(code, BPF_FUNC_map_lookup_elem);
	ends[2] = ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, 0);
	ic_bpf_set(code, BPF_REG_1, 0);
	ic_bpf_store(code, IC_BPF_8, BPF_REG_10, VALUE_AT, BPF_REG_1);
	ic_bpf_key(code, table, BPF_REG_10, CHILD_AT);
	ic_bpf_copy(code, BPF_REG_3, BPF_REG_10);
	ic_bpf_do(code, BPF_ADD, BPF_REG_3, VALUE_AT);
	ic_bpf_set(code, BPF_REG_4, BPF_ANY);
	ic_bpf_call(code, BPF_FUNC_map_update_elem);
	ends[3] = ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, 0);
	ic_bpf_set(code, BPF_REG_1, LEFT_OUT);
	ic_bpf_store(code, IC_BPF_4, BPF_REG_10, SELF_AT, BPF_REG_1);
	ic_bpf_key(code, table, BPF_REG_10, SELF_AT);
	ic_bpf_call(code, BPF_FUNC_map_lookup_elem);
	ends[4] = ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, 0);
	ic_bpf_set(code, BPF_REG_1, 1);
	ic_bpf_add(code, BPF_REG_0, 0, BPF_REG_1);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		ic_bpf_land(code, ends[i]);
	write_end(code);
}

// At the tracepoint sched_process_exit, when the last thread of a process ends: its ID may then be
// that of another one.
static void write_exit(int table, const struct fields *fields, struct ic_bpf_code *code)
{
	uint32_t ends[3];

	ic_bpf_load(code, IC_BPF_8, BPF_REG_6, BPF_REG_1, 0);
	write_self(code);
	ends[0] = write_read(code, BPF_REG_6, fields->signal, sizeof(uint64_t), POINTER_AT);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_6, BPF_REG_10, POINTER_AT);
	ends[1] = write_read(code, BPF_REG_6, fields->live, sizeof(uint32_t), VALUE_AT);
	ic_bpf_load(code, IC_BPF_4, BPF_REG_1, BPF_REG_10, VALUE_AT);
	ends[2] = ic_bpf_jump(code, BPF_JNE, BPF_REG_1, 0);
	ic_bpf_key(code, table, BPF_REG_10, SELF_AT);
	ic_bpf_call(code, BPF_FUNC_map_delete_elem);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		ic_bpf_land(code, ends[i]);
	write_end(code);
}

// Runs what has been written at a tracepoint.
static bool attach_code(struct ic_trace *trace, const char *tracepoint, struct ic_error *err)
{
	struct ic_bpf_code *code = &trace->code;

	if (code->out_of_memory)
		return ic_fail_memory(err);
	const struct ic_bpf_program program = { .code = code->items.items,
						.count = code->items.count,
						.is_of_tracepoint = true };
	int loaded = ic_bpf_program_load(&program, err);
	if (loaded < 0)
		return false;
	int link = ic_bpf_attach_tracepoint(loaded, tracepoint, err);
	close(loaded);
	if (link < 0)
		return false;
	if (IC_ARRAY_ADD(&trace->links, link))
		return true;
	close(link);
	return ic_fail_memory(err);
}

// ---- Processes

typedef IC_ARRAY(uint32_t) process_list;

static bool add_process(struct ic_trace *trace, process_list *list, uint32_t pid,
			struct ic_error *err)
{
	static const uint64_t value = 0;

	return ic_bpf_table_put(trace->shape.maps.processes, &pid, &value, err) &&
	       (IC_ARRAY_ADD(list, pid) || ic_fail_memory(err));
}

// Adds the children of one of its threads, "12 34 ".
static bool add_children(struct ic_trace *trace, process_list *list, const char *path,
			 struct ic_error *err)
{
	FILE *file = fopen(path, "re");
	bool ok = true;
	uint32_t pid;

	while (ok && file && fscanf(file, "%" SCNu32, &pid) == 1)
		ok = add_process(trace, list, pid, err);
	if (file)
		fclose(file);
	return ok;
}

// Adds the process, and those that it and they have started so far.
static bool add_processes(struct ic_trace *trace, uint32_t pid, struct ic_error *err)
{
	process_list list = { .items = NULL };
	bool ok = add_process(trace, &list, LEFT_OUT, err) && add_process(trace, &list, pid, err);
	char pattern[64];
	glob_t found;

	for (uint32_t i = 1; ok && i < list.count; i++) {
		snprintf(pattern, sizeof(pattern), "/proc/%" PRIu32 "/task/*/children",
			 list.items[i]);
		if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
			continue;
		for (size_t thread = 0; ok && thread < found.gl_pathc; thread++)
			ok = add_children(trace, &list, found.gl_pathv[thread], err);
		globfree(&found);
	}
	IC_ARRAY_FREE(&list);
	return ok;
}

// Whether process IDs are those of the kernel, and not of a container.
static bool is_first_space(void)
{
	struct stat status;

	return stat("/proc/self/ns/pid", &status) != 0 || status.st_ino == FIRST_SPACE;
}

bool ic_trace_follow(struct ic_trace *trace, uint32_t pid, struct ic_error *err)
{
	struct fields fields = { .process = 0 };

	if (!is_first_space())
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "the processes that are started cannot be followed in a container: "
			       "process IDs are others there");
	if (!find_fields(&fields, err))
		return false;
	trace->shape.maps.processes =
		ic_bpf_table_new(sizeof(uint32_t), sizeof(uint64_t), MOST_PROCESSES, err);
	if (trace->shape.maps.processes < 0)
		return false;
	trace->code.items.count = 0;
	write_fork(trace->shape.maps.processes, &fields, &trace->code);
	if (!attach_code(trace, "sched_process_fork", err))
		return false;
	trace->code.items.count = 0;
	write_exit(trace->shape.maps.processes, &fields, &trace->code);
	return attach_code(trace, "sched_process_exit", err) && add_processes(trace, pid, err);
}

uint64_t ic_trace_unfollowed(const struct ic_trace *trace)
{
	const uint32_t key = LEFT_OUT;
	uint64_t count = 0;

	if (trace->shape.has_processes)
		ic_bpf_table_get(trace->shape.maps.processes, &key, &count);
	return count;
}
