// Definitions for perf-probe(1), as shell commands.
#include <inttypes.h>

#include "probe/spelling.h"

enum { LONGEST_LINE = 4000 }; // perf writes a line to tracefs, which is longer because of the path

static const char *write_kernel(struct ic_spelling *spelling)
{
	const struct ic_probe *probe = spelling->probe;
	const char *module = spelling->target->module, *fault = ic_probe_symbol_fault(probe);

	if (!fault)
		ic_probe_text_add(&spelling->text, "perf probe %s%s%s'%s:%s=%s+%" PRIu64,
				  module ? "-m " : "", module ? module : "", module ? " " : "",
				  probe->group, probe->event, probe->symbol, probe->symbol_off);
	return fault;
}

const char *ic_spell_perf(struct ic_spelling *spelling)
{
	const struct ic_probe *probe = spelling->probe;
	const char *fault = NULL;

	if (spelling->target->is_kernel)
		fault = write_kernel(spelling);
	else if (probe->file_off == IC_NO_ADDR)
		fault = "its code is not in the file";
	else if (!ic_probe_path_is_plain(spelling->target->path, "") ||
		 !ic_probe_path_is_of_kernel(spelling->target->path))
		fault = "the path cannot be written for both tracefs and a shell";
	else // perf reads an address of the file, and finds the offset
		ic_probe_text_add(&spelling->text, "perf probe -x %s '%s:%s=0x%" PRIx64,
				  spelling->target->path, probe->group, probe->event, probe->addr);
	if (fault)
		return fault;
	ic_spelling_add_fetches(spelling, LONGEST_LINE);
	ic_probe_text_add(&spelling->text, "'");
	return NULL;
}
