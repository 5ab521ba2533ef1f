#include "probe/place.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "base/search.h"
#include "elf/image/image.h"
#include "text/text.h"

#include <inlinecall/extra/image.h>

enum { LONGEST_MODULE_NAME = 56 }; // MODULE_NAME_LEN, with its NUL

struct known_name {
	const char *name;
	uint64_t start;
	bool is_ambiguous;
};

struct closed { // code without probes
	struct ic_range range;
	const char *why;
};

struct ic_probe_places {
	const struct ic_index *index;
	bool is_kernel, is_go;
	// The entries of functions that the kernel can trace; NULL if unknown.
	uint64_t *traced;
	size_t traced_count;
	char module[LONGEST_MODULE_NAME];
	IC_ARRAY(struct closed) closed;
	IC_ARRAY(struct known_name) names;
	struct ic_map by_hash; // the last name with each hash
};

#define NOT_PROBED "the kernel does not allow probes in "

// In a module, code in these sections is closed; in a kernel, the code between the symbols around
// their former contents.
static const struct {
	const char *section, *start, *end, *why;
} closed_code[] = {
	{ ".kprobes.text", "__kprobes_text_start", "__kprobes_text_end",
	  NOT_PROBED "code that kprobes themselves use (.kprobes.text)" },
	{ ".noinstr.text", "__noinstr_text_start", "__noinstr_text_end",
	  NOT_PROBED "code that must not be instrumented (.noinstr.text)" },
	{ ".entry.text", "__entry_text_start", "__entry_text_end",
	  NOT_PROBED "its entry code (.entry.text)" },
	{ ".init.text", "_sinittext", "_einittext",
	  "its code is freed after the kernel or module is initialised (.init.text)" },
};

// Finds the name that the kernel will give the module: it is in .modinfo, among NUL-terminated
// strings.
static void find_module(struct ic_probe_places *places, struct ic_image *image)
{
	static const char key[] = "name=";
	const void *bytes;
	size_t size, length;

	if (!ic_image_section(image, ".modinfo", &bytes, &size, NULL))
		return;
	for (size_t at = 0; at < size; at += length + 1) {
		const char *text = (const char *)bytes + at;
		length = strnlen(text, size - at);
		if (length <= strlen(key) || memcmp(text, key, strlen(key)) != 0 ||
		    length - strlen(key) >= sizeof(places->module))
			continue;
		memcpy(places->module, text + strlen(key), length - strlen(key));
		for (char *byte = places->module; *byte; byte++)
			if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_",
				    *byte))
				*byte = '_';
		return;
	}
}

static bool take_start(void *context, const struct ic_symbol *symbol)
{
	*(uint64_t *)context = symbol->start;
	return false;
}

static bool take_symbol(void *context, const struct ic_symbol *symbol)
{
	*(struct ic_symbol *)context = *symbol;
	return false;
}

static uint64_t find_mark(const struct ic_index *index, const char *name)
{
	uint64_t addr = IC_NO_ADDR;

	ic_index_symbols_named(index, name, take_start, &addr);
	return addr;
}

static bool find_closed(struct ic_probe_places *places)
{
	for (size_t i = 0; i < sizeof(closed_code) / sizeof(*closed_code); i++) {
		uint64_t start = find_mark(places->index, closed_code[i].start);
		uint64_t end = find_mark(places->index, closed_code[i].end);
		if (start == IC_NO_ADDR || end == IC_NO_ADDR || start >= end)
			continue;
		struct closed *closed = IC_ARRAY_PUSH(&places->closed);
		if (!closed)
			return false;
		*closed = (struct closed){ { start, end }, closed_code[i].why };
	}
	return true;
}

// Reads the table of traceable functions. If its addresses are not in the code, as in a file that
// was moved, it is ignored. Returns false if memory runs out.
static bool find_traced(struct ic_probe_places *places, struct ic_image *image)
{
	struct ic_error err;

	if (!ic_image_traced_functions(image, &places->traced, &places->traced_count, &err))
		return err.code != IC_ERROR_MEMORY;
	if (places->traced_count == 0 ||
	    !ic_range_set_find(&places->index->code, places->traced[places->traced_count - 1]))
		places->traced_count = 0;
	return true;
}

// Whether the kernel can trace a function at these addresses.
static bool is_traced(const struct ic_probe_places *places, const struct ic_symbol *symbol)
{
	uint32_t found = ic_search_up_to(places->traced, sizeof(*places->traced),
					 (uint32_t)places->traced_count, symbol->end - 1);

	return found > 0 && places->traced[found - 1] >= symbol->start;
}

