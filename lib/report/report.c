#include <inlinecall/report.h>

#include <stdlib.h>

#include "report/site_row.h"
#include "report/writers.h"

bool ic_report_sites(const struct ic_sites *sites, const struct ic_report_options *options,
		     FILE *out, struct ic_error *err)
{
	struct ic_writer *writer = malloc(sizeof(*writer));
	static const struct ic_report_options defaults = { .format = IC_REPORT_TEXT };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!options)
		options = &defaults;
	if (!writer)
		return ic_fail_memory(err);
	writer->options = options;
	writer->any_heading = false;
	ic_output_init(&writer->output, out);
	switch (options->format) {
	case IC_REPORT_TEXT: ic_writer_init_text(writer); break;
	case IC_REPORT_JSON: ic_writer_init_json(writer); break;
	case IC_REPORT_CSV: ic_writer_init_csv(writer); break;
	}
	bool ok = ic_site_rows(sites, options, &writer->sink, err);
	free(writer);
	return ok;
}
