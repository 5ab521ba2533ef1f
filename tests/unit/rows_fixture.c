#include "rows_fixture.h"

#include "unit_test.h"

#include "model/index.h"

static struct ic_function functions[] = {
	{ .name = "outer", .decl_file = "/src/a.c", .decl_line = 3, .scope = IC_NONE },
	{ .name = "mid",
	  .linkage_name = "_Z3midi",
	  .decl_file = "/src/a.h",
	  .decl_line = 5,
	  .die_off = 0x30,
	  .scope = IC_NONE },
	{ .name = "le\"af", .die_off = 0x40, .scope = IC_NONE },
};
enum { OUTER, MID, LEAF };

static struct ic_range ranges[] = {
	{ 0x1000, 0x1100 }, { 0x1010, 0x1030 }, { 0x2000, 0x2008 },
	{ 0x1020, 0x1028 }, { 0x1200, 0x1210 },
};

static struct ic_instance instances[] = {
	{ .function = OUTER,
	  .parent = IC_NONE,
	  .range_count = 1,
	  .call_file = IC_NONE,
	  .kind = IC_INSTANCE_HOST,
	  .die_off = 0x80,
	  .entry = 0x1000 },
	{ .function = MID,
	  .parent = 0,
	  .first_range = 1,
	  .range_count = 2,
	  .call_file = 0,
	  .call_line = 10,
	  .call_column = 7,
	  .die_off = 0x90,
	  .entry = 0x1018 },
	{ .function = LEAF,
	  .parent = 1,
	  .first_range = 3,
	  .range_count = 1,
	  .call_file = IC_NONE,
	  .call_line = 11,
	  .die_off = 0xa0,
	  .entry = IC_NO_ADDR },
	{ .function = LEAF, // of which nothing is left
	  .parent = 1,
	  .call_file = 0,
	  .die_off = 0xb0,
	  .entry = IC_NO_ADDR },
	{ .function = LEAF,
	  .parent = IC_NONE,
	  .first_range = 4,
	  .range_count = 1,
	  .call_file = IC_NONE,
	  .kind = IC_INSTANCE_HOST,
	  .die_off = 0xc0,
	  .entry = 0x1200 },
};

static struct ic_call calls[] = {
	{ .function = LEAF,
	  .parent = 0,
	  .addr = 0x1050,
	  .return_addr = 0x1055,
	  .die_off = 0xd0,
	  .call_file = 0,
	  .call_line = 20 },
	{ .function = LEAF,
	  .parent = 1,
	  .addr = 0x1028,
	  .return_addr = IC_NO_ADDR,
	  .die_off = 0xe0,
	  .call_file = IC_NONE,
	  .is_tail = true },
};

static const char *files[] = { "/src/b.c" };
static struct ic_unit_model unit = {
	.name = "a.c",
	.off = 0x100,
	.functions = functions,
	.instances = instances,
	.ranges = ranges,
	.calls = calls,
	.files = files,
	.function_count = COUNT_OF(functions),
	.instance_count = COUNT_OF(instances),
	.range_count = COUNT_OF(ranges),
	.call_count = COUNT_OF(calls),
	.file_count = 1,
};

static bool find_symbol(struct ic_symbol_source *source, struct ic_range range,
			const char *function, struct ic_symbol *symbol)
{
	static const struct ic_symbol symbols[] = {
		{ .start = 0x1000, .end = 0x1100, .name = "outer" },
		{ .start = 0x2000, .end = 0x2010, .name = "_Z3midi.cold" },
	};
	(void)source, (void)function;

	for (size_t i = 0; i < COUNT_OF(symbols); i++) {
		if (range.start >= symbols[i].start && range.end <= symbols[i].end) {
			*symbol = symbols[i];
			return true;
		}
	}
	return false;
}

static void expect_symbols(struct ic_symbol_source *source, uint64_t questions)
{
	(void)source, (void)questions;
}

static void each_name(struct ic_symbol_source *source, const char *name, ic_symbol_visit *visit,
		      void *context)
{
	(void)source, (void)name, (void)visit, (void)context;
}

static void each_symbol(struct ic_symbol_source *source, ic_symbol_take *take, void *context)
{
	static const struct ic_symbol symbol = { .start = 0x1200, .end = 0x1210, .name = "alias" };
	(void)source;

	take(context, &symbol, IC_SYMBOL_FUNCTION);
}

static struct ic_symbol_source symbols = {
	.find = find_symbol, .expect = expect_symbols, .each_name = each_name, .each = each_symbol
};
static struct ic_range code[] = { { 0x1000, 0x3000 } };
static const struct ic_code_section sections[] = {
	{ 0x1000, 0x2000, ".text" },
	{ 0x2000, 0x3000, ".text.unlikely" },
};
static const struct ic_index the_index = { .units = &unit,
					   .unit_count = 1,
					   .symbols = &symbols,
					   .sections = sections,
					   .section_count = COUNT_OF(sections),
					   .code = { code, COUNT_OF(code) } };

static const struct ic_frame frames[] = {
	{ .function = "mid",
	  .linkage_name = "_Z3midi",
	  .file = "/src/a.h",
	  .line = 5,
	  .discriminator = 2,
	  .inlined = true },
	{ .function = "_Z5outerv", .is_symbol = true },
};
static const struct ic_line_place place = { .range = { 0x1010, 0x1014 }, .is_stmt = true };
static const struct ic_stack stacks[] = {
	{ .addr = 0x10, .section = ".text", .frames = frames, .frame_count = 2 },
	{ .addr = UINT64_MAX, .symbol = "f.cold", .symbol_offset = 4, .symbol_size = 9 },
	{ .addr = 0x10, .place = &place, .frames = frames, .frame_count = 1 },
	{ .text = "none" },
};

