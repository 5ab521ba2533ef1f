// Fuzzes the headers of line tables, and makes the path of every file in them.
// Wanted: names are whole texts of their sections; a path that does not fit is the beginning of the
// whole one; what was read before a fault can be used; memory is bounded by the input.
#include "dwarf/lines/header.h"
#include "fuzz_input.h"

static void check_path(const struct ic_line_header *header, const struct ic_unit *unit,
		       uint64_t file)
{
	char path[512], cut[8] = "unset";
	size_t length = ic_line_file_path(header, unit, file, path, sizeof(path));

	size_t cut_length = ic_line_file_path(header, unit, file, cut, sizeof(cut));
	// For a path that does not fit, only that is known.
	PROMISE(cut_length == length || (cut_length >= sizeof(cut) && cut_length <= length));
	if (length == 0)
		return;
	PROMISE(strlen(path) == (length < sizeof(path) ? length : sizeof(path) - 1));
	PROMISE(strlen(cut) == (length < sizeof(cut) ? length : sizeof(cut) - 1));
	PROMISE(!strncmp(path, cut, strlen(cut)));
	ic_line_file_path(header, unit, file, NULL, 0);
}

static void check_header(const struct ic_line_header *header, const struct ic_unit *unit)
{
	for (uint32_t i = 0; i < header->directories.count; i++)
		fuzz_read_text(header->directories.items[i], NULL);
	for (uint32_t i = 0; i < header->files.count; i++) {
		fuzz_read_text(header->files.items[i].name, NULL);
		check_path(header, unit, i);
	}
	check_path(header, unit, UINT64_MAX);
	for (uint32_t i = 1; i < header->functions.count; i++)
		fuzz_read_text(header->functions.items[i].name, NULL);
	PROMISE(header->logicals_size <= header->program_size);
	uint64_t memory = header->directories.capacity * sizeof(*header->directories.items) +
			  header->files.capacity * sizeof(*header->files.items) +
			  header->functions.capacity * sizeof(*header->functions.items);
	PROMISE(memory <= 64 * unit->dwarf->line.size + 4096);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const dirs[] = { NULL, "", "/home/me", "src" };
	struct fuzz_input in = { data, data + size };
	struct ic_bytes sections[4]; // .debug_line, .debug_line_str, .debug_str and its offsets
	struct ic_line_header header = { 0 };
	struct ic_error err = { 0 };
	uint8_t sizes = fuzz_take_u8(&in);
	uint8_t off = fuzz_take_u8(&in);

	fuzz_take_sections(&in, sections, 4);
	const struct ic_dwarf dwarf = { .line = sections[0],
					.line_str = sections[1],
					.str = sections[2],
					.str_offsets = sections[3],
					.swap = sizes & 1 };
	const struct ic_unit unit = { .dwarf = &dwarf,
				      .version = sizes & 2 ? 4 : 5,
				      .addr_size = sizes & 4 ? 4 : 8,
				      .offset_size = sizes & 8 ? 8 : 4,
				      .root.str_offsets_base = 8,
				      .root.comp_dir = dirs[sizes >> 4 & 3],
				      .root.line_off = off };
	if (!ic_line_header_parse(&header, &unit, UINT64_MAX, &err))
		PROMISE_REASON(err);
	check_header(&header, &unit);
	ic_line_header_free(&header);
	fuzz_free_sections(sections, 4);
	return 0;
}
