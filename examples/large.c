// Lists the inlined copies of at least BYTES bytes in several files, as one CSV table: large BYTES
// FILE...
#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/extra/report.h>
#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/inlinecall.h>

static uint64_t size_of(const struct ic_site_row *row)
{
	uint64_t size = 0;

	for (size_t i = 0; i < row->range_count; i++)
		size += row->ranges[i].range.end - row->ranges[i].range.start;
	return size;
}

static bool list_rows(const struct ic_sites *sites, const char *path, uint64_t least,
		      struct ic_report *report, struct ic_error *err)
{
	const struct ic_row_options options = { .file = path, .demangle = true };
	struct ic_rows *rows = ic_rows_of_sites(sites, &options, err);
	struct ic_row row;

	if (!rows)
		return false;
	ic_report_begin(report, NULL); // writes the table's heading, even if no row follows
	while (ic_rows_next(rows, &row, err))
		if (size_of(row.site) >= least)
			ic_report_row(report, &row); // a failure is reported at the end
	ic_rows_free(rows);
	return err->code == IC_ERROR_NONE;
}

static bool list_file(const char *path, uint64_t least, struct ic_report *report,
		      struct ic_error *err)
{
	struct ic_index_problem problem;
	struct ic_image *image = ic_image_open(path, NULL, err);
	struct ic_index *index = image ? ic_index_build(image, NULL, err) : NULL;
	struct ic_sites *sites = index ? ic_sites_find(index, NULL, err) : NULL;
	bool ok = sites && list_rows(sites, path, least, report, err);

	if (!ok)
		fprintf(stderr, "%s\n", err->message);
	for (size_t i = 0; index && ic_index_problem_get(index, i, &problem); i++) {
		fprintf(stderr, "%s: %s\n", path, problem.message); // some copies may be missing
		ok = false;
	}
	ic_sites_free(sites);
	ic_index_free(index);
	ic_image_free(image);
	return ok;
}

int main(int argc, char **argv)
{
	const struct ic_report_options options = { .format = IC_REPORT_CSV };
	struct ic_error err;
	bool ok = true;

	if (argc < 3) {
		fprintf(stderr, "usage: %s BYTES FILE...\n", argv[0]);
		return 64;
	}
	struct ic_report *report = ic_report_new(IC_ROWS_SITES, &options, stdout, &err);
	if (!report) {
		fprintf(stderr, "%s\n", err.message);
		return 2;
	}
	for (int i = 2; i < argc; i++)
		ok &= list_file(argv[i], strtoull(argv[1], NULL, 0), report, &err);
	if (!ic_report_end(report, &err)) {
		fprintf(stderr, "%s\n", err.message);
		ok = false;
	}
	ic_report_free(report);
	return ok ? 0 : 2;
}
