#include "dwarf/expressions/reduce.h"

#include "unit_test.h"

#include <stdio.h>
#include <time.h>

#include "dwarf/expressions/operation.h"

#include "dwarf_constants.h"
#include "fixtures/expression.h"

enum { MOST_BYTES = 32 };

struct row {
	const char *wanted; // text, or an error's message
	uint8_t size;       // of the type
	uint8_t count;
	uint8_t bytes[MOST_BYTES];
};

#define ROW(wanted, size, ...)                                          \
	{                                                               \
		wanted, size, sizeof((const uint8_t[]){ __VA_ARGS__ }), \
		{                                                       \
			__VA_ARGS__                                     \
		}                                                       \
	}

struct of { // what an expression is reduced for
	uint8_t addr_size;
	bool is_big;
	bool is_elf32;
	struct ic_bytes frame_base;
};

static const struct of amd64 = { .addr_size = 8 };

static const char *reduce(const struct of *of, uint64_t size, struct ic_bytes bytes,
			  struct ic_location *location)
{
	static char text[4096];
	static const uint8_t table[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0 };
	const struct ic_dwarf dwarf = { .swap = of->is_big ? !SWAP_LITTLE : SWAP_LITTLE,
					.is_32_bit = of->is_elf32,
					.addr = { table, sizeof(table) } };
	const struct ic_unit unit = { .dwarf = &dwarf,
				      .version = 5,
				      .addr_size = of->addr_size,
				      .offset_size = 4,
				      .root.addr_base = 8 };
	struct ic_cursor cur = ic_cursor_at(bytes, ".test", 0, bytes.size, dwarf.swap);
	struct ic_reduction how = { .unit = &unit, .size = size };
	struct ic_arena arena = { .blocks = NULL };
	struct ic_error err = { .message = "" };

	if (of->frame_base.size)
		how.frame_base =
			ic_cursor_at(of->frame_base, ".frame", 0, of->frame_base.size, dwarf.swap);
	how.arena = &arena;
	if (ic_expression_reduce(&how, cur, location, &err)) {
		const struct ic_location_text_options options = { .size = size,
								  .machine = 62 /* x86-64 */ };
		ic_location_text(location, &options, text, sizeof(text));
	} else {
		assert_int_equal(location->kind, IC_LOCATION_UNAVAILABLE);
		assert_int_equal(location->why, IC_LOCATION_WHY_UNREADABLE);
		snprintf(text, sizeof(text), "%s", err.message);
	}
	assert_ptr_equal(location->expression, bytes.size ? bytes.data : NULL);
	assert_int_equal(location->expression_size, bytes.size);
	ic_arena_free(&arena);
	location->pieces = NULL;
	return text;
}

static void check_row(const struct of *of, const struct row *row)
{
	struct ic_location location;

	assert_string_equal(
		reduce(of, row->size, (struct ic_bytes){ row->bytes, row->count }, &location),
		row->wanted);
}

#define CHECK(of, wanted, size, ...)                                   \
	do {                                                           \
		const struct row row = ROW(wanted, size, __VA_ARGS__); \
		check_row(of, &row);                                   \
	} while (false)

