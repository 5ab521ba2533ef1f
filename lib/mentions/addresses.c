#include <inlinecall/extra/addresses.h>
#include <inlinecall/extra/image.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "symbolize/symbolizer.h"
#include "text/text.h"

enum {
	MOST_CANDIDATES = 16,
	MOST_SYMBOLS = 64, // that are examined for one name
	// Kernels print the distance to the next symbol; functions are aligned, with padding before
	// them.
	MOST_PADDING = 128,
	WHY_SIZE = 512, // of an explanation: names in files can have any length
	MOST_EXPLAINED = 8,
};

struct window {
	uint64_t given, start, size;
	const char *section; // shown addresses are offsets in it; NULL: they are shown as they were
			     // given
};

struct section {          // of code, in a relocatable file
	const char *name; // unique
	uint64_t start, size;
};

struct ic_addresses {
	struct ic_symbolizer *symbolizer;
	struct ic_addresses_options options;
	bool has_own_window;               // used if the options have none
	struct window own_window;          // valid if there is only one section to choose from
	IC_ARRAY(struct section) sections; // sorted by name; none in a linked file
	size_t filled_count;               // of non-empty sections
	size_t names_explained;            // number of names that were not found
	IC_ARRAY(char) name;               // of the current text
	struct ic_arena arena;             // names of requested sections
	IC_ARRAY(const char *) names;      // in `arena`
};

struct request { // the parts of a text
	const char *name;
	uint64_t offset;
	uint64_t size; // 0 if not given
};

IC_PRINTF(2, 3) static bool explain(struct ic_error *err, const char *format, ...)
{
	va_list args;

	*err = (struct ic_error){ .code = IC_ERROR_ARGUMENT };
	va_start(args, format);
	vsnprintf(err->message, WHY_SIZE, format, args);
	va_end(args);
	return false;
}

static int compare_sections(const void *left, const void *right)
{
	const struct section *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static bool list_sections(struct ic_addresses *addresses)
{
	struct ic_index_section section;
	size_t number = 0;
	uint64_t size;

	while (ic_symbolizer_section_get(addresses->symbolizer, number++, &section, &size)) {
		struct section *listed = IC_ARRAY_PUSH(&addresses->sections);
		if (!listed)
			return false;
		*listed = (struct section){ section.name, section.start, size };
		addresses->filled_count += size > 0;
	}
	if (addresses->sections.count > 0)
		qsort(addresses->sections.items, addresses->sections.count,
		      sizeof(*addresses->sections.items), compare_sections);
	return true;
}

static const struct section *find_listed(const struct ic_addresses *addresses, const char *name)
{
	const struct section wanted = { .name = name };

	return addresses->sections.count == 0
		       ? NULL
		       : bsearch(&wanted, addresses->sections.items, addresses->sections.count,
				 sizeof(*addresses->sections.items), compare_sections);
}

// The first of the names "NAME[7]", which tell sections with the same name apart.
static const char *numbered_name(const struct ic_addresses *addresses, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < addresses->sections.count; i++)
		if (!strncmp(addresses->sections.items[i].name, name, length) &&
		    addresses->sections.items[i].name[length] == '[')
			return addresses->sections.items[i].name;
	return NULL;
}

enum found { FOUND_NONE, FOUND_ONE, FOUND_MANY };

// Finds a section by name; the window borrows it.
static enum found find_section(const struct ic_addresses *addresses, const char *name,
			       struct window *window, struct ic_error *err)
{
	const struct section *listed = find_listed(addresses, name);
	struct ic_symbolizer_section section, other;

	if (listed) {
		*window = (struct window){ 0, listed->start, listed->size, listed->name };
		return FOUND_ONE;
	}
	if (!ic_symbolizer_section_find(addresses->symbolizer, name, 0, &section))
		return FOUND_NONE;
	if (ic_symbolizer_section_find(addresses->symbolizer, name, 1, &other)) {
		const char *one = numbered_name(addresses, name);
		explain(err, "several sections are called %s%s%s", name,
			one ? "; select one by its number, as in " : "", one ? one : "");
		return FOUND_MANY;
	}
	*window = (struct window){ 0, section.start, section.size, name };
	return FOUND_ONE;
}

