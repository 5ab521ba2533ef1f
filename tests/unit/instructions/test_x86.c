#include "instructions/x86.h"

#include "unit_test.h"

#include <link.h>
#include <stdio.h>

#include "instructions/disassembler.h"

enum { MACHINE_AMD64 = 62, START = 0x1000 };

// "SIZE KIND", and the target or slot; "" if it is left to a disassembler.
static const char *read_text(bool is_64, const uint8_t *code, size_t size)
{
	static const char *const kinds[] = { "unknown", "plain",    "padding", "call", "jump",
					     "branch",  "indirect", "return",  "trap" };
	static char text[96];
	struct ic_instruction read = { .addr = START };

	if (!ic_x86_instruction_read((struct ic_bytes){ code, size }, is_64,
				     is_64 ? UINT64_MAX : UINT32_MAX, &read))
		return "";
	int length = snprintf(text, sizeof(text), "%d %s", read.size, kinds[read.kind]);
	if (read.target != IC_NO_ADDR)
		length += snprintf(text + length, sizeof(text) - (size_t)length, " to %llx",
				   (unsigned long long)read.target);
	if (read.slot != IC_NO_ADDR)
		length += snprintf(text + length, sizeof(text) - (size_t)length, " at %llx",
				   (unsigned long long)read.slot);
	if (read.condition >= 0)
		length += snprintf(text + length, sizeof(text) - (size_t)length, " if %d",
				   read.condition);
	snprintf(text + length, sizeof(text) - (size_t)length, "%s%s", read.is_move ? " move" : "",
		 read.is_packed ? " packed" : "");
	return text;
}

// clang-format off
#define READ(is_64, ...) \
	read_text(is_64, (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))
// clang-format on

static void instructions_end_where_their_operands_end(void **state)
{
	(void)state;
	assert_string_equal(READ(true, 0x01, 0xd8), "2 plain");
	assert_string_equal(READ(true, 0x48, 0x8b, 0x44, 0x24, 0x08), "5 plain move");
	assert_string_equal(READ(true, 0x8b, 0x05, 1, 0, 0, 0), "6 plain move");
	assert_string_equal(READ(true, 0x8b, 0x04, 0x25, 1, 0, 0, 0), "7 plain move");
	assert_string_equal(READ(true, 0x8b, 0x84, 0x24, 0, 1, 0, 0), "7 plain move");
	assert_string_equal(READ(true, 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8), "10 plain move");
	assert_string_equal(READ(true, 0xb8, 1, 2, 3, 4), "5 plain move");
	assert_string_equal(READ(true, 0x66, 0xb8, 1, 2), "4 plain move");
	assert_string_equal(READ(true, 0x66, 0x81, 0xc0, 1, 2), "5 plain");
	assert_string_equal(READ(true, 0xf7, 0xd8), "2 plain");
	assert_string_equal(READ(true, 0xf7, 0xc0, 1, 0, 0, 0), "6 plain");
	assert_string_equal(READ(true, 0x66, 0x0f, 0xfe, 0xc1), "4 plain packed");
	assert_string_equal(READ(true, 0x66, 0x0f, 0x1f, 0x44, 0, 0), "6 padding");
}

static void control_goes_where_they_say(void **state)
{
	(void)state;
	assert_string_equal(READ(true, 0x74, 0xfe), "2 branch to 1000 if 4");
	assert_string_equal(READ(true, 0x0f, 0x8f, 0, 1, 0, 0), "6 branch to 1106 if 15");
	assert_string_equal(READ(true, 0xe8, 0xfb, 0xff, 0xff, 0xff), "5 call to 1000");
	assert_string_equal(READ(true, 0xe9, 0, 0, 0, 0xff), "5 jump to ffffffffff001005");
	assert_string_equal(READ(false, 0xe9, 0, 0, 0, 0xff), "5 jump to ff001005");
	assert_string_equal(READ(true, 0xff, 0x15, 0, 1, 0, 0), "6 call at 1106");
	assert_string_equal(READ(false, 0xff, 0x15, 0, 1, 0, 0), "6 call");
	assert_string_equal(READ(true, 0xff, 0xe0), "2 indirect");
	assert_string_equal(READ(true, 0xc3), "1 return");
	assert_string_equal(READ(true, 0xc2, 8, 0), "3 return");
	assert_string_equal(READ(true, 0x0f, 0x0b), "2 trap");
	assert_string_equal(READ(true, 0xcc), "1 padding");
	assert_string_equal(READ(true, 0x41, 0xff, 0x75, 0), "4 plain move");
}

