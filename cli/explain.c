#include "explain.h"

#include "cli.h"

enum { MOST_NAMES = 5 };

static void explain_unknown(const struct ic_index *index, const struct ic_sites_query *query,
			    const char *path)
{
	const char *names[MOST_NAMES];
	size_t count = query->match == IC_MATCH_NAME
			       ? ic_index_nearest_names(index, query->function, names, MOST_NAMES)
			       : 0;
	char list[512] = "";
	size_t used = 0;

	for (size_t i = 0; i < count && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
					 i           ? ", "
					 : count > 1 ? "; the nearest names are "
						     : "; the nearest name is ",
					 names[i]);
	cli_complain("%s: no function %s '%s'%s", path,
		     query->match == IC_MATCH_NAME ? "is called" : "has a name that matches",
		     query->function, list);
}

static void explain_known(const struct ic_function_summary *summary,
			  const struct ic_sites_query *query, const char *path)
{
	const char *name = query->function;
	char place[4096] = "", times[32] = "";

	if (summary->decl_file)
		snprintf(place, sizeof(place), " (declared at %s:%u)", summary->decl_file,
			 summary->decl_line);
	if (summary->inlined == 1)
		snprintf(times, sizeof(times), " once");
	else if (summary->inlined > 1)
		snprintf(times, sizeof(times), " %llu times", (unsigned long long)summary->inlined);
	// That the compiler calls a function inlined (DW_AT_inline) says little where it has code
	// of its own: gcc says so of whatever it clones.
	if (summary->with_code > 0)
		cli_complain("%s: %s: inlined%s%s, but never in source files that match '%s'", path,
			     name, times, place,
			     query->call_file_glob ? query->call_file_glob : "*");
	else if (summary->inlined > 0 || (summary->was_inlined && summary->hosts == 0))
		cli_complain("%s: %s: inlined%s%s, but every copy was optimised away", path, name,
			     times, place);
	else
		cli_complain("%s: %s: never inlined%s%s", path, name, place,
			     summary->hosts > 0 ? "; it has code of its own, which -o lists" : "");
}

void cli_explain_nothing(struct ic_image *image, const struct ic_sites_query *query,
			 const struct ic_index_options *index_options, const char *path)
{
	struct ic_index_options options = *index_options;
	struct ic_function_summary summary;
	struct ic_error err;

	if (!query->function) {
		cli_complain("%s: nothing was inlined%s", path,
			     query->call_file_glob ? " in such source files" : "");
		return;
	}
	// Only now are the functions without instances of interest: they are ten times as many.
	options.declarations = true;
	struct ic_index *index = ic_index_build(image, &options, &err);
	if (!index || !ic_sites_summary(index, query, &summary, &err))
		cli_complain("%s", err.message);
	else if (summary.functions == 0)
		explain_unknown(index, query, path);
	else
		explain_known(&summary, query, path);
	ic_index_free(index);
}
