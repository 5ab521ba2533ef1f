#include "filter/addr.h"

#include <stdlib.h>
#include <string.h>

#include <inlinecall/demangle.h>

#include "filter/return.h"

enum {
	MOST_FRAMES = 32,
	MOST_SYMBOLS = 32,     // with one name
	MOST_NAME_SIZE = 1024, // bytes of a function's name
	PAGE_SIZE = 4096,      // the smallest: files are loaded at multiples of a page
	KERNEL_ALIGN = 1 << 21 // KASLR moves kernels by multiples of this
};

// ---- Names

static bool is_demangled(struct ic_span label, const char *symbol)
{
	bool is_same = false;

	for (int style = IC_DEMANGLE_NAME; !is_same && style <= IC_DEMANGLE_FULL; style++) {
		char *name = NULL;
		is_same = ic_demangle(symbol, (enum ic_demangle_style)style, &name) && name &&
			  ic_span_is(label, name);
		free(name);
	}
	return is_same;
}

bool cli_filter_is_called(struct ic_span label, const char *function)
{
	const char *open = label.size > 0 ? memchr(label.text, '(', label.size) : NULL;
	size_t size = strlen(function), end = open ? (size_t)(open - label.text) : label.size;

	return size <= end && memcmp(label.text + end - size, function, size) == 0 &&
	       (size == end || label.text[end - size - 1] == ':');
}

// Copies the name of a symbol without its version; returns false if it is empty or too long.
static bool copy_name(struct ic_span label, char *name)
{
	const char *version = memchr(label.text, '@', label.size);
	size_t size = version ? (size_t)(version - label.text) : label.size;

	if (size == 0 || size >= MOST_NAME_SIZE || memchr(label.text, 0, size))
		return false;
	memcpy(name, label.text, size);
	name[size] = 0;
	return true;
}

// Finds the symbols that the label may mean.
static size_t find_symbols(const struct cli_filter_file *file, struct ic_span label,
			   struct ic_symbolizer_symbol *symbols)
{
	char name[MOST_NAME_SIZE];
	uint32_t count = 0;

	if (!copy_name(label, name))
		return 0;
	while (count < MOST_SYMBOLS &&
	       ic_symbolizer_symbol_find(file->symbolizer, name, count, &symbols[count]))
		count++;
	if (count > 0)
		return count;
	size_t matches = ic_symbolizer_symbols_match(file->symbolizer, name, symbols, MOST_SYMBOLS);
	return matches < MOST_SYMBOLS ? matches : MOST_SYMBOLS;
}

// ---- Code at an address

enum agreement { AGREES, SAYS_NOTHING, CONTRADICTS };

// Whether the symbol at an address of the file has the mention's name, mangled or not; if the
// mention has an offset, the address must have the same one.
static bool has_symbol(const struct cli_filter_file *file, const struct ic_mention *mention,
		       uint64_t addr)
{
	struct ic_symbolizer_symbol symbol;

	return ic_symbolizer_symbol_at(file->symbolizer, addr, &symbol) &&
	       (!mention->name.text || addr - symbol.start == mention->off) &&
	       (ic_span_is(mention->label, symbol.name) ||
		is_demangled(mention->label, symbol.name));
}

// Gets the frames at an address; none if there are more than fit, or only a symbol.
static size_t find_frames(const struct cli_filter_file *file, uint64_t addr,
			  struct ic_frame *frames)
{
	size_t count = ic_symbolizer_frames_at(file->symbolizer, addr, frames, MOST_FRAMES);

	return count == 0 || count > MOST_FRAMES || frames[count - 1].is_symbol ? 0 : count;
}

// Whether any of the frames at an address is of the label's function, which may be inlined there.
static enum agreement compare_frames(const struct cli_filter_file *file,
				     const struct ic_mention *mention, uint64_t addr)
{
	struct ic_frame frames[MOST_FRAMES];
	size_t count = find_frames(file, addr, frames);

	for (size_t i = 0; i < count; i++)
		if ((frames[i].function &&
		     cli_filter_is_called(mention->label, frames[i].function)) ||
		    (frames[i].linkage_name &&
		     (ic_span_is(mention->label, frames[i].linkage_name) ||
		      is_demangled(mention->label, frames[i].linkage_name))))
			return AGREES;
	return count > 0 && frames[count - 1].function ? CONTRADICTS : SAYS_NOTHING;
}