// A case or more of every operation.
// clang-format off
static const struct row rows[] = {
	ROW("*(u32 *)(&0x1000)", 4, DW_OP_addr, 0, 0x10, 0, 0, 0, 0, 0, 0),
	ROW("&0x1000", 8, DW_OP_addr, 0, 0x10, 0, 0, 0, 0, 0, 0, VALUE),
	ROW("&0x1008", 8, DW_OP_addr, 0, 0x10, 0, 0, 0, 0, 0, 0, DW_OP_plus_uconst, 8, VALUE),
	ROW("*(u32 *)(*(u64 *)(%rdi))", 4, BREG(5), 0, DW_OP_deref),
	ROW("0xff", 4, DW_OP_const1u, 0xff, VALUE),
	ROW("0xffffffff", 4, DW_OP_const1s, 0xff, VALUE),
	ROW("0xffff", 8, DW_OP_const2u, 0xff, 0xff, VALUE),
	ROW("0xfffffffffffffffe", 8, DW_OP_const2s, 0xfe, 0xff, VALUE),
	ROW("0xfffffffe", 8, DW_OP_const4u, 0xfe, 0xff, 0xff, 0xff, VALUE),
	ROW("0xfffffffffffffffe", 8, DW_OP_const4s, 0xfe, 0xff, 0xff, 0xff, VALUE),
	ROW("0x807060504030201", 8, DW_OP_const8u, 1, 2, 3, 4, 5, 6, 7, 8, VALUE),
	ROW("0x807060504030201", 8, DW_OP_const8s, 1, 2, 3, 4, 5, 6, 7, 8, VALUE),
	ROW("0x3e8", 4, DW_OP_constu, 0xe8, 7, VALUE),
	ROW("0xff80", 2, DW_OP_consts, 0x80, 0x7f, VALUE),
	ROW("0x6", 4, LIT(3), DW_OP_dup, DW_OP_plus, VALUE),
	ROW("0x1", 4, LIT(1), LIT(2), DW_OP_drop, VALUE),
	ROW("0x1", 4, LIT(1), LIT(2), DW_OP_over, VALUE),
	ROW("0x1", 4, LIT(1), LIT(2), LIT(3), DW_OP_pick, 2, VALUE),
	ROW("0x1", 4, LIT(1), LIT(2), DW_OP_swap, VALUE),
	ROW("0x2", 4, LIT(1), LIT(2), LIT(3), DW_OP_rot, VALUE),
	ROW("0x1", 4, LIT(1), LIT(2), LIT(3), DW_OP_rot, DW_OP_drop, VALUE),
	ROW("0x3", 4, LIT(1), LIT(2), LIT(3), DW_OP_rot, DW_OP_drop, DW_OP_drop, VALUE),
	ROW("computed", 4, LIT(1), LIT(2), DW_OP_xderef, VALUE),
	ROW("0x5", 4, DW_OP_const1s, 0xfb, DW_OP_abs, VALUE),
	ROW("0x8", 4, LIT(12), LIT(10), DW_OP_and, VALUE),
	ROW("0xfd", 1, DW_OP_const1s, 0xf9, LIT(2), DW_OP_div, VALUE),
	ROW("computed", 1, LIT(7), LIT(0), DW_OP_div, VALUE),
	ROW("%rdi-8", 8, BREG(5), 0, LIT(8), DW_OP_minus, VALUE),
	ROW("0x1", 1, LIT(7), LIT(2), DW_OP_mod, VALUE),
	ROW("0x1", 1, DW_OP_const1s, 0xff, LIT(2), DW_OP_mod, VALUE), // unsigned
	ROW("computed", 1, LIT(7), LIT(0), DW_OP_mod, VALUE),
	ROW("0x1e", 1, LIT(5), LIT(6), DW_OP_mul, VALUE),
	ROW("0xfb", 1, LIT(5), DW_OP_neg, VALUE),
	ROW("0xfa", 1, LIT(5), DW_OP_not, VALUE),
	ROW("0xe", 1, LIT(12), LIT(10), DW_OP_or, VALUE),
	ROW("%rdi+8", 8, BREG(5), 0, LIT(8), DW_OP_plus, VALUE),
	ROW("%rdi+8", 8, LIT(8), BREG(5), 0, DW_OP_plus, VALUE),
	ROW("computed", 8, BREG(5), 0, BREG(4), 0, DW_OP_plus, VALUE),
	ROW("%rdi+12", 8, BREG(5), 4, DW_OP_plus_uconst, 8, VALUE),
	ROW("0x14", 1, LIT(5), LIT(2), DW_OP_shl, VALUE),
	ROW("0x0", 1, LIT(5), DW_OP_const1u, 64, DW_OP_shl, VALUE),
	ROW("0xf", 1, DW_OP_const1s, 0xff, DW_OP_const1u, 60, DW_OP_shr, VALUE),
	ROW("0xff", 1, DW_OP_const1s, 0xff, DW_OP_const1u, 60, DW_OP_shra, VALUE),
	ROW("0xff", 1, DW_OP_const1s, 0xff, DW_OP_const1u, 99, DW_OP_shra, VALUE),
	ROW("0x6", 1, LIT(12), LIT(10), DW_OP_xor, VALUE),
	ROW("computed", 8, LIT(1), DW_OP_bra, 0, 0, VALUE),
	ROW("0x1", 1, LIT(1), LIT(1), DW_OP_eq, VALUE),
	ROW("0x0", 1, DW_OP_const1s, 0xff, LIT(0), DW_OP_ge, VALUE),
	ROW("0x0", 1, DW_OP_const1s, 0xff, LIT(0), DW_OP_gt, VALUE),
	ROW("0x1", 1, DW_OP_const1s, 0xff, LIT(0), DW_OP_le, VALUE),
	ROW("0x1", 1, DW_OP_const1s, 0xff, LIT(0), DW_OP_lt, VALUE),
	ROW("0x1", 1, DW_OP_const1s, 0xff, LIT(0), DW_OP_ne, VALUE),
	ROW("computed", 8, DW_OP_skip, 0, 0, LIT(1), VALUE),
	ROW("0x1f", 1, LIT(31), VALUE),
	ROW("*(u8 *)(0x1f)", 1, LIT(31)),
	ROW("%rdi", 8, REG(5)),
	ROW("*(u16 *)(%rdi-1)", 2, BREG(5), 0x7f),
	ROW("reg300", 8, DW_OP_regx, 0xac, 2),
	ROW("computed", 8, DW_OP_fbreg, 0x10), // without a frame base
	ROW("reg300+1", 8, DW_OP_bregx, 0xac, 2, 1, VALUE),
	ROW("{%rdi:4, %rsi:4}", 8, REG(5), DW_OP_piece, 4, REG(4), DW_OP_piece, 4),
	ROW("%rdi", 4, REG(5), DW_OP_piece, 4),
	ROW("{%rdi:4, unavailable:4}", 8, REG(5), DW_OP_piece, 4, DW_OP_piece, 4),
	ROW("{0x1:4, *(u32 *)(%rsi+4):4}", 8,
	    LIT(1), VALUE, DW_OP_piece, 4, BREG(4), 4, DW_OP_piece, 4),
	ROW("*(u32 *)(*(u16 *)(%rdi)+3)", 4,
	    BREG(5), 0, DW_OP_deref_size, 2, DW_OP_plus_uconst, 3),
	ROW("*(u32 *)(%rdi+8)", 4, BREG(5), 8, DW_OP_deref_size, 16, VALUE), // by Clang
	ROW("computed", 4, LIT(1), LIT(2), DW_OP_xderef_size, 4, VALUE),
	ROW("%rdi", 8, DW_OP_nop, REG(5), DW_OP_nop),
	ROW("computed", 8, DW_OP_push_object_address),
	ROW("computed", 8, DW_OP_call2, 0, 0),
	ROW("computed", 8, DW_OP_call4, 0, 0, 0, 0),
	ROW("computed", 8, DW_OP_call_ref, 0, 0, 0, 0),
	ROW("computed", 8, LIT(1), DW_OP_form_tls_address),
	ROW("*(u32 *)(CFA-8)", 4, DW_OP_call_frame_cfa, DW_OP_const1s, 0xf8, DW_OP_plus),
	ROW("CFA+8", 4, DW_OP_call_frame_cfa, DW_OP_plus_uconst, 8, VALUE),
	ROW("{%rdi:3b, %rsi:5b@2}", 1,
	    REG(5), DW_OP_bit_piece, 3, 0, REG(4), DW_OP_bit_piece, 5, 2),
	ROW("%rdi", 1, REG(5), DW_OP_bit_piece, 8, 0),
	ROW("0x4030201", 4, DW_OP_implicit_value, 4, 1, 2, 3, 4),
	ROW("{01 02 03 04 05 06 07 08 09}", 9, DW_OP_implicit_value, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9),
	ROW("0x0", 4, LIT(0), VALUE),
	ROW("computed", 8, DW_OP_implicit_pointer, 0, 0, 0, 0, 0),
	ROW("*(u32 *)(&0x2000)", 4, DW_OP_addrx, 0),
	ROW("0x200000", 4, DW_OP_constx, 0, LIT(8), DW_OP_shl, VALUE),
	ROW("entry(%rdi)", 8, DW_OP_entry_value, 1, REG(5), VALUE),
	ROW("entry(%rdi)+8", 8, DW_OP_entry_value, 1, REG(5), DW_OP_plus_uconst, 8, VALUE),
	ROW("*(u32 *)(entry(%rdi)+8)", 4, DW_OP_entry_value, 1, REG(5), DW_OP_plus_uconst, 8),
	ROW("entry(%rdi)+16", 8, DW_OP_entry_value, 2, BREG(5), 16, VALUE),
	ROW("computed", 8, DW_OP_entry_value, 3, BREG(5), 16, DW_OP_deref, VALUE),
	ROW("computed", 8, DW_OP_entry_value, 3, DW_OP_entry_value, 1, REG(5), VALUE),
	ROW("CFA", 8, DW_OP_entry_value, 1, DW_OP_call_frame_cfa, VALUE),
	ROW("computed", 8, DW_OP_const_type, 9, 1, 7, VALUE),
	ROW("computed", 8, DW_OP_regval_type, 5, 9, VALUE),
	ROW("computed", 8, BREG(5), 0, DW_OP_deref_type, 4, 9, VALUE),
	ROW("computed", 8, LIT(1), LIT(2), DW_OP_xderef_type, 4, 9, VALUE),
	ROW("computed", 8, BREG(5), 0, DW_OP_convert, 9, VALUE),
	ROW("computed", 8, BREG(5), 0, DW_OP_reinterpret, 9, VALUE),
	ROW("computed", 8, LIT(1), DW_OP_GNU_push_tls_address),
	ROW("computed", 8, DW_OP_LLVM_user, 2),
	ROW("%rdi", 8, DW_OP_GNU_uninit, REG(5), DW_OP_GNU_uninit),
	ROW("computed", 8, DW_OP_GNU_encoded_addr, 0, 1, 2, 3, 4, 5, 6, 7, 8),
	ROW("computed", 8, DW_OP_GNU_implicit_pointer, 0, 0, 0, 0, 0),
	ROW("entry(%rdi)", 8, DW_OP_GNU_entry_value, 1, REG(5), VALUE),
	ROW("computed", 8, DW_OP_GNU_const_type, 9, 1, 7, VALUE),
	ROW("computed", 8, DW_OP_GNU_regval_type, 5, 9, VALUE),
	ROW("computed", 8, BREG(5), 0, DW_OP_GNU_deref_type, 4, 9, VALUE),
	ROW("computed", 8, BREG(5), 0, DW_OP_GNU_convert, 9, VALUE),
	ROW("computed", 8, BREG(5), 0, DW_OP_GNU_reinterpret, 9, VALUE),
	ROW("computed", 8, DW_OP_GNU_parameter_ref, 0, 0, 0, 0, VALUE),
	ROW("&0x2000", 8, DW_OP_GNU_addr_index, 0, VALUE),
	ROW("0x2000", 8, DW_OP_GNU_const_index, 0, VALUE),
	ROW("computed", 8, DW_OP_GNU_variable_value, 0, 0, 0, 0, VALUE),
};
// clang-format on

