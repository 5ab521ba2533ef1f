#include "api_walk.h"

#include <stdio.h>

#include <json-c/json.h>

#include <inlinecall/extra/report.h>
#include <inlinecall/extra/sites.h>
#include <inlinecall/extra/symbolizer.h>

#include "affected_walk.h"
#include "compare_walk.h"
#include "frames_walk.h"
#include "fuzz_input.h"
#include "tables_walk.h"

enum { MOST_CALLERS = 16, MOST_LEVELS = 16 };

struct sink { // what a report writes to: only looked at, not kept
	uint64_t hash, lines;
	json_tokener *json; // NULL if it is not JSON
};

static void check_json(json_tokener *json, const char *text, size_t size)
{
	for (size_t used = 0; used < size; used += json_tokener_get_parse_end(json)) {
		json_object *object = json_tokener_parse_ex(json, text + used, (int)(size - used));
		enum json_tokener_error state = json_tokener_get_error(json);

		json_object_put(object);
		PROMISE(state == json_tokener_continue || state == json_tokener_success);
		if (state == json_tokener_continue)
			return; // all of it was taken
	}
}

static ssize_t look_at(void *cookie, const char *text, size_t size)
{
	struct sink *sink = cookie;

	for (size_t i = 0; i < size; i++) {
		sink->hash = (sink->hash ^ (uint8_t)text[i]) * 0x100000001b3; // FNV
		sink->lines += text[i] == '\n';
	}
	if (sink->json)
		check_json(sink->json, text, size);
	return (ssize_t)size;
}

struct look { // how rows are reported
	struct ic_report_options report;
	struct ic_row_options rows;
};

struct subject { // one of them
	const struct ic_sites *sites;
	const struct ic_statistics *counts; // only of sites
	const struct ic_trees *trees;
	const struct ic_statistics *statistics;
	const struct ic_argument_statistics *arguments;
	const struct ic_verdicts *verdicts;
};

static size_t count_of(struct subject subject)
{
	return subject.sites       ? ic_sites_count(subject.sites)
	       : subject.counts    ? ic_statistics_count(subject.counts)
	       : subject.trees     ? ic_trees_count(subject.trees)
	       : subject.verdicts  ? ic_verdicts_count(subject.verdicts)
	       : subject.arguments ? 1 + 6 + 20 // all, categories, shapes
				   : ic_statistics_count(subject.statistics) + 1; // that of all
}

static enum ic_rows_kind kind_of(struct subject subject)
{
	return subject.sites       ? IC_ROWS_SITES
	       : subject.counts    ? IC_ROWS_COUNTS
	       : subject.trees     ? IC_ROWS_TREES
	       : subject.verdicts  ? IC_ROWS_VERDICTS
	       : subject.arguments ? IC_ROWS_ARGUMENTS
				   : IC_ROWS_STATISTICS;
}

static struct ic_rows *rows_of(struct subject subject, const struct ic_row_options *options,
			       struct ic_error *err)
{
	return subject.sites       ? ic_rows_of_sites(subject.sites, options, err)
	       : subject.counts    ? ic_rows_of_counts(subject.counts, options, err)
	       : subject.trees     ? ic_rows_of_trees(subject.trees, options, err)
	       : subject.verdicts  ? ic_rows_of_verdicts(subject.verdicts, options, err)
	       : subject.arguments ? ic_rows_of_arguments(subject.arguments, options, err)
				   : ic_rows_of_statistics(subject.statistics, options, err);
}

static bool write_rows(struct subject subject, const struct look *look, FILE *out,
		       struct ic_error *err)
{
	struct ic_report *report = ic_report_new(kind_of(subject), &look->report, out, err);
	struct ic_rows *rows = report ? rows_of(subject, &look->rows, err) : NULL;
	bool ok = rows != NULL;

	if (rows) {
		bool is_whole = ic_report_rows(report, rows);
		ok = ic_report_end(report, err);
		PROMISE(ok == is_whole);
	}
	ic_rows_free(rows);
	ic_report_free(report);
	return ok;
}

static bool report(struct subject subject, const struct look *look, uint64_t *hash,
		   struct ic_error *err)
{
	const struct ic_report_options *options = &look->report;
	struct sink sink = { .hash = *hash };

	if (options->format == IC_REPORT_JSON)
		sink.json = json_tokener_new();
	FILE *out = fopencookie(&sink, "w", (cookie_io_functions_t){ .write = look_at });
	if (!out)
		abort();
	bool ok = write_rows(subject, look, out, err);
	fclose(out);
	if (ok && options->format == IC_REPORT_JSON)
		PROMISE(sink.lines == count_of(subject));
	if (sink.json)
		json_tokener_free(sink.json);
	*hash = sink.hash;
	return ok;
}

