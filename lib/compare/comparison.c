#include "compare/comparison.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "query/counts/facts.h"

struct comparer {
	struct ic_comparison *comparison;
	const struct ic_comparison_query *query;
	struct ic_change *changes; // by number of the function in either build
};

static bool have_calls(const struct ic_comparison *comparison)
{
	return comparison->before->has_calls && comparison->after->has_calls;
}

// ---- Copies

static bool add_pair(struct comparer *comparer, uint32_t number)
{
	struct ic_comparison *comparison = comparer->comparison;
	uint32_t function = comparison->pairs.items.items[number].function;
	const struct ic_path_fate fate =
		ic_path_pair_fate(&comparison->pairs, number, have_calls(comparison));
	struct ic_change *change = &comparer->changes[function];

	change->inlined += fate.inlined;
	change->outlined += fate.outlined;
	change->added += fate.added;
	change->removed += fate.removed;
	change->came += fate.came;
	change->went += fate.went;
	change->emptied += fate.emptied;
	change->filled += fate.filled;
	change->explained += fate.explained;
	change->grown += fate.grown;
	if (!ic_path_fate_is_change(&fate))
		return true;
	change->path_count++;
	return IC_ARRAY_ADD(&comparison->changed_paths, (struct ic_keyed){ function, number });
}

// ---- Arguments

static void count_arguments(struct comparer *comparer)
{
	const struct ic_argument_changes *arguments = &comparer->comparison->arguments;

	for (uint32_t i = 0; i < arguments->changed.count; i++) {
		const struct ic_keyed *changed = &arguments->changed.items[i];
		struct ic_change *change = &comparer->changes[changed->key];
		change->readable += arguments->items.items[changed->number].readable;
		change->unreadable += arguments->items.items[changed->number].unreadable;
		change->argument_count++;
	}
}

// ---- Functions

static bool is_in_build(const struct ic_change_side *side)
{
	return side->inlined != IC_INLINED_UNKNOWN;
}

static struct ic_change_side side_of(const struct ic_built_function *function)
{
	return (struct ic_change_side){ .inlined = ic_facts_inlined(function->facts),
					.decl_file = function->decl_file,
					.decl_line = function->decl_line,
					.copies = function->copies,
					.out_of_line = function->out_of_line,
					.size = function->size,
					.out_of_line_size = function->out_of_line_size };
}

static uint32_t kinds_of(const struct ic_change *change, bool has_moved)
{
	bool is_before = is_in_build(&change->before), is_after = is_in_build(&change->after);

	return (!is_before && is_after ? IC_CHANGE_NEW : 0u) |
	       (is_before && !is_after ? IC_CHANGE_VANISHED : 0u) |
	       (change->inlined > 0 ? IC_CHANGE_INLINED : 0u) |
	       (change->outlined > 0 ? IC_CHANGE_OUTLINED : 0u) |
	       (change->added > 0 ? IC_CHANGE_ADDED : 0u) |
	       (change->removed > 0 ? IC_CHANGE_REMOVED : 0u) |
	       (change->grown > 0 ? IC_CHANGE_GROWN : 0u) |
	       (change->grown < 0 ? IC_CHANGE_SHRUNK : 0u) |
	       (change->came > 0 ? IC_CHANGE_CAME : 0u) | (change->went > 0 ? IC_CHANGE_WENT : 0u) |
	       (change->emptied > 0 ? IC_CHANGE_EMPTIED : 0u) |
	       (change->filled > 0 ? IC_CHANGE_FILLED : 0u) |
	       (change->readable > 0 ? IC_CHANGE_READABLE : 0u) |
	       (change->unreadable > 0 ? IC_CHANGE_UNREADABLE : 0u) |
	       (is_before && is_after && has_moved ? IC_CHANGE_MOVED : 0u);
}

