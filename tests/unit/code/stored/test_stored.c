#include "code/stored/stored.h"

#include "little_endian.h"
#include "unit_test.h"

#include <stdio.h>

enum { MACHINE_AMD64 = 62, MACHINE_AARCH64 = 183, START = 0x1000, RBP = 6, RSP = 7, SP = 31 };

struct code {
	const uint8_t *bytes;
	size_t size;
};

static struct ic_bytes bytes_at(void *context, uint64_t addr)
{
	const struct code *code = context;

	if (addr < START || addr - START >= code->size)
		return (struct ic_bytes){ NULL, 0 };
	return (struct ic_bytes){ code->bytes + (addr - START), code->size - (addr - START) };
}

static void put_value(unsigned machine, const struct ic_location *value, char *text, size_t size)
{
	const struct ic_location_text_options options = { .size = 8, .machine = machine };

	ic_location_text(value, &options, text, size);
}

// What is stored, as "%rdi at 1003", the end of the store; "?" if that is not told, "" if nothing.
static const char *stored_on(unsigned machine, struct ic_slot slot, struct code code)
{
	static char text[128];
	char value[96];
	struct ic_location location;
	struct ic_error err;
	uint64_t after = 0;
	const struct ic_stored_source source = { ic_disassembler_open(machine, 8, &err), bytes_at,
						 &code };

	assert_non_null(source.disassembler);
	text[0] = 0;
	switch (ic_stored_find(&source, START, &slot, &location, &after)) {
	case IC_STORED_NOTHING: break;
	case IC_STORED_UNKNOWN: snprintf(text, sizeof(text), "?"); break;
	case IC_STORED_VALUE:
		put_value(machine, &location, value, sizeof(value));
		snprintf(text, sizeof(text), "%s", value);
		break;
	}
	if (text[0])
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " at %x",
			 (unsigned)(after - START));
	ic_disassembler_close(source.disassembler);
	return text;
}

static const char *stored_in(struct ic_slot slot, struct code code)
{
	return stored_on(MACHINE_AMD64, slot, code);
}

// clang-format off
#define CODE(...) (struct code){ (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }) }
#define SLOT(of, at, bytes) (struct ic_slot){ .reg = (of), .offset = (uint64_t)(int64_t)(at), .size = (bytes) }
#define USE 0xc3 // ret
#define STORE_EAX 0x89, 0x45, 0xfc // mov %eax,-4(%rbp)
// clang-format on

TEST(a_register_is_stored)
{
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(STORE_EAX, USE)), "%rax at 3");
	// mov %cx,8(%rsp)
	assert_string_equal(stored_in(SLOT(RSP, 8, 2), CODE(0x66, 0x89, 0x4c, 0x24, 0x08, USE)),
			    "%rcx at 5");
	// movsd %xmm1,(%rsp)
	assert_string_equal(stored_in(SLOT(RSP, 0, 8), CODE(0xf2, 0x0f, 0x11, 0x0c, 0x24, USE)),
			    "%xmm1 at 5");
	// push %rbx; push %r12
	assert_string_equal(stored_in(SLOT(RSP, -16, 8), CODE(0x53, 0x41, 0x54, USE)), "%r12 at 3");
}

TEST(what_is_stored_is_told_by_what_was_there_at_first)
{
	// mov %edi,%eax
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0x89, 0xf8, STORE_EAX, USE)),
			    "%rdi at 5");
	// mov $5,%eax
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0xb8, 5, 0, 0, 0, STORE_EAX, USE)),
			    "0x5 at 8");
	// xor %eax,%eax; mov %rax,-8(%rbp)
	assert_string_equal(
		stored_in(SLOT(RBP, -8, 8), CODE(0x31, 0xc0, 0x48, 0x89, 0x45, 0xf8, USE)),
		"0x0 at 6");
	// sub $1,%eax
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0x83, 0xe8, 1, STORE_EAX, USE)),
			    "%rax-1 at 6");
	// lea 8(%rdi),%rax; mov %rax,-8(%rbp)
	assert_string_equal(stored_in(SLOT(RBP, -8, 8),
				      CODE(0x48, 0x8d, 0x47, 0x08, 0x48, 0x89, 0x45, 0xf8, USE)),
			    "%rdi+8 at 8");
	// lea 0x10(%rip),%rax; mov %rax,-8(%rbp)
	assert_string_equal(stored_in(SLOT(RBP, -8, 8), CODE(0x48, 0x8d, 0x05, 0x10, 0, 0, 0, 0x48,
							     0x89, 0x45, 0xf8, USE)),
			    "&0x1017 at b");
	// mov -0x14(%rbp),%eax
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0x8b, 0x45, 0xec, STORE_EAX, USE)),
			    "*(u64 *)(%rbp-20) at 6");
	// movl $7,-4(%rbp)
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0xc7, 0x45, 0xfc, 7, 0, 0, 0, USE)),
			    "0x7 at 7");
}

