// Fuzzes the fetching of arguments in a live trace: the input is the location of an argument, or
// what the program's map says of it, and memory of the traced program. Wanted: whatever these are,
// the program ends, uses only what it may, and says that a value is known only if all that it read
// was there; and what is made of locations is what the program takes.
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "bpf_machine.h"
#include "fuzz_input.h"
#include "trace/bpf/program.h"

enum { MEMORY = 0x5000, MEMORY_SIZE = 256, ARGUMENTS = 3, REGISTERS = 20, STRING = 16 };

struct memory {
	uint8_t bytes[MEMORY_SIZE];
	unsigned failures;
};

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size)
{
	struct memory *memory = context;

	if (addr < MEMORY || addr - MEMORY > MEMORY_SIZE || size > MEMORY_SIZE - (addr - MEMORY)) {
		memory->failures++;
		return false;
	}
	memcpy(bytes, memory->bytes + (addr - MEMORY), size);
	return true;
}

static uint64_t take_number(struct fuzz_input *in)
{
	uint64_t number = 0;

	for (int i = 0; i < 4; i++)
		number = number << 16 | fuzz_take_u16(in);
	number >>= fuzz_take_u8(in) % 64;
	return fuzz_take_u8(in) & 1 ? MEMORY + number % MEMORY_SIZE : number;
}

static void take_location(struct fuzz_input *in, struct ic_trace_fetch *fetch)
{
	struct ic_parameter parameter = {
		.size = fuzz_take_u8(in) % 18,
		.encoding = (enum ic_type_encoding)(fuzz_take_u8(in) % (IC_TYPE_OTHER + 1)),
		.is_signed = fuzz_take_u8(in) & 1,
		.type = fuzz_take_u8(in) & 1 ? "char *" : "char[9]",
		.item_size = fuzz_take_u8(in) % 10,
		.item_encoding = (enum ic_type_encoding)(fuzz_take_u8(in) % (IC_TYPE_OTHER + 1)),
		.bit_size = fuzz_take_u8(in) % 70,
		.bit_offset = fuzz_take_u8(in),
		.location = {
			.kind = (enum ic_location_kind)(fuzz_take_u8(in) % (IC_LOCATION_VALUE + 1)),
			.base = (enum ic_location_base)(fuzz_take_u8(in) % (IC_BASE_CONSTANT + 1)),
			.reg = fuzz_take_u8(in),
			.constant = take_number(in),
			.offset = (int64_t)take_number(in),
			.load_count = fuzz_take_u8(in) % (IC_LOCATION_MOST_LOADS + 2),
			.size = fuzz_take_u8(in),
		},
	};
	const struct ic_trace_place place = { .layout = ic_thread_layout(IC_MACHINE_X86_64, false),
					      .addr_size = 8,
					      .has_cfa = fuzz_take_u8(in) & 1,
					      .cfa_reg = fuzz_take_u8(in),
					      .cfa_offset = (int64_t)take_number(in) };

	for (uint32_t i = 0; i < IC_LOCATION_MOST_LOADS; i++)
		parameter.location.loads[i] = (struct ic_location_load){ fuzz_take_u8(in) % 10,
									 (int64_t)take_number(in) };
	const char *why = ic_trace_fetch_make(&parameter, &place, fetch);
	PROMISE((why == NULL) == (fetch->base != IC_TRACE_NOTHING));
	PROMISE(!why || why[0]);
	PROMISE(fetch->word < place.layout->count);
	PROMISE(fetch->load_count <= IC_TRACE_MOST_LOADS);
	for (int i = 0; i < fetch->load_count; i++)
		PROMISE(fetch->load_sizes[i] >= 1 && fetch->load_sizes[i] <= 8);
	PROMISE(fetch->memory_size <= IC_TRACE_VALUE_SIZE && fetch->unused_bits < 64);
	PROMISE(fetch->low_bits + fetch->unused_bits < 64 || !fetch->low_bits);
}

