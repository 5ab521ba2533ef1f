#include "unwind/targets/kernel.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/machine.h"
#include "elf/files/build_id.h"
#include "elf/files/kernel_info.h"

enum {
	MOST_ROOTS = 16,   // page tables to try
	STATE_VERSION = 1, // of QEMU's note
	SEGMENT_SIZE = 24, // of a segment register in the note
	SEGMENTS = 10,
	// Bit of a page table's address: set for the one used in user mode (PTI).
	USER_TABLE = 0x1000,
	LEVELS_5 = 1 << 12, // bit of CR4
	CODE_SEGMENT = 17,  // index of a word in the registers of NT_PRSTATUS
};

// arch/x86/include/asm/page_64_types.h in Linux: where its code is mapped, and the step of its
// random placement.
static const uint64_t mapping_start = 0xffffffff80000000, mapping_size = 1 << 30;
static const uint64_t placement_step = 1 << 21;

struct reader {
	struct ic_target *target;
	struct ic_kernel_info info;
	struct ic_kernel_memory roots[MOST_ROOTS]; // candidates for the kernel's page table
	uint32_t root_count;
	bool is_of_qemu;
};

static void report_problem(struct reader *reader, const struct ic_error *err)
{
	ic_target_complain(reader->target, err);
}

// ---- Notes

bool ic_kernel_dump_check(const struct ic_core_file *core)
{
	struct ic_core_notes walk = { 0 };
	struct ic_core_note note;
	struct ic_error err;
	bool has_process = false;

	for (;;) {
		if (!ic_core_note_next(core, &walk, &note, &err)) {
			if (err.code == IC_ERROR_NONE)
				return core->has_physical && !has_process;
			continue;
		}
		if (note.is_qemu || note.is_kernel)
			return true;
		has_process |= note.is_core &&
			       (note.type == IC_CORE_PRPSINFO || note.type == IC_CORE_AUXV ||
				note.type == IC_CORE_FILES);
	}
}

bool ic_kernel_dump_is_known(const struct ic_core_file *core, struct ic_error *err)
{
	return (core->machine == IC_MACHINE_X86_64 && core->addr_size == 8) ||
	       ic_fail(err, IC_ERROR_UNSUPPORTED,
		       "%s: kernel dump of machine %u; only x86-64 is supported", core->path,
		       core->machine);
}

static void read_processor(struct reader *reader, struct ic_cursor bytes)
{
	struct ic_target *target = reader->target;
	uint32_t number = target->threads.count;
	struct ic_cursor words = bytes;
	struct ic_thread_status status;
	struct ic_error err;
	char name[32];

	if (!ic_thread_status_read(target->layout, bytes, &status, &err)) {
		report_problem(reader, &err);
		return;
	}
	ic_cursor_take(&words, target->layout->registers_off + 8 * CODE_SEGMENT);
	bool is_user = (ic_cursor_u64(&words) & 3) == 3 && status.registers.pc >> 63 == 0;
	struct ic_target_thread *thread = IC_ARRAY_PUSH(&target->threads);
	snprintf(name, sizeof(name), "cpu %" PRIu32, number);
	if (!thread) {
		target->problems.out_of_memory = true;
		return;
	}
	*thread = (struct ic_target_thread){ .pid = status.tid,
					     .tid = number,
					     .name = ic_target_text(target, name),
					     .is_processor = true,
					     .is_user_mode = is_user,
					     .registers = status.registers };
}

static void add_root(struct reader *reader, uint64_t root, bool has_5_levels)
{
	if (reader->root_count < MOST_ROOTS)
		reader->roots[reader->root_count++] = (struct ic_kernel_memory){
			.root = root,
			.levels = has_5_levels ? 5 : 4,
			.ignored = reader->info.sme_mask,
		};
}

