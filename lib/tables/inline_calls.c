#include "tables/inline_builder.h"

#include <ctype.h>

#include "read/function.h"
#include "read/pc.h"
#include "text/clone_name.h"

// ---- Functions

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

// Whether a query's name, which may be that of a clone, may match a function of BTF. The query
// makes the final decision, also for names that are not identifiers.
static bool can_mean(const char *wanted, const char *name)
{
	size_t length = 0;

	while (is_word_char(wanted[length]))
		length++;
	if (length == 0 || (wanted[length] && wanted[length] != '.'))
		return true;
	return strncmp(wanted, name, length) == 0 || strpbrk(name, ":<[(");
}

static bool is_wanted(const char *const *wanted, const char *name)
{
	bool any = false;

	for (; name && *wanted && !any; wanted++)
		any = can_mean(*wanted, name);
	return any;
}

static uint32_t type_count(const struct ic_inline_builder *builder)
{
	const struct ic_btf *types = builder->table->types;

	return types ? ic_btf_count(types) : 0;
}

// Numbers the callers by name.
static uint32_t caller_named(struct ic_inline_builder *builder, const char *name)
{
	if (!name)
		return IC_NONE;
	uint32_t caller = ic_callers_add(&builder->callers, name);
	while (caller != IC_NONE && builder->functions.count <= caller) {
		uint32_t *function = IC_ARRAY_PUSH(&builder->functions);
		if (!function) {
			builder->callers.out_of_memory = true;
			return IC_NONE;
		}
		*function = IC_NONE;
	}
	return caller;
}

// Finds or adds a function of the model. Its identity is its type number, if it has one.
static uint32_t function_of(struct ic_inline_builder *builder, uint64_t identity, const char *name)
{
	struct ic_stream *stream = builder->stream;
	uint32_t number = ic_function_of(stream, identity);

	if (number == IC_NONE || stream->built.functions.items[number].name || !name)
		return number;
	stream->built.functions.items[number].name = name;
	uint32_t caller = caller_named(builder, name);
	if (caller != IC_NONE && builder->functions.items[caller] == IC_NONE)
		builder->functions.items[caller] = number;
	return number;
}

// Adds the wanted functions of BTF, including those not inlined anywhere.
static bool choose_functions(struct ic_inline_builder *builder)
{
	const struct ic_read_options *want = &builder->stream->reader.context->want;
	const struct ic_btf *types = builder->table->types;
	struct ic_btf_type type;

	if (want->functions)
		builder->wanted =
			ic_items_zeroed(type_count(builder) + 1ull, sizeof(*builder->wanted));
	if (want->functions && !builder->wanted)
		return false;
	for (uint32_t id = 1; id < type_count(builder); id++) {
		if (!ic_btf_type_find(types, id, &type) || type.kind != IC_BTF_FUNC)
			continue;
		const char *name = ic_btf_string(types, type.name_off);
		bool is_unwanted = want->functions && !is_wanted(want->functions, name);
		if (builder->wanted)
			builder->wanted[id] = is_unwanted ? IC_CHOICE_UNWANTED : IC_CHOICE_WANTED;
		if (is_unwanted)
			continue;
		if (function_of(builder, id, name) == IC_NONE)
			return false;
	}
	return true;
}

// ---- Calls

void ic_inline_lack_as(struct ic_inline_builder *builder, enum ic_lack lack, uint32_t number,
		       const char *name)
{
	if (builder->lacks[lack].count++ > 0)
		return;
	builder->lacks[lack].first_off = builder->table->records[number].off;
	builder->lacks[lack].name = name;
}

void ic_inline_lack(struct ic_inline_builder *builder, enum ic_lack lack, uint32_t number,
		    uint32_t caller)
{
	ic_inline_lack_as(builder, lack, number,
			  caller == IC_NONE ? NULL : builder->callers.list.items[caller].name);
}

struct faults { // faults of one call
	enum ic_btf_inline_fault first;
	bool any;
};

static void take_fault(void *context, enum ic_btf_inline_fault fault, uint64_t off)
{
	struct faults *faults = context;

	(void)off;
	// A callee that is not a function is reported separately, and the call is left out.
	if (!faults->any && fault != IC_BTF_FAULT_CALLEE)
		*faults = (struct faults){ fault, true };
}

// Calls share lists, and a damaged list may shift the numbers of all others, so the table as a
// whole is reported.
static void check_lists(struct ic_inline_builder *builder)
{
	struct faults faults = { .any = false };

	builder->check.context = &faults;
	ic_btf_check_lists(&builder->check);
	builder->is_strange = builder->table->is_strange || faults.any;
}

static void check_call(struct ic_inline_builder *builder, uint32_t number)
{
	struct faults faults = { .any = false };

	builder->check.context = &faults;
	ic_btf_check_call(&builder->check, number);
	if (faults.any)
		ic_inline_lack_as(builder, IC_LACK_SOUND, number,
				  ic_btf_inline_fault_text(faults.first));
}

