// Kernels: placed by symbols that every kernel has, in the file and in the kernel's list.
#include <inttypes.h>

#include "process/placement/placement.h"

#include <inlinecall/extra/symbolizer.h>

struct landmark { // a symbol that every kernel has exactly once
	const char *name;
	struct ic_symbolizer_symbol symbol;
	uint64_t loaded;
	bool in_file, in_kernel;
};

static bool judge_landmarks(struct ic_placing *placing, const struct landmark *landmarks,
			    size_t count, struct ic_error *err)
{
	const struct ic_proc_text *text = &placing->placements->kallsyms;
	const char *path = text->path;
	const struct landmark *first = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct landmark *mark = &landmarks[i];
		if (!mark->in_file || !mark->in_kernel)
			continue;
		if (mark->loaded == 0)
			return ic_fail(err, IC_ERROR_HIDDEN,
				       "%s: the address of %s is 0: " IC_HIDDEN_REASON, path,
				       mark->name);
		if (first &&
		    mark->loaded - first->loaded != mark->symbol.start - first->symbol.start)
			return ic_fail(err, IC_ERROR_MISMATCH,
				       "%s: %s and %s are 0x%" PRIx64 " bytes apart, but 0x%" PRIx64
				       " in %s: a different kernel",
				       path, first->name, mark->name, mark->loaded - first->loaded,
				       mark->symbol.start - first->symbol.start, placing->path);
		first = first ? first : mark;
	}
	if (!first)
		return ic_fail(err, IC_ERROR_MISMATCH,
			       "%s: shares neither _text nor _stext with %s%s", path, placing->path,
			       text->has_any ? "" : ": " IC_NO_KALLSYMS_REASON);
	return ic_placement_add_linked(placing->placement, first->loaded, first->symbol.start, err);
}

bool ic_place_by_landmarks(struct ic_placing *placing, struct ic_error *err)
{
	// The first two give the load address; the others are at distances that differ between
	// builds, and close enough not to read much of the list.
	struct landmark landmarks[] = { { .name = "_text" },
					{ .name = "_stext" },
					{ .name = "do_exit" },
					{ .name = "vfs_read" } };
	size_t count = sizeof(landmarks) / sizeof(*landmarks), wanted = 0, at = 0;
	struct ic_proc_text *text = &placing->placements->kallsyms;
	struct ic_kallsym symbol;

	for (size_t i = 0; i < count; i++)
		wanted += landmarks[i].in_file = ic_symbolizer_symbol_find(
			placing->symbolizer, landmarks[i].name, 0, &landmarks[i].symbol);
	if (!ic_symbolizer_symbols_check(placing->symbolizer, err))
		return false;
	if (!landmarks[0].in_file && !landmarks[1].in_file) {
		placing->placement->status = IC_PLACEMENT_NO_KERNEL;
		return true;
	}
	if (placing->placements->options.sysfs && !ic_placing_check_build(placing, err))
		return false;
	while (wanted > 0 && ic_kallsym_next(text, &at, &symbol)) {
		if (symbol.module.size > 0)
			continue;
		for (size_t i = 0; i < count; i++) {
			struct landmark *mark = &landmarks[i];
			if (!mark->in_file || mark->in_kernel ||
			    !ic_span_is(symbol.name, mark->name))
				continue;
			mark->in_kernel = true;
			mark->loaded = symbol.addr;
			wanted--;
		}
	}
	return ic_proc_text_check(text, err) && judge_landmarks(placing, landmarks, count, err);
}