// QEMU's state of a processor (target/i386/arch_dump.c in QEMU): a version and a size, 18
// registers, the segments, and CR0 to CR4.
static void read_state(struct reader *reader, struct ic_cursor bytes)
{
	reader->is_of_qemu = true;
	if (ic_cursor_u32(&bytes) != STATE_VERSION)
		return;
	ic_cursor_take(&bytes, 4 + 18 * 8 + SEGMENTS * SEGMENT_SIZE + 3 * 8);
	uint64_t root = ic_cursor_u64(&bytes), features = ic_cursor_u64(&bytes);
	if (bytes.fault)
		return;
	add_root(reader, root, features & LEVELS_5);
	if (root & USER_TABLE)
		add_root(reader, root & ~(uint64_t)USER_TABLE, features & LEVELS_5);
}

static void read_info(struct reader *reader, struct ic_cursor bytes)
{
	struct ic_kernel_info *info = &reader->info;

	ic_kernel_info_read((struct ic_bytes){ bytes.pos, (size_t)(bytes.end - bytes.pos) }, info);
	if (!info->has_page_table || !info->has_phys_base)
		return;
	reader->root_count = 0; // better than those that processors happened to use
	add_root(reader, info->page_table - mapping_start + (uint64_t)info->phys_base,
		 info->has_5_levels);
}

static void read_notes(struct reader *reader)
{
	struct ic_core_notes walk = { 0 };
	struct ic_core_note note;

	while (ic_target_note_next(reader->target, &walk, &note)) {
		if (note.is_core && note.type == IC_CORE_PRSTATUS)
			read_processor(reader, note.bytes);
		else if (note.is_qemu)
			read_state(reader, note.bytes);
		else if (note.is_kernel)
			read_info(reader, note.bytes);
	}
}

// ---- The kernel's file

// The build ID of a file, and its address in the kernel's memory.
static struct ic_bytes find_build_id(const struct ic_elf_file *file, uint64_t *addr)
{
	struct ic_bytes id = ic_build_id_find(file);

	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		struct ic_bytes raw = section->raw;

		if (id.size > 0 && raw.size > 0 && id.data >= raw.data &&
		    id.data < raw.data + raw.size) {
			*addr = section->addr + (uint64_t)(id.data - raw.data);
			return id;
		}
	}
	return (struct ic_bytes){ NULL, 0 };
}

// Whether the kernel has that build ID at an address.
static bool has_build_id(const struct ic_target *target, struct ic_bytes id, uint64_t addr)
{
	uint8_t bytes[IC_KERNEL_LONGEST_ID];

	return id.size <= sizeof(bytes) &&
	       ic_kernel_memory_read(&target->core, &target->memory, addr, bytes, id.size) &&
	       memcmp(bytes, id.data, id.size) == 0;
}

// Finds a page table and a placement for which the build ID of the kernel's file is in memory.
static bool find_placement(struct reader *reader, struct ic_bytes id, uint64_t addr, uint64_t *bias)
{
	struct ic_target *target = reader->target;
	const struct ic_kernel_info *info = &reader->info;

	for (uint32_t i = 0; i == 0 || i < reader->root_count; i++) {
		target->memory = reader->roots[i];
		*bias = info->offset;
		if (info->has_offset && has_build_id(target, id, addr + *bias))
			return true;
		if (info->has_offset)
			continue;
		for (*bias = 0; *bias < mapping_size; *bias += placement_step)
			if (has_build_id(target, id, addr + *bias))
				return true;
	}
	target->memory = reader->roots[0];
	return false;
}

static bool check_build_id(struct reader *reader, const struct ic_elf_file *file,
			   struct ic_bytes id, struct ic_error *err)
{
	const struct ic_bytes wanted = { reader->info.build_id, reader->info.build_id_size };
	char text[IC_BUILD_ID_TEXT_SIZE], other[IC_BUILD_ID_TEXT_SIZE];