TEST(every_operation_comes_down_to_what_it_means)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		check_row(&amd64, &rows[i]);
}

TEST(no_operation_is_left_out)
{
	struct operations_seen seen = { { false } };

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		operations_note(&seen, (struct ic_bytes){ rows[i].bytes, rows[i].count });
	operations_check_all(&seen);
}

TEST(an_expression_without_operations_is_optimised_out)
{
	struct ic_location location;

	assert_string_equal(reduce(&amd64, 4, (struct ic_bytes){ NULL, 0 }, &location),
			    "unavailable (optimised out)");
	CHECK(&amd64, "unavailable (optimised out)", 4, DW_OP_nop);
}

TEST(loads_are_followed_in_a_chain)
{
	CHECK(&amd64, "*(u64 *)(*(u64 *)(%rdi+16)+8)", 8, BREG(5), 16, DW_OP_deref,
	      DW_OP_plus_uconst, 8);
	CHECK(&amd64, "*(u64 *)(*(u64 *)(%rdi+16)+8)-1", 8, BREG(5), 16, DW_OP_deref,
	      DW_OP_plus_uconst, 8, DW_OP_deref, LIT(1), DW_OP_minus, VALUE);
	CHECK(&amd64, "*(u8 *)(*(u64 *)(*(u64 *)(*(u64 *)(*(u64 *)(%rdi)))))", 1, BREG(5), 0,
	      DW_OP_deref, DW_OP_deref, DW_OP_deref, DW_OP_deref);
	CHECK(&amd64, "computed", 1, BREG(5), 0, DW_OP_deref, DW_OP_deref, DW_OP_deref, DW_OP_deref,
	      DW_OP_deref);
}

