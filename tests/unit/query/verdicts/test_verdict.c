#include "unit_test.h"

#include <stdio.h>

#include "query/verdicts/verdict.h"

// Functions that are called as what became of them.
enum {
	NEVER,
	PARTLY,
	FULLY,
	LOST,
	LEFT,
	CALLED,
	PROTOTYPE,
	GONE,
	UNUSED,
	CHOSEN,
	FOLDED,
	ASSEMBLY,
	WEAK,
	STRONG,
	FILED,
	FILED_TOO,
	METHOD,
	BUILT,
	ONLY_PART,
	SHARED,
	TWIN,
	DESCRIBED,
	INLINE_ONLY,
	CALLED_PART,
	PART_LEFT,
	FUNCTION_COUNT
};

#define FUNCTION(which, called, line)           \
	[which] = { .name = (called),           \
		    .decl_line = (line),        \
		    .die_off = 0x100 + (which), \
		    .scope = IC_NONE,           \
		    .inlining = IC_INLINING_ABSENT }
static struct ic_function functions[] = {
	FUNCTION(NEVER, "never", 1),
	FUNCTION(PARTLY, "partly", 2),
	FUNCTION(FULLY, "fully", 3),
	FUNCTION(LOST, "lost", 4),
	FUNCTION(LEFT, "left", 5),
	FUNCTION(CALLED, "called", 6),
	FUNCTION(PROTOTYPE, "never", 90), // as in a header
	FUNCTION(GONE, "gone", 7),
	FUNCTION(UNUSED, "unused", 8),
	FUNCTION(CHOSEN, "chosen", 9),
	FUNCTION(FOLDED, "folded", 10),
	FUNCTION(ASSEMBLY, "assembly", 11),
	FUNCTION(WEAK, "weak", 12),
	FUNCTION(STRONG, "weak", 13),
	FUNCTION(FILED, "filed", 14), // static in two files
	FUNCTION(FILED_TOO, "filed", 15),
	FUNCTION(METHOD, "method", 16), // static in C++, as GCC has it
	[BUILT] = { .name = "Built",
		    .linkage_name = "_ZN5BuiltC4Ev",
		    .die_off = 0x200,
		    .scope = IC_NONE,
		    .inlining = IC_INLINING_ABSENT },
	FUNCTION(ONLY_PART, "only_part", 18),
	FUNCTION(SHARED, "shared", 19), // by two units
	FUNCTION(TWIN, "twin", 20),
	FUNCTION(DESCRIBED, "described", 21),
	FUNCTION(INLINE_ONLY, "inline_only", 22),
	FUNCTION(CALLED_PART, "called_part", 23),
	FUNCTION(PART_LEFT, "part_left", 24),
};

#define HOST(which, first, count)                                                       \
	{                                                                               \
		.function = (which), .parent = IC_NONE, .first_range = (first),         \
		.range_count = (count), .call_file = IC_NONE, .kind = IC_INSTANCE_HOST, \
		.entry = IC_NO_ADDR                                                     \
	}
#define INLINED(which, around, first, count, at)                                           \
	{                                                                                  \
		.function = (which), .parent = (around), .first_range = (first),           \
		.range_count = (count), .call_file = IC_NONE, .kind = IC_INSTANCE_INLINED, \
		.entry = (at)                                                              \
	}
