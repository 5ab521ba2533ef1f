#include <inlinecall/report.h>

#include <stdlib.h>

#include "report/count_row.h"
#include "report/site_row.h"
#include "report/stack_row.h"
#include "report/tree_row.h"
#include "report/writers.h"

static const struct ic_report_options defaults = { .format = IC_REPORT_TEXT };

// A writer of the format that the options name, to be freed; where they are NULL they become the
// defaults.
static struct ic_writer *new_writer(const struct ic_report_options **options,
				    void (*init_text)(struct ic_writer *), FILE *out,
				    struct ic_error *err)
{
	struct ic_writer *writer = malloc(sizeof(*writer));

	if (!writer) {
		ic_fail_memory(err);
		return NULL;
	}
	if (!*options)
		*options = &defaults;
	writer->options = *options;
	writer->any_heading = false;
	ic_output_init(&writer->output, out);
	switch ((*options)->format) {
	case IC_REPORT_TEXT: init_text(writer); break;
	case IC_REPORT_JSON: ic_writer_init_json(writer); break;
	case IC_REPORT_CSV: ic_writer_init_csv(writer); break;
	}
	return writer;
}

bool ic_report_sites(const struct ic_sites *sites, const struct ic_report_options *options,
		     FILE *out, struct ic_error *err)
{
	struct ic_error unwanted;

	err = err ? err : &unwanted;
	struct ic_writer *writer = new_writer(&options, ic_writer_init_text, out, err);
	bool ok = writer && ic_site_rows(sites, options, &writer->sink, err);
	free(writer);
	return ok;
}

bool ic_report_counts(const struct ic_counts *counts, const struct ic_report_options *options,
		      FILE *out, struct ic_error *err)
{
	struct ic_error unwanted;

	err = err ? err : &unwanted;
	struct ic_writer *writer = new_writer(&options, ic_writer_init_count_text, out, err);
	bool ok = writer && ic_count_rows(counts, options, &writer->sink, err);
	free(writer);
	return ok;
}

bool ic_report_stacks(const struct ic_report_stack *stacks, size_t count,
		      const struct ic_report_options *options, FILE *out, struct ic_error *err)
{
	struct ic_error unwanted;

	err = err ? err : &unwanted;
	struct ic_writer *writer = new_writer(&options, ic_writer_init_stack_text, out, err);
	bool ok = writer && ic_stack_rows(stacks, count, options, &writer->sink, err);
	free(writer);
	return ok;
}

bool ic_report_trees(const struct ic_trees *trees, const struct ic_report_options *options,
		     FILE *out, struct ic_error *err)
{
	struct ic_error unwanted;

	err = err ? err : &unwanted;
	struct ic_writer *writer = new_writer(&options, ic_writer_init_tree_text, out, err);
	bool ok = writer && ic_tree_rows(trees, options, &writer->sink, err);
	free(writer);
	return ok;
}
