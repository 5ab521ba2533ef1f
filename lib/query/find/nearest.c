#include "query/find/nearest.h"

#include <string.h>

#include "text/name_parts.h"

enum { LONGEST_COMPARED = 63 };

// How many letters must be added, dropped, changed or swapped with the next to turn one name into
// the other (optimal string alignment); any number above `limit` if it is more.
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

// Keeps the list sorted by distance, then by name, without duplicates.
static size_t insert_name(struct ic_near_name *list, size_t count, size_t capacity,
			  struct ic_near_name candidate)
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

// The set of characters in a text, as bits selected by their low six bits.
static uint64_t letters_of(const char *text, size_t length)
{
	uint64_t letters = 0;

	for (size_t i = 0; i < length; i++)
		letters |= 1ull << (text[i] & 63);
	return letters;
}

// One edit adds at most one character that a name lacks, so most names need no comparison.
static bool is_too_far(const struct ic_nearest *search, uint64_t letters)
{
	unsigned lacking = (unsigned)__builtin_popcountll(search->letters & ~letters);
	unsigned more = (unsigned)__builtin_popcountll(letters & ~search->letters);

	return lacking > search->limit || more > search->limit;
}

static void compare_name(struct ic_nearest *search, const char *other, const char *part,
			 size_t part_length)
{
	size_t gap = part_length > search->length ? part_length - search->length
						  : search->length - part_length;

	if (part_length > LONGEST_COMPARED || gap > search->limit ||
	    is_too_far(search, letters_of(part, part_length)))
		return;
	unsigned distance =
		edit_distance(search->name, search->length, part, part_length, search->limit);
	if (distance > search->limit)
		return;
	search->count = insert_name(search->list, search->count, search->capacity,
				    (struct ic_near_name){ other, distance });
	const struct ic_near_name *last = &search->list[search->count - 1];
	if (search->count == search->capacity && last->distance < search->limit)
		search->limit = last->distance; // only accept better ones from now on
}

// The rest of a Go name after its package and type: "Push" of "main.(*List[int]).Push".
static const char *skip_package(const char *name)
{
	const char *last = name;
	int depth = 0;

	if (!strchr(name, '.')) // nearly all
		return name;
	for (; *name; name++) {
		depth += (*name == '[') - (*name == ']');
		if (*name == '.' && depth == 0)
			last = name + 1;
	}
	return last;
}

// "sort" is similar to "sort<int>", and "Map" to Go's "main.Map[int]", unless the name has brackets
// or a package.
void ic_nearest_consider(struct ic_nearest *search, const char *other)
{
	if (search->capacity == 0)
		return;
	const char *bare = search->has_dot ? other : skip_package(other);
	bool keeps_all = search->has_bracket || other[0] == '<' || other[0] == '[';

	compare_name(search, other, other, keeps_all ? strlen(other) : strcspn(other, "<["));
	if (bare > other)
		compare_name(search, other, bare, strcspn(bare, "<["));
}

void ic_nearest_init(struct ic_nearest *nearest, const char *name, const char *const *names,
		     size_t count, size_t capacity)
{
	struct ic_name_parts parts;

	ic_name_parts_split(&parts, name);
	name = parts.parts[parts.count - 1].start;
	size_t length = parts.parts[parts.count - 1].length;
	const char *turbofish = memmem(name, length, "::<", 3);
	if (turbofish)
		length = (size_t)(turbofish - name);
	if (length > LONGEST_COMPARED)
		capacity = 0;
	*nearest = (struct ic_nearest){
		.name = name,
		.length = length,
		.capacity = capacity > IC_MOST_NEAREST ? IC_MOST_NEAREST : capacity,
		.letters = letters_of(name, length),
		.limit = (unsigned)(length < 5 ? 1 : (length + 1) / 3),
		.has_bracket = memchr(name, '<', length) || memchr(name, '[', length),
		.has_dot = memchr(name, '.', length) != NULL,
	};
	for (size_t i = 0; i < count; i++)
		ic_nearest_consider(nearest, names[i]);
}

size_t ic_nearest_names(const struct ic_nearest *nearest, const char **names)
{
	for (size_t i = 0; i < nearest->count; i++)
		names[i] = nearest->list[i].name;
	return nearest->count;
}
