#include "btf/inline_kinds.h"

#include "base/array.h"

// ---- A location

static void read_param(const struct ic_btf_type *type, struct ic_btf_loc *loc)
{
	uint32_t words[2] = { 0 };

	*loc = (struct ic_btf_loc){
		.flags = ic_btf_type_word(type, 0),
		.word_count = type->item_count,
		.size = type->size,
	};
	for (uint32_t i = 0; i < 2 && i < type->item_count; i++)
		words[i] = ic_btf_type_word(type, i + 1);
	uint32_t form = loc->flags & ~IC_BTF_LOC_SIGNED, count = loc->word_count;
	switch (form) {
	case IC_BTF_LOC_CONST:
	case IC_BTF_LOC_CONST | IC_BTF_LOC_ADDR:
		loc->is_known = count == 1 || count == 2;
		loc->constant = ic_extend((uint64_t)words[1] << 32 | words[0], count > 1 ? 64 : 32,
					  loc->flags & IC_BTF_LOC_SIGNED);
		break;
	case IC_BTF_LOC_REG:
		loc->is_known = count == 1 || count == 2;
		loc->second_reg = words[1];
		break;
	case IC_BTF_LOC_REG | IC_BTF_LOC_DEREF: loc->is_known = count == 1; break;
	case IC_BTF_LOC_REG | IC_BTF_LOC_OFFSET:
	case IC_BTF_LOC_REG | IC_BTF_LOC_OFFSET | IC_BTF_LOC_DEREF:
		loc->is_known = count == 2;
		loc->offset = (int32_t)words[1];
		break;
	default: break;
	}
	if (loc->flags & IC_BTF_LOC_REG)
		loc->reg = words[0];
}

bool ic_btf_loc_find(const struct ic_btf *btf, uint32_t id, struct ic_btf_loc *loc)
{
	struct ic_btf_type type;

	if (!ic_btf_type_find(btf, id, &type) || type.kind != IC_BTF_LOC_PARAM)
		return false;
	read_param(&type, loc);
	return true;
}

static struct ic_location location_of(const struct ic_btf_loc *loc)
{
	struct ic_location location = { .reg = loc->reg, .offset = loc->offset };

	if (!loc->is_known)
		return (struct ic_location){ .why = IC_LOCATION_WHY_UNREADABLE };
	if (loc->flags & IC_BTF_LOC_CONST)
		return (struct ic_location){ .kind = loc->flags & IC_BTF_LOC_ADDR
							     ? IC_LOCATION_ADDRESS
							     : IC_LOCATION_CONSTANT,
					     .constant = loc->constant };
	location.kind = loc->flags & IC_BTF_LOC_DEREF ? IC_LOCATION_MEMORY : IC_LOCATION_REGISTER;
	if (loc->reg == IC_BTF_LOC_FRAME)
		location =
			(struct ic_location){ .kind = IC_LOCATION_COMPUTED, .offset = loc->offset };
	return location;
}

// If two registers hold a value, the first has as much of it as fits.
static void split_location(struct ic_btf_inline_parameter *parameter, const struct ic_btf_loc *loc)
{
	struct ic_location first = parameter->location, second = first;
	uint64_t size = loc->size, part = size > 8 ? 8 : size / 2;

	second.reg = loc->second_reg;
	parameter->pieces[0] =
		(struct ic_location_piece){ .bit_size = 8 * part, .location = first };
	parameter->pieces[1] =
		(struct ic_location_piece){ .bit_size = 8 * (size - part), .location = second };
	parameter->location = (struct ic_location){ .kind = IC_LOCATION_PIECES,
						    .pieces = parameter->pieces,
						    .piece_count = 2 };
}

// ---- Calls

// Finds the list of a call; returns false if it has none.
static bool find_list(const struct ic_btf_inline *table, uint32_t id, struct ic_btf_type *list)
{
	return ic_btf_type_find(table->types, id, list) && list->kind == IC_BTF_LOC_PROTO;
}

enum { ITEM_SIZE = 12 };

struct item { // an item of a LOCSEC
	uint32_t function, list, offset;
};

static struct item read_item(const struct ic_btf_inline *table, uint32_t off)
{
	const uint8_t *at = table->bytes.data + off;

