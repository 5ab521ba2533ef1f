#include "report/rows/chain.h"

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), 0, NULL }

static const struct ic_field chain_fields[] = {
	FIELD(ic_site_caller, function,    TEXT),
	FIELD(ic_site_caller, call_file,   TEXT),
	FIELD(ic_site_caller, call_line,   COUNT),
	FIELD(ic_site_caller, call_column, COUNT),
};

const struct ic_schema ic_chain_schema = {
	chain_fields, sizeof(chain_fields) / sizeof(*chain_fields), sizeof(struct ic_site_caller)
};
// clang-format on

bool ic_row_chain_fill(struct ic_row_chain *chain, struct ic_filler *filler,
		       const struct ic_sites *sites, const struct ic_site_place *place)
{
	const struct ic_index *index = sites->index;
	const struct ic_unit_model *unit = &index->units[place->unit];

	chain->callers.count = 0;
	for (uint32_t i = ic_site_parent(index, place);
	     i != IC_NONE && unit->instances[i].kind == IC_INSTANCE_INLINED;
	     i = unit->instances[i].parent) {
		const struct ic_instance *around = &unit->instances[i];
		struct ic_site_caller *link = IC_ARRAY_PUSH(&chain->callers);
		if (!link)
			return false;
		*link = (struct ic_site_caller){ .call_line = around->call_line,
						 .call_column = around->call_column };
		if (around->function != IC_NONE) {
			const struct ic_function *function = &unit->functions[around->function];
			link->function = ic_filler_name(filler, function);
			link->linkage_name = function->linkage_name;
		}
		if (around->call_file != IC_NONE)
			link->call_file = ic_filler_path(filler, unit->files[around->call_file]);
	}
	return true;
}
