#include "addr_space.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_CANDIDATES = 16,
	MOST_SYMBOLS = 64, // that are looked at for these
	// Kernels say how far it is to the next symbol; functions are aligned, and have padding
	// before them.
	MOST_PADDING = 128,
};

struct request { // the parts of a text
	const char *name;
	uint64_t offset;
	uint64_t size; // 0 where not said
};

__attribute__((format(printf, 2, 3))) static bool explain(char *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, CLI_ADDR_WHY_SIZE, format, args);
	va_end(args);
	return false;
}

static int compare_sections(const void *left, const void *right)
{
	const struct cli_addr_section *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static bool list_sections(struct cli_addr_space *space)
{
	struct ic_index_section section;
	size_t number = 0, capacity = 0;
	uint64_t size;

	while (ic_symbolizer_section_get(space->symbolizer, number++, &section, &size)) {
		if (space->section_count == capacity) {
			capacity = capacity ? 2 * capacity : 64;
			void *grown = realloc(space->sections, capacity * sizeof(*space->sections));
			if (!grown)
				return false;
			space->sections = grown;
		}
		space->sections[space->section_count++] =
			(struct cli_addr_section){ section.name, section.start, size };
		space->filled_count += size > 0;
	}
	if (space->section_count > 0)
		qsort(space->sections, space->section_count, sizeof(*space->sections),
		      compare_sections);
	return true;
}

static const struct cli_addr_section *find_listed(const struct cli_addr_space *space,
						  const char *name)
{
	const struct cli_addr_section wanted = { .name = name };

	return space->section_count == 0 ? NULL
					 : bsearch(&wanted, space->sections, space->section_count,
						   sizeof(*space->sections), compare_sections);
}

// The first of the names "NAME[7]", by which sections of one name are told apart.
static const char *numbered_name(const struct cli_addr_space *space, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < space->section_count; i++)
		if (!strncmp(space->sections[i].name, name, length) &&
		    space->sections[i].name[length] == '[')
			return space->sections[i].name;
	return NULL;
}

enum found { FOUND_NONE, FOUND_ONE, FOUND_MANY };

// A section by its name, which the window borrows.
static enum found find_section(const struct cli_addr_space *space, const char *name,
			       struct cli_addr_window *window, char *why)
{
	const struct cli_addr_section *listed = find_listed(space, name);
	struct ic_symbolizer_section section, other;

	if (listed) {
		*window = (struct cli_addr_window){ 0, listed->start, listed->size, listed->name };
		return FOUND_ONE;
	}
	if (!ic_symbolizer_section_find(space->symbolizer, name, 0, &section))
		return FOUND_NONE;
	if (ic_symbolizer_section_find(space->symbolizer, name, 1, &other)) {
		const char *one = numbered_name(space, name);
		explain(why, "several sections are called %s%s%s", name,
			one ? "; they are told apart by number, as in " : "", one ? one : "");
		return FOUND_MANY;
	}
	*window = (struct cli_addr_window){ 0, section.start, section.size, name };
	return FOUND_ONE;
}

static void use_window(struct cli_addr_space *space)
{
	space->has_own_window = true;
}

static bool take_section(struct cli_addr_space *space, const char *name)
{
	char why[CLI_ADDR_WHY_SIZE];
	enum found found = find_section(space, name, &space->own_window, why);

	if (found == FOUND_NONE)
		cli_complain("%s: has no section '%s' that is loaded into memory", space->path,
			     name);
	else if (found == FOUND_MANY)
		cli_complain("%s: --section: %s", space->path, why);
	else
		use_window(space);
	return found == FOUND_ONE;
}

bool cli_addr_space_begin(struct cli_addr_space *space, const char *section)
{
	if (!list_sections(space)) {
		cli_complain("out of memory");
		return false;
	}
	if (section)
		return take_section(space, section);
	for (size_t i = 0; space->filled_count == 1 && i < space->section_count; i++) {
		const struct cli_addr_section *only = &space->sections[i];
		if (only->size == 0)
			continue;
		space->own_window =
			(struct cli_addr_window){ 0, only->start, only->size, only->name };
		use_window(space);
	}
	return true;
}