// The section in which a LOCSEC's offsets count, named ".text" or "inline.text". NULL if there is
// not exactly one.
static const struct ic_section *section_of(const struct ic_inline_builder *builder,
					   const char *name)
{
	static const char prefix[] = "inline";
	const struct ic_elf_file *file = ic_image_dwarf_file(builder->image);
	const struct ic_section *found = NULL;

	if (name && strncmp(name, prefix, strlen(prefix)) == 0)
		name += strlen(prefix);
	for (uint32_t i = 0; name && *name == '.' && i < file->section_count; i++) {
		if (strcmp(file->sections[i].name, name) != 0)
			continue;
		if (found)
			return NULL;
		found = &file->sections[i];
	}
	return found && ic_section_is_code(found) ? found : NULL;
}

// The address of a call that a LOCSEC lists; only such calls have a section.
static uint64_t addr_of(const struct ic_inline_builder *builder,
			const struct ic_btf_inline_site *site)
{
	const struct ic_section *in = section_of(builder, site->section);

	return in ? in->addr + site->offset : IC_NO_ADDR;
}

// The function that the symbol at an address belongs to.
static uint32_t caller_at(struct ic_inline_builder *builder, uint64_t addr)
{
	struct ic_symbol symbol;

	if (!builder->symbols ||
	    !builder->symbols->find(builder->symbols, (struct ic_range){ addr, addr + 1 }, NULL,
				    &symbol))
		return IC_NONE;
	const char *suffix = ic_clone_suffix(symbol.name), *name = symbol.name;
	if (suffix) {
		size_t length = (size_t)(suffix - name);
		char *stem = ic_arena_alloc(builder->stream->reader.arena, length + 1);
		builder->callers.out_of_memory |= !stem;
		if (!stem)
			return IC_NONE;
		memcpy(stem, name, length);
		stem[length] = 0;
		name = stem;
	}
	uint32_t caller = caller_named(builder, name);
	// One that BTF lacks is only known by its name.
	if (caller != IC_NONE && builder->functions.items[caller] == IC_NONE)
		(void)function_of(builder, (uint64_t)type_count(builder) + caller, name);
	return caller;
}

// Finds the inlined function; IC_NONE for void, which stands for one that is not in BTF. Returns
// false if the number is invalid or memory runs out.
static bool find_callee(struct ic_inline_builder *builder, const struct ic_btf_inline_site *site,
			uint32_t *callee)
{
	const struct ic_btf *types = builder->table->types;
	struct ic_btf_function function;

	*callee = IC_NONE;
	if (site->callee == 0)
		return true;
	if (!types || (site->callee_name && ic_btf_function(types, site->callee, &function)))
		*callee = function_of(builder, site->callee, site->callee_name);
	return *callee != IC_NONE;
}

static bool add_call(struct ic_inline_builder *builder, uint32_t number)
{
	bool has_callers = ic_btf_inline_format(builder->table) == IC_BTF_INLINE_RFC;
	struct ic_btf_inline_site site;

	ic_btf_inline_get(builder->table, number, &site);
	check_call(builder, number);
	uint32_t function;
	if (!find_callee(builder, &site, &function)) {
		ic_inline_lack(builder, IC_LACK_FUNCTION, number, IC_NONE);
		return !builder->stream->reader.out_of_memory;
	}
	if (function != IC_NONE)
		builder->stream->built.functions.items[function].inlining = IC_INLINING_INLINED;
	else
		ic_inline_lack(builder, IC_LACK_VOID, number, IC_NONE);
	struct ic_inline_call *call = IC_ARRAY_PUSH(&builder->calls);
	if (!call)
		return false;
	*call = (struct ic_inline_call){ .number = number,
					 .function = function,
					 .caller = IC_NONE,
					 .entry = addr_of(builder, &site) };
	if (has_callers && site.caller_name) {
		call->caller = caller_named(builder, site.caller_name);
		return function_of(builder, site.caller, site.caller_name) != IC_NONE;
	}
	if (call->entry != IC_NO_ADDR && !ic_pc_is_code(&builder->stream->reader, call->entry)) {
		call->entry = IC_NO_ADDR;
		ic_inline_lack(builder, IC_LACK_CODE, number, IC_NONE);
	} else if (call->entry != IC_NO_ADDR) {
		call->caller = caller_at(builder, call->entry);
	} else {
		ic_inline_lack(builder, has_callers ? IC_LACK_SYMBOL : IC_LACK_BASE, number,
			       IC_NONE);
	}
	return !builder->stream->reader.out_of_memory;
}

static bool add_calls(struct ic_inline_builder *builder)
{
	const struct ic_btf_inline *table = builder->table;

	for (uint32_t i = 0; i < table->record_count; i++) {
		if (builder->wanted) {
			uint32_t callee = ic_btf_inline_callee(table, i);
			bool is_type = callee < type_count(builder);
			if (is_type && builder->wanted[callee] == IC_CHOICE_UNWANTED)
				continue;
		}
		if (!add_call(builder, i))
			return false;
	}
	return true;
}

bool ic_inline_calls_list(struct ic_inline_builder *builder)
{
	struct ic_error err;

	builder->check = (struct ic_btf_check){ .table = builder->table, .take = take_fault };
	bool ok = ic_btf_check_begin(&builder->check, &err);
	if (ok)
		check_lists(builder);
	ok = ok && choose_functions(builder) && add_calls(builder);
	ic_btf_check_end(&builder->check);
	return ok;
}
