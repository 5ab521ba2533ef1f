#include "compare/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/sort.h"
#include "compare/source_files.h"

// The most functions of one key, in either build, whose files are compared with each other.
enum { MOST_SHARED = 64 };

struct side {
	const struct ic_build *build;
	struct ic_source_files files;
	struct ic_keyed
		*by_key; // the functions whose key the old build has: sorted by key, file, line
	uint32_t count;
	uint32_t *other; // by function: the one of the other build; IC_NONE
};

struct group { // the functions of one key, from `first` to `end` of by_key
	uint32_t old_first, old_end, new_first, new_end;
};

struct matcher {
	struct side old, new;
	uint32_t *new_of_old; // by file
	bool *has_moved;      // by function of the old build
	const char **new_files;
};

// ---- Groups

// Whether a build only declares a function that it defines elsewhere.
static bool is_only_declared(const struct ic_build *build, const struct ic_built_function *function)
{
	return function->copies + function->out_of_line + function->facts == 0 &&
	       build->by_key.items[function->key] != IC_NONE;
}

static bool sort_by_key(struct side *side, const struct ic_build *old)
{
	const struct ic_build *build = side->build;

	side->by_key = ic_items_alloc(build->functions.count, sizeof(*side->by_key));
	if (!side->by_key)
		return false;
	for (uint32_t i = 1; i < build->functions.count; i++) // the first one is unknown
		side->by_key[side->count++] =
			(struct ic_keyed){ (uint64_t)side->files.numbers[i] << 32 |
						   build->functions.items[i].decl_line,
					   i };
	if (!ic_keyed_sort(side->by_key, side->count))
		return false;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < side->count; i++) {
		uint32_t number = side->by_key[i].number;
		struct ic_bytes text = ic_build_key(build, &build->functions.items[number]);
		uint32_t key = ic_byte_pool_find(&old->keys, text.data, (uint32_t)text.size);
		if (key != IC_NONE && !is_only_declared(build, &build->functions.items[number]))
			side->by_key[kept++] = (struct ic_keyed){ key, number };
	}
	side->count = kept;
	return ic_keyed_sort(side->by_key, side->count);
}

static uint32_t end_of_key(const struct side *side, uint32_t first, uint64_t key)
{
	uint32_t end = first;

	while (end < side->count && side->by_key[end].key == key)
		end++;
	return end;
}

// Moves to the next key that both builds have; false after the last.
static bool next_group(const struct matcher *matcher, struct group *group)
{
	const struct side *old = &matcher->old, *new = &matcher->new;
	uint32_t i = group->old_end, j = group->new_end;

	while (i < old->count && j < new->count && old->by_key[i].key != new->by_key[j].key) {
		bool is_less = old->by_key[i].key < new->by_key[j].key;
		i += is_less;
		j += !is_less;
	}
	if (i == old->count || j == new->count)
		return false;
	uint64_t key = old->by_key[i].key;
	*group = (struct group){ i, end_of_key(old, i, key), j, end_of_key(new, j, key) };
	return true;
}

static uint32_t file_at(const struct side *side, uint32_t place)
{
	return side->files.numbers[side->by_key[place].number];
}

static uint32_t line_at(const struct side *side, uint32_t place)
{
	return side->build->functions.items[side->by_key[place].number].decl_line;
}

// ---- Files

struct sharing { // pairs of files that share functions
	struct ic_map by_files;
	IC_ARRAY(struct ic_shared_files) pairs;
};

static bool add_shared(struct sharing *sharing, uint32_t old, uint32_t new)
{
	uint32_t *number = ic_map_at(&sharing->by_files, (uint64_t)old << 32 | new);

	if (!number)
		return false;
	if (*number == IC_NONE) {
		*number = sharing->pairs.count;
		if (!IC_ARRAY_ADD(&sharing->pairs, (struct ic_shared_files){ old, new, 0 }))
			return false;
	}
	sharing->pairs.items[*number].count++;
	return true;
}

static bool add_group(const struct matcher *matcher, struct sharing *sharing,
		      const struct group *group)
{
	const struct side *old = &matcher->old, *new = &matcher->new;

	if (group->old_end - group->old_first > MOST_SHARED ||
	    group->new_end - group->new_first > MOST_SHARED)
		return true;
	for (uint32_t i = group->old_first; i < group->old_end; i++)
		for (uint32_t j = group->new_first; j < group->new_end; j++)
			if (file_at(old, i) != 0 && file_at(new, j) != 0 &&
			    !add_shared(sharing, file_at(old, i), file_at(new, j)))
				return false;
	return true;
}

static bool match_files(struct matcher *matcher)
{
	struct sharing sharing = { .by_files = { 0 } };
	struct group group = { 0 };
	bool ok = true;

	while (ok && next_group(matcher, &group))
		ok = add_group(matcher, &sharing, &group);
	if (ok)
		matcher->new_of_old =
			ic_source_files_match(&matcher->old.files, &matcher->new.files,
					      sharing.pairs.items, sharing.pairs.count);
	ic_map_free(&sharing.by_files);
	IC_ARRAY_FREE(&sharing.pairs);
	return ok && matcher->new_of_old;
}

// ---- Functions

static bool is_matched(const struct side *side, uint32_t place)
{
	return side->other[side->by_key[place].number] != IC_NONE;
}