void cli_addr_space_end(struct cli_addr_space *space)
{
	free(space->sections);
}

static int hex_digit(char character)
{
	if (character >= '0' && character <= '9')
		return character - '0';
	if (character >= 'a' && character <= 'f')
		return character - 'a' + 10;
	if (character >= 'A' && character <= 'F')
		return character - 'A' + 10;
	return -1;
}

// The digits of a hexadecimal number, up to `end`; false where there is something else, or none.
static bool parse_hex(const char *text, const char *end, uint64_t *number, bool *too_large)
{
	*number = 0;
	*too_large = false;
	if (text == end)
		return false;
	for (; text < end; text++) {
		int digit = hex_digit(*text);
		if (digit < 0)
			return false;
		*too_large |= *number >> 60 != 0;
		*number = *number << 4 | (uint64_t)digit;
	}
	return true;
}

static const char *behind_0x(const char *text)
{
	return text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? text + 2 : text;
}

// An offset of the window is an address to look up, unless it is outside, as the byte before the
// first one is too.
static void place(const struct cli_addr_space *space, const struct cli_addr_window *window,
		  uint64_t offset, struct cli_addr *addr)
{
	uint64_t back = space->are_return_addrs;

	addr->outside = offset - back >= window->size;
	addr->lookup = addr->outside ? 0 : window->start + (offset - back);
	addr->shown = window->section ? offset : window->given + offset;
	addr->section = window->section;
}

static bool ask_for_section(const struct cli_addr_space *space, uint64_t number, char *why)
{
	const struct cli_addr_section *example = find_listed(space, ".text");

	if (!example || example->size == 0)
		for (example = space->sections; example->size == 0;)
			example++;
	return explain(why,
		       "an offset in which of %zu sections? Give %s+0x%" PRIx64 ", or --section=%s",
		       space->filled_count, example->name, number, example->name);
}

static bool place_number(const struct cli_addr_space *space, uint64_t number, struct cli_addr *addr,
			 char *why)
{
	const struct cli_addr_window whole = { 0, 0, UINT64_MAX, NULL };
	uint64_t back = space->are_return_addrs;

	bool is_own = space->has_own_window && space->window_count == 0;

	if (!is_own && space->window_count == 0 && space->filled_count > 1)
		return ask_for_section(space, number, why);
	if (!is_own && space->window_count == 0) {
		place(space, &whole, number, addr);
		return true;
	}
	size_t count = is_own ? 1 : space->window_count;
	const char *section = is_own ? space->own_window.section : NULL;
	for (size_t i = 0; i < count; i++) {
		struct cli_addr_window window = space->own_window;
		if (!is_own)
			window = (struct cli_addr_window){ space->windows[i].given,
							   space->windows[i].start,
							   space->windows[i].size, NULL };
		if (number >= window.given && number - window.given >= back &&
		    number - window.given - back < window.size) {
			place(space, &window, number - window.given, addr);
			return true;
		}
	}
	*addr = (struct cli_addr){ .outside = true, .shown = number, .section = section };
	return true;
}

struct candidates {
	struct ic_symbolizer_symbol symbols[MOST_CANDIDATES];
	size_t count;
	bool are_more;
};

// Adds a symbol, unless one at its address is there: a file may have it in two tables.
static void add_candidate(struct candidates *candidates, const struct ic_symbolizer_symbol *symbol)
{
	for (size_t i = 0; i < candidates->count; i++)
		if (candidates->symbols[i].start == symbol->start)
			return;
	candidates->are_more |= candidates->count == MOST_CANDIDATES;
	if (candidates->count < MOST_CANDIDATES)
		candidates->symbols[candidates->count++] = *symbol;
}

// Those whose function the name means: clones, and what is mangled.
static void find_meant(const struct cli_addr_space *space, const char *name,
		       struct candidates *candidates)
{
	struct ic_symbolizer_symbol symbols[MOST_SYMBOLS];
	size_t count = ic_symbolizer_symbols_match(space->symbolizer, name, symbols, MOST_SYMBOLS);