static void several_values_are_computed_at_once(void **state)
{
	(void)state;
	assert_string_equal(READ(true, 0x0f, 0x58, 0xc1), "3 plain packed");       // addps
	assert_string_equal(READ(true, 0x66, 0x0f, 0x59, 0xc1), "4 plain packed"); // mulpd
	assert_string_equal(READ(true, 0xf3, 0x0f, 0x58, 0xc1), "4 plain");        // addss
	assert_string_equal(READ(true, 0x66, 0x0f, 0xef, 0xc1), "4 plain packed"); // pxor
	assert_string_equal(READ(true, 0x66, 0x0f, 0xef, 0xc0), "4 plain");        // 0
	assert_string_equal(READ(true, 0x66, 0x41, 0x0f, 0xef, 0xc0), "5 plain packed");
	assert_string_equal(READ(true, 0x66, 0x0f, 0x76, 0xc0), "4 plain");       // all bits
	assert_string_equal(READ(true, 0x0f, 0x54, 0x05, 1, 0, 0, 0), "7 plain"); // the sign
	assert_string_equal(READ(true, 0x0f, 0x54, 0xc1), "3 plain packed");      // andps
	assert_string_equal(READ(true, 0x0f, 0x28, 0xc1), "3 plain move");        // movaps
	assert_string_equal(READ(true, 0x66, 0x0f, 0x70, 0xc1, 1), "5 plain");    // pshufd
	assert_string_equal(READ(true, 0x66, 0x0f, 0x6c, 0xc1), "4 plain");       // punpcklqdq
	assert_string_equal(READ(true, 0x66, 0x0f, 0xd7, 0xc1), "");              // pmovmskb
}

static void what_is_rare_is_left_to_a_disassembler(void **state)
{
	(void)state;
	assert_string_equal(READ(true, 0x06), "");                   // invalid in this mode
	assert_string_equal(READ(true, 0xc5, 0xf8, 0x77), "");       // VEX
	assert_string_equal(READ(true, 0xf0, 0x01, 0x00), "");       // lock
	assert_string_equal(READ(true, 0x66, 0xe8, 0, 0, 0, 0), ""); // of 16 bits for some
	assert_string_equal(READ(true, 0xff, 0x18), "");             // a far call
	assert_string_equal(READ(true, 0x8d, 0xc0), "");             // of no memory
	assert_string_equal(READ(true, 0xe8, 0, 0, 0), "");          // the end is missing
	assert_string_equal(READ(true, 0x48), "");
	assert_string_equal(read_text(true, NULL, 0), "");
	assert_string_equal(READ(false, 0x63, 0xc0), "");
	assert_string_equal(READ(true, 0x63, 0xc0), "");
	assert_string_not_equal(READ(true, 0x48, 0x63, 0xc0), "");
	assert_string_equal(READ(true, 0x66, 0x2e, 0x0f, 0xd6, 0xca), ""); // SSE with a segment
	assert_string_equal(READ(true, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
				 0x66, 0x66, 0x66, 0x66, 0x66, 0x90),
			    ""); // too long
}

#ifdef __x86_64__
struct compared {
	struct ic_disassembler *disassembler;
	unsigned long count, declined, different;
};

static int compare_object(struct dl_phdr_info *object, size_t size, void *context)
{
	enum { MOST_BYTES = 400000 };
	struct compared *compared = context;

	(void)size;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		const uint8_t *code = (const uint8_t *)(object->dlpi_addr + segment->p_vaddr);
		size_t end = segment->p_filesz < MOST_BYTES ? segment->p_filesz : MOST_BYTES;
		for (size_t at = 0; at < end;) {
			struct ic_bytes bytes = { code + at, end - at };
			struct ic_instruction read = { .addr = START + at };
			const struct ic_instruction wanted = ic_instruction_disassemble(
				compared->disassembler, bytes, read.addr);
			compared->count++;
			if (!ic_x86_instruction_read(bytes, true, UINT64_MAX, &read))
				compared->declined++;
			else
				compared->different +=
					read.size != wanted.size || read.kind != wanted.kind ||
					read.target != wanted.target || read.slot != wanted.slot ||
					read.condition != wanted.condition ||
					read.is_move != wanted.is_move ||
					read.is_packed != wanted.is_packed;
			at += wanted.size;
		}
	}
	return 0;
}

static void the_code_of_this_process_is_read_as_by_a_disassembler(void **state)
{
	struct ic_error err;
	struct compared compared = { .disassembler = ic_disassembler_open(MACHINE_AMD64, 8, &err) };

	(void)state;
	assert_non_null(compared.disassembler);
	dl_iterate_phdr(compare_object, &compared);
	ic_disassembler_close(compared.disassembler);
	assert_true(compared.count > 100000);
	assert_int_equal(compared.different, 0);
	assert_true(compared.declined < compared.count / 5);
}
#endif

UNIT_TESTS(instructions_x86)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_end_where_their_operands_end),
		cmocka_unit_test(control_goes_where_they_say),
		cmocka_unit_test(several_values_are_computed_at_once),
		cmocka_unit_test(what_is_rare_is_left_to_a_disassembler),
#ifdef __x86_64__
		cmocka_unit_test(the_code_of_this_process_is_read_as_by_a_disassembler),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