static void check_site(const struct ic_index *index, const struct ic_sites *sites, size_t number)
{
	struct ic_site_caller callers[MOST_CALLERS];
	struct ic_site site;

	PROMISE(ic_sites_get(sites, number, &site));
	size_t depth = ic_sites_chain(sites, &site, callers, MOST_CALLERS);
	PROMISE(depth == site.depth);
	for (size_t i = 0; i < depth && i < MOST_CALLERS; i++)
		if (callers[i].function)
			fuzz_read_text(callers[i].function, NULL);
	for (size_t i = 0; i < site.range_count; i++) {
		PROMISE(site.ranges[i].start < site.ranges[i].end);
		const char *symbol = ic_index_symbol(index, site.ranges[i], site.host);
		if (symbol)
			fuzz_read_text(symbol, NULL);
	}
}

static bool check_counts(const struct ic_index *index, const struct ic_sites_query *query,
			 uint64_t *hash, struct ic_error *err)
{
	const struct ic_statistics_query of_sites = { .sites = query,
						      .order = IC_STATISTICS_MOST_BYTES,
						      .only_sites = true };
	struct ic_statistics *counts = ic_statistics_find(index, &of_sites, err);
	struct ic_statistic count, last = { .size = UINT64_MAX };
	bool ok = counts != NULL;

	if (!counts)
		return false;
	for (size_t i = 0; ic_statistics_get(counts, i, &count); i++) {
		PROMISE((count.copies > 0) == (count.size > 0));
		PROMISE(count.size <= last.size);
		PROMISE(query->function || count.copies > 0 || count.without_code > 0);
		last = count;
	}
	for (unsigned format = IC_REPORT_TEXT; ok && format <= IC_REPORT_CSV; format++) {
		const struct look look = { .report.format = (enum ic_report_format)format,
					   .rows = { .file = "a.out", .demangle = query->calls } };
		ok = report((struct subject){ .counts = counts }, &look, hash, err);
	}
	ic_statistics_free(counts);
	return ok;
}

// The rows of sites, with and without what is known of their parameters.
static bool report_sites(const struct ic_sites *sites, const struct ic_sites_query *query,
			 struct ic_parameters *parameters, uint64_t *hash, struct ic_error *err)
{
	bool ok = true;

	for (unsigned format = IC_REPORT_TEXT; ok && format <= IC_REPORT_CSV; format++) {
		const struct look look = { .report = { .format = (enum ic_report_format)format,
						       .chain = true,
						       .entries = query->out_of_line },
					   .rows = { .file = "a.out",
						     .demangle = query->calls,
						     .parameters = parameters } };
		ok = report((struct subject){ .sites = sites }, &look, hash, err);
	}
	return ok;
}

static void check_counted(const struct ic_argument_counts *counts)
{
	uint64_t of_categories = 0, of_shapes = 0;

	for (size_t i = 0; i < sizeof(counts->categories) / sizeof(*counts->categories); i++)
		of_categories += counts->categories[i];
	for (size_t i = 0; i < sizeof(counts->shapes) / sizeof(*counts->shapes); i++)
		of_shapes += counts->shapes[i];
	PROMISE(of_categories == counts->arguments && of_shapes == counts->arguments);
	PROMISE(counts->functions <= counts->copies);
	PROMISE(counts->optimised_out + counts->not_here + counts->unreadable ==
		counts->shapes[IC_SHAPE_EMPTY]);
}

static bool check_arguments(struct ic_parameters *parameters, const struct ic_index *index,
			    const struct ic_sites_query *query, uint64_t *hash,
			    struct ic_error *err)
{
	struct ic_argument_statistics arguments;
	bool ok = ic_arguments_count(parameters, index, query, &arguments, err);

	if (!ok)
		return false;
	check_counted(&arguments.all);
	check_counted(&arguments.few);
	PROMISE(arguments.few.arguments <= arguments.all.arguments);
	for (unsigned format = IC_REPORT_TEXT; ok && format <= IC_REPORT_CSV; format++) {
		const struct look look = { .report.format = (enum ic_report_format)format,
					   .rows = { .file = "a.out" } };
		ok = report((struct subject){ .arguments = &arguments }, &look, hash, err);
	}
	return ok;
}

