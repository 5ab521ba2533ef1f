// Finds the code of a line, and the frames there. Implements inlinecall/extra/lines.h.
#include <inlinecall/extra/lines.h>

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "symbolize/symbolizer.h"
#include "text/text.h"

struct piece { // part of a line's code, with the same functions throughout
	struct ic_place_row place;
	const struct ic_unit_model *model; // these as in struct ic_code_run
	uint64_t symbol_start;
	uint32_t instance; // at an empty range: that of the line's function, if known
	bool is_nameless;  // that function is unknown: it gets its own frame inside the instance
	bool continues;    // see struct ic_line_place
};

struct ic_lines {
	struct ic_symbolizer *symbolizer;
	IC_ARRAY(struct piece) pieces;
	struct ic_arena paths;
	bool has_file;
	uint32_t next_line;
};

struct frames { // of one piece, innermost first
	IC_ARRAY(struct ic_frame) list;
};

// Under the lock. Caches the places of the last file.
static const struct ic_place_rows *places_of(struct ic_symbolizer *symbolizer, const char *file,
					     struct ic_error *err)
{
	struct ic_line_sources *sources = &symbolizer->lines.sources;

	if (symbolizer->lines.file && strcmp(symbolizer->lines.file, file) == 0)
		return &symbolizer->lines.places;
	free(symbolizer->lines.file);
	symbolizer->lines.file = NULL;
	ic_place_rows_free(&symbolizer->lines.places);
	if (!sources->tables &&
	    !ic_line_sources_read(sources, &symbolizer->units.scan, &symbolizer->problems, err))
		return NULL;
	if (!ic_place_rows_find(&symbolizer->lines.places, &symbolizer->units.scan, sources, file,
				&symbolizer->problems, err))
		return NULL;
	symbolizer->lines.file = strdup(file);
	if (!symbolizer->lines.file)
		ic_fail_memory(err);
	return symbolizer->lines.file ? &symbolizer->lines.places : NULL;
}

// The places' own paths are freed when another file is looked up.
static bool copy_paths(struct ic_lines *lines, struct ic_place_rows *rows)
{
	const char *last = NULL, *copy = NULL;

	for (uint32_t i = 0; i < rows->list.count; i++) {
		const char *path = rows->list.items[i].file;
		if (path && (!last || strcmp(path, last) != 0)) {
			copy = ic_arena_copy(&lines->paths, path, strlen(path) + 1, 1);
			if (!copy)
				return false;
			last = path;
		}
		rows->list.items[i].file = path ? copy : NULL;
	}
	return true;
}

static bool copy_rows(struct ic_lines *lines, struct ic_place_rows *rows,
		      const struct ic_place_rows *all, uint32_t line, struct ic_error *err)
{
	uint32_t first = ic_place_rows_from(all, line), end = first;

	while (end < all->list.count && all->list.items[end].line == line)
		end++;
	lines->has_file = all->list.count > 0;
	if (first == end && end < all->list.count)
		lines->next_line = all->list.items[end].line;
	if (!IC_ARRAY_RESERVE(&rows->list, end - first + 1ull))
		return ic_fail_memory(err);
	rows->list.count = end - first;
	if (rows->list.count > 0)
		memcpy(rows->list.items, all->list.items + first,
		       rows->list.count * sizeof(*rows->list.items));
	return copy_paths(lines, rows) || ic_fail_memory(err);
}

static bool find_rows(struct ic_lines *lines, struct ic_place_rows *rows, const char *file,
		      uint32_t line, struct ic_error *err)
{
	struct ic_symbolizer *symbolizer = lines->symbolizer;
	bool is_listed = ic_symbolizer_all(symbolizer) != NULL;

	pthread_mutex_lock(&symbolizer->lock);
	const struct ic_place_rows *all = is_listed ? places_of(symbolizer, file, err) : NULL;
	// If units cannot be listed the answer is empty; the problem has been reported.
	bool ok = is_listed ? all && copy_rows(lines, rows, all, line, err)
			    : symbolizer->units.error != IC_ERROR_MEMORY || ic_fail_memory(err);
	pthread_mutex_unlock(&symbolizer->lock);
	return ok;
}

