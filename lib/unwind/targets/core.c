// Cores as targets: reads their notes on threads and files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "unwind/targets/core_link_map.h"
#include "unwind/targets/core_mapping.h"
#include "unwind/targets/goroutine_threads.h"
#include "unwind/targets/kernel.h"

enum { // entries of the auxiliary vector (getauxval(3))
	AUX_ENTRY = 9,
	AUX_SYSINFO_EHDR = 33,
};

enum {
	MOST_VDSO = 1 << 20,   // bytes: it takes a few pages
	NAME_SIZE = 16,        // of pr_fname in struct elf_prpsinfo
	MOST_MAPPINGS = 10000, // each is inserted among the others
};

struct reader {
	struct ic_target *target;
	const struct ic_target_core_options *options;
	uint64_t entry, vdso; // addresses from the auxiliary vector; 0 if unknown
	const char *name;     // of the process
	uint32_t pid;
	struct ic_cursor files; // contents of the note about files
	bool has_files, has_program;
};

static void report_problem(struct reader *reader, const struct ic_error *err)
{
	ic_target_complain(reader->target, err);
}

// ---- Notes

static void read_thread(struct reader *reader, struct ic_cursor bytes)
{
	struct ic_thread_status status;
	struct ic_error err;

	if (!ic_thread_status_read(reader->target->layout, bytes, &status, &err)) {
		report_problem(reader, &err);
		return;
	}
	// Linux writes the signal that ended the process into the status of every thread.
	bool is_first = reader->target->threads.count == 0;
	struct ic_target_thread *thread = IC_ARRAY_PUSH(&reader->target->threads);
	if (thread)
		*thread = (struct ic_target_thread){ .tid = status.tid,
						     .signal = is_first ? status.signal : 0,
						     .registers = status.registers };
	else
		reader->target->problems.out_of_memory = true;
}

// Belongs to the thread whose status came last.
static void read_floats(struct reader *reader, struct ic_cursor bytes)
{
	struct ic_target *target = reader->target;
	uint32_t count = target->threads.count;

	if (count > 0)
		ic_thread_floats_read(target->layout, bytes,
				      &target->threads.items[count - 1].registers);
}

// struct elf_prpsinfo: four bytes, the flags, the IDs and then the name. Of 32-bit machines only
// PowerPC has user IDs of 32 bits.
static void read_process(struct reader *reader, struct ic_cursor bytes)
{
	const struct ic_thread_layout *layout = reader->target->layout;
	char name[NAME_SIZE + 1] = "";
	struct ic_error err;

	ic_cursor_take(&bytes, !layout->is_32_bit                  ? 24
			       : layout->machine == IC_MACHINE_PPC ? 16
								   : 12);
	reader->pid = ic_cursor_u32(&bytes);
	ic_cursor_take(&bytes, 12);
	const uint8_t *text = ic_cursor_take(&bytes, NAME_SIZE);
	if (text)
		memcpy(name, text, NAME_SIZE);
	reader->name = text ? ic_target_text(reader->target, name) : NULL;
	if (reader->pid == 0 && !name[0])
		ic_cursor_fault(&bytes,
				"process information (NT_PRPSINFO) has neither a PID nor a name");
	if (!ic_cursor_ok(&bytes, &err))
		report_problem(reader, &err);
}

static void read_auxiliary(struct reader *reader, struct ic_cursor bytes)
{
	unsigned word = reader->target->layout->is_32_bit ? 4 : 8;
	struct ic_cursor cur = bytes;
	struct ic_error err;

	while (ic_cursor_more(&cur)) {
		uint64_t type = ic_cursor_uint(&cur, word), value = ic_cursor_uint(&cur, word);

		if (type == AUX_ENTRY)
			reader->entry = value;
		else if (type == AUX_SYSINFO_EHDR)
			reader->vdso = value;
	}
	if (reader->entry != 0)
		return;
	ic_cursor_fault(&bytes, "auxiliary vector (NT_AUXV) has no entry address of the program");
	if (!ic_cursor_ok(&bytes, &err))
		report_problem(reader, &err);
}

static void read_notes(struct reader *reader)
{
	struct ic_core_notes walk = { 0 };
	struct ic_core_note note;

	while (ic_target_note_next(reader->target, &walk, &note)) {
		// Mask for data, then for code.
		if (note.is_linux && note.type == IC_CORE_PAC_MASK) {
			ic_cursor_take(&note.bytes, 8);
			reader->target->signature_mask = ic_cursor_u64(&note.bytes);
		}
		if (!note.is_core)
			continue;
		switch (note.type) {
		case IC_CORE_PRSTATUS: read_thread(reader, note.bytes); break;
		case IC_CORE_FPREGSET: read_floats(reader, note.bytes); break;
		case IC_CORE_PRPSINFO: read_process(reader, note.bytes); break;
		case IC_CORE_AUXV: read_auxiliary(reader, note.bytes); break;
		case IC_CORE_FILES:
			reader->files = note.bytes;
			reader->has_files = true;
			break;
		}
	}
}

