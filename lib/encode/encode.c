// Makes tables of inlined calls from debug information: implements inlinecall/extra/btf_dwarf.h.
#include <inlinecall/extra/btf_dwarf.h>
#include <inlinecall/extra/parameters.h>

#include <stdlib.h>
#include <string.h>

#include "btf/inline_writer.h"
#include "elf/image/image.h"
#include "encode/caller_start.h"
#include "encode/encoding.h"
#include "encode/function_names.h"
#include "encode/inlined_calls.h"
#include "encode/places.h"
#include "encode/type_adder.h"
#include "query/find/names.h"
#include "values/parameters.h"

struct found { // the equivalent of a function in the types
	uint32_t id;
	uint8_t match; // enum ic_function_match
	bool is_read;
};

struct encoder {
	struct ic_btf_encoding *encoding;
	struct ic_image *image;
	const struct ic_index *index;
	struct ic_btf_encode_options options;
	struct ic_function_names names;
	struct ic_type_adder adder;
	struct ic_caller_starts starts;
	uint32_t unit;                     // the unit of `found`
	IC_ARRAY(struct found) found;      // indexed by function in the unit
	char section[IC_LOCSEC_NAME_SIZE]; // name of the last LOCSEC
};

const char *ic_btf_fate_text(enum ic_btf_fate fate)
{
	switch (fate) {
	case IC_BTF_FATE_WRITTEN: return "written";
	case IC_BTF_FATE_NO_CODE: return "they have no code left";
	case IC_BTF_FATE_UNKNOWN: return "the callee or the caller is unknown";
	case IC_BTF_FATE_NO_CALLEE: return "the callee is not in BTF";
	case IC_BTF_FATE_OTHER_CALLEE: return "the callee is in BTF only with other parameters";
	case IC_BTF_FATE_SEVERAL_CALLEES: return "several functions in BTF match the callee";
	case IC_BTF_FATE_UNDESCRIBED_CALLEE:
		return "the parameters of the callee are not described";
	case IC_BTF_FATE_UNTYPED_CALLEE:
		return "the callee could not be added to BTF with its types";
	case IC_BTF_FATE_NO_CALLER: return "the caller is not in BTF";
	case IC_BTF_FATE_OTHER_CALLER: return "the caller is in BTF only with other parameters";
	case IC_BTF_FATE_SEVERAL_CALLERS: return "several functions in BTF match the caller";
	case IC_BTF_FATE_UNDESCRIBED_CALLER:
		return "the parameters of the caller are not described";
	case IC_BTF_FATE_UNTYPED_CALLER:
		return "the caller could not be added to BTF with its types";
	case IC_BTF_FATE_FAR: return "the start of the caller is elsewhere";
	case IC_BTF_FATE_NO_SYMBOL: return "the caller has no symbol, or several";
	}
	return NULL;
}

// ---- Functions

// Switches to another unit, and drops the functions of the previous one.
static bool need_unit(struct encoder *encoder, uint32_t unit)
{
	uint32_t count = encoder->index->units[unit].function_count;

	if (encoder->unit == unit)
		return true;
	encoder->unit = unit;
	ic_type_adder_forget(&encoder->adder);
	if (!IC_ARRAY_RESERVE(&encoder->found, count))
		return false;
	encoder->found.count = count;
	if (count > 0)
		memset(encoder->found.items, 0, count * sizeof(*encoder->found.items));
	return true;
}

static bool adds_types(const struct encoder *encoder)
{
	return encoder->options.missing == IC_BTF_MISSING_EXTEND ||
	       encoder->options.missing == IC_BTF_MISSING_INSIDE;
}

// The equivalent of an instance's function, as far as it is known without its parameters.
static struct found *look_up(struct encoder *encoder, const struct ic_instance *instance)
{
	struct found *found = &encoder->found.items[instance->function];

