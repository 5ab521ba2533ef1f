#include "btf/inline_kinds.h"

#include "base/array.h"

// ---- A location

static uint64_t extended(uint64_t number, unsigned bits, bool is_signed)
{
	unsigned unused = 64 - bits;

	return is_signed ? (uint64_t)((int64_t)(number << unused) >> unused) : number;
}

static void read_first(const struct ic_btf_type *type, struct ic_btf_loc *loc)
{
	uint32_t word = ic_btf_type_word(type, 0), last = ic_btf_type_word(type, 1);

	if (type->flag) {
		loc->flags = IC_BTF_LOC_CONST | (loc->size < 0 ? IC_BTF_LOC_SIGNED : 0);
		loc->constant = (uint64_t)last << 32 | word;
		loc->is_known = true;
		return;
	}
	// 16 bits each: the register and the flags.
	loc->reg = ic_load16(type->extra, type->btf->swap);
	loc->raw_flags = ic_load16(type->extra + 2, type->btf->swap);
	loc->offset = (int32_t)last;
	loc->goes_on = loc->raw_flags & IC_BTF_LOC_FIRST_CONTINUE;
	loc->flags = IC_BTF_LOC_REG | IC_BTF_LOC_OFFSET |
		     (loc->raw_flags & IC_BTF_LOC_FIRST_DEREF ? IC_BTF_LOC_DEREF : 0);
	loc->is_known = !(loc->raw_flags & ~(IC_BTF_LOC_FIRST_DEREF | IC_BTF_LOC_FIRST_CONTINUE));
}

static void read_second(const struct ic_btf_type *type, struct ic_btf_loc *loc)
{
	uint32_t words[2] = { 0 };

	loc->flags = loc->raw_flags = ic_btf_type_word(type, 0);
	loc->word_count = type->item_count;
	for (uint32_t i = 0; i < 2 && i < type->item_count; i++)
		words[i] = ic_btf_type_word(type, i + 1);
	uint32_t form = loc->flags & ~IC_BTF_LOC_SIGNED, count = loc->word_count;
	switch (form) {
	case IC_BTF_LOC_CONST:
	case IC_BTF_LOC_CONST | IC_BTF_LOC_ADDR:
		loc->is_known = count == 1 || count == 2;
		loc->constant = extended((uint64_t)words[1] << 32 | words[0],
					 32 * (1 + (count > 1)), loc->flags & IC_BTF_LOC_SIGNED);
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
	*loc = (struct ic_btf_loc){ .size = (int32_t)type.size };
	if (type.btf->loc_layout == IC_BTF_LOC_FIRST)
		read_first(&type, loc);
	else
		read_second(&type, loc);
	return true;
}

static uint64_t size_of(const struct ic_btf_loc *loc)
{
	return loc->size < 0 ? -(uint64_t)loc->size : (uint64_t)loc->size;
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
static void split(struct ic_btf_inline_parameter *parameter, struct ic_location first,
		  struct ic_location second, uint64_t size)
{
	uint64_t part = size > 8 ? 8 : size / 2;

	parameter->pieces[0] =
		(struct ic_location_piece){ .bit_size = 8 * part, .location = first };
	parameter->pieces[1] =
		(struct ic_location_piece){ .bit_size = 8 * (size - part), .location = second };
	parameter->location = (struct ic_location){ .kind = IC_LOCATION_PIECES,
						    .pieces = parameter->pieces,
						    .piece_count = 2 };
}

// ---- Lists of locations

// Finds the list of a call; returns false if it has none.
static bool find_list(const struct ic_btf_inline *table, uint32_t id, struct ic_btf_type *list)
{
	return ic_btf_type_find(table->types, id, list) && list->kind == IC_BTF_LOC_PROTO;
}

static bool goes_on(const struct ic_btf_type *list, const struct ic_btf *btf, uint32_t at)
{
	struct ic_btf_loc loc;

	return at + 1 < list->item_count &&
	       ic_btf_loc_find(btf, ic_btf_type_word(list, at), &loc) && loc.goes_on;
}

static uint32_t count_parameters(const struct ic_btf_inline *table, const struct ic_btf_type *list)
{
	uint32_t count = 0;

	if (table->format == IC_BTF_INLINE_LOC)
		return list->item_count;
	for (uint32_t at = 0; at < list->item_count; at++, count++)
		at += goes_on(list, table->types, at);
	return count;
}

static uint32_t find_parameter(const struct ic_btf_inline *table, const struct ic_btf_type *list,
			       uint32_t number)
{
	uint32_t at = number;

	if (table->format == IC_BTF_INLINE_LOC)
		return at;
	for (at = 0; number > 0; at++, number--)
		at += goes_on(list, table->types, at);
	return at;
}

// ---- Calls

struct item { // an item of a LOCSEC
	uint32_t name_off, function, list, offset;
};

static struct item read_item(const struct ic_btf_inline *table, uint32_t off)
{
	const uint8_t *at = table->bytes.data + off;
	bool has_name = table->format == IC_BTF_INLINE_LOC_FIRST;
	uint32_t words[4] = { 0 };

	for (unsigned i = !has_name; i < 4; i++, at += 4)
		words[i] = ic_load32(at, table->swap);
	return (struct item){ words[0], words[1], words[2], words[3] };
}

static uint32_t item_size(const struct ic_btf_inline *table)
{
	return table->format == IC_BTF_INLINE_LOC_FIRST ? 16 : 12;
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
				  "a LOC_PROTO has %u parameters, more than %u", list.item_count,
				  IC_BTF_MOST_PARAMETERS);
	if (list.item_count > *left)
		return ic_fail(err, IC_ERROR_LIMIT,
			       "%s: its calls have far more parameters than it has bytes",
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
			record->off = (uint32_t)type.off + IC_BTF_TYPE_SIZE + i * item_size(table);
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
		.callee_name = table->format == IC_BTF_INLINE_LOC_FIRST
				       ? ic_btf_string(table->types, item.name_off)
				       : ic_btf_function_name(table->types, item.function),
		.section = ic_btf_name(table->types, record->owner),
		.offset = item.offset,
		.record_off = record->off,
	};
	if (find_list(table, item.list, &list))
		site->parameter_count = count_parameters(table, &list);
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
	struct ic_btf_loc loc, next;
	struct ic_btf_type list;

	if (!find_list(table, item.list, &list))
		return;
	uint32_t at = find_parameter(table, &list, number);
	uint32_t id = ic_btf_type_word(&list, at);
	if (!ic_btf_loc_find(table->types, id, &loc)) {
		// 0 means that there is none.
		parameter->location.why = id == 0 ? IC_LOCATION_WHY_KNOWN
						  : IC_LOCATION_WHY_UNREADABLE;
		return;
	}
	uint64_t size = size_of(&loc);
	struct ic_location first = location_of(&loc);
	parameter->location = first;
	parameter->is_on_frame = first.kind == IC_LOCATION_COMPUTED;
	if (loc.goes_on && at + 1 < list.item_count &&
	    ic_btf_loc_find(table->types, ic_btf_type_word(&list, at + 1), &next)) {
		split(parameter, first, location_of(&next), parameter->size ? parameter->size : 16);
	} else if (loc.is_known && loc.flags == IC_BTF_LOC_REG && loc.word_count == 2) {
		struct ic_location second = first;
		second.reg = loc.second_reg;
		split(parameter, first, second, size);
	}
	if (parameter->size == 0)
		parameter->size = size;
	parameter->is_signed |= (loc.flags & IC_BTF_LOC_SIGNED) && loc.flags & IC_BTF_LOC_CONST;
}
