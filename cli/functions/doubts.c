#include "functions/doubts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cli.h"

enum { FILES_SIZE = 320 };

struct of_file { // while its copies are added
	const char *path;
	size_t copies;
};

static void add_copy(struct cli_doubtful *doubtful, const struct of_file *file, bool *is_in_file,
		     uint64_t addr, const char *why)
{
	if (doubtful->copies++ == 0) {
		snprintf(doubtful->path, sizeof(doubtful->path), "%s", file->path);
		snprintf(doubtful->why, sizeof(doubtful->why), "%s", why);
		doubtful->addr = addr;
	}
	doubtful->differs |= strcmp(doubtful->why, why) != 0;
	doubtful->files += !*is_in_file;
	doubtful->total += *is_in_file ? 0 : file->copies;
	*is_in_file = true;
}

static bool is_copy(const struct ic_site *site, const struct ic_site_entries *entries)
{
	return !site->is_part &&
	       (entries->count > 0 || entries->is_counted_elsewhere || entries->why_not);
}

void cli_doubts_add(struct cli_doubts *doubts, const char *path, const struct ic_sites *sites,
		    const struct ic_entries *entries)
{
	bool has[CLI_DOUBT_KINDS] = { false }, is_unknown = false;
	struct of_file file = { .path = path };
	struct ic_site site;

	for (size_t i = 0; ic_sites_get(sites, i, &site); i++) {
		struct ic_site_entries found = ic_entries_of(entries, i);
		file.copies += is_copy(&site, &found);
	}
	for (size_t i = 0; ic_sites_get(sites, i, &site); i++) {
		struct ic_site_entries found = ic_entries_of(entries, i);
		unsigned kinds = 0;

		if (site.is_part) // not a copy
			continue;
		if (found.why_not)
			add_copy(&doubts->unknown, &file, &is_unknown, 0, found.why_not);
		for (size_t j = 0; j < found.doubt_count; j++) {
			const struct ic_entry_doubt *doubt = &found.doubts[j];
			if ((unsigned)doubt->kind < CLI_DOUBT_KINDS && !(kinds >> doubt->kind & 1))
				add_copy(&doubts->kinds[doubt->kind], &file, &has[doubt->kind],
					 doubt->target, "");
			kinds |= 1u << doubt->kind;
		}
	}
}

// Writes "a.out", or "a.out and 3 more files".
static void write_files(char text[FILES_SIZE], const struct cli_doubtful *doubtful)
{
	if (doubtful->files <= 1)
		snprintf(text, FILES_SIZE, "%s", doubtful->path);
	else if (doubtful->files == 2)
		snprintf(text, FILES_SIZE, "%s and 1 more file", doubtful->path);
	else
		snprintf(text, FILES_SIZE, "%s and %zu more files", doubtful->path,
			 doubtful->files - 1);
}

static void complain_of_doubt(const struct cli_doubts *doubts, unsigned kind)
{
	const struct cli_doubtful *doubtful = &doubts->kinds[kind];
	const char *text = ic_entry_doubt_text(kind), *effect = ic_entry_doubt_effect(kind);
	char files[FILES_SIZE];

	write_files(files, doubtful);
	if (doubtful->total == 1)
		cli_complain("%s: 1 of 1 copy is %s, at 0x%" PRIx64 ": %s", files, text,
			     doubtful->addr, effect);
	else if (doubtful->copies == 1)
		cli_complain("%s: 1 of %zu copies is %s, at 0x%" PRIx64 ": %s", files,
			     doubtful->total, text, doubtful->addr, effect);
	else
		cli_complain("%s: %zu of %zu copies are %s, at 0x%" PRIx64 " for example: %s",
			     files, doubtful->copies, doubtful->total, text, doubtful->addr,
			     effect);
}

static void complain_of_unknown(const struct cli_doubts *doubts)
{
	const struct cli_doubtful *unknown = &doubts->unknown;
	const char *example = unknown->differs ? ", for example" : "";
	char files[FILES_SIZE];

	write_files(files, unknown);
	if (unknown->total == 1)
		cli_complain("%s: for 1 of 1 copy, calls may be missing: %s%s", files, unknown->why,
			     example);
	else
		cli_complain("%s: for %zu of %zu copies, calls may be missing: %s%s", files,
			     unknown->copies, unknown->total, unknown->why, example);
}

void cli_doubts_say(const struct cli_doubts *doubts)
{
	for (unsigned i = 0; i < CLI_DOUBT_KINDS; i++)
		if (doubts->kinds[i].copies > 0)
			complain_of_doubt(doubts, i);
	if (doubts->unknown.copies > 0)
		complain_of_unknown(doubts);
}
