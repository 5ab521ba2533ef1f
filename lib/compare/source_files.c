#include "compare/source_files.h"

#include <stdlib.h>
#include <string.h>

// ---- The files of a build

bool ic_source_files_list(struct ic_source_files *files, const struct ic_build *build)
{
	struct ic_byte_pool paths = { .bytes = { 0 } };
	bool ok = ic_byte_pool_add(&paths, "", 0) == 0 && IC_ARRAY_ADD(&files->paths, NULL) &&
		  IC_ARRAY_ADD(&files->function_counts, 0);

	files->numbers = ic_items_alloc(build->functions.count, sizeof(*files->numbers));
	for (uint32_t i = 0; ok && files->numbers && i < build->functions.count; i++) {
		const char *path = build->functions.items[i].decl_file;
		uint32_t number = path ? ic_byte_pool_add(&paths, path, (uint32_t)strlen(path)) : 0;
		ok = number < files->paths.count ||
		     (number != IC_NONE && IC_ARRAY_ADD(&files->paths, path) &&
		      IC_ARRAY_ADD(&files->function_counts, 0));
		if (ok)
			files->function_counts.items[number]++;
		files->numbers[i] = number;
	}
	ic_byte_pool_free(&paths);
	return ok && files->numbers;
}

void ic_source_files_free(struct ic_source_files *files)
{
	free(files->numbers);
	IC_ARRAY_FREE(&files->paths);
	IC_ARRAY_FREE(&files->function_counts);
}

// ---- Files of two builds

struct match {
	const struct ic_source_files *old, *new;
	uint32_t *new_of_old;
	bool *is_taken; // by new file
};

static void take_pair(struct match *match, uint32_t old, uint32_t new)
{
	match->new_of_old[old] = new;
	match->is_taken[new] = true;
}

// The unknown files match, too.
static bool match_paths(struct match *match)
{
	struct ic_byte_map paths = { .keys = { .bytes = { 0 } } };
	bool ok = true;

	take_pair(match, 0, 0);
	for (uint32_t i = 1; ok && i < match->new->paths.count; i++) {
		const char *path = match->new->paths.items[i];
		uint32_t *number = ic_byte_map_at(&paths, path, (uint32_t)strlen(path));
		ok = number;
		if (ok)
			*number = i;
	}
	for (uint32_t i = 1; ok && i < match->old->paths.count; i++) {
		const char *path = match->old->paths.items[i];
		uint32_t number = ic_byte_map_find(&paths, path, (uint32_t)strlen(path));
		if (number != IC_NONE)
			take_pair(match, i, number);
	}
	ic_byte_map_free(&paths);
	return ok;
}

// The number of components at the end that two paths have in common.
static uint32_t common_components(const char *left, const char *right)
{
	size_t i = strlen(left), j = strlen(right);
	uint32_t count = 0;

	while (i > 0 && j > 0 && left[i - 1] == right[j - 1]) {
		i--;
		j--;
		count += left[i] == '/';
	}
	bool is_whole = (i == 0 || left[i - 1] == '/') && (j == 0 || right[j - 1] == '/') &&
			left[i] != '/';
	return count + is_whole;
}

static bool share_half(const struct match *match, const struct ic_shared_files *shared)
{
	uint32_t old = match->old->function_counts.items[shared->old];
	uint32_t new = match->new->function_counts.items[shared->new];

	return shared->count * 2ull >= (old > new ? old : new);
}

struct candidate {
	struct ic_shared_files shared;
	uint32_t components;
};

static int compare_candidates(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->components != b->components)
		return a->components > b->components ? -1 : 1;
	if (a->shared.count != b->shared.count)
		return a->shared.count > b->shared.count ? -1 : 1;
	if (a->shared.old != b->shared.old)
		return a->shared.old < b->shared.old ? -1 : 1;
	return (a->shared.new > b->shared.new) - (a->shared.new < b->shared.new);
}

static bool match_renamed(struct match *match, const struct ic_shared_files *shared, uint32_t count)
{
	struct candidate *candidates = ic_items_alloc(count + 1ull, sizeof(*candidates));
	uint32_t candidate_count = 0;

	if (!candidates)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (match->new_of_old[shared[i].old] != IC_NONE || match->is_taken[shared[i].new] ||
		    !share_half(match, &shared[i]))
			continue;
		candidates[candidate_count++] = (struct candidate){
			shared[i], common_components(match->old->paths.items[shared[i].old],
						     match->new->paths.items[shared[i].new])
		};
	}
	qsort(candidates, candidate_count, sizeof(*candidates), compare_candidates);
	for (uint32_t i = 0; i < candidate_count; i++)
		if (match->new_of_old[candidates[i].shared.old] == IC_NONE &&
		    !match->is_taken[candidates[i].shared.new])
			take_pair(match, candidates[i].shared.old, candidates[i].shared.new);
	free(candidates);
	return true;
}

uint32_t *ic_source_files_match(const struct ic_source_files *old,
				const struct ic_source_files *new,
				const struct ic_shared_files *shared, uint32_t shared_count)
{
	struct match match = { old, new,
			       ic_items_alloc(old->paths.count, sizeof(*match.new_of_old)),
			       ic_items_zeroed(new->paths.count, sizeof(*match.is_taken)) };

	if (match.new_of_old)
		memset(match.new_of_old, 0xff,
		       old->paths.count * sizeof(*match.new_of_old)); // IC_NONE
	if (!match.new_of_old || !match.is_taken || !match_paths(&match) ||
	    !match_renamed(&match, shared, shared_count)) {
		free(match.new_of_old);
		match.new_of_old = NULL;
	}
	free(match.is_taken);
	return match.new_of_old;
}