TEST(a_value_that_was_loaded_is_in_memory)
{
	static const struct of big = { .addr_size = 8, .is_big = true };

	CHECK(&amd64, "*(u64 *)(%rdi)", 8, BREG(5), 0, DW_OP_deref, VALUE);
	CHECK(&amd64, "*(u32 *)(%rdi)", 4, BREG(5), 0, DW_OP_deref, VALUE); // its low-order bytes
	CHECK(&big, "*(u32 *)(%rdi+4)", 4, BREG(5), 0, DW_OP_deref, VALUE);
	CHECK(&big, "*(u16 *)(%rdi+2)", 2, BREG(5), 0, DW_OP_deref_size, 4, VALUE);
	CHECK(&big, ".test+0x2: DW_OP_deref_size: invalid load size: 16 bytes", 8, BREG(5), 0,
	      DW_OP_deref_size, 16, VALUE);
	CHECK(&amd64, "*(u32 *)(%rdi)", 8, BREG(5), 0, DW_OP_deref_size, 4, VALUE); // not 8 bytes
	CHECK(&amd64, "*(u64 *)(%rdi)", 0, BREG(5), 0, DW_OP_deref, VALUE);
}

TEST(the_frame_base_is_that_of_the_function)
{
	const struct of cfa = { .addr_size = 8, .frame_base = BYTES(DW_OP_call_frame_cfa) };
	const struct of reg = { .addr_size = 8, .frame_base = BYTES(REG(6)) };
	const struct of breg = { .addr_size = 8, .frame_base = BYTES(BREG(5), 16) };
	const struct of value = { .addr_size = 8, .frame_base = BYTES(BREG(5), 16, VALUE) };
	const struct of itself = { .addr_size = 8, .frame_base = BYTES(DW_OP_fbreg, 16) };
	const struct of parts = { .addr_size = 8, .frame_base = BYTES(REG(6), DW_OP_piece, 8) };
	const struct of cut = { .addr_size = 8, .frame_base = BYTES(BREG(5)) };

	CHECK(&cfa, "*(u32 *)(CFA-8)", 4, DW_OP_fbreg, 0x78);
	CHECK(&cfa, "CFA-8", 8, DW_OP_fbreg, 0x78, VALUE);
	CHECK(&cfa, "*(u32 *)(*(u64 *)(CFA-8)+4)", 4, DW_OP_fbreg, 0x78, DW_OP_deref,
	      DW_OP_plus_uconst, 4);
	CHECK(&reg, "*(u32 *)(%rbp-8)", 4, DW_OP_fbreg, 0x78);
	CHECK(&breg, "*(u32 *)(%rdi+8)", 4, DW_OP_fbreg, 0x78);
	CHECK(&value, "*(u32 *)(%rdi+8)", 4, DW_OP_fbreg, 0x78);
	CHECK(&itself, "computed", 4, DW_OP_fbreg, 0x78);
	CHECK(&parts, "computed", 4, DW_OP_fbreg, 0x78);
	CHECK(&cut, ".frame+0x1: unexpected end of data", 4, DW_OP_fbreg, 0x78);
}

