// The code of a line, with the frames there. Implements inlinecall/lines.h.
#include <inlinecall/lines.h>

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "base/text.h"
#include "symbolize/symbolizer.h"

struct ic_lines {
	struct ic_scan_place *places;
	uint32_t count;
	struct ic_arena paths;
	struct ic_frame *frames; // those of all places
	size_t *first_frames;    // by place, and after the last one
	bool has_file;
	uint32_t next_line;
};

// Under the lock. Caches the places of the last file.
static const struct ic_scan_places *places_of(struct ic_symbolizer *symbolizer, const char *file,
					      struct ic_error *err)
{
	struct ic_scan_sources *sources = &symbolizer->lines.sources;

	if (symbolizer->lines.file && strcmp(symbolizer->lines.file, file) == 0)
		return &symbolizer->lines.places;
	free(symbolizer->lines.file);
	symbolizer->lines.file = NULL;
	ic_scan_places_free(&symbolizer->lines.places);
	if (!sources->tables &&
	    !ic_scan_sources_read(sources, &symbolizer->units.scan, &symbolizer->problems, err))
		return NULL;
	if (!ic_scan_places_find(&symbolizer->lines.places, &symbolizer->units.scan, sources, file,
				 &symbolizer->problems, err))
		return NULL;
	symbolizer->lines.file = strdup(file);
	if (!symbolizer->lines.file)
		ic_fail_memory(err);
	return symbolizer->lines.file ? &symbolizer->lines.places : NULL;
}

// The places' own paths are freed when another file is looked up.
static bool copy_paths(struct ic_lines *lines)
{
	const char *last = NULL, *copy = NULL;

	for (uint32_t i = 0; i < lines->count; i++) {
		const char *path = lines->places[i].file;
		if (path && (!last || strcmp(path, last) != 0)) {
			copy = ic_arena_copy(&lines->paths, path, strlen(path) + 1, 1);
			if (!copy)
				return false;
			last = path;
		}
		lines->places[i].file = path ? copy : NULL;
	}
	return true;
}

static bool copy_places(struct ic_lines *lines, const struct ic_scan_places *all, uint32_t line,
			struct ic_error *err)
{
	uint32_t first = ic_scan_places_from(all, line), end = first;

	while (end < all->list.count && all->list.items[end].line == line)
		end++;
	lines->has_file = all->list.count > 0;
	if (first == end && end < all->list.count)
		lines->next_line = all->list.items[end].line;
	lines->count = end - first;
	lines->places = ic_items_alloc(lines->count + 1ull, sizeof(*lines->places));
	if (lines->places && lines->count > 0)
		memcpy(lines->places, all->list.items + first,
		       lines->count * sizeof(*lines->places));
	return (lines->places && copy_paths(lines)) || ic_fail_memory(err);
}

static bool find_places(struct ic_lines *lines, struct ic_symbolizer *symbolizer, const char *file,
			uint32_t line, struct ic_error *err)
{
	bool is_listed = ic_symbolizer_all(symbolizer) != NULL;

	pthread_mutex_lock(&symbolizer->lock);
	const struct ic_scan_places *all = is_listed ? places_of(symbolizer, file, err) : NULL;
	// If units cannot be listed the answer is empty; the problem has been reported.
	bool ok = is_listed ? all && copy_places(lines, all, line, err)
			    : symbolizer->units.error != IC_ERROR_MEMORY || ic_fail_memory(err);
	pthread_mutex_unlock(&symbolizer->lock);
	return ok;
}

static uint64_t hash_of(const struct ic_scan_place *place)
{
	return place->file ? ic_text_hash(place->file) : 0;
}

// Whether the function of a frame can contain the line: it is declared before it in the same file.
static bool could_have(const struct ic_frame *frame, const struct ic_scan_place *place)
{
	return frame->decl_line > 0 && frame->decl_line <= place->line &&
	       ic_text_compare_paths(frame->decl_file, place->file) == 0;
}

// The function that contains the line is the last one declared before it, among those in frames at
// the line's places. Puts the line of its declaration, 0 if unknown, into a map by the hash of the
// file.
static bool find_owners(struct ic_map *owners, const struct ic_lines *lines,
			const struct ic_stacks *stacks)
{
	const struct ic_frame *frames;

	for (uint32_t i = 0; i < lines->count; i++) {
		const struct ic_scan_place *place = &lines->places[i];
		size_t count = ic_stacks_get(stacks, i, &frames);
		uint32_t *owner = ic_map_at(owners, hash_of(place));

		if (!owner)
			return false;
		if (*owner == IC_NONE)
			*owner = 0;
		for (size_t j = 0; j < count; j++)
			if (could_have(&frames[j], place) && frames[j].decl_line > *owner)
				*owner = frames[j].decl_line;
	}
	return true;
}

