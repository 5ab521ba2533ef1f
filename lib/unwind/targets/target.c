#include "unwind/targets/target.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "base/search.h"
#include "elf/image/image.h"
#include "unwind/frames/machine.h"

#include <inlinecall/extra/target.h>

struct ic_target *ic_target_alloc(struct ic_modules *modules, unsigned machine, bool is_32_bit,
				  struct ic_error *err)
{
	const struct ic_thread_layout *layout = ic_thread_layout(machine, is_32_bit);

	if (!layout) {
		ic_fail(err, IC_ERROR_UNSUPPORTED,
			"processes of machine %u (%d-bit) are not supported", machine,
			is_32_bit ? 32 : 64);
		return NULL;
	}
	struct ic_target *target = calloc(1, sizeof(*target));
	struct ic_space *space = target ? ic_space_new(modules, err) : NULL;
	if (!space) {
		free(target);
		ic_fail_memory(err);
		return NULL;
	}
	target->modules = modules;
	target->space = space;
	target->layout = layout;
	target->problems.arena = &target->arena;
	return target;
}

struct ic_target *ic_target_new(struct ic_modules *modules, const struct ic_target_options *options,
				struct ic_error *err)
{
	struct ic_error unwanted;
	struct ic_target *target = ic_target_alloc(modules, options->machine, options->is_32_bit,
						   err ? err : &unwanted);

	if (target) {
		target->is_big_endian = options->is_big_endian;
		target->is_own = true;
		target->own = *options;
	}
	return target;
}

static void release_code(struct ic_target *target, struct ic_target_code *code)
{
	if (!code->shares_frames)
		ic_call_frames_free(code->frames);
	if (code->is_held)
		ic_module_let_go(target->modules, code->code.module);
	ic_module_release(target->modules, code->code.module);
}

static void free_stacks(struct ic_target *target)
{
	if (target->copies)
		munmap(target->copies, target->copies_size);
	target->copies = NULL;
	IC_ARRAY_FREE(&target->stacks);
}

void ic_target_free(struct ic_target *target)
{
	if (!target)
		return;
	for (uint32_t i = 0; i < target->codes.count; i++)
		release_code(target, &target->codes.items[i]);
	IC_ARRAY_FREE(&target->codes);
	free_stacks(target);
	IC_ARRAY_FREE(&target->files);
	IC_ARRAY_FREE(&target->threads);
	IC_ARRAY_FREE(&target->goroutines.list);
	IC_ARRAY_FREE(&target->goroutines.doubtful);
	IC_ARRAY_FREE(&target->problems.list);
	ic_arena_free(&target->arena);
	ic_space_free(target->space);
	ic_core_file_close(&target->core);
	free(target);
}

const char *ic_target_text(struct ic_target *target, const char *text)
{
	const char *copy = text ? ic_arena_copy(&target->arena, text, strlen(text) + 1, 1) : NULL;

	target->problems.out_of_memory |= text && !copy;
	return copy;
}

void ic_target_complain(struct ic_target *target, const struct ic_error *err)
{
	target->problems.file = err->section ? target->core.path : NULL;
	ic_problems_add(&target->problems, err, NULL, 0);
	target->problems.file = NULL;
}

bool ic_target_note_next(struct ic_target *target, struct ic_core_notes *walk,
			 struct ic_core_note *note)
{
	struct ic_error err;

	while (!ic_core_note_next(&target->core, walk, note, &err)) {
		if (err.code == IC_ERROR_NONE)
			return false;
		ic_target_complain(target, &err);
	}
	return true;
}

void ic_target_check_core(struct ic_target *target, const char *what)
{
	const struct ic_core_file *core = &target->core;
	struct ic_error err;

	if (core->missing > 0) {
		(void)ic_fail(&err, IC_ERROR_MALFORMED,
			      "%s: truncated: %" PRIu64 " bytes of memory are missing", core->path,
			      core->missing);
		ic_problems_add(&target->problems, &err, NULL, 0);
	}
	if (core->impossible > 0) {
		(void)ic_fail(&err, IC_ERROR_MALFORMED,
			      "%s: invalid program headers: %" PRIu32
			      " larger in the file than in memory, beyond the address space, or "
			      "overlapping others",
			      core->path, core->impossible);
		ic_problems_add(&target->problems, &err, NULL, 0);
	}
	if (target->threads.count == 0) {
		(void)ic_fail(&err, IC_ERROR_MALFORMED, "%s: no %s: it has no NT_PRSTATUS note",
			      core->path, what);
		ic_problems_add(&target->problems, &err, NULL, 0);
	}
}