static struct ic_range ranges[] = {
	{ 0x1000, 0x1100 }, { 0x2000, 0x2010 }, // never(), and its cold part
	{ 0x1100, 0x1200 },                     // 2: partly()
	{ 0x1010, 0x1020 }, { 0x1014, 0x1018 }, // 3: inlined into never()
	{ 0x1200, 0x1210 },                     // 5: lost()
	{ 0x1300, 0x1310 }, { 0x1400, 0x1410 }, // 6: weak() twice
	{ 0x1500, 0x1510 }, { 0x1600, 0x1610 }, // 8: filed() twice
	{ 0x1700, 0x1710 }, { 0x1800, 0x1810 }, // 10: method(), Built()
	{ 0x1900, 0x1910 },                     // 12: a part of only_part()
	{ 0x1a00, 0x1a10 },                     // 13: shared()
	{ 0x1b00, 0x1b10 },                     // 14: twin() and described()
	{ 0x1c00, 0x1c10 }, { 0x1d00, 0x1d10 }, // 15: called_part() and its part
	{ 0x1e00, 0x1e10 },                     // 17: a part of part_left()
};
static struct ic_instance instances[] = {
	HOST(NEVER, 0, 2),               // 0
	INLINED(FULLY, 0, 3, 1, 0x1012), // 1
	INLINED(FULLY, 1, 4, 1, 0x1012), // 2: entered at the same address
	HOST(PARTLY, 2, 1),              // 3
	INLINED(FULLY, 3, 2, 1, 0x1110), // 4
	INLINED(FULLY, 3, 0, 0, IC_NO_ADDR),
	INLINED(PARTLY, 0, 3, 1, 0x1010),
	HOST(LOST, 5, 1),
	INLINED(LOST, 0, 0, 0, IC_NO_ADDR),
	HOST(LEFT, 0, 0),
	INLINED(GONE, 0, 0, 0, IC_NO_ADDR),
	HOST(FOLDED, 0, 0), // as LLD has it
	HOST(WEAK, 6, 1),
	HOST(STRONG, 7, 1),
	HOST(FILED, 8, 1),
	HOST(FILED_TOO, 9, 1),
	HOST(METHOD, 10, 1),
	HOST(BUILT, 11, 1),
	HOST(ONLY_PART, 12, 1),
	INLINED(ONLY_PART, 0, 3, 1, 0x1010),
	HOST(SHARED, 13, 1),
	HOST(SHARED, 13, 1),
	HOST(TWIN, 14, 1),
	HOST(DESCRIBED, 14, 1),
	HOST(CALLED_PART, 15, 1),
	HOST(CALLED_PART, 16, 1),
	HOST(PART_LEFT, 17, 1),
	INLINED(PART_LEFT, 0, 0, 0, IC_NO_ADDR),
};
enum { CALLED_PART_HOST = 24 }; // the number of the instance

static struct ic_call calls[] = {
	{ .function = PROTOTYPE, .call_file = IC_NONE },
	{ .function = CALLED, .call_file = IC_NONE },
	{ .function = CALLED, .call_file = IC_NONE },
	{ .function = WEAK, .call_file = IC_NONE },
	{ .function = CALLED_PART, .parent = IC_NONE, .call_file = IC_NONE },
	{ .function = CALLED_PART, .parent = CALLED_PART_HOST, .call_file = IC_NONE },
	{ .function = IC_NONE, .call_file = IC_NONE },
};
static struct ic_unit_model unit = {
	.functions = functions,
	.instances = instances,
	.ranges = ranges,
	.calls = calls,
	.function_count = COUNT_OF(functions),
	.instance_count = COUNT_OF(instances),
	.range_count = COUNT_OF(ranges),
	.call_count = COUNT_OF(calls),
};
static struct ic_range code[] = { { 0x1000, 0x4000 } };

static const struct {
	struct ic_symbol symbol;
	enum ic_symbol_kind kind;
} table[] = {
#define SYMBOL(called, from, to)                                                       \
	{                                                                              \
		{ .start = (from), .end = (to), .name = (called) }, IC_SYMBOL_FUNCTION \
	}
	SYMBOL("alias", 0x1000, 0x1100),
	SYMBOL("never", 0x1000, 0x1100),
	SYMBOL("folded", 0x1000, 0x1100),
	SYMBOL("never.cold", 0x2000, 0x2010),
	SYMBOL("partly@@V1", 0x1100, 0x1200),
	SYMBOL("lost", 0x1200, 0x1210),
	{ { .start = 0x1200, .end = 0x1200, .name = "_stext" }, IC_SYMBOL_OTHER },
	SYMBOL("weak", 0x1400, 0x1410),
	SYMBOL("filed", 0x1500, 0x1510),
	SYMBOL("filed", 0x1600, 0x1610),
	SYMBOL("_ZL6methodi", 0x1700, 0x1710),
	SYMBOL("_ZN5BuiltC1Ev", 0x1800, 0x1810),
	SYMBOL("_ZN5BuiltC2Ev", 0x1800, 0x1810),
	SYMBOL("only_part.part.0", 0x1900, 0x1910),
	SYMBOL("shared", 0x1a00, 0x1a10),
	SYMBOL("twin.constprop.0", 0x1b00, 0x1b10),
	SYMBOL("called_part.lto_priv.0", 0x1c00, 0x1c10),
	SYMBOL("called_part.part.0", 0x1d00, 0x1d10),
	SYMBOL("part_left.part.0", 0x1e00, 0x1e10),
	{ { .start = 0x2100, .end = 0x2110, .name = "chosen" }, IC_SYMBOL_RESOLVER },
	SYMBOL("choose", 0x2100, 0x2110),
	{ { .start = 0x2200, .end = 0x2200, .name = "assembly" }, IC_SYMBOL_OTHER },
	SYMBOL("assembly.cold", 0x2210, 0x2220),
	SYMBOL("label", 0x2300, 0x2310),
	SYMBOL("old@V1", 0x2400, 0x2410),
	SYMBOL("second@V1", 0x2410, 0x2420),
	SYMBOL("second@@V2", 0x2420, 0x2430),
	SYMBOL("inline_only", 0x9000, 0x9010), // in no code
};