// Decides like Linux's trace_kprobe.c: for a part of a function, such as "f.cold", the function
// decides.
static bool is_in_traced(const struct ic_probe_places *places, uint64_t addr)
{
	struct ic_symbol symbol, whole = { .name = NULL };
	char name[256];

	if (places->traced_count == 0 ||
	    !ic_index_symbol_of(places->index, (struct ic_range){ addr, addr + 1 }, NULL,
				&symbol) ||
	    symbol.end <= symbol.start || is_traced(places, &symbol))
		return true;
	size_t length = strcspn(symbol.name, ".");
	if (symbol.name[length] != '.' || length >= sizeof(name))
		return false;
	memcpy(name, symbol.name, length);
	name[length] = '\0';
	ic_index_symbols_named(places->index, name, take_symbol, &whole);
	return whole.name && is_traced(places, &whole);
}

struct ic_probe_places *ic_probe_places_new(struct ic_image *image, const struct ic_index *index)
{
	struct ic_probe_places *places = calloc(1, sizeof(*places));

	if (!places)
		return NULL;
	places->index = index;
	places->is_go = ic_image_is_go(image);
	if (ic_image_is_relocatable(image))
		places->is_kernel = ic_image_has_section(image, ".gnu.linkonce.this_module") ||
				    ic_image_has_section(image, ".modinfo");
	else
		places->is_kernel = ic_image_has_section(image, "__ksymtab") ||
				    ic_image_has_section(image, ".init.text");
	if (!places->is_kernel)
		return places;
	if (ic_image_is_relocatable(image))
		find_module(places, image);
	else if (!find_closed(places) || !find_traced(places, image)) {
		ic_probe_places_free(places);
		return NULL;
	}
	return places;
}

void ic_probe_places_free(struct ic_probe_places *places)
{
	if (!places)
		return;
	free(places->traced);
	IC_ARRAY_FREE(&places->closed);
	IC_ARRAY_FREE(&places->names);
	ic_map_free(&places->by_hash);
	free(places);
}

bool ic_probe_places_is_kernel(const struct ic_probe_places *places)
{
	return places->is_kernel;
}

bool ic_probe_places_is_go(const struct ic_probe_places *places)
{
	return places->is_go;
}

const char *ic_probe_places_module(const struct ic_probe_places *places)
{
	return places->module[0] ? places->module : NULL;
}

const char *ic_probe_place_fault(const struct ic_probe_places *places, uint64_t addr)
{
	struct ic_index_section section;

	for (uint32_t i = 0; i < places->closed.count; i++)
		if (addr - places->closed.items[i].range.start <
		    places->closed.items[i].range.end - places->closed.items[i].range.start)
			return places->closed.items[i].why;
	if (places->is_kernel && !is_in_traced(places, addr))
		return NOT_PROBED "functions that cannot be traced (notrace)";
	if (!places->is_kernel || !ic_index_section_find(places->index, addr, &section))
		return NULL;
	if (!places->module[0])
		return "the name of the module is not in the file";
	for (size_t i = 0; i < sizeof(closed_code) / sizeof(*closed_code); i++)
		if (strcmp(section.name, closed_code[i].section) == 0)
			return closed_code[i].why;
	return NULL;
}

// ---- Names

struct question {
	uint64_t start;
	bool is_ambiguous;
};

static bool take_same_name(void *context, const struct ic_symbol *symbol)
{
	struct question *question = context;

	question->is_ambiguous = symbol->start != question->start;
	return !question->is_ambiguous;
}

bool ic_probe_places_is_ambiguous(struct ic_probe_places *places, const char *symbol,
				  uint64_t start, bool *is_ambiguous)
{
	struct question question = { start, false };
	uint32_t *number = ic_map_at(&places->by_hash, ic_text_hash(symbol));

	if (!number)
		return false;
	if (*number != IC_NONE && strcmp(places->names.items[*number].name, symbol) == 0 &&
	    places->names.items[*number].start == start) {
		*is_ambiguous = places->names.items[*number].is_ambiguous;
		return true;
	}
	ic_index_symbols_named(places->index, symbol, take_same_name, &question);
	struct known_name *known = IC_ARRAY_PUSH(&places->names);
	if (!known)
		return false;
	*known = (struct known_name){ symbol, start, question.is_ambiguous };
	*number = places->names.count - 1;
	*is_ambiguous = question.is_ambiguous;
	return true;
}
