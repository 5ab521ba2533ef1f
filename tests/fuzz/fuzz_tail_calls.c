// Fuzzes the calls of functions in whole ELF files: which tail calls lead from a call to a
// function, and what registers held when calls were made. Wanted: the first of a list is the call
// that returns to the address. No function has made a tail call twice. A reader that has answered
// other questions has the same answer as a new one. A function that may not be entered again has
// not led to itself. Expressions can be read. All of this holds too if calls were bound to any of
// the functions, and come from other files.
#include <inlinecall/extra/call_values.h>
#include <inlinecall/image.h>
#include <inlinecall/index.h>

#include "elf/image/binding.h"
#include "elf/image/image.h"
#include "fuzz_input.h"
#include "model/index.h"
#include "open_guard.h"

enum { MOST_CALLS = 24, MOST_FUNCTIONS = 12, MOST_TAIL_CALLS = 65 };

struct questions {
	uint64_t calls[MOST_CALLS], functions[MOST_FUNCTIONS];
	size_t call_count, function_count;
};

static void list_questions(struct questions *questions, const struct ic_index *index)
{
	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];

		for (uint32_t j = 0; j < unit->call_count; j++)
			if (questions->call_count < MOST_CALLS)
				questions->calls[questions->call_count++] =
					unit->calls[j].return_addr;
		for (uint32_t j = 0; j < unit->instance_count; j++)
			if (unit->instances[j].kind == IC_INSTANCE_HOST &&
			    questions->function_count < MOST_FUNCTIONS)
				questions->functions[questions->function_count++] =
					unit->instances[j].entry;
	}
}

static void read_values(struct ic_call_values *values)
{
	const struct ic_call_value *list;
	static volatile uint8_t sink;

	PROMISE(values);
	for (size_t i = ic_call_values_get(values, &list); i-- > 0;)
		for (size_t j = 0; j < list[i].size; j++)
			sink = list[i].expression[j];
	(void)sink;
	ic_call_values_free(values);
}

static void check_list(struct ic_symbolizer *symbolizer, const struct ic_tail_calls_query *query,
		       const struct ic_tail_call *list, size_t count)
{
	PROMISE(count <= MOST_TAIL_CALLS);
	PROMISE(count == 0 || (list[0].addr == query->return_addr && list[0].is_after));
	PROMISE(count != 1 || list[0].callee);
	for (size_t i = 0; i < count; i++) {
		if (list[i].callee)
			fuzz_read_text(list[i].callee, NULL);
		for (size_t j = 1; j < i; j++)
			PROMISE(list[i].entry != list[j].entry);
		PROMISE(i == 0 || list[i].entry != query->entry);
		if (i > 0)
			read_values(ic_call_values_find_tail_call(symbolizer, &list[i], NULL));
	}
}

// Binds two of three calls to a function.
static bool find_bound(void *context, uint64_t addr, bool is_after, uint64_t *callee)
{
	const struct questions *questions = context;

	if (questions->function_count == 0 || (addr + is_after) % 3 == 0)
		return false;
	*callee = questions->functions[addr / 3 % questions->function_count];
	return true;
}

static struct ic_tail_calls *open_calls(struct ic_symbolizer *symbolizer,
					const struct questions *bound)
{
	struct ic_tail_calls *calls = ic_tail_calls_open(symbolizer, NULL);

	PROMISE(calls);
	if (bound)
		ic_tail_calls_set_bound(calls, find_bound, (void *)bound);
	return calls;
}

static void check_same(struct ic_symbolizer *symbolizer, const struct questions *bound,
		       const struct ic_tail_calls_query *query, const struct ic_tail_call *list,
		       size_t count)
{
	struct ic_tail_calls *fresh = open_calls(symbolizer, bound);
	const struct ic_tail_call *other;

	PROMISE(ic_tail_calls_find(fresh, query, &other, NULL) == count);
	for (size_t i = 0; i < count; i++)
		PROMISE(list[i].addr == other[i].addr && list[i].is_after == other[i].is_after &&
			!list[i].callee == !other[i].callee);
	ic_tail_calls_free(fresh);
}

static void check_questions(struct ic_symbolizer *symbolizer, const struct questions *questions,
			    const struct questions *bound)
{
	struct ic_tail_calls *calls = open_calls(symbolizer, bound);
	const struct ic_tail_call *list;

	for (size_t i = 0; i < questions->call_count; i++) {
		read_values(ic_call_values_find(symbolizer, questions->calls[i], NULL));
		for (size_t j = 0; j < questions->function_count; j++) {
			const struct ic_tail_calls_query query = {
				.return_addr = questions->calls[i],
				.symbolizer = symbolizer,
				.entry = questions->functions[j],
				.function = j & 1 ? "f" : NULL,
				.is_from_outside = bound && (i + j) % 2 == 1,
				.start = questions->functions[i % questions->function_count],
			};
			size_t count = ic_tail_calls_find(calls, &query, &list, NULL);

			check_list(symbolizer, &query, list, count);
			check_same(symbolizer, bound, &query, list, count);
		}
	}
	for (size_t i = 0; i < questions->function_count; i++) {
		bool may, again;
		if (ic_tail_calls_may_return(calls, questions->functions[i], &may, NULL) &&
		    ic_tail_calls_may_return(calls, questions->functions[i], &again, NULL))
			PROMISE(may == again);
	}
	ic_tail_calls_free(calls);
}

static void check_image(struct ic_image *image)
{
	const struct ic_index_options options = { .jobs = 1, .calls = true };
	struct questions questions = { .call_count = 0 };
	uint64_t slot;
	struct ic_error err = { 0 };
	struct ic_index *index = ic_index_build(image, &options, &err);
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(image, NULL, &err);

	if (index && symbolizer) {
		list_questions(&questions, index);
		check_questions(symbolizer, &questions, NULL);
		check_questions(symbolizer, &questions, &questions);
		for (size_t i = 0; i < questions.call_count; i++)
			for (int is_after = 0; is_after < 2; is_after++)
				(void)ic_image_called_by(image, questions.calls[i], is_after,
							 &slot);
	} else {
		PROMISE_REASON(err);
	}
	ic_symbolizer_free(symbolizer);
	ic_index_free(index);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const nowhere[] = { "/nonexistent" };
	const struct ic_image_options options = { .debug_dirs = nowhere,
						  .debug_dir_count = 1,
						  .allow_no_debug = true };
	struct ic_error err = { 0 };
	struct ic_image *image = ic_image_open(open_guard_put(data, size), &options, &err);

	if (image)
		check_image(image);
	else
		PROMISE_REASON(err);
	ic_image_free(image);
	return 0;
}
