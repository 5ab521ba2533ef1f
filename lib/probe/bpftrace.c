// Definitions for bpftrace(8).
#include <inttypes.h>
#include <stdio.h>

#include "base/machine.h"
#include "probe/spelling.h"

// bpftrace uses the kernel's register names, except on AArch64 and POWER.
static bool add_register(struct ic_spelling *spelling, struct ic_probe_text *text, uint32_t reg)
{
	const char *name = ic_probe_kernel_register(spelling->target->machine, reg);
	unsigned machine = spelling->target->machine;
	char other[8];

	if (!name || machine == IC_MACHINE_386 || machine == IC_MACHINE_RISCV)
		return false;
	if ((machine == IC_MACHINE_AARCH64 && reg < 31) || machine == IC_MACHINE_PPC64) {
		snprintf(other, sizeof(other), "r%" PRIu32, reg);
		name = other;
	}
	ic_probe_text_add(text, "reg(\"%s\")", name);
	return true;
}

const char *ic_spell_bpftrace(struct ic_spelling *spelling)
{
	static const char *const types[] = { "int8",  "uint8",  "int16", "uint16",
					     "int32", "uint32", "int64", "uint64" };
	static const struct ic_expression_style style = {
		.reg = add_register,
		.load = "*(",
		.load_type_end = " *)(",
		.types = types,
		.most = 6,
		.text = "str(",
		.sized_text = "str(",
		.sized_text_end = ")",
		.formats = { "%ld", "%lu", "0x%lx" },
		.quote = "\\\"",
	};
	const struct ic_probe *probe = spelling->probe;
	bool is_return = probe->kind == IC_PROBE_RETURN;

	if (spelling->target->is_kernel) {
		const char *fault = ic_probe_symbol_fault(probe);
		if (fault)
			return fault;
		if (is_return)
			ic_probe_text_add(&spelling->text, "kretprobe:%s", probe->symbol);
		else
			ic_probe_text_add(&spelling->text, "kprobe:%s+%" PRIu64, probe->symbol,
					  probe->symbol_off);
	} else {
		if (probe->file_off == IC_NO_ADDR)
			return "its code is not in the file";
		if (!ic_probe_path_is_plain(spelling->target->path, ""))
			return "the path cannot be written in bpftrace syntax";
		ic_probe_text_add(&spelling->text, "%s:\"%s\":0x%" PRIx64,
				  is_return ? "uretprobe" : "uprobe", spelling->target->path,
				  probe->addr);
	}
	ic_probe_text_add(&spelling->text, " { printf(");
	ic_spelling_add_printf(spelling, &style);
	ic_probe_text_add(&spelling->text, "); }");
	return NULL;
}