// False if memory is out. *parameters is NULL if they cannot be read: a section that is half
// relocated makes the file unreadable from then on.
static bool open_parameters(struct ic_image *image, const struct ic_index *index, bool lists,
			    struct ic_parameters **parameters, struct ic_error *err)
{
	const struct ic_parameters_options options = { .lists = lists, .strings = true };

	*parameters = ic_parameters_open(image, index, &options, err);
	return *parameters || (err->code != IC_ERROR_MEMORY && err->code != IC_ERROR_LIMIT);
}

static void close_parameters(struct ic_parameters *parameters)
{
	struct ic_index_problem problem;

	for (size_t i = 0; parameters && ic_parameters_problem_get(parameters, i, &problem); i++)
		fuzz_read_text(problem.message, NULL);
	ic_parameters_free(parameters);
}

static bool check_query(struct ic_image *image, const struct ic_index *index,
			const struct ic_sites_query *query, uint64_t *hash, struct ic_error *err)
{
	struct ic_function_summary summaries[8]; // more than any query has names
	struct ic_sites *sites = ic_sites_find(index, query, err);
	struct ic_parameters *parameters;
	struct ic_site none;
	bool ok = sites != NULL;

	if (!sites)
		return false;
	for (size_t i = 0; i < ic_sites_count(sites); i++)
		check_site(index, sites, i);
	PROMISE(!ic_sites_get(sites, ic_sites_count(sites), &none));
	ok = report_sites(sites, query, NULL, hash, err) &&
	     open_parameters(image, index, query->out_of_line, &parameters, err);
	if (ok) {
		ok = !parameters || (report_sites(sites, query, parameters, hash, err) &&
				     check_arguments(parameters, index, query, hash, err));
		close_parameters(parameters);
	}
	ic_sites_free(sites);
	return ok && check_counts(index, query, hash, err) &&
	       ic_sites_summary(index, query, summaries, err);
}

static void check_node(const struct ic_tree_node *node, const struct ic_tree_node *last,
		       const uint64_t *sizes)
{
	PROMISE(last ? node->depth <= last->depth + 1 : node->depth == 0);
	PROMISE(node->own_size <= node->size);
	PROMISE(node->depth == 0 || node->depth > MOST_LEVELS ||
		node->size <= sizes[node->depth - 1]);
	PROMISE(node->depth == 0 || (node->is_inlined && node->parent_off != UINT64_MAX));
	PROMISE(node->range_count == 0 || node->size > 0);
	if (node->host)
		fuzz_read_text(node->host, NULL);
}

static bool report_trees(const struct ic_trees *trees, const struct ic_trees_query *query,
			 struct ic_parameters *parameters, uint64_t *hash, struct ic_error *err)
{
	bool ok = true;

	for (unsigned format = IC_REPORT_TEXT; ok && format <= IC_REPORT_CSV; format++) {
		const struct look look = { .report.format = (enum ic_report_format)format,
					   .rows = { .file = "a.out",
						     .demangle = query->inlined,
						     .parameters = parameters } };
		ok = report((struct subject){ .trees = trees }, &look, hash, err);
	}
	return ok;
}

static bool check_trees(struct ic_image *image, const struct ic_index *index,
			const struct ic_trees_query *query, uint64_t *hash, struct ic_error *err)
{
	struct ic_trees *trees = ic_trees_find(index, query, err);
	uint64_t sizes[MOST_LEVELS] = { 0 }; // of the instances around one
	struct ic_parameters *parameters;
	struct ic_tree_node node, last;
	bool ok = trees != NULL;

	if (!trees)
		return false;
	for (size_t i = 0; ic_trees_get(trees, i, &node); i++) {
		check_node(&node, i > 0 ? &last : NULL, sizes);
		if (node.depth < MOST_LEVELS)
			sizes[node.depth] = node.size;
		last = node;
	}
	PROMISE(!ic_trees_get(trees, ic_trees_count(trees), &node));
	ok = report_trees(trees, query, NULL, hash, err) &&
	     open_parameters(image, index, query->inlined, &parameters, err);
	if (ok) {
		ok = !parameters || report_trees(trees, query, parameters, hash, err);
		close_parameters(parameters);
	}
	ic_trees_free(trees);
	return ok;
}

static void check_group(const struct ic_statistic *group, const struct ic_statistic *all)
{
	PROMISE(group->copies <= all->copies && group->size <= all->size);
	PROMISE(group->self_size <= group->size && (group->copies > 0) == (group->size > 0));
	PROMISE(group->functions <= group->copies && group->callers <= group->copies);
	PROMISE((group->functions > 0) == (group->copies > 0));
	// Parts of a function have bytes, and are no copies.
	PROMISE(group->out_of_line == 0 || group->out_of_line_size > 0);
	if (group->function)
		fuzz_read_text(group->function, NULL);
	if (group->decl_file)
		fuzz_read_text(group->decl_file, NULL);
}

