// Fuzzes BTF with the kinds LOC_PARAM, LOC_PROTO and LOCSEC, split on other BTF.
// Wanted: every type is within the section; functions and their parameters agree; all can be
// printed.
#include <stdlib.h>
#include <string.h>

#include "btf/inline_table.h"

#include "fuzz_input.h"

static void check_function(const struct ic_btf *btf, uint32_t id)
{
	struct ic_btf_function function;
	const char *name;
	uint32_t type, count = 0;

	if (!ic_btf_function(btf, id, &function))
		return;
	while (count < function.parameter_count &&
	       ic_btf_function_parameter(btf, id, count, &name, &type))
		count++;
	PROMISE(count == function.parameter_count);
	PROMISE(ic_btf_function_parameter(btf, id, count, &name, &type) == function.is_variadic);
}

static void check_types(const struct ic_btf *btf)
{
	uint32_t count = ic_btf_count(btf);
	struct ic_btf_type type;
	char text[64];
	bool is_signed;

	PROMISE(!ic_btf_type_find(btf, 0, &type) && !ic_btf_type_find(btf, count, &type));
	for (uint32_t id = btf->first_id; id < count; id++) {
		const char *name = ic_btf_name(btf, id);

		PROMISE(ic_btf_type_find(btf, id, &type));
		PROMISE(type.off >= IC_BTF_HEADER_SIZE && type.off < btf->bytes.size);
		PROMISE(!name || (strlen(name) > 0 && strlen(name) < IC_BTF_MOST_NAME));
		PROMISE(ic_btf_type_text(btf, id, text, sizeof(text)) > 0);
		ic_btf_type_size(btf, id, &is_signed);
		check_function(btf, id);
	}
}

static void check_table(struct ic_bytes bytes, const struct ic_btf *base)
{
	struct ic_error err = { .code = IC_ERROR_NONE };
	struct ic_btf_inline *table = ic_btf_inline_parse(bytes.data, bytes.size, base, &err);
	struct ic_btf_inline_parameter parameter;
	struct ic_btf_inline_site site;

	if (!table) {
		PROMISE_REASON(err);
		return;
	}
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	ic_btf_inline_print_kinds(table, out);
	fclose(out);
	free(text);
	for (size_t i = 0; i < ic_btf_inline_count(table); i++) {
		ic_btf_inline_get(table, i, &site);
		for (uint32_t j = 0; j < site.parameter_count; j++)
			ic_btf_inline_parameter(table, i, j, &parameter);
	}
	ic_btf_inline_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_bytes sections[2]; // what it is split on, and the BTF itself
	struct ic_error err = { .code = IC_ERROR_NONE };

	fuzz_take_sections(&in, sections, 2);
	struct ic_btf *base = ic_btf_parse(sections[0].data, sections[0].size, NULL, &err);
	struct ic_btf *btf = ic_btf_parse(sections[1].data, sections[1].size, base, &err);
	if (btf)
		check_types(btf);
	else
		PROMISE_REASON(err);
	check_table(sections[1], base);
	ic_btf_free(btf);
	ic_btf_free(base);
	fuzz_free_sections(sections, 2);
	return 0;
}
