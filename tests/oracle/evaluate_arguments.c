// evaluate_arguments FILE: evaluates the arguments of inlined copies with the registers and the
// memory that are on standard input, one a line:
//
//	type OFFSET SIZE ENCODING  a base type, by its offset in the unit of the copies
//	constant ADDR HEX          memory that stays as it is
//	memory ADDR HEX            memory
//	register NUMBER HEX        its bytes, from the low-order one on
//	entry NUMBER VALUE         a register as it was when the enclosing function was entered
//	cfa ADDR                   the canonical frame address of that function
//	frame ADDR                 what its DW_AT_frame_base gives
//	copy DIE                   asks for the arguments of the copy, where it is entered
//	next                       forgets all but types and constants
//
// Numbers are hexadecimal. For each copy there is a line for each parameter: "NAME = HEX", its
// bytes in memory, with ".." for those that were optimised out, or "NAME - " and why it has none.
// Then there is an empty line.
#include <inlinecall/extra.h>
#include <inlinecall/extra/evaluate.h>
#include <inlinecall/parameters.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_PARTS = 4096,
	MOST_TYPES = 4096,
	MOST_REGISTERS = 128,
	MOST_PIECES = 64,
	MOST_BYTES = 256
};

struct part { // of memory
	uint64_t addr;
	size_t size;
	uint8_t *bytes;
};

struct type {
	uint64_t off;
	struct ic_base_type type;
};

struct value {
	bool is_known;
	uint8_t bytes[16];
};

struct word {
	bool is_known;
	uint64_t value;
};

struct state {
	struct type types[MOST_TYPES];
	size_t type_count;
	struct part parts[MOST_PARTS]; // constants first
	size_t constant_count, part_count;
	struct value registers[MOST_REGISTERS];
	struct word entries[MOST_REGISTERS], cfa, frame;
};

static bool fail(struct ic_error *err, const char *what)
{
	err->code = IC_ERROR_NOT_FOUND;
	snprintf(err->message, sizeof(err->message), "%s", what);
	return false;
}

// ---- What the evaluator asks for

static bool read_register(void *context, uint32_t reg, void *bytes, size_t size,
			  struct ic_error *err)
{
	const struct state *state = context;

	if (reg >= MOST_REGISTERS || !state->registers[reg].is_known ||
	    size > sizeof(state->registers[reg].bytes))
		return fail(err, "a register that was not written down");
	memcpy(bytes, state->registers[reg].bytes, size);
	return true;
}

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size,
			struct ic_error *err)
{
	const struct state *state = context;

	for (size_t i = 0; i < state->part_count; i++) {
		const struct part *part = &state->parts[i];
		if (addr >= part->addr && size <= part->size &&
		    addr - part->addr <= part->size - size) {
			memcpy(bytes, part->bytes + (addr - part->addr), size);
			return true;
		}
	}
	return fail(err, "memory that was not written down");
}

static bool give(const struct word *word, uint64_t *value, struct ic_error *err, const char *what)
{
	*value = word->value;
	return word->is_known || fail(err, what);
}

static bool find_cfa(void *context, uint64_t *addr, struct ic_error *err)
{
	return give(&((struct state *)context)->cfa, addr, err, "the canonical frame address");
}

static bool find_frame_base(void *context, uint64_t *addr, struct ic_error *err)
{
	return give(&((struct state *)context)->frame, addr, err, "the frame base");
}

// Of registers: DW_OP_reg0 to DW_OP_reg31.
static bool find_entry_value(void *context, const uint8_t *expression, size_t size, uint64_t *value,
			     struct ic_error *err)
{
	const struct state *state = context;

	if (size != 1 || expression[0] < 0x50 || expression[0] > 0x6f)
		return fail(err, "an expression on entry");
	return give(&state->entries[expression[0] - 0x50], value, err, "a register on entry");
}

static bool find_type(void *context, uint64_t off, struct ic_base_type *type, struct ic_error *err)
{
	const struct state *state = context;

	for (size_t i = 0; i < state->type_count; i++)
		if (state->types[i].off == off) {
			*type = state->types[i].type;
			return true;
		}
	return fail(err, "a base type");
}