TEST(the_frame_base_is_reduced_only_once)
{
	enum { SIZE = 1 << 18 };
	static uint8_t bytes[SIZE], frame[SIZE];
	const struct of of = { .addr_size = 8, .frame_base = { frame, SIZE } };
	struct ic_location location;
	size_t size = 0;

	memset(frame, DW_OP_nop, SIZE);
	frame[SIZE - 1] = DW_OP_call_frame_cfa;
	while (size + 7 < SIZE) {
		static const uint8_t drops[] = { DW_OP_fbreg, 0, DW_OP_drop, DW_OP_entry_value, 2,
						 DW_OP_fbreg, 0, DW_OP_drop };
		memcpy(bytes + size, drops, sizeof(drops));
		size += sizeof(drops);
	}
	clock_t start = clock();
	// Every time, it would take minutes.
	assert_string_equal(reduce(&of, 8, (struct ic_bytes){ bytes, size }, &location),
			    "unavailable (optimised out)");
	assert_true((clock() - start) / CLOCKS_PER_SEC < 10);
}

TEST(on_entry_the_frame_is_only_known_by_the_cfa)
{
	const struct of cfa = { .addr_size = 8, .frame_base = BYTES(DW_OP_call_frame_cfa) };
	const struct of breg = { .addr_size = 8, .frame_base = BYTES(BREG(5), 16) };
	const struct of loaded = { .addr_size = 8,
				   .frame_base = BYTES(DW_OP_call_frame_cfa, DW_OP_deref) };

	CHECK(&cfa, "CFA+8", 8, DW_OP_entry_value, 2, DW_OP_fbreg, 8, VALUE);
	CHECK(&breg, "computed", 8, DW_OP_entry_value, 2, DW_OP_fbreg, 8, VALUE);
	CHECK(&loaded, "*(u64 *)(CFA)+8", 8, DW_OP_fbreg, 8, VALUE);
	CHECK(&loaded, "computed", 8, DW_OP_entry_value, 2, DW_OP_fbreg, 8, VALUE);
}

