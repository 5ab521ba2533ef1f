// bench_libunwind [--list] FILE: unwinds recorded stacks (recording.h) by libunwind, through its
// functions for other processes.
#include <libunwind-x86_64.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

// For callers who know where .eh_frame_hdr is, as perf does; no header declares it.
extern int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t space, unw_word_t addr,
					      unw_dyn_info_t *table, unw_proc_info_t *found,
					      int with_info, void *context);

enum { CACHED_ROWS = 1024 };

struct unwinding {
	struct recording recording;
	const struct sample *sample;
	unw_addr_space_t space;
};

// Reads the stack, or else a file.
static int access_memory(unw_addr_space_t space, unw_word_t addr, unw_word_t *value, int is_write,
			 void *context)
{
	const struct unwinding *unwinding = context;

	(void)space;
	if (is_write)
		return -UNW_EINVAL;
	if (sample_read(unwinding->sample, addr, value, sizeof(*value)))
		return 0;
	const struct mapping *mapping = recording_image(&unwinding->recording, addr);
	if (!mapping || addr < mapping->eh_start || addr + sizeof(*value) > mapping->eh_end)
		return -UNW_EINVAL;
	memcpy(value, mapping->eh_bytes + (addr - mapping->eh_start), sizeof(*value));
	return 0;
}

static int access_register(unw_addr_space_t space, unw_regnum_t number, unw_word_t *value,
			   int is_write, void *context)
{
	const struct unwinding *unwinding = context;

	(void)space;
	if (is_write || number < 0 || number >= RECORDED_REGISTERS)
		return -UNW_EBADREG;
	*value = unwinding->sample->registers[number]; // libunwind has DWARF's numbers
	return 0;
}

static int access_float(unw_addr_space_t space, unw_regnum_t number, unw_fpreg_t *value,
			int is_write, void *context)
{
	(void)space, (void)number, (void)value, (void)is_write, (void)context;
	return -UNW_EBADREG;
}

static int find_info(unw_addr_space_t space, unw_word_t addr, unw_proc_info_t *found, int with_info,
		     void *context)
{
	const struct unwinding *unwinding = context;
	const struct mapping *mapping = recording_mapping(&unwinding->recording, addr);

	if (!mapping || !mapping->eh_header)
		return -UNW_ENOINFO;
	// The version, and the encodings of three fields; linkers write an address of 4 bytes that
	// is relative to itself, a count of 4 bytes, and a table of pairs of 4 bytes.
	const uint8_t *header = mapping->eh_bytes + (mapping->eh_header - mapping->eh_start);
	uint32_t count;
	if (header[1] != 0x1b || header[2] != 0x03 || header[3] != 0x3b)
		return -UNW_ENOINFO;
	memcpy(&count, header + 8, sizeof(count));
	unw_dyn_info_t table = { .format = UNW_INFO_FORMAT_REMOTE_TABLE,
				 .start_ip = mapping->start,
				 .end_ip = mapping->end };
	table.u.rti.segbase = mapping->eh_header;
	table.u.rti.table_data = mapping->eh_header + 12;
	table.u.rti.table_len = count * 8ull / sizeof(unw_word_t);
	return UNW_OBJ(dwarf_search_unwind_table)(space, addr, &table, found, with_info, context);
}

static void put_info(unw_addr_space_t space, unw_proc_info_t *info, void *context)
{
	(void)space, (void)info, (void)context;
}

static int find_no_list(unw_addr_space_t space, unw_word_t *addr, void *context)
{
	(void)space, (void)addr, (void)context;
	return -UNW_ENOINFO;
}

static int resume(unw_addr_space_t space, unw_cursor_t *cursor, void *context)
{
	(void)space, (void)cursor, (void)context;
	return -UNW_EINVAL;
}

static int find_name(unw_addr_space_t space, unw_word_t addr, char *name, size_t size,
		     unw_word_t *off, void *context)
{
	(void)space, (void)addr, (void)name, (void)size, (void)off, (void)context;
	return -UNW_ENOINFO;
}

static size_t unwind(void *context, const struct sample *sample, uint64_t *pcs, size_t most)
{
	struct unwinding *unwinding = context;
	unw_cursor_t cursor;
	unw_word_t pc;
	size_t count = 0;

	unwinding->sample = sample;
	if (unw_init_remote(&cursor, unwinding->space, unwinding) != 0)
		return 0;
	do {
		if (unw_get_reg(&cursor, UNW_REG_IP, &pc) != 0 || pc == 0)
			break;
		pcs[count++] = pc;
	} while (count < most && unw_step(&cursor) > 0);
	return count;
}

static void forget(void *context)
{
	const struct unwinding *unwinding = context;

	unw_flush_cache(unwinding->space, 0, 0);
}

int main(int argc, char **argv)
{
	unw_accessors_t accessors = { find_info,       put_info,     find_no_list, access_memory,
				      access_register, access_float, resume,       find_name };
	struct unwinding unwinding = { .space = unw_create_addr_space(&accessors, 0) };
	bool is_listing = argc == 3 && strcmp(argv[1], "--list") == 0;

	if (argc != 2 + is_listing)
		return 64;
	recording_open(&unwinding.recording, argv[argc - 1]);
	if (!unwinding.space || unw_set_caching_policy(unwinding.space, UNW_CACHE_GLOBAL) != 0 ||
	    unw_set_cache_size(unwinding.space, CACHED_ROWS, 0) != 0)
		return 1;
	recording_run(&unwinding.recording, is_listing, unwind, forget, &unwinding);
	return 0;
}
