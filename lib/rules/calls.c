// Rules about calls.
#include "rules/checker.h"
#include "rules/code_calls.h"

// ---- Calls that the debug information describes

static bool break_at_call(struct ic_rule_checker *checker, uint32_t rule, uint32_t unit,
			  const struct ic_call *call, uint32_t host)
{
	const struct ic_unit_model *model = &checker->index->units[unit];
	struct ic_rule_break broken = { .what = "called",
					.call_line = call->call_line,
					.call_column = call->call_column };

	if (call->call_file != IC_NONE)
		broken.call_file = model->files[call->call_file];
	return ic_rule_checker_break(checker, rule, broken, &model->functions[call->function],
				     ic_rule_checker_function(model, host), call->addr);
}

static bool take_call_of(struct ic_rule_checker *checker, uint32_t rule, uint32_t unit,
			 const struct ic_call *call, uint32_t host)
{
	const struct ic_rule_item *item = &checker->rules->items.items[rule];
	uint32_t around = host == IC_NONE ? IC_NONE
					  : ic_rule_checker_definition(checker, unit, host);

	if (!checker->is_about[rule] ||
	    (item->kind != IC_RULE_NO_CALL && item->kind != IC_RULE_ALWAYS_INLINE) ||
	    (around != IC_NONE && ic_rule_checker_excepts(checker, item, around)))
		return true;
	if (item->kind == IC_RULE_NO_CALL &&
	    (around == IC_NONE ||
	     !ic_rule_subject_list_has(ic_rule_subjects_of(&checker->subjects, around),
				       item->host)))
		return true;
	return break_at_call(checker, rule, unit, call, host);
}

static bool take_call(struct ic_rule_checker *checker, uint32_t unit, const struct ic_call *call)
{
	const struct ic_unit_model *model = &checker->index->units[unit];
	uint32_t definition =
		ic_definition_of_function(&checker->definitions, unit, call->function);
	struct ic_rule_subject_list list;

	if (call->function == IC_NONE)
		return true;
	if (definition != IC_NONE)
		list = ic_rule_subjects_of(&checker->subjects, definition);
	else if (!ic_rule_subjects_declared(&checker->subjects, &model->functions[call->function],
					    &list))
		return false;
	if (list.count == 0 || ic_parts_has_call(&checker->parts, model, call))
		return true;
	uint32_t host = call->parent == IC_NONE ? IC_NONE : checker->around.items[call->parent];
	for (uint32_t i = 0; i < list.count; i++) {
		uint32_t rule = checker->first_named[list.items[i]];
		for (; rule != IC_NONE; rule = checker->next_named[rule])
			if (!take_call_of(checker, rule, unit, call, host))
				return false;
	}
	return true;
}

static bool note_address(struct ic_map *map, uint64_t addr)
{
	uint32_t *place = addr == IC_NO_ADDR ? NULL : ic_map_at(map, addr);

	if (place)
		*place = 0;
	return place || addr == IC_NO_ADDR;
}

static bool wants_code_calls(void *context, uint32_t unit, uint32_t host);

// Remembers a call in a function whose code will be read.
static bool note_described(struct ic_rule_checker *checker, uint32_t unit,
			   const struct ic_call *call)
{
	struct ic_noted_host *noted = &checker->noted;
	uint32_t host = call->parent == IC_NONE ? IC_NONE : checker->around.items[call->parent];

	if (host == IC_NONE || call->function == IC_NONE)
		return true;
	if (noted->unit != unit || noted->host != host)
		*noted =
			(struct ic_noted_host){ unit, host, wants_code_calls(checker, unit, host) };
	return !noted->is_read || (note_address(&checker->described_before, call->return_addr) &&
				   note_address(&checker->described_at, call->addr));
}

bool ic_rule_checker_take_calls(struct ic_rule_checker *checker, uint32_t unit)
{
	const struct ic_unit_model *model = &checker->index->units[unit];

	for (uint32_t i = 0; i < model->call_count; i++)
		if (!take_call(checker, unit, &model->calls[i]) ||
		    !note_described(checker, unit, &model->calls[i]))
			return false;
	return true;
}

// ---- Calls that the code has

// Whether a rule is about calls, in this file.
static bool is_about_calls(const struct ic_rule_checker *checker, uint32_t rule)
{
	enum ic_rule_kind kind = checker->rules->items.items[rule].kind;

	return checker->is_about[rule] &&
	       (kind == IC_RULE_NO_CALL || kind == IC_RULE_ALWAYS_INLINE);
}

