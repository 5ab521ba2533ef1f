// Struct initialisers in C, for programs that attach with libbpf:
// bpf_program__attach_uprobe_multi() takes the offsets, and kprobes are attached to the symbols.
#include <inttypes.h>

#include "probe/spelling.h"

const char *ic_spell_libbpf(struct ic_spelling *spelling)
{
	const struct ic_probe_target *target = spelling->target;
	const struct ic_probe *probe = spelling->probe;
	const char *fault = ic_probe_symbol_fault(probe);
	const char *is_return = probe->kind == IC_PROBE_RETURN ? ".retprobe = true, " : "";

	ic_probe_text_add(&spelling->text, "{ .name = \"%s\", %s", probe->event, is_return);
	if (target->is_kernel) {
		if (!fault)
			ic_probe_text_add(&spelling->text,
					  ".symbol = \"%s\", .offset = 0x%" PRIx64 " },",
					  probe->symbol, probe->symbol_off);
		return fault;
	}
	if (probe->file_off == IC_NO_ADDR)
		return "its code is not in the file";
	if (!ic_probe_path_is_plain(target->path, " #:()[]{};&|<>!$%*'`"))
		return "the path would need escapes in a C string";
	ic_probe_text_add(&spelling->text, ".path = \"%s\", .offset = 0x%" PRIx64 " },",
			  target->path, probe->file_off);
	return NULL;
}
