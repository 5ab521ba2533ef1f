// Fuzzes the spellings of tracers: the input is locations of arguments, and their names, a symbol
// and a path. Wanted: whatever the names are, a definition is one line with the punctuation of one
// with plain names, so that none of them gets out of its place; a path or symbol that could is
// refused.
#include <stdio.h>
#include <string.h>

#include "fuzz_input.h"
#include "probe/tracer.h"

enum { ARGUMENTS = 4, LONGEST = 40 };

struct names {
	char arguments[ARGUMENTS][LONGEST], symbol[LONGEST], path[LONGEST];
};

static void take_name(struct fuzz_input *in, char name[static LONGEST])
{
	size_t length = fuzz_take_u8(in) % LONGEST;

	for (size_t i = 0; i < length; i++)
		name[i] = (char)fuzz_take_u8(in);
	name[length] = 0;
}

static uint64_t take_number(struct fuzz_input *in)
{
	uint64_t number = 0;

	for (int i = 0; i < 4; i++)
		number = number << 16 | fuzz_take_u16(in);
	return number >> fuzz_take_u8(in) % 64;
}

static struct ic_location take_location(struct fuzz_input *in)
{
	struct ic_location location = {
		.kind = (enum ic_location_kind)(fuzz_take_u8(in) % (IC_LOCATION_VALUE + 1)),
		.why = (enum ic_location_why)(fuzz_take_u8(in) % (IC_LOCATION_WHY_NO_ADDRESS + 1)),
		.base = (enum ic_location_base)(fuzz_take_u8(in) % (IC_BASE_CONSTANT + 1)),
		.reg = fuzz_take_u8(in),
		.constant = take_number(in),
		.offset = (int64_t)take_number(in),
		.load_count = fuzz_take_u8(in) % (IC_LOCATION_MOST_LOADS + 1),
		.size = fuzz_take_u8(in),
	};

	for (uint32_t i = 0; i < location.load_count; i++)
		location.loads[i] = (struct ic_location_load){ fuzz_take_u8(in) % 10,
							       (int64_t)take_number(in) };
	return location;
}

static struct ic_parameter take_parameter(struct fuzz_input *in)
{
	return (struct ic_parameter){
		.size = fuzz_take_u8(in) % 18,
		.encoding = (enum ic_type_encoding)(fuzz_take_u8(in) % (IC_TYPE_OTHER + 1)),
		.is_signed = fuzz_take_u8(in) & 1,
		.location = take_location(in),
	};
}

// What is neither part of an identifier nor a digit.
static size_t punctuation(const char *text, char *found, size_t size)
{
	size_t count = 0;

	for (; *text && count + 1 < size; text++) {
		PROMISE((unsigned char)*text >= 0x20 && *text != 0x7f);
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
			    *text))
			found[count++] = *text;
	}
	found[count] = 0;
	return count;
}

static const char *spell(struct ic_spelling *spelling, enum ic_tracer tracer)
{
	const char *fault = ic_tracer_row(tracer)->spell(spelling);

	if (fault)
		PROMISE(fault[0]);
	else
		PROMISE(spelling->text.bytes.count ==
			strlen(spelling->text.bytes.items)); // there is a text
	return fault;
}

static void check(enum ic_tracer tracer, const struct ic_probe_target *target,
		  const struct names *names, struct ic_parameter *params)
{
	static const char *const plain[ARGUMENTS] = { "a", "b", "c", "d" };
	struct ic_parameter named[ARGUMENTS], others[ARGUMENTS];
	struct ic_probe probe = { .addr = 0x401000,
				  .file_off = 0x1000,
				  .symbol = names->symbol,
				  .symbol_off = 4,
				  .group = "g",
				  .event = "e_1" };
	struct ic_probe model = probe;
	struct ic_probe_target plain_target = *target;
	char found[8192], wanted[8192];

	for (int i = 0; i < ARGUMENTS; i++) {
		named[i] = others[i] = params[i];
		named[i].name = names->arguments[i];
		others[i].name = plain[i];
	}
	model.symbol = strlen(names->symbol) > 2 ? "model" : "s"; // GDB quotes only longer ones
	plain_target.path = "/a";
	struct ic_spelling spelling = {
		.target = target, .probe = &probe, .params = named, .param_count = ARGUMENTS
	};
	struct ic_spelling modelled = {
		.target = &plain_target, .probe = &model, .params = others, .param_count = ARGUMENTS
	};
	const char *fault = spell(&spelling, tracer);
	const char *never = spell(&modelled, tracer);
	if (!fault) {
		PROMISE(!never);
		punctuation(spelling.text.bytes.items, found, sizeof(found));
		punctuation(modelled.text.bytes.items, wanted, sizeof(wanted));
		// Of a path or a symbol there may be more; what ends them in the tracer's language
		// may not, but for what ic_probe_path_is_plain() allows anywhere.
		static const char *const ends[] = { " \t#",       " '\"#;&|$()<>`\\", " \"\\{}();",
						    " \"\\{}();", " \"\\{}();/*",     "'\"\\;(),",
						    "\"\\" };
		PROMISE(tracer < sizeof(ends) / sizeof(*ends));
		const char *at = wanted;
		for (const char *mark = found; *mark; mark++) {
			if (*at && *mark == *at)
				at++;
			else
				PROMISE(!strchr(ends[tracer], *mark) ||
					(*mark == '$' && strchr(names->symbol, '$')));
		}
		PROMISE(!*at); // all of it is there, in order
	}
	IC_ARRAY_FREE(&spelling.text.bytes);
	IC_ARRAY_FREE(&spelling.left_out.bytes);
	IC_ARRAY_FREE(&modelled.text.bytes);
	IC_ARRAY_FREE(&modelled.left_out.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned machines[] = { 62, 3, 183, 243, 40, 21, 22, 0 };
	struct fuzz_input in = { data, data + size };
	struct ic_parameter params[ARGUMENTS];
	struct names names;
	uint8_t how = fuzz_take_u8(&in);
	const struct ic_probe_target target = { .path = names.path,
						.module = how & 2 ? "m" : NULL,
						.is_kernel = how & 1,
						.machine = machines[how >> 2 & 7],
						.addr_size = how & 0x20 ? 4 : 8 };

	take_name(&in, names.path);
	take_name(&in, names.symbol);
	for (int i = 0; i < ARGUMENTS; i++) {
		take_name(&in, names.arguments[i]);
		params[i] = take_parameter(&in);
	}
	for (enum ic_tracer tracer = IC_TRACER_TRACEFS; ic_tracer_row(tracer); tracer++)
		check(tracer, &target, &names, params);
	return 0;
}