// Whether the calls of a function are known without its code. Clang says so though it describes no
// call of a library function that it knows, such as malloc() (LLVM 14 and 22).
static bool describes_all_calls(const struct ic_unit_model *unit, uint32_t host)
{
	return unit->instances[host].has_all_calls && unit->is_of_gcc;
}

// The calls of a function that must not call something are always read: no compiler describes calls
// in assembly, and GCC does not name those of an alias.
static bool wants_calls(const struct ic_rule_checker *checker, const struct ic_rule_item *item,
			uint32_t unit, uint32_t host)
{
	if (item->kind == IC_RULE_ALWAYS_INLINE)
		return item->rule.functions > 0 &&
		       !checker->index->units[unit].instances[host].has_all_calls;
	return ic_rule_subject_list_has(
		ic_rule_subjects_of(&checker->subjects,
				    ic_rule_checker_definition(checker, unit, host)),
		item->host);
}

static bool wants_code_calls(void *context, uint32_t unit, uint32_t host)
{
	struct ic_rule_checker *checker = context;
	bool any = false;

	for (uint32_t i = 0; i < checker->rules->items.count; i++) {
		struct ic_rule_item *item = &checker->rules->items.items[i];
		bool wants = is_about_calls(checker, i) && wants_calls(checker, item, unit, host);
		item->needs_code |= wants &&
				    !describes_all_calls(&checker->index->units[unit], host);
		any |= wants;
	}
	return any;
}

static bool break_at_code_call(struct ic_rule_checker *checker, uint32_t rule,
			       const struct ic_code_call *call, const struct ic_callee *callee)
{
	const struct ic_unit_model *unit = &checker->index->units[call->unit];
	const struct ic_rule_item *item = &checker->rules->items.items[rule];
	uint32_t around = ic_rule_checker_definition(checker, call->unit, call->host);
	struct ic_rule_subject_list hosts = ic_rule_subjects_of(&checker->subjects, around);
	struct ic_rule_break broken = { .what = "called" };
	struct ic_frame frame;

	if (!is_about_calls(checker, rule) || ic_rule_checker_excepts(checker, item, around) ||
	    (item->kind == IC_RULE_NO_CALL && !ic_rule_subject_list_has(hosts, item->host)))
		return true;
	if (checker->readers.symbolizer &&
	    ic_symbolizer_frames_at(checker->readers.symbolizer, call->addr, &frame, 1) > 0) {
		broken.call_file = frame.file;
		broken.call_line = frame.line;
		broken.call_column = frame.column;
	}
	if (!callee->function)
		broken.function = ic_names_demangled(&checker->names, callee->symbol);
	return ic_rule_checker_break(checker, rule, broken, callee->function,
				     ic_rule_checker_function(unit, call->host), call->addr);
}

static bool take_callee(struct ic_rule_checker *checker, const struct ic_code_call *call,
			const struct ic_callee *callee)
{
	uint32_t rule = checker->first_named[callee->subject];

	for (; rule != IC_NONE; rule = checker->next_named[rule])
		if (!break_at_code_call(checker, rule, call, callee))
			return false;
	return true;
}

// A function that has only a symbol, and the subjects that it is; the list is valid until the next
// call. False if memory runs out.
static bool match_symbol(struct ic_rule_checker *checker, const char *symbol,
			 struct ic_rule_subject_list *list)
{
	const struct ic_function function = { .linkage_name = symbol, .scope = IC_NONE };

	return ic_rule_subjects_declared(&checker->subjects, &function, list);
}

static bool take_imported(struct ic_rule_checker *checker, const struct ic_code_call *call)
{
	struct ic_rule_subject_list list;

	if (!match_symbol(checker, call->name, &list))
		return false;
	for (uint32_t i = 0; i < list.count; i++) {
		const struct ic_callee callee = { .symbol = call->name, .subject = list.items[i] };
		if (!take_callee(checker, call, &callee))
			return false;
	}
	return true;
}

static bool has_symbol(const struct ic_index *index, uint64_t addr)
{
	struct ic_symbol symbol;

	return addr != IC_NO_ADDR &&
	       ic_index_symbol_of(index, (struct ic_range){ addr, addr + 1 }, NULL, &symbol) &&
	       symbol.start == addr;
}

