#include "functions/explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/files.h"

enum { MOST_FRAMES = 64 };

// Whether a name that no function has was meant as a pattern, such as "skb_*", but not "operator*".
static bool looks_like_glob(const struct cli_explanation *explanation, const char *name)
{
	return explanation->match == IC_MATCH_NAME && strpbrk(name, "*?") && !strchr(name, '(') &&
	       !strstr(name, "operator");
}

static void explain_unknown(const struct cli_explanation *explanation,
			    const struct cli_subject *subject, const char *path)
{
	size_t count = subject->name_count, used = 0;
	char list[512] = "";

	if (looks_like_glob(explanation, subject->name)) {
		snprintf(list, sizeof(list), "; use 'inlinecall -g' for patterns");
		count = 0;
	}
	for (size_t i = 0; i < count && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
					 i           ? ", "
					 : count > 1 ? "; similar names: "
						     : "; similar name: ",
					 subject->names[i]);
	cli_complain("%s: no function %s%s '%s'%s", path,
		     explanation->is_of_table ? "in BTF (which may lack inlined functions) " : "",
		     explanation->match == IC_MATCH_NAME ? "named" : "matches", subject->name,
		     list);
}

void cli_explain_about(const struct ic_function_summary *summary, char about[CLI_EXPLAIN_SIZE])
{
	char place[4096] = "", times[32] = "";

	if (summary->decl_file)
		snprintf(place, sizeof(place), " (declared at %s:%u)", summary->decl_file,
			 summary->decl_line);
	if (summary->inlined == 1)
		snprintf(times, sizeof(times), " once");
	else if (summary->inlined > 1)
		snprintf(times, sizeof(times), " %llu times", (unsigned long long)summary->inlined);
	snprintf(about, CLI_EXPLAIN_SIZE, "%s%s", times, place);
}

static char *copy_text(struct cli_explanation *explanation, const char *text)
{
	char *copied = strdup(text);

	if (!copied && !explanation->failed)
		cli_complain("out of memory");
	explanation->failed |= !copied;
	return copied;
}

// Describes an address; in a relocatable file, as a section and an offset.
static char *describe_addr(struct cli_explanation *explanation,
			   const struct ic_symbolizer *symbolizer, uint64_t addr)
{
	struct ic_index_section section = { .name = NULL };
	char text[300];

	ic_symbolizer_section_at(symbolizer, addr, &section);
	snprintf(text, sizeof(text), "%.200s%s0x%" PRIx64, section.name ? section.name : "",
		 section.name ? "+" : "", addr - section.start);
	return copy_text(explanation, text);
}

// The function whose entry is at an address; NULL if the debug information has none.
static const char *function_entered_at(struct ic_symbolizer *symbolizer, uint64_t addr)
{
	struct ic_frame frames[MOST_FRAMES];
	size_t count = ic_symbolizer_frames_at(symbolizer, addr, frames, MOST_FRAMES);

	if (count == 0 || count > MOST_FRAMES)
		return NULL;
	const struct ic_frame *host = &frames[count - 1];
	if (host->is_symbol || host->start != addr)
		return NULL;
	return host->function;
}

// Compilers fold identical functions, and libraries give one function several names: then only the
// symbol table has the other names.
static void add_symbol(struct cli_explanation *explanation, struct cli_subject *subject,
		       struct ic_symbolizer *symbolizer)
{
	struct ic_symbolizer_symbol symbol;
	enum ic_lookup_status status;

	if (subject->symbol || !ic_symbolizer_symbol_find(symbolizer, subject->name, 0, &symbol))
		return;
	ic_symbolizer_lookup_at(symbolizer, symbol.start, NULL, 0, &status);
	if (status == IC_LOOKUP_OUTSIDE)
		return;
	const char *function = function_entered_at(symbolizer, symbol.start);
	if (function && strcmp(function, subject->name) == 0)
		return;
	subject->symbol = describe_addr(explanation, symbolizer, symbol.start);
	subject->alias = function ? copy_text(explanation, function) : NULL;
}