// ---- Arguments

struct argument {
	uint8_t bytes[MOST_BYTES];
	bool lacks[MOST_BYTES]; // those that were optimised out
};

static void put_bytes(const struct argument *argument, size_t size)
{
	printf("= ");
	for (size_t i = 0; i < size; i++)
		if (argument->lacks[i])
			printf("..");
		else
			printf("%02x", argument->bytes[i]);
	putchar('\n');
}

// Notes the bytes that are in no piece, as those after the last field, and in pieces that were
// optimised out, and gives these some bytes, so that the others are read. Returns how many bytes
// the pieces have.
static size_t fill_gaps(struct ic_evaluated_piece *pieces, size_t count, struct argument *argument,
			size_t size)
{
	static const uint8_t zeros[MOST_BYTES];
	uint64_t bit = 0;

	memset(argument->lacks, true, size);
	for (size_t i = 0; i < count; bit += pieces[i++].bit_size) {
		bool lacks = pieces[i].place.kind == IC_EVALUATED_NOTHING;
		for (uint64_t j = bit / 8; j < (bit + pieces[i].bit_size + 7) / 8 && j < size; j++)
			argument->lacks[j] = lacks || (argument->lacks[j] && j * 8 < bit);
		if (lacks)
			pieces[i].place = (struct ic_evaluated){ .kind = IC_EVALUATED_BYTES,
								 .bytes = zeros,
								 .size = sizeof(zeros) };
	}
	return bit / 8 < size ? (size_t)(bit / 8) : size;
}

static bool evaluate(const struct ic_location *location, struct state *state,
		     struct argument *argument, size_t size, struct ic_error *err)
{
	struct ic_evaluated_piece pieces[MOST_PIECES];
	struct ic_evaluated evaluated;
	const struct ic_evaluate_options options = { .version = 5,
						     .addr_size = 8,
						     .offset_size = 4,
						     .pieces = pieces,
						     .piece_room = MOST_PIECES,
						     .read_register = read_register,
						     .read_memory = read_memory,
						     .find_frame_base = find_frame_base,
						     .find_cfa = find_cfa,
						     .find_entry_value = find_entry_value,
						     .find_type = find_type,
						     .context = state };

	if (!ic_evaluate(location->expression, location->expression_size, &options, &evaluated,
			 err))
		return false;
	if (evaluated.kind == IC_EVALUATED_PIECES)
		size = fill_gaps(pieces, evaluated.piece_count, argument, size);
	return ic_evaluated_read(&evaluated, &options, argument->bytes, size, err);
}

static void put_argument(const struct ic_parameter *parameter, struct state *state)
{
	const struct ic_location *location = &parameter->location;
	struct argument argument = { .lacks = { false } };
	size_t size = parameter->size;
	struct ic_error err;

	printf("%s ", parameter->name);
	if (location->kind == IC_LOCATION_UNAVAILABLE)
		printf("- unavailable\n");
	else if (size == 0 || size > MOST_BYTES)
		printf("- a size of %zu\n", size);
	else if (location->expression && evaluate(location, state, &argument, size, &err))
		put_bytes(&argument, size);
	else if (location->expression)
		printf("- %s\n", err.message);
	else if (location->kind == IC_LOCATION_BYTES && location->size == size) {
		memcpy(argument.bytes, location->bytes, size);
		put_bytes(&argument, size);
	} else if (location->kind == IC_LOCATION_CONSTANT && size <= 8) {
		for (unsigned i = 0; i < 8; i++)
			argument.bytes[i] = (uint8_t)(location->constant >> 8 * i);
		put_bytes(&argument, size);
	} else
		printf("- a constant of another size\n");
}

static void put_copy(struct ic_parameters *parameters, const struct ic_sites *sites, uint64_t die,
		     struct state *state)
{
	const struct ic_parameter *list;
	struct ic_site site;
	struct ic_error err;

