#include <inlinecall/extra/tail_calls.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_meter.h"
#include "fixtures/elf.h"
#include "fixtures/lookup.h"
#include "unit_test.h"

#include "dwarf_constants.h"

// A program of functions with one letter each, one after the other; what they call is after the
// letter, as others' letters, and makes tail calls, but for the first of all, M, whose calls
// return:
//	?  through a pointer
//	!  first: not all of its tail calls are described
//	-  first: the addresses of the jumps are given
// Function number n is at 0x1000 + 0x100 n, and its call number n ends 0x10 (n + 1) after that.
enum { STEP = 0x100, CALL = 0x10, MOST = 100, QUESTIONS = 100000 };

struct program {
	const char *functions[MOST]; // to a NULL
	uint16_t version;            // 0: 5
	// A function of another unit, which has the one of that letter only as a declaration; its
	// symbols are then added by the test.
	char declared;
	const char *linkage_name; // of it
	uint16_t language;
	bool is_static;
	bool by_addr; // calls refer to functions by their addresses
};

static uint64_t start_of(const struct program *program, char letter)
{
	for (uint64_t i = 0; program->functions[i]; i++)
		if (program->functions[i][0] == letter)
			return 0x1000 + i * STEP;
	return IC_NO_ADDR;
}

static const char *label_of(char letter, bool is_declaration)
{
	static char labels[8][16];
	static unsigned next;
	char *label = labels[next++ % 8];

	snprintf(label, sizeof(labels[0]), "%s %c", is_declaration ? "declaration" : "function",
		 letter);
	return label;
}

static void put_call(struct dwarf_builder *dw, const struct program *program, char target,
		     uint64_t end, bool is_tail, bool has_jump)
{
	bool is_old = program->version == 4, is_declared = target == program->declared;

	dw_die_begin(dw, is_old ? DW_TAG_GNU_call_site : DW_TAG_call_site);
	if (has_jump)
		dw_addr(dw, DW_AT_call_pc, end - 5);
	else
		dw_addr(dw, is_old ? DW_AT_low_pc : DW_AT_call_return_pc, end);
	if (target != '?' && program->by_addr)
		dw_addr(dw, is_old ? DW_AT_abstract_origin : DW_AT_call_origin,
			start_of(program, target));
	else if (target != '?')
		dw_ref4(dw, is_old ? DW_AT_abstract_origin : DW_AT_call_origin,
			label_of(target, is_declared));
	if (is_tail)
		dw_flag_present(dw, is_old ? DW_AT_GNU_tail_call : DW_AT_call_tail_call);
	dw_die_end(dw);
}

static void put_function(struct dwarf_builder *dw, const struct program *program, const char *text,
			 uint64_t start)
{
	const char name[2] = { text[0] };
	bool is_complete = !strchr(text, '!'), has_jumps = strchr(text, '-');

	dw_label(dw, label_of(text[0], false));
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, name);
	dw_low_high(dw, start, start + STEP);
	if (is_complete)
		dw_flag_present(dw, program->version == 4 ? 0x2117 /* GNU_all_call_sites */
							  : DW_AT_call_all_calls);
	for (const char *at = text + 1 + (!is_complete || has_jumps); *at; at++)
		put_call(dw, program, *at, start += CALL, text[0] != 'M', has_jumps);
	dw_die_end(dw);
}

static struct dwarf_builder *write_program(const struct program *program)
{
	struct dwarf_builder *dw = scan_builder(program->version ? program->version : 5);
	const char declared[2] = { program->declared };

	scan_unit_of(dw, "a.c", program->language ? program->language : DW_LANG_C11);
	if (program->declared) {
		dw_label(dw, label_of(program->declared, true));
		dw_die_begin(dw, DW_TAG_subprogram);
		dw_string(dw, DW_AT_name, declared);
		if (program->linkage_name)
			dw_string(dw, DW_AT_linkage_name, program->linkage_name);
		if (!program->is_static)
			dw_flag_present(dw, DW_AT_external);
		dw_flag_present(dw, DW_AT_declaration);
		dw_die_end(dw);
	}
	for (uint64_t i = 0; program->functions[i]; i++)
		put_function(dw, program, program->functions[i], 0x1000 + i * STEP);
	dw_die_end(dw);
	dw_unit_end(dw);
	return dw;
}

struct opened {
	struct lookup lookup;
	struct ic_tail_calls *calls;
	const struct program *program;
	uint64_t start; // of the function that a call from another file goes to; 0: M is in this
			// file
	char text[512];
};

static void open_elf(struct opened *opened, const struct program *program, struct elf_builder *elf)
{
	struct dwarf_builder *dw = write_program(program);

	*opened = (struct opened){ .program = program };
	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	lookup_open_elf(&opened->lookup, elf);
	opened->calls = ic_tail_calls_open(opened->lookup.symbolizer, NULL);
	assert_non_null(opened->calls);
}