static void fill_goroutine(const struct ic_target *target,
			   const struct ic_target_goroutine *goroutine,
			   struct ic_target_thread *thread)
{
	const struct ic_unwind_machine *machine =
		ic_unwind_machine(target->layout->machine, target->layout->is_32_bit);

	*thread = (struct ic_target_thread){ .goroutine = goroutine->id,
					     .state = goroutine->state,
					     .core = target->core.path };
	if (target->threads.count > 0)
		thread->pid = target->threads.items[0].pid;
	thread->registers.pc = goroutine->pc;
	ic_unwind_register_set(&thread->registers, machine->sp, goroutine->sp);
	if (goroutine->bp != 0)
		ic_unwind_register_set(&thread->registers, machine->fp, goroutine->bp);
	if (machine->pc != IC_UNWIND_NO_REG)
		ic_unwind_register_set(&thread->registers, machine->pc, goroutine->pc);
}

bool ic_target_thread_get(const struct ic_target *target, size_t number,
			  struct ic_target_thread *thread)
{
	size_t of_goroutine = number - target->threads.count;

	if (number < target->threads.count)
		*thread = target->threads.items[number];
	else if (of_goroutine < target->goroutines.list.count)
		fill_goroutine(target, &target->goroutines.list.items[of_goroutine], thread);
	else
		return false;
	return true;
}

bool ic_target_sp(const struct ic_target *target, const struct ic_unwind_registers *registers,
		  uint64_t *sp)
{
	const struct ic_unwind_machine *machine =
		ic_unwind_machine(target->layout->machine, target->layout->is_32_bit);

	return machine && ic_unwind_register_get(registers, machine->sp, sp);
}

struct ic_space *ic_target_space(const struct ic_target *target)
{
	return target->space;
}

bool ic_target_problem_get(struct ic_target *target, size_t number,
			   struct ic_index_problem *problem)
{
	return ic_problems_get(&target->problems, number, problem);
}

uint64_t ic_target_stop_time(const struct ic_target *target)
{
	return target->stop_time;
}

// ---- Code

// Opens the call frame information of a mapping, or shares that of another mapping of the file.
static void open_frames(struct ic_target *target, struct ic_target_code *code,
			struct ic_image *image)
{
	struct ic_error err;

