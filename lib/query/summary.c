// What became of a function that has no sites, and which names are like one that does not exist.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "query/matcher.h"
#include "query/name_parts.h"
#include "query/names.h"

// The place of a definition, which has copies, is better than that of a prototype.
static void take_place(struct ic_function_summary *summary, const struct ic_function *function,
		       bool is_defined)
{
	if (!function->decl_file || (summary->decl_file && summary->is_defined >= is_defined))
		return;
	summary->decl_file = function->decl_file;
	summary->decl_line = function->decl_line;
	summary->is_defined = is_defined;
}

static void add_unit(struct ic_function_summary *summary, struct ic_matchers *matchers,
		     const struct ic_unit_model *unit, bool *matches)
{
	for (uint32_t i = 0; i < unit->function_count; i++) {
		const struct ic_function *function = &unit->functions[i];

		matches[i] = ic_matchers_match(matchers, function);
		if (!matches[i])
			continue;
		summary->functions++;
		summary->was_inlined |= function->inlining == IC_INLINING_INLINED ||
					function->inlining == IC_INLINING_DECLARED_INLINED;
		take_place(summary, function, false);
	}
	for (uint32_t i = 0; i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];

		if (instance->function == IC_NONE || !matches[instance->function])
			continue;
		take_place(summary, &unit->functions[instance->function], true);
		if (instance->kind == IC_INSTANCE_HOST) {
			summary->hosts += instance->range_count > 0;
		} else {
			summary->inlined++;
			summary->with_code += instance->range_count > 0;
		}
	}
}

bool ic_sites_summary(const struct ic_index *index, const struct ic_sites_query *query,
		      struct ic_function_summary *summary, struct ic_error *err)
{
	struct ic_matchers matchers;
	struct ic_error unwanted;
	uint32_t most = 0;

	*summary = (struct ic_function_summary){ 0 };
	if (!err)
		err = &unwanted;
	if (!ic_matchers_init(&matchers, index, query->function,
			      query->function ? query->more_functions : NULL, query->match, err))
		return false;
	for (uint32_t i = 0; i < index->unit_count; i++)
		if (index->units[i].function_count > most)
			most = index->units[i].function_count;
	bool *matches = malloc(most + 1ull);
	for (uint32_t i = 0; matches && i < index->unit_count; i++)
		add_unit(summary, &matchers, &index->units[i], matches);
	bool ok = matches && ic_matchers_are_sound(&matchers);
	ic_matchers_deinit(&matchers);
	free(matches);
	return ok || ic_fail_memory(err);
}

enum { LONGEST_COMPARED = 63, MOST_NEAREST = 16 };

// How many letters must be added, dropped, changed or swapped with the next to turn one name into
// the other (optimal string alignment); more than `limit` where that is more.
static unsigned edit_distance(const char *a, size_t a_length, const char *b, size_t b_length,
			      unsigned limit)
{
	unsigned rows[3][LONGEST_COMPARED + 1];

	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a_length; i++) {
		unsigned *row = rows[i % 3];
		const unsigned *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
		unsigned least = row[0] = (unsigned)i;

		for (size_t j = 1; j <= b_length; j++) {
			unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);
			if (above[j] + 1 < best)
				best = above[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    two_above[j - 2] + 1 < best)
				best = two_above[j - 2] + 1;
			row[j] = best;
			if (best < least)
				least = best;
		}
		if (least > limit)
			return limit + 1;
	}
	return rows[a_length % 3][b_length];
}

struct nearest {
	const char *name;
	unsigned distance;
};

// Keeps the list sorted by distance, then by name, without doubles.
static size_t insert(struct nearest *list, size_t count, size_t capacity, struct nearest candidate)
{
	size_t place = count;

	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].name, candidate.name) == 0)
			return count;
	while (place > 0 && (list[place - 1].distance > candidate.distance ||
			     (list[place - 1].distance == candidate.distance &&
			      strcmp(list[place - 1].name, candidate.name) > 0)))
		place--;
	if (place == capacity)
		return count;
	if (count < capacity)
		count++;
	memmove(list + place + 1, list + place, (count - place - 1) * sizeof(*list));
	list[place] = candidate;
	return count;
}

struct search {
	const char *name;
	size_t length, count, capacity;
	unsigned limit;
	bool has_bracket, has_dot;
	struct nearest list[MOST_NEAREST];
};

static void compare_name(struct search *search, const char *other, const char *part,
			 size_t part_length)
{
	size_t gap = part_length > search->length ? part_length - search->length
						  : search->length - part_length;

	if (part_length > LONGEST_COMPARED || gap > search->limit)
		return;
	unsigned distance =
		edit_distance(search->name, search->length, part, part_length, search->limit);
	if (distance > search->limit)
		return;
	search->count = insert(search->list, search->count, search->capacity,
			       (struct nearest){ other, distance });
	const struct nearest *last = &search->list[search->count - 1];
	if (search->count == search->capacity && last->distance < search->limit)
		search->limit = last->distance; // only better ones from now on
}

// What follows the package and type of a name of Go: "Push" of "main.(*List[int]).Push".
static const char *skip_package(const char *name)
{
	const char *last = name;
	int depth = 0;

	for (; *name; name++) {
		depth += (*name == '[') - (*name == ']');
		if (*name == '.' && depth == 0)
			last = name + 1;
	}
	return last;
}

// "sort" is like "sort<int>", and "Map" like Go's "main.Map[int]", unless brackets or packages are
// compared.
static void consider(struct search *search, const char *other)
{
	const char *bare = search->has_dot || !strchr(other, '.') ? other : skip_package(other);
	bool keeps_all = search->has_bracket || other[0] == '<' || other[0] == '[';

	compare_name(search, other, other, keeps_all ? strlen(other) : strcspn(other, "<["));
	if (bare > other)
		compare_name(search, other, bare, strcspn(bare, "<["));
}

size_t ic_index_nearest_names(const struct ic_index *index, const char *name, const char **names,
			      size_t count, size_t capacity)
{
	struct ic_name_parts parts;

	// Of "ns::f(int)" the names in question are those like "f".
	ic_name_parts_split(&parts, name);
	name = parts.parts[parts.count - 1].start;
	size_t length = parts.parts[parts.count - 1].length;
	const char *turbofish = memmem(name, length, "::<", 3);
	if (turbofish)
		length = (size_t)(turbofish - name);
	struct search search = { .name = name,
				 .length = length,
				 .capacity = capacity > MOST_NEAREST ? MOST_NEAREST : capacity,
				 .limit = (unsigned)(length < 3 ? 1 : length / 3 + 1),
				 .has_bracket = memchr(name, '<', length) ||
						memchr(name, '[', length),
				 .has_dot = memchr(name, '.', length) != NULL };

	if (length > LONGEST_COMPARED || capacity == 0)
		return 0;
	for (size_t i = 0; i < count; i++)
		consider(&search, names[i]);
	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		for (uint32_t j = 0; j < unit->function_count; j++)
			if (unit->functions[j].name)
				consider(&search, unit->functions[j].name);
	}
	for (size_t i = 0; i < search.count; i++)
		names[i] = search.list[i].name;
	return search.count;
}
