#include "report/checks/sentence.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text/text.h"

void ic_rule_sentence(const struct ic_rule_row *row, char text[IC_SENTENCE_SIZE])
{
	text[0] = 0;
	switch (row->which) {
	case IC_RULE_KEPT: ic_text_append(text, IC_SENTENCE_SIZE, "kept"); break;
	case IC_RULE_UNMATCHED:
		ic_text_append(text, IC_SENTENCE_SIZE, "%s, so nothing was checked",
			       row->is_about_line
				       ? "no code of the line is of the function that contains it"
			       : row->functions > 0 ? "it has no inlined copy"
						    : "no function has the name");
		break;
	case IC_RULE_UNKNOWN:
		ic_text_append(text, IC_SENTENCE_SIZE, "unknown: %.1500s", row->why);
		break;
	case IC_RULE_BROKEN:
		if (row->found != UINT64_MAX)
			ic_text_append(text, IC_SENTENCE_SIZE, "found %" PRIu64, row->found);
		else if (row->breaks == 0)
			ic_text_append(text, IC_SENTENCE_SIZE, "it was never inlined");
		else
			ic_text_append(text, IC_SENTENCE_SIZE, "broken at %" PRIu64 " place%s",
				       row->breaks, row->breaks == 1 ? "" : "s");
		break;
	}
}

void ic_rule_place_sentence(const struct ic_rule_row *row, char text[IC_SENTENCE_SIZE])
{
	const char *function = row->function ? row->function : "??";

	text[0] = 0;
	ic_text_append(text, IC_SENTENCE_SIZE, "%.400s %s", function, row->what);
	if (row->host)
		ic_text_append(text, IC_SENTENCE_SIZE, "%s%.400s",
			       strstr(row->what, "inlined") ? " into " : " in ", row->host);
	if (row->probes)
		ic_text_append(text, IC_SENTENCE_SIZE, ", seen at %s", row->probes);
}

const char *ic_rule_place_file(const struct ic_rule_row *row, uint32_t *line)
{
	if (row->is_place && row->call_file) {
		*line = row->call_line;
		return row->call_file;
	}
	*line = row->rule_line;
	return row->rule_file;
}