TEST(numbers_and_offsets_wrap_at_the_size_of_an_address)
{
	static const struct of small = { .addr_size = 4 };

	CHECK(&small, "0xffffffff", 8, DW_OP_const1s, 0xff, VALUE);
	CHECK(&small, "0x1", 4, DW_OP_const4u, 0xff, 0xff, 0xff, 0xff, LIT(2), DW_OP_plus, VALUE);
	CHECK(&small, "*(u32 *)(%rdi-4)", 4, BREG(5), 0, DW_OP_const4u, 0xfc, 0xff, 0xff, 0xff,
	      DW_OP_plus);
	CHECK(&small, "*(u32 *)(*(u32 *)(%rdi)-4)", 4, BREG(5), 0, DW_OP_deref, DW_OP_const4u, 0xfc,
	      0xff, 0xff, 0xff, DW_OP_plus);
	CHECK(&small, "*(u32 *)(&0x4)", 4, DW_OP_addr, 0xfc, 0xff, 0xff, 0xff, DW_OP_plus_uconst,
	      8);
	CHECK(&small, "0x1", 4, DW_OP_const4u, 0, 0, 0, 0x80, LIT(31), DW_OP_shr, VALUE);
	CHECK(&small, "0x0", 4, DW_OP_const4u, 0, 0, 0, 0x80, DW_OP_const1u, 32, DW_OP_shr, VALUE);
	CHECK(&amd64, "%rdi-1", 8, BREG(5), 0, DW_OP_const8u, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	      0xff, 0xff, DW_OP_plus, VALUE);
	CHECK(&amd64, "0x8000000000000000", 8, DW_OP_const8u, 0, 0, 0, 0, 0, 0, 0, 0x80,
	      DW_OP_const1s, 0xff, DW_OP_div, VALUE);
}

TEST(addresses_of_a_32_bit_file_have_32_bits)
{
	static const struct of elf32 = { .addr_size = 8, .is_elf32 = true };

	CHECK(&elf32, "&0x80001000", 8, DW_OP_addr, 0, 0x10, 0, 0x80, 0xff, 0xff, 0xff, 0xff,
	      VALUE);
}

TEST(a_piece_that_is_not_the_whole_value_stays_one)
{
	CHECK(&amd64, "{%rdi:4}", 8, REG(5), DW_OP_piece, 4);
	CHECK(&amd64, "{%rdi:4}", 0, REG(5), DW_OP_piece, 4);
	CHECK(&amd64, "{%rdi:4b}", 1, REG(5), DW_OP_bit_piece, 4, 0);
	CHECK(&amd64, "{%rdi:8b@8}", 1, REG(5), DW_OP_bit_piece, 8, 8);
	CHECK(&amd64, "unavailable (optimised out)", 4, DW_OP_piece, 4);
	CHECK(&amd64, "{computed:4, *(u64 *)(%rsi):8}", 12, DW_OP_implicit_pointer, 0, 0, 0, 0, 0,
	      DW_OP_piece, 4, BREG(4), 0, DW_OP_deref, VALUE, DW_OP_piece, 8);
}

TEST(what_may_not_be_set_is_marked)
{
	struct ic_location location;

	reduce(&amd64, 8, BYTES(REG(5), DW_OP_GNU_uninit), &location);
	assert_true(location.is_uninitialised);
	reduce(&amd64, 8, BYTES(BREG(5), 0, DW_OP_GNU_uninit), &location);
	assert_true(location.is_uninitialised);
	reduce(&amd64, 8, BYTES(DW_OP_skip, 0, 0, LIT(1), DW_OP_GNU_uninit), &location);
	assert_true(location.is_uninitialised);
	reduce(&amd64, 8, BYTES(REG(5), DW_OP_piece, 4, REG(4), DW_OP_piece, 4, DW_OP_GNU_uninit),
	       &location);
	assert_true(location.is_uninitialised);
	reduce(&amd64, 4, BYTES(REG(5), DW_OP_piece, 4, DW_OP_GNU_uninit), &location);
	assert_true(location.is_uninitialised);
	reduce(&amd64, 8, BYTES(REG(5)), &location);
	assert_false(location.is_uninitialised);
}