// Parses hexadecimal digits up to `end`; false if there is anything else, or nothing.
static bool parse_hex(const char *text, const char *end, uint64_t *number, bool *too_large)
{
	*number = 0;
	*too_large = false;
	if (text == end)
		return false;
	for (; text < end; text++) {
		int digit = ic_text_hex_digit(*text);
		if (digit < 0)
			return false;
		*too_large |= *number >> 60 != 0;
		*number = *number << 4 | (uint64_t)digit;
	}
	return true;
}

static const char *after_0x(const char *text)
{
	return text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? text + 2 : text;
}

// The address to look up for an offset in code. A return address to Thumb code has bit 0 set; the
// byte before that would be in the instruction after the call.
static uint64_t lookup_offset(const struct ic_addresses *addresses, uint64_t offset)
{
	return addresses->options.are_return_addrs
		       ? ic_image_code_addr(addresses->symbolizer->image, offset) - 1
		       : offset;
}

// An offset in the window is the address to look up, unless it is outside. So is the byte before
// the first one.
static void place_offset(const struct ic_addresses *addresses, const struct window *window,
			 uint64_t offset, struct ic_address *addr)
{
	uint64_t at = lookup_offset(addresses, offset);

	addr->is_outside = at >= window->size;
	addr->lookup = addr->is_outside ? 0 : window->start + at;
	addr->shown = window->section ? offset : window->given + offset;
	addr->section = window->section;
}

static bool ask_for_section(const struct ic_addresses *addresses, uint64_t number,
			    struct ic_error *err)
{
	const struct section *example = find_listed(addresses, ".text");
	const char *option = addresses->options.section_option;

	if (!example || example->size == 0)
		for (example = addresses->sections.items; example->size == 0;)
			example++;
	return explain(err,
		       "ambiguous offset: there are %zu sections; use %s+0x%" PRIx64 "%s%s%s%s",
		       addresses->filled_count, example->name, number, option ? " or " : "",
		       option ? option : "", option ? "=" : "", option ? example->name : "");
}

static bool place_number(const struct ic_addresses *addresses, uint64_t number,
			 struct ic_address *addr, struct ic_error *err)
{
	const struct window whole = { 0, 0, UINT64_MAX, NULL };
	uint64_t back = addresses->options.are_return_addrs;
	bool is_own = addresses->has_own_window && addresses->options.window_count == 0;

	if (!is_own && addresses->options.window_count == 0 && addresses->filled_count > 1)
		return ask_for_section(addresses, number, err);
	if (!is_own && addresses->options.window_count == 0) {
		place_offset(addresses, &whole, number, addr);
		return true;
	}
	size_t count = is_own ? 1 : addresses->options.window_count;
	const char *section = is_own ? addresses->own_window.section : NULL;
	for (size_t i = 0; i < count; i++) {
		struct window window = addresses->own_window;
		if (!is_own)
			window = (struct window){ addresses->options.windows[i].given,
						  addresses->options.windows[i].start,
						  addresses->options.windows[i].size, NULL };
		if (number >= window.given && number - window.given >= back &&
		    number - window.given - back < window.size) {
			place_offset(addresses, &window, number - window.given, addr);
			return true;
		}
	}
	*addr = (struct ic_address){ .is_outside = true, .shown = number, .section = section };
	return true;
}

struct candidates {
	struct ic_symbolizer_symbol symbols[MOST_CANDIDATES];
	size_t count;
	bool are_more;
};

// Adds a symbol, unless there already is one at its address: a file may have it in two tables.
static void add_candidate(struct candidates *candidates, const struct ic_symbolizer_symbol *symbol)
{
	for (size_t i = 0; i < candidates->count; i++)
		if (candidates->symbols[i].start == symbol->start)
			return;
	candidates->are_more |= candidates->count == MOST_CANDIDATES;
	if (candidates->count < MOST_CANDIDATES)
		candidates->symbols[candidates->count++] = *symbol;
}

