// Definitions for FreeBSD's DTrace with dtrace_kinst(4), which can trace any instruction of the
// kernel. It reports that a probe was hit; it cannot read registers.
#include <inttypes.h>

#include "probe/spelling.h"

const char *ic_spell_kinst(struct ic_spelling *spelling)
{
	const struct ic_probe *probe = spelling->probe;
	const char *fault = ic_probe_symbol_fault(probe);

	if (!fault)
		ic_probe_text_add(&spelling->text, "kinst::%s:%" PRIu64 " { printf(\"%s\\n\"); }",
				  probe->symbol, probe->symbol_off, probe->event);
	return fault;
}
