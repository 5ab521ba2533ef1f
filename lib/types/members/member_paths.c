#include "types/members/member_paths.h"

#include <ctype.h>
#include <string.h>

static const char *skip_separator(const char *text)
{
	return text[0] == '.' ? text + 1 : text[0] == '-' && text[1] == '>' ? text + 2 : text;
}

// Parses "[index]". NULL if there is none.
static const char *read_index(const char *text, uint64_t *index)
{
	*index = 0;
	if (!isdigit((unsigned char)*++text))
		return NULL;
	for (; isdigit((unsigned char)*text); text++)
		if (__builtin_mul_overflow(*index, 10, index) ||
		    __builtin_add_overflow(*index, (uint64_t)(*text - '0'), index))
			return NULL;
	return *text == ']' ? text + 1 : NULL;
}

// Parses a step of a path: a name, or an index if the name's length is 0. NULL if it is neither.
static const char *read_step(const char *text, bool is_first, size_t *name_length, uint64_t *index)
{
	*name_length = 0;
	if (*text == '[')
		return read_index(text, index);
	const char *name = skip_separator(text);
	if (is_first != (name == text))
		return NULL;
	*name_length = strcspn(name, ".-[],");
	return *name_length > 0 ? name + *name_length : NULL;
}

static const char *keep_text(struct ic_member_paths *paths, const char *text, size_t length)
{
	char *kept = ic_arena_alloc(paths->arena, length + 1);

	if (!kept)
		return NULL;
	memcpy(kept, text, length);
	kept[length] = 0;
	return kept;
}

static bool add_step(struct ic_member_paths *paths, const char *end, size_t name_length,
		     uint64_t index)
{
	struct ic_member_step *step = IC_ARRAY_PUSH(&paths->steps);

	if (!step)
		return false;
	*step = (struct ic_member_step){ .index = index };
	if (name_length == 0)
		return true;
	step->name = keep_text(paths, end - name_length, name_length);
	return step->name;
}

static bool is_star(const struct ic_member_step *step)
{
	return step->name && strcmp(step->name, "*") == 0;
}

// Parses a path up to its comma or end. NULL if it is invalid, or memory runs out.
static const char *read_path(struct ic_member_paths *paths, const char *text, bool *has_memory)
{
	uint32_t first_step = paths->steps.count;
	const char *end = text;
	size_t name_length;
	uint64_t index = 0;

	do {
		end = read_step(end, end == text, &name_length, &index);
		if (!end)
			return NULL;
		*has_memory = add_step(paths, end, name_length, index);
	} while (*has_memory && *end && *end != ',' &&
		 !is_star(&paths->steps.items[paths->steps.count - 1]));
	if (*has_memory && *end && *end != ',')
		return NULL; // nothing follows "*"
	struct ic_member_path *path = *has_memory ? IC_ARRAY_PUSH(&paths->list) : NULL;
	if (path)
		*path = (struct ic_member_path){
			.first_step = first_step,
			.step_count = paths->steps.count - first_step,
			.text = keep_text(paths, text, (size_t)(end - text)),
			.is_all = is_star(&paths->steps.items[paths->steps.count - 1]),
		};
	*has_memory = path && path->text;
	return *has_memory ? end : NULL;
}

static bool is_same_step(const struct ic_member_step *a, const struct ic_member_step *b)
{
	return a->name && b->name ? strcmp(a->name, b->name) == 0
				  : a->name == b->name && a->index == b->index;
}

// Drops the last path if it is a duplicate.
static void drop_repeated(struct ic_member_paths *paths)
{
	const struct ic_member_path *last = &paths->list.items[paths->list.count - 1];
	const struct ic_member_step *steps = paths->steps.items;

	for (const struct ic_member_path *path = paths->list.items; path < last; path++) {
		uint32_t same = 0;
		while (path->step_count == last->step_count && same < last->step_count &&
		       is_same_step(&steps[path->first_step + same],
				    &steps[last->first_step + same]))
			same++;
		if (same == last->step_count) {
			paths->steps.count = last->first_step;
			paths->list.count--;
			return;
		}
	}
}

bool ic_member_paths_read(struct ic_member_paths *paths, const char *text, struct ic_error *err)
{
	for (;;) {
		bool has_memory = true;
		const char *end = read_path(paths, text, &has_memory);
		if (!has_memory)
			return ic_fail_memory(err);
		if (!end)
			return ic_fail(
				err, IC_ERROR_ARGUMENT,
				"'%.*s' is not a member path such as a.b, a->b or a[2]%s",
				(int)strcspn(text, ","), text,
				*text && text[strlen(text) - 1] == '-'
					? "; quote it, or the shell treats '>' as a redirection"
					: "");
		drop_repeated(paths);
		if (paths->list.count > IC_MOST_MEMBERS)
			return ic_fail(err, IC_ERROR_ARGUMENT, "more than %d members requested",
				       IC_MOST_MEMBERS);
		if (!*end)
			return true;
		text = end + 1;
	}
}

bool ic_member_paths_add(struct ic_member_paths *paths, uint32_t all, const char *name,
			 bool *is_full)
{
	const struct ic_member_path of = paths->list.items[all];
	struct ic_member_path made = { .first_step = paths->steps.count,
				       .step_count = of.step_count,
				       .is_found = true };
	struct ic_member_step last = { .name = keep_text(paths, name, strlen(name)) };

	if (!last.name)
		return false;
	made.text = last.name;
	for (uint32_t i = 0; i < of.step_count; i++) {
		struct ic_member_step *step = IC_ARRAY_PUSH(&paths->steps);
		if (!step)
			return false;
		*step = i + 1 < of.step_count ? paths->steps.items[of.first_step + i] : last;
	}
	if (!IC_ARRAY_ADD(&paths->list, made))
		return false;
	drop_repeated(paths);
	if (paths->list.count > IC_MOST_MEMBERS) {
		*is_full = true;
		paths->list.count--;
		paths->steps.count = made.first_step;
	}
	return true;
}

void ic_member_paths_free(struct ic_member_paths *paths)
{
	IC_ARRAY_FREE(&paths->steps);
	IC_ARRAY_FREE(&paths->list);
}