	candidates->are_more = count > MOST_SYMBOLS;
	for (size_t i = 0; i < count && i < MOST_SYMBOLS; i++)
		add_candidate(candidates, &symbols[i]);
}

// Those of the name, or if there are none, those that it means.
static void find_candidates(const struct cli_addr_space *space, const char *name,
			    struct candidates *candidates)
{
	struct ic_symbolizer_symbol symbol;
	uint32_t number = 0;

	while (number < MOST_SYMBOLS && !candidates->are_more &&
	       ic_symbolizer_symbol_find(space->symbolizer, name, number, &symbol)) {
		add_candidate(candidates, &symbol);
		number++;
	}
	candidates->are_more |= number == MOST_SYMBOLS;
	if (number == 0)
		find_meant(space, name, candidates);
}

// How well a symbol is what was asked for: 0 not at all, 2 to the byte.
static int rate(const struct cli_addr_space *space, const struct ic_symbolizer_symbol *symbol,
		const struct request *request)
{
	uint64_t size = symbol->end - symbol->start;
	uint64_t most = request->size ? request->size : size;

	if (request->size && size > 0 &&
	    (size > request->size || request->size - size >= MOST_PADDING))
		return 0;
	if (most > 0 && request->offset > 0 && request->offset - space->are_return_addrs >= most)
		return 0;
	return request->size && size == request->size ? 2 : 1;
}

static void describe(const struct cli_addr_space *space, const struct candidates *candidates,
		     const char *name, char *text, size_t size)
{
	size_t used = 0;

	text[0] = 0;
	for (size_t i = 0; i < candidates->count && used < size; i++) {
		const struct ic_symbolizer_symbol *symbol = &candidates->symbols[i];
		struct ic_index_section section = { .name = NULL };
		bool is_other = strcmp(symbol->name, name) != 0;
		ic_symbolizer_section_at(space->symbolizer, symbol->start, &section);
		used += (size_t)snprintf(
			text + used, size - used, "%s%s%s%s%s0x%" PRIx64 " (0x%" PRIx64 " bytes)",
			i > 0 ? ", " : "", is_other ? symbol->name : "", is_other ? " at " : "",
			section.name ? section.name : "", section.name ? "+" : "",
			symbol->start - section.start, symbol->end - symbol->start);
	}
	if (candidates->are_more && used < size)
		snprintf(text + used, size - used, ", ...");
}

// In a relocatable file the address is an offset in the symbol's section, and in no other one.
static bool place_symbol(const struct cli_addr_space *space,
			 const struct ic_symbolizer_symbol *symbol, uint64_t offset,
			 struct cli_addr *addr, char *why)
{
	struct cli_addr_window window = { 0, 0, UINT64_MAX, NULL };
	struct ic_index_section section;
	uint64_t sum;

	if (ic_symbolizer_section_at(space->symbolizer, symbol->start, &section)) {
		const struct cli_addr_section *listed = find_listed(space, section.name);
		uint64_t size = listed ? listed->size : 0;
		window = (struct cli_addr_window){ 0, section.start, size, section.name };
	} else if (space->section_count > 0) {
		return explain(why, "%s is in no section of code", symbol->name);
	}
	if (__builtin_add_overflow(symbol->start - window.start, offset, &sum))
		return explain(why, "more than 64 bits");
	place(space, &window, sum, addr);
	return true;
}

