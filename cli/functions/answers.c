#include "functions/answers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/entry_parameters.h"
#include "base/members.h"

// A smaller .debug_info is always read completely, so that all of its faults are reported: that
// takes no noticeable time, and damaged files are seldom larger.
#define READ_WHOLE (16ull << 20)

void cli_answers_init(struct cli_answers *answers)
{
	cli_files_init(&answers->files);
	answers->report.options.colors = cli_use_colors("auto");
}

static enum cli_status take_name(const char **names, size_t *count, const char *option,
				 const char *name)
{
	if (*count == CLI_ANSWERS_MOST_NAMES)
		return cli_usage_error("more than %d %s options", CLI_ANSWERS_MOST_NAMES, option);
	names[(*count)++] = name;
	return CLI_ANSWERED;
}

static enum cli_status take_match(struct cli_answers *answers, enum ic_match match)
{
	if (answers->query.match != IC_MATCH_NAME && answers->query.match != match)
		return cli_usage_error("-g and -r cannot be used together");
	answers->query.match = match;
	return CLI_ANSWERED;
}

enum cli_status cli_answers_take(struct cli_answers *answers, enum cli_option option,
				 const char *argument)
{
	enum cli_status status;

	if (cli_files_take(&answers->files, option, argument, &status) ||
	    cli_report_take(&answers->report, option, argument, &status))
		return status;
	if (answers->takes_tables && cli_inline_files_take(&answers->tables, option, argument))
		return CLI_ANSWERED;
	switch (option) {
	case CLI_OPTION_ALL: answers->all = true; break;
	case CLI_OPTION_FUNCTION:
		return take_name(answers->names, &answers->name_count, "--function", argument);
	case CLI_OPTION_IN:
		return take_name(answers->hosts, &answers->host_count, "--in", argument);
	case CLI_OPTION_GLOB: return take_match(answers, IC_MATCH_GLOB);
	case CLI_OPTION_REGEX: return take_match(answers, IC_MATCH_REGEX);
	case CLI_OPTION_JOBS: return cli_take_jobs(argument, &answers->index.jobs);
	case CLI_OPTION_PARTS: answers->query.parts = true; break;
	case CLI_OPTION_STRICT: answers->strict = true; break;
	default: return cli_hint_at_help();
	}
	return CLI_ANSWERED;
}

void cli_answers_print(struct cli_answers *answers, bool any, struct ic_rows *rows,
		       const struct ic_error *err)
{
	struct cli_report *report = &answers->report;

	answers->now.found |= any;
	ic_report_begin(report->report, answers->now.headings ? report->rows.file : NULL);
	cli_report_print(report, rows, err);
}

bool cli_answers_look_for_code(struct cli_answers *answers, const struct ic_index *index, bool *any,
			       struct ic_error *err)
{
	struct ic_sites *sites = ic_sites_find(index, &answers->query, err);
	struct ic_site site;

	*any = false;
	for (size_t i = 0; sites && !*any && ic_sites_get(sites, i, &site); i++)
		*any = site.range_count > 0 || site.has_only_entry;
	ic_sites_free(sites);
	return sites != NULL;
}

bool cli_answers_find_entries(struct cli_answers *answers, const struct ic_index *index,
			      const struct ic_sites *sites, struct ic_error *err)
{
	const struct ic_entries_options options = { .jobs = answers->index.jobs,
						    .most_functions = answers->now.most_functions };

	if (!answers->index.entries)
		return true;
	struct ic_entries *entries =
		ic_entries_find(answers->now.file.image, index, sites, &options, err);
	answers->report.rows.entries = answers->now.file.entries = entries;
	if (entries)
		cli_doubts_add(&answers->now.doubts, answers->report.rows.file, sites, entries);
	return entries;
}

const char *cli_answers_no_member(const struct cli_answers *answers)
{
	return answers->index.inline_table ? "a table of inlined calls does not say where members "
					     "of arguments are, such as"
					   : "no argument has a member";
}