// A filter that is read from text, if it is one.
static void take_filter(struct fuzz_input *in, struct ic_trace_filter *filter)
{
	char text[64];
	size_t length = fuzz_take_u8(in) % sizeof(text);
	struct ic_error err;

	for (size_t i = 0; i < length; i++)
		text[i] = (char)fuzz_take_u8(in);
	text[length] = 0;
	if (ic_trace_filter_read(text, filter, &err)) {
		for (uint32_t i = 0; i < filter->count; i++) {
			struct ic_trace_term *term = &filter->terms[i];
			term->left.builtin = term->left.fallback;
			term->right.builtin = term->right.fallback;
		}
		return;
	}
	PROMISE(err.code == IC_ERROR_ARGUMENT);
	PROMISE_REASON(err);
	filter->count = filter->step_count = 0;
}

// Where a copy is, what is compared there, and how its arguments are fetched.
static void take_copy(struct fuzz_input *in, const struct ic_trace_shape *shape,
		      struct ic_trace_copy_data *copy)
{
	copy->addr = take_number(in);
	copy->is_exit = fuzz_take_u8(in) & 1;
	copy->asks = fuzz_take_u8(in) & 1;
	copy->epoch = 1;
	copy->place = fuzz_take_u8(in);
	for (int i = 0; i < IC_TRACE_MOST_KEYS; i++) {
		copy->key_arguments[i] = fuzz_take_u8(in) % (ARGUMENTS + 2);
		copy->key_strings[i] = fuzz_take_u16(in);
	}
	copy->measure = fuzz_take_u8(in);
	copy->is_measure_signed = fuzz_take_u8(in) & 1;
	copy->leaves_groups = fuzz_take_u8(in) & 1;
	uint8_t *conditions = (void *)ic_trace_conditions(copy);
	for (size_t i = 0; i < shape->filter.count * sizeof(struct ic_trace_condition); i++)
		conditions[i] = fuzz_take_u8(in);
	struct ic_trace_fetch *fetches = ic_trace_fetches(shape, copy);
	for (uint32_t i = 0; i < shape->argument_count; i++) {
		if (fuzz_take_u8(in) & 1)
			take_location(in, &fetches[i]);
		else
			for (size_t j = 0; j < sizeof(*fetches); j++)
				((uint8_t *)&fetches[i])[j] = fuzz_take_u8(in);
	}
}

static void take_shape(struct fuzz_input *in, struct ic_trace_shape *shape)
{
	*shape = (struct ic_trace_shape){
		.registers = ic_thread_layout(IC_MACHINE_X86_64, false),
		.stack_reg = 7,
		.argument_count = fuzz_take_u8(in) % (ARGUMENTS + 1),
		.strings = fuzz_take_u8(in) & 7,
		.string_size = STRING,
		.stack_size = fuzz_take_u8(in) & 1 ? IC_TRACE_STACK_STEP : 0,
		.sample = fuzz_take_u8(in) & 3,
		.maps = { .copies = 1, .ring = 2, .slots = 3, .groups = 4, .zeros = 5 },
		.slot_count = 1
	};
	take_filter(in, &shape->filter);
	uint8_t choice = fuzz_take_u8(in);
	shape->has_exits = choice & 1;
	shape->is_kernel = choice >> 1 & 1;
	shape->strings &= (1ull << shape->argument_count) - 1;
	uint8_t keys = fuzz_take_u8(in);
	shape->grouping = (struct ic_trace_grouping){ .is_on = choice >> 2 & 1 && !shape->has_exits,
						      .by_pid = choice >> 3 & 1,
						      .by_command = choice >> 4 & 1,
						      .has_measure = choice >> 5 & 1,
						      .has_buckets = choice >> 6 & 1,
						      .key_count = keys % 4,
						      .strings = (keys >> 2) & 7 };
	shape->grouping.strings &= (uint8_t)((1u << shape->grouping.key_count) - 1);
}