// Explains why a name is not found, with the names most like it. An inlined function has no symbol,
// so the command that lists its copies is named too. After a few names it says only that there is
// no such name, since each costs a look at all names. Of a file with problems nothing is said: the
// name may be one that cannot be read.
static bool explain_name(const struct cli_addr_space *space, const char *name, char *why)
{
	enum { MOST_NAMES = 3 };
	const char *names[MOST_NAMES];
	bool has_number = strchr(name, '+') != NULL;
	bool is_name = !has_number && (*name == '_' || isalpha((unsigned char)*name));
	struct ic_index_problem problem;
	bool is_helped = is_name && space->names_explained < CLI_ADDR_MOST_EXPLAINED;

	if (ic_symbolizer_problem_get(space->symbolizer, 0, &problem))
		return explain(why,
			       "whether a symbol or section is called %.200s cannot be known: a "
			       "part of the file cannot be read",
			       name);
	size_t count =
		is_helped ? ic_symbolizer_nearest_names(space->symbolizer, name, names, MOST_NAMES)
			  : 0;
	int used = snprintf(why, CLI_ADDR_WHY_SIZE, "no symbol or section is called %.200s%s", name,
			    has_number  ? " (an offset begins with 0x)"
			    : count > 1 ? "; the nearest names are "
			    : count > 0 ? "; the nearest name is "
					: "");

	for (size_t i = 0; i < count && used < CLI_ADDR_WHY_SIZE; i++)
		used += snprintf(why + used, (size_t)(CLI_ADDR_WHY_SIZE - used), "%s%.64s",
				 i > 0 ? ", " : "", names[i]);
	if (is_helped && used < CLI_ADDR_WHY_SIZE)
		snprintf(why + used, (size_t)(CLI_ADDR_WHY_SIZE - used),
			 "; if it was inlined, 'inlinecall sites' lists its copies");
	return false;
}

static bool take_symbol(struct cli_addr_space *space, const struct request *request,
			struct cli_addr *addr, char *why)
{
	struct candidates all = { .count = 0 }, best = { .count = 0 };
	char list[300];
	int best_rate = 1;

	find_candidates(space, request->name, &all);
	for (size_t i = 0; i < all.count; i++) {
		int rating = rate(space, &all.symbols[i], request);
		if (rating > best_rate) {
			best.count = 0;
			best_rate = rating;
		}
		if (rating == best_rate)
			best.symbols[best.count++] = all.symbols[i];
	}
	addr->not_found = all.count == 0;
	if (addr->not_found) {
		explain_name(space, request->name, why);
		space->names_explained++;
		return false;
	}
	if (best.count == 1 && !all.are_more)
		return place_symbol(space, &best.symbols[0], request->offset, addr, why);
	best.are_more = all.are_more;
	describe(space, best.count > 0 ? &best : &all, request->name, list, sizeof(list));
	if (best.count > 0)
		return explain(why, "which of these is meant: %s? SYMBOL+0xOFFSET/0xSIZE says it",
			       list);
	return explain(why, "%s %s: %s", request->name,
		       request->size ? "has another size" : "ends before that", list);
}

// Cuts the last "+0xOFFSET" or "+0xOFFSET/0xSIZE" off; the place of the '+', NULL where there is
// none.
static char *split(char *text, struct request *request, bool *too_large)
{
	char *plus = strrchr(text, '+'), *slash = plus ? strchr(plus, '/') : NULL;
	const char *end = plus ? plus + strlen(plus) : NULL, *size = slash ? slash + 1 : end;
	bool large = false, larger = false;

	*request = (struct request){ .name = text };
	if (!plus || behind_0x(plus + 1) == plus + 1 || (slash && behind_0x(size) == size) ||
	    !parse_hex(plus + 3, slash ? slash : end, &request->offset, &large) ||
	    (slash && !parse_hex(size + 2, end, &request->size, &larger))) {
		*request = (struct request){ .name = text };
		return NULL;
	}
	*too_large = large || larger;
	*plus = 0;
	return plus;
}

bool cli_addr_parse(struct cli_addr_space *space, char *text, struct cli_addr *addr, char *why)
{
	struct cli_addr_window window;
	struct request request;
	const char *digits = behind_0x(text);
	uint64_t number;
	bool too_large = false;

	addr->not_found = false;
	if (parse_hex(digits, digits + strlen(digits), &number, &too_large))
		return too_large ? explain(why, "more than 64 bits")
				 : place_number(space, number, addr, why);
	if (!*text)
		return explain(why, "an empty line");
	char *plus = split(text, &request, &too_large);
	enum found found = find_section(space, request.name, &window, why);
	bool ok = false;
	if (too_large)
		explain(why, "more than 64 bits");
	else if (found == FOUND_NONE)
		ok = take_symbol(space, &request, addr, why);
	else if (found == FOUND_ONE)
		ok = true, place(space, &window, request.offset, addr);
	if (!ok && plus)
		*plus = '+';
	return ok;
}