TEST(what_is_no_expression_is_unreadable)
{
	CHECK(&amd64, ".test+0x0: unknown operation", 8, 1);
	CHECK(&amd64, ".test+0x1: unexpected end of data", 8, BREG(5));
	CHECK(&amd64, ".test+0x4: unexpected end of data", 8, DW_OP_skip, 0, 0, BREG(5));
	CHECK(&amd64, ".test+0x0: DW_OP_stack_value: too few values on the stack", 8, VALUE);
	CHECK(&amd64, ".test+0x1: DW_OP_plus: too few values on the stack", 8, LIT(1), DW_OP_plus);
	CHECK(&amd64, ".test+0x2: DW_OP_rot: too few values on the stack", 8, LIT(1), LIT(2),
	      DW_OP_rot);
	CHECK(&amd64, ".test+0x1: DW_OP_pick: too few values on the stack", 8, LIT(1), DW_OP_pick,
	      1);
	CHECK(&amd64, ".test+0x1: DW_OP_lit1: follows a whole location", 8, REG(5), LIT(1));
	CHECK(&amd64, ".test+0x2: DW_OP_plus: follows a whole location", 8, LIT(1), VALUE,
	      DW_OP_plus);
	CHECK(&amd64, ".test+0x2: DW_OP_deref_size: invalid load size: 9 bytes", 8, BREG(5), 0,
	      DW_OP_deref_size, 9);
	CHECK(&amd64, ".test+0x2: DW_OP_deref_size: invalid load size: 0 bytes", 8, BREG(5), 0,
	      DW_OP_deref_size, 0);
	CHECK(&amd64, ".test+0x4: location after the last piece", 8, REG(5), DW_OP_piece, 4,
	      REG(4));
	CHECK(&amd64, ".test+0x0: DW_OP_regx: register number too large", 8, DW_OP_regx, 0xff, 0xff,
	      0xff, 0xff, 0x7f);
	CHECK(&amd64, ".debug_addr+0x10: offset is beyond the end of the section", 8, DW_OP_addrx,
	      1);
}

TEST(what_is_more_than_compilers_write_is_computed)
{
	uint8_t bytes[200];
	struct ic_location location;

	memset(bytes, LIT(1), sizeof(bytes));
	assert_string_equal(reduce(&amd64, 8, (struct ic_bytes){ bytes, 64 }, &location),
			    "*(u64 *)(0x1)");
	assert_string_equal(reduce(&amd64, 8, (struct ic_bytes){ bytes, 65 }, &location),
			    "computed");
	for (size_t i = 0; i < sizeof(bytes); i += 2)
		bytes[i] = DW_OP_piece;
	reduce(&amd64, 8, (struct ic_bytes){ bytes, 128 }, &location);
	assert_int_equal(location.kind, IC_LOCATION_PIECES);
	assert_int_equal(location.piece_count, 64);
	assert_string_equal(reduce(&amd64, 8, (struct ic_bytes){ bytes, 130 }, &location),
			    "computed");
}

struct constant {
	const char *wanted;
	uint16_t form;
	bool is_signed;
	uint8_t size;
	struct {
		uint8_t data[20];
		size_t size;
	} bytes;
	int64_t implicit;
};