	if (!found->is_read && encoder->options.missing == IC_BTF_MISSING_SKIP &&
	    ic_function_names_first(&encoder->names, ic_inlined_name(encoder->index, encoder->unit,
								     instance)) == IC_NONE) {
		found->match = IC_FUNCTION_NONE;
		found->is_read = true;
	}
	return found;
}

// The same with its parameters, which were found last.
static const struct found *match_instance(struct encoder *encoder,
					  const struct ic_instance *instance)
{
	struct found *found = &encoder->found.items[instance->function];
	const struct ic_function *function =
		ic_inlined_function(encoder->index, encoder->unit, instance);
	const char *name = ic_function_name(function);
	const struct ic_parameter *list;

	if (found->is_read)
		return found;
	size_t count = ic_parameters_list(encoder->encoding->parameters, &list);
	found->match =
		(uint8_t)ic_function_names_find(&encoder->names, name, list, count, &found->id);
	if (found->match != IC_FUNCTION_FOUND &&
	    ic_parameters_is_undescribed(encoder->encoding->parameters))
		found->match = IC_FUNCTION_UNDESCRIBED;
	else if (found->match != IC_FUNCTION_FOUND && adds_types(encoder))
		// In BTF an empty name is none, and a function must have one.
		found->match = *name && ic_type_adder_add(&encoder->adder, function->die_off, name,
							  &found->id)
				       ? IC_FUNCTION_FOUND
				       : IC_FUNCTION_UNTYPED;
	found->is_read = true;
	return found;
}

static enum ic_btf_fate fate_of(const struct found *found, enum ic_btf_fate none)
{
	return found->match == IC_FUNCTION_FOUND
		       ? IC_BTF_FATE_WRITTEN
		       : (enum ic_btf_fate)(none + found->match - IC_FUNCTION_NONE);
}

static bool find_caller(struct encoder *encoder, const struct ic_inlined_call *call,
			const struct found **found, struct ic_error *err)
{
	const struct ic_site site =
		ic_inlined_site(encoder->unit, call->host_number, IC_SITE_OUT_OF_LINE);

	*found = look_up(encoder, call->host);
	if ((*found)->is_read)
		return true;
	if (!ic_parameters_declared(encoder->encoding->parameters, &site, err))
		return false;
	*found = match_instance(encoder, call->host);
	return true;
}

// ---- Calls

// The place of a call in the format's terms; the name of a LOCSEC depends on the section's.
static bool place_call(struct encoder *encoder, const struct ic_inlined_call *call,
		       struct ic_btf_writer_call *written, bool *is_told)
{
	uint64_t addr = call->instance->entry;
	int32_t offset = 0;

	if (encoder->options.format == IC_BTF_INLINE_LOC)
		return ic_section_place_write(encoder->image, addr, encoder->section, written);
	const char *caller = ic_inlined_name(encoder->index, call->unit, call->host);
	if (!caller)
		return false;
	written->caller_addr = ic_caller_start(&encoder->starts, call->host, caller, is_told);
	if (!ic_inlined_offset(encoder->index, written->caller_addr, addr, &offset))
		return false;
	written->offset = (uint32_t)offset;
	return true;
}

static void put_parameters(struct encoder *encoder)
{
	struct ic_btf_encoding *encoding = encoder->encoding;
	const struct ic_parameter *list;
	size_t count = ic_parameters_list(encoding->parameters, &list);

	for (size_t i = 0; i < count && !list[i].is_undeclared; i++) {
		enum ic_btf_loss loss = ic_btf_writer_add_parameter(
			encoding->writer, &list[i].location, list[i].size, list[i].is_signed);
		encoding->counts.parameters++;
		encoding->counts.losses[loss]++;
	}
}

static bool encode_call(struct encoder *encoder, const struct ic_inlined_call *call,
			enum ic_btf_fate *fate, struct ic_error *err)
{
	struct ic_btf_encode_counts *counts = &encoder->encoding->counts;
	struct ic_btf_writer_call written = { .depth = call->depth };
	bool is_loc = encoder->options.format == IC_BTF_INLINE_LOC;
	const struct ic_site site = ic_inlined_site(call->unit, call->number, IC_SITE_INLINED);
	const struct found *caller, *callee;
	bool is_told = true;

