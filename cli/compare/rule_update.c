#include "compare/rule_update.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/output_file.h"

// ---- Rules of today

// Makes the name of a function in a rule, with its source file; NULL if it has none.
static bool make_name(const struct ic_statistic *function, char **name)
{
	const char *symbol = function->linkage_name ? function->linkage_name : function->function;

	*name = NULL;
	if (!symbol || !*symbol || strpbrk(symbol, "\"\n\r") || !function->decl_file)
		return true;
	return asprintf(name, "\"%s\"@%s", symbol, cli_base_name(function->decl_file)) >= 0;
}

static bool grow_writer(struct cli_rule_writer *writer)
{
	size_t capacity = writer->capacity > 0 ? 2 * writer->capacity : 256;
	struct cli_rule_line *lines = reallocarray(writer->lines, capacity, sizeof(*lines));

	if (!lines)
		return false;
	writer->lines = lines;
	writer->capacity = capacity;
	return true;
}

static bool add_function(struct cli_rule_writer *writer, const struct ic_statistic *function)
{
	char *name;

	if (!make_name(function, &name))
		return false;
	if (!name)
		return true;
	if (writer->count == writer->capacity && !grow_writer(writer)) {
		free(name);
		return false;
	}
	writer->lines[writer->count++] =
		(struct cli_rule_line){ .name = name,
					.copies = function->copies,
					.is_out_of_line = function->inlined != IC_INLINED_FULLY };
	return true;
}

bool cli_rule_writer_add(struct cli_rule_writer *writer, const struct ic_index *index,
			 struct ic_error *err)
{
	// Also those that were never inlined: one may have the name and the file's name of another.
	const struct ic_sites_query all = { .function = "*", .match = IC_MATCH_GLOB };
	const struct ic_statistics_query query = { .sites = &all, .order = IC_STATISTICS_BY_NAME };
	struct ic_statistics *statistics = ic_statistics_find(index, &query, err);
	struct ic_statistic function;
	bool ok = statistics != NULL;

	for (size_t i = 0; ok && ic_statistics_get(statistics, i, &function); i++) {
		ok = add_function(writer, &function);
		if (!ok) {
			err->code = IC_ERROR_MEMORY;
			snprintf(err->message, sizeof(err->message), "out of memory");
		}
	}
	ic_statistics_free(statistics);
	return ok;
}

static int compare_lines(const void *left, const void *right)
{
	const struct cli_rule_line *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static void print_rule(const struct cli_rule_line *line)
{
	if (line->copies == 0)
		return;
	if (line->is_out_of_line)
		printf("at most %" PRIu64 " copies of %s\n", line->copies, line->name);
	else
		printf("never out-of-line %s\n", line->name);
}

bool cli_rule_writer_end(struct cli_rule_writer *writer)
{
	struct cli_rule_line *lines = writer->lines;

	if (writer->count > 1)
		qsort(lines, writer->count, sizeof(*lines), compare_lines);
	for (size_t i = 0; i < writer->count; i++) {
		// Functions of one name are one in a rule.
		if (i + 1 < writer->count && strcmp(lines[i].name, lines[i + 1].name) == 0) {
			lines[i + 1].copies += lines[i].copies;
			lines[i + 1].is_out_of_line |= lines[i].is_out_of_line;
			continue;
		}
		print_rule(&lines[i]);
	}
	for (size_t i = 0; i < writer->count; i++)
		free(lines[i].name);
	free(lines);
	return cli_end_print() == CLI_ANSWERED;
}

// ---- Changed rules

// The number in a line that a rule limits; NULL if it limits nothing.
static const char *find_limit(const char *line, uint64_t limit, size_t *length)
{
	static const char *const before[] = { "most", "<=", "at" };
	char number[24];

	*length = (size_t)snprintf(number, sizeof(number), "%" PRIu64, limit);
	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++) {
		const char *at = line;
		while ((at = strstr(at, before[i]))) {
			at += strlen(before[i]);
			const char *start = at + strspn(at, " \t");
			if (start > at && strspn(start, "0123456789") == *length &&
			    memcmp(start, number, *length) == 0)
				return start;
		}
	}
	return NULL;
}

static void write_line(FILE *stream, const char *line, const struct ic_rule *rule)
{
	size_t length;
	const char *limit = rule && rule->state == IC_RULE_BROKEN &&
					    rule->limit != IC_RULE_NO_NUMBER
				    ? find_limit(line, rule->limit, &length)
				    : NULL;

	if (!rule || rule->state == IC_RULE_KEPT || rule->state == IC_RULE_UNKNOWN)
		fputs(line, stream);
	else if (limit)
		fprintf(stream, "%.*s%" PRIu64 "%s", (int)(limit - line), line, rule->found,
			limit + length);
	else
		fprintf(stream, "# %s: %s",
			rule->state == IC_RULE_BROKEN ? "broken" : "no such function", line);
}

// The rule of a line of the file.
static bool find_rule(const struct ic_rules *rules, const char *path, uint32_t line, size_t *next,
		      struct ic_rule *rule)
{
	while (ic_rules_get(rules, *next, rule)) {
		bool is_here = rule->file && strcmp(rule->file, path) == 0;
		if (is_here && rule->line > line)
			return false;
		(*next)++;
		if (is_here && rule->line == line)
			return true;
	}
	return false;
}

static bool write_lines(const struct ic_rules *rules, const char *path, FILE *from, FILE *to)
{
	char *line = NULL;
	size_t capacity = 0, next = 0;
	struct ic_rule rule;

	for (uint32_t number = 1; getline(&line, &capacity, from) > 0; number++)
		write_line(to, line, find_rule(rules, path, number, &next, &rule) ? &rule : NULL);
	int error = errno;
	free(line);
	if (!feof(from))
		cli_complain("%s: cannot read: %s", path, strerror(error));
	return feof(from);
}

bool cli_rules_update(const struct ic_rules *rules, const char *path)
{
	struct cli_output_file file;
	FILE *from = fopen(path, "r");

	if (!from) {
		cli_complain("%s: cannot open: %s", path, strerror(errno));
		return false;
	}
	bool ok = cli_output_file_open(&file, path, path);
	if (ok)
		ok = cli_output_files_close(&file, 1, write_lines(rules, path, from, file.stream));
	fclose(from);
	return ok;
}
