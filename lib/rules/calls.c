// Rules about calls.
#include <string.h>

#include "rules/checker.h"
#include "rules/code_calls.h"
#include "text/clone_name.h"

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

// Whether a rule is about calls, in this file.
static bool is_about_calls(const struct ic_rule_checker *checker, uint32_t rule)
{
	enum ic_rule_kind kind = checker->rules->items.items[rule].kind;

	return checker->is_about[rule] &&
	       (kind == IC_RULE_NO_CALL || kind == IC_RULE_ALWAYS_INLINE);
}

typedef bool rule_visit(struct ic_rule_checker *checker, uint32_t rule, void *context);

// Visits the rules about the calls in the code of a function, until `visit` returns false. Where
// something must not be called, the code is always read: no compiler describes calls in assembly,
// and GCC does not name those of an alias.
static bool each_code_rule(struct ic_rule_checker *checker, uint32_t unit, uint32_t host,
			   rule_visit *visit, void *context)
{
	struct ic_rule_subject_list list = ic_rule_subjects_of(
		&checker->subjects, ic_rule_checker_definition(checker, unit, host));
	uint32_t rule;

	for (uint32_t i = 0; i < list.count; i++) {
		rule = checker->first_hosted[list.items[i]];
		for (; rule != IC_NONE; rule = checker->next_hosted[rule])
			if (is_about_calls(checker, rule) && !visit(checker, rule, context))
				return false;
	}
	if (checker->index->units[unit].instances[host].has_all_calls)
		return true;
	for (rule = checker->first_always; rule != IC_NONE; rule = checker->next_hosted[rule])
		if (is_about_calls(checker, rule) &&
		    checker->rules->items.items[rule].rule.functions > 0 &&
		    !visit(checker, rule, context))
			return false;
	return true;
}

static bool stop_at_rule(struct ic_rule_checker *checker, uint32_t rule, void *context)
{
	(void)checker, (void)rule, (void)context;
	return false;
}

static bool wants_code(void *context, uint32_t unit, uint32_t host)
{
	return !each_code_rule(context, unit, host, stop_at_rule, NULL);
}

static bool note_address(struct ic_map *map, uint64_t addr)
{
	uint32_t *place = addr == IC_NO_ADDR ? NULL : ic_map_at(map, addr);

	if (place)
		*place = 0;
	return place || addr == IC_NO_ADDR;
}

// Remembers a call in a function whose code will be read.
static bool note_described(struct ic_rule_checker *checker, uint32_t unit,
			   const struct ic_call *call)
{
	struct ic_noted_host *noted = &checker->noted;
	uint32_t host = call->parent == IC_NONE ? IC_NONE : checker->around.items[call->parent];

	if (host == IC_NONE || call->function == IC_NONE)
		return true;
	if (noted->unit != unit || noted->host != host)
		*noted = (struct ic_noted_host){ unit, host, wants_code(checker, unit, host) };
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

// ---- What the code does not tell

// Whether the calls of a function are known without its code. Clang says so though it describes no
// call of a library function that it knows, such as malloc() (LLVM 14 and 22).
static bool describes_all_calls(const struct ic_unit_model *unit, uint32_t host)
{
	// GCC's producers are "GNU C17 12.2.0 ...", "GNU C++20 ..." and the like.
	return unit->instances[host].has_all_calls && unit->producer &&
	       strncmp(unit->producer, "GNU ", 4) == 0;
}

enum doubted {
	ALL_RULES,
	RULES_BY_SYMBOL, // about functions of which the file has no more than symbols
	RULES_BY_FILE,   // of these, about those of a source file
};

struct doubt {
	uint32_t unit, host;
	enum doubted which;
	const char *why;
};

static bool doubt_rule(struct ic_rule_checker *checker, uint32_t rule, void *context)
{
	const struct ic_rule_item *item = &checker->rules->items.items[rule];
	const struct doubt *doubt = context;
	bool has_file = checker->rules->subjects.items[item->name].file;

	if (doubt->which != ALL_RULES &&
	    (item->rule.functions > 0 || (doubt->which == RULES_BY_FILE && !has_file)))
		return true;
	return ic_rule_checker_doubt(checker, rule, doubt->unit, doubt->host, doubt->why);
}

// Doubts rules about the calls of a function, unless the compiler describes all of them. False if
// memory runs out.
static bool doubt_calls(struct ic_rule_checker *checker, uint32_t unit, uint32_t host,
			enum doubted which, const char *why)
{
	struct doubt doubt = { unit, host, which, why };

	return describes_all_calls(&checker->index->units[unit], host) ||
	       each_code_rule(checker, unit, host, doubt_rule, &doubt);
}

// ---- Calls that the code has

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
	if (checker->readers.symbolizer && item->breaks.count < IC_RULES_MOST_BREAKS &&
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
	if (!last && !has_symbol(checker->index, call->target) &&
	    !doubt_calls(checker, call->unit, call->host, RULES_BY_SYMBOL,
			 "it calls a function without a name"))
		return false;
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
			    !ic_parts_has(&checker->parts, unit, host) &&
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
	if (!adder->out_of_memory && !ic_clone_is_part(symbol->name))
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

static bool end_code(void *context, uint32_t unit, uint32_t host, const char *why_not)
{
	return why_not ? doubt_calls(context, unit, host, ALL_RULES, why_not)
		       : doubt_calls(context, unit, host, RULES_BY_FILE,
				     "the source files of functions that it calls are unknown");
}

bool ic_rule_checker_read_calls(struct ic_rule_checker *checker)
{
	const struct ic_code_calls_visitor visitor = { wants_code, take_code_call, end_code,
						       checker };
	bool any = false;

	for (uint32_t i = 0; i < checker->rules->items.count; i++)
		any |= is_about_calls(checker, i);
	return !any || (find_callees(checker) &&
			ic_code_calls_find(checker->image, checker->index, &visitor));
}