// Finds the symbols of the function that the name stands for: clones, and mangled names.
static void find_meant(const struct ic_addresses *addresses, const char *name,
		       struct candidates *candidates)
{
	struct ic_symbolizer_symbol symbols[MOST_SYMBOLS];
	size_t count =
		ic_symbolizer_symbols_match(addresses->symbolizer, name, symbols, MOST_SYMBOLS);

	candidates->are_more = count > MOST_SYMBOLS;
	for (size_t i = 0; i < count && i < MOST_SYMBOLS; i++)
		add_candidate(candidates, &symbols[i]);
}

// Finds the symbols with the name or, if there are none, those that it stands for.
static void find_candidates(const struct ic_addresses *addresses, const char *name,
			    struct candidates *candidates)
{
	struct ic_symbolizer_symbol symbol;
	uint32_t number = 0;

	while (number < MOST_SYMBOLS && !candidates->are_more &&
	       ic_symbolizer_symbol_find(addresses->symbolizer, name, number, &symbol)) {
		add_candidate(candidates, &symbol);
		number++;
	}
	candidates->are_more |= number == MOST_SYMBOLS;
	if (number == 0)
		find_meant(addresses, name, candidates);
}

// How well a symbol matches the request: from 0, not at all, to 2, exactly.
static int rate_symbol(const struct ic_addresses *addresses,
		       const struct ic_symbolizer_symbol *symbol, const struct request *request)
{
	uint64_t size = symbol->end - symbol->start;
	uint64_t most = request->size ? request->size : size;

	if (request->size && size > 0 &&
	    (size > request->size || request->size - size >= MOST_PADDING))
		return 0;
	if (most > 0 && request->offset > 0 && lookup_offset(addresses, request->offset) >= most)
		return 0;
	return request->size && size == request->size ? 2 : 1;
}

static void describe_candidates(const struct ic_addresses *addresses,
				const struct candidates *candidates, const char *name, char *text,
				size_t size)
{
	size_t used = 0;

	text[0] = 0;
	for (size_t i = 0; i < candidates->count && used < size; i++) {
		const struct ic_symbolizer_symbol *symbol = &candidates->symbols[i];
		struct ic_index_section section = { .name = NULL };
		bool is_other = strcmp(symbol->name, name) != 0;
		ic_symbolizer_section_at(addresses->symbolizer, symbol->start, &section);
		used += (size_t)snprintf(
			text + used, size - used, "%s%s%s%s%s0x%" PRIx64 " (0x%" PRIx64 " bytes)",
			i > 0 ? ", " : "", is_other ? symbol->name : "", is_other ? " at " : "",
			section.name ? section.name : "", section.name ? "+" : "",
			symbol->start - section.start, symbol->end - symbol->start);
	}
	if (candidates->are_more && used < size)
		snprintf(text + used, size - used, ", ...");
}

// In a relocatable file the address is an offset in the symbol's own section.
static bool place_symbol(const struct ic_addresses *addresses,
			 const struct ic_symbolizer_symbol *symbol, uint64_t offset,
			 struct ic_address *addr, struct ic_error *err)
{
	struct window window = { 0, 0, UINT64_MAX, NULL };
	struct ic_index_section section;
	uint64_t sum;

	if (ic_symbolizer_section_at(addresses->symbolizer, symbol->start, &section)) {
		const struct section *listed = find_listed(addresses, section.name);
		uint64_t size = listed ? listed->size : 0;
		window = (struct window){ 0, section.start, size, section.name };
	} else if (addresses->sections.count > 0) {
		return explain(err, "%s is not in a code section", symbol->name);
	}
	if (__builtin_add_overflow(symbol->start - window.start, offset, &sum))
		return explain(err, "number does not fit in 64 bits");
	place_offset(addresses, &window, sum, addr);
	return true;
}

// Explains why a name is not found, with the most similar names. An inlined function has no symbol,
// so the hint at those may help too. After a few names the explanation is only that there is no
// such name, because each one takes a scan of all names. For a file with problems there is no
// explanation: the name may be one that cannot be read.
static bool explain_name(const struct ic_addresses *addresses, const char *name,
			 struct ic_error *err)
{
	enum { MOST_NAMES = 3 };
	const char *names[MOST_NAMES];
	bool has_number = strchr(name, '+') != NULL;
	bool is_name = !has_number && (*name == '_' || isalpha((unsigned char)*name));
	struct ic_index_problem problem;
	bool is_helped = is_name && addresses->names_explained < MOST_EXPLAINED;