static bool take_code_call(void *context, const struct ic_code_call *call)
{
	struct ic_rule_checker *checker = context;
	const uint32_t *last =
		call->target == IC_NO_ADDR ? NULL : ic_map_find(&checker->by_entry, call->target);

	if (ic_map_find(&checker->described_before, call->return_addr) ||
	    ic_map_find(&checker->described_at, call->addr))
		return true;
	if (call->name)
		return take_imported(checker, call);
	checker->lacks_names |= !last && !has_symbol(checker->index, call->target);
	for (uint32_t i = last ? *last : IC_NONE; i != IC_NONE; i = checker->callees.items[i].next)
		if (!take_callee(checker, call, &checker->callees.items[i]))
			return false;
	return true;
}

// ---- Functions that are called

static bool add_callee(struct ic_rule_checker *checker, uint64_t addr, struct ic_callee callee)
{
	uint32_t *last = ic_map_at(&checker->by_entry, addr);

	if (!last)
		return false;
	for (uint32_t i = *last; i != IC_NONE; i = checker->callees.items[i].next)
		if (checker->callees.items[i].subject == callee.subject)
			return true;
	callee.next = *last;
	*last = checker->callees.count;
	return IC_ARRAY_ADD(&checker->callees, callee);
}

static bool add_callees(struct ic_rule_checker *checker, uint64_t addr,
			const struct ic_callee *callee, struct ic_rule_subject_list list)
{
	struct ic_callee added = *callee;

	for (uint32_t i = 0; i < list.count; i++) {
		added.subject = list.items[i];
		if (!add_callee(checker, addr, added))
			return false;
	}
	return true;
}

static bool add_described(struct ic_rule_checker *checker)
{
	for (uint32_t i = 0; i < checker->index->unit_count; i++) {
		const struct ic_unit_model *unit = &checker->index->units[i];
		for (uint32_t j = 0; j < unit->instance_count; j++) {
			const struct ic_instance *host = &unit->instances[j];
			const struct ic_callee callee = { .function = ic_rule_checker_function(unit,
											       j) };
			if (host->kind == IC_INSTANCE_HOST && host->range_count > 0 &&
			    host->entry != IC_NO_ADDR && callee.function &&
			    !add_callees(
				    checker, host->entry, &callee,
				    ic_rule_subjects_of(&checker->subjects,
							ic_rule_checker_definition(checker, i, j))))
				return false;
		}
	}
	return true;
}

struct symbol_adder {
	struct ic_rule_checker *checker;
	bool out_of_memory;
};

static void add_symbol(void *context, const struct ic_symbol *symbol, enum ic_symbol_kind kind)
{
	struct symbol_adder *adder = context;
	const struct ic_callee callee = { .symbol = symbol->name };
	struct ic_rule_subject_list list;

	(void)kind;
	if (!adder->out_of_memory)
		adder->out_of_memory = !match_symbol(adder->checker, symbol->name, &list) ||
				       !add_callees(adder->checker, symbol->start, &callee, list);
}

// Adds the functions that rules are about: also those that have only a symbol, as in code without
// debugging information, or another name, as an alias has.
static bool find_callees(struct ic_rule_checker *checker)
{
	struct symbol_adder adder = { .checker = checker };

	if (!add_described(checker))
		return false;
	ic_index_symbols_each(checker->index, add_symbol, &adder);
	return !adder.out_of_memory;
}

// Whether the code does not tell. The source file of what has only a symbol is unknown.
static bool is_untold(const struct ic_rule_checker *checker, const struct ic_rule_item *item,
		      bool complete)
{
	if (!item->needs_code || item->rule.functions > 0)
		return item->needs_code && !complete;
	return !complete || checker->lacks_names || checker->rules->subjects.items[item->name].file;
}

bool ic_rule_checker_read_calls(struct ic_rule_checker *checker)
{
	bool any = false, complete;

	for (uint32_t i = 0; i < checker->rules->items.count; i++)
		any |= is_about_calls(checker, i);
	if (!any)
		return true;
	if (!find_callees(checker) ||
	    !ic_code_calls_find(checker->image, checker->index, wants_code_calls, take_code_call,
				checker, &complete))
		return false;
	for (uint32_t i = 0; i < checker->rules->items.count; i++) {
		struct ic_rule_item *item = &checker->rules->items.items[i];
		item->is_unknown |= is_untold(checker, item, complete);
		item->needs_code = false;
	}
	return true;
}