// The file that declares a function, as in the new build if that has the file.
static const char *source_of(const struct ic_comparison *comparison, uint32_t before,
			     const struct ic_change *change)
{
	const char *file = before == IC_NONE ? NULL : comparison->functions.new_files[before];

	if (change->after.decl_file)
		return change->after.decl_file;
	return file ? file : change->before.decl_file;
}

static void name_change(const struct comparer *comparer, uint32_t number, struct ic_change *change)
{
	const struct ic_comparison *comparison = comparer->comparison;
	uint32_t count = comparison->before->functions.count;
	uint32_t before = number < count ? number : IC_NONE;
	uint32_t after = before == IC_NONE ? number - count
					   : comparison->functions.new_of_old[before];
	const struct ic_built_function *function = NULL;

	if (before != IC_NONE) {
		function = &comparison->before->functions.items[before];
		change->before = side_of(function);
	}
	if (after != IC_NONE) {
		function = &comparison->after->functions.items[after];
		change->after = side_of(function);
	}
	change->by = comparison->by;
	change->functions = 1;
	change->source = source_of(comparison, before, change);
	change->function = function->name;
	change->linkage_name = function->linkage_name;
	change->kinds =
		kinds_of(change, before != IC_NONE && comparison->functions.has_moved[before]);
}

