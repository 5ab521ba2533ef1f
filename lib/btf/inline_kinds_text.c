// Prints the kinds of inlined calls in bpftool's format.
#include <inttypes.h>

#include "btf/inline_kinds.h"

static void print_name(FILE *out, const char *name)
{
	fprintf(out, "'");
	for (; *name; name++)
		putc((uint8_t)*name < ' ' || *name == 0x7f ? '?' : *name, out);
	fprintf(out, "'");
}

static void print_register(FILE *out, uint32_t reg)
{
	if (reg == IC_BTF_LOC_FRAME)
		fprintf(out, "fbreg");
	else
		fprintf(out, "reg%u", reg);
}

static void print_value(FILE *out, const struct ic_btf_loc *loc)
{
	if (!loc->is_known) {
		fprintf(out, "??");
		return;
	}
	if (loc->flags & IC_BTF_LOC_CONST) {
		if (loc->flags & IC_BTF_LOC_SIGNED)
			fprintf(out, "%" PRId64, (int64_t)loc->constant);
		else
			fprintf(out, "0x%" PRIx64, loc->constant);
		if (loc->flags & IC_BTF_LOC_ADDR)
			fprintf(out, " (addr)");
		return;
	}
	if (loc->flags & IC_BTF_LOC_DEREF)
		fprintf(out, "*(");
	print_register(out, loc->reg);
	if (loc->flags == IC_BTF_LOC_REG && loc->word_count == 2) {
		fprintf(out, ",");
		print_register(out, loc->second_reg);
	}
	if (loc->flags & IC_BTF_LOC_OFFSET)
		fprintf(out, " %c 0x%" PRIx64, loc->offset < 0 ? '-' : '+',
			loc->offset < 0 ? -(int64_t)loc->offset : loc->offset);
	if (loc->flags & IC_BTF_LOC_DEREF)
		fprintf(out, ")");
}

static void print_param(FILE *out, const struct ic_btf_inline *table, uint32_t id)
{
	struct ic_btf_loc loc;

	if (!ic_btf_loc_find(table->types, id, &loc))
		return;
	fprintf(out, " size=%d flags=0x%x vlen=%u values='", (int)loc.size, loc.flags,
		loc.word_count);
	print_value(out, &loc);
	fprintf(out, "'");
}

static void print_list(FILE *out, const struct ic_btf_inline *table, const struct ic_btf_type *type)
{
	struct ic_btf_loc loc;

	fprintf(out, " vlen=%u", type->item_count);
	for (uint32_t i = 0; i < type->item_count; i++) {
		uint32_t id = ic_btf_type_word(type, i);
		fprintf(out, "\n\ttype_id=%u", id);
		if (!ic_btf_loc_find(table->types, id, &loc))
			continue;
		fprintf(out, " value='");
		print_value(out, &loc);
		fprintf(out, "'");
	}
}

static void print_sites(FILE *out, const struct ic_btf_inline *table,
			const struct ic_btf_type *type)
{
	fprintf(out, " vlen=%u", type->item_count);
	for (uint32_t i = 0; i < type->item_count; i++) {
		uint32_t at = 3 * i, function = ic_btf_type_word(type, at);
		const char *name = ic_btf_name(table->types, function);

		fprintf(out, "\n\tname=");
		print_name(out, name ? name : "(anon)");
		fprintf(out, " func_type_id=%u loc_proto_type_id=%u offset=%u", function,
			ic_btf_type_word(type, at + 1), ic_btf_type_word(type, at + 2));
	}
}

static void print_type(FILE *out, const struct ic_btf_inline *table, uint32_t id)
{
	static const char *const kinds[] = { "LOC_PARAM", "LOC_PROTO", "LOCSEC" };
	struct ic_btf_type type;

	if (!ic_btf_type_find(table->types, id, &type) || type.kind < IC_BTF_LOC_PARAM ||
	    type.kind > IC_BTF_LOCSEC)
		return;
	const char *name = ic_btf_name(table->types, id);
	fprintf(out, "[%u] %s ", id, kinds[type.kind - IC_BTF_LOC_PARAM]);
	print_name(out, name ? name : "(anon)");
	switch (type.kind) {
	case IC_BTF_LOC_PARAM: print_param(out, table, id); break;
	case IC_BTF_LOC_PROTO: print_list(out, table, &type); break;
	default: print_sites(out, table, &type); break;
	}
	putc('\n', out);
}

bool ic_btf_inline_print_kinds(const struct ic_btf_inline *table, FILE *out)
{
	if (!table->own_types)
		return false;
	for (uint32_t id = table->own_types->first_id; id < ic_btf_count(table->own_types); id++)
		print_type(out, table, id);
	return true;
}
