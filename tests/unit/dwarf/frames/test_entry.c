#include "dwarf/frames/entry.h"

#include "unit_test.h"

#include <stdio.h>

#include "fixtures/cfi.h"

// Every kind of section: bit 0 is .eh_frame, bit 1 lengths of 64 bits, bit 2 big-endian, bit 3
// addresses of 4 bytes.
static struct cfi_builder builder(unsigned number)
{
	return (struct cfi_builder){ .is_eh = number & 1,
				     .is_64 = number & 2,
				     .bytes.big_endian = number & 4,
				     .addr_size = number & 8 ? 4 : 8 };
}

enum { BUILDERS = 16 };

static struct cfi_builder eh_frame(void)
{
	return (struct cfi_builder){ .is_eh = true, .addr_size = 8 };
}

TEST(entries_of_all_sizes_and_byte_orders_are_read)
{
	for (unsigned i = 0; i < BUILDERS; i++) {
		struct cfi_builder cfi = builder(i);
		size_t cie_off = cfi_add_cie(&cfi, (struct cfi_cie){ .code_align = 4,
								     .data_align = -200,
								     .return_reg = 16,
								     .instructions = CFI(0, 0) });
		size_t fde_off = cfi_add_fde(&cfi, (struct cfi_fde){ .cie = cie_off,
								     .start = 0x12345678,
								     .size = 0x100,
								     .instructions = CFI(0) });
		size_t zero_off = cfi_add_terminator(&cfi);
		const struct ic_cfi_section section = cfi_section(&cfi);
		struct ic_cfi_walk walk = { .section = &section };
		struct ic_cfi_entry entry;
		struct ic_error err;

		assert_true(ic_cfi_entry_next(&walk, &entry, &err));
		assert_int_equal(entry.kind, IC_CFI_CIE);
		assert_int_equal(entry.off, cie_off);
		assert_int_equal(entry.size, fde_off);
		assert_int_equal(entry.offset_size, cfi.is_64 ? 8 : 4);
		assert_true(ic_cfi_entry_next(&walk, &entry, &err));
		assert_int_equal(entry.kind, IC_CFI_FDE);
		assert_int_equal(entry.off, fde_off);
		assert_int_equal(entry.size, zero_off - fde_off);
		assert_int_equal(entry.cie_off, cie_off);
		assert_true(ic_cfi_entry_next(&walk, &entry, &err));
		assert_int_equal(entry.kind, IC_CFI_TERMINATOR);
		assert_int_equal(entry.off, zero_off);
		assert_int_equal(entry.size, 4);
		assert_false(ic_cfi_entry_next(&walk, &entry, &err));
		assert_int_equal(err.code, IC_ERROR_NONE);

		struct ic_cie cie = cfi_read_cie(&section, cie_off);
		assert_int_equal(cie.version, 1);
		assert_string_equal(cie.augmentation, "");
		assert_int_equal(cie.code_align, 4);
		assert_int_equal(cie.data_align, -200);
		assert_int_equal(cie.return_reg, 16);
		assert_int_equal(cie.addr_size, cfi.addr_size);
		assert_int_equal(cie.instructions.end - cie.instructions.pos, 2);
		assert_false(cie.has_data || cie.is_signal || !cie.personality.is_null);
		struct ic_fde fde = cfi_read_fde(&section, fde_off, &cie);
		assert_int_equal(fde.start, 0x12345678);
		assert_int_equal(fde.end, 0x12345778);
		assert_true(fde.lsda.is_null);
		assert_int_equal(fde.instructions.end - fde.instructions.pos, 1);
		cfi_builder_deinit(&cfi);
	}
}