static bool find(struct ic_symbol_source *source, struct ic_range range, const char *function,
		 struct ic_symbol *symbol)
{
	(void)source, (void)function;

	for (size_t i = 0; i < COUNT_OF(table); i++) {
		if (range.start < table[i].symbol.start || range.end > table[i].symbol.end)
			continue;
		*symbol = table[i].symbol;
		return true;
	}
	return false;
}

static void each_name(struct ic_symbol_source *source, const char *name, ic_symbol_visit *visit,
		      void *context)
{
	(void)source;

	for (size_t i = 0; i < COUNT_OF(table); i++)
		if (strcmp(name, table[i].symbol.name) == 0 && !visit(context, &table[i].symbol))
			return;
}

static void each(struct ic_symbol_source *source, ic_symbol_take *take, void *context)
{
	(void)source;

	for (size_t i = 0; i < COUNT_OF(table); i++)
		take(context, &table[i].symbol, table[i].kind);
}

static struct ic_symbol_source symbols = { .find = find, .each_name = each_name, .each = each };
static const struct ic_index the_index = {
	.units = &unit, .unit_count = 1, .symbols = &symbols, .code = { code, COUNT_OF(code) }
};

static void write_place(FILE *out, const struct ic_verdict_place *place)
{
	static const char *const kinds[] = {
		[IC_VERDICT_ENTRY] = "",
		[IC_VERDICT_CLONE] = " clone",
		[IC_VERDICT_PART] = " part",
		[IC_VERDICT_CHOOSING] = " choosing",
		[IC_VERDICT_BYPASSED] = " bypassed",
		[IC_VERDICT_COPY] = " copy",
	};

	fprintf(out, "; %s+%llx@%llx%s%s%s", place->symbol ? place->symbol : "?",
		(unsigned long long)place->offset, (unsigned long long)place->addr,
		kinds[place->kind], place->is_ambiguous ? " ambiguous" : "",
		place->site == IC_VERDICT_NO_SITE ? " not described" : "");
}

// For each verdict "KIND STATISTICS copies/without code in callers, bytes, left out, calls;
// code...; entries...= others...".
static const char *told(const char *name)
{
	static const char *const kinds[] = {
		[IC_VERDICT_PARTLY] = "PARTLY",
		[IC_VERDICT_FULLY] = "FULLY",
		[IC_VERDICT_NO_COPY_LEFT] = "NO_COPY_LEFT",
		[IC_VERDICT_NEVER] = "NEVER",
		[IC_VERDICT_RESOLVER] = "RESOLVER",
		[IC_VERDICT_ALIAS] = "ALIAS",
		[IC_VERDICT_SYMBOL_ONLY] = "SYMBOL_ONLY",
		[IC_VERDICT_LEFT_OUT] = "LEFT_OUT",
		[IC_VERDICT_DECLARED] = "DECLARED",
		[IC_VERDICT_OPTIMISED_AWAY] = "OPTIMISED_AWAY",
		[IC_VERDICT_UNUSED] = "UNUSED",
	};
	static const char *const words[] = { "?", "never", "partly", "fully" };
	static char text[1024];
	struct ic_error err;
	struct ic_verdicts *verdicts =
		ic_verdicts_find(&the_index, (const char *const[]){ name, NULL }, &err);
	struct ic_verdict verdict;
	FILE *out = fmemopen(text, sizeof(text), "w");

	assert_non_null(verdicts);
	assert_non_null(out);
	for (size_t i = 0; ic_verdicts_get(verdicts, i, &verdict); i++) {
		fprintf(out, "%s%s %s %d/%d in %d, %d, %d, %d", i > 0 ? " | " : "",
			kinds[verdict.kind], words[verdict.inlined], (int)verdict.copies,
			(int)verdict.without_code, (int)verdict.callers, (int)verdict.size,
			(int)verdict.left_out, (int)verdict.calls);
		for (size_t j = 0; j < verdict.code_count; j++)
			write_place(out, &verdict.code[j]);
		if (verdict.entered > 0)
			fprintf(out, "; %d entered", (int)verdict.entered);
		for (size_t j = 0; j < verdict.entry_count; j++)
			write_place(out, &verdict.entries[j]);
		for (size_t j = 0; j < verdict.other_count; j++)
			fprintf(out, " = %s", verdict.others[j]);
	}
	fputc(0, out);
	fclose(out);
	ic_verdicts_free(verdicts);
	return text;
}

