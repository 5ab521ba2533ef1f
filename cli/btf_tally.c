#include "btf_tally.h"

#include <inttypes.h>
#include <stdio.h>

void cli_btf_tally_add(struct cli_btf_tally *tally, uint64_t place)
{
	if (tally->count < CLI_BTF_MOST_EXAMPLES)
		tally->places[tally->count] = place;
	tally->count++;
}

void cli_btf_tally_print(const struct cli_btf_tally *tally, const char *text, bool has_places)
{
	printf("%llu\t%s", tally->count, text);
	if (has_places)
		printf("\tat");
	for (unsigned i = 0; has_places && i < CLI_BTF_MOST_EXAMPLES && i < tally->count; i++)
		printf(" 0x%" PRIx64, tally->places[i]);
	puts(has_places && tally->count > CLI_BTF_MOST_EXAMPLES ? " ..." : "");
}