TEST(later_versions_have_larger_return_registers_and_sizes_of_addresses)
{
	for (uint8_t version = 3; version <= 4; version++) {
		struct cfi_builder cfi = { .addr_size = 4 };
		cfi_add_cie(&cfi, (struct cfi_cie){ .version = version,
						    .return_reg = 300,
						    .segment_size = 2,
						    .instructions = CFI(0) });
		size_t off = cfi_begin(&cfi);
		cfi_put_cie_pointer(&cfi, 0);
		if (version == 4)
			byte_buffer_put(&cfi.bytes, 7, 2); // the segment
		byte_buffer_put(&cfi.bytes, 0x1000, 4);
		byte_buffer_put(&cfi.bytes, 0x10, 4);
		cfi_end(&cfi);
		struct ic_cfi_section section = cfi_section(&cfi);
		section.addr_size = version == 4 ? 8 : 4; // of the file
		struct ic_cie cie = cfi_read_cie(&section, 0);
		assert_int_equal(cie.version, version);
		assert_int_equal(cie.return_reg, 300);
		assert_int_equal(cie.addr_size, 4);
		assert_int_equal(cie.instructions.end - cie.instructions.pos, 1);
		struct ic_fde fde = cfi_read_fde(&section, off, &cie);
		assert_int_equal(fde.start, 0x1000);
		assert_int_equal(fde.end, 0x1010);
		cfi_builder_deinit(&cfi);
	}
}

static void check_no_cie(const struct cfi_builder *cfi, uint64_t off, enum ic_error_code code,
			 const char *message)
{
	const struct ic_cfi_section section = cfi_section(cfi);
	struct ic_error err;
	struct ic_cie cie;

	assert_false(ic_cie_read(&section, off, &cie, &err));
	assert_error(&err, code, message);
}

static void check_bad_cie(struct cfi_cie cie, bool is_eh, enum ic_error_code code,
			  const char *message)
{
	struct cfi_builder cfi = { .is_eh = is_eh, .addr_size = 8 };

	cfi_add_cie(&cfi, cie);
	check_no_cie(&cfi, 0, code, message);
	cfi_builder_deinit(&cfi);
}

// ---- Augmentations