// What a program uses, in memory of its own.
struct memories {
	uint8_t *record, *reported, *key, *sums, *zeros;
};

static uint8_t *allocate_zeros(size_t size)
{
	uint8_t *bytes = calloc(1, size);

	if (!bytes)
		abort();
	return bytes;
}

static struct memories take_memories(const struct ic_trace_layout *layout)
{
	struct memories memories = { allocate_zeros(layout->size), allocate_zeros(layout->size),
				     allocate_zeros(layout->key_size),
				     allocate_zeros(layout->sums_size),
				     allocate_zeros(layout->sums_size) };

	memset(memories.record + sizeof(uint64_t), 0xa5, layout->size - sizeof(uint64_t));
	return memories;
}

static void free_memories(const struct memories *memories)
{
	free(memories->record);
	free(memories->reported);
	free(memories->key);
	free(memories->sums);
	free(memories->zeros);
}

// What must hold after a hit, of which the program says `head`.
static void check_hit(const struct ic_trace_shape *shape, struct ic_trace_copy_data *copy,
		      const struct ic_trace_record *head, const struct bpf_machine *machine)
{
	const struct ic_trace_group_sums *sums = (const void *)machine->sums.bytes;
	bool is_grouped = machine->has_group && sums->count == 1;

	PROMISE(!head->is_busy);
	PROMISE(copy->hits + copy->undecided + head->is_asked <= 1 && copy->lost == 0);
	PROMISE(machine->is_submitted ==
		((copy->hits == 1 && !is_grouped) || (!copy->undecided && head->is_asked)));
	PROMISE(!is_grouped || (shape->grouping.is_on && copy->hits == 1));
	PROMISE(copy->ungrouped == 0 && sums->measured <= sums->count && sums->contended == 0);
	PROMISE(shape->filter.count > 0 || machine->is_submitted || is_grouped);
	PROMISE(head->known >> shape->argument_count == 0 && head->stack_size <= shape->stack_size);
	for (uint32_t i = 0; i < shape->argument_count; i++)
		PROMISE(!(head->known >> i & 1 &&
			  ic_trace_fetches(shape, copy)[i].base == IC_TRACE_NOTHING));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct memory memory = { .failures = 0 };
	uint64_t registers[REGISTERS];
	struct ic_trace_shape shape;
	struct ic_bpf_code code = { .is_too_long = false };
	struct ic_trace_layout layout;

	take_shape(&in, &shape);
	ic_trace_layout_find(&shape, &layout);
	size_t copy_size = ic_trace_copy_size(&shape);
	struct ic_trace_copy_data *copy = calloc(1, copy_size);
	if (!copy)
		abort();
	const struct memories own = take_memories(&layout);
	for (size_t i = 0; i < REGISTERS; i++)
		registers[i] = take_number(&in);
	take_copy(&in, &shape, copy);
	for (size_t i = 0; i < MEMORY_SIZE; i++)
		memory.bytes[i] = fuzz_take_u8(&in);
	struct bpf_machine machine = {
		.context = { (uint8_t *)registers, sizeof(registers), true },
		.copies = { (uint8_t *)copy, copy_size, false },
		.slots = { own.record, layout.size, false },
		.slot_count = 1,
		.reported = { own.reported, layout.size, false },
		.key = { own.key, layout.key_size, true },
		.sums = { own.sums, layout.sums_size, false },
		.zeros = { own.zeros, layout.sums_size, true },
		.copy_size = copy_size,
		.is_kernel = shape.is_kernel,
		.read_user = read_memory,
		.user = &memory,
	};
	ic_trace_program_write(&shape, &code);
	PROMISE(!code.out_of_memory && !code.is_too_long);
	PROMISE(bpf_machine_run(&machine, code.items.items, code.items.count));
	check_hit(&shape, copy, (const void *)own.record, &machine);
	IC_ARRAY_FREE(&code.items);
	free(copy);
	free_memories(&own);
	return 0;
}
