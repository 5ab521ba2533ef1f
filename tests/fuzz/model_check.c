#include "model_check.h"

#include "fuzz_input.h"

#include <inlinecall/extra/index.h>
#include <inlinecall/extra/symbolizer.h>

static void check_text(const char *text)
{
	if (text)
		fuzz_read_text(text, NULL);
}

static void check_functions(const struct ic_index *index, const struct ic_unit_model *unit)
{
	for (uint32_t i = 0; i < unit->function_count; i++) {
		const struct ic_function *function = &unit->functions[i];

		check_text(function->name);
		check_text(function->linkage_name);
		check_text(function->decl_file);
		PROMISE(function->inlining <= IC_INLINING_ABSENT);
		if (function->scope == IC_NONE)
			continue;
		PROMISE(function->scope_unit < index->unit_count);
		PROMISE(function->scope < index->units[function->scope_unit].scope_count);
	}
	for (uint32_t i = 0; i < unit->scope_count; i++) {
		check_text(unit->scopes[i].name);
		PROMISE(unit->scopes[i].parent == IC_NONE || unit->scopes[i].parent < i);
	}
	for (uint32_t i = 0; i < unit->declaration_count; i++) {
		PROMISE(unit->declarations[i].scope < unit->scope_count);
		PROMISE(i == 0 ||
			unit->declarations[i - 1].die_off < unit->declarations[i].die_off);
	}
	for (uint32_t i = 0; i < unit->parameter_count; i++) {
		const struct ic_parameter_die *parameter = &unit->parameters[i];
		PROMISE(parameter->instance < unit->instance_count);
		PROMISE(i == 0 || parameter[-1].instance < parameter->instance ||
			(parameter[-1].instance == parameter->instance &&
			 parameter[-1].die_off < parameter->die_off));
	}
	for (uint32_t i = 0; i < unit->file_count; i++)
		fuzz_read_text(unit->files[i], NULL);
}

static void check_ranges(const struct ic_index *index, const struct ic_unit_model *unit,
			 const struct ic_instance *instance)
{
	PROMISE(instance->first_range <= unit->range_count);
	PROMISE(instance->range_count <= unit->range_count - instance->first_range);
	for (uint32_t i = 0; i < instance->range_count; i++) {
		struct ic_range range = unit->ranges[instance->first_range + i];
		struct ic_symbol symbol;

		PROMISE(range.start < range.end);
		PROMISE(ic_range_set_find(&index->code, range.start));
		if (!ic_index_symbol_of(index, range, "f", &symbol))
			continue;
		fuzz_read_text(symbol.name, NULL);
		PROMISE(symbol.start <= range.start && range.end <= symbol.reach);
	}
	if (instance->entry != IC_NO_ADDR)
		PROMISE(ic_range_set_find(&index->code, instance->entry));
}

static void check_instances(const struct ic_index *index, const struct ic_unit_model *unit)
{
	for (uint32_t i = 0; i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];

		PROMISE(instance->kind <= IC_INSTANCE_HOST);
		PROMISE(instance->function == IC_NONE || instance->function < unit->function_count);
		PROMISE(instance->parent == IC_NONE || instance->parent < i);
		PROMISE(instance->kind != IC_INSTANCE_HOST || instance->parent == IC_NONE);
		PROMISE(instance->call_file == IC_NONE || instance->call_file < unit->file_count);
		PROMISE(i == 0 || unit->has_only_entries ||
			unit->instances[i - 1].die_off < instance->die_off);
		check_ranges(index, unit, instance);
	}
}

static void check_calls(const struct ic_index *index, const struct ic_unit_model *unit)
{
	for (uint32_t i = 0; i < unit->call_count; i++) {
		const struct ic_call *call = &unit->calls[i];

		PROMISE(call->function == IC_NONE || call->function < unit->function_count);
		PROMISE(call->parent == IC_NONE || call->parent < unit->instance_count);
		PROMISE(call->call_file == IC_NONE || call->call_file < unit->file_count);
		PROMISE(call->addr == IC_NO_ADDR || ic_range_set_find(&index->code, call->addr));
		PROMISE(call->return_addr == IC_NO_ADDR || // it may be just after the code
			ic_range_set_find(&index->code, call->return_addr - 1));
	}
}

static void check_problems(const struct ic_index *index)
{
	struct ic_index_problem problem;
	uint64_t of_units = 0;

	for (uint64_t i = 0; i < index->problem_count; i++) {
		PROMISE(ic_index_problem_get(index, i, &problem));
		check_text(problem.section);
		PROMISE(fuzz_read_text(problem.message, NULL) > 0);
	}
	bool has_fault = index->symbols && index->symbols->fault;
	PROMISE(ic_index_problem_get(index, index->problem_count, &problem) == has_fault);
	for (uint32_t i = 0; i < index->unit_count; i++)
		of_units += index->units[i].problem_count;
	PROMISE(of_units <= index->problem_count);
}

void model_check(const struct ic_index *index)
{
	struct ic_index_counts counts = ic_index_count(index);
	struct ic_index_section section;

	bool has_fault = index->symbols && index->symbols->fault;
	PROMISE(counts.units == index->unit_count);
	uint64_t notes = 0;
	for (uint32_t i = 0; i < index->problem_count; i++)
		notes += index->problems[i].is_note;
	PROMISE(counts.problems == index->problem_count - notes + has_fault);
	PROMISE(notes <= 1);
	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];

		check_text(unit->name);
		check_functions(index, unit);
		check_instances(index, unit);
		check_calls(index, unit);
	}
	for (uint32_t i = 0; i < index->section_count; i++) {
		fuzz_read_text(index->sections[i].name, NULL);
		PROMISE(ic_index_section_find(index, index->sections[i].start, &section));
		PROMISE(section.start == index->sections[i].start);
	}
	check_problems(index);
}