TEST(addresses_have_the_encoding_of_the_augmentation)
{
	struct cfi_builder cfi = eh_frame();
	cfi_add_cie(&cfi, (struct cfi_cie){ .augmentation = "zRS",
					    .data = CFI(DW_EH_PE_pcrel | DW_EH_PE_sdata4),
					    .instructions = CFI(0) });
	size_t off = cfi_begin(&cfi);
	cfi_put_cie_pointer(&cfi, 0);
	uint64_t place = CFI_SECTION_ADDR + cfi.bytes.size;
	byte_buffer_put(&cfi.bytes, (uint32_t)-0x100, 4);
	byte_buffer_put(&cfi.bytes, 0x10, 4); // without a sign or base
	byte_buffer_uleb(&cfi.bytes, 0);
	cfi_end(&cfi);
	const struct ic_cfi_section section = cfi_section(&cfi);
	struct ic_cie cie = cfi_read_cie(&section, 0);

	assert_int_equal(cie.pointer_encoding, DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	assert_int_equal(cie.lsda_encoding, DW_EH_PE_omit);
	assert_true(cie.is_signal && cie.has_data);
	assert_int_equal(cie.instructions.end - cie.instructions.pos, 1);
	struct ic_fde fde = cfi_read_fde(&section, off, &cie);
	assert_int_equal(fde.start, place - 0x100);
	assert_int_equal(fde.end, place - 0xf0);
	cfi_builder_deinit(&cfi);
}

TEST(a_size_has_no_sign)
{
	struct cfi_builder cfi = eh_frame();
	cfi_add_cie(&cfi, (struct cfi_cie){ .augmentation = "zR", .data = CFI(DW_EH_PE_sdata2) });
	size_t off = cfi_begin(&cfi);
	cfi_put_cie_pointer(&cfi, 0);
	byte_buffer_put(&cfi.bytes, 0x1000, 2);
	byte_buffer_put(&cfi.bytes, 0xfff0, 2);
	byte_buffer_uleb(&cfi.bytes, 0);
	cfi_end(&cfi);
	const struct ic_cfi_section section = cfi_section(&cfi);
	struct ic_cie cie = cfi_read_cie(&section, 0);

	assert_int_equal(cfi_read_fde(&section, off, &cie).end, 0x1000 + 0xfff0);
	cfi_builder_deinit(&cfi);
}

TEST(a_personality_and_an_lsda_are_pointers_of_their_own)
{
	struct cfi_builder cfi = eh_frame();
	cfi_add_cie(
		&cfi,
		(struct cfi_cie){
			.augmentation = "zPLR",
			.data = CFI(DW_EH_PE_indirect | DW_EH_PE_datarel | DW_EH_PE_udata4, 0x20, 0,
				    0, 0, DW_EH_PE_funcrel | DW_EH_PE_udata2, DW_EH_PE_absptr),
			.instructions = CFI(0, 0, 0) });
	size_t off = cfi_add_fde(&cfi, (struct cfi_fde){ .cie = 0,
							 .start = 0x2000,
							 .size = 8,
							 .has_data = true,
							 .data = CFI(5, 0, 9, 9),
							 .instructions = CFI(0, 0) });
	const struct ic_cfi_section section = cfi_section(&cfi);
	struct ic_cie cie = cfi_read_cie(&section, 0);

	assert_int_equal(cie.personality.value, CFI_DATA_ADDR + 0x20);
	assert_true(cie.personality.is_indirect && !cie.personality.is_null);
	assert_int_equal(cie.pointer_encoding, DW_EH_PE_absptr);
	assert_int_equal(cie.instructions.end - cie.instructions.pos, 3);
	struct ic_fde fde = cfi_read_fde(&section, off, &cie);
	assert_int_equal(fde.lsda.value, 0x2005);
	assert_false(fde.lsda.is_null || fde.lsda.is_indirect);
	assert_null(fde.data.fault);
	assert_int_equal(fde.instructions.end - fde.instructions.pos, 2);
	cfi_builder_deinit(&cfi);
}

TEST(what_aarch64_has_in_the_augmentation_is_known)
{
	struct cfi_builder cfi = eh_frame();
	cfi_add_cie(&cfi, (struct cfi_cie){ .augmentation = "zRBG", .data = CFI(0) });
	const struct ic_cfi_section section = cfi_section(&cfi);
	struct ic_cie cie = cfi_read_cie(&section, 0);

	assert_true(cie.has_b_key);
	assert_int_equal(cie.pointer_encoding, DW_EH_PE_absptr);
	cfi_builder_deinit(&cfi);
}

TEST(letters_without_data_need_no_size)
{
	struct cfi_builder cfi = { .addr_size = 8 };
	cfi_add_cie(&cfi, (struct cfi_cie){ .augmentation = "SB", .instructions = CFI(0) });
	const struct ic_cfi_section section = cfi_section(&cfi);
	struct ic_cie cie = cfi_read_cie(&section, 0);

	assert_true(cie.is_signal && cie.has_b_key && !cie.has_data);
	assert_int_equal(cie.instructions.end - cie.instructions.pos, 1);
	cfi_builder_deinit(&cfi);
	check_bad_cie((struct cfi_cie){ .augmentation = "SR" }, false, IC_ERROR_MALFORMED,
		      ".debug_frame+0xc: unknown augmentation");
}

TEST(unknown_data_with_a_size_is_skipped)
{
	struct cfi_builder cfi = eh_frame();
	cfi_add_cie(&cfi, (struct cfi_cie){ .augmentation = "zRqS",
					    .data = CFI(DW_EH_PE_udata4, 1, 2, 3, 4),
					    .instructions = CFI(0) });
	const struct ic_cfi_section section = cfi_section(&cfi);
	struct ic_cie cie = cfi_read_cie(&section, 0);

	assert_int_equal(cie.pointer_encoding, DW_EH_PE_udata4);
	assert_false(cie.is_signal); // what follows an unknown letter is not known either
	assert_int_equal(cie.instructions.end - cie.instructions.pos, 1);
	cfi_builder_deinit(&cfi);
}

TEST(gcc_2_has_a_word_after_the_augmentation)
{
	struct cfi_builder cfi = eh_frame();
	cfi_add_cie(&cfi, (struct cfi_cie){ .augmentation = "eh",
					    .data = CFI(1, 2, 3, 4, 5, 6, 7, 8),
					    .code_align = 3,
					    .instructions = CFI(0) });
	const struct ic_cfi_section section = cfi_section(&cfi);

	assert_int_equal(cfi_read_cie(&section, 0).code_align, 3);
	cfi_builder_deinit(&cfi);
}

// ---- Faults

TEST(unknown_versions_are_not_read)
{
	check_bad_cie((struct cfi_cie){ .version = 2 }, true, IC_ERROR_UNSUPPORTED,
		      ".eh_frame+0x0: unsupported CIE version 2");
	check_bad_cie((struct cfi_cie){ .version = 4 }, true, IC_ERROR_UNSUPPORTED,
		      ".eh_frame+0x0: unsupported CIE version 4");
	check_bad_cie((struct cfi_cie){ .version = 5 }, false, IC_ERROR_UNSUPPORTED,
		      ".debug_frame+0x0: unsupported CIE version 5");
}

TEST(unknown_augmentations_without_a_size_are_faults)
{
	check_bad_cie((struct cfi_cie){ .augmentation = "armcc+" }, false, IC_ERROR_MALFORMED,
		      ".debug_frame+0x10: unknown augmentation");
}

TEST(augmentation_data_must_be_there)
{
	check_bad_cie((struct cfi_cie){ .augmentation = "zR" }, true, IC_ERROR_MALFORMED,
		      ".eh_frame+0x10: truncated augmentation data");
	check_bad_cie((struct cfi_cie){ .augmentation = "zP", .data = CFI(DW_EH_PE_udata4, 1) },
		      true, IC_ERROR_MALFORMED, ".eh_frame+0x12: truncated augmentation data");
}

TEST(encodings_of_addresses_must_be_known)
{
	static const uint8_t unknown[] = { 5, DW_EH_PE_indirect, DW_EH_PE_omit, 0x60 };

	for (size_t i = 0; i < COUNT_OF(unknown); i++)
		check_bad_cie((struct cfi_cie){ .augmentation = "zR", .data = { unknown + i, 1 } },
			      true, IC_ERROR_MALFORMED,
			      ".eh_frame+0x11: unsupported pointer encoding");
}

TEST(sizes_of_addresses_must_be_possible)
{
	struct cfi_builder cfi = { .addr_size = 3 };

	cfi_add_cie(&cfi, (struct cfi_cie){ .version = 4 });
	check_no_cie(&cfi, 0, IC_ERROR_MALFORMED,
		     ".debug_frame+0xc: invalid address or segment selector size");
	cfi_builder_deinit(&cfi);
	check_bad_cie((struct cfi_cie){ .version = 4, .segment_size = 9 }, false,
		      IC_ERROR_MALFORMED,
		      ".debug_frame+0xc: invalid address or segment selector size");
}

TEST(alignment_factors_must_not_be_0)
{
	enum { CODE_ALIGN = 10, DATA_ALIGN = 11 }; // bytes of the section

	for (size_t off = CODE_ALIGN; off <= DATA_ALIGN; off++) {
		struct cfi_builder cfi = eh_frame();

		cfi_add_cie(&cfi, (struct cfi_cie){ .version = 1 });
		cfi.bytes.data[off] = 0;
		check_no_cie(&cfi, 0, IC_ERROR_MALFORMED, ".eh_frame+0xc: alignment factor is 0");
		cfi_builder_deinit(&cfi);
	}
}

TEST(a_cie_is_where_an_fde_says)
{
	struct cfi_builder cfi = eh_frame();
	size_t cie = cfi_add_cie(&cfi, (struct cfi_cie){ .version = 1 });
	size_t fde = cfi_add_fde(&cfi, (struct cfi_fde){ .cie = cie, .start = 1, .size = 1 });
	char message[100];

	snprintf(message, sizeof(message),
		 ".eh_frame+0x%zx: not a CIE, although an FDE refers to it", fde);
	check_no_cie(&cfi, fde, IC_ERROR_MALFORMED, message);
	check_no_cie(&cfi, 0x1000, IC_ERROR_MALFORMED,
		     ".eh_frame+0x1000: CIE offset is beyond the end of the section");
	cfi_builder_deinit(&cfi);
}

TEST(a_cie_has_a_limit)
{
	static const uint8_t nops[IC_CIE_MOST_SIZE];
	struct cfi_builder cfi = eh_frame();
	size_t around = cfi_add_cie(&cfi, (struct cfi_cie){ .version = 1 });
	size_t last = IC_CIE_MOST_SIZE - cfi.bytes.size;

	cfi.bytes.size = around;
	cfi_add_cie(&cfi, (struct cfi_cie){ .instructions = { nops, last } });
	assert_int_equal(cfi.bytes.size, IC_CIE_MOST_SIZE);
	const struct ic_cfi_section section = cfi_section(&cfi);
	cfi_read_cie(&section, 0);
	cfi_builder_deinit(&cfi);
	check_bad_cie((struct cfi_cie){ .instructions = { nops, last + 1 } }, true,
		      IC_ERROR_MALFORMED, ".eh_frame+0x0: CIE is too large");
}

// Reads the next entry, which must be a fault.
static void check_bad_entry(struct ic_cfi_walk *walk, const char *message)
{
	struct ic_cfi_entry entry;
	struct ic_error err;

	assert_false(ic_cfi_entry_next(walk, &entry, &err));
	assert_error(&err, IC_ERROR_MALFORMED, message);
}

TEST(a_fault_in_an_identifier_is_not_the_end_of_the_section)
{
	struct cfi_builder cfi = eh_frame();
	struct ic_cfi_entry entry;
	struct ic_error err;

	cfi_begin(&cfi);
	byte_buffer_put(&cfi.bytes, 0x100, 4); // counted back from here
	cfi_end(&cfi);
	cfi_begin(&cfi);
	byte_buffer_put(&cfi.bytes, 0, 3);
	cfi_end(&cfi);
	size_t off = cfi_add_cie(&cfi, (struct cfi_cie){ .version = 1 });
	const struct ic_cfi_section section = cfi_section(&cfi);
	struct ic_cfi_walk walk = { .section = &section };

	check_bad_entry(&walk, ".eh_frame+0x8: CIE pointer is before the start of the section");
	check_bad_entry(&walk, ".eh_frame+0xc: unexpected end of data");
	assert_true(ic_cfi_entry_next(&walk, &entry, &err));
	assert_int_equal(entry.off, off);
	cfi_builder_deinit(&cfi);
}

TEST(an_impossible_length_is_the_end_of_the_section)
{
	struct cfi_builder cfi = eh_frame();
	struct ic_cfi_entry entry;
	struct ic_error err;

	byte_buffer_put(&cfi.bytes, 9, 4);
	byte_buffer_put(&cfi.bytes, 0, 8);
	const struct ic_cfi_section section = cfi_section(&cfi);
	struct ic_cfi_walk walk = { .section = &section };

	check_bad_entry(&walk, ".eh_frame+0x4: length extends beyond the end of the section");
	assert_false(ic_cfi_entry_next(&walk, &entry, &err));
	assert_int_equal(err.code, IC_ERROR_NONE);
	cfi_builder_deinit(&cfi);
}

static void check_bad_fde(uint8_t addr_size, struct cfi_cie around, struct cfi_fde made,
			  const char *message)
{
	struct cfi_builder cfi = { .is_eh = true, .addr_size = addr_size };
	struct ic_cfi_entry entry;
	struct ic_error err;
	struct ic_fde fde;

	cfi_add_cie(&cfi, around);
	size_t off = cfi_add_fde(&cfi, made);
	const struct ic_cfi_section section = cfi_section(&cfi);
	struct ic_cie cie = cfi_read_cie(&section, 0);
	struct ic_cfi_walk walk = { &section, off };
	assert_true(ic_cfi_entry_next(&walk, &entry, &err));
	assert_false(ic_fde_read(&section, &entry, &cie, &fde, &err));
	assert_error(&err, IC_ERROR_MALFORMED, message);
	cfi_builder_deinit(&cfi);
}

TEST(code_ends_with_the_addresses)
{
	const struct cfi_cie plain = { .version = 1 };
	struct cfi_builder cfi = { .is_eh = true, .addr_size = 4 };

	check_bad_fde(8, plain, (struct cfi_fde){ .start = UINT64_MAX - 7, .size = 9 },
		      ".eh_frame+0x25: address range exceeds the address space");
	check_bad_fde(4, plain, (struct cfi_fde){ .start = UINT32_MAX - 7, .size = 9 },
		      ".eh_frame+0x1d: address range exceeds the address space");
	cfi_add_cie(&cfi, plain);
	size_t off = cfi_add_fde(&cfi, (struct cfi_fde){ .start = UINT32_MAX - 7, .size = 8 });
	const struct ic_cfi_section section = cfi_section(&cfi);
	struct ic_cie cie = cfi_read_cie(&section, 0);
	assert_int_equal(cfi_read_fde(&section, off, &cie).end, UINT32_MAX + 1ull);
	cfi_builder_deinit(&cfi);
}

TEST(augmentation_data_must_be_within_the_fde)
{
	check_bad_fde(8, (struct cfi_cie){ .augmentation = "z" },
		      (struct cfi_fde){ .start = 1, .size = 1, .instructions = CFI(3, 1, 2) },
		      ".eh_frame+0x28: unexpected end of data");
}

TEST(an_lsda_that_cannot_be_read_is_none)
{
	static const uint8_t encodings[] = { DW_EH_PE_udata4, 0x05 }; // too large; unknown

	for (size_t i = 0; i < COUNT_OF(encodings); i++) {
		struct cfi_builder cfi = eh_frame();
		struct ic_error err;

		cfi_add_cie(&cfi,
			    (struct cfi_cie){ .augmentation = "zL", .data = { encodings + i, 1 } });
		size_t off = cfi_add_fde(&cfi, (struct cfi_fde){ .start = 0x1000,
								 .size = 8,
								 .has_data = true,
								 .data = CFI(1, 2),
								 .instructions = CFI(0) });
		const struct ic_cfi_section section = cfi_section(&cfi);
		struct ic_cie cie = cfi_read_cie(&section, 0);
		struct ic_fde fde = cfi_read_fde(&section, off, &cie);
		assert_int_equal(fde.end, 0x1008);
		assert_int_equal(fde.instructions.end - fde.instructions.pos, 1);
		assert_true(fde.lsda.is_null && fde.lsda.value == 0);
		assert_false(ic_cursor_ok(&fde.data, &err));
		assert_error(&err, IC_ERROR_MALFORMED,
			     ".eh_frame+0x2a: cannot read the LSDA pointer");
		cfi_builder_deinit(&cfi);
	}
}

UNIT_TESTS(dwarf_frames_entry)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_of_all_sizes_and_byte_orders_are_read),
		cmocka_unit_test(
			later_versions_have_larger_return_registers_and_sizes_of_addresses),
		cmocka_unit_test(addresses_have_the_encoding_of_the_augmentation),
		cmocka_unit_test(a_size_has_no_sign),
		cmocka_unit_test(a_personality_and_an_lsda_are_pointers_of_their_own),
		cmocka_unit_test(what_aarch64_has_in_the_augmentation_is_known),
		cmocka_unit_test(letters_without_data_need_no_size),
		cmocka_unit_test(unknown_data_with_a_size_is_skipped),
		cmocka_unit_test(gcc_2_has_a_word_after_the_augmentation),
		cmocka_unit_test(unknown_versions_are_not_read),
		cmocka_unit_test(unknown_augmentations_without_a_size_are_faults),
		cmocka_unit_test(augmentation_data_must_be_there),
		cmocka_unit_test(encodings_of_addresses_must_be_known),
		cmocka_unit_test(sizes_of_addresses_must_be_possible),
		cmocka_unit_test(alignment_factors_must_not_be_0),
		cmocka_unit_test(a_cie_is_where_an_fde_says),
		cmocka_unit_test(a_cie_has_a_limit),
		cmocka_unit_test(a_fault_in_an_identifier_is_not_the_end_of_the_section),
		cmocka_unit_test(an_impossible_length_is_the_end_of_the_section),
		cmocka_unit_test(code_ends_with_the_addresses),
		cmocka_unit_test(augmentation_data_must_be_within_the_fde),
		cmocka_unit_test(an_lsda_that_cannot_be_read_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
