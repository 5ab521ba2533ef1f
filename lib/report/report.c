#include <inlinecall/extra/report.h>

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "report/formats.h"
#include "report/rows/rows.h"

struct ic_report {
	struct ic_writer writer;
	bool has_begun, has_ended;
	struct ic_error err; // of the first failure
};

// Indexed by enum ic_rows_kind.
static const struct ic_row_type *const row_types[] = {
// indexed by enum ic_rows_kind
#define ROW(kind, name) [IC_ROWS_##kind] = &ic_##name##_row_type,
#include "report/rows/kinds.def"
#undef ROW
};

enum { KIND_COUNT = sizeof(row_types) / sizeof(*row_types) };

#define ROW(kind, name)                                                                 \
	static_assert(offsetof(struct ic_row, name) == IC_ROWS_##kind * sizeof(void *), \
		      "members of a row are in the order of their kinds");
#include "report/rows/kinds.def"
#undef ROW

struct ic_report *ic_report_new(enum ic_rows_kind kind, const struct ic_report_options *options,
				FILE *out, struct ic_error *err)
{
	const struct ic_row_type *type = (unsigned)kind < KIND_COUNT ? row_types[kind] : NULL;
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	enum ic_report_format format = options ? options->format : IC_REPORT_TEXT;
	if (!type || !ic_writer_has_format(format, kind)) {
		ic_fail(err, IC_ERROR_ARGUMENT, "no report of kind %d has format %d", (int)kind,
			(int)format);
		return NULL;
	}
	struct ic_report *report = malloc(sizeof(*report));
	if (!report || !ic_writer_init(&report->writer, type, options, out)) {
		free(report);
		ic_fail_memory(err);
		return NULL;
	}
	report->has_begun = report->has_ended = false;
	report->err.code = IC_ERROR_NONE;
	return report;
}

// Write errors are reported at the end; here they only stop the making of further output.
static bool is_sound(const struct ic_report *report)
{
	return report->err.code == IC_ERROR_NONE && report->writer.output.os_error == 0;
}

// Whether the report has not ended; if it has, this is a failure now.
static bool is_open(struct ic_report *report)
{
	if (report->has_ended && report->err.code == IC_ERROR_NONE)
		ic_fail(&report->err, IC_ERROR_ARGUMENT, "the report has ended");
	return !report->has_ended;
}

bool ic_report_begin(struct ic_report *report, const char *name)
{
	struct ic_writer *writer = &report->writer;

	if (!is_open(report))
		return false;
	if (!report->has_begun && writer->begin)
		writer->begin(writer);
	report->has_begun = true;
	ic_writer_begin_part(writer, name);
	return is_sound(report);
}

// Whether a row of that type can be added.
static bool is_ready(struct ic_report *report, const struct ic_row_type *type)
{
	if (!is_open(report) || !is_sound(report))
		return false;
	if (type != report->writer.type)
		return ic_fail(&report->err, IC_ERROR_ARGUMENT,
			       "the report is for rows of a different kind");
	return report->has_begun || ic_report_begin(report, NULL);
}

bool ic_report_row(struct ic_report *report, const struct ic_row *row)
{
	const void *members[KIND_COUNT];
	unsigned kind = 0;

	static_assert(sizeof(members) == sizeof(*row), "each kind has one pointer");
	memcpy(members, row, sizeof(members));
	while (kind < KIND_COUNT && !members[kind])
		kind++;
	if (!is_ready(report, kind < KIND_COUNT ? row_types[kind] : NULL))
		return false;
	report->writer.write(&report->writer, members[kind]);
	return is_sound(report);
}

bool ic_report_rows(struct ic_report *report, struct ic_rows *rows)
{
	const void *row;
	struct ic_error err;

	if (!is_ready(report, rows->type))
		return false;
	rows->without_entry_symbols = report->writer.without_entry_symbols;
	while (is_sound(report) && (row = ic_rows_take(rows, &err)))
		report->writer.write(&report->writer, row);
	rows->without_entry_symbols = false;
	if (is_sound(report) && err.code != IC_ERROR_NONE)
		report->err = err;
	return ic_report_left_out(report, rows->filler.options.file, rows->left_out);
}

bool ic_report_left_out(struct ic_report *report, const char *file, uint64_t count)
{
	struct ic_writer *writer = &report->writer;

	if (!is_ready(report, writer->type))
		return false;
	if (writer->write_left_out && count > 0)
		writer->write_left_out(writer, file, count);
	return is_sound(report);
}

bool ic_report_flush(struct ic_report *report)
{
	struct ic_error err;

	if (!is_open(report))
		return false;
	if (!ic_output_finish(&report->writer.output, &err) && report->err.code == IC_ERROR_NONE)
		report->err = err;
	return is_sound(report);
}

bool ic_report_end(struct ic_report *report, struct ic_error *err)
{
	struct ic_writer *writer = &report->writer;

	if (!report->has_ended && is_sound(report) && writer->end && !writer->end(writer))
		ic_fail_memory(&report->err);
	bool ok = ic_report_flush(report);

	report->has_ended = true;
	if (!ok && err)
		*err = report->err;
	return ok;
}

void ic_report_free(struct ic_report *report)
{
	if (report)
		ic_writer_free_page(&report->writer);
	free(report);
}
