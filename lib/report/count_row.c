#include "report/count_row.h"

#include "query/counts.h"
#include "report/filler.h"

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_count_row, key), NULL }

static const struct ic_field count_fields[] = {
	FIELD(type,         TEXT),
	FIELD(file,         TEXT),
	FIELD(function,     TEXT),
	FIELD(linkage_name, TEXT),
	FIELD(decl_file,    TEXT),
	FIELD(decl_line,    COUNT),
	FIELD(inlined,      BYTES),
	FIELD(without_code, BYTES),
	FIELD(out_of_line,  BYTES),
	FIELD(calls,        BYTES),
	FIELD(bytes,        BYTES),
};
// clang-format on

static const struct ic_schema count_schema = { count_fields,
					       sizeof(count_fields) / sizeof(*count_fields) };

bool ic_count_rows(const struct ic_counts *counts, const struct ic_report_options *options,
		   struct ic_row_sink *sink, struct ic_error *err)
{
	struct ic_filler filler = { .options = options, .names = { .index = counts->index } };
	bool ok = sink->begin(sink, &count_schema, err);

	for (uint32_t i = 0; ok && i < counts->items.count; i++) {
		const struct ic_function_count *count = &counts->items.items[i];
		const struct ic_function *function = count->function;
		struct ic_count_row row = { .type = "function",
					    .file = options->file,
					    .function = ic_filler_name(&filler, function),
					    .inlined = count->inlined,
					    .without_code = count->without_code,
					    .out_of_line = count->out_of_line,
					    .calls = count->calls,
					    .bytes = count->size };

		if (function) {
			row.linkage_name = function->linkage_name;
			row.decl_file = ic_filler_path(&filler, function->decl_file);
			row.decl_line = function->decl_line;
		}
		ok = filler.names.out_of_memory ? ic_fail_memory(err)
						: sink->row(sink, &count_schema, &row, err);
	}
	ic_filler_deinit(&filler);
	return ok && sink->end(sink, err);
}