TEST(a_function_with_code_and_copies_is_partly_inlined)
{
	assert_string_equal(told("partly"),
			    "PARTLY partly 1/0 in 1, 16, 0, 0; partly@@V1+0@1100; 1 entered; "
			    "alias+10@1010 copy");
}

TEST(a_function_with_copies_only_is_fully_inlined_and_two_may_be_entered_at_once)
{
	assert_string_equal(told("fully"),
			    "FULLY fully 3/1 in 2, 272, 0, 0; 2 entered; alias+12@1012 copy; "
			    "partly@@V1+10@1110 copy");
}

TEST(a_function_may_be_never_inlined_and_other_names_are_told)
{
	assert_string_equal(told("never"), "NEVER never 0/0 in 0, 0, 0, 1; never+0@1000 = alias "
					   "= folded");
}

TEST(copies_without_code_are_not_never)
{
	assert_string_equal(told("lost"), "NO_COPY_LEFT never 0/1 in 0, 0, 0, 0; lost+0@1200");
}

TEST(an_indirect_function_is_not_where_its_symbol_is)
{
	assert_string_equal(told("chosen"),
			    "RESOLVER ? 0/0 in 0, 0, 0, 0; chosen+0@2100 choosing not described");
	assert_string_equal(told("choose"),
			    "SYMBOL_ONLY ? 0/0 in 0, 0, 0, -1; choose+0@2100 not described");
}

TEST(folded_functions_are_one_whichever_name_is_asked)
{
	assert_string_equal(told("folded"),
			    "ALIAS never 0/0 in 0, 0, 1, 0; folded+0@1000 not described = alias "
			    "= never");
	assert_string_equal(told("alias"),
			    "ALIAS ? 0/0 in 0, 0, 0, -1; alias+0@1000 not described = never "
			    "= folded");
	assert_string_equal(told("described"), "NEVER never 0/0 in 0, 0, 0, 0; "
					       "twin.constprop.0+0@1b00 = twin.constprop.0");
}

TEST(a_symbol_may_be_all_that_is_known)
{
	assert_string_equal(told("assembly"),
			    "SYMBOL_ONLY ? 0/0 in 0, 0, 0, 0; assembly+0@2200 not described; "
			    "assembly.cold+0@2210 part not described");
	assert_string_equal(told("label"),
			    "SYMBOL_ONLY ? 0/0 in 0, 0, 0, -1; label+0@2300 not described");
	assert_string_equal(told("old"),
			    "SYMBOL_ONLY ? 0/0 in 0, 0, 0, -1; old@V1+0@2400 not described");
	assert_string_equal(told("second"), "SYMBOL_ONLY ? 0/0 in 0, 0, 0, -1; second@@V2+0@2420 "
					    "ambiguous not described");
}

TEST(code_may_be_left_out)
{
	assert_string_equal(told("left"), "LEFT_OUT ? 0/0 in 0, 0, 1, 0");
}

TEST(a_function_may_be_in_another_file_or_nowhere)
{
	assert_string_equal(told("called"), "DECLARED ? 0/0 in 0, 0, 0, 2");
	assert_string_equal(told("unused"), "UNUSED ? 0/0 in 0, 0, 0, 0");
	assert_string_equal(told("inline_only"), "UNUSED ? 0/0 in 0, 0, 0, 0");
	assert_string_equal(told("nothing"), "");
}

TEST(an_inlined_function_may_be_optimised_away)
{
	assert_string_equal(told("gone"), "OPTIMISED_AWAY ? 0/1 in 0, 0, 0, 0");
	functions[UNUSED].inlining = IC_INLINING_DECLARED_INLINED;
	assert_string_equal(told("unused"), "OPTIMISED_AWAY ? 0/0 in 0, 0, 0, 0");
	functions[UNUSED].inlining = IC_INLINING_ABSENT;
}

TEST(a_weak_definition_is_bypassed_if_its_symbol_is_elsewhere)
{
	assert_string_equal(told("weak"), "NEVER never 0/0 in 0, 0, 0, -1; ?+0@1300 bypassed | "
					  "NEVER never 0/0 in 0, 0, 0, -1; weak+0@1400");
}

TEST(functions_of_one_name_have_their_own_symbols)
{
	assert_string_equal(told("filed"),
			    "NEVER never 0/0 in 0, 0, 0, -1; filed+0@1500 ambiguous | "
			    "NEVER never 0/0 in 0, 0, 0, -1; filed+0@1600 ambiguous");
}