static bool lacks_copies(const struct cli_subject *subject)
{
	return subject->summary.inlined == 0 && subject->summary.hosts == 0;
}

static bool add_symbols(struct cli_explanation *explanation, struct ic_image *image,
			struct ic_error *err)
{
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(image, NULL, err);

	for (size_t i = 0; symbolizer && i < explanation->subject_count; i++)
		if (!explanation->subjects[i].is_found &&
		    explanation->subjects[i].summary.hosts == 0)
			add_symbol(explanation, &explanation->subjects[i], symbolizer);
	ic_symbolizer_free(symbolizer);
	return symbolizer != NULL;
}

static void add_names(struct cli_explanation *explanation, struct cli_subject *subject,
		      const struct ic_index *index)
{
	const char *names[CLI_MOST_NAMES];
	char *old[CLI_MOST_NAMES];
	size_t old_count = subject->name_count;

	memcpy(old, subject->names, sizeof(old));
	for (size_t i = 0; i < old_count; i++)
		names[i] = old[i];
	size_t count =
		ic_index_nearest_names(index, subject->name, names, old_count, CLI_MOST_NAMES);
	subject->name_count = 0;
	for (size_t i = 0; i < count; i++) {
		char *name = copy_text(explanation, names[i]);
		if (name)
			subject->names[subject->name_count++] = name;
	}
	for (size_t i = 0; i < old_count; i++)
		free(old[i]);
}

static void add_summary(struct cli_explanation *explanation, struct ic_function_summary *summary,
			const struct ic_function_summary *more)
{
	summary->functions += more->functions;
	summary->inlined += more->inlined;
	summary->with_code += more->with_code;
	summary->hosts += more->hosts;
	summary->was_inlined |= more->was_inlined;
	if (!more->decl_file || (summary->decl_file && summary->is_defined >= more->is_defined))
		return;
	free((char *)summary->decl_file);
	summary->decl_file = copy_text(explanation, more->decl_file);
	summary->decl_line = more->decl_line;
	summary->is_defined = more->is_defined;
}

void cli_explain_begin(struct cli_explanation *explanation, enum ic_match match,
		       cli_explain_function *known, void *context)
{
	*explanation =
		(struct cli_explanation){ .match = match, .known = known, .context = context };
}

void cli_explain_name(struct cli_explanation *explanation, const char *name, bool is_host)
{
	explanation->subjects[explanation->subject_count++] =
		(struct cli_subject){ .name = name, .is_host = is_host };
}

// Adds what an index knows about the subjects without results.
static bool add_index(struct cli_explanation *explanation, const struct ic_index *index,
		      struct ic_error *err)
{
	struct ic_function_summary summaries[CLI_MOST_SUBJECTS];
	const char *names[CLI_MOST_SUBJECTS + 1];
	size_t count = 0, next = 0;

	for (size_t i = 0; i < explanation->subject_count; i++)
		if (!explanation->subjects[i].is_found)
			names[count++] = explanation->subjects[i].name;
	names[count] = NULL;
	const struct ic_sites_query query = { .function = names[0],
					      .more_functions = names + 1,
					      .match = explanation->match };
	if (count == 0)
		return true;
	if (!ic_sites_summary(index, &query, summaries, err))
		return false;
	for (size_t i = 0; i < explanation->subject_count; i++)
		if (!explanation->subjects[i].is_found)
			add_summary(explanation, &explanation->subjects[i].summary,
				    &summaries[next++]);
	return true;
}

static void fail_explanation(struct cli_explanation *explanation, const struct ic_error *err)
{
	cli_complain("%s", err->message);
	explanation->failed = true;
}

void cli_explain_copies(struct cli_explanation *explanation, const struct ic_index *index)
{
	struct ic_error err;

	if (!add_index(explanation, index, &err))
		fail_explanation(explanation, &err);
}