// Decodes the units of the rows, on several threads.
static bool decode_lines(const struct ic_lines *lines, const struct ic_place_rows *rows,
			 struct ic_error *err)
{
	IC_ARRAY(uint64_t) addrs = { .memory = rows->list.memory };

	if (rows->list.count == 0)
		return true;
	bool ok = IC_ARRAY_RESERVE(&addrs, rows->list.count) || ic_fail_memory(err);
	for (uint32_t i = 0; ok && i < rows->list.count; i++)
		addrs.items[i] = rows->list.items[i].range.start;
	ok = ok && ic_symbolizer_decode(lines->symbolizer, ic_symbolizer_all(lines->symbolizer),
					addrs.items, rows->list.count, NULL, err);
	IC_ARRAY_FREE(&addrs);
	return ok;
}

// ---- Pieces

struct known_run {
	uint64_t start;
	struct ic_code_run run;
};

struct runs { // at the rows so far, sorted: each is looked up once, even if rows overlap
	IC_ARRAY(struct known_run) list;
	uint64_t steps;
};

// If many units claim the same code, finding each run takes as many steps as there are claims.
// Compilers do not produce that.
enum { MOST_STEPS = 1 << 22 };

static bool same_functions(const struct piece *last, const struct piece *piece)
{
	return last->model == piece->model && last->instance == piece->instance &&
	       last->symbol_start == piece->symbol_start;
}

// The run at an address; NULL if memory runs out. Rows must be cut in the order of their starts.
static const struct ic_code_run *find_run(const struct ic_lines *lines, struct runs *runs,
					  uint64_t addr)
{
	uint32_t next = ic_search_up_to(runs->list.items, sizeof(*runs->list.items),
					runs->list.count, addr);

	if (next > 0 && addr < runs->list.items[next - 1].run.end)
		return &runs->list.items[next - 1].run;
	// No earlier row reaches `addr`, so the list stays sorted.
	struct known_run *added = IC_ARRAY_PUSH(&runs->list);
	if (!added)
		return NULL;
	added->start = addr;
	if (runs->steps > MOST_STEPS) {
		added->run = (struct ic_code_run){ .instance = IC_NONE,
						   .symbol_start = IC_NO_ADDR,
						   .end = UINT64_MAX };
		return &added->run;
	}
	ic_symbolizer_run_at(lines->symbolizer, addr, &added->run);
	runs->steps += added->run.steps;
	return &added->run;
}

// Cuts the code of a row wherever its functions change.
static bool cut_row(struct ic_lines *lines, struct runs *runs, const struct ic_place_row *row)
{
	struct piece piece = { .place = *row }, *last = NULL;
	const struct ic_code_run *run;
	uint64_t at = row->range.start;

	do {
		run = find_run(lines, runs, at);
		if (!run)
			return false;
		piece.place.range.start = at;
		piece.place.range.end = run->end < row->range.end ? run->end : row->range.end;
		piece.model = run->model;
		piece.instance = run->instance;
		piece.symbol_start = run->symbol_start;
		if (last && same_functions(last, &piece)) {
			last->place.range.end = piece.place.range.end;
		} else {
			last = IC_ARRAY_PUSH(&lines->pieces);
			if (!last)
				return false;
			*last = piece;
			piece.place.is_stmt = false; // only the row's start is recommended
		}
		at = run->end;
	} while (at < row->range.end);
	return true;
}

static_assert(offsetof(struct piece, place) == 0, "pieces are sorted as places");

static bool is_empty(const struct piece *piece)
{
	return piece->place.range.start == piece->place.range.end;
}

static void join_rows(struct ic_lines *lines)
{
	struct piece *items = lines->pieces.items;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < lines->pieces.count; i++) {
		struct piece *last = kept > 0 ? &items[kept - 1] : NULL;
		const struct ic_range *range = &items[i].place.range;

		if (!last || is_empty(&items[i]) || !same_functions(last, &items[i]) ||
		    !ic_place_row_continues(&last->place, &items[i].place))
			items[kept++] = items[i];
		else if (last->place.range.end < range->end)
			last->place.range.end = range->end;
	}
	lines->pieces.count = kept;
}

