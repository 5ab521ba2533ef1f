#include "recording/processes/processes.h"

#define ENDED (IC_NONE - 1) // in place of the index of a thread

static struct ic_process *process_of(struct ic_processes *processes, uint32_t pid)
{
	uint32_t *number = ic_map_at(&processes->by_pid, pid);

	if (!number)
		return NULL;
	if (*number == IC_NONE) {
		struct ic_process *place = IC_ARRAY_PUSH(&processes->list);
		if (!place)
			return NULL;
		place->space = IC_MAPPING_SPACE_EMPTY;
		*number = processes->list.count - 1;
	}
	return &processes->list.items[*number];
}

bool ic_processes_thread(struct ic_processes *processes, uint32_t pid, uint32_t tid,
			 uint32_t *thread)
{
	uint32_t *number = ic_map_at(&processes->thread_of, tid);

	if (!number)
		return false;
	if (*number >= ENDED) {
		struct ic_profile_thread *place = IC_ARRAY_PUSH(&processes->profile->threads);
		*number = ENDED;
		if (!place)
			return false;
		*place = (struct ic_profile_thread){ .pid = pid, .tid = tid };
		*number = processes->profile->threads.count - 1;
	}
	*thread = *number;
	return true;
}

// Under a new name it becomes another thread in the profile: it executes another program, or does
// something else.
bool ic_processes_name(struct ic_processes *processes, const struct ic_task *task, bool is_exec)
{
	struct ic_profile *profile = processes->profile;
	uint32_t thread;

	ic_processes_end(processes, task);
	if (!ic_processes_thread(processes, task->pid, task->tid, &thread))
		return false;
	profile->threads.items[thread].name = ic_profile_text(profile, task->name);
	struct ic_process *process = is_exec ? process_of(processes, task->pid) : NULL;
	if (process)
		process->space = IC_MAPPING_SPACE_EMPTY;
	return (process || !is_exec) && profile->threads.items[thread].name;
}

bool ic_processes_fork(struct ic_processes *processes, const struct ic_task *task)
{
	struct ic_profile *profile = processes->profile;
	uint32_t parent, thread;

	ic_processes_end(processes, task);
	if (!ic_processes_thread(processes, task->parent_pid, task->parent_tid, &parent) ||
	    !ic_processes_thread(processes, task->pid, task->tid, &thread))
		return false;
	profile->threads.items[thread].name = profile->threads.items[parent].name;
	if (task->pid == task->parent_pid)
		return true;
	if (!process_of(processes, task->pid) || !process_of(processes, task->parent_pid))
		return false;
	struct ic_process *child = process_of(processes, task->pid);
	child->space = ic_mappings_copy(&processes->mappings,
					&process_of(processes, task->parent_pid)->space);
	return true;
}

void ic_processes_end(struct ic_processes *processes, const struct ic_task *task)
{
	if (ic_map_find(&processes->thread_of, task->tid))
		*ic_map_at(&processes->thread_of, task->tid) = ENDED;
}

bool ic_processes_map(struct ic_processes *processes, uint32_t pid, const struct ic_mapped *mapped)
{
	struct ic_process *process = process_of(processes, pid);

	if (process)
		ic_mappings_put(&processes->mappings, &process->space, mapped);
	return process && !processes->mappings.out_of_memory;
}

struct ic_mapping_space ic_processes_space(const struct ic_processes *processes, uint32_t pid)
{
	const uint32_t *number = ic_map_find(&processes->by_pid, pid);

	return number ? processes->list.items[*number].space : IC_MAPPING_SPACE_EMPTY;
}

bool ic_processes_location(struct ic_processes *processes, uint32_t pid, uint64_t addr,
			   uint32_t *location)
{
	static const struct ic_profile_file nowhere = { .path = "[unknown]",
							.kind = IC_PROFILE_NOWHERE };
	const struct ic_process *process = process_of(processes, pid);
	uint32_t file;

	if (!process)
		return false;
	const struct ic_mapped *mapped =
		ic_mappings_find(&processes->mappings, process->space, addr);
	if (mapped) {
		bool has_offsets =
			ic_profile_has_offsets(&processes->profile->files.items[mapped->file]);
		file = mapped->file;
		addr = has_offsets ? addr - mapped->start + mapped->offset : addr;
	} else {
		file = ic_profile_file_add(processes->profile, &nowhere);
	}
	*location = file == IC_NONE ? IC_NONE
				    : ic_profile_location_add(processes->profile, file, addr);
	return *location != IC_NONE;
}

void ic_processes_free(struct ic_processes *processes)
{
	ic_mappings_free(&processes->mappings);
	IC_ARRAY_FREE(&processes->list);
	ic_map_free(&processes->by_pid);
	ic_map_free(&processes->thread_of);
}