// Finds out in one pass which functions certainly have results, and returns in *unknown which may
// have.
static bool look_for_all(struct cli_answers *answers, const struct ic_index *index, bool *unknown,
			 struct ic_error *err)
{
	struct ic_function_summary summaries[CLI_ANSWERS_MOST_NAMES];
	bool is_of_copies = answers->kind == IC_ROWS_SITES || answers->kind == IC_ROWS_COUNTS ||
			    answers->kind == IC_ROWS_PROBES;
	bool are_all_wanted = !answers->query.hosts && !answers->query.call_file_glob;

	if (!ic_sites_summary(index, &answers->query, summaries, err))
		return false;
	for (size_t i = 0; i < answers->name_count; i++) {
		answers->found_names[i] |= is_of_copies && are_all_wanted &&
					   summaries[i].with_code > 0;
		unknown[i] = !answers->found_names[i] && summaries[i].functions > 0;
	}
	return true;
}

// Finds out which of several functions have results: each of the others is explained.
static bool look_for_each(struct cli_answers *answers, const struct ic_index *index,
			  struct ic_error *err)
{
	const struct ic_sites_query query = answers->query;
	bool unknown[CLI_ANSWERS_MOST_NAMES], ok = look_for_all(answers, index, unknown, err);

	answers->query.more_functions = NULL;
	for (size_t i = 0; ok && i < answers->name_count; i++) {
		answers->query.function = answers->names[i];
		if (unknown[i])
			ok = answers->look(answers, index, &answers->found_names[i], err);
	}
	answers->query = query;
	return ok;
}

// Returns whether a problem was printed.
static bool close_reader(struct cli_open_file *file)
{
	bool any = file->reader.parameters &&
		   cli_entry_parameters_close(&file->reader, ic_image_path(file->image));

	file->reader = (struct cli_entry_parameters){ .parameters = NULL };
	return any;
}

static bool answer_parameters(struct cli_answers *answers, struct ic_image *image,
			      const struct ic_index *index, struct ic_error *err)
{
	struct cli_entry_parameters *reader = &answers->now.file.reader;
	struct cli_report *report = &answers->report;

	if (!cli_entry_parameters_open(reader, image, index, &report->parameter_options, err))
		return false;
	report->rows.parameters = reader->parameters;
	bool ok = answers->answer(answers, index, err);
	report->rows.parameters = NULL;
	answers->now.incomplete |= close_reader(&answers->now.file);
	return ok;
}

// Whether anything has not been found so far.
static bool is_lacking(const struct cli_answers *answers)
{
	bool lacking = answers->all && !answers->now.found;

	for (size_t i = 0; i < answers->name_count; i++)
		lacking |= !answers->found_names[i];
	return lacking;
}

// Adds what this index contributes to the explanation of a missing result.
static void note_copies(struct cli_answers *answers, const struct ic_index *index)
{
	for (size_t i = 0; i < answers->name_count; i++)
		answers->now.explanation.subjects[i].is_found = answers->found_names[i];
	if (!answers->now.several_files && is_lacking(answers))
		cli_explain_copies(&answers->now.explanation, index);
}

static void report_file(struct cli_answers *answers, struct ic_image *image,
			const struct ic_index *index)
{
	struct ic_error err;

	answers->report.rows.file = ic_image_path(image);
	bool ok = answers->report.parameters ? answer_parameters(answers, image, index, &err)
					     : answers->answer(answers, index, &err);
	answers->report.rows.entries = NULL;
	if (ok && answers->name_count > 1 && answers->look)
		ok = look_for_each(answers, index, &err);
	else if (answers->name_count == 1)
		answers->found_names[0] = answers->now.found;
	if (ok)
		note_copies(answers, index);
	if (!ok) {
		answers->now.refused = err.code == IC_ERROR_ARGUMENT;
		answers->now.incomplete = true;
		if (answers->now.refused)
			cli_usage_error("%s", err.message);
		else
			cli_complain("%s", err.message);
	}
}