// The first of the frames at the start of an empty range whose function contains the line: those
// inside it belong to another line. `count` if there is none.
static size_t find_owner(const struct ic_scan_place *place, const struct ic_frame *frames,
			 size_t count, uint32_t owner_line)
{
	for (size_t i = 0; i < count; i++)
		if (frames[i].line == place->line &&
		    ic_text_compare_paths(frames[i].file, place->file) == 0)
			return i;
	for (size_t i = 0; i < count; i++)
		if (could_have(&frames[i], place) && frames[i].decl_line == owner_line)
			return i;
	return owner_line > 0 ? count : 0;
}

// Copies the stack at a place, whose innermost frame is at the line that was looked up, even if the
// last row at that address has another. Returns the number of frames: at most one more.
static size_t copy_stack(struct ic_frame *to, const struct ic_scan_place *place,
			 const struct ic_frame *frames, size_t count, uint32_t owner_line)
{
	bool is_empty = place->range.start == place->range.end;
	size_t owner = is_empty ? find_owner(place, frames, count, owner_line) : 0;
	size_t unknown = owner > 0 && owner == count; // its inlined instance has no DIE

	if (count == 0)
		return 0;
	if (unknown) {
		to[0] = (struct ic_frame){ .start = IC_NO_ADDR, .inlined = true };
		owner = 0;
	}
	memcpy(to + unknown, frames + owner, (count - owner) * sizeof(*frames));
	to->file = place->file;
	to->line = place->line;
	to->column = place->column;
	to->discriminator = place->discriminator;
	return unknown + count - owner;
}

static bool copy_frames(struct ic_lines *lines, const struct ic_stacks *stacks,
			struct ic_error *err)
{
	uint32_t count = lines->count;
	const struct ic_frame *frames;
	struct ic_map owners = { .count = 0 };
	size_t total = count;

	lines->first_frames = ic_items_alloc(count + 1ull, sizeof(*lines->first_frames));
	for (uint32_t i = 0; i < count; i++)
		total += ic_stacks_get(stacks, i, &frames);
	lines->frames = ic_items_alloc(total + 1, sizeof(*lines->frames));
	bool ok = lines->first_frames && lines->frames && find_owners(&owners, lines, stacks);
	total = 0;
	for (uint32_t i = 0; ok && i < count; i++) {
		const struct ic_scan_place *place = &lines->places[i];
		size_t found = ic_stacks_get(stacks, i, &frames);

		lines->first_frames[i] = total;
		total += copy_stack(lines->frames + total, place, frames, found,
				    *ic_map_find(&owners, hash_of(place)));
	}
	if (ok)
		lines->first_frames[count] = total;
	ic_map_free(&owners);
	return ok || ic_fail_memory(err);
}

static bool find_frames(struct ic_lines *lines, struct ic_symbolizer *symbolizer,
			struct ic_error *err)
{
	uint32_t count = lines->count;
	uint64_t *addrs = ic_items_alloc(count + 1ull, sizeof(*addrs));
	struct ic_stacks *stacks = NULL;

	for (uint32_t i = 0; addrs && i < count; i++)
		addrs[i] = lines->places[i].range.start;
	if (addrs)
		stacks = ic_stacks_find(symbolizer, addrs, count, err);
	else
		ic_fail_memory(err);
	bool ok = stacks && copy_frames(lines, stacks, err);
	ic_stacks_free(stacks);
	free(addrs);
	return ok;
}

struct ic_lines *ic_lines_find(struct ic_symbolizer *symbolizer, const char *file, uint32_t line,
			       struct ic_error *err)
{
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!file) {
		ic_fail(err, IC_ERROR_ARGUMENT, "no source file is given");
		return NULL;
	}
	struct ic_lines *lines = calloc(1, sizeof(*lines));
	if (lines ? find_places(lines, symbolizer, file, line, err) &&
			    find_frames(lines, symbolizer, err)
		  : ic_fail_memory(err))
		return lines;
	ic_lines_free(lines);
	if (err->code == IC_ERROR_MEMORY)
		(void)ic_image_fail_memory(symbolizer->image, err);
	return NULL;
}

void ic_lines_free(struct ic_lines *lines)
{
	if (!lines)
		return;
	free(lines->places);
	free(lines->frames);
	free(lines->first_frames);
	ic_arena_free(&lines->paths);
	free(lines);
}

size_t ic_lines_count(const struct ic_lines *lines)
{
	return lines->count;
}

size_t ic_lines_get(const struct ic_lines *lines, size_t number, struct ic_line_place *place,
		    const struct ic_frame **frames)
{
	const struct ic_scan_place *found = &lines->places[number];

	*place = (struct ic_line_place){ found->range,  found->file,          found->line,
					 found->column, found->discriminator, found->is_stmt };
	if (frames)
		*frames = lines->frames + lines->first_frames[number];
	return lines->first_frames[number + 1] - lines->first_frames[number];
}

bool ic_lines_has_file(const struct ic_lines *lines)
{
	return lines->has_file;
}

uint32_t ic_lines_next(const struct ic_lines *lines)
{
	return lines->next_line;
}
