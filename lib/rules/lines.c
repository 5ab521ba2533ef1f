// Rules about probes of source lines.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/search.h"
#include "rules/checker.h"
#include "text/text.h"

#include <inlinecall/extra/lines.h>

struct line_look { // at the code of a line
	struct ic_rule_checker *checker;
	uint32_t rule;
	IC_ARRAY(uint64_t) addrs; // where a probe of the line stops; sorted
	struct ic_frame function; // that contains the line; without a name if it is unknown
	bool *is_wanted;          // by definition: it is that function
};

// The line is in the function of its file that is declared last before it. Other functions have
// code of the line by a macro, or because the compiler mixed the code of two calls.
static void note_function(struct line_look *look, const struct ic_line_place *place,
			  const struct ic_frame *frame)
{
	if (frame->function && frame->decl_file && frame->decl_line <= place->line &&
	    frame->decl_line > look->function.decl_line &&
	    ic_text_compare_paths(frame->decl_file, place->file) == 0)
		look->function = *frame;
}

static bool take_places(struct line_look *look, const struct ic_lines *lines)
{
	struct ic_line_place place;
	struct ic_frame frame;

	for (size_t i = 0; i < ic_lines_count(lines); i++) {
		ic_lines_get(lines, i, &place, &frame, 1);
		note_function(look, &place, &frame);
		if (place.is_stmt && !IC_ARRAY_ADD(&look->addrs, place.range.start))
			return false;
	}
	return true;
}

static bool is_function(const struct ic_function *function, const struct ic_frame *frame)
{
	return function && function->decl_line == frame->decl_line && function->decl_file &&
	       strcmp(ic_function_symbol(function),
		      frame->linkage_name ? frame->linkage_name : frame->function) == 0 &&
	       ic_text_compare_paths(function->decl_file, frame->decl_file) == 0;
}

static void find_definitions(struct line_look *look)
{
	const struct ic_definitions *definitions = &look->checker->definitions;
	struct ic_rule_item *item = &look->checker->rules->items.items[look->rule];

	for (uint32_t i = 0; i < definitions->items.count; i++) {
		look->is_wanted[i] = is_function(definitions->items.items[i], &look->function);
		item->rule.functions += look->is_wanted[i];
	}
}

static uint32_t count_up_to(const struct line_look *look, uint64_t addr)
{
	return ic_search_up_to(look->addrs.items, sizeof(*look->addrs.items), look->addrs.count,
			       addr);
}

static bool has_stop_in(const struct line_look *look, uint64_t start, uint64_t end)
{
	return count_up_to(look, end - 1) > (start == 0 ? 0 : count_up_to(look, start - 1));
}

// Whether a probe of the line stops in an instance, or where it is entered, which may be before its
// ranges.
static bool has_stop(const struct line_look *look, const struct ic_unit_model *unit,
		     const struct ic_instance *instance)
{
	const struct ic_range *ranges = unit->ranges + instance->first_range;

	for (uint32_t i = 0; i < instance->range_count; i++)
		if (has_stop_in(look, ranges[i].start, ranges[i].end))
			return true;
	return instance->entry < IC_NO_ADDR &&
	       has_stop_in(look, instance->entry, instance->entry + 1);
}

static bool check_instance(struct line_look *look, uint32_t unit, uint32_t number)
{
	struct ic_rule_checker *checker = look->checker;
	const struct ic_unit_model *model = &checker->index->units[unit];
	const struct ic_instance *instance = &model->instances[number];
	const struct ic_rule_break broken = { .what = "has no code of the line" };

	if (!look->is_wanted[ic_rule_checker_definition(checker, unit, number)] ||
	    instance->range_count == 0 || ic_parts_has(&checker->parts, model, instance) ||
	    has_stop(look, model, instance))
		return true;
	return ic_rule_checker_break_at(checker, look->rule, broken, unit, number, IC_NO_ADDR);
}

static bool check_instances(struct line_look *look)
{
	const struct ic_index *index = look->checker->index;

	for (uint32_t i = 0; i < index->unit_count; i++)
		for (uint32_t j = 0; j < index->units[i].instance_count; j++)
			if (!check_instance(look, i, j))
				return false;
	return true;
}

static bool check_line(struct ic_rule_checker *checker, uint32_t rule, struct ic_error *err)
{
	const struct ic_rule_item *item = &checker->rules->items.items[rule];
	struct line_look look = { .checker = checker, .rule = rule };
	struct ic_lines *lines =
		ic_lines_find(checker->readers.symbolizer, item->source, item->source_line, err);

	if (!lines)
		return false;
	bool ok = take_places(&look, lines) || ic_fail_memory(err);
	if (ok && look.function.function) {
		look.is_wanted =
			ic_items_alloc(checker->definitions.items.count, sizeof(*look.is_wanted));
		if (look.is_wanted)
			find_definitions(&look);
		ok = (look.is_wanted && check_instances(&look)) || ic_fail_memory(err);
	}
	ic_lines_free(lines);
	IC_ARRAY_FREE(&look.addrs);
	free(look.is_wanted);
	return ok;
}

bool ic_rule_checker_check_lines(struct ic_rule_checker *checker, struct ic_error *err)
{
	for (uint32_t i = 0; i < checker->rules->items.count; i++) {
		struct ic_rule_item *item = &checker->rules->items.items[i];
		if (item->kind != IC_RULE_LINE_PROBE || !checker->is_about[i])
			continue;
		if (!checker->readers.symbolizer)
			item->rule.why = "there is no symbolizer";
		else if (!check_line(checker, i, err))
			return false;
	}
	return true;
}