// ---- Files

struct file_mapping { // from the note NT_FILE
	uint64_t start, end, offset;
	const char *path;
};

// The path of a file on this machine; NULL if memory runs out.
static char *path_of(const struct reader *reader, const struct file_mapping *mapping,
		     bool is_program)
{
	const struct ic_target_core_options *options = reader->options;
	char *path = NULL;

	if (is_program && options->program)
		return strdup(options->program);
	if (asprintf(&path, "%s%s", options->sysroot ? options->sysroot : "", mapping->path) < 0)
		return NULL;
	return path;
}

static bool add_mapping(struct reader *reader, const struct file_mapping *mapping, uint64_t first,
			bool is_program, struct ic_error *err)
{
	char *path = path_of(reader, mapping, is_program);
	const struct ic_space_mapping new = { .start = mapping->start,
					      .end = mapping->end,
					      .offset = mapping->offset,
					      .path = path };
	bool ok = (path || ic_fail_memory(err)) &&
		  ic_core_mapping_add(reader->target, &new, first, err);

	reader->has_program |= is_program;
	free(path);
	return ok;
}

// Reads the list of file mappings: their number and the page size, three words for each, and then
// their paths (fs/binfmt_elf.c in Linux). NULL if it cannot be read.
static struct file_mapping *read_list(struct reader *reader, uint64_t *count, struct ic_error *err)
{
	struct ic_cursor cur = reader->files;
	unsigned word = reader->target->layout->is_32_bit ? 4 : 8;
	uint64_t page_size;

	*count = ic_cursor_uint(&cur, word);
	page_size = ic_cursor_uint(&cur, word);
	if (*count > MOST_MAPPINGS || *count > (uint64_t)(cur.end - cur.pos) / (3 * word))
		ic_cursor_fault(&cur, "too many mapped files (NT_FILE)");
	if (!ic_cursor_ok(&cur, err))
		return NULL;
	struct file_mapping *list = ic_items_alloc(*count + 1, sizeof(*list));
	if (!list) {
		ic_fail_memory(err);
		return NULL;
	}
	for (uint64_t i = 0; i < *count; i++) {
		list[i].start = ic_cursor_uint(&cur, word);
		list[i].end = ic_cursor_uint(&cur, word);
		list[i].offset = ic_cursor_uint(&cur, word) * page_size;
	}
	for (uint64_t i = 0; i < *count; i++)
		list[i].path = ic_cursor_string(&cur);
	// The program itself is always mapped, and the paths are followed only by padding.
	if (*count == 0 || (uint64_t)(cur.end - cur.pos) >= word)
		ic_cursor_fault(&cur, "wrong number of mapped files (NT_FILE)");
	if (ic_cursor_ok(&cur, err))
		return list;
	free(list);
	return NULL;
}

// Whether a mapping may be code. Mappings that the core leaves out may be: GDB writes no segments
// for what is in files.
static bool may_be_code(const struct ic_core_file *core, uint64_t addr)
{
	const struct ic_core_segment *segment = ic_core_segment_at(core, addr);

	return !segment || segment->is_code;
}

// Keeps the mappings of a file, to read from it what the core leaves out. Kernels list them in
// order of address: others are left out.
static bool keep_file(struct ic_target *target, const struct file_mapping *list, uint64_t count)
{
	uint64_t code = 0, end = 0;

	while (code < count && !may_be_code(&target->core, list[code].start))
		code++;
	if (target->files.count > 0)
		end = target->files.items[target->files.count - 1].end;
	for (uint64_t i = 0; code < count && i < count; i++) {
		if (list[i].start < end || list[i].end <= list[i].start)
			continue;
		struct ic_target_file *file = IC_ARRAY_PUSH(&target->files);
		if (!file)
			return false;
		*file = (struct ic_target_file){ list[i].start, list[i].end, list[i].offset,
						 list[code].start };
		end = file->end;
	}
	return true;
}

static bool keep_files(struct ic_target *target, const struct file_mapping *list, uint64_t count)
{
	bool ok = true;

	for (uint64_t first = 0, next; ok && first < count; first = next) {
		for (next = first + 1;
		     next < count && strcmp(list[next].path, list[first].path) == 0;)
			next++;
		ok = keep_file(target, list + first, next - first);
	}
	return ok;
}

