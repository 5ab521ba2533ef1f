#include "encode/caller_start.h"

#include "btf/types.h"
#include "encode/inlined_calls.h"

static bool find_starts(struct ic_caller_starts *starts, struct ic_image *image,
			struct ic_error *err)
{
	return starts->callers.out_of_memory ? ic_fail_memory(err)
					     : ic_callers_find(&starts->callers, image, err);
}

bool ic_caller_starts_open(struct ic_caller_starts *starts, struct ic_image *image,
			   const struct ic_index *index, struct ic_error *err)
{
	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		for (uint32_t j = 0; j < unit->instance_count; j++) {
			const struct ic_instance *host = &unit->instances[j];
			const char *name = host->kind == IC_INSTANCE_HOST
						   ? ic_inlined_name(index, i, host)
						   : NULL;
			if (name)
				(void)ic_callers_add(&starts->callers, name);
		}
	}
	return find_starts(starts, image, err);
}

bool ic_caller_starts_open_types(struct ic_caller_starts *starts, struct ic_image *image,
				 const struct ic_btf *types, struct ic_error *err)
{
	struct ic_symbol_files files = { NULL, NULL };

	// There is no index that would report unreadable MiniDebugInfo.
	if (!ic_image_symbol_files(image, false, &files, err))
		return false;
	for (uint32_t id = 1; id < ic_btf_count(types); id++) {
		const char *name = ic_btf_function_name(types, id);
		if (name)
			(void)ic_callers_add(&starts->callers, name);
	}
	return find_starts(starts, image, err);
}

void ic_caller_starts_close(struct ic_caller_starts *starts)
{
	ic_callers_free(&starts->callers);
}

const struct ic_caller_code *ic_caller_begin(const struct ic_caller_starts *starts,
					     const char *name)
{
	uint32_t number = ic_callers_number(&starts->callers, name);
	uint32_t start = number == IC_NONE ? IC_NONE : starts->callers.list.items[number].start;

	return start == IC_NONE ? NULL : &starts->callers.code.items[start];
}

bool ic_caller_has(const struct ic_caller_starts *starts, const char *name, uint64_t addr)
{
	const struct ic_caller_code *begin = ic_caller_begin(starts, name);

	return begin && (begin->range.start == begin->range.end ||
			 ic_callers_at(&starts->callers, begin->caller, addr));
}

uint64_t ic_caller_start(struct ic_caller_starts *starts, const struct ic_instance *host,
			 const char *name, bool *is_told)
{
	if (starts->last != host) {
		const struct ic_caller_code *begin = ic_caller_begin(starts, name);
		starts->last = host;
		starts->last_start = begin ? begin->range.start : host->entry;
		starts->last_is_told = ic_caller_has(starts, name, host->entry);
	}
	*is_told = starts->last_is_told;
	return starts->last_start;
}