	for (uint32_t i = 0; i < target->codes.count; i++) {
		const struct ic_target_code *other = &target->codes.items[i];
		if (other->code.module == code->code.module && other->is_placed) {
			code->frames = other->frames;
			code->shares_frames = true;
			return;
		}
	}
	code->frames = ic_call_frames_open(image, &err);
	if (!code->frames && err.code != IC_ERROR_NOT_FOUND)
		ic_problems_add(&target->problems, &err, NULL, 0);
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

// Adds a note if an opened file may be another build than the one in a core's process.
static void doubt_build(struct ic_target *target, const struct ic_module_key *key)
{
	struct stat core, file;
	struct ic_error err;

	if (!target->is_core || target->is_kernel || key->build_id.size > 0 ||
	    key->memory.size > 0 || stat(target->core.path, &core) != 0 ||
	    stat(key->path, &file) != 0 || !is_later(&file.st_mtim, &core.st_mtim))
		return;
	(void)ic_fail(&err, IC_ERROR_NO_DEBUG,
		      "%s: modified after the core was written, which has no build ID for it; it "
		      "may not be the build that ran",
		      key->path);
	ic_problems_note(&target->problems, err.message);
}

// Opens the file of a mapping. If that fails, it is a problem.
static void open_code(struct ic_target *target, struct ic_target_code *code)
{
	const struct ic_module_key *key = ic_module_key(code->code.module);
	struct ic_error err;

	if (!key->has_file)
		return;
	struct ic_module_open open =
		ic_module_hold(target->modules, code->code.module, &code->code.place);
	code->is_held = true;
	if (!open.symbolizer) {
		(void)ic_fail(&err, open.code, "%s", open.reason);
		ic_problems_add(&target->problems, &err, NULL, 0);
	} else {
		doubt_build(target, key);
	}
	code->image = open.image;
	code->symbolizer = open.symbolizer;
}

// Finds the bias of a mapping by an address in it, which must be in a segment of the file: the
// mapping's first and last pages may extend beyond the segment.
static void place_code(struct ic_target *target, struct ic_target_code *code, uint64_t addr)
{
	uint64_t in_file = code->code.offset + (addr - code->code.start);

	if (!code->image || code->is_placed ||
	    (!code->code.has_addr && !ic_image_addr_of_offset(code->image, in_file, &in_file)))
		return;
	code->bias = addr - in_file;
	code->is_go = ic_image_is_go(code->image);
	open_frames(target, code, code->image);
	code->is_placed = true;
}

static void collect_problem(struct ic_target *target, const struct ic_target_code *code,
			    const struct ic_index_problem *problem)
{
	const char *path = problem->file ? problem->file : ic_image_path(code->image);
	struct ic_error err;

	(void)ic_fail(&err, IC_ERROR_MALFORMED, "%s: %s", path, problem->message);
	if (!problem->is_note)
		ic_problems_add(&target->problems, &err, NULL, 0);
	else if (!target->has_note) // further notes would say the same
		ic_problems_note(&target->problems, err.message);
	target->has_note |= problem->is_note;
}

void ic_target_add_problem(struct ic_target *target, const struct ic_symbolizer *symbolizer,
			   const struct ic_index_problem *problem)
{
	uint32_t i = 0;

	while (i < target->codes.count && target->codes.items[i].symbolizer != symbolizer)
		i++;
	if (i < target->codes.count)
		collect_problem(target, &target->codes.items[i], problem);
}

void ic_target_collect(struct ic_target *target)
{
	struct ic_index_problem problem;

	for (uint32_t i = 0; i < target->codes.count; i++) {
		struct ic_target_code *code = &target->codes.items[i];

		// Otherwise another mapping of the file has them.
		if (!code->image || !code->is_placed || code->shares_frames)
			continue;
		while (code->frames &&
		       ic_call_frames_problem_get(code->frames, code->frame_problems, &problem)) {
			collect_problem(target, code, &problem);
			code->frame_problems++;
		}
		while (ic_symbolizer_problem_get(code->symbolizer, code->symbolizer_problems,
						 &problem)) {
			collect_problem(target, code, &problem);
			code->symbolizer_problems++;
		}
	}
}

const struct ic_target_code *ic_target_code_at(struct ic_target *target, uint64_t addr)
{
	uint32_t first = ic_search_up_to(target->codes.items, sizeof(struct ic_target_code),
					 target->codes.count, addr);
	struct ic_target_code *found = first > 0 ? &target->codes.items[first - 1] : NULL;
	struct ic_target_code code = { .bias = 0 };

	if (found && addr < found->code.end) {
		place_code(target, found, addr);
		return found;
	}
	if (!ic_space_code_at(target->space, addr, &code.code))
		return NULL;
	open_code(target, &code);
	place_code(target, &code, addr);
	struct ic_target_code *added = IC_ARRAY_PUSH(&target->codes);
	if (!added) {
		release_code(target, &code);
		target->problems.out_of_memory = true;
		return NULL;
	}
	found = &target->codes.items[first];
	memmove(found + 1, found, (target->codes.count - 1 - first) * sizeof(*found));
	*found = code;
	return found;
}

const struct ic_image *ic_target_image_at(struct ic_target *target, uint64_t addr, uint64_t *bias)
{
	const struct ic_target_code *code = ic_target_code_at(target, addr);

	if (!code || !code->is_placed)
		return NULL;
	*bias = code->bias;
	return code->image;
}

// ---- Memory

static bool read_process(const struct ic_target *target, uint64_t addr, void *bytes, size_t size)
{
	struct iovec local = { bytes, size }, remote = { (void *)(uintptr_t)addr, size };

	return process_vm_readv(target->pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static const struct ic_target_stack *stack_at(const struct ic_target *target, uint64_t addr)
{
	uint32_t first = ic_search_up_to(target->stacks.items, sizeof(struct ic_target_stack),
					 target->stacks.count, addr);
	const struct ic_target_stack *found = first > 0 ? &target->stacks.items[first - 1] : NULL;

	return found && addr - found->start < found->size ? found : NULL;
}

// Reads from a segment that cannot be written: only that is certain to be the same in memory and in
// the file. `at` is an offset in the file, or an address if `by_addr`.
static bool read_constants(const struct ic_elf_file *file, bool by_addr, uint64_t at, void *bytes,
			   size_t size)
{
	for (uint32_t i = 0; i < file->layout.loaded_count; i++) {
		const struct ic_loaded *loaded = &file->layout.loaded[i];
		uint64_t room = loaded->bytes.size;

		if (room == 0 || !loaded->is_constant)
			continue;
		uint64_t start = by_addr ? loaded->addr
					 : (uint64_t)(loaded->bytes.data - file->data);
		if (at < start || at - start >= room || size > room - (at - start))
			continue;
		memcpy(bytes, loaded->bytes.data + (at - start), size);
		return true;
	}
	return false;
}

// Reads memory that cores leave out because files contain it.
static bool read_file(struct ic_target *target, uint64_t addr, void *bytes, size_t size)
{
	uint32_t first = ic_search_up_to(target->files.items, sizeof(struct ic_target_file),
					 target->files.count, addr);
	const struct ic_target_file *mapped = first > 0 ? &target->files.items[first - 1] : NULL;
	bool is_listed = mapped && addr < mapped->end;
	const struct ic_target_code *code =
		ic_target_code_at(target, is_listed ? mapped->code : addr);

	if (!code || !code->image || (!is_listed && !code->is_placed))
		return false;
	return read_constants(&code->image->file, !is_listed,
			      is_listed ? mapped->offset + (addr - mapped->start)
					: addr - code->bias,
			      bytes, size);
}

bool ic_target_read_memory(struct ic_target *target, uint64_t addr, void *bytes, size_t size)
{
	if (target->has_no_memory)
		return false;
	if (target->is_own)
		return (target->own.read_memory &&
			target->own.read_memory(target->own.context, addr, bytes, size)) ||
		       read_file(target, addr, bytes, size);
	if (target->is_kernel)
		return ic_kernel_memory_read(&target->core, &target->memory, addr, bytes, size);
	if (target->is_core)
		return ic_core_read(&target->core, addr, bytes, size) ||
		       read_file(target, addr, bytes, size);
	const struct ic_target_stack *stack = stack_at(target, addr);
	if (!stack || size > stack->size - (addr - stack->start))
		return read_process(target, addr, bytes, size);
	memcpy(bytes, stack->bytes + (addr - stack->start), size);
	return true;
}

void ic_target_close_memory(struct ic_target *target)
{
	target->has_no_memory = true;
	ic_core_file_close_memory(&target->core);
	free_stacks(target);
}

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size)
{
	return ic_target_read_memory(context, addr, bytes, size);
}

static bool find_module(void *context, uint64_t addr, struct ic_unwind_module *module)
{
	const struct ic_target_code *code = ic_target_code_at(context, addr);

	if (code)
		*module = (struct ic_unwind_module){ code->bias, code->frames, code->is_go,
						     code->is_placed ? code->image : NULL };
	return code;
}

void ic_target_unwind_options(struct ic_target *target, struct ic_unwind_options *options)
{
	*options = (struct ic_unwind_options){ .machine = target->layout->machine,
					       .is_32_bit = target->layout->is_32_bit,
					       .is_big_endian = target->is_big_endian,
					       .read_memory = read_memory,
					       .find_module = find_module,
					       .context = target,
					       .signature_mask = target->signature_mask };
}