	*err = (struct ic_error){ .code = IC_ERROR_NOT_FOUND };
	bool is_whole = true;
	for (size_t i = 0; ic_symbolizer_problem_get(addresses->symbolizer, i, &problem); i++)
		is_whole &= problem.is_note;
	if (!is_whole) {
		snprintf(err->message, WHY_SIZE,
			 "cannot tell whether a symbol or section is called %.200s: part of the "
			 "file could not be read",
			 name);
		return false;
	}
	size_t count = is_helped ? ic_symbolizer_nearest_names(addresses->symbolizer, name, names,
							       MOST_NAMES)
				 : 0;
	int used = snprintf(err->message, WHY_SIZE, "no symbol or section is called %.200s%s", name,
			    has_number  ? " (offsets begin with 0x)"
			    : count > 1 ? "; similar names: "
			    : count > 0 ? "; similar name: "
					: "");

	for (size_t i = 0; i < count && used < WHY_SIZE; i++)
		used += snprintf(err->message + used, (size_t)(WHY_SIZE - used), "%s%.64s",
				 i > 0 ? ", " : "", names[i]);
	if (is_helped && addresses->options.inlined_hint && used < WHY_SIZE)
		snprintf(err->message + used, (size_t)(WHY_SIZE - used), "; %s",
			 addresses->options.inlined_hint);
	return false;
}

// Whether the candidates all have different sizes.
static bool have_own_sizes(const struct candidates *candidates)
{
	const struct ic_symbolizer_symbol *symbols = candidates->symbols;

	for (size_t i = 1; i < candidates->count; i++)
		for (size_t j = 0; j < i; j++)
			if (symbols[i].end - symbols[i].start == symbols[j].end - symbols[j].start)
				return false;
	return !candidates->are_more;
}

static bool take_symbol(struct ic_addresses *addresses, const struct request *request,
			struct ic_address *addr, struct ic_error *err)
{
	struct candidates all = { .count = 0 }, best = { .count = 0 };
	char list[300];
	int best_rate = 1;

	find_candidates(addresses, request->name, &all);
	for (size_t i = 0; i < all.count; i++) {
		int rating = rate_symbol(addresses, &all.symbols[i], request);
		if (rating > best_rate) {
			best.count = 0;
			best_rate = rating;
		}
		if (rating == best_rate)
			best.symbols[best.count++] = all.symbols[i];
	}
	if (all.count == 0) {
		explain_name(addresses, request->name, err);
		addresses->names_explained++;
		return false;
	}
	if (best.count == 1 && !all.are_more)
		return place_symbol(addresses, &best.symbols[0], request->offset, addr, err);
	best.are_more = all.are_more;
	describe_candidates(addresses, best.count > 0 ? &best : &all, request->name, list,
			    sizeof(list));
	if (best.count > 0)
		return explain(err, "ambiguous symbol: %s; use %s", list,
			       have_own_sizes(&best) ? "SYMBOL+0xOFFSET/0xSIZE" : "the address");
	return explain(err, "%s %s: %s", request->name,
		       request->size ? "has a different size" : "ends before that offset", list);
}

// Cuts the last "+0xOFFSET" or "+0xOFFSET/0xSIZE" off the text. False if a number exceeds 64 bits.
static bool split_request(char *text, struct request *request)
{
	char *plus = strrchr(text, '+'), *slash = plus ? strchr(plus, '/') : NULL;
	const char *end = plus ? plus + strlen(plus) : NULL, *size = slash ? slash + 1 : end;
	bool large = false, larger = false;

	*request = (struct request){ .name = text };
	if (!plus || after_0x(plus + 1) == plus + 1 || (slash && after_0x(size) == size) ||
	    !parse_hex(plus + 3, slash ? slash : end, &request->offset, &large) ||
	    (slash && !parse_hex(size + 2, end, &request->size, &larger))) {
		*request = (struct request){ .name = text };
		return true;
	}
	*plus = 0;
	return !large && !larger;
}