static uint64_t magnitude_of(int64_t number)
{
	return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

// Whether a function only has other sizes, by less than is wanted, or copies that came or went with
// others, or with their code.
static bool is_small(const struct comparer *comparer, const struct ic_change *change)
{
	const uint32_t with_others = IC_CHANGE_CAME | IC_CHANGE_WENT | IC_CHANGE_EMPTIED |
				     IC_CHANGE_FILLED;
	const uint32_t kinds = IC_CHANGE_GROWN | IC_CHANGE_SHRUNK | with_others;

	return (change->kinds & ~kinds) == 0 &&
	       (change->kinds & comparer->query->kinds & with_others) == 0 &&
	       magnitude_of(change->grown) < comparer->query->min_size;
}

static void add_to_total(struct comparer *comparer, const struct ic_change *change)
{
	struct ic_comparison_total *total = &comparer->comparison->total;

	total->functions += change->kinds != 0;
	total->small += change->kinds != 0 && is_small(comparer, change);
	total->old_copies += change->before.copies;
	total->new_copies += change->after.copies;
	total->inlined += change->inlined;
	total->outlined += change->outlined;
	total->added += change->added;
	total->removed += change->removed;
	total->came += change->came;
	total->went += change->went;
	total->emptied += change->emptied;
	total->filled += change->filled;
	total->readable += change->readable;
	total->unreadable += change->unreadable;
	total->explained += change->explained;
	total->grown += change->grown;
}

static bool add_change(struct comparer *comparer, uint32_t number)
{
	struct ic_change *change = &comparer->changes[number];
	uint32_t wanted = comparer->query->kinds;

	name_change(comparer, number, change);
	add_to_total(comparer, change);
	if (change->kinds == 0 || (wanted != 0 && (change->kinds & wanted) == 0))
		return true;
	const struct ic_changed_function changed = { .change = *change,
						     .number = number,
						     .is_small = is_small(comparer, change) };
	if (changed.is_small && comparer->query->by == IC_COMPARISON_BY_FUNCTION)
		return true;
	return IC_ARRAY_ADD(&comparer->comparison->changes, changed);
}

static const char *name_of_change(const struct ic_change *change)
{
	return change->group ? change->group : change->function ? change->function : "";
}

static int compare_changes(const void *left, const void *right)
{
	const struct ic_changed_function *a = left, *b = right;
	uint64_t size = magnitude_of(a->change.explained) + magnitude_of(a->change.grown);
	uint64_t other = magnitude_of(b->change.explained) + magnitude_of(b->change.grown);

	if (size == other) {
		size = a->change.unreadable + a->change.readable;
		other = b->change.unreadable + b->change.readable;
	}
	if (size != other)
		return size > other ? -1 : 1;
	int order = strcmp(name_of_change(&a->change), name_of_change(&b->change));
	return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

static bool add_changes(struct comparer *comparer)
{
	struct ic_comparison *comparison = comparer->comparison;
	uint32_t old_count = comparison->before->functions.count;

	for (uint32_t i = 0; i < old_count; i++)
		if (!add_change(comparer, i))
			return false;
	for (uint32_t i = 0; i < comparison->after->functions.count; i++)
		if (comparison->functions.old_of_new[i] == IC_NONE &&
		    !add_change(comparer, old_count + i))
			return false;
	if (!ic_keyed_sort(comparison->changed_paths.items, comparison->changed_paths.count))
		return false;
	for (uint32_t i = 0; i < comparison->changes.count; i++) {
		struct ic_changed_function *changed = &comparison->changes.items[i];
		changed->first_path = ic_keyed_find(comparison->changed_paths.items,
						    comparison->changed_paths.count,
						    changed->number);
		changed->first_argument = ic_keyed_find(comparison->arguments.changed.items,
							comparison->arguments.changed.count,
							changed->number);
	}
	return true;
}

// Small functions may add up to a group that is not small.
static void remove_small_groups(const struct comparer *comparer)
{
	struct ic_comparison *comparison = comparer->comparison;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < comparison->changes.count; i++) {
		const struct ic_changed_function *group = &comparison->changes.items[i];
		if (!group->is_small || !is_small(comparer, &group->change))
			comparison->changes.items[kept++] = *group;
	}
	comparison->changes.count = kept;
}

static bool group_changes(struct ic_comparison *comparison)
{
	const struct ic_grouping grouping = { comparison->by, comparison->before, comparison->after,
					      &comparison->functions, &comparison->arena };

	return ic_changes_group(&grouping, comparison->changes.items, &comparison->changes.count);
}

static bool list_changes(struct comparer *comparer)
{
	struct ic_comparison *comparison = comparer->comparison;

	if (!add_changes(comparer))
		return false;
	if (comparison->by != IC_COMPARISON_BY_FUNCTION) {
		if (!group_changes(comparison))
			return false;
		remove_small_groups(comparer);
	}
	if (comparison->changes.count > 1)
		qsort(comparison->changes.items, comparison->changes.count,
		      sizeof(*comparison->changes.items), compare_changes);
	comparison->total.selected = comparison->changes.count;
	(void)ic_items_limit(&comparison->changes.count, comparer->query->limit);
	return true;
}

static bool compare_builds(struct comparer *comparer)
{
	struct ic_comparison *comparison = comparer->comparison;
	const struct ic_build *before = comparison->before, *after = comparison->after;

	comparer->changes =
		ic_items_zeroed((uint64_t)before->functions.count + after->functions.count,
				sizeof(*comparer->changes));
	if (!comparer->changes || !ic_build_match(&comparison->functions, before, after) ||
	    !ic_path_pairs_make(&comparison->pairs, before, after, &comparison->functions) ||
	    !ic_argument_changes_find(&comparison->arguments, &comparison->pairs))
		return false;
	for (uint32_t i = 0; i < comparison->pairs.items.count; i++)
		if (!add_pair(comparer, i))
			return false;
	count_arguments(comparer);
	comparison->total.has_arguments = before->has_arguments && after->has_arguments;
	comparison->total.old_code = before->code_size;
	comparison->total.new_code = after->code_size;
	return list_changes(comparer);
}

struct ic_comparison *ic_comparison_find(const struct ic_build *before,
					 const struct ic_build *after,
					 const struct ic_comparison_query *query,
					 struct ic_error *err)
{
	static const struct ic_comparison_query everything = { .kinds = 0 };
	struct ic_comparison *comparison = calloc(1, sizeof(*comparison));
	struct comparer comparer = { .comparison = comparison,
				     .query = query ? query : &everything };

	if (comparison) {
		comparison->before = before;
		comparison->after = after;
		comparison->by = comparer.query->by;
	}
	if (!comparison || !compare_builds(&comparer)) {
		ic_fail_memory(err);
		ic_comparison_free(comparison);
		comparison = NULL;
	}
	free(comparer.changes);
	return comparison;
}

void ic_comparison_free(struct ic_comparison *comparison)
{
	if (!comparison)
		return;
	ic_build_match_free(&comparison->functions);
	ic_path_pairs_free(&comparison->pairs);
	ic_argument_changes_free(&comparison->arguments);
	IC_ARRAY_FREE(&comparison->changed_paths);
	IC_ARRAY_FREE(&comparison->changes);
	ic_arena_free(&comparison->arena);
	free(comparison);
}

// ---- Answers

size_t ic_comparison_count(const struct ic_comparison *comparison)
{
	return comparison->changes.count;
}

bool ic_comparison_get(const struct ic_comparison *comparison, size_t number,
		       struct ic_change *change)
{
	if (number >= comparison->changes.count)
		return false;
	*change = comparison->changes.items[number].change;
	return true;
}

// The number of the pair of a change's path; IC_NONE if there is none.
static uint32_t find_pair(const struct ic_comparison *comparison, size_t change, size_t number)
{
	if (change >= comparison->changes.count ||
	    number >= comparison->changes.items[change].change.path_count)
		return IC_NONE;
	return comparison->changed_paths
		.items[comparison->changes.items[change].first_path + number]
		.number;
}

static const char *name_of(const struct ic_comparison *comparison, uint32_t function)
{
	uint32_t count = comparison->before->functions.count;

	return function < count ? comparison->before->functions.items[function].name
				: comparison->after->functions.items[function - count].name;
}

bool ic_comparison_path_get(const struct ic_comparison *comparison, size_t change, size_t number,
			    struct ic_path_change *path)
{
	const struct ic_path_pairs *pairs = &comparison->pairs;
	uint32_t pair = find_pair(comparison, change, number);

	if (pair == IC_NONE)
		return false;
	const struct ic_built_path before = ic_path_pair_before(pairs, pair);
	const struct ic_built_path after = ic_path_pair_after(pairs, pair);
	*path = (struct ic_path_change){ .old_copies = before.copies,
					 .new_copies = after.copies,
					 .old_calls = before.calls,
					 .new_calls = after.calls,
					 .old_size = before.size,
					 .new_size = after.size };
	for (pair = pairs->items.items[pair].parent; pairs->items.items[pair].parent != IC_NONE;
	     pair = pairs->items.items[pair].parent)
		path->caller_count++;
	path->host = name_of(comparison, pairs->items.items[pair].function);
	return true;
}

const char *ic_comparison_caller(const struct ic_comparison *comparison, size_t change,
				 size_t number, size_t caller)
{
	const struct ic_path_pairs *pairs = &comparison->pairs;
	uint32_t pair = find_pair(comparison, change, number);

	if (pair == IC_NONE)
		return NULL;
	for (pair = pairs->items.items[pair].parent; pairs->items.items[pair].parent != IC_NONE;
	     pair = pairs->items.items[pair].parent)
		if (caller-- == 0)
			return name_of(comparison, pairs->items.items[pair].function);
	return NULL;
}

bool ic_comparison_argument_get(const struct ic_comparison *comparison, size_t change,
				size_t number, struct ic_argument_change *argument)
{
	const struct ic_argument_changes *arguments = &comparison->arguments;

	if (change >= comparison->changes.count ||
	    number >= comparison->changes.items[change].change.argument_count)
		return false;
	uint32_t first = comparison->changes.items[change].first_argument;
	*argument = arguments->items.items[arguments->changed.items[first + number].number];
	return true;
}

void ic_comparison_total(const struct ic_comparison *comparison, struct ic_comparison_total *total)
{
	*total = comparison->total;
}