TEST(a_part_of_what_is_stored)
{
	// movups (%rdi),%xmm0; movups %xmm0,-16(%rbp)
	const struct code code = CODE(0x0f, 0x10, 0x07, 0x0f, 0x11, 0x45, 0xf0, USE);

	assert_string_equal(stored_in(SLOT(RBP, -16, 4), code), "*(u64 *)(%rdi) at 7");
	assert_string_equal(stored_in(SLOT(RBP, -8, 8), code), "*(u64 *)(%rdi+8) at 7");
	assert_string_equal(stored_in(SLOT(RBP, -8, 16), code), "? at 7");
	assert_string_equal(stored_in(SLOT(RBP, -24, 8), code), "");
	assert_string_equal(stored_in(SLOT(RBP, -4, 1), CODE(STORE_EAX, USE)), "%rax at 3");
	assert_string_equal(stored_in(SLOT(RBP, -3, 1), CODE(STORE_EAX, USE)), "? at 3");
}

TEST(what_is_not_told_is_not_guessed)
{
	// neg %eax
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0xf7, 0xd8, STORE_EAX, USE)),
			    "? at 5");
	// movsbl %al,%eax: of more bytes than it came from
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0x0f, 0xbe, 0xc0, STORE_EAX, USE)),
			    "? at 6");
	// sete -4(%rbp)
	assert_string_equal(stored_in(SLOT(RBP, -4, 1), CODE(0x0f, 0x94, 0x45, 0xfc, USE)),
			    "? at 4");
	// fstpl -8(%rbp); Capstone 4 takes it for one that reads
	assert_string_equal(stored_in(SLOT(RBP, -8, 8), CODE(0xdd, 0x5d, 0xf8, USE)), "? at 3");
	// lea -16(%rbp),%rdi; rep movsq
	assert_string_equal(
		stored_in(SLOT(RBP, -8, 8), CODE(0x48, 0x8d, 0x7d, 0xf0, 0xf3, 0x48, 0xa5, USE)),
		"? at 7");
	assert_string_equal(
		stored_in(SLOT(RBP, -24, 8), CODE(0x48, 0x8d, 0x7d, 0xf0, 0xf3, 0x48, 0xa5, USE)),
		"");
	// mov %edi,(%rsi); mov (%rdx),%eax: perhaps the same
	assert_string_equal(
		stored_in(SLOT(RBP, -4, 4), CODE(0x89, 0x3e, 0x8b, 0x02, STORE_EAX, USE)),
		"? at 7");
}

TEST(memory_that_was_stored_meanwhile_has_that_value)
{
	// mov %edi,-8(%rbp); mov -8(%rbp),%eax
	assert_string_equal(stored_in(SLOT(RBP, -4, 4),
				      CODE(0x89, 0x7d, 0xf8, 0x8b, 0x45, 0xf8, STORE_EAX, USE)),
			    "%rdi at 9");
	// mov %di,-8(%rbp); mov -8(%rbp),%eax
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0x66, 0x89, 0x7d, 0xf8, 0x8b, 0x45,
							     0xf8, STORE_EAX, USE)),
			    "? at a");
}

TEST(what_is_read_first_is_there)
{
	// mov -4(%rbp),%ecx; mov %eax,-4(%rbp)
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0x8b, 0x4d, 0xfc, STORE_EAX, USE)),
			    "");
	// addl $1,-4(%rbp)
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0x83, 0x45, 0xfc, 1, USE)), "");
	// cmpl $1,-4(%rbp)
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0x83, 0x7d, 0xfc, 1, STORE_EAX, USE)),
			    "");
	// push -8(%rbp)
	assert_string_equal(stored_in(SLOT(RBP, -8, 8), CODE(0xff, 0x75, 0xf8, USE)), "");
}

