// Fuzzes the writing of tables of inlined calls: whatever can be read is written, in both forms.
// Wanted: what was written is read again, as the same calls with the same locations; what was lost
// is not available.
#include <stdlib.h>
#include <string.h>

#include "btf/inline_writer.h"

#include "btf/inline_table.h"
#include "fuzz_input.h"

static const char section[] = "inline.text"; // of calls that have none

struct round {
	const struct ic_btf_inline *table;
	struct ic_btf_writer *writer;
	bool is_counted; // no number is too large for the forms
};

static void write_call(struct round *round, size_t number)
{
	struct ic_btf_inline_site site;
	struct ic_btf_inline_parameter parameter;

	ic_btf_inline_get(round->table, number, &site);
	const struct ic_btf_writer_call call = { .callee = site.callee,
						 .caller = site.caller,
						 .offset = site.offset,
						 .section = site.section ? site.section : section };
	ic_btf_writer_add_call(round->writer, &call);
	round->is_counted &= site.callee <= IC_BTF_MOST_TYPES && site.caller <= IC_BTF_MOST_TYPES;
	for (uint32_t i = 0; i < site.parameter_count; i++) {
		ic_btf_inline_parameter(round->table, number, i, &parameter);
		enum ic_btf_loss loss = ic_btf_writer_add_parameter(
			round->writer, &parameter.location, parameter.size, parameter.is_signed);
		PROMISE(ic_btf_loss_text(loss));
	}
}

static void compare_parameter(const struct round *round, const struct ic_btf_inline *again,
			      size_t number, uint32_t i)
{
	struct ic_btf_inline_parameter first, second;
	struct ic_btf_lowered one, other;

	ic_btf_inline_parameter(round->table, number, i, &first);
	ic_btf_inline_parameter(again, number, i, &second);
	enum ic_btf_loss loss = ic_btf_lower(&round->writer->lowering, &first.location, first.size,
					     first.is_signed, &one);
	if (loss != IC_BTF_LOSS_NONE) {
		PROMISE(second.location.kind == IC_LOCATION_UNAVAILABLE);
		PROMISE(second.location.why == IC_LOCATION_WHY_KNOWN);
		return;
	}
	// Without types, the RFC's form does not have the size and sign that a LOC_PARAM has.
	PROMISE(ic_btf_lower(&round->writer->lowering, &second.location, first.size,
			     first.is_signed, &other) == IC_BTF_LOSS_NONE);
	PROMISE(one.size == other.size && memcmp(one.bytes, other.bytes, one.size) == 0);
}

static void compare(const struct round *round, const struct ic_btf_inline *again)
{
	PROMISE(ic_btf_inline_count(again) == ic_btf_inline_count(round->table));
	for (size_t i = 0; i < ic_btf_inline_count(again); i++) {
		struct ic_btf_inline_site first, second;

		ic_btf_inline_get(round->table, i, &first);
		ic_btf_inline_get(again, i, &second);
		PROMISE(first.callee == second.callee && first.offset == second.offset);
		PROMISE(first.parameter_count == second.parameter_count);
		if (round->writer->options.format == IC_BTF_INLINE_RFC)
			PROMISE(first.caller == second.caller);
		else
			PROMISE(strcmp(first.section ? first.section : section, second.section) ==
				0);
		for (uint32_t j = 0; j < first.parameter_count; j++)
			compare_parameter(round, again, i, j);
	}
}

static void write_and_read(const struct ic_btf_inline *table, enum ic_btf_inline_format format)
{
	const struct ic_btf *types = ic_btf_inline_types(table);
	const struct ic_btf_writer_options options = { .format = format,
						       .is_big_endian =
							       ic_btf_inline_count(table) % 2,
						       .keep_order = true,
						       .has_fixed_addresses = true,
						       .types = types };
	struct ic_error err = { .code = IC_ERROR_NONE };
	struct round round = { table, ic_btf_writer_new(&options, &err), true };
	size_t size;

	PROMISE(round.writer);
	for (size_t i = 0; i < ic_btf_inline_count(table); i++)
		write_call(&round, i);
	const void *bytes = ic_btf_writer_finish(round.writer, &size, &err);
	PROMISE(!bytes == !round.is_counted);
	struct ic_btf_inline *again = bytes ? ic_btf_inline_parse(bytes, size, types, &err) : NULL;
	if (again)
		compare(&round, again);
	else // many calls that share a list: the reader has a limit
		PROMISE(err.code == IC_ERROR_LIMIT || format == IC_BTF_INLINE_LOC);
	ic_btf_inline_free(again);
	ic_btf_writer_free(round.writer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_bytes sections[2]; // .BTF, .BTF.inline
	struct ic_error err = { .code = IC_ERROR_NONE };

	fuzz_take_sections(&in, sections, 2);
	struct ic_btf *types = ic_btf_parse(sections[0].data, sections[0].size, NULL, &err);
	struct ic_btf_inline *table =
		ic_btf_inline_parse(sections[1].data, sections[1].size, types, &err);
	if (table) {
		write_and_read(table, IC_BTF_INLINE_RFC);
		if (ic_btf_inline_types(table))
			write_and_read(table, IC_BTF_INLINE_LOC);
	}
	ic_btf_inline_free(table);
	ic_btf_free(types);
	fuzz_free_sections(sections, 2);
	return 0;
}