	return (struct item){
		.function = ic_load32(at, table->swap),
		.list = ic_load32(at + 4, table->swap),
		.offset = ic_load32(at + 8, table->swap),
	};
}

// Many calls may share a list, so the total number of parameters is bounded by the file's size.
static bool count_list(const struct ic_btf_inline *table, uint32_t off, uint64_t *left,
		       struct ic_error *err)
{
	struct ic_btf_type list;

	if (!find_list(table, read_item(table, off).list, &list))
		return true;
	if (list.item_count > IC_BTF_MOST_PARAMETERS)
		return ic_fail_at(err, table->own_types->section, list.off,
				  "LOC_PROTO has %u parameters, more than the maximum of %u",
				  list.item_count, IC_BTF_MOST_PARAMETERS);
	if (list.item_count > *left)
		return ic_fail(err, IC_ERROR_LIMIT,
			       "%s: calls have far more parameters than the section has bytes",
			       table->own_types->section);
	*left -= list.item_count;
	return true;
}

bool ic_btf_kinds_list(struct ic_btf_inline *table, struct ic_error *err)
{
	const struct ic_btf *btf = table->own_types;
	IC_ARRAY(struct ic_btf_record) records = { .items = NULL };
	uint64_t left = 16 * (uint64_t)table->bytes.size;
	bool ok = true;

	for (uint32_t id = btf->first_id; ok && id < ic_btf_count(btf); id++) {
		struct ic_btf_type type;
		if (!ic_btf_type_find(btf, id, &type) || type.kind != IC_BTF_LOCSEC)
			continue;
		for (uint32_t i = 0; ok && i < type.item_count; i++) {
			struct ic_btf_record *record = IC_ARRAY_PUSH(&records);
			ok = record || ic_fail_memory(err);
			if (!ok)
				break;
			record->off = (uint32_t)type.off + IC_BTF_TYPE_SIZE + i * ITEM_SIZE;
			record->owner = id;
			ok = count_list(table, record->off, &left, err);
		}
	}
	table->records = records.items;
	table->record_count = records.count;
	return ok;
}

void ic_btf_kinds_get(const struct ic_btf_inline *table, uint32_t number,
		      struct ic_btf_inline_site *site)
{
	const struct ic_btf_record *record = &table->records[number];
	struct item item = read_item(table, record->off);
	struct ic_btf_type list;

	*site = (struct ic_btf_inline_site){
		.callee = item.function,
		.callee_name = ic_btf_function_name(table->types, item.function),
		.section = ic_btf_name(table->types, record->owner),
		.offset = item.offset,
		.record_off = record->off,
	};
	if (find_list(table, item.list, &list))
		site->parameter_count = list.item_count;
}

void ic_btf_kinds_ids(const struct ic_btf_inline *table, uint32_t number, uint32_t *function,
		      uint32_t *list)
{
	struct item item = read_item(table, table->records[number].off);

	*function = item.function;
	*list = item.list;
}

void ic_btf_kinds_parameter(const struct ic_btf_inline *table, uint32_t site_number,
			    uint32_t number, struct ic_btf_inline_parameter *parameter)
{
	struct item item = read_item(table, table->records[site_number].off);
	struct ic_btf_loc loc;
	struct ic_btf_type list;

	if (!find_list(table, item.list, &list))
		return;
	uint32_t id = ic_btf_type_word(&list, number);
	if (!ic_btf_loc_find(table->types, id, &loc)) {
		// 0 means that there is none.
		parameter->location.why = id == 0 ? IC_LOCATION_WHY_KNOWN
						  : IC_LOCATION_WHY_UNREADABLE;
		return;
	}
	parameter->location = location_of(&loc);
	parameter->is_on_frame = parameter->location.kind == IC_LOCATION_COMPUTED;
	if (loc.is_known && loc.flags == IC_BTF_LOC_REG && loc.word_count == 2)
		split_location(parameter, &loc);
	if (parameter->size == 0)
		parameter->size = loc.size;
	parameter->is_signed |= (loc.flags & IC_BTF_LOC_SIGNED) && loc.flags & IC_BTF_LOC_CONST;
}