	if (id.size == 0)
		return ic_fail(err, IC_ERROR_MISMATCH,
			       "%s: no build ID to compare with the kernel in %s", file->path,
			       reader->target->core.path);
	if (wanted.size == 0 ||
	    (wanted.size == id.size && memcmp(wanted.data, id.data, id.size) == 0))
		return true;
	return ic_fail(err, IC_ERROR_MISMATCH, "%s: build ID is %s, but the kernel in %s has %s",
		       file->path, ic_build_id_text(id, text), reader->target->core.path,
		       ic_build_id_text(wanted, other));
}

static bool add_code(struct reader *reader, const struct ic_elf_file *file, struct ic_bytes id,
		     uint64_t bias, struct ic_error *err)
{
	for (uint32_t i = 0; i < file->layout.code_segment_count; i++) {
		const struct ic_code_segment *segment = &file->layout.code_segments[i];
		const struct ic_space_mapping mapping = { .start = segment->range.start + bias,
							  .end = segment->range.end + bias,
							  .offset = segment->file_off,
							  .path = file->path,
							  .build_id = id.data,
							  .build_id_size = id.size };

		if (!ic_space_add(reader->target->space, &mapping, err))
			return false;
	}
	return true;
}

static bool place_kernel(struct reader *reader, const struct ic_elf_file *file,
			 struct ic_error *err)
{
	uint64_t addr = 0, bias;
	struct ic_bytes id = find_build_id(file, &addr);

	if (file->machine != IC_MACHINE_X86_64 || file->addr_size != 8)
		return ic_fail(err, IC_ERROR_MISMATCH, "%s: is for a different machine than %s",
			       file->path, reader->target->core.path);
	if (!check_build_id(reader, file, id, err))
		return false;
	if (!find_placement(reader, id, addr, &bias))
		return ic_fail(err, IC_ERROR_MISMATCH,
			       "%s: build ID not found in the memory of the kernel in %s",
			       file->path, reader->target->core.path);
	return add_code(reader, file, id, bias, err);
}

static bool add_kernel(struct reader *reader, const char *vmlinux, struct ic_error *err)
{
	const struct ic_span release = reader->info.release;
	struct ic_elf_file file;

	if (!vmlinux)
		return ic_fail(err, IC_ERROR_NOT_FOUND,
			       "%s: kernel dump%s%.*s; specify its vmlinux",
			       reader->target->core.path, release.size > 0 ? ", Linux " : "",
			       (int)(release.size < 64 ? release.size : 64),
			       release.text ? release.text : "");
	if (!ic_elf_file_open(&file, vmlinux, err))
		return false;
	bool ok = place_kernel(reader, &file, err);
	ic_elf_file_close(&file);
	return ok;
}

// ---- The entry point

// QEMU's notes come after the ones they belong to. It numbers processors from 1, and does not know
// processes.
static bool finish_processors(struct reader *reader)
{
	struct ic_target *target = reader->target;
	const struct ic_bytes none = { NULL, 0 };

	for (uint32_t i = 0; i < target->threads.count; i++) {
		struct ic_target_thread *thread = &target->threads.items[i];
		uint64_t pc = thread->registers.pc;

		if (reader->is_of_qemu)
			thread->pid = 0;
		if (thread->is_user_mode &&
		    !ic_space_add_memory(target->space, pc, pc + 1, "[user mode]", none))
			return false;
	}
	return true;
}

bool ic_target_kernel_read(struct ic_target *target, const char *vmlinux, struct ic_error *err)
{
	struct reader reader = { .target = target };
	struct ic_error fault;

	read_notes(&reader);
	target->memory = reader.roots[0];
	ic_target_check_core(target, "processor");
	if (!finish_processors(&reader))
		return ic_fail_memory(err);
	if (add_kernel(&reader, vmlinux, &fault))
		return true;
	if (fault.code == IC_ERROR_MEMORY) {
		*err = fault;
		return false;
	}
	report_problem(&reader, &fault);
	return true;
}
