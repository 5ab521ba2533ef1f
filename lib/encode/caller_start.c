#include "encode/caller_start.h"

bool ic_caller_starts_open(struct ic_caller_starts *starts, struct ic_image *image,
			   struct ic_error *err)
{
	*starts = (struct ic_caller_starts){ .symbolizer = ic_symbolizer_new(image, NULL, err) };
	return starts->symbolizer;
}

void ic_caller_starts_close(struct ic_caller_starts *starts)
{
	ic_symbolizer_free(starts->symbolizer);
}

uint64_t ic_caller_start(struct ic_caller_starts *starts, const struct ic_instance *host,
			 const char *name, bool *is_told)
{
	struct ic_symbolizer_symbol symbol, other;

	if (starts->last != host) {
		starts->last = host;
		starts->last_is_told =
			ic_symbolizer_symbol_find(starts->symbolizer, name, 0, &symbol) &&
			(!ic_symbolizer_symbol_find(starts->symbolizer, name, 1, &other) ||
			 other.start == symbol.start);
		starts->last_start = starts->last_is_told ? symbol.start : host->entry;
	}
	*is_told = starts->last_is_told;
	return starts->last_start;
}