static bool check_statistics(const struct ic_index *index, const struct ic_sites_query *sites,
			     enum ic_statistics_by by, uint64_t *hash, struct ic_error *err)
{
	const struct ic_statistics_query query = { .sites = sites,
						   .by = by,
						   .order = (enum ic_statistics_order)by };
	struct ic_statistics *statistics = ic_statistics_find(index, &query, err);
	uint64_t copies = 0, without_code = 0;
	struct ic_statistic group, all;
	bool ok = statistics != NULL;

	if (!statistics)
		return false;
	ic_statistics_total(statistics, &all);
	for (size_t i = 0; ic_statistics_get(statistics, i, &group); i++) {
		check_group(&group, &all);
		copies += group.copies;
		without_code += group.without_code;
	}
	PROMISE(copies == all.copies && without_code == all.without_code);
	PROMISE(all.self_size <= all.size && all.functions <= all.copies);
	for (unsigned format = IC_REPORT_TEXT; ok && format <= IC_REPORT_CSV; format++) {
		const struct look look = { .report.format = (enum ic_report_format)format,
					   .rows = { .file = "a.out",
						     .demangle = by == IC_STATISTICS_BY_CALLER } };
		ok = report((struct subject){ .statistics = statistics }, &look, hash, err);
	}
	ic_statistics_free(statistics);
	return ok;
}

static void check_places(const struct ic_verdicts *verdicts, const struct ic_verdict_place *places,
			 size_t count)
{
	struct ic_site site;

	for (size_t i = 0; i < count; i++) {
		PROMISE(places[i].site == IC_VERDICT_NO_SITE ||
			ic_sites_get(ic_verdicts_sites(verdicts), places[i].site, &site));
		if (places[i].symbol)
			fuzz_read_text(places[i].symbol, NULL);
	}
}

static void check_verdict(const struct ic_verdicts *verdicts, const struct ic_verdict *verdict)
{
	PROMISE((verdict->kind == IC_VERDICT_PARTLY) == (verdict->inlined == IC_INLINED_PARTLY));
	PROMISE((verdict->kind == IC_VERDICT_FULLY) == (verdict->inlined == IC_INLINED_FULLY));
	PROMISE((verdict->copies > 0) == (verdict->size > 0));
	PROMISE((verdict->copies > 0) ==
		(verdict->inlined == IC_INLINED_PARTLY || verdict->inlined == IC_INLINED_FULLY));
	PROMISE(verdict->callers <= verdict->copies && verdict->entered <= verdict->copies);
	PROMISE(verdict->entry_count <= verdict->entered);
	PROMISE(verdict->entry_count == verdict->entered ||
		verdict->entry_count == IC_VERDICT_MOST_COPIES);
	PROMISE(verdict->other_count <= IC_VERDICT_MOST_OTHERS);
	check_places(verdicts, verdict->code, verdict->code_count);
	check_places(verdicts, verdict->entries, verdict->entry_count);
	for (size_t i = 0; i < verdict->other_count; i++)
		fuzz_read_text(verdict->others[i], NULL);
}

static bool check_verdicts(struct ic_image *image, const struct ic_index *index, const char *name,
			   uint64_t *hash, struct ic_error *err)
{
	struct ic_verdicts *verdicts =
		ic_verdicts_find(index, (const char *const[]){ name, NULL }, err);
	struct ic_parameters *parameters = NULL;
	struct ic_verdict verdict;

	if (!verdicts)
		return false;
	for (size_t i = 0; ic_verdicts_get(verdicts, i, &verdict); i++)
		check_verdict(verdicts, &verdict);
	bool ok = open_parameters(image, index, false, &parameters, err);
	for (unsigned format = IC_REPORT_TEXT; ok && format <= IC_REPORT_CSV; format++) {
		const struct look look = { .report.format = (enum ic_report_format)format,
					   .rows = { .file = "a.out",
						     .demangle = name[0] == 'm',
						     .parameters = parameters } };
		ok = report((struct subject){ .verdicts = verdicts }, &look, hash, err);
	}
	close_parameters(parameters);
	ic_verdicts_free(verdicts);
	return ok;
}

