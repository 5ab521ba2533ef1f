// Definitions for GDB: a dprintf for each probe. Places are symbols and offsets, not addresses,
// since a position-independent program is at other addresses once it runs.
#include <inttypes.h>
#include <string.h>

#include "probe/spelling.h"

static bool add_register(struct ic_spelling *spelling, struct ic_probe_text *text, uint32_t reg)
{
	const char *name = ic_register_name(spelling->target->machine, reg);

	if (!name || !ic_probe_kernel_register(spelling->target->machine, reg))
		return false;
	ic_probe_text_add(text, "$%s", name);
	return true;
}

const char *ic_spell_gdb(struct ic_spelling *spelling)
{
	static const char *const types[] = { "signed char", "unsigned char",
					     "short",       "unsigned short",
					     "int",         "unsigned int",
					     "long long",   "unsigned long long" };
	static const struct ic_expression_style style = {
		.reg = add_register,
		.load = "*(",
		.load_type_end = " *)(",
		.types = types,
		.most = 32,
		.text = "(char *)(",
		.formats = { "%lld", "%llu", "0x%llx" },
		.quote = "\\\"",
	};
	const struct ic_probe *probe = spelling->probe;
	const char *fault = ic_probe_symbol_fault(probe);

	if (fault)
		return fault;
	// GDB reads one or two characters between quotes as a number.
	bool is_short = strlen(probe->symbol) <= 2;
	if (is_short && strpbrk(probe->symbol, ".$"))
		return "the symbol of its code cannot be written in GDB syntax";
	const char *quote = is_short ? "" : "'";
	ic_probe_text_add(&spelling->text, "dprintf *(long)&%s%s%s+%" PRIu64 ",", quote,
			  probe->symbol, quote, probe->symbol_off);
	ic_spelling_add_printf(spelling, &style);
	return NULL;
}
