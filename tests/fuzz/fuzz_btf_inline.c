// Fuzzes tables of .BTF.inline, and whatever else begins like them, with the BTF of their types.
// Wanted: records within the section, one after another; names that end; every location has text.
#include <stdlib.h>
#include <string.h>

#include "btf/inline_table.h"

#include "fuzz_input.h"

static void check_location(const struct ic_btf *types,
			   const struct ic_btf_inline_parameter *parameter)
{
	const struct ic_location_text_options options = { .size = parameter->size,
							  .is_signed = parameter->is_signed,
							  .machine = 62 };
	char text[256];

	PROMISE(ic_location_text(&parameter->location, &options, text, sizeof(text)) > 0);
	PROMISE(parameter->location.load_count <= IC_LOCATION_MOST_LOADS);
	if (parameter->location.kind == IC_LOCATION_PIECES)
		PROMISE(parameter->location.pieces == parameter->pieces);
	if (types && parameter->type != 0)
		PROMISE(ic_btf_type_text(types, parameter->type, text, sizeof(text)) > 0);
	if (parameter->name)
		PROMISE(strlen(parameter->name) < IC_BTF_MOST_NAME);
}

static void check_table(const struct ic_btf_inline *table, size_t size)
{
	uint64_t last = 0, parameters = 0;

	for (size_t i = 0; i < ic_btf_inline_count(table); i++) {
		struct ic_btf_inline_parameter parameter;
		struct ic_btf_inline_site site;

		ic_btf_inline_get(table, i, &site);
		PROMISE(site.record_off > last && site.record_off < size);
		last = site.record_off;
		for (uint32_t j = 0; j < site.parameter_count; j++) {
			ic_btf_inline_parameter(table, i, j, &parameter);
			check_location(ic_btf_inline_types(table), &parameter);
		}
		parameters += site.parameter_count;
	}
	PROMISE(parameters <= 16 * (uint64_t)size);
}

static void take_fault(void *context, enum ic_btf_inline_fault fault, uint64_t off)
{
	const size_t *size = context;

	PROMISE(ic_btf_inline_fault_text(fault) && off <= *size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_bytes sections[2]; // .BTF, .BTF.inline
	struct ic_error err = { .code = IC_ERROR_NONE };

	fuzz_take_sections(&in, sections, 2);
	struct ic_btf *types = ic_btf_parse(sections[0].data, sections[0].size, NULL, &err);
	if (!types)
		PROMISE_REASON(err);
	err = (struct ic_error){ .code = IC_ERROR_NONE };
	struct ic_btf_inline *table =
		ic_btf_inline_parse(sections[1].data, sections[1].size, types, &err);
	if (table) {
		check_table(table, sections[1].size);
		PROMISE(ic_btf_inline_check(table, take_fault, &sections[1].size, &err));
	} else {
		PROMISE_REASON(err);
	}
	ic_btf_inline_free(table);
	ic_btf_free(types);
	fuzz_free_sections(sections, 2);
	return 0;
}
