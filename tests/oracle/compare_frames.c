// Compares what .eh_frame_hdr finds with what reading all FDEs does, for test_call_frames.py:
//	compare_frames FILE
//	differs ADDRESS
//	compared COUNT listed 0|1
// At the start of each FDE, in its middle and at its end, and in the gaps between them, both must
// have the same row, or none. `listed` says whether all FDEs had to be read before it came to gaps.
#include <inttypes.h>
#include <stdio.h>

#include "unwind/frames/call_frames.h"

#include <inlinecall/extra/call_frames.h>

struct comparison {
	struct ic_call_frame_reader *indexed, *listed;
	uint64_t count, differ;
};

static bool same_rules(const struct ic_call_frame_row *a, const struct ic_call_frame_row *b)
{
	return a->range.start == b->range.start && a->range.end == b->range.end &&
	       memcmp(&a->cfa, &b->cfa, sizeof(a->cfa)) == 0 && a->rule_count == b->rule_count &&
	       memcmp(a->rules, b->rules, a->rule_count * sizeof(*a->rules)) == 0;
}

static bool same_entries(const struct ic_call_frame_entry *a, const struct ic_call_frame_entry *b)
{
	return a->range.start == b->range.start && a->range.end == b->range.end &&
	       a->off == b->off && strcmp(a->section, b->section) == 0 &&
	       a->return_reg == b->return_reg && a->is_signal == b->is_signal;
}

static void compare(struct comparison *all, uint64_t addr)
{
	struct ic_call_frame_entry entry, wanted_entry;
	struct ic_call_frame_row row, wanted;
	struct ic_error err, wanted_err;
	bool ok = ic_call_frame_reader_find(all->indexed, addr, &entry, &row, &err);
	bool wanted_ok =
		ic_call_frame_reader_find(all->listed, addr, &wanted_entry, &wanted, &wanted_err);

	all->count++;
	if (ok == wanted_ok &&
	    (ok ? same_entries(&entry, &wanted_entry) && same_rules(&row, &wanted)
		: err.code == wanted_err.code))
		return;
	all->differ++;
	printf("differs %" PRIx64 "\n", addr);
}

static bool compare_all(struct ic_call_frames *frames, struct comparison *all)
{
	const struct ic_call_frames *every = all->listed->frames;
	struct ic_call_frame_entry entry, next;

	for (size_t i = 0; ic_call_frames_get(every, i, &entry); i++) {
		compare(all, entry.range.start);
		compare(all, entry.range.start + (entry.range.end - entry.range.start) / 2);
		compare(all, entry.range.end - 1);
	}
	bool is_listed = ic_call_frames_count(frames) > 0;
	for (size_t i = 0; ic_call_frames_get(every, i, &entry); i++)
		if (ic_call_frames_get(every, i + 1, &next) && entry.range.end < next.range.start) {
			compare(all, entry.range.end);
			compare(all, next.range.start - 1);
		}
	compare(all, 0);
	compare(all, UINT64_MAX);
	return is_listed;
}

int main(int argc, char **argv)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct comparison all = { .count = 0 };
	struct ic_error err = { .message = "usage: compare_frames FILE" };
	struct ic_image *image = argc == 2 ? ic_image_open(argv[1], &options, &err) : NULL;
	struct ic_call_frames *frames = image ? ic_call_frames_open(image, &err) : NULL;
	struct ic_call_frames *every = frames ? ic_call_frames_open(image, &err) : NULL;

	if (!every || !ic_call_frames_list(every, &err)) {
		fprintf(stderr, "%s\n", err.message);
		return 2;
	}
	every->index.count = 0;
	all.indexed = ic_call_frame_reader_new(frames, &err);
	all.listed = ic_call_frame_reader_new(every, &err);
	if (!all.indexed || !all.listed)
		return 2;
	bool is_listed = compare_all(frames, &all);
	printf("compared %" PRIu64 " listed %d\n", all.count, is_listed);
	ic_call_frame_reader_free(all.indexed);
	ic_call_frame_reader_free(all.listed);
	ic_call_frames_free(frames);
	ic_call_frames_free(every);
	ic_image_free(image);
	return all.differ > 0;
}