// A copy of the text, to be cut into parts; NULL if memory runs out.
static char *copy_text(struct ic_addresses *addresses, const char *text)
{
	size_t size = strlen(text) + 1;

	return IC_ARRAY_RESERVE(&addresses->name, size) ? memcpy(addresses->name.items, text, size)
							: NULL;
}

// A copy of a section name, owned by the addresses; NULL if memory runs out.
static const char *keep_name(struct ic_addresses *addresses, const char *name)
{
	for (uint32_t i = 0; i < addresses->names.count; i++)
		if (strcmp(addresses->names.items[i], name) == 0)
			return addresses->names.items[i];
	const char *copy = ic_arena_copy(&addresses->arena, name, strlen(name) + 1, 1);
	const char **kept = copy ? IC_ARRAY_PUSH(&addresses->names) : NULL;
	return kept ? *kept = copy : NULL;
}

static bool parse_name(struct ic_addresses *addresses, const char *text, struct ic_address *address,
		       struct ic_error *err)
{
	char *copy = copy_text(addresses, text);
	struct request request;
	struct window window;

	if (!copy)
		return ic_fail_memory(err);
	if (!split_request(copy, &request))
		return explain(err, "number does not fit in 64 bits");
	enum found found = find_section(addresses, request.name, &window, err);
	if (found == FOUND_NONE)
		return take_symbol(addresses, &request, address, err);
	if (found == FOUND_MANY)
		return false;
	if (window.section == request.name)
		window.section = keep_name(addresses, request.name);
	if (!window.section)
		return ic_fail_memory(err);
	place_offset(addresses, &window, request.offset, address);
	return true;
}

bool ic_addresses_parse(struct ic_addresses *addresses, const char *text,
			struct ic_address *address, struct ic_error *err)
{
	const char *digits = after_0x(text);
	struct ic_error unwanted;
	uint64_t number;
	bool too_large;

	if (!err)
		err = &unwanted;
	if (parse_hex(digits, digits + strlen(digits), &number, &too_large))
		return too_large ? explain(err, "number does not fit in 64 bits")
				 : place_number(addresses, number, address, err);
	if (!*text)
		return explain(err, "empty line");
	return parse_name(addresses, text, address, err);
}

static bool take_section(struct ic_addresses *addresses, const char *name, struct ic_error *err)
{
	enum found found = find_section(addresses, name, &addresses->own_window, err);

	addresses->has_own_window = found == FOUND_ONE;
	if (found == FOUND_NONE)
		ic_fail(err, IC_ERROR_NOT_FOUND, "no section '%s' is loaded into memory", name);
	return found == FOUND_ONE;
}

static bool begin_addresses(struct ic_addresses *addresses, struct ic_error *err)
{
	if (!list_sections(addresses))
		return ic_fail_memory(err);
	if (addresses->options.section)
		return take_section(addresses, addresses->options.section, err);
	for (uint32_t i = 0; addresses->filled_count == 1 && i < addresses->sections.count; i++) {
		const struct section *only = &addresses->sections.items[i];
		if (only->size == 0)
			continue;
		addresses->own_window = (struct window){ 0, only->start, only->size, only->name };
		addresses->has_own_window = true;
	}
	return true;
}

struct ic_addresses *ic_addresses_new(struct ic_symbolizer *symbolizer,
				      const struct ic_addresses_options *options,
				      struct ic_error *err)
{
	struct ic_addresses *addresses = calloc(1, sizeof(*addresses));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!addresses) {
		ic_fail_memory(err);
		return NULL;
	}
	addresses->symbolizer = symbolizer;
	if (options)
		addresses->options = *options;
	if (begin_addresses(addresses, err))
		return addresses;
	ic_addresses_free(addresses);
	return NULL;
}

void ic_addresses_free(struct ic_addresses *addresses)
{
	if (!addresses)
		return;
	IC_ARRAY_FREE(&addresses->sections);
	IC_ARRAY_FREE(&addresses->name);
	IC_ARRAY_FREE(&addresses->names);
	ic_arena_free(&addresses->arena);
	free(addresses);
}