	for (size_t i = 0; ic_sites_get(sites, i, &site); i++) {
		if (site.die_off != die)
			continue;
		if (!ic_parameters_find(parameters, &site, IC_NO_ADDR, &err)) {
			fprintf(stderr, "%s\n", err.message);
			exit(1);
		}
		size_t count = ic_parameters_list(parameters, &list);
		for (size_t j = 0; j < count; j++)
			put_argument(&list[j], state);
		break;
	}
	putchar('\n');
	fflush(stdout);
}

// ---- Input

static size_t parse_hex(const char *text, uint8_t *bytes, size_t room)
{
	size_t size = 0;
	unsigned byte;

	while (size < room && sscanf(text + 2 * size, "%2x", &byte) == 1)
		bytes[size++] = (uint8_t)byte;
	return size;
}

static void add_part(struct state *state, uint64_t addr, const char *hex)
{
	size_t size = strlen(hex) / 2;
	uint8_t *bytes = malloc(size + 1);

	if (!bytes || state->part_count == MOST_PARTS)
		exit(1);
	size = parse_hex(hex, bytes, size);
	state->parts[state->part_count++] = (struct part){ addr, size, bytes };
}

static void forget(struct state *state)
{
	while (state->part_count > state->constant_count)
		free(state->parts[--state->part_count].bytes);
	memset(state->registers, 0, sizeof(state->registers));
	memset(state->entries, 0, sizeof(state->entries));
	state->cfa.is_known = state->frame.is_known = false;
}

static bool take(struct state *state, const char *word, uint64_t number, const char *rest)
{
	struct type type = { .off = number };

	if (!strcmp(word, "next")) {
		forget(state);
	} else if (!strcmp(word, "cfa")) {
		state->cfa = (struct word){ true, number };
	} else if (!strcmp(word, "frame")) {
		state->frame = (struct word){ true, number };
	} else if (!strcmp(word, "memory")) {
		add_part(state, number, rest);
	} else if (!strcmp(word, "constant")) {
		add_part(state, number, rest);
		state->constant_count = state->part_count;
	} else if (!strcmp(word, "register") && number < MOST_REGISTERS) {
		struct value *value = &state->registers[number];
		value->is_known = parse_hex(rest, value->bytes, sizeof(value->bytes)) > 0;
	} else if (!strcmp(word, "entry") && number < MOST_REGISTERS) {
		state->entries[number] = (struct word){ true, strtoull(rest, NULL, 16) };
	} else if (!strcmp(word, "type") && state->type_count < MOST_TYPES &&
		   sscanf(rest, "%" SCNx64 " %" SCNx32, &type.type.size, &type.type.encoding) ==
			   2) {
		state->types[state->type_count++] = type;
	} else {
		return false;
	}
	return true;
}

static void answer(struct ic_parameters *parameters, const struct ic_sites *sites)
{
	static struct state state;
	char *line = NULL;
	size_t capacity = 0;

	while (getline(&line, &capacity, stdin) > 0) {
		char word[16];
		uint64_t number = 0;
		int end = 0;
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%15s %" SCNx64 " %n", word, &number, &end) < 1)
			continue;
		if (!strcmp(word, "copy")) {
			put_copy(parameters, sites, number, &state);
		} else if (!take(&state, word, number, line + end)) {
			fprintf(stderr, "not understood: %s\n", line);
			exit(1);
		}
	}
	free(line);
}

int main(int argc, char **argv)
{
	const struct ic_index_options options = { .parameters = true };
	struct ic_error err = { .message = "usage: evaluate_arguments FILE" };

	struct ic_image *image = argc == 2 ? ic_image_open(argv[1], NULL, &err) : NULL;
	struct ic_index *index = image ? ic_index_build(image, &options, &err) : NULL;
	struct ic_sites *sites = index ? ic_sites_find(index, NULL, &err) : NULL;
	struct ic_parameters *parameters = sites ? ic_parameters_open(image, index, NULL, &err)
						 : NULL;
	if (parameters)
		answer(parameters, sites);
	else
		fprintf(stderr, "%s\n", err.message);
	ic_parameters_free(parameters);
	ic_sites_free(sites);
	ic_index_free(index);
	ic_image_free(image);
	return parameters ? 0 : 1;
}
