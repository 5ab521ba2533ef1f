#include "frames_walk.h"

#include "fuzz_input.h"

#include <inlinecall/extra/call_frames.h>

enum { MOST_ENTRIES = 64, MOST_ROWS = 256, MOST_ITEMS = 4096, MOST_OVERLAPPING = 1000 };

static void add(uint64_t *hash, uint64_t number)
{
	*hash = (*hash ^ number) * 0x100000001b3; // FNV
}

static bool contains(struct ic_range range, uint64_t addr)
{
	return range.start <= addr && addr < range.end;
}

// The text of a rule. False if memory is out.
static bool walk_rule(struct ic_call_frame_reader *reader, const struct ic_register_rule *rule,
		      bool is_cfa, uint64_t *hash, struct ic_error *err)
{
	const char *text = ic_call_frame_reader_text(reader, rule, is_cfa);

	if (!text) {
		err->code = IC_ERROR_MEMORY;
		return false;
	}
	size_t size = fuzz_read_text(text, NULL);
	PROMISE(size > 0);
	add(hash, size);
	return true;
}

// The rows of an FDE tile its code. False if memory is out.
static bool walk_rows(struct ic_call_frame_reader *reader, const struct ic_call_frame_entry *entry,
		      size_t number, uint64_t *hash, struct ic_error *err)
{
	uint64_t next = entry->range.start;
	struct ic_call_frame_row row;

	PROMISE(entry->range.start < entry->range.end);
	if (!ic_call_frame_reader_begin(reader, number, err)) {
		PROMISE_REASON(*err);
		return err->code != IC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < MOST_ROWS; i++) {
		if (!ic_call_frame_reader_next(reader, &row, err)) {
			PROMISE(err->code != IC_ERROR_NONE || next == entry->range.end);
			return err->code != IC_ERROR_MEMORY;
		}
		PROMISE(row.range.start == next && row.range.end > next);
		next = row.range.end;
		PROMISE(next <= entry->range.end);
		bool ok = walk_rule(reader, &row.cfa, true, hash, err);
		for (size_t j = 0; ok && j < row.rule_count; j++)
			ok = walk_rule(reader, &row.rules[j], false, hash, err);
		if (!ok)
			return false;
		add(hash, next);
	}
	return true;
}

static bool walk_entries(struct ic_call_frames *frames, uint64_t *hash, struct ic_error *err)
{
	struct ic_call_frame_reader *reader = ic_call_frame_reader_new(frames, err);
	struct ic_call_frame_entry entry, found;
	struct ic_call_frame_row row;
	size_t number;
	bool ok = reader != NULL;

	for (size_t i = 0; ok && i < MOST_ENTRIES && ic_call_frames_get(frames, i, &entry); i++) {
		if (!ic_call_frames_find(frames, entry.range.start, &number)) {
			PROMISE(ic_call_frames_count(frames) >= MOST_OVERLAPPING);
			continue;
		}
		PROMISE(ic_call_frames_get(frames, number, &found)); // perhaps of .eh_frame
		PROMISE(contains(found.range, entry.range.start));
		add(hash, number);
		ok = walk_rows(reader, &entry, i, hash, err);
		if (!ok)
			break;
		if (ic_call_frame_reader_find(reader, entry.range.end - 1, &found, &row, err))
			PROMISE(contains(row.range, entry.range.end - 1));
		else
			ok = err->code != IC_ERROR_MEMORY;
	}
	ic_call_frame_reader_free(reader);
	return ok;
}

static bool walk_items(struct ic_call_frames *frames, const struct ic_range *range, uint64_t *hash,
		       struct ic_error *err)
{
	struct ic_call_frame_items *items = ic_call_frame_items_open(frames, range, err);
	struct ic_call_frame_item item;
	bool ok = items != NULL;

	for (size_t i = 0; ok && i < MOST_ITEMS; i++) {
		if (!ic_call_frame_items_next(items, &item, err)) {
			ok = err->code == IC_ERROR_NONE;
			break;
		}
		PROMISE((item.kind == IC_CALL_FRAME_INSTRUCTION) == (item.text != NULL));
		if (item.text)
			PROMISE(fuzz_read_text(item.text, NULL) > 0);
		if (item.augmentation)
			fuzz_read_text(item.augmentation, NULL);
		add(hash, item.off);
	}
	ic_call_frame_items_free(items);
	return ok;
}

bool frames_walk(struct ic_image *image, uint64_t *hash, struct ic_error *err)
{
	struct ic_call_frames *frames = ic_call_frames_open(image, err);
	struct ic_index_problem problem;
	struct ic_call_frame_entry entry;

	if (!frames) {
		PROMISE_REASON(*err);
		return err->code != IC_ERROR_MEMORY;
	}
	bool ok = ic_call_frames_list(frames, err) && walk_entries(frames, hash, err) &&
		  walk_items(frames, NULL, hash, err);
	if (ok && ic_call_frames_get(frames, 0, &entry))
		ok = walk_items(frames, &entry.range, hash, err);
	for (size_t i = 0; ic_call_frames_problem_get(frames, i, &problem); i++)
		fuzz_read_text(problem.message, NULL);
	ic_call_frames_free(frames);
	return ok;
}