TEST(only_one_way_is_followed)
{
	// je +0; mov %eax,-4(%rbp)
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0x74, 0, STORE_EAX, USE)), "");
	// call +0
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0xe8, 0, 0, 0, 0, STORE_EAX, USE)),
			    "");
	// jmp +1; ret
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0xeb, 1, USE, STORE_EAX, USE)),
			    "%rax at 6");
	// jmp -2: without end
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0xeb, 0xfe)), "");
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0x90)), "");
	// syscall
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0x0f, 0x05, STORE_EAX)), "");
}

// clang-format off
#define COPY 0x48, 0x8d, 0x7d, 0xc0, 0xba, 0x20, 0, 0, 0, 0xe8, 0, 0, 0, 0
// lea -0x40(%rbp),%rdi; mov $0x20,%edx; call memcpy
// clang-format on

TEST(a_call_that_copies_a_structure_is_passed)
{
	// mov %ebx,-4(%rbp)
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(COPY, 0x89, 0x5d, 0xfc, USE)),
			    "%rbx at 11");
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(COPY, STORE_EAX, USE)), "? at 11");
	assert_string_equal(stored_in(SLOT(RBP, -0x40, 8), CODE(COPY, USE)), "*(u64 *)(%rsi) at e");
	assert_string_equal(stored_in(SLOT(RBP, -0x38, 8), CODE(COPY, USE)),
			    "*(u64 *)(%rsi+8) at e");
	assert_string_equal(stored_in(SLOT(RBP, -0x28, 16), CODE(COPY, USE)), "? at e");
	// mov %eax,8(%rsi)
	assert_string_equal(stored_in(SLOT(RBP, -0x38, 8), CODE(0x89, 0x46, 8, COPY, USE)),
			    "? at 11");
	// sub $8,%rdi; mov $0x20,%edx; call: not to the frame
	assert_string_equal(stored_in(SLOT(RBP, -4, 4), CODE(0x48, 0x83, 0xef, 8, 0xba, 0x20, 0, 0,
							     0, 0xe8, 0, 0, 0, 0, STORE_EAX, USE)),
			    "");
}

// push %rbp; mov %rsp,%rbp; mov %edi,-4(%rbp); mov 0x10(%rbp),%eax
TEST(a_slot_may_be_at_the_frame_pointer_that_is_set_up_first)
{
	const struct code code =
		CODE(0x55, 0x48, 0x89, 0xe5, 0x89, 0x7d, 0xfc, 0x8b, 0x45, 0x10, USE);
	struct ic_slot slot = SLOT(RBP, -4, 4);

	assert_string_equal(stored_in(slot, code), "");
	slot.moves = true;
	assert_string_equal(stored_in(slot, code), "%rdi at 7");
	assert_string_equal(stored_in(SLOT(RSP, -12, 4), code), "%rdi at 7");
	slot.offset = 0x10; // what the caller has pushed
	assert_string_equal(stored_in(slot, code), "*(u64 *)(%rsp+8) at a");
	slot.offset = 0; // its own frame pointer
	assert_string_equal(stored_in(slot, code), "");
}

TEST(a_slot_may_be_reached_by_another_register)
{
	// mov %eax,(%r13)
	const struct code code = CODE(0x41, 0x89, 0x45, 0x00, USE);
	struct ic_slot slot = SLOT(RSP, 8, 4);

	assert_string_equal(stored_in(slot, code), "");
	slot.is_reached = true;
	assert_string_equal(stored_in(slot, code), "? at 4");
	// mov (%rax),%rdx; mov %ecx,(%rdx): that was not made before
	assert_string_equal(stored_in(slot, CODE(0x48, 0x8b, 0x10, 0x89, 0x0a, USE)), "");
}

TEST(slots_that_are_none_have_nothing)
{
	assert_string_equal(stored_in(SLOT(200, 0, 4), CODE(STORE_EAX, USE)), "");
	assert_string_equal(stored_in(SLOT(RBP, -4, 0), CODE(STORE_EAX, USE)), "");
	assert_string_equal(stored_in(SLOT(RBP, -4, -1), CODE(STORE_EAX, USE)), "");
}

static const char *stored_by(struct ic_slot slot, uint32_t *words, size_t count)
{
	little_words(words, count);
	return stored_on(MACHINE_AARCH64, slot,
			 (struct code){ (const uint8_t *)words, count * sizeof(*words) });
}