static void take_pair(struct matcher *matcher, uint32_t old_place, uint32_t new_place)
{
	uint32_t old = matcher->old.by_key[old_place].number;
	uint32_t new = matcher->new.by_key[new_place].number;

	matcher->old.other[old] = new;
	matcher->new.other[new] = old;
}

// Of functions in one file, between `from` and `end`: the first without a match.
static uint32_t next_unmatched(const struct side *side, uint32_t from, uint32_t end)
{
	while (from < end && is_matched(side, from))
		from++;
	return from;
}

static void match_equal_lines(struct matcher *matcher, const struct group *run)
{
	uint32_t i = run->old_first, j = run->new_first;

	while (i < run->old_end && j < run->new_end) {
		uint32_t old_line = line_at(&matcher->old, i), new_line = line_at(&matcher->new, j);
		if (old_line == new_line)
			take_pair(matcher, i, j);
		i += old_line <= new_line;
		j += new_line <= old_line;
	}
}

// Matches functions of one key in one file: in order or, if their number has changed, first those
// on the same line.
static void match_run(struct matcher *matcher, const struct group *run)
{
	const struct side *old = &matcher->old, *new = &matcher->new;
	uint32_t i = run->old_first, j = run->new_first;

	if (run->old_end - run->old_first != run->new_end - run->new_first)
		match_equal_lines(matcher, run);
	while ((i = next_unmatched(old, i, run->old_end)) < run->old_end &&
	       (j = next_unmatched(new, j, run->new_end)) < run->new_end)
		take_pair(matcher, i, j);
}

static uint32_t end_of_file(const struct side *side, uint32_t first, uint32_t end)
{
	uint32_t file = file_at(side, first), i = first;

	while (i < end && file_at(side, i) == file)
		i++;
	return i;
}

static void match_in_files(struct matcher *matcher, const struct group *group)
{
	const struct side *old = &matcher->old, *new = &matcher->new;

	for (uint32_t first = group->old_first, end; first < group->old_end; first = end) {
		uint32_t file = matcher->new_of_old[file_at(old, first)], before;
		end = end_of_file(old, first, group->old_end);
		if (file == IC_NONE)
			continue;
		IC_SEARCH(before, group->new_end - group->new_first, at,
			  file_at(new, group->new_first + at) < file);
		struct group run = { first, end, group->new_first + before, group->new_end };
		if (run.new_first == group->new_end || file_at(new, run.new_first) != file)
			continue;
		run.new_end = end_of_file(new, run.new_first, group->new_end);
		match_run(matcher, &run);
	}
}

// A function that is the only one of its name in both builds has moved to another file.
static void match_moved(struct matcher *matcher, const struct group *group)
{
	if (group->old_end - group->old_first == 1 && group->new_end - group->new_first == 1 &&
	    !is_matched(&matcher->old, group->old_first) &&
	    !is_matched(&matcher->new, group->new_first)) {
		take_pair(matcher, group->old_first, group->new_first);
		matcher->has_moved[matcher->old.by_key[group->old_first].number] = true;
	}
}

static void name_files(struct matcher *matcher)
{
	const struct side *old = &matcher->old, *new = &matcher->new;

	for (uint32_t i = 0; i < old->build->functions.count; i++) {
		uint32_t file = matcher->new_of_old[old->files.numbers[i]];
		matcher->new_files[i] = file == IC_NONE ? NULL : new->files.paths.items[file];
	}
}

static bool prepare_side(struct side *side, const struct ic_build *old)
{
	uint32_t count = side->build->functions.count;

	side->other = ic_items_alloc(count, sizeof(*side->other));
	if (!side->other)
		return false;
	memset(side->other, 0xff, count * sizeof(*side->other)); // IC_NONE
	side->other[0] = 0;                                      // the unknown functions match
	return ic_source_files_list(&side->files, side->build) && sort_by_key(side, old);
}

bool ic_build_match(struct ic_build_match *match, const struct ic_build *old,
		    const struct ic_build *new)
{
	struct matcher matcher = { .old = { .build = old }, .new = { .build = new } };
	struct group group = { 0 };

	matcher.has_moved = ic_items_zeroed(old->functions.count, sizeof(*matcher.has_moved));
	matcher.new_files = ic_items_zeroed(old->functions.count, sizeof(*matcher.new_files));
	bool ok = matcher.has_moved && matcher.new_files && prepare_side(&matcher.old, old) &&
		  prepare_side(&matcher.new, old) && match_files(&matcher);
	while (ok && next_group(&matcher, &group)) {
		match_in_files(&matcher, &group);
		match_moved(&matcher, &group);
	}
	if (ok)
		name_files(&matcher);
	free(matcher.new_of_old);
	ic_source_files_free(&matcher.old.files);
	ic_source_files_free(&matcher.new.files);
	free(matcher.old.by_key);
	free(matcher.new.by_key);
	*match = (struct ic_build_match){ matcher.old.other, matcher.new.other, matcher.has_moved,
					  matcher.new_files };
	return ok;
}

void ic_build_match_free(struct ic_build_match *match)
{
	free(match->new_of_old);
	free(match->old_of_new);
	free(match->has_moved);
	free(match->new_files);
}