static void open_program(struct opened *opened, const struct program *program)
{
	open_elf(opened, program, elf_begin(ET_EXEC));
}

static void close_program(struct opened *opened)
{
	ic_tail_calls_free(opened->calls);
	lookup_close(&opened->lookup);
}

// What led from the first call of M to the function that runs: "M>b e" if that called b, and from
// there ways that are not known lead to e, which made a tail call to the function that runs.
static const char *ways_to(struct opened *opened, char running)
{
	const char name[2] = { running };
	const struct ic_tail_calls_query query = {
		.return_addr = 0x1000 + CALL,
		.symbolizer = opened->lookup.symbolizer,
		.entry = start_of(opened->program, running),
		.function = name,
		.is_from_outside = opened->start != 0,
		.start = opened->start,
	};
	const struct ic_tail_call *list;
	size_t count = ic_tail_calls_find(opened->calls, &query, &list, NULL), used = 0;

	assert_true(count <= MOST);
	opened->text[0] = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t number = (list[i].addr - 0x1000) / STEP;
		char letter = opened->program->functions[number][0];

		assert_true(i == 0 ? list[i].entry == IC_NO_ADDR
				   : list[i].entry == 0x1000 + number * STEP);
		assert_int_equal(list[i].addr % CALL, list[i].is_after ? 0 : CALL - 5);
		used += (size_t)snprintf(opened->text + used, sizeof(opened->text) - used,
					 "%s%c%s%s", i > 0 ? " " : "", letter,
					 list[i].callee ? ">" : "",
					 list[i].callee ? list[i].callee : "");
	}
	return opened->text;
}

static void check_ways(const struct program *program, char running, const char *wanted)
{
	struct opened opened;

	open_program(&opened, program);
	assert_string_equal(ways_to(&opened, running), wanted);
	assert_string_equal(ways_to(&opened, running), wanted); // what was read is kept
	assert_string_equal(lookup_problems(&opened.lookup), "");
	close_program(&opened);
}

TEST(the_only_way_was_taken)
{
	for (uint16_t version = 4; version <= 5; version++) {
		const struct program program = { .functions = { "Mb", "bc", "cd", "d" },
						 .version = version };

		check_ways(&program, 'b', "");
		check_ways(&program, 'c', "M b");
		check_ways(&program, 'd', "M b c");
	}
	check_ways(&(struct program){ .functions = { "Mb", "b-c", "c" } }, 'c', "M b");
}

TEST(a_call_may_refer_to_a_function_by_its_address)
{
	const struct program program = { .functions = { "Mb", "bc", "cdd", "d" }, .by_addr = true };

	check_ways(&program, 'c', "M b");
	check_ways(&program, 'd', "M b>c");
}

TEST(of_several_ways_only_what_they_have_in_common_is_certain)
{
	check_ways(&(struct program){ .functions = { "Mb", "bcd", "ce", "de", "ef", "f" } }, 'f',
		   "M>b e");
	check_ways(&(struct program){ .functions = { "Mb", "bc", "cde", "df", "ef", "f" } }, 'f',
		   "M b>c");
	check_ways(&(struct program){ .functions = { "Mb", "bc", "cde", "df", "ef", "fg", "g" } },
		   'g', "M b>c f");
	check_ways(&(struct program){ .functions = { "Mb", "bcc", "c" } }, 'c', "M>b");
	check_ways(&(struct program){ .functions = { "Mb", "bcd", "cd", "d" } }, 'd', "M>b");
}

TEST(circles_on_the_way_leave_it_certain)
{
	check_ways(&(struct program){ .functions = { "Mb", "bc", "cbd", "d" } }, 'd', "M b c");
	check_ways(&(struct program){ .functions = { "Mb", "bbc", "ccd", "dbd" } }, 'd', "M b c");
	check_ways(&(struct program){ .functions = { "Mb", "bc", "cb" } }, 'b', "");
}

TEST(a_call_that_may_go_anywhere_leaves_nothing_certain_that_it_goes_round)
{
	check_ways(&(struct program){ .functions = { "Mb", "bc?", "c" } }, 'c', "M>b");
	check_ways(&(struct program){ .functions = { "Mb", "b?", "c" } }, 'c', "M>b");
	check_ways(&(struct program){ .functions = { "Mb", "bc", "c?d", "d" } }, 'd', "M b>c");
	check_ways(&(struct program){ .functions = { "Mb", "bc", "c!d", "d" } }, 'd', "M b>c");
	check_ways(&(struct program){ .functions = { "Mb", "b!c", "c" } }, 'c', "M>b");
	check_ways(&(struct program){ .functions = { "Mb", "bd", "c?", "d?" } }, 'd',
		   "M b"); // not before it
}