TEST(a_constant_value_is_what_its_form_and_type_say)
{
	static const struct constant constants[] = {
		{ "255", DW_FORM_data1, false, 0, { { 0xff }, 1 }, 0 },
		{ "-1", DW_FORM_data1, true, 0, { { 0xff }, 1 }, 0 },
		{ "65534", DW_FORM_data2, false, 0, { { 0xfe, 0xff }, 2 }, 0 },
		{ "-2", DW_FORM_data4, true, 0, { { 0xfe, 0xff, 0xff, 0xff }, 4 }, 0 },
		{ "-2", DW_FORM_sdata, true, 0, { { 0x7e }, 1 }, 0 },
		{ "126", DW_FORM_udata, true, 0, { { 0x7e }, 1 }, 0 },
		{ "-5", DW_FORM_implicit_const, true, 0, { { 0 }, 0 }, -5 },
		{ "1", DW_FORM_flag_present, false, 0, { { 0 }, 0 }, 1 },
		{ "513", DW_FORM_block1, false, 2, { { 2, 1, 2 }, 3 }, 0 },
		{ "{01 02}", DW_FORM_exprloc, false, 4, { { 2, 1, 2 }, 3 }, 0 },
		{ "\"ab\"", DW_FORM_string, false, 4, { { 'a', 'b', 0 }, 3 }, 0 },
		{ "\"abc\"", DW_FORM_string, false, 4, { { 'a', 'b', 'c', 0 }, 4 }, 0 },
		{ "513", DW_FORM_indirect, false, 2, { { DW_FORM_block1, 2, 1, 2 }, 4 }, 0 },
		{ "{01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10}",
		  DW_FORM_indirect,
		  false,
		  16,
		  { { DW_FORM_data16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 }, 17 },
		  0 },
		{ "{01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10}",
		  DW_FORM_data16,
		  false,
		  16,
		  { { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 }, 16 },
		  0 },
		{ "&0x1000", DW_FORM_addr, false, 8, { { 0, 0x10, 0, 0 }, 8 }, 0 },
		{ ".test+0x0: unexpected end of data", DW_FORM_data2, false, 2, { { 1 }, 1 }, 0 },
		{ ".test+0x1: unexpected end of data", DW_FORM_block1, false, 2, { { 9 }, 2 }, 0 },
		{ "unexpected form 0x13 for a constant", DW_FORM_ref4, false, 2, { { 9 }, 4 }, 0 },
	};
	const struct ic_dwarf dwarf = { .swap = SWAP_LITTLE };
	const struct ic_unit unit = {
		.dwarf = &dwarf, .version = 5, .addr_size = 8, .offset_size = 4
	};

	for (size_t i = 0; i < COUNT_OF(constants); i++) {
		const struct constant *row = &constants[i];
		const struct ic_attr_spec spec = ic_attr_spec_make(DW_AT_const_value, row->form,
								   ic_form_size(row->form, &unit),
								   row->implicit);
		const struct ic_location_text_options options = { .size = row->size,
								  .is_signed = true };
		struct ic_location location;
		struct ic_error err;
		char text[128];

		if (ic_const_value_reduce(
			    cursor_over((struct ic_bytes){ row->bytes.data, row->bytes.size }),
			    &spec, &unit, row->is_signed, &location, &err))
			ic_location_text(&location, &options, text, sizeof(text));
		else
			snprintf(text, sizeof(text), "%.127s", err.message);
		assert_string_equal(text, row->wanted);
	}
}

TEST(a_short_string_also_is_the_number_that_its_bytes_are)
{
	const struct ic_dwarf dwarf = { .swap = SWAP_LITTLE };
	const struct ic_unit unit = {
		.dwarf = &dwarf, .version = 5, .addr_size = 8, .offset_size = 4
	};
	const struct ic_attr_spec spec = ic_attr_spec_make(DW_AT_const_value, DW_FORM_string,
							   ic_form_size(DW_FORM_string, &unit), 0);
	struct ic_location location;
	struct ic_error err;

	assert_true(ic_const_value_reduce(cursor_over(BYTES('a', 'b', 'c', 0)), &spec, &unit, false,
					  &location, &err));
	assert_int_equal(location.kind, IC_LOCATION_BYTES);
	assert_true(location.is_string);
	assert_int_equal(location.size, 4);
	assert_int_equal(location.constant, 0x636261);
}

UNIT_TESTS(dwarf_expressions_reduce)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operation_comes_down_to_what_it_means),
		cmocka_unit_test(no_operation_is_left_out),
		cmocka_unit_test(an_expression_without_operations_is_optimised_out),
		cmocka_unit_test(loads_are_followed_in_a_chain),
		cmocka_unit_test(a_value_that_was_loaded_is_in_memory),
		cmocka_unit_test(the_frame_base_is_that_of_the_function),
		cmocka_unit_test(the_frame_base_is_reduced_only_once),
		cmocka_unit_test(on_entry_the_frame_is_only_known_by_the_cfa),
		cmocka_unit_test(numbers_and_offsets_wrap_at_the_size_of_an_address),
		cmocka_unit_test(addresses_of_a_32_bit_file_have_32_bits),
		cmocka_unit_test(a_piece_that_is_not_the_whole_value_stays_one),
		cmocka_unit_test(what_may_not_be_set_is_marked),
		cmocka_unit_test(what_is_no_expression_is_unreadable),
		cmocka_unit_test(what_is_more_than_compilers_write_is_computed),
		cmocka_unit_test(a_constant_value_is_what_its_form_and_type_say),
		cmocka_unit_test(a_short_string_also_is_the_number_that_its_bytes_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