static void report_overlap(struct ic_symbolizer *symbolizer)
{
	struct ic_error problem;

	ic_fail(&problem, IC_ERROR_MALFORMED,
		"gave up looking for the functions of a line: too many units claim the same code");
	pthread_mutex_lock(&symbolizer->lock);
	ic_problems_add(&symbolizer->problems, &problem, NULL, 0);
	pthread_mutex_unlock(&symbolizer->lock);
}

static bool find_pieces(struct ic_lines *lines, const struct ic_place_rows *rows,
			struct ic_error *err)
{
	struct runs runs = { .list.memory = rows->list.memory };
	bool ok = true;

	for (uint32_t i = 0; ok && i < rows->list.count; i++)
		ok = cut_row(lines, &runs, &rows->list.items[i]);
	IC_ARRAY_FREE(&runs.list);
	if (!ok)
		return ic_fail_memory(err);
	if (runs.steps > MOST_STEPS)
		report_overlap(lines->symbolizer);
	if (lines->pieces.count > 0) // rows may overlap
		qsort(lines->pieces.items, lines->pieces.count, sizeof(*lines->pieces.items),
		      ic_place_row_compare);
	join_rows(lines);
	return true;
}

// ---- The functions of empty ranges

static uint64_t hash_of(const struct ic_place_row *place)
{
	return place->file ? ic_text_hash(place->file) : 0;
}

// Whether the function of a frame may contain the line: it is declared in the same file, not after
// it.
static bool could_have(const struct ic_frame *frame, const struct ic_place_row *place)
{
	return frame->decl_line > 0 && frame->decl_line <= place->line &&
	       ic_text_compare_paths(frame->decl_file, place->file) == 0;
}

// Gets the frames of a piece, at its instance. Returns false if memory runs out.
static bool read_frames(const struct ic_lines *lines, const struct piece *piece,
			struct frames *frames)
{
	const struct ic_code_run run = { .model = piece->model, .instance = piece->instance };
	uint64_t addr = piece->place.range.start;

	for (;;) {
		size_t count = ic_symbolizer_run_frames(lines->symbolizer, &run, addr,
							frames->list.items, frames->list.capacity);
		frames->list.count = count < frames->list.capacity ? (uint32_t)count
								   : frames->list.capacity;
		if (count <= frames->list.capacity)
			return true;
		if (!IC_ARRAY_RESERVE(&frames->list, count))
			return false;
	}
}

// The function that contains the line is the last one declared before it, among those in the frames
// of the line's pieces. Maps the hash of each file to the line of that declaration, 0 if unknown.
static bool find_owner_lines(struct ic_map *owners, const struct ic_lines *lines,
			     struct frames *frames)
{
	for (uint32_t i = 0; i < lines->pieces.count; i++) {
		const struct piece *piece = &lines->pieces.items[i];
		const struct ic_place_row *place = &piece->place;
		uint32_t *owner = ic_map_at(owners, hash_of(place));

		if (!owner || !read_frames(lines, piece, frames))
			return false;
		if (*owner == IC_NONE)
			*owner = 0;
		for (uint32_t j = 0; j < frames->list.count; j++)
			if (could_have(&frames->list.items[j], place) &&
			    frames->list.items[j].decl_line > *owner)
				*owner = frames->list.items[j].decl_line;
	}
	return true;
}