TEST(mangled_symbols_of_a_function_are_its_own)
{
	assert_string_equal(told("method"), "NEVER never 0/0 in 0, 0, 0, 0; _ZL6methodi+0@1700");
	assert_string_equal(told("Built"), "NEVER never 0/0 in 0, 0, 0, 0; _ZN5BuiltC1Ev+0@1800");
}

TEST(parts_are_no_entries_and_calls_of_them_are_no_calls)
{
	assert_string_equal(told("only_part"),
			    "FULLY fully 1/0 in 1, 16, 0, 0; only_part.part.0+0@1900 part; "
			    "1 entered; alias+10@1010 copy");
	// One of its two calls is in itself.
	assert_string_equal(told("called_part"),
			    "NEVER never 0/0 in 0, 0, 0, 1; called_part.lto_priv.0+0@1c00; "
			    "called_part.part.0+0@1d00 part");
	assert_string_equal(told("part_left"), "OPTIMISED_AWAY ? 0/1 in 0, 0, 0, 0; "
					       "part_left.part.0+0@1e00 part");
}

TEST(clones_are_entries)
{
	assert_string_equal(told("twin"),
			    "NEVER never 0/0 in 0, 0, 0, 0; twin.constprop.0+0@1b00 clone "
			    "= described");
}

TEST(code_that_two_units_describe_is_one)
{
	assert_string_equal(told("shared"), "NEVER never 0/0 in 0, 0, 0, 0; shared+0@1a00");
}

TEST(places_have_sites)
{
	struct ic_verdicts *verdicts =
		ic_verdicts_find(&the_index, (const char *const[]){ "partly", NULL }, NULL);
	const struct ic_sites *sites = ic_verdicts_sites(verdicts);
	struct ic_verdict verdict;
	struct ic_site site;

	assert_int_equal(ic_verdicts_count(verdicts), 1);
	assert_true(ic_verdicts_get(verdicts, 0, &verdict));
	assert_true(ic_sites_get(sites, verdict.code[0].site, &site));
	assert_int_equal(site.kind, IC_SITE_OUT_OF_LINE);
	assert_int_equal(site.function_off, 0x100 + PARTLY);
	assert_true(ic_sites_get(sites, verdict.entries[0].site, &site));
	assert_int_equal(site.kind, IC_SITE_INLINED);
	assert_int_equal(site.entry, 0x1010);
	assert_string_equal(site.host, "never");
	assert_false(ic_verdicts_get(verdicts, 1, &verdict));
	ic_verdicts_free(verdicts);
	ic_verdicts_free(NULL);
}

TEST(a_table_of_inlined_calls_does_not_say_enough)
{
	struct ic_index index = the_index;
	struct ic_error err;

	index.inline_table = (const struct ic_btf_inline *)&index; // only whether there is one
	assert_null(ic_verdicts_find(&index, (const char *const[]){ "never", NULL }, &err));
	assert_int_equal(err.code, IC_ERROR_UNSUPPORTED);
}

UNIT_TESTS(query_verdicts_verdict)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_with_code_and_copies_is_partly_inlined),
		cmocka_unit_test(
			a_function_with_copies_only_is_fully_inlined_and_two_may_be_entered_at_once),
		cmocka_unit_test(a_function_may_be_never_inlined_and_other_names_are_told),
		cmocka_unit_test(copies_without_code_are_not_never),
		cmocka_unit_test(an_indirect_function_is_not_where_its_symbol_is),
		cmocka_unit_test(folded_functions_are_one_whichever_name_is_asked),
		cmocka_unit_test(a_symbol_may_be_all_that_is_known),
		cmocka_unit_test(code_may_be_left_out),
		cmocka_unit_test(a_function_may_be_in_another_file_or_nowhere),
		cmocka_unit_test(an_inlined_function_may_be_optimised_away),
		cmocka_unit_test(a_weak_definition_is_bypassed_if_its_symbol_is_elsewhere),
		cmocka_unit_test(functions_of_one_name_have_their_own_symbols),
		cmocka_unit_test(mangled_symbols_of_a_function_are_its_own),
		cmocka_unit_test(parts_are_no_entries_and_calls_of_them_are_no_calls),
		cmocka_unit_test(clones_are_entries),
		cmocka_unit_test(code_that_two_units_describe_is_one),
		cmocka_unit_test(places_have_sites),
		cmocka_unit_test(a_table_of_inlined_calls_does_not_say_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