// Whether any of the frames at an address is at the text's line, as far as both are known.
static bool has_line(const struct cli_filter_file *file, const struct ic_mention *mention,
		     uint64_t addr)
{
	struct ic_frame frames[MOST_FRAMES];
	size_t count = mention->line > 0 ? find_frames(file, addr, frames) : 0;

	for (size_t i = 0; i < count; i++)
		if (frames[i].line == mention->line)
			return true;
	return count == 0;
}

static bool is_plain_name(struct ic_span label)
{
	for (size_t i = 0; i < label.size; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789",
			    label.text[i] + !label.text[i]))
			return false;
	return true;
}

// Whether the label agrees with what the file has at an address or, for a return address, before
// it. A name that is not in the file contradicts this only if it is a C name and the debug
// information has another function there: other names have many spellings.
static enum agreement compare_label(const struct cli_filter_file *file,
				    const struct ic_mention *mention, uint64_t addr)
{
	struct ic_symbolizer_symbol symbols[MOST_SYMBOLS];
	uint64_t lookup = cli_filter_lookup_addr(file, addr, mention->is_return);
	size_t count = find_symbols(file, mention->label, symbols);
	enum agreement by_frames = compare_frames(file, mention, lookup);
	bool has_size = false;

	if (by_frames == AGREES)
		return AGREES;
	for (size_t i = 0; i < count; i++) {
		if (lookup >= symbols[i].start && lookup < symbols[i].end)
			return mention->line > 0 && by_frames == CONTRADICTS ? CONTRADICTS : AGREES;
		has_size |= symbols[i].end > symbols[i].start;
	}
	if (count > 0)
		return has_size ? CONTRADICTS : SAYS_NOTHING;
	return is_plain_name(mention->label) ? by_frames : SAYS_NOTHING;
}

// ---- Load addresses from functions

// Finds an address from perf: in call chains of programs, it prints offsets in the file.
static bool find_of_perf(const struct cli_filter_file *file, const struct ic_mention *mention,
			 uint64_t *addr)
{
	*addr = mention->addr;
	if (!file->is_relocatable && has_symbol(file, mention, *addr))
		return true;
	return !file->is_kernel && ic_image_addr_of_offset(file->image, mention->addr, addr) &&
	       has_symbol(file, mention, *addr);
}

// Finds the only address in a symbol with the same offset in its page as the address in memory; in
// a kernel, with the same offset in the unit by which kernels are moved. Returns false if there is
// none or more than one.
static bool find_in_page(const struct cli_filter_file *file, const struct ic_mention *mention,
			 uint64_t *addr)
{
	struct ic_symbolizer_symbol symbols[MOST_SYMBOLS];
	uint64_t unit = file->is_kernel ? KERNEL_ALIGN : PAGE_SIZE;
	uint64_t lookup = cli_filter_lookup_addr(file, mention->addr, mention->is_return);
	size_t count = find_symbols(file, mention->label, symbols), found = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t at = symbols[i].start + (lookup - symbols[i].start) % unit;
		if (at >= symbols[i].end || (found > 0 && at == *addr)) // another name of it
			continue;
		if (!has_line(file, mention, at))
			continue;
		found += symbols[i].end - at > unit ? 2 : 1;
		*addr = at;
	}
	*addr += mention->addr - lookup;
	return found == 1;
}