void cli_answers_keep(struct cli_answers *answers, struct cli_open_file *file)
{
	*file = answers->now.file;
	answers->now.file = (struct cli_open_file){ .image = NULL };
}

static void close_index(struct cli_open_file *file)
{
	ic_entries_free(file->entries);
	file->entries = NULL;
	ic_index_free(file->index);
	file->index = NULL;
}

bool cli_open_file_close(struct cli_open_file *file)
{
	bool any = close_reader(file);

	close_index(file);
	ic_image_free(file->image);
	cli_btf_table_close(&file->table);
	*file = (struct cli_open_file){ .image = NULL };
	return any;
}

static void answer_indexed(struct cli_answers *answers, struct ic_image *image,
			   struct cli_progress *progress)
{
	const char *path = ic_image_path(image);
	struct ic_error err;

	answers->index.progress = cli_progress_show;
	answers->index.progress_context = progress;
	struct ic_index *index = ic_index_build(image, &answers->index, &err);
	answers->now.file.index = index;
	cli_progress_end(progress);
	if (!index) {
		cli_complain("%s", err.message);
		answers->now.incomplete = true;
		return;
	}
	bool faulty = ic_index_count(index).problems > 0;
	if (!faulty || !answers->strict)
		report_file(answers, image, index);
	answers->now.incomplete |= cli_files_print_index_problems(index, path);
	if (faulty && answers->strict)
		cli_complain("%s: skipped because it has faults (--strict)", path);
	close_index(&answers->now.file); // unless it is kept
}

// Adds all names that may have to be explained for a file, or for all members of an archive.
static void begin_explanation(struct cli_answers *answers)
{
	struct cli_explanation *explanation = &answers->now.explanation;

	cli_explain_begin(explanation, answers->query.match, answers->explain, answers);
	for (size_t i = 0; i < answers->name_count; i++)
		cli_explain_name(explanation, answers->names[i], false);
	for (size_t i = 0; i < answers->host_count; i++)
		cli_explain_name(explanation, answers->hosts[i], true);
}

// Whether something was not found and can be explained: in a single file that was read completely.
static bool must_explain(const struct cli_answers *answers)
{
	return is_lacking(answers) && !answers->now.several_files && !answers->now.incomplete;
}

static void answer_image(struct cli_answers *answers, struct ic_image *image)
{
	struct cli_progress progress;

	if (answers->prepare && !answers->prepare(answers, image))
		answers->now.incomplete = true;
	cli_progress_begin(&progress, ic_image_path(image));
	answers->now.headings = answers->now.several_files;
	begin_explanation(answers);
	answer_indexed(answers, image, &progress);
	if (must_explain(answers)) {
		cli_explain_add(&answers->now.explanation, image, &answers->index);
		answers->now.incomplete |=
			!cli_explain_end(&answers->now.explanation, ic_image_path(image));
	}
	cli_explain_free(&answers->now.explanation);
}

// Gives one explanation for all members. They are read again once it is known that none has a
// result.
static void explain_members(struct cli_answers *answers, struct cli_members *members,
			    const char *path, struct cli_progress *progress)
{
	struct ic_image *image;

	if (members->images == 0) {
		cli_complain("%s: no ELF file with code", path);
		return;
	}
	ic_members_rewind(members->members);
	while ((image = cli_members_next(members, &answers->files.image))) {
		cli_members_progress(members, progress);
		cli_explain_add(&answers->now.explanation, image, &answers->index);
		ic_image_free(image);
	}
	cli_progress_end(progress);
	answers->now.incomplete |= !cli_explain_end(&answers->now.explanation, path);
}

static void answer_members(struct cli_answers *answers, struct cli_members *members,
			   const char *path)
{
	struct cli_progress progress;
	struct ic_image *image;

	cli_progress_begin(&progress, path);
	answers->now.headings = answers->now.several_files || cli_members_are_several(members);
	begin_explanation(answers);
	while (!answers->now.refused &&
	       (image = cli_members_next(members, &answers->files.image))) {
		cli_members_progress(members, &progress);
		answers->now.file = (struct cli_open_file){ .image = image };
		answer_indexed(answers, image, &progress);
		cli_open_file_close(&answers->now.file);
	}
	answers->now.incomplete |= !cli_members_check(members);
	if (must_explain(answers))
		explain_members(answers, members, path, &progress);
	cli_explain_free(&answers->now.explanation);
}