static const struct ic_argument_statistics arguments = {
	.all = { .functions = 2,
		 .copies = 200,
		 .arguments = 8,
		 .categories = { [IC_CATEGORY_LITERAL] = 1,
				 [IC_CATEGORY_REGISTER] = 2,
				 [IC_CATEGORY_STACK] = 2,
				 [IC_CATEGORY_EMPTY] = 3 },
		 .shapes = { [IC_SHAPE_NUMBER] = 1,
			     [IC_SHAPE_REGISTER] = 2,
			     [IC_SHAPE_FRAME] = 2,
			     [IC_SHAPE_EMPTY] = 3 },
		 .optimised_out = 1,
		 .not_here = 2 },
	.few = { .functions = 1,
		 .copies = 3,
		 .arguments = 3,
		 .categories = { [IC_CATEGORY_REGISTER] = 2, [IC_CATEGORY_EMPTY] = 1 },
		 .shapes = { [IC_SHAPE_REGISTER] = 2, [IC_SHAPE_EMPTY] = 1 },
		 .not_here = 1 },
};

struct subject subject_find(enum ic_rows_kind kind)
{
	const struct ic_sites_query query = {
		.function = "*", .match = IC_MATCH_GLOB, .out_of_line = true, .calls = true
	};
	struct subject subject = { .kind = kind };

	switch (kind) {
	case IC_ROWS_SITES: subject.sites = ic_sites_find(&the_index, &query, NULL); break;
	case IC_ROWS_COUNTS:
		subject.counts = ic_counts_find(&the_index, &query, IC_COUNTS_BY_NAME, NULL);
		break;
	case IC_ROWS_STACKS: break;
	case IC_ROWS_TREES: subject.trees = ic_trees_find(&the_index, NULL, NULL); break;
	case IC_ROWS_STATISTICS:
		subject.statistics = ic_statistics_find(&the_index, NULL, NULL);
		break;
	case IC_ROWS_ARGUMENTS: break;
	case IC_ROWS_VERDICTS:
		subject.verdicts =
			ic_verdicts_find(&the_index, (const char *const[]){ "le\"af", NULL }, NULL);
		break;
	case IC_ROWS_BTF_SITES:
	case IC_ROWS_BTF_TALLIES:
	case IC_ROWS_CALL_FRAMES:
	case IC_ROWS_CALL_FRAME_ITEMS:
	case IC_ROWS_THREADS:
	case IC_ROWS_LINT: fail_msg("others test them"); break;
	case IC_ROWS_PROBES: fail_msg("others test them"); break;
	case IC_ROWS_HITS: fail_msg("others test them"); break;
	case IC_ROWS_HIT_COUNTS:
	case IC_ROWS_LATENCIES:
	case IC_ROWS_HISTOGRAMS:
	case IC_ROWS_PROFILE:
	case IC_ROWS_SIZES: fail_msg("others test them"); break;
	}
	assert_true(kind == IC_ROWS_STACKS || kind == IC_ROWS_ARGUMENTS || subject.sites ||
		    subject.counts || subject.trees || subject.statistics || subject.verdicts);
	return subject;
}

void subject_free(struct subject *subject)
{
	ic_sites_free(subject->sites);
	ic_counts_free(subject->counts);
	ic_trees_free(subject->trees);
	ic_statistics_free(subject->statistics);
	ic_verdicts_free(subject->verdicts);
}

struct ic_rows *subject_try_rows(const struct subject *subject,
				 const struct ic_row_options *options, struct ic_error *err)
{
	switch (subject->kind) {
	case IC_ROWS_SITES: return ic_rows_of_sites(subject->sites, options, err);
	case IC_ROWS_COUNTS: return ic_rows_of_counts(subject->counts, options, err);
	case IC_ROWS_STACKS: return ic_rows_of_stacks(stacks, COUNT_OF(stacks), options, err);
	case IC_ROWS_TREES: return ic_rows_of_trees(subject->trees, options, err);
	case IC_ROWS_STATISTICS: return ic_rows_of_statistics(subject->statistics, options, err);
	case IC_ROWS_ARGUMENTS: return ic_rows_of_arguments(&arguments, options, err);
	case IC_ROWS_VERDICTS: return ic_rows_of_verdicts(subject->verdicts, options, err);
	case IC_ROWS_BTF_SITES:
	case IC_ROWS_BTF_TALLIES:
	case IC_ROWS_CALL_FRAMES:
	case IC_ROWS_CALL_FRAME_ITEMS:
	case IC_ROWS_THREADS:
	case IC_ROWS_LINT: break;
	case IC_ROWS_PROBES: break;
	case IC_ROWS_HITS: break;
	case IC_ROWS_HIT_COUNTS:
	case IC_ROWS_LATENCIES:
	case IC_ROWS_HISTOGRAMS:
	case IC_ROWS_PROFILE:
	case IC_ROWS_SIZES: break;
	}
	return NULL;
}

struct ic_rows *subject_rows(const struct subject *subject, const struct ic_row_options *options)
{
	struct ic_rows *rows = subject_try_rows(subject, options, NULL);

	assert_non_null(rows);
	return rows;
}
