#include "unwind/targets/goroutine_threads.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"

enum { AUX_ENTRY = 9 }; // of the auxiliary vector (getauxval(3))

void ic_goroutine_source_find(struct ic_target *target, uint64_t addr,
			      struct ic_goroutine_source *source)
{
	const struct ic_target_code *code = ic_target_code_at(target, addr);
	struct ic_error err;

	*source = (struct ic_goroutine_source){ .is_known = false };
	if (!code || !code->is_placed || !code->is_go || target->layout->is_32_bit)
		return;
	target->goroutines.are_missed = false;
	source->bias = code->bias;
	source->is_known = ic_goroutine_layout_find(code->symbolizer, &source->layout, &err);
	if (!source->is_known)
		ic_problems_note(&target->problems, err.message);
}

// The entry address of a process's program; 0 if unknown.
static uint64_t entry_of(int pid)
{
	uint64_t vector[128] = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	IC_AUTO(ic_close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd >= 0 ? read(fd, vector, sizeof(vector)) : -1;
	for (ssize_t i = 0; i + 1 < size / (ssize_t)sizeof(*vector); i += 2)
		if (vector[i] == AUX_ENTRY)
			return vector[i + 1];
	return 0;
}

void ic_goroutine_source_of_process(struct ic_target *target, int pid,
				    struct ic_goroutine_source *source)
{
	uint64_t entry = target->layout->is_32_bit ? 0 : entry_of(pid);
	struct ic_error unwanted;

	*source = (struct ic_goroutine_source){ .is_known = false };
	if (entry != 0 && ic_space_read_process(target->space, pid, &unwanted))
		ic_goroutine_source_find(target, entry, source);
}

struct adding {
	struct ic_target *target;
	const struct ic_goroutine_reader *reader;
	bool ok;
};

// The state of a goroutine, which most of them share with the one before.
static const char *keep_state(struct adding *adding, const struct ic_goroutine *goroutine)
{
	struct ic_target *target = adding->target;
	uint32_t count = target->goroutines.list.count;
	const char *last = count > 0 ? target->goroutines.list.items[count - 1].state : NULL;

	return last && strcmp(last, goroutine->state) == 0
		       ? last
		       : ic_target_text(target, goroutine->state);
}

static bool is_in(uint64_t addr, uint64_t start, uint64_t end)
{
	return addr >= start && addr <= end;
}

// Where a goroutine belongs, by the stack pointer of the thread that runs it; NULL for nowhere: the
// thread is on the goroutine's stack.
static struct ic_target_goroutine *add_place(const struct adding *adding,
					     const struct ic_goroutine *goroutine, bool *is_needed)
{
	struct ic_target *target = adding->target;
	uint64_t sp = 0;

	*is_needed = goroutine->tid == 0 ||
		     (adding->reader->find_sp(adding->reader->context, goroutine->tid, &sp) &&
		      !is_in(sp, goroutine->stack_start, goroutine->stack_end));
	if (!*is_needed)
		return NULL;
	return goroutine->tid != 0 && is_in(sp, goroutine->signal_start, goroutine->signal_end)
		       ? IC_ARRAY_PUSH(&target->goroutines.doubtful)
		       : IC_ARRAY_PUSH(&target->goroutines.list);
}

static bool add_goroutine(void *context, const struct ic_goroutine *goroutine)
{
	struct adding *adding = context;
	const struct ic_goroutine_reader *reader = adding->reader;
	const char *state = keep_state(adding, goroutine);
	bool is_needed;

	struct ic_target_goroutine *added = add_place(adding, goroutine, &is_needed);
	if (!is_needed)
		return true;
	if (added)
		*added = (struct ic_target_goroutine){ .id = goroutine->id,
						       .pc = goroutine->pc,
						       .sp = goroutine->sp,
						       .bp = goroutine->bp,
						       .state = state,
						       .stack_start = goroutine->stack_start,
						       .stack_end = goroutine->stack_end,
						       .tid = (uint32_t)goroutine->tid };
	adding->ok = added && (!reader->copy ||
			       reader->copy(reader->context, goroutine->sp, goroutine->stack_end));
	return adding->ok;
}

bool ic_goroutine_threads_add(struct ic_target *target, const struct ic_goroutine_source *source,
			      const struct ic_goroutine_reader *reader)
{
	const struct ic_goroutine_memory memory = { .bias = source->bias,
						    .is_big_endian = target->is_big_endian,
						    .read = reader->read,
						    .context = reader->context };
	struct adding adding = { .target = target, .reader = reader, .ok = true };
	struct ic_error err;

	if (source->is_known &&
	    !ic_goroutines_visit(&source->layout, &memory, add_goroutine, &adding, &err))
		ic_problems_add(&target->problems, &err, NULL, 0);
	return adding.ok;
}