	*fate = IC_BTF_FATE_NO_CODE;
	if (call->instance->range_count == 0 || call->instance->entry == IC_NO_ADDR)
		return true;
	*fate = IC_BTF_FATE_UNKNOWN;
	if (!ic_inlined_name(encoder->index, call->unit, call->instance) ||
	    (!is_loc && !ic_inlined_name(encoder->index, call->unit, call->host)))
		return true;
	*fate = IC_BTF_FATE_FAR;
	if (!place_call(encoder, call, &written, &is_told))
		return true;
	if (!is_loc) {
		if (!find_caller(encoder, call, &caller, err))
			return false;
		*fate = fate_of(caller, IC_BTF_FATE_NO_CALLER);
		if (*fate != IC_BTF_FATE_WRITTEN)
			return true;
		written.caller = caller->id;
	}
	// If the call will be left out, there is no need to read more.
	callee = look_up(encoder, call->instance);
	bool skips = encoder->options.missing != IC_BTF_MISSING_ZERO;
	if (!callee->is_read || callee->match == IC_FUNCTION_FOUND || !skips) {
		if (!ic_parameters_find(encoder->encoding->parameters, &site, IC_NO_ADDR, err))
			return false;
		callee = match_instance(encoder, call->instance);
	}
	*fate = fate_of(callee, IC_BTF_FATE_NO_CALLEE);
	if (*fate != IC_BTF_FATE_WRITTEN && (skips || *fate == IC_BTF_FATE_UNDESCRIBED_CALLEE))
		return true;
	written.callee = *fate == IC_BTF_FATE_WRITTEN ? callee->id : 0;
	counts->nameless += *fate != IC_BTF_FATE_WRITTEN;
	*fate = IC_BTF_FATE_WRITTEN;
	ic_btf_writer_add_call(encoder->encoding->writer, &written);
	put_parameters(encoder);
	counts->ambiguous += !is_told;
	return true;
}

static bool write_types(struct encoder *encoder, struct ic_error *err)
{
	struct ic_btf_encoding *encoding = encoder->encoding;
	const struct ic_btf_more *more = &encoder->adder.more;

	encoding->counts.functions_added = more->function_count;
	encoding->counts.types_added = more->added_count;
	if (encoder->options.missing == IC_BTF_MISSING_INSIDE) {
		struct ic_btf_writer *writer = encoding->writer;
		writer->own_types = (struct ic_bytes){ more->added.items, more->added.count };
		writer->own_strings = (struct ic_bytes){ more->strings.items, more->strings.count };
		writer->own_count = more->added_count;
		return true;
	}
	encoding->type_bytes = ic_btf_more_write(more, &encoding->types_size, err);
	if (!encoding->type_bytes)
		return false;
	encoding->types =
		ic_btf_parse(encoding->type_bytes, encoding->types_size, more->types->base, err);
	// The base of the kinds.
	encoding->writer->options.types = encoding->types;
	return encoding->types;
}

static bool encode_calls(struct encoder *encoder, struct ic_error *err)
{
	struct ic_inlined_walk walk = { .index = encoder->index };
	struct ic_btf_encoding *encoding = encoder->encoding;
	struct ic_inlined_call call;
	enum ic_btf_fate fate;

	encoder->unit = IC_NONE;
	while (ic_inlined_next(&walk, &call)) {
		if (!need_unit(encoder, call.unit))
			return ic_fail_memory(err);
		if (!encode_call(encoder, &call, &fate, err))
			return false;
		if (encoder->adder.is_out_of_memory)
			return ic_fail_memory(err);
		encoding->counts.calls++;
		encoding->counts.fates[fate]++;
	}
	if (adds_types(encoder) && !write_types(encoder, err))
		return false;
	encoding->bytes = ic_btf_writer_finish(encoding->writer, &encoding->size, err);
	return encoding->bytes;
}

