// Converts tables of inlined calls from another format.
#include <stdlib.h>
#include <string.h>

#include <inlinecall/symbolizer.h>

#include "btf/inline_table.h"
#include "encode/caller_start.h"
#include "encode/encoding.h"
#include "encode/function_names.h"
#include "encode/places.h"
#include "text/clone_name.h"

struct converter {
	struct ic_btf_encoding *encoding;
	const struct ic_btf_inline *table;
	enum ic_btf_inline_format from, to;
	struct ic_image *image;
	const struct ic_btf *types; // that both tables refer to
	struct ic_function_names names;
	struct ic_caller_starts starts;
	char section[IC_LOCSEC_NAME_SIZE];
};

static enum ic_btf_fate find_addr(const struct converter *converter,
				  const struct ic_btf_inline_site *site, uint64_t *addr)
{
	const struct ic_caller_code *begin;
	uint64_t start;

	if (converter->from == IC_BTF_INLINE_LOC) {
		if (!ic_section_place_named(converter->image, site->section, &start))
			return IC_BTF_FATE_FAR;
		*addr = start + site->offset;
		return IC_BTF_FATE_WRITTEN;
	}
	if (!site->caller_name)
		return IC_BTF_FATE_UNKNOWN;
	begin = ic_caller_begin(&converter->starts, site->caller_name);
	if (!begin)
		return IC_BTF_FATE_NO_SYMBOL;
	*addr = begin->range.start + (uint64_t)(int32_t)site->offset;
	// A clone may be of another function of that name.
	return begin->part == CALLER_ITSELF ||
			       ic_caller_has(&converter->starts, site->caller_name, *addr)
		       ? IC_BTF_FATE_WRITTEN
		       : IC_BTF_FATE_NO_SYMBOL;
}

// The function of that name, or the one that it is a clone or a part of, and its start.
static enum ic_btf_fate find_caller(const struct converter *converter, const char *name,
				    uint32_t *id, uint64_t *start)
{
	const struct ic_caller_code *begin;
	char plain[512];
	const char *suffix = ic_clone_suffix(name);
	size_t size = suffix ? (size_t)(suffix - name) : strlen(name);

	if (size >= sizeof(plain))
		return IC_BTF_FATE_UNKNOWN;
	memcpy(plain, name, size);
	plain[size] = 0;
	switch (ic_function_names_only(&converter->names, plain, id)) {
	case IC_FUNCTION_FOUND: break;
	case IC_FUNCTION_SEVERAL: return IC_BTF_FATE_SEVERAL_CALLERS;
	default: return IC_BTF_FATE_NO_CALLER;
	}
	begin = ic_caller_begin(&converter->starts, plain);
	if (!begin)
		return IC_BTF_FATE_NO_SYMBOL;
	*start = begin->range.start;
	return IC_BTF_FATE_WRITTEN;
}

static enum ic_btf_fate place_call(struct converter *converter, uint64_t addr,
				   struct ic_btf_writer_call *call)
{
	struct ic_symbolizer_symbol symbol;
	uint64_t start;

	if (converter->to == IC_BTF_INLINE_LOC)
		return ic_section_place_write(converter->image, addr, converter->section, call)
			       ? IC_BTF_FATE_WRITTEN
			       : IC_BTF_FATE_FAR;
	if (!ic_symbolizer_symbol_at(converter->encoding->symbolizer, addr, &symbol) ||
	    !symbol.name)
		return IC_BTF_FATE_NO_SYMBOL;
	enum ic_btf_fate fate = find_caller(converter, symbol.name, &call->caller, &start);
	if (fate != IC_BTF_FATE_WRITTEN)
		return fate;
	call->caller_addr = start;
	call->offset = (uint32_t)(addr - start);
	return (int64_t)(addr - start) == (int32_t)call->offset ? IC_BTF_FATE_WRITTEN
								: IC_BTF_FATE_FAR;
}

static enum ic_btf_fate convert_call(struct converter *converter, size_t number)
{
	struct ic_btf_encoding *encoding = converter->encoding;
	struct ic_btf_inline_parameter read;
	struct ic_btf_inline_site site;
	uint64_t addr;

