#include "btf/tally.h"

void cli_btf_tally_add(struct cli_btf_tally *tally, uint64_t place)
{
	if (tally->count < CLI_BTF_MOST_EXAMPLES)
		tally->places[tally->count] = place;
	tally->count++;
}

void cli_btf_tally_print(struct cli_report *report, const char *of,
			 const struct cli_btf_tally *tally, const char *what, bool has_places)
{
	uint64_t places[CLI_BTF_MOST_EXAMPLES];

	for (unsigned i = 0; i < CLI_BTF_MOST_EXAMPLES; i++)
		places[i] = has_places && i < tally->count ? tally->places[i] : UINT64_MAX;
	const struct ic_btf_tally_row tally_row = { .type = "tally",
						    .file = report->rows.file,
						    .of = of,
						    .what = what,
						    .count = tally->count,
						    .first = places[0],
						    .second = places[1],
						    .third = places[2] };
	const struct ic_row row = { .btf_tally = &tally_row };
	// If this fails, the end of the report reports it.
	(void)ic_report_row(report->report, &row);
}

void cli_btf_count_print(struct cli_report *report, const char *of, uint64_t count,
			 const char *what)
{
	const struct cli_btf_tally tally = { .count = count };

	cli_btf_tally_print(report, of, &tally, what, false);
}