// ---- The encoding

static bool encode_table(struct encoder *encoder, const struct ic_btf *types, struct ic_error *err)
{
	struct ic_btf_encoding *encoding = encoder->encoding;
	const struct ic_elf_file *file = &encoder->image->file;
	const struct ic_btf_writer_options options = {
		.format = encoder->options.format,
		.is_big_endian = file->swap != IC_HOST_IS_BIG_ENDIAN,
		.has_fixed_addresses = ic_image_has_fixed_addresses(encoder->image),
		.types = types,
	};

	if (encoder->options.missing == IC_BTF_MISSING_INSIDE &&
	    encoder->options.format != IC_BTF_INLINE_LOC)
		return ic_fail(err, IC_ERROR_ARGUMENT,
			       "this table format cannot contain functions");
	if (types->swap != file->swap)
		return ic_fail(err, IC_ERROR_ARGUMENT,
			       "%s: the byte order of the types differs from that of the file",
			       file->path);
	encoding->parameters = ic_parameters_open(encoder->image, encoder->index, NULL, err);
	encoding->writer = encoding->parameters ? ic_btf_writer_new(&options, err) : NULL;
	if (!encoding->writer || !ic_function_names_build(&encoder->names, types, err))
		return false;
	ic_parameters_leave_texts(encoding->parameters);
	encoder->adder.formals = ic_parameters_formals(encoding->parameters);
	if (adds_types(encoder) && !ic_btf_more_begin(&encoder->adder.more, types, err))
		return false;
	if (!ic_caller_starts_open(&encoder->starts, encoder->image, encoder->index, err))
		return false;
	return encode_calls(encoder, err);
}

struct ic_btf_encoding *ic_btf_encode(struct ic_image *image, const struct ic_index *index,
				      const struct ic_btf *types,
				      const struct ic_btf_encode_options *options,
				      struct ic_error *err)
{
	struct ic_error unwanted;
	struct encoder encoder = { .encoding = calloc(1, sizeof(*encoder.encoding)),
				   .image = image,
				   .index = index };
	bool ok;

	err = err ? err : &unwanted;
	if (options)
		encoder.options = *options;
	ok = encoder.encoding ? encode_table(&encoder, types, err) : ic_fail_memory(err);
	ic_function_names_free(&encoder.names);
	ic_type_adder_free(&encoder.adder);
	ic_caller_starts_close(&encoder.starts);
	IC_ARRAY_FREE(&encoder.found);
	if (ok)
		return encoder.encoding;
	ic_btf_encoding_free(encoder.encoding);
	return NULL;
}

void ic_btf_encoding_free(struct ic_btf_encoding *encoding)
{
	if (!encoding)
		return;
	ic_parameters_free(encoding->parameters);
	ic_symbolizer_free(encoding->symbolizer);
	ic_btf_writer_free(encoding->writer);
	ic_btf_free(encoding->types);
	free(encoding->type_bytes);
	free(encoding);
}

const void *ic_btf_encoding_bytes(const struct ic_btf_encoding *encoding, size_t *size)
{
	*size = encoding->size;
	return encoding->bytes;
}

const void *ic_btf_encoding_types(const struct ic_btf_encoding *encoding, size_t *size)
{
	*size = encoding->types_size;
	return encoding->type_bytes;
}

const struct ic_btf_encode_counts *ic_btf_encoding_counts(const struct ic_btf_encoding *encoding)
{
	return &encoding->counts;
}

bool ic_btf_encoding_problem_get(const struct ic_btf_encoding *encoding, size_t number,
				 struct ic_index_problem *problem)
{
	if (encoding->symbolizer)
		return ic_symbolizer_problem_get(encoding->symbolizer, number, problem);
	return encoding->parameters &&
	       ic_parameters_problem_get(encoding->parameters, number, problem);
}