// On AArch64, by words of code before a return.
#define STORED_BY(of, at, bytes, ...)                                           \
	stored_by(SLOT(of, at, bytes), (uint32_t[]){ __VA_ARGS__, 0xd65f03c0 }, \
		  COUNT_OF(((uint32_t[]){ __VA_ARGS__, 0 })))

TEST(registers_of_aarch64_are_stored)
{
	assert_string_equal(STORED_BY(SP, 12, 4, 0xb9000fe0), "x0 at 4");  // str w0,[sp,#12]
	assert_string_equal(STORED_BY(SP, 3, 1, 0x39000fe9), "x9 at 4");   // strb w9,[sp,#3]
	assert_string_equal(STORED_BY(SP, 16, 16, 0x3d8007e3), "v3 at 4"); // str q3,[sp,#16]
	assert_string_equal(STORED_BY(SP, 16, 8, 0xfd000be1), "v1 at 4");  // str d1,[sp,#16]
	assert_string_equal(STORED_BY(SP, 12, 4, 0xb9000fff), "0x0 at 4"); // str wzr,[sp,#12]
	// nop; str w0,[sp,#12]
	assert_string_equal(STORED_BY(SP, 12, 4, 0xd503201f, 0xb9000fe0), "x0 at 8");
}

TEST(pairs_of_aarch64_are_stored)
{
	assert_string_equal(STORED_BY(SP, 8, 4, 0x29010be1), "x1 at 4"); // stp w1,w2,[sp,#8]
	assert_string_equal(STORED_BY(SP, 12, 4, 0x29010be1), "x2 at 4");
	assert_string_equal(STORED_BY(SP, -32, 8, 0xa9be7bfd),
			    "x29 at 4"); // stp x29,x30,[sp,#-32]!
	assert_string_equal(STORED_BY(SP, -24, 8, 0xa9be7bfd), "x30 at 4");
	// stp x29,x30,[sp,#-32]!; mov x29,sp; str x3,[x29,#24]
	assert_string_equal(STORED_BY(SP, -8, 8, 0xa9be7bfd, 0x910003fd, 0xf9000fa3), "x3 at c");
	assert_string_equal(STORED_BY(SP, -8, 4, 0xa9be7bfd, 0x910003fd, 0xf9000fa3), "x3 at c");
	// prfm pldl1keep,[x0]; prfm pldl1keep,[x0,x1]; stp w1,w2,[sp,#8]
	assert_string_equal(STORED_BY(SP, 8, 4, 0xf9800000, 0xf8a16800, 0x29010be1), "x1 at c");
	// str x8,[sp],#16; str w0,[sp,#12]
	assert_string_equal(STORED_BY(SP, 0, 8, 0xf80107e8, 0xb9000fe0), "x8 at 4");
	assert_string_equal(STORED_BY(SP, 28, 4, 0xf80107e8, 0xb9000fe0), "x0 at 8");
}

TEST(what_is_stored_on_aarch64_is_told_by_what_was_there_at_first)
{
	// mov w4,#5; str w4,[sp,#12]
	assert_string_equal(STORED_BY(SP, 12, 4, 0x528000a4, 0xb9000fe4), "0x5 at 8");
	// mov w4,#-4; str w4,[sp,#12]
	assert_string_equal(STORED_BY(SP, 12, 4, 0x12800064, 0xb9000fe4), "0xfffffffc at 8");
	// sub sp,sp,#48; add x5,sp,#8; str x5,[sp,#16]
	assert_string_equal(STORED_BY(SP, -32, 8, 0xd100c3ff, 0x910023e5, 0xf9000be5),
			    "sp-40 at c");
	// adrp x6, two pages on; add x6,x6,#16; str x6,[sp,#24]
	assert_string_equal(STORED_BY(SP, 24, 8, 0xd0000006, 0x910040c6, 0xf9000fe6),
			    "&0x3010 at c");
	// fmov d2,d1; str d2,[sp,#16]
	assert_string_equal(STORED_BY(SP, 16, 8, 0x1e604022, 0xfd000be2), "v1 at 8");
	// ldr x7,[x1,#8]; str x7,[sp,#16]
	assert_string_equal(STORED_BY(SP, 16, 8, 0xf9400427, 0xf9000be7), "*(u64 *)(x1+8) at 8");
	// ldp x1,x2,[x1]; str x1,[sp,#16]
	assert_string_equal(STORED_BY(SP, 16, 8, 0xa9400821, 0xf9000be1), "*(u64 *)(x1) at 8");
	// ldp x1,x2,[x1]; stp w1,w2,[sp,#8]
	assert_string_equal(STORED_BY(SP, 12, 4, 0xa9400821, 0x29010be1), "*(u64 *)(x1+8) at 8");
	// mov x10,x11; str x10,[sp,#16]
	assert_string_equal(STORED_BY(SP, 16, 8, 0xaa0b03ea, 0xf9000bea), "x11 at 8");
	// sub w13,w1,#3; str w13,[sp,#12]
	assert_string_equal(STORED_BY(SP, 12, 4, 0x51000c2d, 0xb9000fed), "x1-3 at 8");
	// ldrsw x12,[x0]; cmp w0,#1; tst w0,#1; stp w1,w2,[sp,#8]
	assert_string_equal(STORED_BY(SP, 8, 4, 0xb980000c, 0x7100041f, 0x7200001f, 0x29010be1),
			    "x1 at 10");
}

