#include "report/writers.h"

#include <string.h>

static void init_text(struct ic_writer *writer)
{
	switch (writer->type->kind) {
	case IC_ROWS_SITES: ic_writer_init_site_text(writer); break;
	case IC_ROWS_COUNTS: ic_writer_init_count_text(writer); break;
	case IC_ROWS_STACKS: ic_writer_init_stack_text(writer); break;
	case IC_ROWS_TREES: ic_writer_init_tree_text(writer); break;
	case IC_ROWS_STATISTICS: ic_writer_init_statistic_text(writer); break;
	case IC_ROWS_ARGUMENTS: ic_writer_init_argument_text(writer); break;
	case IC_ROWS_VERDICTS: ic_writer_init_verdict_text(writer); break;
	case IC_ROWS_BTF_SITES: ic_writer_init_btf_site_text(writer); break;
	case IC_ROWS_BTF_TALLIES: ic_writer_init_btf_tally_text(writer); break;
	case IC_ROWS_CALL_FRAMES: ic_writer_init_call_frame_text(writer); break;
	case IC_ROWS_CALL_FRAME_ITEMS: ic_writer_init_call_frame_item_text(writer); break;
	case IC_ROWS_THREADS: ic_writer_init_thread_text(writer); break;
	case IC_ROWS_LINT: ic_writer_init_lint_text(writer); break;
	case IC_ROWS_PROBES: ic_writer_init_probe_text(writer); break;
	case IC_ROWS_HITS: ic_writer_init_hit_text(writer); break;
	case IC_ROWS_HIT_COUNTS: ic_writer_init_hit_count_text(writer); break;
	case IC_ROWS_LATENCIES: ic_writer_init_latency_text(writer); break;
	case IC_ROWS_HISTOGRAMS: ic_writer_init_histogram_text(writer); break;
	case IC_ROWS_PROFILE: ic_writer_init_profile_text(writer); break;
	case IC_ROWS_SIZES: ic_writer_init_size_text(writer); break;
	}
}

bool ic_writer_has_format(enum ic_report_format format, enum ic_rows_kind kind)
{
	switch (format) {
	case IC_REPORT_TEXT:
	case IC_REPORT_JSON:
	case IC_REPORT_CSV: return true;
	case IC_REPORT_PAGE:
		return kind == IC_ROWS_SIZES || kind == IC_ROWS_TREES || kind == IC_ROWS_STATISTICS;
	}
	return false;
}

bool ic_writer_init(struct ic_writer *writer, const struct ic_row_type *type,
		    const struct ic_report_options *options, FILE *out)
{
	static const struct ic_report_options defaults = { .format = IC_REPORT_TEXT };

	writer->begin = NULL;
	writer->end = NULL;
	writer->page = NULL;
	writer->type = type;
	writer->options = options ? *options : defaults;
	ic_output_init(&writer->output, out);
	writer->without_entry_symbols = false;
	writer->is_new_table = false;
	memset(writer->last, 0, sizeof(writer->last));
	switch (writer->options.format) {
	case IC_REPORT_TEXT: init_text(writer); break;
	case IC_REPORT_JSON: ic_writer_init_json(writer); break;
	case IC_REPORT_CSV: ic_writer_init_csv(writer); break;
	case IC_REPORT_PAGE: return ic_writer_init_page(writer);
	}
	return true;
}

void ic_writer_begin_part(struct ic_writer *writer, const char *name)
{
	writer->part = name;
	writer->is_new_part = true;
}

bool ic_writer_begin_line(struct ic_writer *writer)
{
	bool is_first = writer->is_new_part;

	writer->is_new_part = false;
	if (is_first && writer->part) {
		ic_output_printable(&writer->output, writer->part);
		ic_output_text(&writer->output, ":\n");
	}
	return is_first;
}
