#include "explain.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"

static void explain_unknown(const struct cli_explanation *explanation, const char *path)
{
	const struct ic_sites_query *query = explanation->query;
	size_t count = explanation->name_count, used = 0;
	char list[512] = "";

	for (size_t i = 0; i < count && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
					 i           ? ", "
					 : count > 1 ? "; the nearest names are "
						     : "; the nearest name is ",
					 explanation->names[i]);
	cli_complain("%s: no function %s '%s'%s", path,
		     query->match == IC_MATCH_NAME ? "is called" : "has a name that matches",
		     query->function, list);
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

static char *copy(struct cli_explanation *explanation, const char *text)
{
	char *copied = strdup(text);

	if (!copied && !explanation->failed)
		cli_complain("out of memory");
	explanation->failed |= !copied;
	return copied;
}

static void add_names(struct cli_explanation *explanation, const struct ic_index *index)
{
	const char *names[CLI_MOST_NAMES];
	char *old[CLI_MOST_NAMES];
	size_t old_count = explanation->name_count;

	memcpy(old, explanation->names, sizeof(old));
	for (size_t i = 0; i < old_count; i++)
		names[i] = old[i];
	size_t count = ic_index_nearest_names(index, explanation->query->function, names, old_count,
					      CLI_MOST_NAMES);
	explanation->name_count = 0;
	for (size_t i = 0; i < count; i++) {
		char *name = copy(explanation, names[i]);
		if (name)
			explanation->names[explanation->name_count++] = name;
	}
	for (size_t i = 0; i < old_count; i++)
		free(old[i]);
}

static void add_summary(struct cli_explanation *explanation, const struct ic_function_summary *more)
{
	struct ic_function_summary *summary = &explanation->summary;

	summary->functions += more->functions;
	summary->inlined += more->inlined;
	summary->with_code += more->with_code;
	summary->hosts += more->hosts;
	summary->was_inlined |= more->was_inlined;
	if (!summary->decl_file && more->decl_file) {
		summary->decl_file = copy(explanation, more->decl_file);
		summary->decl_line = more->decl_line;
	}
}

void cli_explain_begin(struct cli_explanation *explanation, const struct ic_sites_query *query,
		       cli_explain_function *known, void *context)
{
	*explanation =
		(struct cli_explanation){ .query = query, .known = known, .context = context };
}

void cli_explain_add(struct cli_explanation *explanation, struct ic_image *image,
		     const struct ic_index_options *index_options)
{
	const struct ic_sites_query *query = explanation->query;
	struct ic_index_options options = *index_options;
	struct ic_function_summary summary;
	struct ic_error err;

	if (!query->function || explanation->failed)
		return;
	// Only now are the functions without instances of interest: they are ten times as many.
	options.declarations = true;
	struct ic_index *index = ic_index_build(image, &options, &err);
	if (!index || !ic_sites_summary(index, query, &summary, &err)) {
		cli_complain("%s", err.message);
		explanation->failed = true;
	} else {
		add_summary(explanation, &summary);
		if (explanation->summary.functions == 0 && query->match == IC_MATCH_NAME)
			add_names(explanation, index);
	}
	ic_index_free(index);
}

void cli_explain_end(struct cli_explanation *explanation, const char *path)
{
	const struct ic_sites_query *query = explanation->query;

	if (!explanation->failed) {
		if (!query->function)
			explanation->known(explanation->context, NULL, path);
		else if (explanation->summary.functions == 0)
			explain_unknown(explanation, path);
		else
			explanation->known(explanation->context, &explanation->summary, path);
	}
	free((char *)explanation->summary.decl_file);
	for (size_t i = 0; i < explanation->name_count; i++)
		free(explanation->names[i]);
}