static void add_all_names(struct cli_explanation *explanation, const struct ic_index *index)
{
	for (size_t i = 0; i < explanation->subject_count; i++) {
		struct cli_subject *subject = &explanation->subjects[i];
		if (!subject->is_found && subject->summary.functions == 0)
			add_names(explanation, subject, index);
	}
}

void cli_explain_add(struct cli_explanation *explanation, struct ic_image *image,
		     const struct ic_index_options *index_options)
{
	struct ic_index_options options = *index_options;
	bool is_name = explanation->match == IC_MATCH_NAME;
	const char *names[CLI_MOST_SUBJECTS + 1];
	size_t count = 0;
	struct ic_error err;

	for (size_t i = 0; i < explanation->subject_count; i++)
		if (!explanation->subjects[i].is_found)
			names[count++] = explanation->subjects[i].name;
	names[count] = NULL;
	if (count == 0 || explanation->failed)
		return;
	// Copies are already known. Functions without copies matter only here: there are ten times
	// as many, and only all units together show that there is no such function.
	options.names_only = true;
	// A table has few functions.
	options.functions = is_name && !options.inline_table ? names : NULL;
	explanation->is_of_table = options.inline_table;
	struct ic_index *index = ic_index_build(image, &options, &err);
	if (!index || !add_index(explanation, index, &err)) {
		fail_explanation(explanation, &err);
	} else if (index_options->functions && !options.inline_table) {
		// For a table, faults in calls of other functions are irrelevant.
		explanation->failed |= cli_files_print_index_problems(index, ic_image_path(image));
	}
	if (index && is_name)
		add_all_names(explanation, index);
	ic_index_free(index);
	if (!explanation->failed && is_name && !add_symbols(explanation, image, &err))
		fail_explanation(explanation, &err);
}

static void explain_symbol(const struct cli_subject *subject, const char *path)
{
	cli_complain("%s: %s: symbol at %s, not described in the debug information%s%s", path,
		     subject->name, subject->symbol, subject->alias ? "; an alias of " : "",
		     subject->alias ? subject->alias : "");
}

// If a host does not exist, no other reason is given.
static void explain_subjects(const struct cli_explanation *explanation, const char *path)
{
	bool is_host_unknown = false, is_named = false;

	for (size_t i = 0; i < explanation->subject_count; i++) {
		const struct cli_subject *subject = &explanation->subjects[i];
		if (subject->is_found)
			continue;
		is_named |= !subject->is_host;
		bool has_symbol = subject->symbol && lacks_copies(subject);
		if (has_symbol)
			explain_symbol(subject, path);
		else if (subject->summary.functions > 0)
			continue;
		else
			explain_unknown(explanation, subject, path);
		is_host_unknown |= subject->is_host;
	}
	if (!is_named && !is_host_unknown)
		explanation->known(explanation->context, NULL, path);
	for (size_t i = 0; i < explanation->subject_count && !is_host_unknown; i++) {
		const struct cli_subject *subject = &explanation->subjects[i];
		bool has_symbol = subject->symbol && lacks_copies(subject);
		if (!subject->is_host && !subject->is_found && subject->summary.functions > 0 &&
		    !has_symbol)
			explanation->known(explanation->context, subject, path);
	}
}

bool cli_explain_end(struct cli_explanation *explanation, const char *path)
{
	if (!explanation->failed)
		explain_subjects(explanation, path);
	return !explanation->failed;
}

void cli_explain_free(struct cli_explanation *explanation)
{
	for (size_t i = 0; i < explanation->subject_count; i++) {
		struct cli_subject *subject = &explanation->subjects[i];

		free((char *)subject->summary.decl_file);
		free(subject->symbol);
		free(subject->alias);
		for (size_t j = 0; j < subject->name_count; j++)
			free(subject->names[j]);
	}
	explanation->subject_count = 0;
}
