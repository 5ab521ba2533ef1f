#include "report/formats.h"

#include <string.h>

#include "report/checks/checks.h"
#include "report/text/texts.h"

// Indexed by enum ic_rows_kind.
static void (*const init_text[])(struct ic_writer *writer) = {
#define ROW(kind, name) [IC_ROWS_##kind] = ic_writer_init_##name##_text,
#define ROW_WITHOUT_TEXT(kind, name)
#include "report/rows/kinds.def"
#undef ROW
};

bool ic_writer_has_format(enum ic_report_format format, enum ic_rows_kind kind)
{
	switch (format) {
	case IC_REPORT_JSON: return true;
	case IC_REPORT_TEXT:
	case IC_REPORT_CSV: return kind != IC_ROWS_TABLES; // which have different columns
	case IC_REPORT_PAGE:
		return kind == IC_ROWS_SIZES || kind == IC_ROWS_TREES ||
		       kind == IC_ROWS_STATISTICS || kind == IC_ROWS_CHANGES;
	case IC_REPORT_MARKDOWN: return kind == IC_ROWS_CHANGES;
	case IC_REPORT_TAP:
	case IC_REPORT_JUNIT:
	case IC_REPORT_GITHUB:
	case IC_REPORT_SARIF: return kind == IC_ROWS_RULES;
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
	writer->write_left_out = NULL;
	writer->type = type;
	writer->options = options ? *options : defaults;
	ic_output_init(&writer->output, out);
	writer->without_entry_symbols = false;
	writer->is_new_table = false;
	writer->left_out = writer->total = writer->line_count = 0;
	memset(writer->last, 0, sizeof(writer->last));
	switch (writer->options.format) {
	case IC_REPORT_TEXT:
		writer->write_left_out = ic_writer_write_left_out;
		init_text[type->kind](writer);
		break;
	case IC_REPORT_JSON: ic_writer_init_json(writer); break;
	case IC_REPORT_CSV: ic_writer_init_csv(writer); break;
	case IC_REPORT_PAGE: return ic_writer_init_page(writer);
	case IC_REPORT_MARKDOWN: ic_writer_init_change_markdown(writer); break;
	case IC_REPORT_TAP: ic_writer_init_tap(writer); break;
	case IC_REPORT_JUNIT: ic_writer_init_junit(writer); break;
	case IC_REPORT_GITHUB: ic_writer_init_github(writer); break;
	case IC_REPORT_SARIF: ic_writer_init_sarif(writer); break;
	}
	return true;
}
