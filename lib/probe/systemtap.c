// Definitions for SystemTap, stap(1): for probes by address see stapprobes(3stap).
#include <inttypes.h>

#include "probe/spelling.h"

static bool add_register(struct ic_spelling *spelling, struct ic_probe_text *text, uint32_t reg)
{
	const char *name = ic_register_name(spelling->target->machine, reg);

	if (!name || !ic_probe_kernel_register(spelling->target->machine, reg))
		return false;
	ic_probe_text_add(text, "register(\"%s\")", name);
	return true;
}

const char *ic_spell_systemtap(struct ic_spelling *spelling)
{
	static const char *const types[] = { "int8",  "uint8",  "int16", "uint16",
					     "int32", "uint32", "int64", "uint64" };
	static const struct ic_expression_style user = {
		.reg = add_register,
		.load = "user_",
		.load_type_end = "(",
		.types = types,
		.has_one_type = true,
		.most = 32,
		.formats = { "%d", "%u", "0x%x" },
		.text = "user_string_quoted(",
		.sized_text = "user_string_n_quoted(",
		.sized_text_end = ")",
		.quote = "",
	};
	struct ic_expression_style kernel = user;
	const struct ic_probe_target *target = spelling->target;

	if (target->module)
		return "the load address of the module is not known";
	if (target->is_kernel) {
		ic_probe_text_add(&spelling->text, "probe kernel.statement(0x%" PRIx64 ")",
				  spelling->probe->addr);
	} else {
		if (!ic_probe_path_is_plain(target->path, ""))
			return "the path cannot be written in SystemTap syntax";
		ic_probe_text_add(&spelling->text, "probe process(\"%s\").statement(0x%" PRIx64 ")",
				  target->path, spelling->probe->addr);
	}
	ic_probe_text_add(&spelling->text, " { printf(");
	kernel.load = "kernel_";
	kernel.text = "kernel_string_quoted(";
	kernel.sized_text = "string_quoted(kernel_string_n(";
	kernel.sized_text_end = "))";
	ic_spelling_add_printf(spelling, target->is_kernel ? &kernel : &user);
	ic_probe_text_add(&spelling->text, ") }");
	return NULL;
}