// Opens a file, and the table to use for it if there is one.
static struct ic_image *open_file(struct cli_answers *answers, const char *path,
				  struct cli_btf_table *table, struct ic_error *err)
{
	bool has_table = false;

	*table = (struct cli_btf_table){ .section = NULL };
	struct ic_image *image = answers->takes_tables
					 ? cli_inline_table_open(&answers->files, &answers->tables,
								 path, table, &has_table, err)
					 : cli_files_open(&answers->files, path, err);
	answers->index.inline_table = has_table ? table->table : NULL;
	if (!image)
		image = cli_files_open_symbols(&answers->files, path, err);
	answers->now.incomplete |= answers->files.lacks_debug;
	// Otherwise, unknown data about other calls, which is not damage, would be reported too.
	if (answers->index.functions)
		answers->index.whole_below = has_table ? 0 : READ_WHOLE;
	return image;
}

static void answer_file(struct cli_answers *answers, const char *path)
{
	struct ic_error err;
	struct cli_btf_table table;
	struct cli_members members;

	answers->now.file_count++;
	struct ic_image *image = open_file(answers, path, &table, &err);
	if (image) {
		answers->now.file = (struct cli_open_file){ .image = image, .table = table };
		answer_image(answers, image);
		cli_open_file_close(&answers->now.file);
	} else if (err.code == IC_ERROR_NONE) { // after an error message
		answers->now.incomplete = true;
	} else if (cli_members_begin(&members, path, &err)) {
		members.symbols_do = answers->files.symbols_do;
		answer_members(answers, &members, path);
		cli_members_end(&members);
	} else {
		cli_complain("%s", err.message);
		if (err.os_error == ENOENT && answers->query.function &&
		    !answers->is_function_optional)
			cli_hint_at_order(answers->query.function, "FUNCTION FILE...");
		answers->now.incomplete = true;
	}
}

static void answer_listed_files(struct cli_answers *answers)
{
	char *line = NULL;
	size_t capacity = 0;
	int reason = 0;

	while (!answers->now.refused) {
		ssize_t length = getline(&line, &capacity, stdin);
		if (length <= 0) { // the list has ended, or memory ran out, without ferror()
			reason = feof(stdin) ? 0 : errno;
			break;
		}
		if (line[length - 1] == '\n')
			line[--length] = 0;
		if (length > 0)
			answer_file(answers, line);
	}
	if (reason != 0) {
		cli_complain("cannot read file names from standard input: %s", strerror(reason));
		answers->now.incomplete = true;
	}
	free(line);
}

static void complain_of_files(const struct cli_answers *answers, const char *name,
			      const char *colon)
{
	if (answers->now.file_count == 1)
		cli_complain("%s%s%s in 1 file", name, colon, answers->nothing);
	else
		cli_complain("%s%s%s in any of %lu files", name, colon, answers->nothing,
			     answers->now.file_count);
}

static void answer_operands(struct cli_answers *answers, int count, char **operands)
{
	bool stdin_taken = false;

	for (int i = 0; i < count && !answers->now.refused; i++) {
		if (strcmp(operands[i], "-") != 0) {
			answer_file(answers, operands[i]);
		} else if (!stdin_taken) {
			stdin_taken = true;
			answer_listed_files(answers);
		}
	}
	if (!answers->now.several_files || answers->now.incomplete)
		return;
	if (answers->all && !answers->now.found)
		complain_of_files(answers, "", "");
	for (size_t i = 0; i < answers->name_count; i++)
		if (!answers->found_names[i])
			complain_of_files(answers, answers->names[i], ": ");
}

