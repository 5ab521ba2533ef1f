#include "functions/doubts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cli.h"

static void add_copy(struct cli_doubtful *doubtful, const char *path, bool *is_in_file,
		     uint64_t addr, const char *why)
{
	if (doubtful->copies++ == 0) {
		snprintf(doubtful->path, sizeof(doubtful->path), "%s", path);
		snprintf(doubtful->why, sizeof(doubtful->why), "%s", why);
		doubtful->addr = addr;
	}
	doubtful->differs |= strcmp(doubtful->why, why) != 0;
	doubtful->files += !*is_in_file;
	*is_in_file = true;
}

void cli_doubts_add(struct cli_doubts *doubts, const char *path, const struct ic_sites *sites,
		    const struct ic_entries *entries)
{
	bool has[CLI_DOUBT_KINDS] = { false }, is_unknown = false;
	struct ic_site site;

	for (size_t i = 0; ic_sites_get(sites, i, &site); i++) {
		struct ic_site_entries found = ic_entries_of(entries, i);
		unsigned kinds = 0;

		if (site.is_part) // not a copy
			continue;
		doubts->copies += found.count > 0 || found.is_counted_elsewhere;
		if (found.why_not)
			add_copy(&doubts->unknown, path, &is_unknown, 0, found.why_not);
		for (size_t j = 0; j < found.doubt_count; j++) {
			const struct ic_entry_doubt *doubt = &found.doubts[j];
			if ((unsigned)doubt->kind < CLI_DOUBT_KINDS && !(kinds >> doubt->kind & 1))
				add_copy(&doubts->kinds[doubt->kind], path, &has[doubt->kind],
					 doubt->target, "");
			kinds |= 1u << doubt->kind;
		}
	}
}

// Writes "a.out: ", or "a.out and 3 more files: ".
static void write_files(char text[320], const struct cli_doubtful *doubtful)
{
	int length = snprintf(text, 320, "%s", doubtful->path);

	if (doubtful->files > 1)
		snprintf(text + length, 320 - (size_t)length, " and %zu more file%s",
			 doubtful->files - 1, doubtful->files == 2 ? "" : "s");
}

void cli_doubts_say(const struct cli_doubts *doubts)
{
	const char *many = doubts->copies == 1 ? "copy" : "copies";
	char files[320];

	for (unsigned i = 0; i < CLI_DOUBT_KINDS; i++) {
		const struct cli_doubtful *doubtful = &doubts->kinds[i];
		if (doubtful->copies == 0)
			continue;
		write_files(files, doubtful);
		cli_complain("%s: %zu of %zu %s %s %s, at 0x%" PRIx64 "%s: %s", files,
			     doubtful->copies, doubts->copies, many,
			     doubtful->copies == 1 ? "is" : "are", ic_entry_doubt_text(i),
			     doubtful->addr, doubtful->copies > 1 ? " for example" : "",
			     ic_entry_doubt_effect(i));
	}
	if (doubts->unknown.copies == 0)
		return;
	write_files(files, &doubts->unknown);
	cli_complain("%s: for %zu of %zu %s, calls may be missing: %s%s", files,
		     doubts->unknown.copies, doubts->copies, many, doubts->unknown.why,
		     doubts->unknown.differs ? ", for example" : "");
}