TEST(a_function_that_cannot_be_reached_was_reached_somehow)
{
	check_ways(&(struct program){ .functions = { "Mb", "bc", "c", "d" } }, 'd', "M>b");
}

TEST(a_call_through_a_pointer_says_nothing)
{
	check_ways(&(struct program){ .functions = { "M?", "b" } }, 'b', "");
}

// 70 functions in a row, with letters that are none.
TEST(a_function_that_leads_to_too_many_is_not_followed)
{
	struct program program = { .version = 5 };
	char texts[71][3] = { { 'M', (char)0x81 } };
	struct opened opened;

	for (int i = 0; i <= 70; i++) {
		if (i > 0)
			snprintf(texts[i], sizeof(texts[i]), "%c%c", 0x80 + i,
				 i < 70 ? 0x81 + i : 0);
		program.functions[i] = texts[i];
	}
	open_program(&opened, &program);
	assert_string_equal(ways_to(&opened, (char)(0x80 + 70)), "M>\x81");
	assert_string_equal(ways_to(&opened, (char)(0x80 + 4)), "M \x81 \x82 \x83");
	close_program(&opened);
}

static void add_symbol(struct elf_builder *elf, const char *name, uint64_t addr, uint8_t type,
		       uint8_t bind)
{
	elf_add_symbol(elf, (struct elf_symbol){ .name = name,
						 .section = addr ? ".text" : NULL,
						 .value = addr,
						 .size = addr ? STEP : 0,
						 .type = type,
						 .bind = bind });
}

// M calls b by its declaration; b makes a tail call to c, which runs.
static void check_declared(struct program program, const char *symbol, uint8_t type,
			   const char *other, uint64_t other_addr, const char *wanted)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct opened opened;

	program.functions[0] = "Mb";
	program.functions[1] = "bc";
	program.functions[2] = "c";
	program.declared = 'b';
	if (symbol)
		add_symbol(elf, symbol, 0x1100, type, STB_GLOBAL);
	if (other)
		add_symbol(elf, other, other_addr, STT_FUNC, STB_GLOBAL);
	open_elf(&opened, &program, elf);
	assert_string_equal(ways_to(&opened, 'c'), wanted);
	close_program(&opened);
}

TEST(a_declared_function_is_that_of_the_only_symbol)
{
	const struct program in_c = { .version = 5 };

	check_declared(in_c, "b", STT_FUNC, NULL, 0, "M b");
	check_declared(in_c, NULL, STT_FUNC, NULL, 0, "");
	check_declared(in_c, "b", STT_FUNC, "b", 0x1300, "");
	check_declared(in_c, "b", STT_FUNC, "b", 0, "");             // another file's
	check_declared(in_c, "b", STT_FUNC, "b@V1", 0, "");          // likewise
	check_declared(in_c, "b", STT_FUNC, "__wrap_b", 0x1300, ""); // ld --wrap=b
	check_declared(in_c, "b", STT_GNU_IFUNC, NULL, 0, "");
}

TEST(a_name_is_that_of_a_symbol_only_if_the_language_says_so)
{
	const struct program in_cpp = { .language = DW_LANG_C_plus_plus_14 };
	const struct program linked = { .language = DW_LANG_C_plus_plus_14,
					.linkage_name = "_Z1bv" };
	const struct program local = { .is_static = true };

	check_declared(in_cpp, "b", STT_FUNC, NULL, 0, "");
	check_declared(linked, "_Z1bv", STT_FUNC, NULL, 0, "M b");
	check_declared(linked, "b", STT_FUNC, NULL, 0, "");
	check_declared(local, "b", STT_FUNC, NULL, 0, ""); // may be another unit's
}

static bool may_return(struct opened *opened, uint64_t addr)
{
	bool may = false;

	assert_true(ic_tail_calls_may_return(opened->calls, addr, &may, NULL));
	return may;
}

TEST(what_may_be_entered_again_is_known)
{
	const struct program program = { .functions = { "Mb", "bc", "c", "de", "ed", "fg", "g?",
							"hh", "i!" } };
	static const char wanted[] = "bcdefghi";
	struct opened opened;

	open_program(&opened, &program);
	for (size_t i = 0; wanted[i]; i++)
		assert_int_equal(may_return(&opened, start_of(&program, wanted[i]) + 1),
				 wanted[i] != 'b' && wanted[i] != 'c');
	assert_true(may_return(&opened, 0x8000)); // of no function
	close_program(&opened);
}