static void check_entries(struct ic_site_entries entries)
{
	for (size_t i = 0; i < entries.doubt_count; i++)
		fuzz_read_text(ic_entry_doubt_name(entries.doubts[i].kind), NULL);
	for (size_t i = 2; i < entries.count; i++)
		PROMISE(entries.addrs[i - 1] < entries.addrs[i]);
	PROMISE(!entries.is_counted_elsewhere || entries.count == 0);
	PROMISE(!entries.why_not || entries.doubt_count == 0);
}

// Probes of copies, where they are entered and where they are left.
static bool check_probes(struct ic_image *image, const struct ic_index *index, struct ic_error *err)
{
	static const struct ic_sites_query all = { .out_of_line = true };
	struct ic_sites *sites = ic_sites_find(index, &all, err);
	struct ic_entries *entries = sites ? ic_entries_find(image, index, sites, NULL, err) : NULL;
	struct ic_exits *exits = entries ? ic_exits_open(image, index, err) : NULL;
	const struct ic_probe_options options = {
		.path = "/a.out", .tracer = IC_TRACER_BPFTRACE, .entries = entries, .exits = exits
	};
	struct ic_probes *probes = exits ? ic_probes_find(image, sites, NULL, &options, err) : NULL;
	struct ic_probe probe;

	for (size_t i = 0; probes && ic_probes_get(probes, i, &probe); i++) {
		PROMISE((probe.definition == NULL) == (probe.why_not != NULL));
		PROMISE(probe.site < ic_sites_count(sites));
		PROMISE(i > 0 || probe.kind == IC_PROBE_ENTRY);
		fuzz_read_text(probe.event, NULL);
		fuzz_read_text(probe.definition ? probe.definition : probe.why_not, NULL);
	}
	for (size_t i = 0; entries && i < ic_sites_count(sites); i++)
		check_entries(ic_entries_of(entries, i));
	bool ok = probes != NULL;
	ic_probes_free(probes);
	ic_exits_free(exits);
	ic_entries_free(entries);
	ic_sites_free(sites);
	return ok;
}

static bool walk_builds(struct ic_image *image, const struct ic_index *index, uint64_t *hash,
			struct ic_error *err)
{
	struct ic_parameters *parameters;

	if (!open_parameters(image, index, false, &parameters, err))
		return false;
	bool ok = compare_walk(index, parameters, hash, err) &&
		  affected_walk(image, index, parameters, hash, err) &&
		  tables_walk(index, parameters, hash, err);
	close_parameters(parameters);
	return ok;
}

bool api_walk(struct ic_image *image, const struct ic_index *index, uint64_t *hash,
	      struct ic_error *err)
{
	static const char *const more[] = { "mid", "e<int>", NULL };
	static const struct ic_sites_query queries[] = {
		{ .function = "leaf", .more_functions = more, .hosts = more },
		{ .function = "*", .match = IC_MATCH_GLOB, .hosts = more },
		{ .function = NULL, .out_of_line = true, .calls = true },
		{ .function = "leaf" },
		{ .function = "*e*", .match = IC_MATCH_GLOB, .call_file_glob = "*.c" },
		{ .function = "^[a-z]+$", .match = IC_MATCH_REGEX, .out_of_line = true },
	};
	static const struct ic_trees_query trees[] = {
		{ .function = NULL },
		{ .function = "*", .match = IC_MATCH_GLOB, .inlined = true },
		{ .function = "leaf", .levels = 2, .least_size = 1 },
	};
	static const char *const asked[] = { "leaf", "mid", "outer", "_ZN1A1fEv", "e<int>" };
	const char *names[4];

	*hash = 0xcbf29ce484222325;
	for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++)
		if (!check_query(image, index, &queries[i], hash, err))
			return false;
	for (size_t i = 0; i < sizeof(trees) / sizeof(*trees); i++)
		if (!check_trees(image, index, &trees[i], hash, err))
			return false;
	for (unsigned by = IC_STATISTICS_BY_FUNCTION; by < IC_STATISTICS_OF_ALL; by++)
		for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++)
			if (!check_statistics(index, i > 0 ? &queries[i] : NULL,
					      (enum ic_statistics_by)by, hash, err))
				return false;
	size_t count = ic_index_nearest_names(index, "laef", names, 0, 4);
	PROMISE(count <= 4);
	for (size_t i = 0; i < count; i++) {
		fuzz_read_text(names[i], NULL);
		if (!check_verdicts(image, index, names[i], hash, err))
			return false;
	}
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++)
		if (!check_verdicts(image, index, asked[i], hash, err))
			return false;
	return check_probes(image, index, err) && frames_walk(image, hash, err) &&
	       walk_builds(image, index, hash, err);
}