TEST(what_is_not_known_on_aarch64_is_not_told)
{
	// str x0,[x1,x2,lsl #3]; str w0,[sp,#12]: the slot is not among what may have been written
	assert_string_equal(STORED_BY(SP, 12, 4, 0xf8227820, 0xb9000fe0), "x0 at 8");
	// eor w0,w22,#6; str w0,[sp,#12]
	assert_string_equal(STORED_BY(SP, 12, 4, 0x521f06c0, 0xb9000fe0), "? at 8");
	// dc zva,x0; str w0,[sp,#12]
	assert_string_equal(STORED_BY(SP, 12, 4, 0xd50b7420, 0xb9000fe0), "");
	// ldr x7,[sp,#16]; str w0,[sp,#16]: read first
	assert_string_equal(STORED_BY(SP, 16, 4, 0xf9400be7, 0xb90013e0), "");
	// paciasp; stp x29,x30,[sp,#-32]!
	assert_string_equal(STORED_BY(SP, -24, 8, 0xd503233f, 0xa9be7bfd), "? at 8");
	// ldapr x0,[x1]; ldadda x0,x1,[x2]; a store by an unprivileged vector, which is none
	assert_string_equal(STORED_BY(SP, 12, 4, 0xf8bfc020, 0xb9000fe0), "");
	assert_string_equal(STORED_BY(SP, 12, 4, 0xf8a00041, 0xb9000fe0), "");
	assert_string_equal(STORED_BY(SP, 12, 4, 0x3c000800, 0xb9000fe0), "");
	// sub sp,sp,x0; str w1,[sp,#12]: the slot below the first stack pointer is not found
	assert_string_equal(STORED_BY(SP, 12, 4, 0xcb2063ff, 0xb9000fe1), "");
	// addg sp,sp,#16,#0; str w1,[sp,#12]
	assert_string_equal(STORED_BY(SP, 12, 4, 0x918103ff, 0xb9000fe1), "");
	// a word that is no instruction
	assert_string_equal(STORED_BY(SP, 12, 4, 0, 0xb9000fe0), "");
}

UNIT_TESTS(code_stored_stored)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_register_is_stored),
		cmocka_unit_test(what_is_stored_is_told_by_what_was_there_at_first),
		cmocka_unit_test(a_part_of_what_is_stored),
		cmocka_unit_test(registers_of_aarch64_are_stored),
		cmocka_unit_test(pairs_of_aarch64_are_stored),
		cmocka_unit_test(what_is_stored_on_aarch64_is_told_by_what_was_there_at_first),
		cmocka_unit_test(what_is_not_known_on_aarch64_is_not_told),
		cmocka_unit_test(what_is_not_told_is_not_guessed),
		cmocka_unit_test(memory_that_was_stored_meanwhile_has_that_value),
		cmocka_unit_test(what_is_read_first_is_there),
		cmocka_unit_test(only_one_way_is_followed),
		cmocka_unit_test(a_call_that_copies_a_structure_is_passed),
		cmocka_unit_test(a_slot_may_be_at_the_frame_pointer_that_is_set_up_first),
		cmocka_unit_test(a_slot_may_be_reached_by_another_register),
		cmocka_unit_test(slots_that_are_none_have_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