static void same_text(const char *left, const char *right)
{
	PROMISE(left == right || (left && right && !strcmp(left, right)));
}

static void same_functions(const struct ic_unit_model *left, const struct ic_unit_model *right)
{
	PROMISE(left->function_count == right->function_count);
	for (uint32_t i = 0; i < left->function_count; i++) {
		const struct ic_function *a = &left->functions[i], *b = &right->functions[i];

		same_text(a->name, b->name);
		same_text(a->linkage_name, b->linkage_name);
		same_text(a->decl_file, b->decl_file);
		PROMISE(a->die_off == b->die_off && a->decl_line == b->decl_line);
		PROMISE(a->scope == b->scope && a->inlining == b->inlining);
		PROMISE(a->scope == IC_NONE || a->scope_unit == b->scope_unit);
	}
}

static void same_instances(const struct ic_unit_model *left, const struct ic_unit_model *right)
{
	PROMISE(left->instance_count == right->instance_count);
	for (uint32_t i = 0; i < left->instance_count; i++) {
		const struct ic_instance *a = &left->instances[i], *b = &right->instances[i];

		PROMISE(a->entry == b->entry && a->function == b->function);
		PROMISE(a->parent == b->parent && a->die_off == b->die_off);
		PROMISE(a->first_range == b->first_range && a->range_count == b->range_count);
		PROMISE(a->call_file == b->call_file && a->call_line == b->call_line);
		PROMISE(a->call_column == b->call_column && a->kind == b->kind);
	}
	PROMISE(left->range_count == right->range_count);
	for (uint32_t i = 0; i < left->range_count; i++)
		PROMISE(left->ranges[i].start == right->ranges[i].start &&
			left->ranges[i].end == right->ranges[i].end);
}

static void same_calls(const struct ic_unit_model *left, const struct ic_unit_model *right)
{
	PROMISE(left->call_count == right->call_count);
	for (uint32_t i = 0; i < left->call_count; i++) {
		const struct ic_call *a = &left->calls[i], *b = &right->calls[i];

		PROMISE(a->addr == b->addr && a->return_addr == b->return_addr);
		PROMISE(a->function == b->function && a->parent == b->parent);
		PROMISE(a->die_off == b->die_off && a->call_file == b->call_file);
		PROMISE(a->call_line == b->call_line && a->call_column == b->call_column);
		PROMISE(a->is_tail == b->is_tail);
	}
}

static void same_code(const struct ic_code_map *left, const struct ic_code_map *right)
{
	PROMISE(left->sequence_count == right->sequence_count);
	for (uint32_t i = 0; i < left->sequence_count; i++) {
		const struct ic_code_sequence *a = &left->sequences[i], *b = &right->sequences[i];

		PROMISE(a->range.start == b->range.start && a->range.end == b->range.end);
		PROMISE(a->first_row == b->first_row && a->row_count == b->row_count);
	}
	PROMISE(left->row_count == right->row_count);
	for (uint32_t i = 0; i < left->row_count; i++) {
		const struct ic_code_row *a = &left->rows[i], *b = &right->rows[i];

		PROMISE(a->addr_off == b->addr_off && a->file == b->file);
		PROMISE(a->line == b->line && a->column == b->column);
		PROMISE(a->discriminator == b->discriminator);
	}
}

static void same_problems(const struct ic_problem *left, const struct ic_problem *right,
			  uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		same_text(left[i].section, right[i].section);
		same_text(left[i].message, right[i].message);
		PROMISE(left[i].offset == right[i].offset);
	}
}

void model_check_same_unit(const struct ic_unit_model *left, const struct ic_unit_model *right)
{
	PROMISE(left->off == right->off);
	same_text(left->name, right->name);
	same_functions(left, right);
	same_instances(left, right);
	same_calls(left, right);
	PROMISE(left->file_count == right->file_count);
	for (uint32_t i = 0; i < left->file_count; i++)
		same_text(left->files[i], right->files[i]);
	PROMISE(left->scope_count == right->scope_count);
	for (uint32_t i = 0; i < left->scope_count; i++) {
		same_text(left->scopes[i].name, right->scopes[i].name);
		PROMISE(left->scopes[i].parent == right->scopes[i].parent);
	}
	PROMISE(left->declaration_count == right->declaration_count);
	for (uint32_t i = 0; i < left->declaration_count; i++)
		PROMISE(left->declarations[i].die_off == right->declarations[i].die_off &&
			left->declarations[i].scope == right->declarations[i].scope);
	PROMISE(left->parameter_count == right->parameter_count);
	for (uint32_t i = 0; i < left->parameter_count; i++)
		PROMISE(left->parameters[i].instance == right->parameters[i].instance &&
			left->parameters[i].die_off == right->parameters[i].die_off);
	same_code(&left->code_map, &right->code_map);
	PROMISE(left->problem_count == right->problem_count);
	same_problems(left->problems, right->problems, left->problem_count);
}

void model_check_same(const struct ic_index *left, const struct ic_index *right)
{
	PROMISE(left->unit_count == right->unit_count);
	for (uint32_t i = 0; i < left->unit_count; i++)
		model_check_same_unit(&left->units[i], &right->units[i]);
	PROMISE(left->problem_count == right->problem_count);
	same_problems(left->problems, right->problems, left->problem_count);
	PROMISE(left->section_count == right->section_count);
}