	ic_btf_inline_get(converter->table, number, &site);
	struct ic_btf_writer_call call = { .callee = site.callee,
					   .caller = site.caller,
					   .offset = site.offset,
					   .section = site.section,
					   // At equal addresses their order is kept.
					   .depth = (uint32_t)number };
	// A function defined among the kinds is not among the types that another table refers to.
	if (site.callee >= ic_btf_count(converter->types))
		return IC_BTF_FATE_NO_CALLEE;
	if (converter->from != converter->to) {
		enum ic_btf_fate fate = find_addr(converter, &site, &addr);
		if (fate == IC_BTF_FATE_WRITTEN)
			fate = place_call(converter, addr, &call);
		if (fate != IC_BTF_FATE_WRITTEN)
			return fate;
	}
	ic_btf_writer_add_call(encoding->writer, &call);
	for (uint32_t i = 0; i < site.parameter_count; i++) {
		ic_btf_inline_parameter(converter->table, number, i, &read);
		enum ic_btf_loss loss = ic_btf_writer_add_parameter(
			encoding->writer, &read.location, read.size, read.is_signed);
		if (read.is_on_frame && loss == IC_BTF_LOSS_COMPUTED)
			loss = IC_BTF_LOSS_FRAME;
		encoding->counts.parameters++;
		encoding->counts.losses[loss]++;
	}
	return IC_BTF_FATE_WRITTEN;
}

static bool prepare_types(struct converter *converter, struct ic_error *err)
{
	const struct ic_btf_inline *table = converter->table;
	struct ic_btf_writer_options options = {
		.format = converter->to,
		.keep_order = converter->from == converter->to,
		.is_big_endian = table->swap != IC_HOST_IS_BIG_ENDIAN,
		.has_fixed_addresses = converter->image &&
				       ic_image_has_fixed_addresses(converter->image),
	};

	if (!table->types)
		return ic_fail(err, IC_ERROR_ARGUMENT, "BTF types are needed to name functions");
	if (!converter->image && converter->from != converter->to)
		return ic_fail(err, IC_ERROR_ARGUMENT,
			       "the formats locate calls differently, so converting needs the "
			       "symbols of the file");
	// For split kinds, their base.
	converter->types = table->own_types && table->own_types->base ? table->own_types->base
								      : table->types;
	options.types = converter->types;
	converter->encoding->writer = ic_btf_writer_new(&options, err);
	if (!converter->encoding->writer ||
	    !ic_function_names_build(&converter->names, converter->types, err))
		return false;
	if (converter->from == converter->to)
		return true;
	converter->encoding->symbolizer = ic_symbolizer_new(converter->image, NULL, err);
	return converter->encoding->symbolizer &&
	       ic_caller_starts_open_types(&converter->starts, converter->image, converter->types,
					   err);
}

static bool convert_calls(struct converter *converter, struct ic_error *err)
{
	struct ic_btf_encoding *encoding = converter->encoding;

	if (!prepare_types(converter, err))
		return false;
	for (size_t i = 0; i < ic_btf_inline_count(converter->table); i++) {
		encoding->counts.calls++;
		encoding->counts.fates[convert_call(converter, i)]++;
	}
	encoding->bytes = ic_btf_writer_finish(encoding->writer, &encoding->size, err);
	return encoding->bytes;
}

struct ic_btf_encoding *ic_btf_convert(const struct ic_btf_inline *table, struct ic_image *image,
				       enum ic_btf_inline_format format, struct ic_error *err)
{
	struct ic_error unwanted;
	struct converter converter = { .encoding = calloc(1, sizeof(*converter.encoding)),
				       .table = table,
				       .from = ic_btf_inline_format(table),
				       .to = format,
				       .image = image };
	bool ok;

	err = err ? err : &unwanted;
	ok = converter.encoding ? convert_calls(&converter, err) : ic_fail_memory(err);
	ic_function_names_free(&converter.names);
	ic_caller_starts_close(&converter.starts);
	if (ok)
		return converter.encoding;
	ic_btf_encoding_free(converter.encoding);
	return NULL;
}