// The first of the frames at the start of an empty range whose function contains the line: those
// inside it belong to other lines. `count` if there is none.
static size_t find_owner(const struct ic_place_row *place, const struct ic_frame *frames,
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

// Drops the functions at an empty range that belong to other lines.
static void take_owner(struct piece *piece, const struct frames *frames, uint32_t owner_line)
{
	size_t owner =
		find_owner(&piece->place, frames->list.items, frames->list.count, owner_line);

	piece->is_nameless = owner > 0 &&
			     owner == frames->list.count; // its inlined instance has no DIE
	if (piece->is_nameless)
		return;
	for (size_t i = 0; i < owner; i++)
		piece->instance = piece->model->instances[piece->instance].parent;
}

static bool find_owners(struct ic_lines *lines, struct ic_error *err)
{
	struct frames frames = { .list.memory = lines->pieces.memory };
	struct ic_map owners = { .count = 0 };
	bool any = false, ok = true;

	for (uint32_t i = 0; !any && i < lines->pieces.count; i++)
		any = is_empty(&lines->pieces.items[i]);
	if (any)
		ok = find_owner_lines(&owners, lines, &frames);
	for (uint32_t i = 0; any && ok && i < lines->pieces.count; i++) {
		struct piece *piece = &lines->pieces.items[i];
		if (!is_empty(piece))
			continue;
		ok = read_frames(lines, piece, &frames);
		if (ok)
			take_owner(piece, &frames, *ic_map_find(&owners, hash_of(&piece->place)));
	}
	ic_map_free(&owners);
	IC_ARRAY_FREE(&frames.list);
	return ok || ic_fail_memory(err);
}

static bool is_adjacent(const struct piece *last, const struct piece *piece)
{
	return last->place.range.end == piece->place.range.start && last->model == piece->model &&
	       last->instance == piece->instance && last->is_nameless == piece->is_nameless &&
	       ic_text_compare_paths(last->place.file, piece->place.file) == 0;
}

// Finds the places that continue others.
static void find_continued(struct ic_lines *lines)
{
	const struct piece *last = NULL; // before, without a gap

	for (uint32_t i = 0; i < lines->pieces.count; i++) {
		struct piece *piece = &lines->pieces.items[i];
		if (i > 0 && !is_adjacent(piece - 1, piece))
			last = NULL;
		if (!piece->place.is_stmt)
			continue;
		piece->continues = last && last->place.column != piece->place.column;
		last = piece;
	}
}

static bool find_places(struct ic_lines *lines, const char *file, uint32_t line,
			struct ic_error *err)
{
	struct ic_place_rows rows = { .list.memory = lines->pieces.memory };
	bool ok = find_rows(lines, &rows, file, line, err) && decode_lines(lines, &rows, err) &&
		  find_pieces(lines, &rows, err) && find_owners(lines, err);

	if (ok)
		find_continued(lines);
	ic_place_rows_free(&rows);
	return ok;
}

struct ic_lines *ic_lines_find(struct ic_symbolizer *symbolizer, const char *file, uint32_t line,
			       struct ic_error *err)
{
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!file) {
		ic_fail(err, IC_ERROR_ARGUMENT, "no source file given");
		return NULL;
	}
	struct ic_lines *lines = calloc(1, sizeof(*lines));
	if (lines) {
		lines->symbolizer = symbolizer;
		lines->pieces.memory = lines->paths.memory = symbolizer->index.arena.memory;
	}
	if (lines ? find_places(lines, file, line, err) : ic_fail_memory(err))
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
	IC_ARRAY_FREE(&lines->pieces);
	ic_arena_free(&lines->paths);
	free(lines);
}

size_t ic_lines_count(const struct ic_lines *lines)
{
	return lines->pieces.count;
}

// Gives the innermost frame the position of the place, even if the last row at its address has
// another.
static void set_place(struct ic_frame *frame, const struct ic_place_row *place)
{
	if (ic_text_compare_paths(frame->file, place->file) != 0)
		frame->source = NULL;
	frame->file = place->file;
	frame->line = place->line;
	frame->column = place->column;
	frame->discriminator = place->discriminator;
	frame->is_approximate = false;
}

size_t ic_lines_get(const struct ic_lines *lines, size_t number, struct ic_line_place *place,
		    struct ic_frame *frames, size_t capacity)
{
	const struct piece *piece = &lines->pieces.items[number];
	const struct ic_place_row *found = &piece->place;
	const struct ic_code_run run = { .model = piece->model, .instance = piece->instance };
	size_t more = piece->is_nameless, room = capacity > more ? capacity - more : 0;

	*place = (struct ic_line_place){ found->range,    found->file,          found->line,
					 found->column,   found->discriminator, found->is_stmt,
					 piece->continues };
	size_t count = ic_symbolizer_run_frames(lines->symbolizer, &run, found->range.start,
						room > 0 ? frames + more : NULL, room);
	if (capacity > 0 && (more > 0 || count == 0))
		frames[0] = (struct ic_frame){ .start = IC_NO_ADDR, .inlined = count > 0 };
	if (capacity > 0)
		set_place(&frames[0], found);
	return count > 0 ? count + more : 1;
}

bool ic_lines_has_file(const struct ic_lines *lines)
{
	return lines->has_file;
}

uint32_t ic_lines_next(const struct ic_lines *lines)
{
	return lines->next_line;
}
