#include "base/problems.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <inlinecall/index.h>

enum { MOST_LISTED = 8 };

static void push_problem(struct ic_problems *problems, struct ic_problem added)
{
	added.message = ic_arena_copy(problems->arena, added.message, strlen(added.message) + 1, 1);
	added.file = problems->file;
	struct ic_problem *problem = added.message ? IC_ARRAY_PUSH(&problems->list) : NULL;
	if (problem)
		*problem = added;
	else
		problems->out_of_memory = true;
}

void ic_problems_note(struct ic_problems *problems, const char *message)
{
	push_problem(problems, (struct ic_problem){ .message = message, .is_note = true });
}

static void push_error(struct ic_problems *problems, const struct ic_error *err)
{
	push_problem(problems, (struct ic_problem){ .section = err->section,
						    .offset = err->offset,
						    .message = err->message });
}

void ic_problems_add(struct ic_problems *problems, const struct ic_error *err, const char *section,
		     uint64_t offset)
{
	struct ic_error placed = *err;

	if (err->code == IC_ERROR_MEMORY) { // not a fault of the file
		problems->out_of_memory = true;
		return;
	}
	if (problems->added == MOST_LISTED) {
		problems->unlisted++;
		return;
	}
	problems->added++;
	if (!err->section && section)
		ic_fail_at(&placed, section, offset, "%s", err->message);
	else if (err->section && section &&
		 (err->offset != offset || strcmp(section, err->section) != 0))
		snprintf(placed.message, sizeof(placed.message), "%.1900s (for %s+0x%" PRIx64 ")",
			 err->message, section, offset);
	push_error(problems, &placed);
}

bool ic_problems_are_there(const struct ic_problems *problems, uint32_t first)
{
	bool any = false;

	for (uint32_t i = first; i < problems->list.count; i++)
		any |= !problems->list.items[i].is_note;
	return any;
}

void ic_problems_finish(struct ic_problems *problems, const char *section, uint64_t offset)
{
	uint32_t unlisted = problems->unlisted;
	struct ic_error err;

	problems->added = problems->unlisted = 0;
	if (unlisted > 0) {
		ic_fail(&err, IC_ERROR_MALFORMED, "%" PRIu32 " more similar problems", unlisted);
		ic_problems_add(problems, &err, section, offset);
	}
	problems->added = problems->counted = 0;
	problems->more = NULL;
}

const char *ic_problems_more(struct ic_problems *problems)
{
	char text[64];

	if (problems->counted != problems->unlisted) {
		int size = snprintf(text, sizeof(text), "and %" PRIu32 " more problems",
				    problems->unlisted);
		problems->more = ic_arena_copy(problems->arena, text, (size_t)size + 1, 1);
		problems->counted = problems->more ? problems->unlisted : 0;
	}
	if (problems->unlisted > 0 && !problems->more)
		return "and more problems";
	return problems->more;
}

bool ic_problems_get(struct ic_problems *problems, size_t number, struct ic_index_problem *problem)
{
	if (number < problems->list.count) {
		const struct ic_problem *found = &problems->list.items[number];
		*problem = (struct ic_index_problem){ found->file, found->section, found->offset,
						      found->message, found->is_note };
		return true;
	}
	*problem = (struct ic_index_problem){ .message = ic_problems_more(problems) };
	return number == problems->list.count && problem->message;
}

void ic_problems_copy(struct ic_problems *problems, const struct ic_problem *items, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!IC_ARRAY_ADD(&problems->list, items[i]))
			problems->out_of_memory = true;
	}
}

void ic_problems_copy_texts(struct ic_problems *problems, const struct ic_problems *some)
{
	for (uint32_t i = 0; i < some->list.count; i++) {
		struct ic_problem copy = some->list.items[i];
		copy.message =
			ic_arena_copy(problems->arena, copy.message, strlen(copy.message) + 1, 1);
		if (copy.message)
			ic_problems_copy(problems, &copy, 1);
		else
			problems->out_of_memory = true;
	}
}

void ic_problems_append(struct ic_problems *all, struct ic_problems *some)
{
	ic_problems_copy(all, some->list.items, some->list.count);
	all->out_of_memory |= some->out_of_memory;
	IC_ARRAY_FREE(&some->list);
}