// The debug information may describe the function of a symbol without a linkage name.
static enum cli_status list_wanted(struct cli_answers *answers)
{
	size_t count = 0;

	for (size_t i = 0; i < answers->name_count; i++) {
		answers->wanted[count++] = answers->names[i];
		if (!answers->takes_symbols)
			continue;
		if (!ic_demangle(answers->names[i], IC_DEMANGLE_FULL, &answers->demangled[i])) {
			cli_complain("out of memory");
			return CLI_INCOMPLETE;
		}
		if (answers->demangled[i])
			answers->wanted[count++] = answers->demangled[i];
	}
	answers->index.functions = answers->wanted;
	return CLI_ANSWERED;
}

// Completes the query after all options: FUNCTION is the first operand, unless options name the
// functions.
static enum cli_status begin_query(struct cli_answers *answers, int *count, char ***operands)
{
	if (answers->is_function_optional && *count == 0)
		return cli_usage_error("no FILE given"); // not that other options have no effect
	if (answers->is_function_optional)
		answers->all = answers->name_count == 0;
	if (answers->all && answers->name_count > 0)
		return cli_usage_error("-a selects every function, so --function has no effect");
	if (answers->all && answers->query.match != IC_MATCH_NAME && answers->host_count == 0)
		return cli_usage_error("%s, so -g and -r have no effect",
				       answers->is_function_optional
					       ? "neither --function nor --in was given"
					       : "-a does not take FUNCTION");
	if (!answers->all && answers->name_count == 0) {
		if (*count == 0)
			return cli_usage_error("no FUNCTION given");
		answers->names[answers->name_count++] = *(*operands)++;
		(*count)--;
	}
	answers->query.function = answers->names[0];
	if (answers->name_count > 1)
		answers->query.more_functions = answers->names + 1;
	if (answers->host_count > 0)
		answers->query.hosts = answers->hosts;
	if (!answers->all && !answers->is_function_optional &&
	    answers->query.match == IC_MATCH_NAME && !answers->strict)
		return list_wanted(answers);
	return CLI_ANSWERED;
}

static enum cli_status run_command(struct cli_answers *answers, int count, char **operands)
{
	enum cli_status status = begin_query(answers, &count, &operands);

	if (status != CLI_ANSWERED)
		return status;
	if (count == 0)
		return cli_usage_error("no FILE given");
	if (cli_report_check(&answers->report, answers->kind) != CLI_ANSWERED)
		return CLI_USAGE;
	answers->index.parameters = answers->report.parameters;
	if (answers->tables.table && (count > 1 || !strcmp(operands[0], "-")))
		return cli_usage_error("--btf-inline can be used with only one FILE");
	for (int i = 0; answers->report.page && i < count; i++)
		if (cli_output_is(answers->report.page, operands[i]))
			return cli_usage_error("--html=%s would overwrite an input file",
					       answers->report.page);
	answers->now.several_files = count > 1 || !strcmp(operands[0], "-");

	status = cli_files_begin(&answers->files);
	if (status != CLI_ANSWERED)
		return status;
	if (cli_report_open(&answers->report, answers->kind)) {
		answer_operands(answers, count, operands);
		if (answers->finish && !answers->now.refused)
			answers->finish(answers);
		if (!answers->now.refused)
			cli_doubts_say(&answers->now.doubts);
		answers->report.is_empty = !answers->now.found;
		answers->now.incomplete |= !cli_report_close(&answers->report);
	} else {
		answers->now.incomplete = true;
	}
	cli_files_end(&answers->files);
	if (answers->now.refused)
		return CLI_USAGE;
	return answers->now.incomplete ? CLI_INCOMPLETE
	       : answers->now.found    ? CLI_ANSWERED
				       : CLI_NOTHING;
}

enum cli_status cli_answers_run(struct cli_answers *answers, int count, char **operands)
{
	enum cli_status status = run_command(answers, count, operands);

	for (size_t i = 0; i < answers->name_count; i++)
		free(answers->demangled[i]);
	return status;
}
