// The names most similar to one that does not exist.
#ifndef QUERY_FIND_NEAREST_H
#define QUERY_FIND_NEAREST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IC_MOST_NEAREST = 16 };

struct ic_near_name {
	const char *name;
	unsigned distance;
};

struct ic_nearest {
	const char *name; // without scopes
	size_t length, count, capacity;
	uint64_t letters; // in the name
	unsigned limit;   // the largest distance that counts as similar
	bool has_bracket, has_dot;
	struct ic_near_name list[IC_MOST_NEAREST]; // sorted by distance, then by name
};

// For at most `capacity` names, of which `count` are already known. For "ns::f" it searches for
// names similar to "f".
void ic_nearest_init(struct ic_nearest *nearest, const char *name, const char *const *names,
		     size_t count, size_t capacity);

void ic_nearest_consider(struct ic_nearest *nearest, const char *name);

// Writes the names, nearest first, and returns their number.
size_t ic_nearest_names(const struct ic_nearest *nearest, const char **names);

#endif