// Finds an address in memory with the name of a function. If the program is not moved, it is the
// same in the file; otherwise it is moved by whole pages.
static enum cli_addr find_labelled(const struct cli_filter_file *file,
				   const struct ic_mention *mention, bool is_code, uint64_t *addr)
{
	bool is_moved = file->is_kernel || ic_symbolizer_lowest_addr(file->symbolizer) == 0;
	enum agreement agreement;

	if (file->is_relocatable)
		return CLI_ADDR_UNKNOWN;
	*addr = mention->addr;
	agreement = is_code ? compare_label(file, mention, *addr) : SAYS_NOTHING;
	if (agreement == AGREES)
		return CLI_ADDR_FOUND;
	if (is_moved)
		return find_in_page(file, mention, addr) ? CLI_ADDR_FOUND : CLI_ADDR_UNKNOWN;
	if (agreement == CONTRADICTS)
		return CLI_ADDR_CONTRADICTED;
	return is_code ? CLI_ADDR_FOUND : CLI_ADDR_UNKNOWN;
}

// Converts the address in memory to one in the file. Returns false if there is no code.
static bool find_loaded(const struct cli_filter_file *file, const struct ic_mention *mention,
			uint64_t *addr)
{
	uint64_t wanted = cli_filter_lookup_addr(file, mention->addr, mention->is_return);

	if (!cli_filter_file_find(file, wanted, addr) ||
	    ic_symbolizer_frames_at(file->symbolizer, *addr, NULL, 0) == 0)
		return false;
	*addr += mention->addr - wanted;
	return true;
}

// Finds an offset in the file, or one from its load address.
static enum cli_addr find_by_offset(const struct cli_filter_file *file,
				    const struct ic_mention *mention, uint64_t *addr)
{
	*addr = mention->object_off;
	if (mention->origin == IC_MENTION_ORIGIN_START)
		*addr += ic_symbolizer_lowest_addr(file->symbolizer);
	if (file->is_relocatable ||
	    (mention->origin == IC_MENTION_ORIGIN_FILE &&
	     !ic_image_addr_of_offset(file->image, mention->object_off, addr)))
		return CLI_ADDR_UNKNOWN;
	if (mention->label.size > 0 && mention->build_id.size == 0 &&
	    compare_label(file, mention, *addr) == CONTRADICTS)
		return CLI_ADDR_CONTRADICTED;
	return CLI_ADDR_FOUND;
}

// Finds an address in a mapping of which only the size is known: it is in the only segment with as
// many pages.
static enum cli_addr find_mapped(const struct cli_filter_file *file,
				 const struct ic_mention *mention, uint64_t *addr)
{
	struct ic_range range;
	uint64_t off, found = 0;

	for (size_t i = 0; ic_image_code_segment(file->image, i, &range, &off); i++) {
		uint64_t start = range.start & ~(uint64_t)(PAGE_SIZE - 1);
		uint64_t end = (range.end + PAGE_SIZE - 1) & ~(uint64_t)(PAGE_SIZE - 1);
		if (end - start != mention->map_size)
			continue;
		*addr = start + (mention->addr - mention->map_start);
		found++;
	}
	return found == 1 && mention->addr - mention->map_start < mention->map_size
		       ? CLI_ADDR_FOUND
		       : CLI_ADDR_UNKNOWN;
}

enum cli_addr cli_filter_find_addr(const struct cli_filter_file *file,
				   const struct ic_mention *mention, uint64_t *addr)
{
	if (mention->origin != IC_MENTION_ORIGIN_NONE)
		return find_by_offset(file, mention, addr);
	if (mention->map_size > 0)
		return find_mapped(file, mention, addr);
	bool is_found = find_loaded(file, mention, addr);
	if (is_found && cli_filter_file_is_placed(file))
		return CLI_ADDR_FOUND;
	// The address may be the file's own, except for a kernel: most run at other addresses, and
	// their registers are full of numbers. If the text names a function, that decides.
	if (mention->is_of_perf)
		return find_of_perf(file, mention, addr) ? CLI_ADDR_FOUND : CLI_ADDR_UNKNOWN;
	if (mention->label.size > 0)
		return find_labelled(file, mention, is_found, addr);
	return is_found && !(file->is_kernel && mention->is_plain) ? CLI_ADDR_FOUND
								   : CLI_ADDR_UNKNOWN;
}