static bool add_files(struct reader *reader, struct ic_error *err)
{
	uint64_t count, first = 0;
	struct file_mapping *list = read_list(reader, &count, err);
	const char *program = NULL, *first_path = NULL;
	bool ok = true;

	if (!list)
		return false;
	for (uint64_t i = 0; i < count; i++)
		if (reader->entry >= list[i].start && reader->entry < list[i].end)
			program = list[i].path;
	for (uint64_t i = 0; ok && i < count; i++) {
		// The mappings of a file are adjacent.
		if (!first_path || strcmp(first_path, list[i].path) != 0 || list[i].offset == 0) {
			first = list[i].offset == 0 ? list[i].start : 0;
			first_path = list[i].path;
		}
		if (may_be_code(&reader->target->core, list[i].start))
			ok = add_mapping(reader, &list[i], first,
					 program && strcmp(program, list[i].path) == 0, err);
	}
	if (ok && !keep_files(reader->target, list, count))
		ok = ic_fail_memory(err);
	free(list);
	return ok;
}

// Code in segments is added first: files mapped there replace it.
static bool add_code(struct reader *reader, struct ic_error *err)
{
	const struct ic_core_file *core = &reader->target->core;

	for (uint32_t i = 0; i < core->segment_count; i++) {
		const struct ic_core_segment *segment = &core->segments[i];
		if (segment->is_code &&
		    !ic_space_add_memory(reader->target->space, segment->start, segment->end, "",
					 (struct ic_bytes){ NULL, 0 }))
			return ic_fail_memory(err);
	}
	return true;
}

static bool add_vdso(struct reader *reader, struct ic_error *err)
{
	const struct ic_core_file *core = &reader->target->core;
	const struct ic_core_segment *segment = ic_core_segment_at(core, reader->vdso);

	if (reader->vdso == 0 || !segment || segment->start != reader->vdso ||
	    segment->bytes.size > MOST_VDSO)
		return true;
	return ic_space_add_memory(reader->target->space, segment->start, segment->end, "[vdso]",
				   segment->bytes) ||
	       ic_fail_memory(err);
}

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size)
{
	return ic_target_read_memory(context, addr, bytes, size);
}

static bool find_sp(void *context, uint64_t tid, uint64_t *sp)
{
	const struct ic_target *target = context;

	for (uint32_t i = 0; i < target->threads.count; i++)
		if (target->threads.items[i].tid == tid)
			return ic_target_sp(target, &target->threads.items[i].registers, sp);
	return false;
}

static bool add_goroutines(struct reader *reader)
{
	const struct ic_goroutine_reader goroutines = { .read = read_memory,
							.find_sp = find_sp,
							.context = reader->target };
	struct ic_goroutine_source source = { .is_known = false };

	reader->target->goroutines.are_missed = !reader->options->no_goroutines;
	if (!reader->options->no_goroutines && reader->entry != 0)
		ic_goroutine_source_find(reader->target, reader->entry, &source);
	return ic_goroutine_threads_add(reader->target, &source, &goroutines);
}

static bool read_core(struct reader *reader, struct ic_error *err)
{
	struct ic_target *target = reader->target;

	read_notes(reader);
	for (uint32_t i = 0; i < target->threads.count; i++) {
		target->threads.items[i].pid = reader->pid;
		target->threads.items[i].name = reader->name;
	}
	ic_target_check_core(target, "thread");
	if (!add_code(reader, err))
		return false;
	const struct ic_core_program program = { .path = reader->options->program,
						 .sysroot = reader->options->sysroot,
						 .entry = reader->entry };
	bool ok = !reader->has_files || add_files(reader, err);
	if (ok && (!reader->has_files || (program.path && !reader->has_program)))
		ok = ic_core_program_add(target, &program, !reader->has_files, err);
	if (!ok) {
		if (err->code == IC_ERROR_MEMORY)
			return false;
		report_problem(reader, err);
	}
	return add_vdso(reader, err) && (add_goroutines(reader) || ic_fail_memory(err));
}

struct ic_target *ic_target_open_core(struct ic_modules *modules, const char *path,
				      const struct ic_target_core_options *options,
				      struct ic_error *err)
{
	static const struct ic_target_core_options defaults = { .program = NULL };
	struct ic_error unwanted;
	struct ic_core_file core;

	if (!err)
		err = &unwanted;
	if (!ic_core_file_open(&core, path, ic_modules_image_options(modules)->max_memory, err))
		return NULL;
	bool is_kernel = ic_kernel_dump_check(&core);
	struct ic_target *target = NULL;
	if (!is_kernel || ic_kernel_dump_is_known(&core, err))
		target = ic_target_alloc(modules, core.machine, core.addr_size == 4, err);
	if (!target) {
		ic_core_file_close(&core);
		return NULL;
	}
	target->core = core;
	target->is_core = true;
	target->is_big_endian = core.swap != IC_HOST_IS_BIG_ENDIAN;
	target->is_kernel = is_kernel;
	struct reader reader = { .target = target, .options = options ? options : &defaults };
	if (!(is_kernel ? ic_target_kernel_read(target, reader.options->program, err)
			: read_core(&reader, err))) {
		ic_target_free(target);
		return NULL;
	}
	for (uint32_t i = 0; i < target->threads.count; i++)
		target->threads.items[i].core = target->core.path;
	return target;
}