TEST(the_calls_of_a_function_inside_are_not_its_own)
{
	struct dwarf_builder *dw = scan_builder(5);
	const struct program program = { .functions = { "Mb", "b", "c" } };
	struct opened opened = { .program = &program };

	scan_unit_of(dw, "a.c", DW_LANG_C11);
	put_function(dw, &program, "Mb", 0x1000);
	put_function(dw, &program, "c", 0x1200);
	dw_label(dw, label_of('b', false));
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "b");
	dw_low_high(dw, 0x1100, 0x1200);
	dw_flag_present(dw, DW_AT_call_all_calls);
	put_function(dw, &program, "ic", 0x1300);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
	lookup_open(&opened.lookup, dw);
	opened.calls = ic_tail_calls_open(opened.lookup.symbolizer, NULL);
	assert_string_equal(ways_to(&opened, 'c'), "M>b");
	assert_false(may_return(&opened, 0x1100));
	close_program(&opened);
}

// Knows where the first call of b goes.
static bool find_bound(void *context, uint64_t addr, bool is_after, uint64_t *callee)
{
	const struct program *program = context;

	assert_true(is_after);
	*callee = start_of(program, 'c');
	return addr == start_of(program, 'b') + CALL;
}

TEST(where_the_dynamic_linker_has_bound_a_call_is_known)
{
	const struct program program = { .functions = { "Mb", "bc", "cd", "d" }, .declared = 'c' };
	const struct program by_pointer = { .functions = { "Mb", "b?", "cd", "d" },
					    .declared = 'c' };
	struct opened opened;

	check_ways(&program, 'd', "M>b");
	open_program(&opened, &program);
	ic_tail_calls_set_bound(opened.calls, find_bound, (void *)&program);
	assert_string_equal(ways_to(&opened, 'd'), "M b c");
	assert_string_equal(ways_to(&opened, 'c'), "M b");
	close_program(&opened);
	open_program(&opened, &by_pointer);
	ic_tail_calls_set_bound(opened.calls, find_bound, (void *)&by_pointer);
	assert_string_equal(ways_to(&opened, 'd'), "M>b");
	close_program(&opened);
}

// More work in all than is done for one question.
TEST(an_answer_does_not_depend_on_the_questions_before_it)
{
	const struct program program = { .functions = { "Mb", "bcccccccccccc", "cdddddddddddd",
							"dcccccccccccce", "e" } };
	struct opened opened;

	open_program(&opened, &program);
	for (uint32_t i = 0; i < QUESTIONS; i++)
		assert_string_equal(ways_to(&opened, 'e'), "M>b d");
	assert_string_equal(lookup_problems(&opened.lookup), "");
	close_program(&opened);
}

TEST(a_call_from_another_file_begins_where_it_goes)
{
	const struct program program = { .functions = { "Ma", "a", "bc", "cd", "d" } };
	struct opened opened;

	open_program(&opened, &program);
	opened.start = start_of(&program, 'b');
	assert_string_equal(ways_to(&opened, 'd'), "M b c");
	assert_string_equal(ways_to(&opened, 'b'), "");
	assert_string_equal(ways_to(&opened, 'a'), "M>b");
	opened.start = start_of(&program, 'c');
	assert_string_equal(ways_to(&opened, 'd'), "M c");
	close_program(&opened);
}

TEST(without_memory_they_cannot_be_opened)
{
	struct ic_error err = { .message = "" };

	alloc_meter_start(1, true);
	struct ic_tail_calls *calls = ic_tail_calls_open(NULL, &err);
	alloc_meter_stop();
	assert_null(calls);
	assert_error(&err, IC_ERROR_MEMORY, "out of memory");
}

UNIT_TESTS(symbolize_calls_tail_calls)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_only_way_was_taken),
		cmocka_unit_test(a_call_may_refer_to_a_function_by_its_address),
		cmocka_unit_test(of_several_ways_only_what_they_have_in_common_is_certain),
		cmocka_unit_test(circles_on_the_way_leave_it_certain),
		cmocka_unit_test(
			a_call_that_may_go_anywhere_leaves_nothing_certain_that_it_goes_round),
		cmocka_unit_test(a_function_that_cannot_be_reached_was_reached_somehow),
		cmocka_unit_test(a_call_through_a_pointer_says_nothing),
		cmocka_unit_test(a_function_that_leads_to_too_many_is_not_followed),
		cmocka_unit_test(a_declared_function_is_that_of_the_only_symbol),
		cmocka_unit_test(a_name_is_that_of_a_symbol_only_if_the_language_says_so),
		cmocka_unit_test(what_may_be_entered_again_is_known),
		cmocka_unit_test(the_calls_of_a_function_inside_are_not_its_own),
		cmocka_unit_test(where_the_dynamic_linker_has_bound_a_call_is_known),
		cmocka_unit_test(an_answer_does_not_depend_on_the_questions_before_it),
		cmocka_unit_test(a_call_from_another_file_begins_where_it_goes),
		cmocka_unit_test(without_memory_they_cannot_be_opened),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
